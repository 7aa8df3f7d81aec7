"""Bearer authentication for the HTTP server, and checks of `Host` and `Origin`.

A web page can make a browser send requests to this machine. It does not know the token, and even if it did, the checks
of `Host` and `Origin` would stop it, including when its own name resolves to this machine (DNS rebinding).
"""

import hmac
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from hashlib import sha256
from typing import Any, Final, TypeAlias

Scope: TypeAlias = MutableMapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send: TypeAlias = Callable[[MutableMapping[str, Any]], Awaitable[None]]
Application: TypeAlias = Callable[[Scope, Receive, Send], Awaitable[None]]

_LOCAL: Final = ("127.0.0.1", "localhost", "[::1]")


def allowed_hosts(port: int, more: Iterable[str] = ()) -> frozenset[str]:
    """Accepted values of `Host`: this machine at our port, and the operator's names with or without our port."""
    named = {name.lower() for name in more}
    return frozenset({f"{name}:{port}" for name in (*_LOCAL, *named)} | named)


class BearerAuth:
    """ASGI middleware that passes authorised requests on and answers all others."""

    def __init__(self, inner: Application, *, token: str, hosts: frozenset[str], origins: Iterable[str] = ()) -> None:
        self._inner = inner
        self._digest = _digest(token.encode())
        self._hosts = hosts
        self._origins = frozenset(origin.lower().rstrip("/") for origin in origins)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request; lifespan events pass through."""
        refusal = self._refusal(scope) if scope["type"] == "http" else None
        if refusal is None and scope["type"] in {"http", "lifespan"}:
            await self._inner(scope, receive, send)
        elif refusal is not None:
            await _respond(send, *refusal)

    def _refusal(self, scope: Scope) -> tuple[int, str] | None:
        headers: dict[bytes, list[bytes]] = {}
        for name, value in scope["headers"]:
            headers.setdefault(name.lower(), []).append(value)
        host = _single(headers.get(b"host", []))
        if host is None or host.lower() not in self._hosts:
            return 421, "unknown host name: allow it with --allow-host"
        if b"origin" in headers:
            origin = (_single(headers[b"origin"]) or "").lower()
            if origin not in self._origins and origin.partition("://")[2] not in self._hosts:
                return 403, "this origin is not allowed: allow it with --allow-origin"
        if not self._has_token(_single(headers.get(b"authorization", []))):
            return 401, "missing or wrong token: send `Authorization: Bearer TOKEN`"
        return None

    def _has_token(self, given: str | None) -> bool:
        scheme, _, token = (given or "").partition(" ")
        # Digests have equal length, so the comparison's timing reveals nothing about the token.
        matches = hmac.compare_digest(_digest(token.strip().encode("utf-8", "surrogateescape")), self._digest)
        return scheme.lower() == "bearer" and matches


def _digest(octets: bytes) -> bytes:
    return sha256(octets).digest()


def _single(values: list[bytes]) -> str | None:
    """The value of a header that occurs exactly once; a repeated one is suspicious."""
    return values[0].decode("utf-8", "surrogateescape") if len(values) == 1 else None


async def _respond(send: Send, status: int, message: str) -> None:
    body = message.encode() + b"\n"
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"content-length", str(len(body)).encode())]
    if status == 401:
        headers.append((b"www-authenticate", b"Bearer"))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})

"""Who may speak to the server over HTTP: whoever has the token, and no page of somebody else's in a browser.

A page can make a browser send requests to this machine. It cannot know the token; and the checks of `Host` and `Origin`
stop it even where it learned one, also when its own name suddenly leads here (DNS rebinding).
"""

import hmac
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from hashlib import sha256
from ipaddress import ip_address
from typing import Any, Final, TypeAlias

Scope: TypeAlias = MutableMapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send: TypeAlias = Callable[[MutableMapping[str, Any]], Awaitable[None]]
Application: TypeAlias = Callable[[Scope, Receive, Send], Awaitable[None]]

_LOCAL: Final = ("127.0.0.1", "localhost", "[::1]")


def is_loopback(host: str) -> bool:
    """Whether only programs of this machine can reach the address."""
    try:
        return host == "localhost" or ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def allowed_hosts(port: int, more: Iterable[str] = ()) -> frozenset[str]:
    """What `Host` may say: this machine at our port, and what the operator names, with our port or without."""
    named = {name.lower() for name in more}
    return frozenset({f"{name}:{port}" for name in (*_LOCAL, *named)} | named)


class BearerAuth:
    """Lets requests through to an application, or answers them itself."""

    def __init__(self, inner: Application, *, token: str, hosts: frozenset[str], origins: Iterable[str] = ()) -> None:
        self._inner = inner
        self._digest = _digest(token.encode())
        self._hosts = hosts
        self._origins = frozenset(each.lower().rstrip("/") for each in origins)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request; the start and the end of the server pass as they are."""
        refused = self._refusal(scope) if scope["type"] == "http" else None
        if refused is None and scope["type"] in {"http", "lifespan"}:
            await self._inner(scope, receive, send)
        elif refused is not None:
            await _answer(send, *refused)

    def _refusal(self, scope: Scope) -> tuple[int, str] | None:
        headers: dict[bytes, list[bytes]] = {}
        for name, value in scope["headers"]:
            headers.setdefault(name.lower(), []).append(value)
        host = _single(headers.get(b"host", []))
        if host is None or host.lower() not in self._hosts:
            return 421, "this server is not called that: name the host with --allow-host"
        if b"origin" in headers:
            origin = (_single(headers[b"origin"]) or "").lower()
            if origin not in self._origins and origin.partition("://")[2] not in self._hosts:
                return 403, "pages of this origin may not call: allow it with --allow-origin"
        if not self._has_token(_single(headers.get(b"authorization", []))):
            return 401, "a token is needed: send it as `Authorization: Bearer TOKEN`"
        return None

    def _has_token(self, given: str | None) -> bool:
        kind, _, token = (given or "").partition(" ")
        # Digests have one length, so that the time of the comparison tells nothing about the token.
        same = hmac.compare_digest(_digest(token.strip().encode("utf-8", "surrogateescape")), self._digest)
        return kind.lower() == "bearer" and same


def _digest(octets: bytes) -> bytes:
    return sha256(octets).digest()


def _single(values: list[bytes]) -> str | None:
    """The value of a header that is there once; two of them are a trick."""
    return values[0].decode("utf-8", "surrogateescape") if len(values) == 1 else None


async def _answer(send: Send, status: int, words: str) -> None:
    body = words.encode() + b"\n"
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"content-length", str(len(body)).encode())]
    if status == 401:
        headers.append((b"www-authenticate", b"Bearer"))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})

"""Authentication: from a request's headers to a Caller, or a refusal."""

import hmac
import re
from collections.abc import Mapping
from functools import partial
from typing import Final, Protocol

from msgspec.structs import replace

from skyshelf.server.http.cookies import secured
from skyshelf.service.accounts import sessions
from skyshelf.service.accounts.operators import check_operator
from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.errors import ServiceError
from skyshelf.wire import error_codes as codes
from skyshelf.wire.endpoint import Access, Endpoint
from skyshelf.wire.headers import AGENT_SESSION
from skyshelf.wire.resources.session import LoginAnswer

NONCE_COOKIE = "skyshelf_nonce"
SESSION_COOKIE = "skyshelf_session"
_AGENT_SESSION: Final = AGENT_SESSION.lower()
_AGENT_ID: Final = re.compile(r"agent-[0-9a-f]{16}")


class ByToken(Protocol):
    def __call__(self, *, authorization: str, user_id: str, device_key: str) -> Caller:
        """The caller with these three headers."""


def check_required_headers(endpoint: Endpoint, headers: Mapping[str, str]) -> None:
    for required in endpoint.required_headers:
        if not headers.get(required.name.lower(), "").strip():
            raise ServiceError(required.error)


class AcceptedApps:
    """The pairs of public constants that this server accepts."""

    def __init__(self, pairs: frozenset[tuple[str, str]]) -> None:
        self._pairs = [(key.encode(), secret.encode()) for key, secret in pairs]

    def check(self, headers: Mapping[str, str]) -> None:
        given = headers.get("x-api-key", "").encode(), headers.get("x-app-secret", "").encode()
        matches = [
            hmac.compare_digest(given[0], key) & hmac.compare_digest(given[1], secret) for key, secret in self._pairs
        ]
        if not any(matches):
            raise ServiceError(codes.APP_REFUSED)


def session_cookie_name(*, secure: bool, prefix: str = "") -> str:
    return secured(SESSION_COOKIE, is_secure=secure, whole_host=not prefix)


def nonce_cookie_name(*, secure: bool) -> str:
    return secured(NONCE_COOKIE, is_secure=secure)


def nonce_cookie(nonce: str | None, seconds: int, *, secure: bool, prefix: str = "") -> str:
    """The cookie that opens downloads, for their paths alone."""
    name = nonce_cookie_name(secure=secure)
    cookie = f"{name}={nonce}; Path={prefix}/download; Max-Age={seconds}; HttpOnly; SameSite=Strict"
    return f"{cookie}; Secure" if secure else cookie


def session_cookie(answer: LoginAnswer, lifetime_days: int, *, secure: bool, prefix: str = "") -> str:
    """The cookie that replaces the three session headers in a browser; scripts cannot read it."""
    value = f"{answer.user_id}:{answer.device_key}:{answer.auth_token}"
    return _cookie(value, lifetime_days * 86_400, secure=secure, prefix=prefix)


def ended_session_cookie(*, secure: bool, prefix: str = "") -> str:
    return _cookie("", 0, secure=secure, prefix=prefix)


def _cookie(value: str, seconds: int, *, secure: bool, prefix: str) -> str:
    # Not for the whole host where another service has a part of it.
    name, path = session_cookie_name(secure=secure, prefix=prefix), prefix or "/"
    cookie = f"{name}={value}; Path={path}; Max-Age={seconds}; HttpOnly; SameSite=Strict"
    return f"{cookie}; Secure" if secure else cookie


def is_own_page(fetch_site: str | None) -> bool:
    """Whether one of this server's pages calls, according to the browser; other clients send no such header."""
    return fetch_site in (None, "same-origin")


def _session_headers(headers: Mapping[str, str], cookie: str) -> tuple[str, str, str]:
    """Token, user and device, from the headers or, without a token, from a browser's cookie.

    Other sites cannot use the cookie: it is SameSite=Strict, the browser reports the origin of a call, and every call
    needs headers that a page may only send to its own origin.
    """
    if cookie and "authorization" not in headers and is_own_page(headers.get("sec-fetch-site")):
        user_id, _, rest = cookie.partition(":")
        device_key, _, token = rest.partition(":")
        return f"Basic {token}", user_id, device_key
    return headers.get("authorization", ""), headers.get("x-user-id", ""), headers.get("x-device-key", "")


def find_caller(
    ctx: ServiceContext,
    apps: AcceptedApps,
    endpoint: Endpoint,
    headers: Mapping[str, str],
    cookies: Mapping[str, str],
    *,
    nonces: list[str],
    session_cookie: str,
    by_token: ByToken | None = None,
) -> Caller | None:
    """The caller of an endpoint; None if it is public. `by_token` finds sessions, in the store unless it is given.

    `session_cookie` is the name of the cookie that may hold the session.

    The session is checked before the application: without a session, a caller learns nothing else. To an account that
    is no operator, an operator's endpoint does not exist.
    """
    if endpoint.access is Access.PUBLIC:
        return None
    if endpoint.access is Access.SESSION_OR_NONCE and "authorization" not in headers:
        return sessions.by_nonce(ctx, nonces)
    authorization, user_id, device_key = _session_headers(headers, cookies.get(session_cookie, ""))
    find = by_token or partial(sessions.by_token, ctx)
    caller = find(authorization=authorization, user_id=user_id, device_key=device_key)
    apps.check(headers)
    if endpoint.access is Access.OPERATOR:
        check_operator(ctx, caller)
    agent = headers.get(_AGENT_SESSION)
    # Anything else is not an id that the agent bridge sends.
    return replace(caller, agent_session=agent) if agent and _AGENT_ID.fullmatch(agent) else caller

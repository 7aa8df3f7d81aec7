"""Credentials in the headers of a request: cookies, sessions, app passwords, and the constants of applications.

Cookies are read in linear time. `http.cookies` unquotes values in quadratic time (CVE-2024-7592), so one request with a
long quoted value could hold the server for seconds. Our cookies hold no character that needs an escape: surrounding
quotes are removed, escapes stay.
"""

import base64
import binascii
import hmac
from collections.abc import Mapping
from typing import Final

from starlette.requests import Request

from skyshelf.service.errors import ServiceError
from skyshelf.wire import error_codes as codes
from skyshelf.wire.endpoint import Endpoint
from skyshelf.wire.leave import is_token
from skyshelf.wire.limits import TOKEN_CHARS_MAX
from skyshelf.wire.resources.credentials import LoginAnswer

_FOR_PATH: Final = "__Secure-"
_FOR_HOST: Final = "__Host-"


def secured(name: str, *, is_secure: bool, whole_host: bool = False) -> str:
    """Return the name of a cookie. Over TLS it has a prefix, which browsers accept only from a secure origin.

    So nobody who controls a plain connection or a neighbouring host can plant a cookie that is accepted on
    the secure site; and a cookie of the plain site is another cookie. `__Host-` is the stronger prefix: it needs
    Path=/, so a server that shares its host with others cannot use it.
    """
    if not is_secure:
        return name
    return f"{_FOR_HOST if whole_host else _FOR_PATH}{name}"


def set_cookie(
    name: str, value: str | None, seconds: int, *, path: str, secure: bool, same_site: str = "Strict"
) -> str:
    """Return the header that sets a cookie, which scripts cannot read; 0 seconds end it."""
    cookie = f"{name}={value}; Path={path}; Max-Age={seconds}; HttpOnly; SameSite={same_site}"
    return f"{cookie}; Secure" if secure else cookie


def cookies_of(request: Request) -> dict[str, str]:
    """Return the cookies of a request; if a name occurs several times, the first counts."""
    found: dict[str, str] = {}
    for header in request.headers.getlist("cookie"):
        for part in header.split(";"):
            name, equals, value = part.partition("=")
            if equals:
                found.setdefault(name.strip(), _unquoted(value.strip()))
    return found


def _unquoted(value: str) -> str:
    return value[1:-1] if len(value) >= 2 and value[0] == value[-1] == '"' else value


NONCE_COOKIE = "skyshelf_nonce"
SESSION_COOKIE = "skyshelf_session"


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
    """Return the cookie that authorizes downloads, limited to their paths."""
    return set_cookie(nonce_cookie_name(secure=secure), nonce, seconds, path=f"{prefix}/download", secure=secure)


def session_cookie(answer: LoginAnswer, lifetime_days: int, *, secure: bool, prefix: str = "") -> str:
    """Return the cookie that replaces the three session headers in a browser; scripts cannot read it."""
    value = f"{answer.user_id}:{answer.device_key}:{answer.auth_token}"
    return _cookie(value, lifetime_days * 86_400, secure=secure, prefix=prefix)


def ended_session_cookie(*, secure: bool, prefix: str = "") -> str:
    return _cookie("", 0, secure=secure, prefix=prefix)


def _cookie(value: str, seconds: int, *, secure: bool, prefix: str) -> str:
    # Not for the whole host if another service uses a part of it.
    name = session_cookie_name(secure=secure, prefix=prefix)
    return set_cookie(name, value, seconds, path=prefix or "/", secure=secure)


def is_own_page(fetch_site: str | None) -> bool:
    """Return whether the browser reports a call from one of our own pages; other clients send no such header."""
    return fetch_site in (None, "same-origin")


def session_headers(headers: Mapping[str, str], cookie: str) -> tuple[str, str, str]:
    """Return authorization, user and device, from the headers or, without a token, from a browser's cookie.

    Other sites cannot use the cookie: it is SameSite=Strict, the browser reports the origin of a call, and every call
    needs headers that a page may only send to its own origin.
    """
    if cookie and "authorization" not in headers and is_own_page(headers.get("sec-fetch-site")):
        user_id, _, rest = cookie.partition(":")
        device_key, _, token = rest.partition(":")
        return f"Basic {token}", user_id, device_key
    return headers.get("authorization", ""), headers.get("x-user-id", ""), headers.get("x-device-key", "")


def bearer_in(headers: Mapping[str, str]) -> str | None:
    """Return the token of a delegation in an Authorization header; None if there is none, whatever else there is."""
    scheme, _, token = headers.get("authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" and is_token(token.strip()) else None


CHALLENGE: Final = 'Basic realm="Skyshelf", charset="UTF-8"'
_SCHEME: Final = "basic "
# A browser says where a request comes from; other sites must not use the password that it remembers.
_OWN_SITES: Final = frozenset({None, "same-origin", "none"})


def refuse_other_sites(request: Request) -> None:
    """Refuse a request that a browser sends on behalf of another site."""
    if request.headers.get("sec-fetch-site") not in _OWN_SITES:
        raise ServiceError(codes.FORBIDDEN, "Other sites cannot use this address")


def credentials_in(authorization: str) -> tuple[str, str]:
    """Return the name and password in a Basic header; raise ServiceError if there are none."""
    if len(authorization) <= TOKEN_CHARS_MAX and authorization[: len(_SCHEME)].lower() == _SCHEME:
        try:
            given = base64.b64decode(authorization[len(_SCHEME) :].strip(), validate=True)
        except (binascii.Error, ValueError):
            given = b""
        name, colon, password = _text(given).partition(":")
        if colon:
            return name, password
    raise ServiceError(codes.APP_PASSWORD_REFUSED)


def _text(given: bytes) -> str:
    """Decode UTF-8, as the challenge asks for; some clients send Latin-1 nevertheless."""
    try:
        return given.decode()
    except UnicodeDecodeError:
        return given.decode("latin-1")

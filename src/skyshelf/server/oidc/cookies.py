"""The cookies of logins through providers.

The one of an attempt must come back from another site, so it is SameSite=Lax; all others are for our own pages alone.
Each attempt has its own, so that several tabs can log in at once.
"""

from collections.abc import Mapping
from typing import Final

from skyshelf.server.http.cookies import secured
from skyshelf.service.identity.logins import LIFETIME

TICKET: Final = "skyshelf_ticket"
PERMIT: Final = "skyshelf_permit"
_ATTEMPT: Final = "skyshelf_login_"
_PATHS: Final = {TICKET: "/x/v1", PERMIT: "/oidc"}
_OF_STATE: Final = 12
ATTEMPTS_MAX: Final = 4
"""Of one browser: when another one begins, the older ones are forgotten."""


def own_cookie_name(name: str, *, secure: bool) -> str:
    return secured(name, is_secure=secure)


def own_cookie(name: str, value: str, lifetime: int, *, secure: bool, prefix: str) -> str:
    """A cookie for our own pages; the lifetime is in milliseconds."""
    cookie = (
        f"{own_cookie_name(name, secure=secure)}={value}; Path={prefix}{_PATHS[name]}; Max-Age={lifetime // 1000};"
        " HttpOnly; SameSite=Strict"
    )
    return f"{cookie}; Secure" if secure else cookie


def attempt_cookie(state: str, value: str, *, secure: bool, prefix: str) -> str:
    """The cookie with which the browser comes back from the provider."""
    return _attempt(_attempt_name(state, secure=secure), value, LIFETIME // 1000, secure=secure, prefix=prefix)


def attempt_in(cookies: Mapping[str, str], state: str, *, secure: bool) -> str:
    """The attempt that an answer of the provider belongs to; empty where this browser has begun none."""
    return cookies.get(_attempt_name(state, secure=secure), "")


def ended_attempt(state: str, *, secure: bool, prefix: str) -> str:
    return _attempt(_attempt_name(state, secure=secure), "", 0, secure=secure, prefix=prefix)


def too_many_attempts(cookies: Mapping[str, str], *, secure: bool, prefix: str) -> list[str]:
    """Cookies that end all attempts of a browser that has begun too many."""
    begun = [name for name in cookies if name.startswith(secured(_ATTEMPT, is_secure=secure))]
    if len(begun) < ATTEMPTS_MAX:
        return []
    return [_attempt(name, "", 0, secure=secure, prefix=prefix) for name in begun if _is_plain(name)]


def _attempt_name(state: str, *, secure: bool) -> str:
    # What is not one of our states names no cookie that a browser could have.
    of_state = state[:_OF_STATE] if _is_plain(state) else ""
    return secured(f"{_ATTEMPT}{of_state}", is_secure=secure)


def _is_plain(text: str) -> bool:
    return text.isascii() and text.replace("-", "").replace("_", "").isalnum()


def _attempt(name: str, value: str, seconds: int, *, secure: bool, prefix: str) -> str:
    cookie = f"{name}={value}; Path={prefix}/oidc; Max-Age={seconds}; HttpOnly; SameSite=Lax"
    return f"{cookie}; Secure" if secure else cookie

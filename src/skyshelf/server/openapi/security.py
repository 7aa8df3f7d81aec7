"""Access to endpoints as OpenAPI security requirements."""

from typing import Any, Final

from skyshelf.server.http.authentication import NONCE_COOKIE, SESSION_COOKIE, nonce_cookie_name, session_cookie_name
from skyshelf.wire import headers as header_names
from skyshelf.wire.endpoint import Access, Endpoint

_SESSION: Final = {
    "session": (header_names.AUTHORIZATION, "`Basic ` and the `authToken` of a login; the token is opaque."),
    "userId": (header_names.USER_ID, "The `userId` from the login."),
    "deviceKey": (header_names.DEVICE_KEY, "The `deviceKey` from the login."),
    "apiKey": (header_names.API_KEY_HEADER, f"A public constant, `{header_names.API_KEY}` unless configured."),
    "appSecret": (header_names.APP_SECRET_HEADER, f"A public constant, `{header_names.APP_SECRET}` unless configured."),
}


def security_of(endpoint: Endpoint) -> list[dict[str, list[str]]]:
    """The alternatives; each needs all the schemes that it names."""
    if endpoint.access is Access.PUBLIC:
        return []
    session: dict[str, list[str]] = {name: [] for name in _SESSION}
    if endpoint.access is Access.SESSION_OR_NONCE:
        return [session, {"nonceCookie": []}, {"nonce": []}]
    return [session, {"sessionCookie": [], "apiKey": [], "appSecret": []}]


def security_schemes() -> dict[str, Any]:
    schemes: dict[str, Any] = {
        name: {"type": "apiKey", "in": "header", "name": header, "description": text}
        for name, (header, text) in _SESSION.items()
    }
    schemes["apiKey"]["x-default"], schemes["appSecret"]["x-default"] = header_names.API_KEY, header_names.APP_SECRET
    schemes["sessionCookie"] = {
        "type": "apiKey",
        "in": "cookie",
        "name": SESSION_COOKIE,
        "description": "The session of a browser that logged in with `inCookie`; other origins cannot use it."
        f" Over HTTPS its name is `{session_cookie_name(secure=True)}`.",
    }
    schemes["nonceCookie"] = {
        "type": "apiKey",
        "in": "cookie",
        "name": NONCE_COOKIE,
        "description": "A download nonce, as the cookie that is set with it. Over HTTPS its name is"
        f" `{nonce_cookie_name(secure=True)}`.",
    }
    schemes["nonce"] = {"type": "apiKey", "in": "query", "name": "nonce", "description": "A download nonce."}
    return schemes

"""Header names, public constants, required headers, and the headers that a client sends."""

from typing import Final

from msgspec import Struct

from skyshelf.wire import error_codes
from skyshelf.wire.leave import is_token

AUTHORIZATION: Final = "Authorization"
USER_ID: Final = "X-User-Id"
DEVICE_KEY: Final = "X-Device-Key"
DEVICE_TYPE: Final = "X-Device-Type"
API_KEY_HEADER: Final = "X-Api-Key"
APP_SECRET_HEADER: Final = "X-App-Secret"  # noqa: S105 - the name of a header
CLIENT_DETAILS_HEADER: Final = "X-Client-Details"
ACCEPT: Final = "Accept"
CONTENT_TYPE: Final = "Content-Type"
USER_AGENT: Final = "User-Agent"
ACCEPT_LANGUAGE: Final = "Accept-Language"
OFFSET: Final = "X-Offset"
AGENT_SESSION: Final = "X-Agent-Session"
"""The id of an agent's session, which history records with its changes."""
REQUEST_ID: Final = "X-Request-Id"
RETRY_AFTER: Final = "Retry-After"

# Public constants, the same in every client: they identify an application and protect nothing.
API_KEY: Final = "sky-web-5f1c07b29ad84e63"
APP_SECRET: Final = "MGMzZDVmOWUtN2IxYS00ZTI4LTlkNjYtOGE0MjE1YzBlN2Yz"  # noqa: S105 - public by design

AUTHORIZATION_SCHEME: Final = "Basic"
BEARER_SCHEME: Final = "Bearer"
"""The scheme of delegations."""
NO_DEVICE: Final = "-"
"""The user and the device of a delegation: its token says which."""
WEB_DEVICE_TYPE: Final = "W"
CLIENT_DETAILS: Final = "clientType:WEB; appVersion:86.0.1"
JSON_UTF8: Final = "application/json; charset=UTF-8"
OCTET_STREAM: Final = "application/octet-stream"
MULTIPART: Final = "multipart/form-data"
LANGUAGE_DEFAULT: Final = "en-US,en;q=0.9"
USER_AGENT_DEFAULT: Final = "Mozilla/5.0 (compatible; Skyshelf)"


class RequiredHeader(Struct, frozen=True):
    """A header that must not be missing or empty, and the error if it is."""

    name: str
    error: error_codes.ErrorCode


ACCEPT_LANGUAGE_REQUIRED: Final = RequiredHeader(ACCEPT_LANGUAGE, error_codes.ACCEPT_LANGUAGE_MISSING)
CONTENT_TYPE_REQUIRED: Final = RequiredHeader(CONTENT_TYPE, error_codes.CONTENT_TYPE_MISSING)
BOARDS_CONTENT_TYPE_REQUIRED: Final = RequiredHeader(CONTENT_TYPE, error_codes.BOARDS_CONTENT_TYPE_MISSING)

COMMON_HEADERS: Final = (CONTENT_TYPE_REQUIRED, ACCEPT_LANGUAGE_REQUIRED)
BOARDS_HEADERS: Final = (BOARDS_CONTENT_TYPE_REQUIRED, ACCEPT_LANGUAGE_REQUIRED)


def session_headers(
    auth_token: str,
    user_id: str,
    device_key: str,
    *,
    api_key: str = API_KEY,
    app_secret: str = APP_SECRET,
    accept_language: str = LANGUAGE_DEFAULT,
    user_agent: str = USER_AGENT_DEFAULT,
) -> dict[str, str]:
    """Return the headers that the interface requires on every request, in its order."""
    return {
        AUTHORIZATION: f"{BEARER_SCHEME if is_token(auth_token) else AUTHORIZATION_SCHEME} {auth_token}",
        USER_ID: user_id,
        DEVICE_KEY: device_key,
        DEVICE_TYPE: WEB_DEVICE_TYPE,
        API_KEY_HEADER: api_key,
        APP_SECRET_HEADER: app_secret,
        CLIENT_DETAILS_HEADER: CLIENT_DETAILS,
        ACCEPT: JSON_UTF8,
        CONTENT_TYPE: JSON_UTF8,
        USER_AGENT: user_agent,
        ACCEPT_LANGUAGE: accept_language,
    }

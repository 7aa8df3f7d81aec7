"""A session out of "copy as cURL": the headers of any request that a logged-in browser made."""

import re
import shlex
from typing import Final
from urllib.parse import urlsplit

from msgspec import Struct

from skyshelf.client.errors import ConfigurationError

_SETTINGS: Final = {
    "authorization": "auth_token",
    "x-user-id": "user_id",
    "x-device-key": "device_key",
    "x-api-key": "api_key",
    "x-app-secret": "app_secret",
}
_NEEDED: Final = ("authorization", "x-user-id", "x-device-key")
# Windows' own shell: ^ escapes what follows, and a line goes on after ^ at its end.
_CMD_ESCAPE: Final = re.compile(r"\^(\r?\n|.)", re.DOTALL)


class CopiedSession(Struct, frozen=True):
    """The settings of a session, and the origin that the request went to."""

    settings: dict[str, str]
    origin: str

    def __repr__(self) -> str:
        return f"CopiedSession(origin={self.origin!r})"


def session_from_curl(text: str) -> CopiedSession:
    """The session that a copied command carries; the errors never quote it."""
    words = _words(text)
    if not words or words[0].rpartition("/")[2] not in {"curl", "curl.exe"}:
        raise ConfigurationError("that is no curl command: in the browser's network tab, copy a request as cURL")
    headers: dict[str, str] = {}
    url = ""
    following = iter(words[1:])
    for word in following:
        if word in {"-H", "--header"}:
            name, _, value = next(following, "").partition(":")
            headers[name.strip().lower()] = value.strip()
        elif word == "--url":
            url = next(following, "")
        elif word.startswith(("http://", "https://")):
            url = url or word
    missing = [name for name in _NEEDED if not headers.get(name)]
    if missing:
        raise ConfigurationError(
            f"the copied request has no {' and no '.join(missing)} header: copy one that was made after logging in"
        )
    parts = urlsplit(url)
    if not parts.hostname:
        raise ConfigurationError("the copied request has no address: copy the whole command")
    settings = {setting: headers[name] for name, setting in _SETTINGS.items() if headers.get(name)}
    return CopiedSession(settings, f"{parts.scheme}://{parts.netloc}")


def _words(text: str) -> list[str]:
    if '^"' in text:
        text = _CMD_ESCAPE.sub(lambda found: "" if found[1].endswith("\n") else found[1], text)
    # Browsers write $'…' around what has escapes; quotes do the rest.
    text = re.sub(r"\$'((?:[^'\\]|\\.)*)'", lambda found: shlex.quote(_unescaped(found[1])), text.strip())
    try:
        return shlex.split(text)
    except ValueError:
        raise ConfigurationError("the copied command is not whole: copy it again, up to its last quote") from None


def _unescaped(text: str) -> str:
    return re.sub(r"\\u([0-9a-fA-F]{4})|\\(.)", lambda found: chr(int(found[1], 16)) if found[1] else found[2], text)

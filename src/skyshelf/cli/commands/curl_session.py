"""`skyshelf login --from-curl`: take the session from a request copied in a browser as cURL."""

import re
import shlex
import sys
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import click
from msgspec import Struct

from skyshelf.cli.base.errors import CommandFailed
from skyshelf.client.credentials import AUTH_TOKEN, bare_token
from skyshelf.client.errors import ConfigurationError

_SETTINGS: Final = {
    "authorization": "auth_token",
    "x-user-id": "user_id",
    "x-device-key": "device_key",
    "x-api-key": "api_key",
    "x-app-secret": "app_secret",
}
_NEEDED: Final = ("authorization", "x-user-id", "x-device-key")
# Windows cmd: ^ escapes the next character, and continues a line at its end.
_CMD_ESCAPE: Final = re.compile(r"\^(\r?\n|.)", re.DOTALL)


class CopiedSession(Struct, frozen=True):
    """The settings of a session, and the origin that the request was sent to."""

    settings: dict[str, str]
    origin: str

    def __repr__(self) -> str:
        return f"CopiedSession(origin={self.origin!r})"


def session_from_curl(text: str) -> CopiedSession:
    """The session in a copied command; the errors never quote it."""
    words = _split_words(text)
    if not words or words[0].rpartition("/")[2] not in {"curl", "curl.exe"}:
        raise ConfigurationError("not a curl command: in the browser's network tab, copy a request as cURL")
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
            f"the copied request has no {' and no '.join(missing)} header: copy one sent after logging in"
        )
    parts = urlsplit(url)
    if not parts.hostname:
        raise ConfigurationError("the copied request has no URL: copy the whole command")
    settings = {setting: headers[name] for name, setting in _SETTINGS.items() if headers.get(name)}
    settings[AUTH_TOKEN] = bare_token(settings[AUTH_TOKEN])
    return CopiedSession(settings, f"{parts.scheme}://{parts.netloc}")


def _split_words(text: str) -> list[str]:
    if '^"' in text:
        text = _CMD_ESCAPE.sub(lambda found: "" if found[1].endswith("\n") else found[1], text)
    # Browsers quote text that needs escapes as $'…'.
    text = re.sub(r"\$'((?:[^'\\]|\\.)*)'", lambda found: shlex.quote(_unescape(found[1])), text.strip())
    try:
        return shlex.split(text)
    except ValueError:
        raise ConfigurationError("the copied command is incomplete: copy it again, up to the last quote") from None


def _unescape(text: str) -> str:
    return re.sub(r"\\u([0-9a-fA-F]{4})|\\(.)", lambda found: chr(int(found[1], 16)) if found[1] else found[2], text)


def read_curl_command(file: Path | None) -> str:
    """The copied command, from a file, standard input, or pasted at a prompt."""
    if file is not None:
        try:
            return file.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise CommandFailed(f"cannot read {file}: name the file with the copied command") from error
    if not sys.stdin.isatty():
        return sys.stdin.read()
    click.echo("Paste the copied cURL command, followed by an empty line:", err=True)
    lines = []
    while line := sys.stdin.readline().rstrip("\r\n"):
        lines.append(line)
    return "\n".join(lines)

"""Makes output safe to show: no credentials in any encoding, no invisible characters, untrusted text quoted."""

import base64
import binascii
import html
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final
from urllib.parse import quote, quote_plus

from skyshelf.wire.text import can_carry_hidden_text, replace_invisible

HIDDEN: Final = "[hidden]"
_SECRET_CHARS_MIN: Final = 6
_NAMES_MAX: Final = 10
_NAME_CHARS_MAX: Final = 80

_BLANKS: Final = frozenset("\t\n\r\v\f\x85\u2028\u2029")


def strip_invisible(text: str) -> str:
    """The text without invisible characters; line breaks become spaces."""
    return replace_invisible(text, _blank_or_nothing, can_carry_hidden_text)


def _blank_or_nothing(character: str) -> str:
    return " " if character in _BLANKS else ""


def clean_texts(value: object, clean: Callable[[str], str] = strip_invisible) -> object:
    """The JSON value with `clean` applied to every text in it."""
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, dict):
        return {key: clean_texts(inner, clean) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [clean_texts(inner, clean) for inner in value]
    return value


def quote_text(text: str, max_chars: int = _NAME_CHARS_MAX) -> str:
    """Untrusted text in guillemets, shortened; inner guillemets are replaced, so it cannot close its own quotes."""
    short = text if len(text) <= max_chars else f"{text[:max_chars]}…"
    return "«" + short.replace("«", "‹").replace("»", "›") + "»"


def quote_names(names: Sequence[str]) -> str:
    """The first names, quoted, and how many more there are."""
    listed = ", ".join(quote_text(name) for name in names[:_NAMES_MAX])
    more = len(names) - _NAMES_MAX
    return f"{listed} and {more} more" if more > 0 else listed


class Redactor:
    """Removes secrets from every text of a result. A secret once added stays secret."""

    def __init__(self) -> None:
        self._secrets: set[str] = set()
        self._pattern: re.Pattern[str] | None = None

    def add_secrets(self, secrets: Iterable[str | None]) -> None:
        """Hide these from now on, in every encoding; values too short to be secrets are ignored."""
        known = {secret for secret in secrets if secret and len(secret) >= _SECRET_CHARS_MIN}
        if known <= self._secrets:
            return
        self._secrets |= known
        encodings = {encoding for secret in self._secrets for encoding in _encodings(secret)}
        # Longest first, so a shorter match inside a longer one leaves nothing behind.
        ordered = sorted(encodings, key=len, reverse=True)
        self._pattern = re.compile("|".join(map(re.escape, ordered)), re.IGNORECASE)

    def redact_text(self, text: str) -> str:
        """The text without secrets and invisible characters."""
        stripped = strip_invisible(text)
        return self._pattern.sub(HIDDEN, stripped) if self._pattern else stripped

    def redact(self, value: object) -> object:
        """The JSON value with every text in it redacted."""
        return clean_texts(value, self.redact_text)


def _encodings(secret: str) -> Iterator[str]:
    for part in {secret, *_token_parts(secret)}:
        octets = part.encode()
        yield part
        yield from {quote(part, safe=""), quote_plus(part), quote(quote(part, safe=""), safe=""), html.escape(part)}
        yield octets.hex()
        yield base64.b32encode(octets).decode().rstrip("=")
        yield part[::-1]
        yield from _base64_encodings(octets)


def _token_parts(secret: str) -> Iterator[str]:
    """A token is base64 of `<identity>#ATK#<secret>`; its parts are as sensitive as the token."""
    try:
        inner = base64.b64decode(secret + "=" * (-len(secret) % 4), validate=True).decode()
    except (binascii.Error, ValueError):
        return
    if inner.isprintable() and len(inner) >= _SECRET_CHARS_MIN:
        yield inner
        yield from (part for part in inner.split("#ATK#")[1:] if len(part) >= _SECRET_CHARS_MIN)


def _base64_encodings(octets: bytes) -> Iterator[str]:
    """The base64 encodings at each of the three alignments the bytes can have within a longer text."""
    for before in range(3):
        coded = base64.b64encode(bytes(before) + octets).decode().rstrip("=")
        # Characters at both ends also depend on the neighbouring bytes.
        start = (0, 2, 3)[before]
        end = len(coded) - (1 if (before + len(octets)) % 3 else 0)
        core = coded[start:end]
        if len(core) >= _SECRET_CHARS_MIN:
            yield core
            yield core.replace("+", "-").replace("/", "_")

"""Output that is safe to show: without characters that hide something, and without the session in any spelling."""

import base64
import binascii
import html
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Final
from urllib.parse import quote, quote_plus

from skyshelf.wire.text import can_carry_hidden_text, replace_invisible

HIDDEN: Final = "[hidden]"
_SECRET_CHARS_MIN: Final = 6

_BLANKS: Final = frozenset("\t\n\r\v\f\x85\u2028\u2029")


def visible(text: str) -> str:
    """The text without invisible characters; line breaks become spaces."""
    return replace_invisible(text, _blank_or_nothing, can_carry_hidden_text)


def _blank_or_nothing(character: str) -> str:
    return " " if character in _BLANKS else ""


class Cleaner:
    """Cleans every text of a result. Secrets that were learned once stay secret."""

    def __init__(self) -> None:
        self._secrets: set[str] = set()
        self._pattern: re.Pattern[str] | None = None

    def learn(self, secrets: Iterable[str | None]) -> None:
        """From now on none of these is shown in any spelling; what is too short to be a secret is left out."""
        known = {each for each in secrets if each and len(each) >= _SECRET_CHARS_MIN}
        if known <= self._secrets:
            return
        self._secrets |= known
        spellings = {spelling for secret in self._secrets for spelling in _spellings(secret)}
        # The longest first, so that no rest of one stays behind when a shorter one matches inside.
        ordered = sorted(spellings, key=len, reverse=True)
        self._pattern = re.compile("|".join(map(re.escape, ordered)), re.IGNORECASE)

    def text(self, text: str) -> str:
        """A text that can be shown."""
        shown = visible(text)
        return self._pattern.sub(HIDDEN, shown) if self._pattern else shown

    def clean(self, value: object) -> object:
        """The same value with all texts cleaned."""
        return cleaned(value, self.text)


def cleaned(value: object, text: Callable[[str], str] = visible) -> object:
    """The same value with all texts in it cleaned; without a cleaner, of what cannot be seen."""
    if isinstance(value, str):
        return text(value)
    if isinstance(value, dict):
        return {key: cleaned(inner, text) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [cleaned(inner, text) for inner in value]
    return value


def _spellings(secret: str) -> Iterator[str]:
    for each in {secret, *_parts(secret)}:
        octets = each.encode()
        yield each
        yield from {quote(each, safe=""), quote_plus(each), quote(quote(each, safe=""), safe=""), html.escape(each)}
        yield octets.hex()
        yield base64.b32encode(octets).decode().rstrip("=")
        yield each[::-1]
        yield from _base64(octets)


def _parts(secret: str) -> Iterator[str]:
    """A token is base64 of `<identity>#ATK#<secret>`; what is inside is as good as the token."""
    try:
        inner = base64.b64decode(secret + "=" * (-len(secret) % 4), validate=True).decode()
    except (binascii.Error, ValueError):
        return
    if inner.isprintable() and len(inner) >= _SECRET_CHARS_MIN:
        yield inner
        yield from (part for part in inner.split("#ATK#")[1:] if len(part) >= _SECRET_CHARS_MIN)


def _base64(octets: bytes) -> Iterator[str]:
    """What base64 makes of it wherever it stands in a longer text: three ways, by its place modulo three."""
    for before in range(3):
        coded = base64.b64encode(bytes(before) + octets).decode().rstrip("=")
        # Characters at both ends also depend on the neighbours.
        start = (0, 2, 3)[before]
        end = len(coded) - (1 if (before + len(octets)) % 3 else 0)
        core = coded[start:end]
        if len(core) >= _SECRET_CHARS_MIN:
            yield core
            yield core.replace("+", "-").replace("/", "_")

"""The secrets that a process holds, and how they are kept out of everything that it prints, logs and stores.

A server knows the session, and can echo it: in an error, a file name, a comment. Whatever is shown passes through
`HELD`, which knows the tokens, passwords and codes in use. A session hides its own token in responses as well, so it
reaches no file name, index or report.
"""

import base64
import binascii
import html
import re
import threading
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final
from urllib.parse import quote, quote_plus

HIDDEN: Final = "[hidden]"
SECRET_CHARS_MIN: Final = 6
"""Shorter values occur everywhere, so hiding them would only damage the text."""

_HELD_MAX: Final = 64


@dataclass(frozen=True, repr=False)
class _Forms:
    """Everything to look for: the longest first, in lower case, and as it is written plainly."""

    ordered: tuple[str, ...]
    lowered: tuple[str, ...]
    plain: tuple[str, ...]
    plain_bytes: tuple[bytes, ...]

    @classmethod
    def of(cls, secrets: Iterable[str]) -> "_Forms":
        secrets = tuple(secrets)
        # Longest first, so a shorter match inside a longer one leaves nothing behind.
        ordered = sorted({form for secret in secrets for form in _encodings(secret)}, key=len, reverse=True)
        plain = sorted({form for secret in secrets for form in _plain_forms(secret)}, key=len, reverse=True)
        return cls(
            tuple(ordered),
            tuple({form.lower() for form in ordered}),
            tuple(plain),
            tuple(form.encode("utf-8", "surrogatepass") for form in plain),
        )

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """Matches each of them. To make it takes milliseconds, so it is made when a text has one: almost never."""
        return re.compile("|".join(map(re.escape, self.ordered)) if self.ordered else "(?!)", re.IGNORECASE)


class Secrets:
    """Texts that must not be shown, in any encoding; the newest ones, as many as a process can use at once."""

    def __init__(self, secrets: Iterable[str | None] = ()) -> None:
        self._lock = threading.Lock()
        self._known: dict[str, None] = {}
        self._made: _Forms | None = None
        self.add(secrets)

    def __repr__(self) -> str:
        return f"Secrets({len(self._known)})"

    def add(self, secrets: Iterable[str | None]) -> None:
        """Hide these from now on; values too short to be secrets are ignored."""
        new = [secret for secret in secrets if secret and len(secret) >= SECRET_CHARS_MIN]
        with self._lock:
            if all(secret in self._known for secret in new):
                return
            self._known = dict.fromkeys([*self._known, *new][-_HELD_MAX:])
            self._made = None

    def occur_in(self, text: str) -> bool:
        """Whether a text contains a secret, in any encoding."""
        if not self._known:
            return False
        lowered = text.lower()
        return any(form in lowered for form in self._forms().lowered)

    def hide(self, text: str) -> str:
        """Remove secrets from a text, in any encoding."""
        return self._forms().pattern.sub(HIDDEN, text) if self.occur_in(text) else text

    def hide_plain(self, text: str) -> str:
        """Remove secrets that are written plainly: fast enough for every name of a listing."""
        for form in self._forms().plain:
            if form in text:
                text = text.replace(form, HIDDEN)
        return text

    def hide_in_body(self, body: bytes) -> bytes:
        """Remove secrets that are written plainly from a JSON body, which stays JSON."""
        for form in self._forms().plain_bytes:
            if form in body:
                body = body.replace(form, HIDDEN.encode())
        return body

    def _forms(self) -> _Forms:
        forms = self._made
        if forms is None:
            # Made on first use: most processes never show anything.
            with self._lock:
                forms = self._made = _Forms.of(self._known)
        return forms


HELD: Final = Secrets()
"""The secrets of this process; sessions and prompts add theirs."""


def _plain_forms(secret: str) -> Iterator[str]:
    for part in {secret, *_token_parts(secret)}:
        if all(character not in part for character in '"\\'):
            yield from (part, part.replace("/", "\\/"), quote(part, safe=""))


def _encodings(secret: str) -> Iterator[str]:
    for part in {secret, *_token_parts(secret)}:
        octets = part.encode("utf-8", "surrogatepass")
        yield part
        yield from {quote(octets, safe=""), quote_plus(octets), quote(quote(octets, safe=""), safe="")}
        yield html.escape(part)
        yield part.replace("\\", "\\\\").replace('"', '\\"')
        yield octets.hex()
        yield base64.b32encode(octets).decode().rstrip("=")
        yield part[::-1]
        yield from _base64_encodings(octets)


def _token_parts(secret: str) -> Iterator[str]:
    """Yield the parts of a token, base64 of `<identity>#ATK#<secret>`: they are as sensitive as the token."""
    try:
        inner = base64.b64decode(secret + "=" * (-len(secret) % 4), validate=True).decode()
    except (binascii.Error, ValueError):
        return
    if inner.isprintable() and len(inner) >= SECRET_CHARS_MIN:
        yield inner
        yield from (part for part in inner.split("#ATK#")[1:] if len(part) >= SECRET_CHARS_MIN)


def _base64_encodings(octets: bytes) -> Iterator[str]:
    """Yield the base64 encodings at each of the three alignments the bytes can have within a longer text."""
    for before in range(3):
        coded = base64.b64encode(bytes(before) + octets).decode().rstrip("=")
        # Characters at both ends also depend on the neighbouring bytes.
        start = (0, 2, 3)[before]
        end = len(coded) - (1 if (before + len(octets)) % 3 else 0)
        core = coded[start:end]
        if len(core) >= SECRET_CHARS_MIN:
            yield core
            yield core.replace("+", "-").replace("/", "_")

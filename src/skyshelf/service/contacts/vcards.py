"""vCards: from a file of cards to contacts, and back.

Such files come from everywhere and are often partly broken, so each card is read separately: an unreadable one is
reported and does not affect the others. Everything but names, addresses and numbers is dropped before parsing, above
all pictures, which are most of the bytes.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Final

import msgspec

from skyshelf.service.contacts.vcard_lines import CardLine, escaped, parse_line, parts_of, text_of, write_line
from skyshelf.wire.limits import (
    CONTACT_ENTRIES_MAX,
    CONTACT_FIELD_CHARS_MAX,
    SOURCE_NAME_CHARS_MAX,
    VCARD_LINES_MAX,
)
from skyshelf.wire.resources.contacts import Contact, ContactMailbox, ContactPhone

_KEPT: Final = frozenset({"FN", "N", "EMAIL", "TEL", "ORG", "NICKNAME"})
_LINE_CHARS_MAX: Final = 10_000
_NEW_LINE: Final = re.compile(r"\r\n|\n|\r")
_PROPERTY: Final = re.compile(r"(?:[A-Za-z0-9-]+\.)?([A-Za-z0-9-]+)\s*[;:]")
_UNWRITABLE: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff]")
# Types that do not say what an address or number is for.
_UNTYPED: Final = frozenset({"internet", "pref", "x400", "voice", "text"})
_KIND: Final = re.compile(r"[A-Za-z0-9-]+")


class CardError(Exception):
    """A card that cannot be read, with the reason."""


class Card(msgspec.Struct, frozen=True):
    """One card of a file, counted from 1, with its relevant lines, unfolded."""

    number: int
    lines: list[str]
    is_whole: bool


def cards_in(text: str) -> Iterator[Card]:
    """The cards of a file in order; text between them is ignored."""
    number, lines, inside, nested = 0, [""], False, 0
    for line in _unfolded(text):
        word = line.strip().upper()
        if word == "BEGIN:VCARD":
            if inside and lines[-1:] == ["AGENT"]:
                nested += 1  # a nested card, as of an assistant
                continue
            if inside:
                yield Card(number, lines, False)
            number, lines, inside, nested = number + 1, [], True, 0
        elif word == "END:VCARD" and nested:
            nested -= 1
        elif word == "END:VCARD" and inside:
            yield Card(number, lines, True)
            inside = False
        elif inside and not nested:
            _keep(line, lines)
    if inside:
        yield Card(number, lines, False)


def _keep(line: str, lines: list[str]) -> None:
    found = _PROPERTY.match(line)
    name = found[1].upper() if found else ""
    if name == "AGENT":
        lines.append(name)
    elif name in _KEPT:
        lines.append(line)


def _unfolded(text: str) -> Iterator[str]:
    """Logical lines: a line that begins with a space continues the previous one, and so does one after a soft break."""
    held = ""
    size = 0
    soft = False
    for line in _NEW_LINE.split(text):
        folded = line[:1] in {" ", "\t"} and bool(held)
        if soft or folded:
            size += len(line)
            # Too long a line is a picture or a mistake: it is cut here, and rejected or dropped later.
            if size <= _LINE_CHARS_MAX:
                held = held[:-1] + line.lstrip(" \t") if soft else held + line[1:]
        else:
            if held:
                yield held
            held, size = line[: _LINE_CHARS_MAX + 1], len(line)
        soft = line.endswith("=") and "QUOTED-PRINTABLE" in held.upper()
    if held:
        yield held


def contact_of(card: Card) -> Contact:
    """The contact of a card; CardError where it cannot be read."""
    if not card.is_whole:
        raise CardError("The card has no END line")
    lines = [line for line in card.lines if line != "AGENT"]
    if len(lines) > VCARD_LINES_MAX:
        raise CardError(f"The card has more than {VCARD_LINES_MAX} lines")
    if any(len(line) > _LINE_CHARS_MAX for line in lines):
        raise CardError("The card has a line that is too long")
    properties = [line for line in map(parse_line, lines) if line is not None]
    first, last = _names(properties)
    emails = [ContactMailbox(email_id=value, type=kind) for value, kind in _values(properties, "EMAIL")]
    phones = [ContactPhone(number=value.removeprefix("tel:"), type=kind) for value, kind in _values(properties, "TEL")]
    display = _first(
        [
            *(value for value, _ in _values(properties, "FN")),
            " ".join(part for part in (first, last) if part),
            *(value for value, _ in _values(properties, "NICKNAME")),
            *(value for value, _ in _values(properties, "ORG")),
            *(mail.email_id or "" for mail in emails),
            *(phone.number or "" for phone in phones),
        ]
    )
    if not display:
        raise CardError("The card has no name, address or number")
    return Contact(
        display_name=display,
        first_name=first or None,
        last_name=last or None,
        emails=emails or None,
        phones=phones or None,
    )


def _names(properties: Iterable[CardLine]) -> tuple[str, str]:
    """The given and the family name."""
    for line in properties:
        if line.name == "N":
            family, given, *_ = [*parts_of(line.value), "", ""]
            return _clean(given), _clean(family)
    return "", ""


def _values(properties: Iterable[CardLine], name: str) -> list[tuple[str, str | None]]:
    """The distinct values of a property with their types."""
    found: dict[str, str | None] = {}
    for line in properties:
        if line.name == name and (
            text := _clean(" ".join(parts_of(line.value)) if name == "ORG" else text_of(line.value))
        ):
            found.setdefault(text, _kind(line))
    if len(found) > CONTACT_ENTRIES_MAX:
        raise CardError(f"The card has more than {CONTACT_ENTRIES_MAX} addresses or numbers")
    return list(found.items())


def _kind(line: CardLine) -> str | None:
    words = (word.lower() for word in line.types)
    kinds = (word for word in words if word not in _UNTYPED and _KIND.fullmatch(word))
    return next((kind[:SOURCE_NAME_CHARS_MAX] for kind in kinds if kind not in _ENCODINGS), None)


_ENCODINGS: Final = frozenset({"quoted-printable", "8bit", "7bit", "base64", "b"})


def _clean(value: str) -> str:
    """A value as one line of text."""
    text = _UNWRITABLE.sub("", " ".join(value.split())).strip()
    if len(text) > CONTACT_FIELD_CHARS_MAX:
        raise CardError(f"The card has a value of more than {CONTACT_FIELD_CHARS_MAX} characters")
    return text


def _first(texts: Iterable[str]) -> str:
    return next((text for text in texts if text), "")


def card_of(contact: Contact) -> str:
    """A contact as a vCard 3.0."""
    name = f"{escaped(contact.last_name or '')};{escaped(contact.first_name or '')};;;"
    lines = [write_line("N", name), write_line("FN", escaped(contact.display_name or ""))]
    lines += [_typed("EMAIL", mail.email_id, mail.type) for mail in contact.emails or () if mail.email_id]
    lines += [_typed("TEL", phone.number, phone.type) for phone in contact.phones or () if phone.number]
    return "".join(["BEGIN:VCARD\r\nVERSION:3.0\r\n", *lines, "END:VCARD\r\n"])


def _typed(name: str, value: str, kind: str | None) -> str:
    return write_line(name, escaped(value), kind if kind and _KIND.fullmatch(kind) else None)

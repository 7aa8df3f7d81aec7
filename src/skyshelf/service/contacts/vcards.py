"""vCards: from a file of cards to contacts, and back.

Such files come from everywhere and are often partly broken, so each card is read separately: an unreadable one is
reported and does not affect the others. Everything but names, addresses and numbers is dropped before parsing, above
all pictures, which are most of the bytes. The dialects of vCard 2.1 (bare types, quoted-printable), 3.0 and 4.0 are
understood.

Cards come from strangers, and a parser with ambiguous patterns takes exponential time on some of them. So a line is
read character by character, once.
"""

import quopri
import re
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Final, NamedTuple

import msgspec

from skyshelf.wire import limits
from skyshelf.wire.resources.contacts import Contact, ContactMailbox, ContactPhone

_NAME: Final = re.compile(r"[A-Za-z0-9-]+")
_CHARSETS: Final = frozenset(
    {
        *("us-ascii", "utf-8", "utf-16", "utf-16le", "utf-16be", "koi8-r", "koi8-u", "gb2312", "gbk", "gb18030"),
        *("big5", "shift-jis", "shift-jisx0213", "euc-jp", "euc-kr", "iso-2022-jp", "tis-620"),
        *(f"iso-8859-{part}" for part in range(1, 17) if part != 12),
        *(f"windows-{page}" for page in range(1250, 1259)),
    }
)
_ESCAPE: Final = re.compile(r"\\(.)", re.DOTALL)
_OCTETS_MAX: Final = 75
_KEPT: Final = frozenset({"FN", "N", "EMAIL", "TEL", "ORG", "NICKNAME"})
_LINE_CHARS_MAX: Final = 10_000
_NEW_LINE: Final = re.compile(r"\r\n|\n|\r")
_PROPERTY: Final = re.compile(r"(?:[A-Za-z0-9-]+\.)?([A-Za-z0-9-]+)\s*[;:]")
_UNWRITABLE: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff]")
# Types that do not say what an address or number is for, and encodings.
_UNTYPED: Final = frozenset(
    {"internet", "pref", "x400", "voice", "text", "quoted-printable", "8bit", "7bit", "base64", "b"}
)
_KIND: Final = re.compile(r"[A-Za-z0-9-]+")


class CardLine(NamedTuple):
    """One property: its upper-case name, its types in order, and its value, decoded but still escaped."""

    name: str
    types: list[str]
    value: str


def parse_line(line: str) -> CardLine | None:
    """Parse a logical line; None if it is malformed."""
    head, colon, value = _partition(line)
    if not colon:
        return None
    first, *parameters = _split(head, ";")
    name = first.strip().rpartition(".")[2]
    if not _NAME.fullmatch(name):
        return None
    types: list[str] = []
    charset, is_quoted = "utf-8", False
    for parameter in parameters:
        key, equals, given = parameter.partition("=")
        values = [one.strip().strip('"') for one in _split(given if equals else parameter, ",")]
        key = key.strip().upper() if equals else ""
        if key == "CHARSET":
            charset = values[0]
        elif key in {"", "TYPE", "ENCODING"}:
            is_quoted = is_quoted or any(one.upper() == "QUOTED-PRINTABLE" for one in values)
            types += [word for one in values for word in one.split(",")] if key != "ENCODING" else []
    return CardLine(name.upper(), types, _decoded(value, charset) if is_quoted else value)


def text_of(value: str) -> str:
    return _ESCAPE.sub(lambda found: "\n" if found[1] in "nN" else found[1], value)


def parts_of(value: str) -> list[str]:
    """Split a structured value, such as the family and given name of an N."""
    return [text_of(part) for part in _components(value)]


def write_line(name: str, value: str, kind: str | None = None) -> str:
    """Write a line of a vCard 3.0, folded; `value` is already escaped."""
    line = f"{name};TYPE={kind.upper()}:{value}" if kind else f"{name}:{value}"
    return "".join(_folded(line))


def escaped(text: str) -> str:
    return re.sub(r"([\\;,])", r"\\\1", text).replace("\n", "\\n")


def _partition(line: str) -> tuple[str, str, str]:
    """Split a line at the first colon outside quotes; quotes that never close are ordinary characters."""
    place = next(_outside_quotes(line, ":"), None)
    if place is None:
        return line.partition(":") if line.count('"') % 2 else (line, "", "")
    return line[:place], ":", line[place + 1 :]


def _split(text: str, separator: str) -> list[str]:
    """Split a text at each separator outside quotes."""
    places = [-1, *_outside_quotes(text, separator), len(text)]
    return [text[before + 1 : place] for before, place in pairwise(places)]


def _outside_quotes(text: str, separator: str) -> Iterator[int]:
    """Yield the places of a separator outside quotes."""
    is_inside = False
    for place, character in enumerate(text):
        if character == '"':
            is_inside = not is_inside
        elif character == separator and not is_inside:
            yield place


def _components(value: str) -> list[str]:
    """Split a value at semicolons that are not escaped."""
    parts, start, is_escaped = [], 0, False
    for place, character in enumerate(value):
        if is_escaped:
            is_escaped = False
        elif character == "\\":
            is_escaped = True
        elif character == ";":
            parts.append(value[start:place])
            start = place + 1
    return [*parts, value[start:]]


def _decoded(value: str, charset: str) -> str:
    raw = quopri.decodestring(value.encode("utf-8", "replace"))
    # Python knows codecs that no address book uses, and some take quadratic time.
    known = charset.strip().lower().replace("_", "-")
    return raw.decode(known if known in _CHARSETS else "utf-8", "replace")


def _folded(line: str) -> Iterator[str]:
    """Fold a line into pieces of at most 75 octets, without dividing a character."""
    size = 0
    for character in line:
        octets = len(character.encode("utf-8", "replace"))
        if size + octets > _OCTETS_MAX:
            yield "\r\n "
            size = 1
        yield character
        size += octets
    yield "\r\n"


class CardError(Exception):
    """A card that cannot be read, with the reason."""


class Card(msgspec.Struct, frozen=True):
    """One card of a file, counted from 1, with its relevant lines, unfolded."""

    number: int
    lines: list[str]
    is_whole: bool


def cards_in(text: str) -> Iterator[Card]:
    """Yield the cards of a file in order; text between them is ignored."""
    number, lines, inside, nested = 0, [""], False, 0
    for line in _unfolded(text):
        word = line.strip().upper()
        if word == "BEGIN:VCARD":
            if inside and lines[-1:] == ["AGENT"]:
                nested += 1  # a nested card, such as an assistant's
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
    """Yield logical lines: a line that begins with a space, or follows a soft break, continues the previous one."""
    held = ""
    size = 0
    soft = False
    for line in _NEW_LINE.split(text):
        folded = line[:1] in {" ", "\t"} and bool(held)
        if soft or folded:
            size += len(line)
            # A line this long is a picture or a mistake: it is cut here, and rejected or dropped later.
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
    """Convert a card to a contact; CardError if it cannot be read."""
    if not card.is_whole:
        raise CardError("The card has no END line")
    lines = [line for line in card.lines if line != "AGENT"]
    if len(lines) > limits.VCARD_LINES_MAX:
        raise CardError(f"The card has more than {limits.VCARD_LINES_MAX} lines")
    if any(len(line) > _LINE_CHARS_MAX for line in lines):
        raise CardError("The card has a line that is too long")
    properties = [line for line in map(parse_line, lines) if line is not None]
    first, last = _names(properties)
    emails = [ContactMailbox(email_id=value, type=kind) for value, kind in _values(properties, "EMAIL")]
    phones = [ContactPhone(number=value.removeprefix("tel:"), type=kind) for value, kind in _values(properties, "TEL")]
    names = [
        *(value for value, _ in _values(properties, "FN")),
        " ".join(part for part in (first, last) if part),
        *(value for value, _ in _values(properties, "NICKNAME")),
        *(value for value, _ in _values(properties, "ORG")),
        *(mail.email_id for mail in emails),
        *(phone.number for phone in phones),
    ]
    display = next(filter(None, names), None)
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
    """Return the given and the family name."""
    for line in properties:
        if line.name == "N":
            family, given, *_ = [*parts_of(line.value), "", ""]
            return _clean(given), _clean(family)
    return "", ""


def _values(properties: Iterable[CardLine], name: str) -> list[tuple[str, str | None]]:
    """Return the distinct values of a property with their types."""
    found: dict[str, str | None] = {}
    for line in properties:
        if line.name == name and (
            text := _clean(" ".join(parts_of(line.value)) if name == "ORG" else text_of(line.value))
        ):
            found.setdefault(text, _kind(line))
    if len(found) > limits.CONTACT_ENTRIES_MAX:
        raise CardError(f"The card has more than {limits.CONTACT_ENTRIES_MAX} addresses or numbers")
    return list(found.items())


def _kind(line: CardLine) -> str | None:
    words = (word.lower() for word in line.types)
    kinds = (word for word in words if word not in _UNTYPED and _KIND.fullmatch(word))
    return next((kind[: limits.SOURCE_NAME_CHARS_MAX] for kind in kinds), None)


def _clean(value: str) -> str:
    """Return a value as one line of text."""
    text = _UNWRITABLE.sub("", " ".join(value.split())).strip()
    if len(text) > limits.CONTACT_FIELD_CHARS_MAX:
        raise CardError(f"The card has a value of more than {limits.CONTACT_FIELD_CHARS_MAX} characters")
    return text


def card_of(contact: Contact) -> str:
    """Write a contact as a vCard 3.0."""
    name = f"{escaped(contact.last_name or '')};{escaped(contact.first_name or '')};;;"
    lines = [write_line("N", name), write_line("FN", escaped(contact.display_name or ""))]
    lines += [_typed("EMAIL", mail.email_id, mail.type) for mail in contact.emails or () if mail.email_id]
    lines += [_typed("TEL", phone.number, phone.type) for phone in contact.phones or () if phone.number]
    return "".join(["BEGIN:VCARD\r\nVERSION:3.0\r\n", *lines, "END:VCARD\r\n"])


def _typed(name: str, value: str, kind: str | None) -> str:
    return write_line(name, escaped(value), kind if kind and _KIND.fullmatch(kind) else None)

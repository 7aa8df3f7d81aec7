"""Lines of a vCard: name, types and value, read and written in linear time.

Cards come from strangers. A parser with ambiguous patterns takes exponential time on some of them, so a line is read
character by character, once. The dialects of vCard 2.1 (bare types, quoted-printable), 3.0 and 4.0 are understood.
"""

import quopri
import re
from collections.abc import Iterator
from typing import Final, NamedTuple

_NAME: Final = re.compile(r"[A-Za-z0-9-]+")
_CHARSETS: Final = frozenset(
    {
        *(
            "us-ascii",
            "utf-8",
            "utf-16",
            "utf-16le",
            "utf-16be",
            "koi8-r",
            "koi8-u",
            "gb2312",
            "gbk",
            "gb18030",
            "big5",
        ),
        *("shift-jis", "shift-jisx0213", "euc-jp", "euc-kr", "iso-2022-jp", "tis-620"),
        *(f"iso-8859-{part}" for part in range(1, 17) if part != 12),
        *(f"windows-{page}" for page in range(1250, 1259)),
    }
)
_ESCAPE: Final = re.compile(r"\\(.)", re.DOTALL)
_OCTETS_MAX: Final = 75


class CardLine(NamedTuple):
    """One property: its upper-case name, its types in order, and its value, decoded but still escaped."""

    name: str
    types: list[str]
    value: str


def parse_line(line: str) -> CardLine | None:
    """A logical line, or None if it is malformed."""
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
    """A value without its escapes."""
    return _ESCAPE.sub(lambda found: "\n" if found[1] in "nN" else found[1], value)


def parts_of(value: str) -> list[str]:
    """The parts of a structured value, such as the family and given name of an N."""
    return [text_of(part) for part in _unescaped_split(value, ";")]


def write_line(name: str, value: str, kind: str | None = None) -> str:
    """A line of a vCard 3.0, folded; `value` is escaped already."""
    line = f"{name};TYPE={kind.upper()}:{value}" if kind else f"{name}:{value}"
    return "".join(_folded(line))


def escaped(text: str) -> str:
    """A text as a value."""
    return re.sub(r"([\\;,])", r"\\\1", text).replace("\n", "\\n")


def _partition(line: str) -> tuple[str, str, str]:
    """The line before and after the first colon outside quotes; quotes that never close are ordinary characters."""
    is_inside = False
    for place, character in enumerate(line):
        if character == '"':
            is_inside = not is_inside
        elif character == ":" and not is_inside:
            return line[:place], ":", line[place + 1 :]
    return line.partition(":") if is_inside else (line, "", "")


def _split(text: str, separator: str) -> list[str]:
    """The text at each separator outside quotes."""
    parts, start, is_inside = [], 0, False
    for place, character in enumerate(text):
        if character == '"':
            is_inside = not is_inside
        elif character == separator and not is_inside:
            parts.append(text[start:place])
            start = place + 1
    return [*parts, text[start:]]


def _unescaped_split(value: str, separator: str) -> list[str]:
    parts, start, is_escaped = [], 0, False
    for place, character in enumerate(value):
        if is_escaped:
            is_escaped = False
        elif character == "\\":
            is_escaped = True
        elif character == separator:
            parts.append(value[start:place])
            start = place + 1
    return [*parts, value[start:]]


def _decoded(value: str, charset: str) -> str:
    raw = quopri.decodestring(value.encode("utf-8", "replace"))
    # Python knows codecs that no address book uses, and some take quadratic time.
    known = charset.strip().lower().replace("_", "-")
    return raw.decode(known if known in _CHARSETS else "utf-8", "replace")


def _folded(line: str) -> Iterator[str]:
    """The line in pieces of at most 75 octets; a character is never divided."""
    size = 0
    for character in line:
        octets = len(character.encode("utf-8", "replace"))
        if size + octets > _OCTETS_MAX:
            yield "\r\n "
            size = 1
        yield character
        size += octets
    yield "\r\n"

"""The text of PDFs and office documents, for a media worker: bounded in text, in unpacked bytes and in time."""

import resource
import zipfile
from collections.abc import Iterator
from typing import Final
from xml.parsers.expat import ParserCreate

TEXT_BYTES_MAX: Final = 1024 * 1024
"""How much text of a document is read."""
UNPACKED_BYTES_MAX: Final = 48 * 1024 * 1024
MEMBERS_MAX: Final = 20_000
STRINGS_CHARS_MAX: Final = 4 * 1024 * 1024
DEPTH_MAX: Final = 256
_DIGITS_MAX: Final = 6
_READ: Final = 64 * 1024
_METHODS: Final = frozenset({zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED})
"""What documents use. The library unpacks the others without a bound: a few KiB of bzip2 become gigabytes."""
_CPU_SECONDS: Final = 5.0

Found = tuple[str, bool]
"""A text, and whether it is all of it."""


class NoTextError(Exception):
    """The document is broken, encrypted, or out of bounds before any text was found."""


class _Enough(Exception):
    """The bounds are reached; what was found until then is the answer."""


class _Text:
    """The text so far; raises _Enough at its bounds."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._size = 0
        self._began = _seconds()

    def add(self, text: str) -> None:
        self._parts.append(text)
        self._size += len(text.encode("utf-8", "replace"))
        if self._size > TEXT_BYTES_MAX or _seconds() - self._began > _CPU_SECONDS:
            raise _Enough

    def whole(self) -> str:
        text = "".join(self._parts).encode("utf-8", "replace")[:TEXT_BYTES_MAX].decode("utf-8", "ignore")
        # A line of a table or a page may be empty; more than one empty line says nothing.
        lines = [line.rstrip() for line in text.replace("\0", "").split("\n")]
        return "\n".join(line for number, line in enumerate(lines) if line or (number and lines[number - 1])).strip(
            "\n"
        )


def _seconds() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_utime


def text_of(path: str, mime_subtype: str) -> Found:
    """Read a document's text, as far as it goes; NoTextError if there is none."""
    found = _Text()
    is_whole = True
    try:
        if mime_subtype == "pdf":
            _read_pdf(path, found)
        else:
            _read_office(path, found)
    except _Enough:
        is_whole = False
    text = found.whole()
    if not text:
        raise NoTextError
    return text, is_whole


def _read_pdf(path: str, found: _Text) -> None:
    import pypdfium2  # imported here because most workers never see a PDF

    document = pypdfium2.PdfDocument(path)
    try:
        for number in range(len(document)):
            page = document[number]
            shown = page.get_textpage()
            # One page may hold more than all that is wanted.
            found.add(shown.get_text_range(0, min(shown.count_chars(), TEXT_BYTES_MAX + 1)).replace("\r\n", "\n"))
            found.add("\n\n")
            shown.close()
            page.close()
    finally:
        document.close()


def _read_office(path: str, found: _Text) -> None:
    with zipfile.ZipFile(path) as archive:
        members = archive.namelist()
        if len(members) > MEMBERS_MAX:
            raise NoTextError
        names = set(members)
        unpacked = _Archive(archive)
        if "word/document.xml" in names:
            for name in ("word/document.xml", "word/footnotes.xml", "word/endnotes.xml"):
                if name in names:
                    _Reader(found, unpacked, name).read()
        elif "xl/workbook.xml" in names:
            strings: list[str] = []
            if "xl/sharedStrings.xml" in names:
                _Strings(strings, unpacked, "xl/sharedStrings.xml").read()
            for name in _numbered(names, "xl/worksheets/sheet"):
                _Reader(found, unpacked, name, strings).read()
                found.add("\n\n")
        elif "ppt/presentation.xml" in names:
            for name in _numbered(names, "ppt/slides/slide"):
                _Reader(found, unpacked, name).read()
                found.add("\n\n")
        elif "content.xml" in names:
            _Reader(found, unpacked, "content.xml").read()
        else:
            raise NoTextError


def _numbered(names: set[str], prefix: str) -> list[str]:
    """The members named prefix, a number, .xml: in the order of the numbers."""
    numbers = (name.removeprefix(prefix).removesuffix(".xml") for name in names if name.startswith(prefix))
    return [
        f"{prefix}{number}.xml" for number in sorted({int(one) for one in numbers if one.isdecimal() and len(one) < 6})
    ]


class _Archive:
    """Reads members piece by piece, and counts what they unpack to: what an archive says about it may be wrong."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        self._archive = archive
        self._bytes = 0

    def pieces(self, name: str) -> Iterator[bytes]:
        if self._archive.getinfo(name).compress_type not in _METHODS:
            raise NoTextError
        with self._archive.open(name) as member:
            while piece := member.read(_READ):
                self._bytes += len(piece)
                if self._bytes > UNPACKED_BYTES_MAX:
                    raise _Enough
                yield piece


class _Part:
    """One XML member, read as a stream: no document type, so no entities, and no tree in memory."""

    def __init__(self, unpacked: _Archive, name: str) -> None:
        self._unpacked = unpacked
        self._name = name
        self._depth = 0

    def read(self) -> None:
        parser = ParserCreate()
        parser.buffer_text = True
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self.characters
        parser.StartDoctypeDeclHandler = _refuse
        for piece in self._unpacked.pieces(self._name):
            parser.Parse(piece, False)
        parser.Parse(b"", True)

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        if self._depth > DEPTH_MAX:
            raise NoTextError
        self.start(tag.rpartition(":")[2], tag, attributes)

    def _end(self, tag: str) -> None:
        self._depth -= 1
        self.end(tag.rpartition(":")[2], tag)

    def start(self, name: str, tag: str, attributes: dict[str, str]) -> None:
        raise NotImplementedError

    def end(self, name: str, tag: str) -> None:
        raise NotImplementedError

    def characters(self, text: str) -> None:
        raise NotImplementedError


def _refuse(*_: object) -> None:
    raise NoTextError


class _Strings(_Part):
    """The texts that the cells of a workbook refer to by their numbers."""

    def __init__(self, strings: list[str], unpacked: _Archive, name: str) -> None:
        super().__init__(unpacked, name)
        self._strings = strings
        self._current: list[str] = []
        self._is_text = False
        self._chars = 0

    def start(self, name: str, tag: str, attributes: dict[str, str]) -> None:  # noqa: ARG002
        if name == "si":
            self._current = []
        self._is_text = name == "t"

    def end(self, name: str, tag: str) -> None:  # noqa: ARG002
        self._is_text = False
        if name == "si":
            self._strings.append("".join(self._current))

    def characters(self, text: str) -> None:
        if self._is_text:
            self._current.append(text)
            self._chars += len(text)
            if self._chars > STRINGS_CHARS_MAX:
                raise _Enough


_CELLS: Final = frozenset({"c", "tc", "table-cell"})
_ENDS: Final = {**dict.fromkeys(("p", "h", "row", "tr", "table-row"), "\n"), **dict.fromkeys(_CELLS, "\t")}
"""What follows an element: paragraphs, headings, rows and cells, in every format."""
_EMPTY: Final = {"tab": "\t", "br": "\n", "cr": "\n", "line-break": "\n", "s": " "}


class _Reader(_Part):
    """The text of one part, in any of the formats; `strings` are those of a workbook."""

    def __init__(self, found: _Text, unpacked: _Archive, name: str, strings: list[str] | None = None) -> None:
        super().__init__(unpacked, name)
        self._found = found
        self._strings = strings
        self._is_text = 0
        self._cells = 0
        self._refers = False

    def start(self, name: str, tag: str, attributes: dict[str, str]) -> None:
        self._cells += name in _CELLS
        if self._strings is not None and name == "c":
            self._refers = attributes.get("t") == "s"
        if self._shows(name, tag):
            self._is_text += 1
        elif name in _EMPTY:
            self._found.add(_EMPTY[name])

    def end(self, name: str, tag: str) -> None:
        if self._shows(name, tag):
            self._is_text -= 1
        self._cells -= name in _CELLS
        if name in _ENDS:
            # A cell is in one line with the others of its row.
            self._found.add(" " if name == "p" and self._cells else _ENDS[name])

    def characters(self, text: str) -> None:
        if not self._is_text:
            return
        if self._refers and self._strings is not None:
            number = int(text) if text.isdecimal() and len(text) < _DIGITS_MAX + 3 else -1
            text = self._strings[number] if 0 <= number < len(self._strings) else ""
        self._found.add(text)

    def _shows(self, name: str, tag: str) -> bool:
        """Whether characters inside are text: w:t and a:t, t and v of a cell, text:p and text:h."""
        if self._strings is not None:
            return name in {"t", "v"}
        return name == "t" or tag in {"text:p", "text:h"}

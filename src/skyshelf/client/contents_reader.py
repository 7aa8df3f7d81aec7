"""Many contents in one body, taken apart as it arrives. No I/O."""

from collections.abc import Iterator
from typing import Final

from msgspec import DecodeError, ValidationError, json

from skyshelf.client.errors import UnexpectedAnswerError
from skyshelf.wire.resources.downloads import HEAD_BYTES_MAX, ContentHead

Piece = bytes | bytearray | memoryview
_heads: Final = json.Decoder(ContentHead)


class ContentsReader:
    """Feed it pieces of any size; what is no such body is an UnexpectedAnswerError. No content has more than `most`."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._line = bytearray()
        self._head: ContentHead | None = None
        self._missing = 0
        self._parts: list[memoryview] = []

    @property
    def is_between(self) -> bool:
        """Whether a body may end here."""
        return self._head is None and not self._line

    def feed(self, piece: bytes | bytearray) -> Iterator[tuple[ContentHead, Piece]]:
        """What is whole now, in order. A content that lies in one piece is a view of it and no copy."""
        view, at = memoryview(piece), 0
        while at < len(piece) or (self._head is not None and not self._missing):
            if self._head is None:
                at = self._read_line(piece, at)
                continue
            part = view[at : at + self._missing]
            at += len(part)
            self._missing -= len(part)
            self._parts.append(part)
            if not self._missing:
                head, parts = self._head, self._parts
                self._head, self._parts = None, []
                yield head, parts[0] if len(parts) == 1 else b"".join(parts)

    def _read_line(self, piece: bytes | bytearray, at: int) -> int:
        """Read on in the line that is a head; where to go on after it."""
        end = piece.find(b"\n", at, at + HEAD_BYTES_MAX)
        self._line += piece[at : end if end >= 0 else at + HEAD_BYTES_MAX]
        if len(self._line) >= HEAD_BYTES_MAX:
            raise UnexpectedAnswerError("the line before a content has no end")
        if end < 0:
            return len(piece)
        try:
            head = _heads.decode(self._line)
        except (ValidationError, DecodeError, UnicodeDecodeError) as wrong:
            raise UnexpectedAnswerError("the line before a content makes no sense") from wrong
        size = 0 if head.error_code is not None else head.size_in_bytes
        if size is None or not 0 <= size <= self._most:
            raise UnexpectedAnswerError("a content of an impossible size")
        self._line.clear()
        self._head, self._missing = head, size
        return end + 1

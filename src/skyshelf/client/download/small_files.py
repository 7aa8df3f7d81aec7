"""Small files fetched many at a time, from a server that can send them so.

It is a short cut and nothing more: whatever does not come this way, or not as it should, is left to a download of its
own, which knows what to make of it. So a server without this call, one that has it wrong, and a line that breaks all
end as they would without it.
"""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import suppress
from typing import Final

from msgspec import DecodeError, Struct, ValidationError, json

from skyshelf.client.download.integrity import ExpectedContent
from skyshelf.client.engine.engine import Engine
from skyshelf.client.engine.requests import build_request_model
from skyshelf.client.errors import RequestFailedError, UnexpectedAnswerError
from skyshelf.client.http.messages import StreamingResponse
from skyshelf.wire.endpoints.downloads import CONTENTS
from skyshelf.wire.keys import is_key
from skyshelf.wire.limits import CONTENTS_BYTES_MAX, CONTENTS_KEYS_MAX, MIB
from skyshelf.wire.resources.downloads import HEAD_BYTES_MAX, ContentHead, ContentsQuery

# Many contents in one body, taken apart as it arrives. No I/O.

Piece = bytes | bytearray | memoryview
_heads: Final = json.Decoder(ContentHead)


class MultiContentParser:
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


# Small files fetched many at a time, from a server that can send them so.

TOGETHER_BYTES: Final = MIB
"""About as much as one answer brings: enough that the asking weighs nothing, little enough to be held in memory."""

Arriving = list[tuple[int, Piece]]
"""Contents by the places of their objects among those that were asked for."""


class Wanted(Struct, frozen=True):
    """An object, and what is known of its content."""

    key: str
    expected: ExpectedContent

    @property
    def comes_together(self) -> bool:
        """Whether it may come with others: it can be checked, and its key fits into the call."""
        return None not in (self.expected.size, self.expected.md5) and is_key(self.key)


class SmallFileBatch:
    """Asks for many contents at once, as long as the server does well at it."""

    def __init__(self, engine: Engine, pieces: Callable[[StreamingResponse], AsyncIterator[bytes | bytearray]]) -> None:
        self._engine = engine
        self._pieces = pieces
        self._endpoint = engine.capabilities.content_batch

    @property
    def most(self) -> int:
        """How many may be asked for at once now; 1 means that it is of no use."""
        return CONTENTS_KEYS_MAX if self._endpoint.is_usable else 1

    async def fetch(self, wanted: Sequence[Wanted], keep: Callable[[Arriving], Awaitable[int]]) -> None:
        """Hand contents to `keep` as they arrive, several at a time, maybe not all; it tells how many were right."""
        keys = ",".join(one.key for one in wanted)
        query = build_request_model(lambda: ContentsQuery(object_keys=keys), object_keys=keys)
        request = self._engine.plan(CONTENTS, query=query)

        async def once() -> None:
            reader, place, right = MultiContentParser(CONTENTS_BYTES_MAX), 0, 0
            async with self._engine.stream_once(request) as answer:
                async for piece in self._pieces(answer):
                    arrived: Arriving = []
                    for head, content in reader.feed(piece):
                        if place == len(wanted) or head.object_key.upper() != wanted[place].key.upper():
                            raise UnexpectedAnswerError("a content that nobody asked for")
                        if head.error_code is None and len(content) == wanted[place].expected.size:
                            arrived.append((place, content))
                        place += 1
                    right += await keep(arrived)
            if place < len(wanted) or not reader.is_between or not right:
                raise UnexpectedAnswerError("the contents end early, or none was right")

        # Whatever went wrong is found out by the downloads of what is missing.
        with suppress(RequestFailedError), self._endpoint.probe():
            await self._engine.repeating(once, repeatable=False)

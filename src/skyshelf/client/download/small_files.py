"""Small files downloaded in batches, from a server that supports it.

It is only a shortcut: a file that does not arrive in a batch, or arrives damaged, is downloaded separately. A server
without the endpoint, a faulty one and a lost connection all lead to the same result.
"""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import suppress
from typing import Final

from msgspec import DecodeError, Struct, ValidationError, json

from skyshelf.client.download.integrity import ExpectedContent
from skyshelf.client.engine.engine import Engine
from skyshelf.client.engine.requests import checked
from skyshelf.client.errors import RequestFailedError, UnexpectedAnswerError
from skyshelf.client.http.messages import StreamingResponse
from skyshelf.wire.endpoints.downloads import CONTENTS
from skyshelf.wire.keys import is_key
from skyshelf.wire.limits import CONTENTS_BYTES_MAX, CONTENTS_KEYS_MAX, MIB
from skyshelf.wire.resources.downloads import HEAD_BYTES_MAX, ContentHead, ContentsQuery

Piece = bytes | bytearray | memoryview
_heads: Final = json.Decoder(ContentHead)


class MultiContentParser:
    """Splits a batch into files as it arrives, without I/O. `limit` is the largest file.

    Feed it pieces of any size; a body of another form is an UnexpectedAnswerError.
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._line = bytearray()
        self._head: ContentHead | None = None
        self._missing = 0
        self._parts: list[memoryview] = []

    @property
    def is_between(self) -> bool:
        """Whether a body may end here."""
        return self._head is None and not self._line

    def feed(self, piece: bytes | bytearray) -> Iterator[tuple[ContentHead, Piece]]:
        """Yield the files that are complete now, in order. A file within a single piece is a view of it, not a copy."""
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
        """Read the rest of a head line; the position after it."""
        end = piece.find(b"\n", at, at + HEAD_BYTES_MAX)
        self._line += piece[at : end if end >= 0 else at + HEAD_BYTES_MAX]
        if len(self._line) >= HEAD_BYTES_MAX:
            raise UnexpectedAnswerError("the head of a file in the batch is too long")
        if end < 0:
            return len(piece)
        try:
            head = _heads.decode(self._line)
        except (ValidationError, DecodeError, UnicodeDecodeError) as error:
            raise UnexpectedAnswerError("the head of a file in the batch cannot be read") from error
        size = 0 if head.error_code is not None else head.size_in_bytes
        if size is None or not 0 <= size <= self._limit:
            raise UnexpectedAnswerError("a file in the batch has an impossible size")
        self._line.clear()
        self._head, self._missing = head, size
        return end + 1


BATCH_BYTES: Final = MIB
"""About the size of one batch: large enough that the request costs little, small enough to hold in memory."""

Arriving = list[tuple[int, Piece]]
"""Contents, with the position of their objects in the request."""


class RequestedFile(Struct, frozen=True):
    """An object, and what is known about its content."""

    key: str
    expected: ExpectedContent

    @property
    def fits_batch(self) -> bool:
        """Whether it may be part of a batch: its content can be verified, and its key is valid in a query."""
        return None not in (self.expected.size, self.expected.md5) and is_key(self.key)


class SmallFileBatch:
    """Downloads batches of small files, as long as the server handles them well."""

    def __init__(self, engine: Engine, pieces: Callable[[StreamingResponse], AsyncIterator[bytes | bytearray]]) -> None:
        self._engine = engine
        self._pieces = pieces
        self._endpoint = engine.capabilities.content_batch

    @property
    def size(self) -> int:
        """How many files a batch may have now; 1 when batches cannot be used."""
        return CONTENTS_KEYS_MAX if self._endpoint.is_usable else 1

    async def fetch(self, wanted: Sequence[RequestedFile], store: Callable[[Arriving], Awaitable[int]]) -> None:
        """Pass contents to `store` as they arrive, several at a time; it returns how many were valid.

        Some may be missing at the end.
        """
        keys = ",".join(item.key for item in wanted)
        query = checked(ContentsQuery, object_keys=keys)
        request = self._engine.plan(CONTENTS, query=query)

        async def once() -> None:
            parser, position, valid = MultiContentParser(CONTENTS_BYTES_MAX), 0, 0
            async with self._engine.stream_once(request) as response:
                async for piece in self._pieces(response):
                    arrived: Arriving = []
                    for head, content in parser.feed(piece):
                        if position == len(wanted) or head.object_key.upper() != wanted[position].key.upper():
                            raise UnexpectedAnswerError("the batch has a file that was not requested")
                        if head.error_code is None and len(content) == wanted[position].expected.size:
                            arrived.append((position, content))
                        position += 1
                    valid += await store(arrived)
            if position < len(wanted) or not parser.is_between or not valid:
                raise UnexpectedAnswerError("the batch ends early, or none of its files is valid")

        # Errors surface when the missing files are downloaded separately.
        with suppress(RequestFailedError), self._endpoint.probe():
            await self._engine.repeating(once, repeatable=False)

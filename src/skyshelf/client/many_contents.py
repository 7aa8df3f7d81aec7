"""Small files fetched many at a time, from a server that can send them so.

It is a short cut and nothing more: whatever does not come this way, or not as it should, is left to a download of its
own, which knows what to make of it. So a server without this call, one that has it wrong, and a line that breaks all
end as they would without it.
"""

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import suppress
from typing import Final

from msgspec import Struct

from skyshelf.client.content_answers import Expected
from skyshelf.client.contents_reader import ContentsReader, Piece
from skyshelf.client.engine import Engine
from skyshelf.client.errors import RequestFailedError, UnexpectedAnswerError
from skyshelf.client.requests import built
from skyshelf.client.short_cut import ShortCut
from skyshelf.client.transport import StreamedAnswer
from skyshelf.wire.endpoints.downloads import CONTENTS
from skyshelf.wire.keys import is_key
from skyshelf.wire.limits import CONTENTS_BYTES_MAX, CONTENTS_KEYS_MAX, MIB
from skyshelf.wire.resources.downloads import ContentsQuery

TOGETHER_BYTES: Final = MIB
"""About as much as one answer brings: enough that the asking weighs nothing, little enough to be held in memory."""

Arriving = list[tuple[int, Piece]]
"""Contents by the places of their objects among those that were asked for."""


class Wanted(Struct, frozen=True):
    """An object, and what is known of its content."""

    key: str
    expected: Expected

    @property
    def comes_together(self) -> bool:
        """Whether it may come with others: it can be checked, and its key fits into the call."""
        return None not in (self.expected.size, self.expected.md5) and is_key(self.key)


class ManyContents:
    """Asks for many contents at once, as long as the server does well at it."""

    def __init__(self, engine: Engine, pieces: Callable[[StreamedAnswer], AsyncIterator[bytes | bytearray]]) -> None:
        self._engine = engine
        self._pieces = pieces
        self._short_cut = ShortCut.of(engine, "many contents at once")

    @property
    def most(self) -> int:
        """How many may be asked for at once now; 1 means that it is of no use."""
        return CONTENTS_KEYS_MAX if self._short_cut.is_open else 1

    async def fetch(self, wanted: Sequence[Wanted], keep: Callable[[Arriving], Awaitable[int]]) -> None:
        """Hand contents to `keep` as they arrive, several at a time, maybe not all; it tells how many were right."""
        keys = ",".join(one.key for one in wanted)
        query = built(lambda: ContentsQuery(object_keys=keys), object_keys=keys)
        request = self._engine.plan(CONTENTS, query=query)

        async def once() -> None:
            reader, place, right = ContentsReader(CONTENTS_BYTES_MAX), 0, 0
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
        with suppress(RequestFailedError), self._short_cut.tried():
            await self._engine.repeating(once, repeatable=False)

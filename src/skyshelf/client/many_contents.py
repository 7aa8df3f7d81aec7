"""Small files fetched many at a time, from a server that can send them so.

It is a short cut and nothing more: whatever does not come this way, or not as it should, is left to a download of its
own, which knows what to make of it. So a server without this call, one that has it wrong, and a line that breaks all
end as they would without it.
"""

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from typing import Final

from msgspec import Struct

from skyshelf.client.content_answers import Expected
from skyshelf.client.contents_reader import ContentsReader, NoContentsError, Piece
from skyshelf.client.engine import Engine
from skyshelf.client.errors import RequestFailedError
from skyshelf.client.requests import built
from skyshelf.client.transport import StreamedAnswer
from skyshelf.wire.contents import ContentsQuery
from skyshelf.wire.endpoints.downloads import CONTENTS
from skyshelf.wire.keys import is_key
from skyshelf.wire.limits import CONTENTS_BYTES_MAX, CONTENTS_KEYS_MAX, MIB

TOGETHER_BYTES: Final = MIB
"""About as much as one answer brings: enough that the asking weighs nothing, little enough to be held in memory."""

_FAILURES_MAX: Final = 3
"""Failures one after the other, after which single files alone are asked for."""

_LEARNED: Final = "many contents at once"

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


class _Record(Struct):
    """How a server has done so far."""

    is_proven: bool = False
    is_on_trial: bool = False
    failures: int = 0


class ManyContents:
    """Asks for many contents at once, as long as the server does well at it."""

    def __init__(self, engine: Engine, pieces: Callable[[StreamedAnswer], AsyncIterator[bytes | bytearray]]) -> None:
        self._engine = engine
        self._pieces = pieces
        learned = engine.learned.setdefault(_LEARNED, _Record())
        assert isinstance(learned, _Record)
        self._record = learned

    @property
    def most(self) -> int:
        """How many may be asked for at once now; 1 means that it is of no use."""
        # One worker alone finds out whether the server can do it.
        hopeless = self._record.failures >= _FAILURES_MAX
        return 1 if hopeless or self._record.is_on_trial else CONTENTS_KEYS_MAX

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
                            raise NoContentsError("a content that nobody asked for")
                        if head.code is None and len(content) == wanted[place].expected.size:
                            arrived.append((place, content))
                        place += 1
                    right += await keep(arrived)
            if place < len(wanted) or not reader.is_between or not right:
                raise NoContentsError("the contents end early, or none was right")

        self._record.is_on_trial = not self._record.is_proven
        try:
            await self._engine.repeating(once, repeatable=False)
        except (RequestFailedError, NoContentsError) as wrong:
            passes = isinstance(wrong, NoContentsError) or wrong.retryable
            self._record.failures = self._record.failures + 1 if passes else _FAILURES_MAX
        else:
            self._record.failures, self._record.is_proven = 0, True
        finally:
            self._record.is_on_trial = False

"""What searches found, remembered for as long as the account stays as it was: the same search again asks one thing."""

from collections import OrderedDict
from collections.abc import Awaitable, Callable
from typing import Final

from msgspec import Struct

from skyshelf.agent.tool import Answer, Arguments
from skyshelf.client.async_client import AsyncClient
from skyshelf.client.errors import AuthenticationError, NotOfferedError, RequestFailedError

KEPT_MAX: Final = 32


class _Kept(Struct, frozen=True):
    """An answer, and a moment of the account that lies before it."""

    cursor: str
    answer: Answer


class SearchMemory:
    """Holds the last answers. Servers that do not tell of changes are searched every time."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[str, Arguments], _Kept] = OrderedDict()
        self._silent: set[str] = set()

    async def answer(self, client: AsyncClient, wanted: Arguments, search: Callable[[], Awaitable[Answer]]) -> Answer:
        """The answer of a search, made now or still right."""
        account = f"{client!r} {client.credentials.user_id if client.credentials else ''}"
        if account in self._silent:
            return await search()
        kept = self._kept.get((account, wanted))
        if kept is not None and await self._is_unchanged(client, kept.cursor):
            self._kept.move_to_end((account, wanted))
            return kept.answer
        # From before the search: what changes while it runs is a change since then.
        cursor = await self._now(client, account)
        found = await search()
        if cursor is not None:
            self._kept[account, wanted] = _Kept(cursor, found)
            self._kept.move_to_end((account, wanted))
            if len(self._kept) > KEPT_MAX:
                self._kept.popitem(last=False)
        return found

    async def _now(self, client: AsyncClient, account: str) -> str | None:
        try:
            return (await client.changes()).cursor or None
        except AuthenticationError:
            raise
        except NotOfferedError:
            self._silent.add(account)
        except RequestFailedError:
            # It only spares work: the search itself tells what is wrong, if something is.
            pass
        return None

    @staticmethod
    async def _is_unchanged(client: AsyncClient, cursor: str) -> bool:
        try:
            told = await client.changes(cursor, limit=1)
        except AuthenticationError:
            raise
        except RequestFailedError:
            # A cursor that is too old, among others: then nobody can tell.
            return False
        return not told.changes and not told.has_more

"""Where objects were seen last, so that a change of one does not begin with a walk through the whole account."""

from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterable
from typing import Final

from msgspec import Struct

from skyshelf.agent.tool import Answer, Arguments
from skyshelf.client.async_client import AsyncClient
from skyshelf.client.errors import AuthenticationError, NotOfferedError, ObjectNotFoundError, RequestFailedError
from skyshelf.client.objects.remote_object import RemoteObject
from skyshelf.wire.resources.objects import CloudObject

SEEN_MAX: Final = 100_000


class SeenObjects:
    """Remembers the parent of every object that a result showed. It is a hint only: what moved is looked for."""

    def __init__(self) -> None:
        self._parents: OrderedDict[str, str] = OrderedDict()

    def note(self, found: CloudObject) -> CloudObject:
        """Remember an object, and give it back."""
        if found.parent_object_key:
            key = found.object_key.upper()
            self._parents[key] = found.parent_object_key
            self._parents.move_to_end(key)
            if len(self._parents) > SEEN_MAX:
                self._parents.popitem(last=False)
        return found

    async def resolve(self, client: AsyncClient, keys: Iterable[str]) -> list[RemoteObject]:
        """The objects as they are now, with all that a change of them needs; ObjectNotFoundError where one is not."""
        wanted = list(dict.fromkeys(key.upper() for key in keys))
        hinted = [CloudObject(object_key=key, parent_object_key=self._parents.get(key)) for key in wanted]
        try:
            found = await client.get_many(hinted)
        except ObjectNotFoundError:
            # A folder is gone, or something is not where it was: it may be anywhere.
            found = await client.get_many(wanted)
        for each in found:
            self.note(each.wire)
        return found


# What searches found, remembered for as long as the account stays as it was: the same search again asks one thing.

SEARCHES_MAX: Final = 32


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
            if len(self._kept) > SEARCHES_MAX:
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

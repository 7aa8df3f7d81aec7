"""Changes of the account, and the local index that they keep current."""

from collections.abc import AsyncIterator
from pathlib import Path

from skyshelf.client.api.calls import Calls
from skyshelf.client.objects import lookup
from skyshelf.client.objects.changes import ChangeSet, changes_since, current_epoch, watch_changes
from skyshelf.wire.limits import CHANGES_LIMIT_DEFAULT
from skyshelf.wire.resources.changes import ServerEpoch


class AsyncChanges(Calls):
    """What changed in the account. An extension: see `NotOfferedError`.

    Example:
        ```python
        cursor = client.changes.current_cursor()
        ...
        for change in client.changes.since(cursor).changes:
            print(change.kind, change.object_key)
        ```
    """

    async def current_cursor(self) -> str:
        """Get the cursor from which `since` and `watch` report everything that happens from now on."""
        return (await changes_since(self._engine, None)).cursor

    async def epoch(self, cursor: str | None = None) -> ServerEpoch:
        """Get the epoch of the server's data, which changes when they are restored from a backup, moved, or go back.

        Args:
            cursor: A cursor of an earlier call; `is_cursor_known` of the result says whether its change still exists.
        """
        return await current_epoch(self._engine, cursor)

    async def since(self, cursor: str, *, limit: int = CHANGES_LIMIT_DEFAULT) -> ChangeSet:
        """Get the changes since a cursor, oldest first.

        Args:
            cursor: Where to start, from `current_cursor` or an earlier result.
            limit: How many changes to get at most; `has_more` of the result says whether there are more.

        Raises:
            InvalidRequestError: The cursor is too old (code `SKY1011`): list everything again, then follow changes.
        """
        return await changes_since(self._engine, cursor, limit)

    def watch(self, cursor: str | None = None) -> AsyncIterator[ChangeSet]:
        """Follow changes as they happen, until you stop. A lost connection is resumed without missing any.

        Args:
            cursor: Where to start; None for now.

        Raises:
            InvalidRequestError: The cursor is too old (code `SKY1011`).
        """
        return watch_changes(self._engine, cursor)


class IndexCalls(Calls):
    """The local index: listings without requests."""

    async def use_index(self, *, build: bool = True, folder: Path | None = None) -> bool:
        """Update a local index of the account and serve listings from it.

        Walks, searches, paths and bulk downloads then need no listing from the server. Any change that this client
        makes ends the use of the index, until the next call.

        Args:
            build: Build an index where none exists; False only updates an existing one.
            folder: Where the index is stored; by default in the user's cache folder, readable by the user alone.

        Returns:
            Whether the index is used. A server that cannot report changes has none.

        Example:
            ```python
            if client.use_index():
                print(sum(found.object.size or 0 for found in client.walk()))
            ```
        """
        # Imported here, since it loads a database.
        from skyshelf.client.index.index import LocalIndex, index_path

        await self.leave_index()
        index = LocalIndex(self._engine, index_path(self._engine, folder), await lookup.root_key(self._engine))
        if not await index.refresh(build=build):
            await index.close()
            return False
        self._engine.index = index
        return True

    async def leave_index(self) -> None:
        """Stop using the local index: listings come from the server again."""
        index, self._engine.index = self._engine.index, None
        if index is not None:
            await index.close()

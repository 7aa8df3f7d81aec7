"""What happened, and a memory of everything by it."""

from collections.abc import AsyncIterator
from pathlib import Path

from skyshelf.client import changes as telling
from skyshelf.client import paths
from skyshelf.client.calls.base import Calls
from skyshelf.client.changes import Changes
from skyshelf.wire.limits import CHANGES_LIMIT_DEFAULT


class ChangeCalls(Calls):
    """What happened in the account."""

    async def changes(self, cursor: str | None = None, *, limit: int = CHANGES_LIMIT_DEFAULT) -> Changes:
        """What happened since a cursor, oldest first; without one nothing, and the cursor of now.

        A cursor that is too old is an InvalidRequestError with the code SKY1011: begin anew.
        """
        return await telling.changes_since(self._engine, cursor, limit)

    async def watch(self, cursor: str | None = None) -> AsyncIterator[Changes]:
        """What happens, as it happens, since a cursor or from now on; it goes on until you stop.

        A connection that is lost is made again, and nothing is missed in between.
        """
        async for told in telling.watch(self._engine, cursor):
            yield told

    async def use_index(self, *, build: bool = True, folder: Path | None = None) -> bool:
        """Take listings from a memory of everything in the cache folder, brought up to date now; whether it is used.

        Walks, searches, paths and downloads of many files then need no listing of the server. Only servers that tell
        of changes can be remembered. Without `build`, an index that is not there is not made. Whatever this client
        writes ends its use: what follows comes from the server again, or call this once more.
        """
        # Only who wants an index pays for loading a database.
        from skyshelf.client.local_index import LocalIndex, index_path

        await self.leave_index()
        index = LocalIndex(self._engine, index_path(self._engine, folder), await paths.root_key(self._engine))
        if not await index.refresh(build=build):
            await index.close()
            return False
        self._engine.index = index
        return True

    async def leave_index(self) -> None:
        """Take listings from the server again."""
        index, self._engine.index = self._engine.index, None
        if index is not None:
            await index.close()

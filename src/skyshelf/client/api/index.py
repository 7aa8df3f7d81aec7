"""The local index."""

from pathlib import Path

from skyshelf.client.api.calls import Calls
from skyshelf.client.objects import lookup


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

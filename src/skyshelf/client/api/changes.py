"""Following changes."""

from collections.abc import AsyncIterator

from skyshelf.client.api.calls import Calls
from skyshelf.client.objects.changes import ChangeSet, changes_since, watch_changes
from skyshelf.wire.limits import CHANGES_LIMIT_DEFAULT


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

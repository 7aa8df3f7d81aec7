"""The trash: what is in it, and deleting for good."""

from collections.abc import AsyncIterator, Callable, Iterable

from skyshelf.client.api.calls import Calls
from skyshelf.client.objects.batch import change_in_parts, keys_in_trash
from skyshelf.client.objects.listing import PAGE_SIZE, trash_objects
from skyshelf.client.objects.outcomes import BatchResult, OnError, Outcome, TolerantAnswer
from skyshelf.client.objects.own_writes import objects_by_key
from skyshelf.client.objects.remote_object import RemoteObject, Target
from skyshelf.wire.endpoints.objects import EMPTY_TRASH, PURGE
from skyshelf.wire.error_codes import NOT_IN_TRASH
from skyshelf.wire.resources.batch import PurgeRequest
from skyshelf.wire.resources.objects import ObjectSort


class AsyncTrash(Calls):
    """The trash. `move_to_trash` and `restore` of the client put objects in and take them out.

    Example:
        ```python
        old = [found for found in client.trash.list() if found.name.endswith(".tmp")]
        client.trash.purge(old)
        ```
    """

    _feature = "delete for good over the API; it empties the trash itself after a while"

    async def purge(self, targets: Iterable[Target], *, on_error: OnError = "raise") -> BatchResult:
        """Delete trashed objects for good. This cannot be undone.

        Args:
            targets: Objects in the trash, or their keys; not paths.
            on_error: `return` to get rejections as outcomes.

        Returns:
            One outcome per object.

        Raises:
            UnprocessedError: The server rejected an object; the error has all outcomes.
            NotOfferedError: The server cannot delete for good over the API.
        """
        is_repeated = False

        async def change(keys: list[str]) -> TolerantAnswer:
            async def attempt(again: bool) -> TolerantAnswer:
                nonlocal is_repeated
                is_repeated = is_repeated or again
                return await self._call(PURGE.read_as(TolerantAnswer), body=PurgeRequest(object_keys=keys))

            return await self._repeating(attempt)

        result = await change_in_parts(keys_in_trash(targets), change)
        if is_repeated and not result.ok:
            result = await self._without_purged(result)
        for outcome in result.succeeded:
            self._engine.written.forget(outcome.key)
        return result.settled(on_error)

    async def empty(self) -> None:
        """Delete everything in the trash for good. This cannot be undone.

        Raises:
            NotOfferedError: The server cannot delete for good over the API.
        """
        await self._repeating(lambda _: self._call(EMPTY_TRASH))
        self._engine.written.forget_trash()

    async def _without_purged(self, result: BatchResult) -> BatchResult:
        """Correct the outcomes after a lost response: what no longer exists was purged by the first request."""
        doubtful = [one.key for one in result.failed if one.code == NOT_IN_TRASH.code]
        found = await objects_by_key(self._engine, doubtful) if doubtful else None
        if found is None:
            return result
        gone = set(doubtful) - found.keys()
        return BatchResult(tuple(Outcome(key=one.key, ok=True) if one.key in gone else one for one in result))

    def list(
        self,
        *,
        sort: ObjectSort | None = None,
        page_size: int = PAGE_SIZE,
        on_incomplete: Callable[[str], None] | None = None,
    ) -> AsyncIterator[RemoteObject]:
        """List everything in the trash, most recently trashed first.

        A server without pages of the trash lists it as far as it can; where that is not all, an
        `IncompleteListingWarning` says so.

        Args:
            sort: Another order, such as `+objectName`.
            page_size: How many objects one request asks for.
            on_incomplete: Called with the sentence of the warning, instead of the warning.
        """
        return trash_objects(self._engine, sort=sort, page_size=page_size, on_incomplete=on_incomplete)

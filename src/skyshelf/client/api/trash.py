"""The trash: what is in it, and deleting for good."""

from collections.abc import AsyncIterator, Iterable
from typing import Final

from skyshelf.client.api.calls import Calls
from skyshelf.client.objects.batch import change_in_parts, keys_in_trash
from skyshelf.client.objects.listing import PAGE_SIZE
from skyshelf.client.objects.outcomes import BatchResult, TolerantAnswer
from skyshelf.client.objects.remote_object import RemoteObject, Target
from skyshelf.wire.endpoints.objects import EMPTY_TRASH, PURGE, TRASH
from skyshelf.wire.resources.objects import ObjectSort, TrashQuery
from skyshelf.wire.resources.trash import EmptyTrashAnswer, PurgeRequest

_FEATURE: Final = "delete for good over the API; it empties the trash itself after a while"


class AsyncTrash(Calls):
    """The trash. `move_to_trash` and `restore` of the client put objects in and take them out.

    Example:
        ```python
        old = [found for found in client.trash.list() if found.name.endswith(".tmp")]
        client.trash.purge(old).raise_for_failures()
        ```
    """

    async def purge(self, targets: Iterable[Target]) -> BatchResult:
        """Delete trashed objects for good. This cannot be undone.

        Args:
            targets: Objects in the trash, or their keys; not paths.

        Returns:
            One outcome per object.

        Raises:
            NotOfferedError: The server cannot delete for good over the API.
        """

        # Not repeated after a lost response: the repetition would not find the objects.
        async def change(keys: list[str]) -> TolerantAnswer:
            return await self._call(PURGE, TolerantAnswer, feature=_FEATURE, body=PurgeRequest(object_keys=keys))

        return await change_in_parts(keys_in_trash(targets), change)

    async def empty(self) -> None:
        """Delete everything in the trash for good. This cannot be undone.

        Raises:
            NotOfferedError: The server cannot delete for good over the API.
        """
        await self._call(EMPTY_TRASH, EmptyTrashAnswer, feature=_FEATURE)

    def list(self, *, sort: ObjectSort | None = None, page_size: int = PAGE_SIZE) -> AsyncIterator[RemoteObject]:
        """List everything in the trash, most recently trashed first.

        Args:
            sort: Another order, such as `+objectName`.
            page_size: How many objects one request asks for.
        """
        return self._objects_by_page(
            TRASH, lambda number: TrashQuery(page=number, limit=page_size, sort=sort), page_size
        )

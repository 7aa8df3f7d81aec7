"""The trash: into it, out of it, what is in it."""

from collections.abc import AsyncIterator, Iterable

from skyshelf.client.api import Calls, feeds
from skyshelf.client.objects import batch, lookup
from skyshelf.client.objects.listing import PAGE_SIZE
from skyshelf.client.objects.outcomes import BatchResult
from skyshelf.client.objects.remote_object import RemoteObject, Target
from skyshelf.wire.resources.batch import Operation
from skyshelf.wire.resources.objects import ObjectSort


class TrashCalls(Calls):
    """The trash: into it, out of it, what is in it."""

    async def trash(self, targets: Iterable[Target], *, parent: Target | None = None) -> BatchResult:
        """Put objects into the trash; a folder takes what is below it along."""
        objects = await lookup.PathResolver(self._engine).objects(targets, parent)
        return await batch.apply(self._engine, Operation.TRASH, batch.trashed(objects))

    async def restore(self, targets: Iterable[Target]) -> BatchResult:
        """Take objects out of the trash, by their keys or as the trash listed them."""
        return await batch.restore(self._engine, batch.keys_in_trash(targets))

    async def purge(self, targets: Iterable[Target]) -> BatchResult:
        """Delete objects of the trash for good, by their keys or as the trash listed them. There is no way back."""
        return await batch.purge(self._engine, batch.keys_in_trash(targets))

    async def empty_trash(self) -> None:
        """Delete everything in the trash for good. There is no way back."""
        await batch.empty_trash(self._engine)

    async def list_trash(
        self, *, sort: ObjectSort | None = None, page_size: int = PAGE_SIZE
    ) -> AsyncIterator[RemoteObject]:
        """Everything in the trash, newest trashed first."""
        async for found in feeds.trash(self._engine, sort, page_size):
            yield found

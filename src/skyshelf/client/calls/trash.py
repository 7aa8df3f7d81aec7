"""The trash: into it, out of it, what is in it."""

from collections.abc import AsyncIterator, Iterable

from skyshelf.client import (
    batches,
    feeds,
    paths,
)
from skyshelf.client.calls.base import Calls
from skyshelf.client.listings import PAGE_SIZE
from skyshelf.client.objects import RemoteObject, Target
from skyshelf.client.outcomes import BatchResult
from skyshelf.wire.resources.batch import Operation
from skyshelf.wire.resources.objects import ObjectSort


class TrashCalls(Calls):
    """The trash: into it, out of it, what is in it."""

    async def trash(self, targets: Iterable[Target], *, parent: Target | None = None) -> BatchResult:
        """Put objects into the trash; a folder takes what is below it along."""
        objects = await paths.PathResolver(self._engine).objects(targets, parent)
        return await batches.apply(self._engine, Operation.TRASH, batches.trashed(objects))

    async def restore(self, targets: Iterable[Target]) -> BatchResult:
        """Take objects out of the trash, by their keys or as the trash listed them."""
        return await batches.restore(self._engine, batches.keys_in_trash(targets))

    async def purge(self, targets: Iterable[Target]) -> BatchResult:
        """Delete objects of the trash for good, by their keys or as the trash listed them. There is no way back."""
        return await batches.purge(self._engine, batches.keys_in_trash(targets))

    async def empty_trash(self) -> None:
        """Delete everything in the trash for good. There is no way back."""
        await batches.empty_trash(self._engine)

    async def list_trash(
        self, *, sort: ObjectSort | None = None, page_size: int = PAGE_SIZE
    ) -> AsyncIterator[RemoteObject]:
        """Everything in the trash, newest trashed first."""
        async for found in feeds.trash(self._engine, sort, page_size):
            yield found

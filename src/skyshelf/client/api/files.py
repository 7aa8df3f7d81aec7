"""Files and folders: finding, making, renaming, moving."""

from collections.abc import AsyncIterator, Callable, Iterable

from skyshelf.client.api import Calls
from skyshelf.client.errors import ObjectNotFoundError, UnexpectedAnswerError
from skyshelf.client.objects import batch, folders, listing, lookup
from skyshelf.client.objects.listing import PAGE_SIZE, Kind, ObjectPage
from skyshelf.client.objects.outcomes import BatchResult, Outcome
from skyshelf.client.objects.remote_object import RemoteObject, Target
from skyshelf.client.objects.walk import WINDOW, WalkedObject
from skyshelf.client.objects.walk import walk as walked
from skyshelf.wire.resources.batch import Operation
from skyshelf.wire.resources.objects import ObjectSort


class FileCalls(Calls):
    """Files and folders: finding, making, renaming, moving."""

    async def root_key(self) -> str:
        """The key of the account's root folder."""
        return await lookup.root_key(self._engine)

    async def page(
        self,
        folder: Target | None = None,
        *,
        kind: Kind | None = None,
        number: int = 0,
        limit: int = PAGE_SIZE,
        sort: ObjectSort = "+objectName",
    ) -> ObjectPage:
        """One page of a folder, files (f) or folders (w); the root where no folder is given."""
        key = await lookup.PathResolver(self._engine).folder_key(folder)
        return await listing.page(self._engine, key, kind, number=number, limit=limit, sort=sort)

    async def list_folder(
        self,
        folder: Target | None = None,
        *,
        kind: Kind | None = None,
        sort: ObjectSort = "+objectName",
        page_size: int = PAGE_SIZE,
    ) -> AsyncIterator[RemoteObject]:
        """Everything in a folder, folders first; however many pages that takes."""
        key = await lookup.PathResolver(self._engine).folder_key(folder)
        async for found in listing.folder_objects(self._engine, key, kind, limit=page_size, sort=sort):
            yield found

    async def walk(
        self,
        folder: Target | None = None,
        *,
        sort: ObjectSort = "+objectName",
        page_size: int = PAGE_SIZE,
        window: int = WINDOW,
        enter: Callable[[WalkedObject], bool] | None = None,
        vanished: Callable[[tuple[str, ...], ObjectNotFoundError], None] | None = None,
    ) -> AsyncIterator[WalkedObject]:
        """Everything below a folder, breadth first, many folders at once; the order is always the same.

        `enter` says which folders are looked into. A folder that is gone when its turn comes is an error, unless
        `vanished` takes note of it.
        """
        key = await lookup.PathResolver(self._engine).folder_key(folder)
        async for found in walked(
            self._engine, key, sort=sort, window=window, limit=page_size, enter=enter, vanished=vanished
        ):
            yield found

    async def get(self, target: Target, *, parent: Target | None = None, ignore_case: bool = False) -> RemoteObject:
        """The object as it is now, by its key or its path; with a key, naming the parent spares a long search."""
        (found,) = await lookup.PathResolver(self._engine, ignore_case=ignore_case).objects([target], parent)
        return found

    async def get_many(self, targets: Iterable[Target], *, parent: Target | None = None) -> list[RemoteObject]:
        """Several objects as they are now, in the order given; ObjectNotFoundError where one is not there."""
        return await lookup.PathResolver(self._engine).objects(targets, parent)

    async def create_folder(self, name: str, parent: Target | None = None, *, exist_ok: bool = False) -> RemoteObject:
        """Make a folder; with `exist_ok`, the one that is there already will do."""
        key = await lookup.PathResolver(self._engine).folder_key(parent)
        return await folders.create_folder(self._engine, name, key, exist_ok=exist_ok)

    async def create_path(self, path: str) -> RemoteObject:
        """The folder at a path, made with all that leads to it where it is missing."""
        return await folders.create_path(self._engine, path)

    async def set_favorite(
        self, targets: Iterable[Target], favorite: bool = True, *, parent: Target | None = None
    ) -> BatchResult:
        """Make objects favourites, or no favourites any more."""
        objects = await lookup.PathResolver(self._engine).objects(targets, parent)
        operation = Operation.SET_FAVORITE if favorite else Operation.UNSET_FAVORITE
        return await batch.apply(self._engine, operation, batch.favored(objects, favorite))

    async def rename(self, target: Target, new_name: str, *, parent: Target | None = None) -> RemoteObject:
        """Rename one object; the object as it is then. A refusal is an InvalidRequestError."""
        result = await self.rename_many([(target, new_name)], parent=parent)
        return _the_only(result.raise_for_failures())

    async def rename_many(
        self, new_names: Iterable[tuple[Target, str]], *, parent: Target | None = None
    ) -> BatchResult:
        """Rename objects, each to its own name."""
        wanted = [(target, batch.name_for(name)) for target, name in new_names]
        objects = await lookup.PathResolver(self._engine).objects((target for target, _ in wanted), parent)
        changes = batch.renamed(zip(objects, (name for _, name in wanted), strict=True))
        return await batch.apply(self._engine, Operation.RENAME, changes)

    async def move(self, targets: Iterable[Target], folder: Target, *, parent: Target | None = None) -> BatchResult:
        """Put objects into another folder."""
        resolver = lookup.PathResolver(self._engine)
        key = await resolver.folder_key(folder)
        objects = await resolver.objects(targets, parent)
        return await batch.apply(self._engine, Operation.MOVE, batch.moved(objects, key))


def _the_only(result: BatchResult) -> RemoteObject:
    outcome: Outcome = result.outcomes[0]
    if outcome.object is None:
        raise UnexpectedAnswerError("the server did it and does not show the result; list the folder to see it")
    return outcome.object

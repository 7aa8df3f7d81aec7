"""Files and folders: listing, finding, creating, renaming, moving."""

from collections.abc import AsyncIterator, Callable, Iterable

from skyshelf.client.api.calls import Calls
from skyshelf.client.errors import ObjectNotFoundError, UnexpectedAnswerError
from skyshelf.client.objects import batch, lookup
from skyshelf.client.objects.batch import copy_objects
from skyshelf.client.objects.listing import PAGE_SIZE, Kind, ObjectPage, folder_objects, page_query, read_page
from skyshelf.client.objects.lookup import PathResolver
from skyshelf.client.objects.outcomes import BatchResult, OnError
from skyshelf.client.objects.own_writes import learn_extensions
from skyshelf.client.objects.remote_object import FoundObject, RemoteObject, Target
from skyshelf.client.objects.walk import WINDOW
from skyshelf.client.objects.walk import walk as walk_below
from skyshelf.wire.endpoints.objects import LISTING
from skyshelf.wire.resources.batch import Operation
from skyshelf.wire.resources.objects import ObjectSort, ObjectStatus


class FileCalls(Calls):
    """Files and folders: listing, finding, creating, renaming, moving."""

    async def root_key(self) -> str:
        """Get the key of the account's root folder."""
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
        """Get one page of a folder; `list_folder` gives all of it.

        Args:
            folder: The folder: an object, a key or a path; None for the root.
            kind: `f` for files only, `w` for folders only.
            number: The page, from 0.
            limit: How many objects a page has.
            sort: The order, such as `-lastModifiedDate`.
        """
        key = await PathResolver(self._engine).folder_key(folder)
        request = self._engine.plan(LISTING, query=page_query(key, kind, number, limit, sort))
        return await read_page(self._engine, request)

    async def list_folder(
        self,
        folder: Target | None = None,
        *,
        kind: Kind | None = None,
        sort: ObjectSort = "+objectName",
        page_size: int = PAGE_SIZE,
    ) -> AsyncIterator[RemoteObject]:
        """List everything in a folder, folders first.

        Args:
            folder: The folder: an object, a key or a path; None for the root.
            kind: `f` for files only, `w` for folders only.
            sort: The order, such as `-lastModifiedDate`.
            page_size: How many objects one request asks for.

        Raises:
            BrokenListingError: The server's pages do not fit together; a listing is complete or an error.

        Example:
            ```python
            for found in client.list_folder("/Photos", sort="-lastModifiedDate"):
                print(found.name, found.size)
            ```
        """
        key = await PathResolver(self._engine).folder_key(folder)
        async for found in folder_objects(self._engine, key, kind, limit=page_size, sort=sort):
            yield found

    async def walk(
        self,
        folder: Target | None = None,
        *,
        sort: ObjectSort = "+objectName",
        page_size: int = PAGE_SIZE,
        window: int = WINDOW,
        enter: Callable[[FoundObject], bool] | None = None,
        vanished: Callable[[tuple[str, ...], ObjectNotFoundError], None] | None = None,
    ) -> AsyncIterator[FoundObject]:
        """List everything below a folder, breadth first, always in the same order.

        Args:
            folder: The folder: an object, a key or a path; None for the root.
            sort: The order within each folder.
            page_size: How many objects one request asks for.
            window: How many folders are requested ahead.
            enter: Decides which folders are entered; by default all.
            vanished: Called with the names that lead to a folder that was deleted during the walk, and the error;
                without it the error is raised.

        Example:
            ```python
            size = sum(found.object.size or 0 for found in client.walk("/Photos"))
            ```
        """
        key = await PathResolver(self._engine).folder_key(folder)
        async for found in walk_below(
            self._engine, key, sort=sort, window=window, limit=page_size, enter=enter, vanished=vanished
        ):
            yield found

    async def get(self, target: Target, *, parent: Target | None = None, ignore_case: bool = False) -> RemoteObject:
        """Get a file or folder as it is now.

        Args:
            target: A key or a path.
            parent: The folder that it is in; for a key this saves a search on servers that cannot look keys up.
            ignore_case: Accept a single match whose name differs in case.

        Raises:
            ObjectNotFoundError: It does not exist.
            AmbiguousNameError: Several objects have the name; the error has their keys.
        """
        (found,) = await PathResolver(self._engine, ignore_case=ignore_case).objects([target], parent)
        return found

    async def find(self, target: Target, *, expected: bool = False) -> RemoteObject | None:
        """Get a file or folder as it is now; None if it does not exist.

        Listings of other servers may show it only a few seconds after another program has created it, and such a server
        may accept its name a second time, so this looks again until they must show it.

        Args:
            target: A key or a path.
            expected: Look again on every server: it has to exist, because a name was refused as taken.

        Raises:
            AmbiguousNameError: Several objects have the name; the error has their keys.
        """

        async def look() -> RemoteObject | None:
            try:
                return await self.get(target)
            except ObjectNotFoundError:
                return None

        found = await look()
        if found is None and not expected:
            await learn_extensions(self._engine, await self.root_key())
            expected = not self._engine.capabilities.has_extensions
        return await self._engine.listed_at_last(look) if found is None and expected else found

    async def get_many(self, targets: Iterable[Target], *, parent: Target | None = None) -> list[RemoteObject]:
        """Get several files and folders as they are now, in the order given.

        Args:
            targets: Keys or paths.
            parent: The folder that they are in, where it is the same.

        Raises:
            ObjectNotFoundError: One of them does not exist.
        """
        return await PathResolver(self._engine).objects(targets, parent)

    async def create_folder(self, name: str, parent: Target | None = None, *, exist_ok: bool = False) -> RemoteObject:
        """Create a folder.

        Args:
            name: Its name.
            parent: Where to create it; None for the root.
            exist_ok: Return a folder that already has the name instead of raising.

        Raises:
            ConflictError: The name is taken.
        """
        key = await PathResolver(self._engine).folder_key(parent)
        return await lookup.create_folder(self._engine, name, key, exist_ok=exist_ok)

    async def create_path(self, path: str) -> RemoteObject:
        """Get the folder at a path, creating it and its parents as needed.

        Args:
            path: Such as `/Photos/2024`.
        """
        return await lookup.create_path(self._engine, path)

    async def set_favorite(
        self,
        targets: Iterable[Target],
        favorite: bool = True,
        *,
        parent: Target | None = None,
        on_error: OnError = "raise",
    ) -> BatchResult:
        """Add objects to the favourites, or remove them.

        Args:
            targets: Objects, keys or paths.
            favorite: False to remove them.
            parent: The folder that they are in, where it is the same.
            on_error: `return` to get rejections as outcomes.

        Returns:
            One outcome per object.

        Raises:
            UnprocessedError: The server rejected an object; the error has all outcomes.
        """
        operation = Operation.SET_FAVORITE if favorite else Operation.UNSET_FAVORITE
        return await self._change(operation, targets, parent, on_error, is_favorite=favorite)

    async def rename(self, target: Target, new_name: str, *, parent: Target | None = None) -> RemoteObject:
        """Rename a file or folder.

        Args:
            target: An object, a key or a path.
            new_name: The new name.
            parent: The folder that it is in.

        Returns:
            The object as it is now.

        Raises:
            InvalidRequestError: The server refused it, for example because the name is taken.
        """
        result = await self.rename_many([(target, new_name)], parent=parent)
        renamed = result.outcomes[0].object
        if renamed is None:
            raise UnexpectedAnswerError("the server renamed it without sending the result; list the folder to see it")
        return renamed

    async def rename_many(
        self, new_names: Iterable[tuple[Target, str]], *, parent: Target | None = None, on_error: OnError = "raise"
    ) -> BatchResult:
        """Rename several files and folders.

        Args:
            new_names: Pairs of an object, key or path, and its new name.
            parent: The folder that they are in, where it is the same.
            on_error: `return` to get rejections as outcomes.

        Returns:
            One outcome per object.

        Raises:
            UnprocessedError: The server rejected an object; the error has all outcomes.
        """
        wanted = [(target, batch.name_for(name)) for target, name in new_names]
        objects = await PathResolver(self._engine).objects((target for target, _ in wanted), parent)
        changes = [(found, {"object_name": name}) for found, (_, name) in zip(objects, wanted, strict=True)]
        return (await batch.apply(self._engine, Operation.RENAME, changes)).settled(on_error)

    async def move(
        self, targets: Iterable[Target], folder: Target, *, parent: Target | None = None, on_error: OnError = "raise"
    ) -> BatchResult:
        """Move objects to another folder.

        Args:
            targets: Objects, keys or paths.
            folder: Where to.
            parent: The folder that they are in, where it is the same.
            on_error: `return` to get rejections as outcomes.

        Returns:
            One outcome per object.

        Raises:
            UnprocessedError: The server rejected an object; the error has all outcomes.
        """
        key = await PathResolver(self._engine).folder_key(folder)
        return await self._change(Operation.MOVE, targets, parent, on_error, parent_object_key=key)

    async def copy(
        self,
        targets: Iterable[Target],
        folder: Target,
        *,
        parent: Target | None = None,
        progress: Callable[[int], None] | None = None,
        on_error: OnError = "raise",
    ) -> BatchResult:
        """Copy objects into a folder, folders with everything in them. A copy gets a free name, such as `a (1).txt`.

        Args:
            targets: Objects, keys or paths.
            folder: Where to.
            parent: The folder that they are in, where it is the same.
            progress: Called with the number of objects that were copied so far.
            on_error: `return` to get rejections as outcomes.

        Returns:
            One outcome per object, and one for everything inside that was rejected.

        Raises:
            UnprocessedError: The server rejected an object; the error has all outcomes.
            NotOfferedError: The server cannot copy; download and upload instead.
        """
        resolver = PathResolver(self._engine)
        key = await resolver.folder_key(folder)
        keys = [found.key for found in await resolver.objects(targets, parent)]
        return (await copy_objects(self._engine, keys, key, progress)).settled(on_error)

    async def move_to_trash(
        self, targets: Iterable[Target], *, parent: Target | None = None, on_error: OnError = "raise"
    ) -> BatchResult:
        """Move objects to the trash, folders with everything in them. `client.trash` lists and empties it.

        Args:
            targets: Objects, keys or paths.
            parent: The folder that they are in, where it is the same.
            on_error: `return` to get rejections as outcomes.

        Returns:
            One outcome per object.

        Raises:
            UnprocessedError: The server rejected an object; the error has all outcomes.
        """
        return await self._change(Operation.TRASH, targets, parent, on_error, status=ObjectStatus.TRASHED.value)

    async def _change(
        self,
        operation: Operation,
        targets: Iterable[Target],
        parent: Target | None,
        on_error: OnError,
        **fields: object,
    ) -> BatchResult:
        """Give the same fields to several objects."""
        objects = await PathResolver(self._engine).objects(targets, parent)
        return (await batch.apply(self._engine, operation, [(found, fields) for found in objects])).settled(on_error)

    async def restore(self, targets: Iterable[Target], *, on_error: OnError = "raise") -> BatchResult:
        """Restore objects from the trash.

        Args:
            targets: Objects as `trash.list()` gives them, or their keys; not paths.
            on_error: `return` to get rejections as outcomes.

        Returns:
            One outcome per object.

        Raises:
            UnprocessedError: The server rejected an object; the error has all outcomes.
        """
        return (await batch.restore(self._engine, batch.keys_in_trash(targets))).settled(on_error)

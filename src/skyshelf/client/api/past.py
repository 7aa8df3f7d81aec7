"""Files and folders as they were."""

from collections import deque
from collections.abc import AsyncIterator, Callable
from pathlib import Path

from skyshelf.client.api.calls import Calls
from skyshelf.client.download.file import Downloaded, download_object
from skyshelf.client.download.integrity import ContentSource
from skyshelf.client.download.ranges import read_range
from skyshelf.client.engine.capabilities import require_extension
from skyshelf.client.engine.engine import Engine
from skyshelf.client.engine.pacer import RateLimit
from skyshelf.client.engine.pagination import ListingCount
from skyshelf.client.errors import BrokenListingError
from skyshelf.client.objects.listing import Kind
from skyshelf.client.objects.past import FEATURE, Moment, PastTree, milliseconds
from skyshelf.client.objects.remote_object import FoundObject, RemoteObject, Target
from skyshelf.client.transfers import DOWNLOAD_WORKERS, TransferEvent, TransferReport, TransferSummary
from skyshelf.client.upload.file import Progress
from skyshelf.wire.limits import CLIENT_DEPTH_MAX


class AsyncPast(Calls):
    """The account at a moment: nothing in it can be changed. A path is the one that something had then.

    An extension: see `NotOfferedError`. Any method raises an InvalidRequestError with the code `SKY1016` if the history
    of that time is not kept.

    Example:
        ```python
        from datetime import datetime, timedelta

        yesterday = client.at(datetime.now().astimezone() - timedelta(days=1))
        for found in yesterday.list_folder("/Photos"):
            print(found.name, found.size)
        yesterday.download("/notes.txt", "notes of yesterday.txt")
        ```
    """

    def __init__(self, engine: Engine, moment: Moment) -> None:
        super().__init__(engine)
        self._tree = PastTree(engine, milliseconds(moment))

    @property
    def moment(self) -> int:
        """The moment, in epoch milliseconds."""
        return self._tree.at

    async def list_folder(
        self, folder: Target | None = None, *, kind: Kind | None = None
    ) -> AsyncIterator[RemoteObject]:
        """List what a folder held. A folder of at most one page is in order of names, folders first.

        Args:
            folder: The folder: an object, a key or its path at that moment; None for the root.
            kind: `f` for files only, `w` for folders only.

        Raises:
            ObjectNotFoundError: There was no such folder.
        """
        async for found in self._tree.children(await self._tree.folder_key(folder)):
            if kind is None or found.is_folder == (kind == "w"):
                yield found

    async def walk(
        self, folder: Target | None = None, *, enter: Callable[[FoundObject], bool] | None = None
    ) -> AsyncIterator[FoundObject]:
        """List everything that was below a folder, breadth first.

        Args:
            folder: The folder: an object, a key or its path at that moment; None for the root.
            enter: Decides which folders are entered; by default all.

        Raises:
            ObjectNotFoundError: There was no such folder.
        """
        folder_key = await self._tree.folder_key(folder)
        waiting: deque[tuple[str, tuple[str, ...]]] = deque([(folder_key, ())])
        # A server may list a folder inside itself.
        entered, folders = {folder_key}, ListingCount(self._engine.bounds.kept, "folders")
        while waiting:
            key, parts = waiting.popleft()
            async for child in self._tree.children(key):
                found = FoundObject((*parts, child.name), child, key)
                if child.is_folder and child.key not in entered and (enter is None or enter(found)):
                    if len(found.parts) > CLIENT_DEPTH_MAX:
                        raise BrokenListingError(f"the folders are nested more than {CLIENT_DEPTH_MAX:,} deep")
                    folders.add(1)
                    entered.add(child.key)
                    waiting.append((child.key, found.parts))
                yield found

    async def get(self, target: Target) -> RemoteObject:
        """Get a file or folder as it was.

        Args:
            target: An object, a key, or the path at that moment.

        Raises:
            ObjectNotFoundError: There was no such file or folder, or it was in the trash.
        """
        return await self._tree.get(target)

    async def download(
        self,
        target: Target,
        destination: Path | str,
        *,
        overwrite: bool = False,
        rate_limit: RateLimit | None = None,
        within: Path | None = None,
        progress: Progress | None = None,
    ) -> Downloaded:
        """Download a file as it was. It appears at its destination only when it is complete and verified.

        An interrupted download is resumed by the next call.

        Args:
            target: The file: an object, a key or its path at that moment.
            destination: The local file, or a folder to download it into.
            overwrite: Replace an existing file.
            rate_limit: A limit in bytes per second, shared by all transfers that get the same one.
            within: A folder that `destination` must not leave: no link below it is followed.
            progress: Called with the bytes received so far, and the total.

        Returns:
            Where the file is, its size and hash.

        Raises:
            DestinationExistsError: The destination exists, and `overwrite` is False.
            IntegrityError: The content does not have the size and hash that it had then.
            ObjectNotFoundError: There was no such file, or its content is no longer kept.
        """
        found = await self._tree.get(target)
        with require_extension(FEATURE):
            return await download_object(
                self._engine,
                found.wire,
                Path(destination),
                at=self._tree.at,
                overwrite=overwrite,
                rate_limit=rate_limit,
                within=within,
                progress=progress,
            )

    async def download_all(
        self,
        destination: Path | str,
        folder: Target | None = None,
        *,
        workers: int = DOWNLOAD_WORKERS,
        overwrite: bool = False,
        rate_limit: RateLimit | None = None,
        within: Path | None = None,
        progress: Callable[[TransferEvent], None] | None = None,
    ) -> TransferSummary:
        """Download everything that was below a folder. Run it again to resume: files with that content are skipped.

        Args:
            destination: The local folder.
            folder: What to download: an object, a key or its path at that moment; None for everything.
            workers: How many files are downloaded at once.
            overwrite: Replace local files with other content.
            rate_limit: A limit in bytes per second, shared by all transfers that get the same one.
            within: A folder that `destination` must not leave: no link below it is followed.
            progress: Called with an event for everything that happens.

        Returns:
            What was done; false where anything failed. Errors of single files are in its `failed`.
        """
        from skyshelf.client.download.past_tree import PastTreeDownload

        key = await self._tree.folder_key(folder)
        run = PastTreeDownload(
            engine=self._engine,
            tree=self._tree,
            destination=Path(destination),
            workers=workers,
            overwrite=overwrite,
            rate_limit=rate_limit,
            within=within or Path(destination),
            report=TransferReport(progress),
        )
        return await run.run(key)

    async def read(self, target: Target) -> bytes:
        """Read a file as it was into memory, verified.

        Args:
            target: The file: an object, a key or its path at that moment.

        Raises:
            IntegrityError: The content does not have the size and hash that it had then.
            ObjectNotFoundError: There was no such file, or its content is no longer kept.
        """
        found = await self._tree.get(target)
        with require_extension(FEATURE):
            return await read_range(self._engine, found.wire, 0, None, source=ContentSource.of(at=self._tree.at))


class PastCalls(Calls):
    """The account at earlier moments."""

    def at(self, moment: Moment) -> AsyncPast:
        """Look at the account as it was at a moment.

        Args:
            moment: A date and time, or epoch milliseconds; one in the future is now.

        Returns:
            Folders and files as they were, which can be listed and downloaded.

        Example:
            ```python
            from datetime import datetime

            new_year = client.at(datetime(2026, 1, 1).astimezone())
            print([found.name for found in new_year.list_folder("/Photos")])
            ```
        """
        return AsyncPast(self._engine, moment)

"""Content that goes to the server."""

from collections.abc import AsyncIterator, Callable, Collection
from pathlib import Path

from skyshelf.client import paths, unfinished_uploads, uploads
from skyshelf.client.calls.base import Calls
from skyshelf.client.listings import PAGE_SIZE
from skyshelf.client.objects import RemoteObject, Target
from skyshelf.client.rate_limit import RateLimit
from skyshelf.client.upload_tree import WORKERS, TreeUpload, UploadEvent, UploadSummary
from skyshelf.client.uploads import Progress, UploadOptions
from skyshelf.wire.resources.uploads import UnfinishedUpload


class UploadCalls(Calls):
    """Content that goes to the server."""

    async def upload(
        self,
        path: Path | str,
        folder: Target | None = None,
        *,
        name: str | None = None,
        options: UploadOptions | None = None,
        rate_limit: RateLimit | None = None,
        progress: Progress | None = None,
    ) -> RemoteObject:
        """Upload a file. One that was cut off goes on where it was; a taken name gets a next version."""
        key = await paths.PathResolver(self._engine).folder_key(folder)
        return await uploads.upload_file(
            self._engine, Path(path), key, name=name, options=options, rate_limit=rate_limit, progress=progress
        )

    async def upload_tree(
        self,
        path: Path | str,
        folder: Target | None = None,
        *,
        workers: int = WORKERS,
        options: UploadOptions | None = None,
        rate_limit: RateLimit | None = None,
        unchanged: Collection[Path] = (),
        progress: Callable[[UploadEvent], None] | None = None,
    ) -> UploadSummary:
        """Upload everything in a local folder; what the server has already is skipped.

        Files that the caller knows to be `unchanged`, by their paths below `path`, are skipped without being read.
        """
        key = await paths.PathResolver(self._engine).folder_key(folder)
        run = TreeUpload(
            self._engine,
            workers=workers,
            options=options,
            rate_limit=rate_limit,
            unchanged=unchanged,
            progress=progress,
        )
        return await run.run(Path(path), key)

    async def unfinished_uploads(self, *, page_size: int = PAGE_SIZE) -> AsyncIterator[UnfinishedUpload]:
        """Uploads that were begun and not finished, newest first; the server keeps room for each of them."""
        async for found in unfinished_uploads.unfinished_uploads(self._engine, page_size):
            yield found

    async def give_up_upload(self, transaction_id: str) -> None:
        """Give an upload up: what has come of it is gone, and the room that was kept for it is free at once."""
        await unfinished_uploads.give_up_upload(self._engine, transaction_id)

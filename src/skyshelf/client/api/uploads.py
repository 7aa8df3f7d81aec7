"""Content that goes to the server."""

from collections.abc import AsyncIterator, Callable, Collection, Iterable
from pathlib import Path
from typing import Final

from skyshelf.client.api import Calls
from skyshelf.client.engine.capabilities import beyond
from skyshelf.client.engine.engine import Engine
from skyshelf.client.engine.pagination import walk
from skyshelf.client.engine.rate_limit import RateLimit
from skyshelf.client.objects import lookup
from skyshelf.client.objects.listing import PAGE_SIZE
from skyshelf.client.objects.remote_object import RemoteObject, Target
from skyshelf.client.upload import file
from skyshelf.client.upload.file import Progress, UploadOptions
from skyshelf.client.upload.tree import WORKERS, TreeUpload, UploadEvent, UploadSummary
from skyshelf.wire.cursors import CursorQuery
from skyshelf.wire.endpoints.uploads import GIVE_UP_UPLOAD, UNFINISHED_UPLOADS
from skyshelf.wire.resources.uploads import UnfinishedUpload, UnfinishedUploads

# Uploads that were begun and are not finished. All of it is beyond the interface.

WHAT: Final = "a list of uploads that were begun"


async def unfinished_uploads(engine: Engine, page_size: int) -> AsyncIterator[UnfinishedUpload]:
    """What was begun, newest first."""

    async def fetch(cursor: str | None) -> tuple[Iterable[UnfinishedUpload], str | None]:
        query = CursorQuery(cursor=cursor, limit=page_size)
        with beyond(WHAT):
            page = await engine.call(UNFINISHED_UPLOADS, UnfinishedUploads, query=query)
        return page.uploads or (), page.next_cursor

    async for found in walk(fetch):
        yield found


async def give_up_upload(engine: Engine, transaction_id: str) -> None:
    """Forget one, and free the room that was kept for it."""
    with beyond(WHAT):
        await engine.send(engine.plan(GIVE_UP_UPLOAD, keys={"upload_key": transaction_id}))


# Content that goes to the server.


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
        key = await lookup.PathResolver(self._engine).folder_key(folder)
        return await file.upload_file(
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
        key = await lookup.PathResolver(self._engine).folder_key(folder)
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
        async for found in unfinished_uploads(self._engine, page_size):
            yield found

    async def give_up_upload(self, transaction_id: str) -> None:
        """Give an upload up: what has come of it is gone, and the room that was kept for it is free at once."""
        await give_up_upload(self._engine, transaction_id)

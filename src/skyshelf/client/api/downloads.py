"""Content that comes to this machine."""

from collections.abc import Callable
from pathlib import Path
from typing import Literal

from skyshelf.client.api import Calls
from skyshelf.client.download import file
from skyshelf.client.download.bulk.report import WORKERS as DOWNLOAD_WORKERS
from skyshelf.client.download.bulk.report import BulkSummary, DownloadEvent
from skyshelf.client.download.file import Downloaded
from skyshelf.client.engine.engine import Engine
from skyshelf.client.engine.rate_limit import RateLimit
from skyshelf.client.objects import lookup
from skyshelf.client.objects.remote_object import RemoteObject, Target, is_path, key_of
from skyshelf.client.upload.file import Progress
from skyshelf.wire.endpoints.downloads import THUMBNAIL
from skyshelf.wire.resources.downloads import ThumbnailHeaders, ThumbnailQuery
from skyshelf.wire.resources.objects import CloudObject

# Small pictures of files.

ThumbnailSize = Literal[256, 512, 1080]


async def thumbnail(engine: Engine, object_key: str, size: ThumbnailSize, accept: str) -> bytes:
    """The picture; ObjectNotFoundError where there is none."""
    query, headers = ThumbnailQuery(size=size), ThumbnailHeaders(accept=accept)
    answer = await engine.send(engine.plan(THUMBNAIL, query=query, headers=headers, keys={"object_key": object_key}))
    return answer.body


# Content that comes to this machine.


class DownloadCalls(Calls):
    """Content that comes to this machine."""

    async def download(
        self,
        target: Target,
        destination: Path | str,
        *,
        overwrite: bool = False,
        version: int | None = None,
        rate_limit: RateLimit | None = None,
        within: Path | None = None,
        progress: Progress | None = None,
    ) -> Downloaded:
        """Download a file to `destination`, or into it where it is a folder.

        The bytes are checked while they arrive, and the file is there only when all of it is right. What was cut off
        goes on where it was. DestinationExistsError when something is there already, unless `overwrite`.
        No link below the folder `within` is followed, so that the file cannot end up outside of it.
        """
        found = await lookup.PathResolver(self._engine).by_path(str(target)) if is_path(target) else target
        known = found.wire if isinstance(found, RemoteObject) else found
        content = known if isinstance(known, CloudObject) else key_of(known)
        return await file.download_object(
            self._engine,
            content,
            Path(destination),
            overwrite=overwrite,
            version=version,
            rate_limit=rate_limit,
            within=within,
            progress=progress,
        )

    async def download_all(
        self,
        destination: Path | str,
        folder: Target | None = None,
        *,
        extension: str | None = None,
        workers: int = DOWNLOAD_WORKERS,
        overwrite: bool = False,
        wanted: Callable[[RemoteObject], bool] | None = None,
        chosen: Callable[[str, RemoteObject], bool] | None = None,
        rate_limit: RateLimit | None = None,
        within: Path | None = None,
        dry_run: bool = False,
        progress: Callable[[DownloadEvent], None] | None = None,
    ) -> BulkSummary:
        """Copy everything below a folder (the root, where none is named) to this machine; run it again to go on.

        Objects that would share a name all get one of their own. What is there and right is skipped, and what cannot
        be downloaded is named in the summary: look at its `ok`, or call its `raise_for_failures`. `wanted` picks files;
        `chosen` picks files and folders by their path below the folder. A dry run writes nothing: its summary counts as
        `queued` what would be fetched, and `progress` hears of each. No link below the folder
        `within` is followed, also on the way to `destination`.
        """
        from skyshelf.client.download.bulk.dry_run import DownloadPreview
        from skyshelf.client.download.bulk.run import BulkDownload

        key = await lookup.PathResolver(self._engine).folder_key(folder)
        ending = extension.lower().lstrip(".") if extension else None

        def fits(found: RemoteObject) -> bool:
            return found.extension == ending and (wanted is None or wanted(found))

        kind = DownloadPreview if dry_run else BulkDownload
        run = kind(
            self._engine,
            key,
            Path(destination),
            workers=workers,
            overwrite=overwrite,
            wanted=wanted if ending is None else fits,
            chosen=chosen,
            rate_limit=rate_limit,
            within=within,
            on_event=progress,
        )
        return await run.run()

    async def thumbnail(
        self, target: Target, *, size: ThumbnailSize = 512, accept: str = "image/webp, image/jpeg"
    ) -> bytes:
        """A small picture of a picture, video or PDF; ObjectNotFoundError where there is none."""
        key = await lookup.PathResolver(self._engine).key(target)
        return await thumbnail(self._engine, key, size, accept)

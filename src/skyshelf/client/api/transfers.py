"""Uploads and downloads, and uploads that are not finished."""

from collections.abc import AsyncIterator, Callable
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Literal

from skyshelf.client.api.calls import Calls
from skyshelf.client.download.file import Downloaded, download_object
from skyshelf.client.download.integrity import is_page_type, looks_like_page
from skyshelf.client.download.ranges import read_range
from skyshelf.client.engine.capabilities import require_extension
from skyshelf.client.engine.pacer import RateLimit
from skyshelf.client.errors import UnexpectedAnswerError
from skyshelf.client.http.messages import BufferedResponse
from skyshelf.client.objects.listing import PAGE_SIZE
from skyshelf.client.objects.lookup import PathResolver
from skyshelf.client.objects.remote_object import RemoteObject, Target, is_path, key_of
from skyshelf.client.transfers import DOWNLOAD_WORKERS, UPLOAD_WORKERS, TransferEvent, TransferSummary
from skyshelf.client.upload.file import Progress, UploadOptions, upload_file
from skyshelf.client.upload.tree import TreeUpload
from skyshelf.wire.cursors import CursorQuery
from skyshelf.wire.endpoints.downloads import TEXT, THUMBNAIL
from skyshelf.wire.endpoints.uploads import CANCEL_UPLOAD, UNFINISHED_UPLOADS
from skyshelf.wire.limits import TEXT_PART_BYTES_DEFAULT
from skyshelf.wire.resources.downloads import DocumentText, TextQuery, ThumbnailHeaders, ThumbnailQuery
from skyshelf.wire.resources.objects import CloudObject
from skyshelf.wire.resources.uploads import UnfinishedUpload

ThumbnailSize = Literal[256, 512, 1080]


class TransferCalls(Calls):
    """Uploads and downloads."""

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
        """Upload a file. An interrupted upload is resumed; a file of the same name gets a new version.

        Args:
            path: The local file.
            folder: Where to: an object, a key or a path; None for the root.
            name: The file's name on the server; by default its local name.
            options: Chunk size and other settings.
            rate_limit: A limit in bytes per second, shared by all transfers that get the same one.
            progress: Called with the bytes sent so far, and the total.

        Returns:
            The uploaded file.

        Raises:
            FileChangedError: The local file changed during the upload.
            LocalFileError: The local file cannot be read.
            QuotaExceededError: The account has no space for it.
        """
        key = await PathResolver(self._engine).folder_key(folder)
        return await upload_file(
            self._engine, Path(path), key, name=name, options=options, rate_limit=rate_limit, progress=progress
        )

    async def upload_all(
        self,
        path: Path | str,
        folder: Target | None = None,
        *,
        workers: int = UPLOAD_WORKERS,
        options: UploadOptions | None = None,
        select: Callable[[str, Path], bool] | None = None,
        rate_limit: RateLimit | None = None,
        progress: Callable[[TransferEvent], None] | None = None,
    ) -> TransferSummary:
        """Upload everything in a local folder. What the server already has is skipped; run it again to resume.

        Args:
            path: The local folder.
            folder: Where to: an object, a key or a path; None for the root.
            workers: How many files are uploaded at once.
            options: Chunk size and other settings.
            select: Called with a file's or folder's path below `path` (with slashes) and its local path; a file for
                which it returns False is left out, a folder with everything in it.
            rate_limit: A limit in bytes per second, shared by all transfers that get the same one.
            progress: Called with an event for everything that happens.

        Returns:
            What was done; false where anything failed. Errors of single files are in its `failed`.

        Example:
            ```python
            summary = client.upload_all("holiday", "/Photos")
            for failure in summary.failed:
                print(failure.path, failure.reason)
            ```
        """
        key = await PathResolver(self._engine).folder_key(folder)
        run = TreeUpload(
            self._engine, workers=workers, options=options, select=select, rate_limit=rate_limit, progress=progress
        )
        return await run.run(Path(path), key)

    async def download(
        self,
        target: Target,
        destination: Path | str,
        *,
        overwrite: bool = False,
        version: int | None = None,
        rate_limit: RateLimit | None = None,
        within: Path | None = None,
        parent: Target | None = None,
        allow_unverified: bool = False,
        progress: Progress | None = None,
    ) -> Downloaded:
        """Download a file. It appears at its destination only when it is complete and verified.

        An interrupted download is resumed by the next call.

        Args:
            target: The file: an object, a key or a path.
            destination: The local file, or a folder to download it into.
            overwrite: Replace an existing file.
            version: An earlier version, by its number.
            rate_limit: A limit in bytes per second, shared by all transfers that get the same one.
            within: A folder that `destination` must not leave: no link below it is followed.
            parent: The folder that it is in; for a key this saves a search on servers that cannot look keys up.
            allow_unverified: Also download a file that the server has no hash of. What arrives may then be anything of
                the right size.
            progress: Called with the bytes received so far, and the total.

        Returns:
            Where the file is, its size and hash, and whether the server had a hash to verify it.

        Raises:
            DestinationExistsError: The destination exists, and `overwrite` is False.
            IntegrityError: The content does not have the size and hash that the server announced.
            UnverifiedFileError: The server has no hash of the file, and `allow_unverified` is False.
            ObjectNotFoundError: There is no such file.
        """
        parent_key = None if parent is None else await PathResolver(self._engine).folder_key(parent)
        found = await PathResolver(self._engine).by_path(str(target)) if is_path(target) else target
        known = found.wire if isinstance(found, RemoteObject) else found
        content = known if isinstance(known, CloudObject) else key_of(known)
        return await download_object(
            self._engine,
            content,
            Path(destination),
            overwrite=overwrite,
            version=version,
            rate_limit=rate_limit,
            within=within,
            parent_key=parent_key,
            allow_unverified=allow_unverified,
            progress=progress,
        )

    async def download_all(
        self,
        destination: Path | str,
        folder: Target | None = None,
        *,
        workers: int = DOWNLOAD_WORKERS,
        overwrite: bool = False,
        extension: str | None = None,
        select: Callable[[str, RemoteObject], bool] | None = None,
        rate_limit: RateLimit | None = None,
        within: Path | None = None,
        allow_unverified: bool = False,
        keep_replaced: timedelta | None = None,
        stop_at_older: bool = False,
        dry_run: bool = False,
        progress: Callable[[TransferEvent], None] | None = None,
    ) -> TransferSummary:
        """Download everything below a folder. Files that are up to date are skipped; run it again to resume.

        Objects whose names would collide locally each get a distinct name.

        Args:
            destination: The local folder.
            folder: What to download: an object, a key or a path; None for everything.
            workers: How many files are downloaded at once.
            overwrite: Replace files that were changed locally.
            extension: Only files with this extension.
            select: Called with a file's or folder's path below `folder` (with slashes) and the object; a file for
                which it returns False is left out, a folder with everything in it.
            rate_limit: A limit in bytes per second, shared by all transfers that get the same one.
            within: A folder that `destination` must not leave: no link below it is followed.
            allow_unverified: Also download files that the server has no hash of; otherwise they count as failed.
            keep_replaced: How long replaced files are kept in `.skyshelf-replaced` in the local folder; `timedelta.max`
                keeps them forever, and None does not keep them.
            stop_at_older: End the run where many files are older on the server than their copies of an earlier run: it
                was probably put back to an older state.
            dry_run: Write nothing; the summary counts as `queued` what would be downloaded.
            progress: Called with an event for everything that happens.

        Returns:
            What was done; false where anything failed. Errors of single files are in its `failed`.

        Example:
            ```python
            client.download_all("backup").raise_for_failures()
            ```
        """
        from skyshelf.client.download.bulk.run import BulkDownload, DownloadPreview

        key = await PathResolver(self._engine).folder_key(folder)
        kind = DownloadPreview if dry_run else BulkDownload
        run = kind(
            self._engine,
            key,
            Path(destination),
            workers=workers,
            overwrite=overwrite,
            allow_unverified=allow_unverified,
            select=_with_extension(extension, select),
            rate_limit=rate_limit,
            within=within,
            keep_replaced=None if dry_run else keep_replaced,
            stop_at_older=stop_at_older,
            on_event=progress,
        )
        return await run.run()

    async def read(self, target: Target, start: int = 0, end: int | None = None) -> bytes:
        """Read a file, or a part of it, into memory.

        The whole content is verified. Parts that are read with the same object are all of the same content.

        Args:
            target: The file: an object, a key or a path.
            start: The first byte.
            end: The byte to stop before; None for the end of the file.

        Returns:
            The bytes; fewer than requested where the file is shorter.

        Raises:
            IntegrityError: The content is not what the server announced, or has changed since the object was fetched.
            ObjectNotFoundError: There is no such file.

        Example:
            ```python
            report = client.get("/report.parquet")
            footer = client.read(report, report.size - 8)
            ```
        """
        found = target.wire if isinstance(target, RemoteObject) else target
        if not isinstance(found, CloudObject):
            (looked_up,) = await PathResolver(self._engine).objects([target])
            found = looked_up.wire
        return await read_range(self._engine, found, start, end)

    async def thumbnail(self, target: Target, *, size: ThumbnailSize = 512, accept: str | None = None) -> bytes:
        """Get a small picture of a picture, a video or a PDF.

        Args:
            target: The file: an object, a key or a path.
            size: The longest side in pixels.
            accept: The formats to choose from, such as `image/webp, image/jpeg`; by default the server's own.

        Returns:
            The picture's bytes.

        Raises:
            ObjectNotFoundError: There is no such file, or it has no thumbnail.
            UnexpectedAnswerError: The server sent something other than a picture.
        """
        query, headers = ThumbnailQuery(size=size), ThumbnailHeaders(accept=accept)
        keys = {"object_key": await PathResolver(self._engine).key(target)}
        return await self._engine.read(self._engine.plan(THUMBNAIL, query=query, headers=headers, keys=keys), _picture)

    async def document_text(
        self, target: Target, *, start: int = 0, length: int = TEXT_PART_BYTES_DEFAULT
    ) -> DocumentText:
        """Get the text of a PDF or an office document, or a part of it. An extension: see `NotOfferedError`.

        Args:
            target: The file: an object, a key or a path.
            start: Where to begin, in bytes of the text: `next_start` of the part before.
            length: How many bytes of the text to get at most.

        Returns:
            The part. Of a very long document only the beginning can be read; then `is_whole` is false.

        Raises:
            ObjectNotFoundError: There is no such file, or it has no text that the server can read.
        """
        query = TextQuery(start=start, length=length)
        keys = {"object_key": await PathResolver(self._engine).key(target)}
        with require_extension("read the text of documents"):
            return await self._engine.call(TEXT, query=query, keys=keys)


def _picture(response: BufferedResponse) -> bytes:
    """Return the body, unless it is empty, a web page or a message: some servers send those with a 2xx status."""
    if not response.body or is_page_type(response.headers) or looks_like_page(response.body[:512]):
        raise UnexpectedAnswerError("the server sent something other than a picture")
    return response.body


def _with_extension(
    extension: str | None, select: Callable[[str, RemoteObject], bool] | None
) -> Callable[[str, RemoteObject], bool] | None:
    """Restrict `select` to files with an extension."""
    if not extension:
        return select
    ending = extension.lower().lstrip(".")

    def selected(path: str, found: RemoteObject) -> bool:
        return (found.is_folder or found.extension == ending) and (select is None or select(path, found))

    return selected


class AsyncUploads(Calls):
    """Unfinished uploads, for which the server reserves space. An extension: see `NotOfferedError`.

    Example:
        ```python
        for upload in client.uploads.unfinished():
            client.uploads.cancel(upload.transaction_id)
        ```
    """

    _feature = "list unfinished uploads"

    def unfinished(self, *, page_size: int = PAGE_SIZE) -> AsyncIterator[UnfinishedUpload]:
        """List unfinished uploads, newest first.

        Args:
            page_size: How many uploads one request asks for.
        """
        return self._by_cursor(UNFINISHED_UPLOADS, lambda page: page.uploads, partial(CursorQuery, limit=page_size))

    async def cancel(self, transaction_id: str) -> None:
        """Cancel an unfinished upload; its reserved space is free immediately.

        Args:
            transaction_id: The upload, as `unfinished` lists it.
        """
        await self._remove(CANCEL_UPLOAD, keys={"upload_key": transaction_id})

"""Responses with the bytes of a blob: whole, in part, or not modified.

Uploaded content must never act as a page of this server: it is an attachment, with exactly the type that its name
implies, and sandboxed in case a browser displays it anyway.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Mapping
from email.utils import formatdate
from pathlib import Path
from typing import Final
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from skyshelf.server.http import ranges
from skyshelf.server.http.error_responses import error_response
from skyshelf.server.http.offload import offload_of, offloaded_response
from skyshelf.server.pipeline.answers import PreparedFile, bytes_at_once
from skyshelf.server.pipeline.sending import StreamedResponse
from skyshelf.server.pipeline.threads import Threads
from skyshelf.service.archives.archive import Archive, archive_bytes
from skyshelf.service.context import ServiceContext
from skyshelf.service.files.downloads import Original
from skyshelf.service.files.thumbnails import Thumbnail
from skyshelf.service.integrity import reading
from skyshelf.storage.blobs.protocols import ByteStream
from skyshelf.wire import error_codes as codes
from skyshelf.wire.resources.downloads import ArchiveHeaders, DownloadHeaders, ThumbnailHeaders

_log = logging.getLogger("skyshelf.server")

USER_CONTENT: Final = {
    "x-content-type-options": "nosniff",
    "content-security-policy": "default-src 'none'; sandbox",
}
# The characters that RFC 8187 does not encode.
_PLAIN_IN_DEPTH: Final = "!#$&+-.^_`|~"
_PATHSEND: Final = "http.response.pathsend"
# Below this size, reading is cheaper than streaming or letting the HTTP server open the file again.
_READ_WHOLE: Final = 256 * 1024


def original_response(
    ctx: ServiceContext,
    threads: Threads,
    request: Request,
    asked: DownloadHeaders,
    original: Original,
    *,
    at_once: bool = False,
) -> Response:
    """Return the response to a download of this content; for a worker thread, unless `at_once`."""
    headers = original_headers(original)
    if ranges.is_not_modified(original, asked.if_none_match, asked.if_modified_since):
        kept = ("etag", "last-modified", "cache-control")
        return Response(status_code=304, headers={name: headers[name] for name in kept})
    part = None
    if request.method == "GET" and asked.range and ranges.can_resume(original, asked.if_range):
        try:
            part = ranges.range_in(asked.range, original.size)
        except ranges.Unsatisfiable:
            return _outside(original.size)
    return blob_response(
        ctx,
        threads,
        request,
        location=original.location,
        sha256=original.sha256,
        size=original.size,
        headers=headers,
        part=part,
        at_once=at_once,
    )


def prepared_original(
    ctx: ServiceContext, original: Original, headers: Mapping[str, str], account_id: int | None
) -> PreparedFile:
    """Return the whole content for the event loop; raise NotAtOnce if it is too large."""
    sha256, location, size = original.sha256, original.location, original.size
    return PreparedFile(ctx, sha256=sha256, location=location, size=size, headers=headers, account_id=account_id)


def thumbnail_response(
    ctx: ServiceContext,
    threads: Threads,
    request: Request,
    asked: ThumbnailHeaders,
    found: Thumbnail,
    *,
    of: str | None,
    at_once: bool = False,
) -> Response:
    """Return a thumbnail; for a worker thread, unless `at_once`. Browsers revalidate it each time.

    The exception is a URL with the hash of the content (`of`), where the picture never changes.
    """
    headers = thumbnail_headers(found, of=of)
    if ranges.is_named(headers["etag"], asked.if_none_match):
        return Response(status_code=304, headers=headers)
    return thumbnail_bytes(ctx, threads, request, found, headers, at_once=at_once)


def thumbnail_headers(found: Thumbnail, *, of: str | None) -> dict[str, str]:
    is_immutable = of is not None and of.lower() == found.source_md5
    return {
        "content-type": found.mime,
        "etag": f'"{found.etag}"',
        "cache-control": "private, max-age=31536000, immutable" if is_immutable else "private, no-cache",
        "vary": "accept",
        **USER_CONTENT,
    }


def thumbnail_bytes(
    ctx: ServiceContext,
    threads: Threads,
    request: Request,
    found: Thumbnail,
    headers: Mapping[str, str],
    *,
    at_once: bool = False,
) -> Response:
    """Return the bytes of a thumbnail of which only the location is known."""
    sha256 = ctx.blobs.recorded_sha256(found.location)
    return blob_response(
        ctx, threads, request, location=found.location, sha256=sha256, size=found.size, headers=headers, at_once=at_once
    )


def blob_response(
    ctx: ServiceContext,
    threads: Threads,
    request: Request,
    *,
    location: str,
    sha256: str,
    size: int,
    headers: Mapping[str, str],
    part: ranges.ByteRange | None = None,
    at_once: bool = False,
) -> Response:
    """Return a blob with these headers, or a part of it; for a worker thread, unless `at_once`.

    A missing blob, or damage to one of a few mebibytes, is noticed before the response begins, so it becomes an error
    response. A larger blob that was not verified recently is hashed while it is sent, and cut off before its end if
    damaged.
    """
    length = part.length if part else size
    sent = {**headers, "content-length": str(length)}
    if request.method == "HEAD":
        reading.check_size(ctx, sha256, location)
        return Response(headers=sent)
    if part is not None:
        sent["content-range"] = f"bytes {part.start}-{part.end - 1}/{size}"
    offload = offload_of(request.scope, request.headers, size, is_part=part is not None)
    if offload is not None and _is_verified(ctx, sha256, location, size, look_only=at_once or part is not None):
        path = ctx.blobs.local_path(location)
        if path is not None:
            return offloaded_response(request.scope, offload.pointer(path), sent, length)
    if at_once:
        part = part or ranges.ByteRange(0, size)
        data = bytes_at_once(ctx, sha256, location, size, start=part.start, length=part.length)
        return Response(data, 206 if "content-range" in sent else 200, sent)
    by_path = part is None and size > _READ_WHOLE and _PATHSEND in request.scope.get("extensions", {})
    if by_path and reading.verify_first(ctx, sha256, location, size):
        path = ctx.blobs.local_path(location)
        if path is not None:
            return PathResponse(path, sent)
    part = part or ranges.ByteRange(0, size)
    stream = reading.read(ctx, sha256, location, size, start=part.start, length=part.length)
    return _read_response(threads, stream, part, sent)


def _is_verified(ctx: ServiceContext, sha256: str, location: str, size: int, *, look_only: bool) -> bool:
    """Return whether another program may send the file as is; raise if it is damaged. `look_only` does not read it."""
    if look_only:
        return reading.is_verified(ctx, sha256, location)
    return reading.verify_first(ctx, sha256, location, size)


def _read_response(
    threads: Threads, stream: ByteStream, part: ranges.ByteRange, headers: Mapping[str, str]
) -> Response:
    """Return a response with bytes from the store: read at once if they are few, else piece by piece."""
    status = 206 if "content-range" in headers else 200
    if part.length > _READ_WHOLE:
        return StreamedResponse(pieces_of(threads, stream), status, headers)
    try:
        return Response(b"".join(stream), status, headers)
    finally:
        stream.close()


def original_headers(original: Original) -> dict[str, str]:
    return {
        "content-type": original.mime,
        "content-disposition": attachment(original.name),
        "etag": ranges.etag_of(original),
        "last-modified": formatdate(original.modified_at // 1000, usegmt=True),
        "accept-ranges": "bytes",
        # Only the owner's browser may cache it, and must revalidate: the content at a URL changes.
        "cache-control": "private, no-cache",
        **USER_CONTENT,
    }


def _outside(size: int) -> Response:
    """Return the refusal of a range that contains no byte of the content."""
    sizes = {"content-range": f"bytes */{size}", "accept-ranges": "bytes"}
    return error_response(codes.RANGE_NOT_SATISFIABLE, headers=sizes)


def attachment(name: str) -> str:
    """Return a Content-Disposition with this file name: exact in UTF-8, with an ASCII fallback.

    The fallback comes last: some clients take everything after `filename=` as the name.
    """
    fallback = "".join(char if " " <= char <= "~" and char not in '"\\%' else "_" for char in name)
    return f"attachment; filename*=UTF-8''{quote(name, safe=_PLAIN_IN_DEPTH)}; filename=\"{fallback}\""


class PathResponse(Response):
    """A whole file that the HTTP server sends itself, bypassing Python."""

    def __init__(self, path: Path, headers: Mapping[str, str]) -> None:
        self._path = path
        self.status_code = 200
        self.background = None
        self.body = b""
        self.init_headers(headers)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG002
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        await send({"type": _PATHSEND, "path": str(self._path)})


async def pieces_of(threads: Threads, stream: ByteStream) -> AsyncIterator[bytes]:
    """Yield the pieces of a stream, each read while the previous one is sent; a slow client occupies no thread.

    If the stream fails, the connection is cut, so no client mistakes a part for the whole.
    """
    reading = asyncio.ensure_future(threads.call(lambda: next(stream, None)))
    try:
        while (piece := await asyncio.shield(reading)) is not None:
            reading = asyncio.ensure_future(threads.call(lambda: next(stream, None)))
            yield piece
    except Exception:
        _log.exception("a download failed while sending")
        raise
    finally:
        # A running read needs the stream, even if the client has disconnected.
        if reading.done():
            _close(reading, stream)
        else:
            reading.add_done_callback(lambda done: _close(done, stream))


def _close(reading: "asyncio.Future[bytes | None]", stream: ByteStream) -> None:
    if not reading.cancelled():
        reading.exception()  # retrieved, so asyncio does not warn
    stream.close()


# ZIP archives: whole, or a part, so an interrupted download can be resumed


def archive_response(
    ctx: ServiceContext, threads: Threads, request: Request, asked: ArchiveHeaders, archive: Archive, *, account_id: int
) -> Response:
    """Return the response with an archive that the account owns or shares.

    If the archive has changed since the first part, it is sent whole: parts of two archives do not fit together.
    """
    headers = {
        **USER_CONTENT,
        "content-type": "application/zip",
        "content-length": str(archive.length),
        "content-disposition": attachment(archive.name),
        "cache-control": "no-store",
        "etag": archive.etag,
        "accept-ranges": "bytes",
    }
    if request.method == "HEAD":
        return Response(headers=headers)
    is_same = asked.if_range is None or asked.if_range.strip() == archive.etag
    try:
        part = ranges.range_in(asked.range, archive.length) if is_same else None
    except ranges.Unsatisfiable:
        return _outside(archive.length)
    if part is None:
        return StreamedResponse(pieces_of(threads, archive_bytes(ctx, account_id, archive)), 200, headers)
    headers["content-length"] = str(part.length)
    headers["content-range"] = f"bytes {part.start}-{part.end - 1}/{archive.length}"
    stream = archive_bytes(ctx, account_id, archive, part.start, part.end)
    return StreamedResponse(pieces_of(threads, stream), 206, headers)

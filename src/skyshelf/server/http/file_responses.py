"""Answers that are the bytes of a blob: whole, in part, or not again.

What users have uploaded must never act as a page of ours: it is an attachment, of the type that its name says and no
other, and in a sandbox if a browser shows it after all.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Mapping
from email.utils import formatdate
from pathlib import Path
from typing import Final
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from skyshelf.server.http.error_responses import error_response
from skyshelf.server.http.ranges import (
    ByteRange,
    Unsatisfiable,
    etag_of,
    has_it_already,
    is_named,
    may_have_a_part,
    range_in,
)
from skyshelf.server.http.thread_pools import Threads
from skyshelf.service.context import ServiceContext
from skyshelf.service.files.downloads import Original
from skyshelf.service.files.thumbnails import Thumbnail
from skyshelf.storage.blobs.protocols import ByteStream
from skyshelf.wire import error_codes as codes
from skyshelf.wire.resources.downloads import DownloadHeaders, ThumbnailHeaders

_log = logging.getLogger("skyshelf.server")

USER_CONTENT: Final = {
    "x-content-type-options": "nosniff",
    "content-security-policy": "default-src 'none'; sandbox",
}
# Everything that RFC 8187 lets stand for itself.
_PLAIN_IN_NAMES: Final = "!#$&+-.^_`|~"
_PATHSEND: Final = "http.response.pathsend"
# Below this, to read is cheaper than to stream or to have the server open the file once more.
_AT_ONCE: Final = 256 * 1024


def original_response(
    ctx: ServiceContext, threads: Threads, request: Request, asked: DownloadHeaders, original: Original
) -> Response:
    """The response to a download of this content; for a worker thread."""
    headers = original_headers(original)
    if has_it_already(original, asked.if_none_match, asked.if_modified_since):
        kept = ("etag", "last-modified", "cache-control")
        return Response(status_code=304, headers={name: headers[name] for name in kept})
    part = None
    if request.method == "GET" and asked.range and may_have_a_part(original, asked.if_range):
        try:
            part = range_in(asked.range, original.size)
        except Unsatisfiable:
            sizes = {"content-range": f"bytes */{original.size}", "accept-ranges": "bytes"}
            return error_response(codes.RANGE_NOT_SATISFIABLE, headers=sizes)
    return blob_response(
        ctx, threads, request, location=original.location, size=original.size, headers=headers, part=part
    )


def thumbnail_response(
    ctx: ServiceContext,
    threads: Threads,
    request: Request,
    asked: ThumbnailHeaders,
    found: Thumbnail,
    *,
    of: str | None,
) -> Response:
    """A thumbnail, in a worker thread; the browser of its owner asks each time whether it is still the one.

    Unless the address names the content that it shows: at such an address there will never be another picture.
    """
    is_for_good = of is not None and of.lower() == found.source_md5
    headers = {
        "content-type": found.mime,
        "etag": f'"{found.etag}"',
        "cache-control": "private, max-age=31536000, immutable" if is_for_good else "private, no-cache",
        "vary": "accept",
        **USER_CONTENT,
    }
    if is_named(headers["etag"], asked.if_none_match):
        return Response(status_code=304, headers=headers)
    return blob_response(ctx, threads, request, location=found.location, size=found.size, headers=headers)


def blob_response(
    ctx: ServiceContext,
    threads: Threads,
    request: Request,
    *,
    location: str,
    size: int,
    headers: Mapping[str, str],
    part: ByteRange | None = None,
) -> Response:
    """A blob with these headers, or a part of it; for a worker thread.

    A missing blob is noticed before the response begins, so it becomes an error response.
    """
    length = part.length if part else size
    sent = {**headers, "content-length": str(length)}
    if request.method == "HEAD":
        ctx.blobs.size(location)
        return Response(headers=sent)
    if part is not None:
        sent["content-range"] = f"bytes {part.start}-{part.end - 1}/{size}"
        return _read_response(ctx, threads, location, part, sent)
    by_path = size > _AT_ONCE and _PATHSEND in request.scope.get("extensions", {})
    path = ctx.blobs.local_path(location) if by_path else None
    return PathResponse(path, sent) if path else _read_response(ctx, threads, location, ByteRange(0, size), sent)


def _read_response(
    ctx: ServiceContext, threads: Threads, location: str, part: ByteRange, headers: Mapping[str, str]
) -> Response:
    """Bytes that we read ourselves: at once where they are few, else piece by piece as they go out."""
    status = 206 if "content-range" in headers else 200
    stream = ctx.blobs.read(location, part.start, part.length)
    if part.length > _AT_ONCE:
        return StreamingResponse(pieces_of(threads, stream), status, headers)
    try:
        return Response(b"".join(stream), status, headers)
    finally:
        stream.close()


def original_headers(original: Original) -> dict[str, str]:
    return {
        "content-type": original.mime,
        "content-disposition": attachment(original.name),
        "etag": etag_of(original),
        "last-modified": formatdate(original.modified_at // 1000, usegmt=True),
        "accept-ranges": "bytes",
        # Kept by the browser of its owner alone, and asked about each time: the same URL gets new content.
        "cache-control": "private, no-cache",
        **USER_CONTENT,
    }


def attachment(name: str) -> str:
    """A Content-Disposition that saves under this name: exact in UTF-8, and in ASCII for those who know no better."""
    fallback = "".join(one if " " <= one <= "~" and one not in '"\\%' else "_" for one in name)
    return f"attachment; filename=\"{fallback}\"; filename*=UTF-8''{quote(name, safe=_PLAIN_IN_NAMES)}"


class PathResponse(Response):
    """A whole file that the HTTP server itself sends, past Python."""

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
    """The pieces of a stream, the next one read while this one goes out; a slow client costs no thread.

    A stream that breaks breaks the answer too: the connection is cut, and no client takes a part for the whole.
    """
    reading = asyncio.ensure_future(threads.call(lambda: next(stream, None)))
    try:
        while (piece := await asyncio.shield(reading)) is not None:
            reading = asyncio.ensure_future(threads.call(lambda: next(stream, None)))
            yield piece
    except Exception:
        _log.exception("a download broke off")
        raise
    finally:
        # Whoever is in the middle of a read still needs the stream, also when the client is gone.
        if reading.done():
            _close(reading, stream)
        else:
            reading.add_done_callback(lambda done: _close(done, stream))


def _close(reading: "asyncio.Future[bytes | None]", stream: ByteStream) -> None:
    if not reading.cancelled():
        reading.exception()  # looked at, so that nobody warns about it
    stream.close()

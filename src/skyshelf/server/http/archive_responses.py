"""Responses with a ZIP archive: whole, or a part of it, so an interrupted download can be resumed."""

from starlette.requests import Request
from starlette.responses import Response

from skyshelf.server.http.error_responses import error_response
from skyshelf.server.http.file_responses import USER_CONTENT, attachment, pieces_of
from skyshelf.server.http.ranges import ByteRange, Unsatisfiable, range_in
from skyshelf.server.http.streamed import StreamedResponse
from skyshelf.server.http.thread_pools import Threads
from skyshelf.service.archives.archive import Archive, archive_bytes
from skyshelf.service.context import ServiceContext
from skyshelf.wire import error_codes as codes
from skyshelf.wire.resources.downloads import ArchiveHeaders


def _headers(archive: Archive) -> dict[str, str]:
    return {
        **USER_CONTENT,
        "content-type": "application/zip",
        "content-length": str(archive.length),
        "content-disposition": attachment(archive.name),
        "cache-control": "no-store",
        "etag": archive.etag,
        "accept-ranges": "bytes",
    }


def _part(archive: Archive, asked: ArchiveHeaders) -> ByteRange | None:
    """The part that is asked for, or None for the whole; Unsatisfiable where there is no such part.

    What has changed since the first part is sent whole: parts of two archives are none.
    """
    if asked.range is None or (asked.if_range is not None and asked.if_range.strip() != archive.etag):
        return None
    return range_in(asked.range, archive.length)


def archive_response(
    ctx: ServiceContext, threads: Threads, request: Request, asked: ArchiveHeaders, archive: Archive, *, account_id: int
) -> Response:
    """The archive, which the account owns or shares."""
    headers = _headers(archive)
    if request.method == "HEAD":
        return Response(headers=headers)
    try:
        part = _part(archive, asked)
    except Unsatisfiable:
        sizes = {"content-range": f"bytes */{archive.length}", "accept-ranges": "bytes"}
        return error_response(codes.RANGE_NOT_SATISFIABLE, headers=sizes)
    if part is None:
        return StreamedResponse(pieces_of(threads, archive_bytes(ctx, account_id, archive)), 200, headers)
    headers["content-length"] = str(part.length)
    headers["content-range"] = f"bytes {part.start}-{part.end - 1}/{archive.length}"
    stream = archive_bytes(ctx, account_id, archive, part.start, part.end)
    return StreamedResponse(pieces_of(threads, stream), 206, headers)

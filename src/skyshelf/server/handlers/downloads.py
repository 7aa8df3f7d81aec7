"""Downloads: originals, many small files in one response, and thumbnails."""

from typing import Final

from starlette.responses import Response

from skyshelf.server.http.admission.kinds import (
    ARCHIVE_ENTRIES,
    ARCHIVE_PLANS,
    ARCHIVE_VISITS,
    ARCHIVES,
    CONTENTS,
    DOWNLOADS,
    THUMBNAILS,
)
from skyshelf.server.http.archive_responses import archive_response
from skyshelf.server.http.call import Call, Handler, HandlerKind, NotAtOnce, use
from skyshelf.server.http.file_responses import (
    USER_CONTENT,
    original_headers,
    original_response,
    thumbnail_headers,
    thumbnail_response,
)
from skyshelf.server.http.prepared_file import PreparedFile
from skyshelf.server.http.thumbnail_wait import sent_thumbnail
from skyshelf.service.archives import chosen
from skyshelf.service.files import downloads, history, thumbnails

_CONTENTS_HEADERS: Final = {"content-type": "application/octet-stream", "cache-control": "no-store", **USER_CONTENT}
_REMEMBERED_MS: Final = 60_000


def _download(call: Call) -> Response:
    original = downloads.original(call.ctx, call.caller, call.keys["object_key"], call.query.version)
    return original_response(call.ctx, call.threads, call.request, call.headers, original)


def _download_at_once(call: Call) -> Response | PreparedFile:
    original = downloads.original(call.ctx, call.caller, call.keys["object_key"], call.query.version)
    if PreparedFile.is_plain(call.request.headers):
        return PreparedFile(
            call.ctx,
            sha256=original.sha256,
            location=original.location,
            size=original.size,
            headers=original_headers(original),
            account_id=original.account_id if call.query.version is None else None,
        )
    return original_response(call.ctx, call.threads, call.request, call.headers, original, at_once=True)


def _thumbnail_at_once(call: Call) -> Response | PreparedFile:
    found = _find_thumbnail(call)
    if isinstance(found, thumbnails.MissingThumbnail):
        raise NotAtOnce
    if PreparedFile.is_plain(call.request.headers):
        return PreparedFile(
            call.ctx,
            sha256=call.ctx.blobs.recorded_sha256(found.location),
            location=found.location,
            size=found.size,
            headers=thumbnail_headers(found, of=call.query.of),
            is_derived=True,
            account_id=found.key.account_id,
        )
    return thumbnail_response(call.ctx, call.threads, call.request, call.headers, found, of=call.query.of, at_once=True)


def _find_thumbnail(call: Call) -> thumbnails.Thumbnail | thumbnails.MissingThumbnail:
    webp = "image/webp" in (call.headers.accept or "").lower()
    return thumbnails.find(call.ctx, call.caller, call.keys["object_key"], size=call.query.size, webp=webp)


async def _thumbnail(call: Call) -> Response:
    ctx, threads = call.ctx, call.threads

    async def send(found: thumbnails.Thumbnail) -> Response:
        # Reading from a distant store can take a while, so it stays out of the threads that small requests need.
        return await threads.body(
            lambda: thumbnail_response(ctx, threads, call.request, call.headers, found, of=call.query.of),
            await call.admission.enter(THUMBNAILS),
        )

    return await sent_thumbnail(ctx, threads, call.request, lambda: _find_thumbnail(call), send)


async def _contents(call: Call) -> Response:
    # Many reads from a distant store can take a while.
    lease = await call.admission.enter(CONTENTS)
    body = await call.threads.body(lambda: b"".join(downloads.contents(call.ctx, call.caller, call.query.keys)), lease)
    return Response(body, headers=_CONTENTS_HEADERS)


async def _archive(call: Call) -> Response:
    """One plan at a time for an account; a HEAD needs the plan as well."""
    ctx, caller, admission = call.ctx, call.caller, call.admission
    is_sent = call.request.method != "HEAD"
    visiting = await admission.enter(ARCHIVE_VISITS)
    if is_sent:
        admission.take(ARCHIVES, key=caller.account_id)
    planning = await admission.enter(ARCHIVE_PLANS, key=caller.account_id)
    archive = await call.threads.body(lambda: chosen.plan_archive(ctx, caller, call.keys["archive_key"]), planning)
    visiting.release()
    if is_sent:
        admission.take(ARCHIVE_ENTRIES, key=caller.account_id, weight=len(archive.entries))
    return archive_response(ctx, call.threads, call.request, call.headers, archive, account_id=caller.account_id)


def _past_file(call: Call) -> Response:
    original = history.past_original(call.ctx, call.caller, call.keys["object_key"], call.query.at)
    return original_response(call.ctx, call.threads, call.request, call.headers, original)


HANDLERS: Final = {
    "past_file": Handler(_past_file, enters=DOWNLOADS),
    "download": Handler(_download, enters=DOWNLOADS, at_once=_download_at_once, remembered_ms=_REMEMBERED_MS),
    "thumbnail": Handler(_thumbnail, HandlerKind.ASYNC, at_once=_thumbnail_at_once, remembered_ms=_REMEMBERED_MS),
    "placeholders": use(thumbnails.placeholders, "ctx", "caller", "query", at_once=True),
    "contents": Handler(_contents, HandlerKind.ASYNC),
    "create_archive": use(chosen.create_archive, "ctx", "caller", "body", "origin"),
    "download_archive": Handler(_archive, HandlerKind.ASYNC),
}

"""Downloads: originals, many small files in one response, thumbnails, archives; and listings, often unchanged."""

from functools import partial
from typing import Final

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from skyshelf.server.api.call import Call, Handler, HandlerKind, use
from skyshelf.server.files.file_responses import (
    USER_CONTENT,
    archive_response,
    original_headers,
    original_response,
    prepared_original,
    thumbnail_headers,
    thumbnail_response,
)
from skyshelf.server.files.thumbnail_wait import made, sent_thumbnail
from skyshelf.server.http.error_responses import json_response
from skyshelf.server.http.ranges import is_named
from skyshelf.server.pipeline.admission import kinds
from skyshelf.server.pipeline.answers import PreparedFile
from skyshelf.server.pipeline.operation import NotAtOnce
from skyshelf.service.archives import archive as archives
from skyshelf.service.exporting import exports
from skyshelf.service.files import downloads, listings, texts, thumbnails
from skyshelf.service.history import history


def _listing(call: Call, *, at_once: bool = False) -> Response:
    asked = call.headers.if_none_match

    def is_known(tag: str) -> bool:
        if at_once and not is_named(_quoted(tag), asked):
            raise NotAtOnce  # a page takes a while to read
        return is_named(_quoted(tag), asked)

    found = listings.folder_listing(call.ctx, call.caller, call.query, call.origin, call.path, is_known=is_known)
    # Browsers must not store listings: names of files must not outlast a session on a shared computer.
    headers = {"etag": f"W/{_quoted(found.tag)}", "cache-control": "no-store"}
    if found.page is None:
        return Response(status_code=304, headers=headers)
    return json_response(found.page, headers=headers)


def _quoted(tag: str) -> str:
    return f'"{tag}"'


def _has_no_page(request: Request) -> bool:
    """Return whether the client has no page that could still be current."""
    return "if-none-match" not in request.headers


LISTING: Final = Handler(_listing, at_once=partial(_listing, at_once=True), must_wait=_has_no_page)

_CONTENTS_HEADERS: Final = {"content-type": "application/octet-stream", "cache-control": "no-store", **USER_CONTENT}
_REMEMBERED_MS: Final = 60_000

_encode = msgspec.json.Encoder().encode


def _download(call: Call) -> Response:
    original = downloads.original(call.ctx, call.caller, call.keys["object_key"], call.query.version)
    return original_response(call.ctx, call.threads, call.request, call.headers, original)


def _download_at_once(call: Call) -> Response | PreparedFile:
    original = downloads.original(call.ctx, call.caller, call.keys["object_key"], call.query.version)
    if PreparedFile.is_plain(call.request.headers):
        account_id = original.account_id if call.query.version is None else None
        return prepared_original(call.ctx, original, original_headers(original), account_id)
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

    def respond(found: thumbnails.Thumbnail) -> Response:
        return thumbnail_response(ctx, threads, call.request, call.headers, found, of=call.query.of)

    return await sent_thumbnail(ctx, threads, call.request, lambda: _find_thumbnail(call), respond)


async def _text(call: Call) -> Response:
    found = await call.threads.call(lambda: texts.find(call.ctx, call.caller, call.keys["object_key"]))
    if isinstance(found, texts.MissingText):
        found = await made(call.request, texts.read(call.ctx, found))
    return json_response(_encode(texts.part_of(found, call.query)))


async def _contents(call: Call) -> Response:
    # Many reads from a distant store can take a while.
    lease = await call.admission.enter(kinds.CONTENTS)
    body = await call.threads.body(lambda: b"".join(downloads.contents(call.ctx, call.caller, call.query.keys)), lease)
    return Response(body, headers=_CONTENTS_HEADERS)


async def _archive(call: Call) -> Response:
    """Send an archive. An account computes one plan at a time; a HEAD needs the plan as well."""
    ctx, caller, admission = call.ctx, call.caller, call.admission
    is_sent = call.request.method != "HEAD"
    visiting = await admission.enter(kinds.ARCHIVE_VISITS)
    if is_sent:
        admission.take(kinds.ARCHIVES, key=caller.account_id)
    planning = await admission.enter(kinds.ARCHIVE_PLANS, key=caller.account_id)
    archive = await call.threads.body(lambda: archives.plan_archive(ctx, caller, call.keys["archive_key"]), planning)
    visiting.release()
    if is_sent:
        admission.take(kinds.ARCHIVE_ENTRIES, key=caller.account_id, weight=len(archive.entries))
    return archive_response(ctx, call.threads, call.request, call.headers, archive, account_id=caller.account_id)


async def _export(call: Call) -> Response:
    """Send a part of an export; a HEAD needs the plan as well."""
    ctx, caller, admission = call.ctx, call.caller, call.admission
    await admission.enter(kinds.EXPORTS, key=caller.account_id)
    planning = await admission.enter(kinds.ARCHIVE_PLANS, key=caller.account_id)
    part = await call.threads.body(lambda: exports.part_of(ctx, caller, call.query.part), planning)
    return archive_response(ctx, call.threads, call.request, call.headers, part.archive, account_id=caller.account_id)


def _past_file(call: Call) -> Response:
    original = history.past_original(call.ctx, call.caller, call.keys["object_key"], call.query.at)
    return original_response(call.ctx, call.threads, call.request, call.headers, original)


HANDLERS: Final = {
    "past_file": Handler(_past_file, enters=kinds.DOWNLOADS),
    "download": Handler(_download, enters=kinds.DOWNLOADS, at_once=_download_at_once, remembered_ms=_REMEMBERED_MS),
    "thumbnail": Handler(_thumbnail, HandlerKind.ASYNC, at_once=_thumbnail_at_once, remembered_ms=_REMEMBERED_MS),
    "placeholders": use(thumbnails.placeholders, "ctx", "caller", "query", at_once=True),
    "text": Handler(_text, HandlerKind.ASYNC),
    "contents": Handler(_contents, HandlerKind.ASYNC),
    "create_archive": use(archives.create_archive, "ctx", "caller", "body", "origin"),
    "download_archive": Handler(_archive, HandlerKind.ASYNC),
    "download_export": Handler(_export, HandlerKind.ASYNC),
}

"""Thumbnails, and the types of files that can be viewed without downloading them.

Thumbnails are generated on first request, and kept for each account that has the content. They are not shared between
accounts: a fast response would reveal that someone else has the same picture."""

import hashlib
import logging
from base64 import b64encode
from concurrent.futures import Future
from contextlib import suppress
from functools import partial
from typing import Final, Literal

import msgspec

from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.errors import ServiceError, Throttled, codes
from skyshelf.service.files.capture_dates import TooLargeToCopyError, local_file
from skyshelf.service.files.downloads import visible_on_board
from skyshelf.service.integrity import reading
from skyshelf.service.media.pool import MediaBusy, Run
from skyshelf.service.media.protocol import RENDERER, MediaResult, ThumbnailJob
from skyshelf.storage.errors import ObjectMissing
from skyshelf.storage.metadata.contracts.content import KeptThumbnail, ThumbnailKey
from skyshelf.storage.metadata.contracts.files import Version
from skyshelf.storage.metadata.contracts.inspection import ThumbnailRow
from skyshelf.wire.mime_types import TYPE_BY_EXTENSION
from skyshelf.wire.resources.downloads import FileKeysQuery, Placeholder, Placeholders
from skyshelf.wire.resources.feeds import SupportedDocuments, SupportedExtensions

_log = logging.getLogger("skyshelf.storage")

LARGEST_SOURCE = 4 * 1024**3
# A worker may die or take too long because the machine is busy. Retrying at once would double the cost of a file that
# was made to be slow.
RETRY_FAILURE_MS = 24 * 60 * 60 * 1000
BUSY_SECONDS = 5


class Thumbnail(msgspec.Struct, frozen=True, kw_only=True):
    location: str
    size: int
    etag: str
    mime: str
    source_md5: str
    key: ThumbnailKey


class MissingThumbnail(msgspec.Struct, frozen=True):
    """A thumbnail that has yet to be generated, for content whose visibility was checked."""

    account_id: int
    version: Version
    size: int
    form: str

    @property
    def key(self) -> ThumbnailKey:
        return ThumbnailKey(self.account_id, self.version.sha256, self.size, self.form)


def find(
    ctx: ServiceContext, caller: Caller, object_key: str, *, size: int, webp: bool
) -> Thumbnail | MissingThumbnail:
    """Find the thumbnail of a visible file; NO_THUMBNAIL if none can be generated."""
    owner_id, version = _content(ctx, caller, object_key)
    return find_of(ctx, owner_id, version, size=size, webp=webp)


def placeholders(ctx: ServiceContext, caller: Caller, query: FileKeysQuery) -> Placeholders:
    """Return tiny pictures of the caller's own files, as far as they have thumbnails."""
    with ctx.metadata.read() as unit:
        found = unit.thumbnails.placeholders(caller.account_id, query.keys)
    return Placeholders(
        placeholders=[
            Placeholder(object_key=key, image=f"data:image/webp;base64,{b64encode(data).decode()}")
            for key, data in found.items()
        ]
    )


def _content(ctx: ServiceContext, caller: Caller, object_key: str) -> tuple[int, Version]:
    """Return the owner of a file and its content. Owners see thumbnails in their trash as well."""
    with ctx.metadata.read() as unit, suppress(ObjectMissing):
        if unit.tree.get(caller.account_id, object_key).is_folder:
            raise ServiceError(codes.NO_THUMBNAIL)
        return caller.account_id, unit.files.version(caller.account_id, object_key)
    with ctx.metadata.snapshot() as unit:
        stored = visible_on_board(unit, caller, object_key)
        return stored.account_id, unit.files.version(stored.account_id, object_key)


def find_of(
    ctx: ServiceContext, account_id: int, version: Version, *, size: int, webp: bool
) -> Thumbnail | MissingThumbnail:
    """Find the thumbnail of content whose visibility was checked; NO_THUMBNAIL if none can be generated."""
    if not can_have_thumbnail(version.mime_type, version.mime_subtype) or version.size > LARGEST_SOURCE:
        raise ServiceError(codes.NO_THUMBNAIL)
    missing = MissingThumbnail(account_id, version, size, "webp" if webp else "jpeg")
    return _kept(ctx, missing) or missing


def can_have_thumbnail(mime_type: str, mime_subtype: str) -> bool:
    return mime_type == "video" or (mime_type == "image" and mime_subtype != "svg+xml") or mime_subtype == "pdf"


def generate(ctx: ServiceContext, missing: MissingThumbnail) -> "Future[Thumbnail]":
    """Start generating a thumbnail; simultaneous requests for the same one share the work.

    It counts against the owner's share of the workers, because it is the owner's file that may be costly. Throttled if
    too many wait; the future can raise MediaBusy and MediaUnavailable as well.
    """
    try:
        return ctx.media.submit(
            missing.account_id,
            partial(_generate, ctx, missing),
            key=missing.key,
            is_heavy=missing.version.mime_type != "image",
        )
    except MediaBusy:
        raise Throttled(BUSY_SECONDS) from None


def forget(ctx: ServiceContext, found: Thumbnail) -> None:
    """Forget a thumbnail whose stored bytes are damaged or missing; leftovers are swept."""
    _log.error("a thumbnail of %s is damaged or missing, and is generated again", found.key.sha256)
    row = ThumbnailRow(
        found.key.account_id, found.key.sha256, found.key.size, found.key.form, found.location, found.size
    )
    ctx.metadata.write(lambda unit: unit.repair.forget_thumbnail(row))


def _generate(ctx: ServiceContext, missing: MissingThumbnail, run: Run) -> Thumbnail:
    """Generate and keep a thumbnail. Failures are kept as well, so a hostile file costs its time once."""
    # Another size may have failed while this one waited.
    kept = _kept(ctx, missing)
    if kept is not None:
        return kept
    now = ctx.clock.now()

    def room() -> int:
        with ctx.metadata.read() as unit:
            return unit.thumbnails.room(missing.account_id, now)

    has_space = ctx.reservations.disk.has_space() and ctx.reservations.thumbnail_room(missing.account_id, room) > 0
    if not has_space or ctx.mode.now(ctx.metadata) is not None:
        # Not kept: it can be generated once there is space and the store accepts writes.
        raise ServiceError(codes.NO_THUMBNAIL)
    done, retry_at = _render(missing, run, ctx, now)
    data = done.data
    ctx.reservations.thumbnail_room(missing.account_id, room, taken=len(data))
    location = ctx.blobs.put([data], expected_size=len(data)).location if data else ""
    new = KeptThumbnail(location, len(data), RENDERER, retry_at, done.placeholder)
    stored = ctx.metadata.write(lambda unit: unit.thumbnails.keep(missing.key, new, now))
    if location and stored.location != location:  # another instance was faster, or the content was deleted
        ctx.blobs.delete(location)
    return _thumbnail(missing, stored)


def _render(missing: MissingThumbnail, run: Run, ctx: ServiceContext, now: int) -> tuple[MediaResult, int]:
    """Return the image, or nothing if none can be generated, and then when to try again (0 for never)."""
    version = missing.version
    try:
        reading.check(ctx, version.sha256, version.location)
        with local_file(ctx, version.location) as path:
            webp = missing.form == "webp"
            done = run(ThumbnailJob(path, version.mime_type, version.mime_subtype, missing.size, webp))
    except TooLargeToCopyError:
        return MediaResult(), 0
    except reading.DAMAGE as problem:
        reading.report(ctx, version.sha256, version.location, problem)
        # Not kept: it can be generated once the content is restored.
        raise ServiceError(codes.NO_THUMBNAIL) from problem
    if done is None:
        return MediaResult(), now + RETRY_FAILURE_MS
    return done, 0


def _kept(ctx: ServiceContext, missing: MissingThumbnail) -> Thumbnail | None:
    with ctx.metadata.read() as unit:
        kept = unit.thumbnails.get(missing.key)
    if kept is None:
        return None
    is_outdated = kept.renderer != RENDERER or 0 < kept.retry_at <= ctx.clock.now()
    return None if not kept.location and is_outdated else _thumbnail(missing, kept)


def _thumbnail(missing: MissingThumbnail, kept: KeptThumbnail) -> Thumbnail:
    if not kept.location:
        raise ServiceError(codes.NO_THUMBNAIL)
    version, form = missing.version, missing.form
    etag = hashlib.md5(f"{version.sha256} {missing.size} {form}".encode(), usedforsecurity=False).hexdigest()
    return Thumbnail(
        location=kept.location, size=kept.size, etag=etag, mime=f"image/{form}", source_md5=version.md5, key=missing.key
    )


ViewKind = Literal["image", "video", "audio", "pdf", "text"]

# SVG can contain scripts and is in no list.
_BROWSER_IMAGES: Final = {"image/jpeg", "image/png", "image/gif", "image/webp", "image/avif", "image/bmp"}
_THUMBNAIL_IMAGES: Final = {"image/heic", "image/heif", "image/tiff"}
# Containers that current browsers play; only the browser knows whether it plays the codecs inside.
_VIDEOS: Final = {"video/mp4", "video/webm", "video/ogg", "video/quicktime"}
_SOUNDS: Final = {"audio/mpeg", "audio/mp4", "audio/aac", "audio/flac", "audio/ogg", "audio/opus", "audio/wav"}
_PDF: Final = "application/pdf"
_TEXTS: Final = {
    "application/json", "application/geo+json", "application/yaml", "application/toml", "application/xml",
    "application/gpx+xml",
}  # fmt: skip

SAFE_INLINE: Final = frozenset(_BROWSER_IMAGES | _VIDEOS | _SOUNDS | {_PDF})
"""Browsers show these directly, and none of them can run a script on this server's origin."""

_KINDS: Final[dict[str, ViewKind]] = {
    **dict.fromkeys(_BROWSER_IMAGES | _THUMBNAIL_IMAGES, "image"),
    **dict.fromkeys(_VIDEOS, "video"),
    **dict.fromkeys(_SOUNDS, "audio"),
    **dict.fromkeys(_TEXTS, "text"),
    _PDF: "pdf",
}


def view_kind(mime: str) -> ViewKind | None:
    """Return how a page can show files of this type, directly or as a thumbnail; None if only as a download."""
    return "text" if mime.startswith("text/") else _KINDS.get(mime)


def supported_documents() -> SupportedDocuments:
    """List the extensions of files that can be viewed; none can be edited."""
    view = sorted(extension for extension, mime in TYPE_BY_EXTENSION.items() if view_kind(mime))
    return SupportedDocuments(supported_extensions=SupportedExtensions(view=view, edit=[], fav_icon_urls={}))

"""Thumbnails: generated on first request, and kept for each account that has the content.

Only for that account: if they were shared, a fast answer would show that somebody else has the same picture.
"""

import hashlib
import logging
from base64 import b64encode
from concurrent.futures import Future
from contextlib import suppress
from functools import partial

import msgspec

from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.errors import ServiceError, Throttled
from skyshelf.service.files.capture_dates import TooLargeToCopyError, local_file
from skyshelf.service.files.downloads import visible_on_board
from skyshelf.service.integrity import reading
from skyshelf.service.media.limits import RENDERER
from skyshelf.service.media.pool import Run
from skyshelf.service.media.protocol import MediaResult, ThumbnailJob
from skyshelf.service.media.queue import MediaBusy
from skyshelf.storage.errors import ObjectMissing
from skyshelf.storage.metadata.contracts.content import KeptThumbnail, ThumbnailKey
from skyshelf.storage.metadata.contracts.files import Version
from skyshelf.storage.metadata.contracts.inspection import ThumbnailRow
from skyshelf.wire import error_codes as codes
from skyshelf.wire.resources.downloads import Placeholder, Placeholders, PlaceholdersQuery

_log = logging.getLogger("skyshelf.storage")

LARGEST_SOURCE = 4 * 1024**3
# A worker that dies or takes too long may do so because of a busy machine. Trying again at once would double the cost
# of a file that was made for it.
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
    """A thumbnail that has yet to be generated, of content whose visibility was checked."""

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
    """The thumbnail of a visible file, if it is kept; NO_THUMBNAIL where none can be generated."""
    owner_id, version = _content(ctx, caller, object_key)
    return find_of(ctx, owner_id, version, size=size, webp=webp)


def placeholders(ctx: ServiceContext, caller: Caller, query: PlaceholdersQuery) -> Placeholders:
    """Tiny pictures of the caller's own files, as far as they have thumbnails."""
    with ctx.metadata.read() as unit:
        found = unit.thumbnails.placeholders(caller.account_id, query.keys)
    return Placeholders(
        placeholders=[
            Placeholder(object_key=key, image=f"data:image/webp;base64,{b64encode(data).decode()}")
            for key, data in found.items()
        ]
    )


def _content(ctx: ServiceContext, caller: Caller, object_key: str) -> tuple[int, Version]:
    """Whose file it is, and its content. Owners see thumbnails in their trash as well."""
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
    """The same, of content after its visibility was checked."""
    if not can_have_thumbnail(version.mime_type, version.mime_subtype) or version.size > LARGEST_SOURCE:
        raise ServiceError(codes.NO_THUMBNAIL)
    missing = MissingThumbnail(account_id, version, size, "webp" if webp else "jpeg")
    return _kept(ctx, missing) or missing


def can_have_thumbnail(mime_type: str, mime_subtype: str) -> bool:
    return mime_type == "video" or (mime_type == "image" and mime_subtype != "svg+xml") or mime_subtype == "pdf"


def generate(ctx: ServiceContext, missing: MissingThumbnail) -> "Future[Thumbnail]":
    """Have it generated; requests for the same at the same time wait for the same work.

    The owner's share of the workers is used, because it is the owner's file that may be costly. Throttled where too
    many wait; the future can raise MediaBusy and MediaUnavailable as well.
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
    """Forget a thumbnail whose stored bytes are damaged or missing; what is left of them is swept."""
    _log.error("a thumbnail of %s is damaged or missing, and is generated again", found.key.sha256)
    row = ThumbnailRow(
        found.key.account_id, found.key.sha256, found.key.size, found.key.form, found.location, found.size
    )
    ctx.metadata.write(lambda unit: unit.repair.forget_thumbnail(row))


def _generate(ctx: ServiceContext, missing: MissingThumbnail, run: Run) -> Thumbnail:
    """Generate and keep it. Failures are kept as well, so that a hostile file costs its time once."""
    # Another size may have failed while this one waited.
    kept = _kept(ctx, missing)
    if kept is not None:
        return kept
    if not ctx.reservations.disk.has_space() or ctx.mode.now(ctx.metadata) is not None:
        # Not kept: there is one as soon as there is space, and it may be written.
        raise ServiceError(codes.NO_THUMBNAIL)
    now = ctx.clock.now()
    done, retry_at = _render(missing, run, ctx, now)
    data = done.data
    location = ctx.blobs.put([data], expected_size=len(data)).location if data else ""
    new = KeptThumbnail(location, len(data), RENDERER, retry_at, done.placeholder)
    stored = ctx.metadata.write(lambda unit: unit.thumbnails.keep(missing.key, new, now))
    if location and stored.location != location:  # another instance was faster, or the content was deleted
        ctx.blobs.delete(location)
    return _thumbnail(missing, stored)


def _render(missing: MissingThumbnail, run: Run, ctx: ServiceContext, now: int) -> tuple[MediaResult, int]:
    """The image, or nothing where none can be generated; and then when to try again, 0 for never."""
    version = missing.version
    try:
        reading.check(ctx, version.sha256, version.location)
        with local_file(ctx, version.location) as path:
            done = run(
                ThumbnailJob(path, version.mime_type, version.mime_subtype, missing.size, missing.form == "webp")
            )
    except TooLargeToCopyError:
        return MediaResult(), 0
    except reading.DAMAGE as problem:
        reading.report(ctx, version.sha256, version.location, problem)
        # Not kept: there is one as soon as the content is restored.
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

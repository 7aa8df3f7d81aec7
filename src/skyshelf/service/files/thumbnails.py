"""Thumbnails: generated on first request and cached by content, for everybody who may see the content."""

import hashlib
from contextlib import suppress

import msgspec

from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.errors import ServiceError
from skyshelf.service.files.capture_dates import TooLargeToCopyError, local_file
from skyshelf.service.files.downloads import visible_on_board
from skyshelf.service.media.protocol import ThumbnailJob
from skyshelf.storage.errors import ObjectMissing
from skyshelf.storage.metadata.contracts.content import KeptThumbnail
from skyshelf.storage.metadata.contracts.files import Version
from skyshelf.wire import error_codes as codes

LARGEST_SOURCE = 4 * 1024**3


class Thumbnail(msgspec.Struct, frozen=True, kw_only=True):
    location: str
    size: int
    etag: str
    mime: str
    source_md5: str


def thumbnail(ctx: ServiceContext, caller: Caller, object_key: str, *, size: int, webp: bool) -> Thumbnail:
    """The thumbnail of a visible file; NO_THUMBNAIL where none can be generated."""
    return thumbnail_of(ctx, _content(ctx, caller, object_key), size=size, webp=webp)


def _content(ctx: ServiceContext, caller: Caller, object_key: str) -> Version:
    with ctx.metadata.read() as unit, suppress(ObjectMissing):
        if unit.tree.visible(caller.account_id, object_key).is_folder:
            raise ServiceError(codes.NO_THUMBNAIL)
        return unit.files.version(caller.account_id, object_key)
    with ctx.metadata.snapshot() as unit:
        stored = visible_on_board(unit, caller, object_key)
        return unit.files.version(stored.account_id, object_key)


def thumbnail_of(ctx: ServiceContext, version: Version, *, size: int, webp: bool) -> Thumbnail:
    """The thumbnail of content after its visibility was checked."""
    if not can_have_thumbnail(version.mime_type, version.mime_subtype) or version.size > LARGEST_SOURCE:
        raise ServiceError(codes.NO_THUMBNAIL)
    form = "webp" if webp else "jpeg"
    with ctx.metadata.read() as unit:
        kept = unit.thumbnails.get(version.sha256, size, form)
    if kept is None:
        kept = _generate(ctx, version, size, form)
    if not kept.location:
        raise ServiceError(codes.NO_THUMBNAIL)
    etag = hashlib.md5(f"{version.sha256} {size} {form}".encode(), usedforsecurity=False).hexdigest()
    return Thumbnail(location=kept.location, size=kept.size, etag=etag, mime=f"image/{form}", source_md5=version.md5)


def can_have_thumbnail(mime_type: str, mime_subtype: str) -> bool:
    return mime_type == "video" or (mime_type == "image" and mime_subtype != "svg+xml") or mime_subtype == "pdf"


def _render(ctx: ServiceContext, version: Version, size: int, form: str) -> bytes:
    """The image, or nothing where none can be generated.

    A worker may fail for lack of time and not because the file is broken, so it gets a second attempt.
    """
    try:
        with local_file(ctx, version.location) as path:
            job = ThumbnailJob(path, version.mime_type, version.mime_subtype, size, form == "webp")
            done = ctx.media.run(job) or ctx.media.run(job)
    except TooLargeToCopyError:
        return b""
    return done.data if done else b""


def _generate(ctx: ServiceContext, version: Version, size: int, form: str) -> KeptThumbnail:
    """Generate and cache it. Failures are cached as well, so that a broken file costs its time once."""
    data = _render(ctx, version, size, form)
    location = ctx.blobs.put([data], expected_size=len(data)).location if data else ""
    now = ctx.clock.now()
    kept = ctx.metadata.write(
        lambda unit: unit.thumbnails.keep(version.sha256, size, form, KeptThumbnail(location, len(data)), now)
    )
    if location and kept.location != location:  # another request was faster, or the content was deleted
        ctx.blobs.delete(location)
    return kept

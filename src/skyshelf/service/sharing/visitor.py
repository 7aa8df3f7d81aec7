"""Share pages: what a visitor of a share can see, as it is at the moment of the visit."""

import msgspec

from skyshelf.service.context import ServiceContext
from skyshelf.service.errors import ServiceError
from skyshelf.service.files.downloads import Original, original_of
from skyshelf.service.files.thumbnails import Thumbnail, thumbnail_of
from skyshelf.service.files.viewable_types import ViewKind, view_kind
from skyshelf.storage.errors import ObjectMissing
from skyshelf.storage.metadata.contracts.files import Version
from skyshelf.storage.metadata.contracts.shares import Share
from skyshelf.storage.metadata.contracts.tree import StoredObject
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire import error_codes as codes
from skyshelf.wire.keys import is_key

ENTRIES_PER_PAGE = 200
TEXT_PREVIEW_BYTES = 64 * 1024


class FolderView(msgspec.Struct, frozen=True, kw_only=True):
    """A folder, or the several objects of a share where there is no folder around them."""

    folder: StoredObject | None
    trail: list[StoredObject]
    """The shared folders above it, the outermost first."""
    entries: list[StoredObject]
    next_after: str | None
    """The key to go on after; None on the last page."""


class FileView(msgspec.Struct, frozen=True, kw_only=True):
    file: StoredObject
    trail: list[StoredObject]
    kind: ViewKind | None
    text: str | None
    is_cut: bool
    """Whether the text goes on after what is shown."""


def share_view(ctx: ServiceContext, share: Share, object_key: str | None, after: str | None) -> FolderView | FileView:
    """What is at a place of the share: the share's beginning, or an object that it opens.

    A share of one object begins with that object.
    """
    with ctx.metadata.snapshot() as unit:
        if object_key is None:
            top = shared_objects(unit, share)
            if len(share.object_keys) != 1 or not top:
                return _several(top, after)
            stored, trail = shared_object(unit, share, top[0].object_key)
        else:
            stored, trail = shared_object(unit, share, object_key)
        if stored.is_folder:
            return _folder(unit, stored, trail, after)
        version = unit.files.version(share.account_id, stored.object_key)
    kind = view_kind(f"{stored.mime_type}/{stored.mime_subtype}")
    text, is_cut = _beginning(ctx, version) if kind == "text" else (None, False)
    return FileView(file=stored, trail=trail, kind=kind, text=text, is_cut=is_cut)


def shared_original(ctx: ServiceContext, share: Share, object_key: str) -> Original:
    """The content of a file that the share opens."""
    with ctx.metadata.snapshot() as unit:
        return original_of(unit, _shared_file(unit, share, object_key))


def shared_thumbnail(ctx: ServiceContext, share: Share, object_key: str, *, size: int, webp: bool) -> Thumbnail:
    """The thumbnail of a file that the share opens; refused where none can be made."""
    with ctx.metadata.snapshot() as unit:
        stored = _shared_file(unit, share, object_key)
        version = unit.files.version(share.account_id, stored.object_key)
    return thumbnail_of(ctx, version, size=size, webp=webp)


def _shared_file(unit: Unit, share: Share, object_key: str) -> StoredObject:
    stored, _ = shared_object(unit, share, object_key)
    if stored.is_folder:
        raise ServiceError(codes.OBJECT_NOT_FOUND)
    return stored


def title_of(stored: StoredObject) -> str:
    """What an object is called on a page; the root of an account has no name that means anything."""
    return "Files" if stored.parent_key is None else stored.name


def shared_object(unit: Unit, share: Share, object_key: str) -> tuple[StoredObject, list[StoredObject]]:
    """An object that the share opens, itself or by a folder above it, and the shared folders above it."""
    if not is_key(object_key):
        raise ServiceError(codes.OBJECT_NOT_FOUND)
    try:
        stored = unit.tree.visible(share.account_id, object_key.upper())
        path = [*unit.tree.ancestors(share.account_id, stored.object_key), stored]
    except ObjectMissing as missing:
        raise ServiceError(codes.OBJECT_NOT_FOUND) from missing
    opened = set(share.object_keys)
    for place, one in enumerate(path):
        if one.object_key in opened:
            return stored, path[place:-1]
    raise ServiceError(codes.OBJECT_NOT_FOUND)


def shared_objects(unit: Unit, share: Share) -> list[StoredObject]:
    """The objects that the share names and that can be seen now, in its order."""
    seen = unit.tree.visible_many(share.account_id, share.object_keys)
    return [seen[key] for key in share.object_keys if key in seen]


def _several(objects: list[StoredObject], after: str | None) -> FolderView:
    keys = [one.object_key for one in objects]
    start = keys.index(after.upper()) + 1 if after is not None and after.upper() in keys else 0
    return _view(None, [], objects[start : start + ENTRIES_PER_PAGE + 1])


def _folder(unit: Unit, folder: StoredObject, trail: list[StoredObject], after: str | None) -> FolderView:
    last = None
    if after is not None and is_key(after):
        found = unit.tree.visible_many(folder.account_id, [after.upper()])
        last = next((one for one in found.values() if one.parent_key == folder.object_key), None)
    entries = unit.tree.children(folder.account_id, folder.object_key, after=last, limit=ENTRIES_PER_PAGE + 1)
    return _view(folder, trail, entries)


def _view(folder: StoredObject | None, trail: list[StoredObject], found: list[StoredObject]) -> FolderView:
    entries = found[:ENTRIES_PER_PAGE]
    next_after = entries[-1].object_key if len(found) > ENTRIES_PER_PAGE else None
    return FolderView(folder=folder, trail=trail, entries=entries, next_after=next_after)


def _beginning(ctx: ServiceContext, version: Version) -> tuple[str, bool]:
    """The first lines of a text, and whether there are more."""
    length = min(version.size, TEXT_PREVIEW_BYTES)
    stream = ctx.blobs.read(version.location, 0, length)
    try:
        data = b"".join(stream)
    finally:
        stream.close()
    is_cut = version.size > length
    if is_cut:
        # The cut may split the last character; what is left of it would look broken.
        data = data[: data.rfind(b"\n") + 1 or len(data)]
    return data.decode("utf-8-sig", "replace"), is_cut

"""A visitor's view of a share: its folders, files and previews at the moment of the visit."""

import msgspec

from skyshelf.service.context import ServiceContext
from skyshelf.service.errors import ServiceError
from skyshelf.service.files.downloads import Original, original_of
from skyshelf.service.files.thumbnails import MissingThumbnail, Thumbnail, find_of
from skyshelf.service.files.viewable_types import ViewKind, view_kind
from skyshelf.service.integrity import reading
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
    """A folder, or the top level of a share of several objects."""

    folder: StoredObject | None
    trail: list[StoredObject]
    """The shared folders above it, outermost first."""
    entries: list[StoredObject]
    next_after: str | None
    """The key after which the next page starts; None on the last page."""


class FileView(msgspec.Struct, frozen=True, kw_only=True):
    file: StoredObject
    trail: list[StoredObject]
    kind: ViewKind | None
    text: str | None
    is_cut: bool
    """Whether only the beginning of the text is shown."""


def share_view(ctx: ServiceContext, share: Share, object_key: str | None, after: str | None) -> FolderView | FileView:
    """The view of the share's top level, or of an object in it.

    The top level of a share of one object is that object.
    """
    with ctx.metadata.snapshot() as unit:
        if object_key is None:
            top = shared_objects(unit, share)
            if len(share.object_keys) != 1 or not top:
                return _top_level(top, after)
            stored, trail = shared_object(unit, share, top[0].object_key)
        else:
            stored, trail = shared_object(unit, share, object_key)
        if stored.is_folder:
            return _folder_view(unit, stored, trail, after)
        version = unit.files.version(share.account_id, stored.object_key)
    kind = view_kind(f"{stored.mime_type}/{stored.mime_subtype}")
    text, is_cut = _beginning(ctx, version) if kind == "text" else (None, False)
    return FileView(file=stored, trail=trail, kind=kind, text=text, is_cut=is_cut)


def shared_original(ctx: ServiceContext, share: Share, object_key: str) -> Original:
    """The content of a shared file."""
    with ctx.metadata.snapshot() as unit:
        return original_of(unit, _shared_file(unit, share, object_key))


def shared_thumbnail(
    ctx: ServiceContext, share: Share, object_key: str, *, size: int, webp: bool
) -> Thumbnail | MissingThumbnail:
    """The thumbnail of a shared file, if it is kept; NO_THUMBNAIL where none can be generated."""
    with ctx.metadata.snapshot() as unit:
        stored = _shared_file(unit, share, object_key)
        version = unit.files.version(share.account_id, stored.object_key)
    return find_of(ctx, share.account_id, version, size=size, webp=webp)


def _shared_file(unit: Unit, share: Share, object_key: str) -> StoredObject:
    stored, _ = shared_object(unit, share, object_key)
    if stored.is_folder:
        raise ServiceError(codes.OBJECT_NOT_FOUND)
    return stored


def shared_object(unit: Unit, share: Share, object_key: str) -> tuple[StoredObject, list[StoredObject]]:
    """An object that is shared directly or inside a shared folder, and the shared folders above it."""
    if not is_key(object_key):
        raise ServiceError(codes.OBJECT_NOT_FOUND)
    try:
        stored = unit.tree.visible(share.account_id, object_key.upper())
        path = [*unit.tree.ancestors(share.account_id, stored.object_key), stored]
    except ObjectMissing as missing:
        raise ServiceError(codes.OBJECT_NOT_FOUND) from missing
    shared = set(share.object_keys)
    for depth, step in enumerate(path):
        if step.object_key in shared:
            return stored, path[depth:-1]
    raise ServiceError(codes.OBJECT_NOT_FOUND)


def shared_objects(unit: Unit, share: Share) -> list[StoredObject]:
    """The share's objects that are visible now, in its order."""
    visible = unit.tree.visible_many(share.account_id, share.object_keys)
    return [visible[key] for key in share.object_keys if key in visible]


def _top_level(objects: list[StoredObject], after: str | None) -> FolderView:
    keys = [one.object_key for one in objects]
    start = keys.index(after.upper()) + 1 if after is not None and after.upper() in keys else 0
    return _page(None, [], objects[start : start + ENTRIES_PER_PAGE + 1])


def _folder_view(unit: Unit, folder: StoredObject, trail: list[StoredObject], after: str | None) -> FolderView:
    last = None
    if after is not None and is_key(after):
        found = unit.tree.visible_many(folder.account_id, [after.upper()])
        last = next((one for one in found.values() if one.parent_key == folder.object_key), None)
    entries = unit.tree.children(folder.account_id, folder.object_key, after=last, limit=ENTRIES_PER_PAGE + 1)
    return _page(folder, trail, entries)


def _page(folder: StoredObject | None, trail: list[StoredObject], found: list[StoredObject]) -> FolderView:
    entries = found[:ENTRIES_PER_PAGE]
    next_after = entries[-1].object_key if len(found) > ENTRIES_PER_PAGE else None
    return FolderView(folder=folder, trail=trail, entries=entries, next_after=next_after)


def _beginning(ctx: ServiceContext, version: Version) -> tuple[str, bool]:
    """The first lines of a text, and whether it was cut."""
    length = min(version.size, TEXT_PREVIEW_BYTES)
    stream = reading.read(ctx, version.sha256, version.location, version.size, length=length)
    try:
        data = b"".join(stream)
    finally:
        stream.close()
    is_cut = version.size > length
    if is_cut:
        # The cut may split the last character, which would look broken.
        data = data[: data.rfind(b"\n") + 1 or len(data)]
    return data.decode("utf-8-sig", "replace"), is_cut

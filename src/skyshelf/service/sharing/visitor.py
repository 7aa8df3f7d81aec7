"""A visitor's view of a share: its folders, files and previews at the moment of the visit."""

import msgspec

from skyshelf.service.context import ServiceContext
from skyshelf.service.errors import ServiceError
from skyshelf.service.files.downloads import Original, original_of
from skyshelf.service.files.thumbnails import MissingThumbnail, Thumbnail, find_of
from skyshelf.service.files.viewable_types import ViewKind, view_kind
from skyshelf.service.integrity import reading
from skyshelf.storage.errors import ObjectMissing
from skyshelf.storage.metadata.contracts.boards import Board
from skyshelf.storage.metadata.contracts.files import Version
from skyshelf.storage.metadata.contracts.shares import SEND, Share
from skyshelf.storage.metadata.contracts.tree import StoredObject
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire import error_codes as codes
from skyshelf.wire.keys import is_key
from skyshelf.wire.limits import ARCHIVE_ENTRIES_MAX

ENTRIES_PER_PAGE = 200
TEXT_PREVIEW_BYTES = 64 * 1024


class FolderView(msgspec.Struct, frozen=True, kw_only=True):
    """A folder, a board, or the top level of a share of several objects."""

    sharer: str
    folder: StoredObject | None = None
    board: Board | None = None
    trail: list[StoredObject]
    """The shared folders above it, outermost first."""
    entries: list[StoredObject]
    next_after: str | None
    """The key after which the next page starts; None on the last page."""
    shapes: dict[str, tuple[int, int]]
    """Width and height of the pictures and videos, as far as they are known."""
    guests: dict[str, str]
    """Who sent which of the entries through a link."""


class FileView(msgspec.Struct, frozen=True, kw_only=True):
    sharer: str
    file: StoredObject
    board: Board | None
    trail: list[StoredObject]
    kind: ViewKind | None
    text: str | None
    is_cut: bool
    """Whether only the beginning of the text is shown."""
    before: str | None
    after: str | None
    """The keys of the files beside it."""
    guest: str | None


def share_view(ctx: ServiceContext, share: Share, object_key: str | None, after: str | None) -> FolderView | FileView:
    """The view of the share's top level, or of an object in it.

    The top level of a share of one object is that object.
    """
    with ctx.metadata.snapshot() as unit:
        if object_key is None and share.board_key is not None:
            return _board_view(unit, share, share.board_key, after)
        if object_key is None:
            top = shared_objects(unit, share)
            if len(share.object_keys) != 1 or not top:
                return _top_level(unit, share, top, after)
            stored, trail = shared_object(unit, share, top[0].object_key)
        else:
            stored, trail = shared_object(unit, share, object_key)
        if stored.is_folder:
            return _folder_view(unit, share, stored, trail, after)
        version = unit.files.version(stored.account_id, stored.object_key)
        board = None if share.board_key is None else unit.boards.get(share.account_id, share.board_key)
        beside = _beside(unit, share, stored, trail)
        guests, sharer = _guests(unit, [stored]), sharer_of(unit, share)
    kind = view_kind(f"{stored.mime_type}/{stored.mime_subtype}")
    text, is_cut = _beginning(ctx, version) if kind == "text" else (None, False)
    return FileView(
        sharer=sharer,
        file=stored,
        board=board,
        trail=trail,
        kind=kind,
        text=text,
        is_cut=is_cut,
        before=beside[0],
        after=beside[1],
        guest=guests.get(stored.object_key),
    )


def sharer_of(unit: Unit, share: Share) -> str:
    """Who shares: the first name alone."""
    return unit.accounts.by_id(share.account_id).first_name


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
        version = unit.files.version(stored.account_id, stored.object_key)
    return find_of(ctx, stored.account_id, version, size=size, webp=webp)


def _shared_file(unit: Unit, share: Share, object_key: str) -> StoredObject:
    stored, _ = shared_object(unit, share, object_key)
    if stored.is_folder:
        raise ServiceError(codes.OBJECT_NOT_FOUND)
    return stored


def shared_object(unit: Unit, share: Share, object_key: str) -> tuple[StoredObject, list[StoredObject]]:
    """An object that is shared directly, on a board or inside a shared folder, and the shared folders above it."""
    if not is_key(object_key) or share.rights == SEND:
        raise ServiceError(codes.OBJECT_NOT_FOUND)
    if share.board_key is not None:
        item = unit.board_items.in_gallery(share.board_key, object_key.upper())
        if item is None:
            raise ServiceError(codes.OBJECT_NOT_FOUND)
        return item, []
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
    """The share's objects that are visible now, in its order; one more than an archive has at most, on a board."""
    if share.rights == SEND:
        return []
    if share.board_key is not None:
        return unit.board_items.gallery(share.board_key, limit=ARCHIVE_ENTRIES_MAX + 1)
    visible = unit.tree.visible_many(share.account_id, share.object_keys)
    return [visible[key] for key in share.object_keys if key in visible]


def _board_view(unit: Unit, share: Share, board_key: str, after: str | None) -> FolderView:
    last = None if after is None or not is_key(after) else unit.board_items.in_gallery(board_key, after.upper())
    found = unit.board_items.gallery(board_key, limit=ENTRIES_PER_PAGE + 1, after=last)
    return _page(unit, share, None, [], found, board=unit.boards.get(share.account_id, board_key))


def _top_level(unit: Unit, share: Share, objects: list[StoredObject], after: str | None) -> FolderView:
    keys = [one.object_key for one in objects]
    start = keys.index(after.upper()) + 1 if after is not None and after.upper() in keys else 0
    return _page(unit, share, None, [], objects[start : start + ENTRIES_PER_PAGE + 1])


def _folder_view(
    unit: Unit, share: Share, folder: StoredObject, trail: list[StoredObject], after: str | None
) -> FolderView:
    last = None
    if after is not None and is_key(after):
        found = unit.tree.visible_many(folder.account_id, [after.upper()])
        last = next((one for one in found.values() if one.parent_key == folder.object_key), None)
    entries = unit.tree.children(folder.account_id, folder.object_key, after=last, limit=ENTRIES_PER_PAGE + 1)
    return _page(unit, share, folder, trail, entries)


def _page(
    unit: Unit,
    share: Share,
    folder: StoredObject | None,
    trail: list[StoredObject],
    found: list[StoredObject],
    *,
    board: Board | None = None,
) -> FolderView:
    entries = found[:ENTRIES_PER_PAGE]
    next_after = entries[-1].object_key if len(found) > ENTRIES_PER_PAGE else None
    return FolderView(
        sharer=sharer_of(unit, share),
        folder=folder,
        board=board,
        trail=trail,
        entries=entries,
        next_after=next_after,
        shapes=_shapes(unit, entries),
        guests=_guests(unit, entries),
    )


def _beside(unit: Unit, share: Share, stored: StoredObject, trail: list[StoredObject]) -> tuple[str | None, str | None]:
    """The files before and after one, in the order in which the page above shows them."""
    if share.board_key is not None:
        return unit.board_items.beside(share.board_key, stored)
    if trail and stored.parent_key is not None:
        owner, folder = stored.account_id, stored.parent_key
        before = unit.tree.children(owner, folder, after=stored, limit=1, backwards=True)
        after = unit.tree.children(owner, folder, after=stored, limit=1)
        return _file_key(before), _file_key(after)
    files = [one.object_key for one in shared_objects(unit, share) if not one.is_folder]
    at = files.index(stored.object_key)
    return files[at - 1] if at else None, files[at + 1] if at + 1 < len(files) else None


def _file_key(found: list[StoredObject]) -> str | None:
    return found[0].object_key if found and not found[0].is_folder else None


def _shapes(unit: Unit, entries: list[StoredObject]) -> dict[str, tuple[int, int]]:
    owners: dict[int, list[str]] = {}
    for one in entries:
        if one.mime_type in {"image", "video"}:
            owners.setdefault(one.account_id, []).append(one.object_key)
    shapes: dict[str, tuple[int, int]] = {}
    for owner, keys in owners.items():
        for photo in unit.photos.of_objects(owner, keys):
            if photo.facts.width and photo.facts.height:
                shapes[photo.object_key] = photo.facts.width, photo.facts.height
    return shapes


def _guests(unit: Unit, entries: list[StoredObject]) -> dict[str, str]:
    files = [(one.account_id, one.object_key) for one in entries if not one.is_folder]
    found = unit.shares.guest_files(files) if files else {}
    return {key: guest.guest_name for key, guest in found.items() if guest.guest_name}


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

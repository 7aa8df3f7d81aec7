"""A visitor's view of a share: its folders, files, previews and archive at the moment of the visit."""

from collections.abc import Sequence
from contextlib import closing

import msgspec

from skyshelf.service.archives.archive import Archive, plan_of
from skyshelf.service.context import ServiceContext
from skyshelf.service.errors import ServiceError, codes, missing_as
from skyshelf.service.files.downloads import Original, original_of
from skyshelf.service.files.thumbnails import MissingThumbnail, Thumbnail, ViewKind, find_of, view_kind
from skyshelf.service.integrity import reading
from skyshelf.storage.errors import ObjectMissing
from skyshelf.storage.metadata.contracts.boards import Board
from skyshelf.storage.metadata.contracts.files import Version
from skyshelf.storage.metadata.contracts.shares import SEND, Share
from skyshelf.storage.metadata.contracts.tree import StoredObject
from skyshelf.storage.metadata.store import Unit
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
    """Width and height of pictures and videos, if known."""
    guests: dict[str, str]
    """Names of guests by the key of the file that they sent."""


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
    """Return the view of the share's top level, or of an object in it.

    The top level of a share of one object is that object.
    """
    last = (after or "").upper()
    with ctx.metadata.snapshot() as unit:
        if object_key is None and share.board_key is not None:
            return _board_view(unit, share, share.board_key, last)
        if object_key is None:
            top = shared_objects(unit, share)
            if len(share.object_keys) != 1 or not top:
                return _top_level(unit, share, top, last)
            object_key = top[0].object_key
        stored, trail = shared_object(unit, share, object_key)
        if stored.is_folder:
            return _folder_view(unit, share, stored, trail, last)
        version = unit.files.version(stored.account_id, stored.object_key)
        board = None if share.board_key is None else unit.boards.get(share.account_id, share.board_key)
        before, following = _beside(unit, share, stored, trail)
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
        before=before,
        after=following,
        guest=guests.get(stored.object_key),
    )


def sharer_of(unit: Unit, share: Share) -> str:
    return unit.accounts.by_id(share.account_id).first_name


def shared_original(ctx: ServiceContext, share: Share, object_key: str) -> Original:
    with ctx.metadata.snapshot() as unit:
        return original_of(unit, _shared_file(unit, share, object_key))


def shared_thumbnail(
    ctx: ServiceContext, share: Share, object_key: str, *, size: int, webp: bool
) -> Thumbnail | MissingThumbnail:
    """Find the thumbnail of a shared file; NO_THUMBNAIL if none can be generated."""
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
    """Return an object that is shared directly, on a board or in a shared folder, and the shared folders above it."""
    if not is_key(object_key) or share.rights == SEND:
        raise ServiceError(codes.OBJECT_NOT_FOUND)
    if share.board_key is not None:
        item = unit.board_items.in_gallery(share.board_key, object_key.upper())
        if item is None:
            raise ServiceError(codes.OBJECT_NOT_FOUND)
        return item, []
    with missing_as(codes.OBJECT_NOT_FOUND, ObjectMissing):
        stored = unit.tree.visible(share.account_id, object_key.upper())
        path = [*unit.tree.ancestors(share.account_id, stored.object_key), stored]
    shared = set(share.object_keys)
    for depth, step in enumerate(path):
        if step.object_key in shared:
            return stored, path[depth:-1]
    raise ServiceError(codes.OBJECT_NOT_FOUND)


def shared_objects(unit: Unit, share: Share) -> list[StoredObject]:
    """Return the share's visible objects in order; for a board, at most one more than an archive may have."""
    if share.rights == SEND:
        return []
    if share.board_key is not None:
        return unit.board_items.gallery(share.board_key, limit=ARCHIVE_ENTRIES_MAX + 1)
    visible = unit.tree.visible_many(share.account_id, share.object_keys)
    return [visible[key] for key in share.object_keys if key in visible]


def _board_view(unit: Unit, share: Share, board_key: str, after: str) -> FolderView:
    last = unit.board_items.in_gallery(board_key, after) if is_key(after) else None
    found = unit.board_items.gallery(board_key, limit=ENTRIES_PER_PAGE + 1, after=last)
    return _page(unit, share, found, board=unit.boards.get(share.account_id, board_key))


def _top_level(unit: Unit, share: Share, objects: list[StoredObject], after: str) -> FolderView:
    keys = [one.object_key for one in objects]
    start = keys.index(after) + 1 if after in keys else 0
    return _page(unit, share, objects[start : start + ENTRIES_PER_PAGE + 1])


def _folder_view(unit: Unit, share: Share, folder: StoredObject, trail: list[StoredObject], after: str) -> FolderView:
    found = unit.tree.visible_many(folder.account_id, [after]) if is_key(after) else {}
    last = next((one for one in found.values() if one.parent_key == folder.object_key), None)
    entries = unit.tree.children(folder.account_id, folder.object_key, after=last, limit=ENTRIES_PER_PAGE + 1)
    return _page(unit, share, entries, folder=folder, trail=trail)


def _page(
    unit: Unit,
    share: Share,
    found: Sequence[StoredObject],
    *,
    folder: StoredObject | None = None,
    trail: Sequence[StoredObject] = (),
    board: Board | None = None,
) -> FolderView:
    entries = list(found[:ENTRIES_PER_PAGE])
    return FolderView(
        sharer=sharer_of(unit, share),
        folder=folder,
        board=board,
        trail=list(trail),
        entries=entries,
        next_after=entries[-1].object_key if len(found) > ENTRIES_PER_PAGE else None,
        shapes=_shapes(unit, entries),
        guests=_guests(unit, entries),
    )


def _beside(unit: Unit, share: Share, stored: StoredObject, trail: list[StoredObject]) -> tuple[str | None, str | None]:
    """Return the keys of the previous and next file, in the order of the page above."""
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
    return {
        photo.object_key: (photo.facts.width, photo.facts.height)
        for owner, keys in owners.items()
        for photo in unit.photos.of_objects(owner, keys)
        if photo.facts.width and photo.facts.height
    }


def _guests(unit: Unit, entries: list[StoredObject]) -> dict[str, str]:
    files = [(one.account_id, one.object_key) for one in entries if not one.is_folder]
    found = unit.shares.guest_files(files) if files else {}
    return {key: guest.guest_name for key, guest in found.items() if guest.guest_name}


def _beginning(ctx: ServiceContext, version: Version) -> tuple[str, bool]:
    """Return the first lines of a text, and whether it was cut."""
    length = min(version.size, TEXT_PREVIEW_BYTES)
    with closing(reading.read(ctx, version.sha256, version.location, version.size, length=length)) as stream:
        data = b"".join(stream)
    is_cut = version.size > length
    if is_cut:
        # The cut may split the last character, which would look broken.
        data = data[: data.rfind(b"\n") + 1 or len(data)]
    return data.decode("utf-8-sig", "replace"), is_cut


def plan_share_archive(ctx: ServiceContext, share: Share, object_key: str | None) -> Archive:
    """Plan the archive of a whole share, or of one object in it."""
    with ctx.metadata.snapshot() as unit:
        top = shared_objects(unit, share) if object_key is None else [shared_object(unit, share, object_key)[0]]
        return plan_of(unit, top, share.board_name or share.name)

"""What each operation does to a shelf, and what it must answer: the rules of the store once more, in memory."""

from tests.crash.contents import Content
from tests.crash.operations import (
    AddFolder,
    BeginUpload,
    Change,
    ChangeTree,
    DeleteBatch,
    DiscardUpload,
    EmptyTrash,
    FinishUpload,
    MarkForDeletion,
    OpenAccount,
    Operation,
    PutFile,
    PutOwned,
    ReleaseIdle,
    Restore,
    SendChunk,
)
from tests.crash.shelf import ACTIVE, TRASHED, Shelf, Thing, UnfinishedUpload

from skyshelf.storage.metadata.contracts import changes as feed
from skyshelf.wire.names import numbered

VERSIONS_KEPT = 3
NOT_OWNED = "not owned"
GONE = "gone"


def described(
    *, object_key: str, parent_key: str, name: str, status: str, favorite: bool, version: int, sha256: str | None
) -> str:
    """An object in one line, made from a row or from a thing: equal lines are equal objects."""
    return f"{object_key} in {parent_key} {status} {favorite} v{version} {sha256} {name}"


def expect(shelf: Shelf, operation: Operation) -> list[str]:
    """Apply the operation to the shelf; the outcome that the writer must report."""
    match operation:
        case OpenAccount():
            shelf.accounts[operation.account_key] = operation.root_key
            return [operation.account_key]
        case AddFolder():
            return [_add_folder(shelf, operation)]
        case PutFile():
            return [_put(shelf, operation.object_key, operation.parent_key, operation.name, operation.content)]
        case PutOwned():
            if not shelf.owns_content(operation.content):
                return [NOT_OWNED]
            return [_put(shelf, operation.object_key, operation.parent_key, operation.name, operation.content)]
        case ChangeTree():
            return [_change(shelf, change) for change in operation.changes]
        case Restore():
            return [_restore(shelf, key) for key in operation.object_keys]
        case MarkForDeletion():
            return _mark_for_deletion(shelf, operation.object_keys)
        case EmptyTrash():
            return _empty_trash(shelf)
        case BeginUpload():
            return [_begin(shelf, operation)]
        case SendChunk():
            upload = shelf.uploads[operation.upload_key]
            upload.received += operation.size
            return [str(upload.received)]
        case FinishUpload():
            return [_finish(shelf, operation)]
        case DiscardUpload():
            del shelf.uploads[operation.upload_key]
            return [GONE]
        case DeleteBatch() | ReleaseIdle():
            return []


def thing_line(thing: Thing) -> str:
    return described(
        object_key=thing.object_key,
        parent_key=thing.parent_key,
        name=thing.name,
        status=thing.status,
        favorite=thing.favorite,
        version=thing.version,
        sha256=thing.content.sha256 if thing.content else None,
    )


def _add_folder(shelf: Shelf, operation: AddFolder) -> str:
    if not shelf.is_visible(operation.parent_key):
        return "ObjectMissing"
    if shelf.holder(operation.parent_key, operation.name) is not None:
        return "NameTaken"
    thing = Thing(operation.object_key, operation.parent_key, operation.name, is_folder=True)
    shelf.things[thing.object_key] = thing
    shelf.feed.append((feed.CREATED, thing.object_key))
    return thing_line(thing)


def _put(shelf: Shelf, object_key: str, parent_key: str, name: str, content: Content) -> str:
    if not shelf.is_visible(parent_key):
        return "ObjectMissing"
    thing = shelf.holder(parent_key, name)
    if thing is None:
        thing = Thing(object_key, parent_key, name, is_folder=False, versions={1: content}, put_as=name)
        shelf.things[object_key] = thing
        shelf.feed.append((feed.CREATED, object_key))
        return thing_line(thing)
    if thing.is_folder:
        return "NameTaken"
    thing.version += 1
    thing.put_as = name
    kept = {number: held for number, held in thing.versions.items() if number > thing.version - VERSIONS_KEPT}
    thing.versions = {**kept, thing.version: content}
    shelf.feed.append((feed.CONTENT, thing.object_key))
    return thing_line(thing)


def _change(shelf: Shelf, change: Change) -> str:
    thing = shelf.things.get(change.object_key)
    if thing is None:
        return "ObjectMissing"
    match change.kind:
        case "favorite":
            if thing.favorite != bool(change.value):
                thing.favorite = bool(change.value)
                shelf.feed.append((feed.FAVORITE, thing.object_key))
        case "trash":
            if thing.status == ACTIVE:
                thing.status = TRASHED
                shelf.feed.append((feed.TRASHED, thing.object_key))
        case "rename":
            return _relocate(shelf, thing, thing.parent_key, change.value, feed.RENAMED)
        case "move":
            return _refused_target(shelf, thing, change.value) or _relocate(
                shelf, thing, change.value, thing.name, feed.MOVED
            )
    return thing_line(thing)


def _refused_target(shelf: Shelf, thing: Thing, target_key: str) -> str | None:
    if target_key == shelf.root_key:
        return None
    target = shelf.things.get(target_key)
    if target is None or target.status != ACTIVE:
        return "ObjectMissing"
    if not target.is_folder:
        return "NotAFolder"
    if shelf.is_at_or_below(target_key, thing.object_key):
        return "WouldCycle"
    return None if shelf.is_visible(target_key) else "ObjectMissing"


def _relocate(shelf: Shelf, thing: Thing, parent_key: str, name: str, kind: str) -> str:
    if (thing.parent_key, thing.name) == (parent_key, name):
        return thing_line(thing)
    holder = shelf.holder(parent_key, name)
    if thing.status == ACTIVE and holder is not None and holder is not thing:
        return "NameTaken"
    thing.parent_key, thing.name = parent_key, name
    shelf.feed.append((kind, thing.object_key))
    return thing_line(thing)


def _restore(shelf: Shelf, key: str) -> str:
    thing = shelf.things.get(key)
    if thing is None:
        return "ObjectMissing"
    if thing.status == ACTIVE:
        return thing_line(thing) if shelf.is_visible(key) else "ObjectMissing"
    folder = thing.parent_key if shelf.is_visible(thing.parent_key) else shelf.root_key
    name, copies = thing.name, 0
    while shelf.holder(folder, name) is not None:
        copies += 1
        name = numbered(thing.name, copies)
    thing.parent_key, thing.name, thing.status = folder, name, ACTIVE
    shelf.feed.append((feed.RESTORED, key))
    return thing_line(thing)


def _mark_for_deletion(shelf: Shelf, keys: list[str]) -> list[str]:
    marked = [key for key in keys if key in shelf.things and shelf.things[key].status == TRASHED]
    _mark(shelf, marked)
    shelf.feed += [(feed.PURGED, key) for key in marked]
    return marked


def _empty_trash(shelf: Shelf) -> list[str]:
    trashed = [key for key, thing in shelf.things.items() if thing.status == TRASHED]
    if trashed:
        _mark(shelf, trashed)
        shelf.feed.append((feed.EMPTIED, shelf.root_key))
    return []


def _mark(shelf: Shelf, keys: list[str]) -> None:
    gone = {below for key in keys for below in shelf.goes_with(key)}
    shelf.things = {key: thing for key, thing in shelf.things.items() if key not in gone}
    shelf.given_up |= gone


def _begin(shelf: Shelf, operation: BeginUpload) -> str:
    if not shelf.is_visible(operation.parent_key):
        return "ObjectMissing"
    same = (operation.parent_key, operation.name, operation.content.size, operation.content.md5)
    for upload in shelf.uploads.values():
        if (upload.parent_key, upload.name, upload.content.size, upload.content.md5) == same:
            return f"{upload.upload_key} at {upload.received}"
    shelf.uploads[operation.upload_key] = UnfinishedUpload(
        operation.upload_key, operation.parent_key, operation.name, operation.content
    )
    return f"{operation.upload_key} at 0"


def _finish(shelf: Shelf, operation: FinishUpload) -> str:
    upload = shelf.uploads[operation.upload_key]
    outcome = _put(shelf, operation.object_key, upload.parent_key, upload.name, upload.content)
    if outcome not in {"ObjectMissing", "NameTaken"}:
        del shelf.uploads[operation.upload_key]
    return outcome

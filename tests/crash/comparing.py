"""A shelf compared with what was found: nothing may be missing, and nothing may be added."""

from collections.abc import Iterable, Iterator

import msgspec
from tests.crash.expecting import thing_line
from tests.crash.found import Found, UploadFound
from tests.crash.hands import object_line
from tests.crash.shelf import TRASHED, Shelf, Thing

from skyshelf.storage.metadata.contracts.tree import PURGING, StoredObject
from skyshelf.wire.names import split_mime


def differences(shelf: Shelf, found: Found) -> list[str]:
    """Each difference as a sentence; none when the worker's part is exactly as expected."""
    who = f"worker {shelf.worker}"
    return [
        f"{who}: {difference}"
        for part in (_objects(shelf, found), _uploads(shelf, found), _feed(shelf, found), _accounts(shelf, found))
        for difference in part
    ]


def strangers(shelves: Iterable[Shelf], found: Found) -> list[str]:
    """What belongs to no worker at all: the workers' own are compared shelf by shelf."""
    workers = {shelf.worker for shelf in shelves}
    roots = {root for _, root in found.accounts.values()}
    keys = (found.objects.keys() - roots) | found.uploads.keys()
    return [f"nobody made {key}" for key in sorted(keys) if int(key[-2:], 16) not in workers]


def _objects(shelf: Shelf, found: Found) -> Iterator[str]:
    for key, thing in shelf.things.items():
        stored = found.objects.get(key)
        if stored is None or stored.account_id != shelf.account_id:
            yield f"lost: {thing_line(thing)}"
            continue
        if object_line(stored) != thing_line(_as_it_may_be(shelf, thing, stored)):
            yield f"expected: {thing_line(thing)}; found: {object_line(stored)}"
        if not thing.is_folder:
            yield from _versions(thing, stored, found)
    for key, stored in found.objects.items():
        expected = key in shelf.things or key in shelf.given_up
        if stored.account_id == shelf.account_id and shelf.owns(key) and not expected:
            yield f"not expected: {object_line(stored)}"
    for key in shelf.given_up & found.objects.keys():
        # Objects below a marked folder keep their status until they are purged, but are no longer visible.
        if _can_be_seen(found.objects[key], found):
            yield f"given up, and still to be seen: {object_line(found.objects[key])}"


def _as_it_may_be(shelf: Shelf, thing: Thing, stored: StoredObject) -> Thing:
    """A thing in the trash whose folder is given up comes to the root when somebody purges that folder."""
    orphaned = thing.status == TRASHED and thing.parent_key in shelf.given_up
    if orphaned and stored.parent_key == shelf.root_key:
        return msgspec.structs.replace(thing, parent_key=shelf.root_key)
    return thing


def _versions(thing: Thing, stored: StoredObject, found: Found) -> Iterator[str]:
    expected = {number: (held.sha256, held.md5, held.size) for number, held in thing.versions.items()}
    versions = found.versions.get(thing.object_key, {})
    if versions != expected:
        yield f"versions of {thing_line(thing)} expected: {expected}; found: {versions}"
    content = thing.versions[thing.version]
    if (stored.md5, stored.size) != (content.md5, content.size):
        yield f"{thing_line(thing)} has MD5 and size {stored.md5}, {stored.size}"
    if (stored.mime_type, stored.mime_subtype) != split_mime(thing.put_as):
        yield f"{thing_line(thing)} has the type {stored.mime_type}/{stored.mime_subtype}"


def _can_be_seen(stored: StoredObject, found: Found) -> bool:
    while stored.status == "A":
        if stored.parent_key is None:
            return True
        above = found.objects.get(stored.parent_key)
        if above is None or above.status == PURGING:
            return False
        stored = above
    return False


def _uploads(shelf: Shelf, found: Found) -> Iterator[str]:
    expected = {
        key: UploadFound(shelf.account_id, one.parent_key, one.name, one.content.size, one.content.md5, one.received)
        for key, one in shelf.uploads.items()
    }
    own = {key: upload for key, upload in found.uploads.items() if shelf.owns(key)}
    for key in sorted(expected.keys() | own.keys()):
        if expected.get(key) != own.get(key):
            yield f"upload {key} expected: {expected.get(key)}; found: {own.get(key)}"


def _feed(shelf: Shelf, found: Found) -> Iterator[str]:
    own = [
        (kind, key)
        for kind, key in found.feeds.get(shelf.account_id, [])
        if shelf.owns(key) or (shelf.alone and key == shelf.root_key)
    ]
    if own != shelf.feed:
        yield f"changes expected: …{shelf.feed[-6:]}; found: …{own[-6:]}, {len(own)} instead of {len(shelf.feed)}"


def _accounts(shelf: Shelf, found: Found) -> Iterator[str]:
    own = {key: root for key, (_, root) in found.accounts.items() if shelf.owns(key)}
    if own != shelf.accounts:
        yield f"accounts expected: {sorted(shelf.accounts.items())}; found: {sorted(own.items())}"

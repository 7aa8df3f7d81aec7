"""The objects of a part: what is known of each, and the entries with their contents."""

from collections.abc import Iterator
from typing import Final

import msgspec

from skyshelf.service.archives.zip_writer import ZipEntry
from skyshelf.service.context import ServiceContext
from skyshelf.service.exporting import VERSIONS, ExportedObject, ExportedVersion
from skyshelf.service.exporting.paths import ExportPaths, PlaceOf
from skyshelf.storage.metadata.contracts.files import Version
from skyshelf.storage.metadata.contracts.tree import ACTIVE, StoredObject
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire.names import safe_name, split_ending
from skyshelf.wire.times import in_range, to_rfc3339

_AT_ONCE: Final = 1000
DAMAGED: Final = "the stored content is damaged: ask the operator to restore it from a backup"


def moment(ms: int) -> str:
    """Return a time as text; one that is out of range becomes the nearest."""
    return to_rfc3339(in_range(ms))


class PartObjects(msgspec.Struct):
    """The objects of one part."""

    lines: list[ExportedObject]
    entries: list[ZipEntry]
    missing: int = 0


def read_objects(unit: Unit, account_id: int, after: str | None, until: str | None) -> PartObjects:
    """Read the objects of a range of keys. The unit is a snapshot."""
    return described(unit, account_id, list(_all(unit, account_id, after, until)))


def described(unit: Unit, account_id: int, found: list[StoredObject]) -> PartObjects:
    """Read what is known of objects. The unit is a snapshot."""
    files = [one.object_key for one in found if not one.is_folder]
    paths = ExportPaths(unit, account_id, found)
    tags = unit.exports.tags(account_id, [one.object_key for one in found])
    versions = unit.exports.versions(account_id, files)
    damaged = _damaged(unit)
    part = PartObjects([], [])
    for stored in found:
        place = paths.place(stored)
        if stored.is_folder:
            part.entries.append(ZipEntry(f"{place.path}/", 0, stored.last_modified_at))
        kept = [_version(stored, place, one, damaged, part) for one in versions.get(stored.object_key, ())]
        part.lines.append(_line(stored, place, tags.get(stored.object_key, []), kept))
    return part


def object_pages(ctx: ServiceContext, account_id: int) -> Iterator[list[StoredObject]]:
    """Yield the objects of an account page by page, each in a separate read."""
    after = None
    while True:
        with ctx.metadata.read() as unit:
            page = unit.exports.objects(account_id, after=after, until=None, limit=_AT_ONCE)
        if not page:
            return
        yield page
        after = page[-1].object_key


def _all(unit: Unit, account_id: int, after: str | None, until: str | None) -> Iterator[StoredObject]:
    while page := unit.exports.objects(account_id, after=after, until=until, limit=_AT_ONCE):
        yield from page
        after = page[-1].object_key


def _damaged(unit: Unit) -> set[str]:
    """Return the contents that are known to be damaged: a part that had them could not be sent to its end."""
    found: set[str] = set()
    after = ""
    while page := unit.damage.list(after, _AT_ONCE):
        found |= {one.sha256 for one in page}
        after = page[-1].sha256
    return found


def _line(stored: StoredObject, place: PlaceOf, tags: list[str], versions: list[ExportedVersion]) -> ExportedObject:
    return ExportedObject(
        key=stored.object_key,
        parent=stored.parent_key if len(place.names) > 1 else None,
        is_folder=stored.is_folder,
        path=place.path,
        place=place.names,
        created=moment(stored.file_created_at),
        modified=moment(stored.last_modified_at),
        taken=None if stored.taken_at is None else moment(stored.taken_at),
        trashed=None if stored.status == ACTIVE else moment(stored.trashed_at),
        is_in_trash=place.is_in_trash,
        is_favorite=stored.is_favorite,
        tags=tags,
        versions=versions,
    )


def _version(
    stored: StoredObject, place: PlaceOf, version: Version, damaged: set[str], part: PartObjects
) -> ExportedVersion:
    path = place.path
    if not version.is_current:
        path = f"{VERSIONS}/{path}/{version.version}{split_ending(safe_name(stored.name))[1]}"
    missing = DAMAGED if version.sha256 in damaged else None
    if missing is None:
        part.entries.append(ZipEntry(path, version.size, version.last_modified_at, version.sha256))
    else:
        part.missing += 1
    return ExportedVersion(
        version=version.version,
        path=path if missing is None else None,
        missing=missing,
        size=version.size,
        sha256=version.sha256,
        created=moment(version.file_created_at),
        modified=moment(version.last_modified_at),
        stored=moment(version.created_at),
        stored_by=version.created_by,
    )

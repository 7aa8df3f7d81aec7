"""What must hold in the metadata whatever happened: checked on the rows themselves, without an expectation."""

from collections import Counter
from collections.abc import Iterator
from itertools import accumulate

from tests.crash.expecting import VERSIONS_KEPT
from tests.crash.found import Found

from skyshelf.storage.metadata.contracts.tree import ACTIVE, PURGING
from skyshelf.storage.metadata.sql.statements import digest_text, key_text
from skyshelf.storage.metadata.sql.tree.objects import row_of
from skyshelf.storage.metadata.sql.unit import SqlUnit


def broken_invariants(unit: SqlUnit, found: Found, now: int) -> list[str]:
    """Each broken one as a sentence."""
    return [
        *_file_is_sound(unit),
        *_counters_are_true(unit, found, now),
        *_changes_have_no_gap(unit, found),
        *_trees_are_trees(found),
        *_rows_agree_with_themselves(unit, found),
        *_versions_fit_their_files(unit, found),
        *_parts_fit_their_uploads(unit),
    ]


def _file_is_sound(unit: SqlUnit) -> Iterator[str]:
    for (verdict,) in unit.sql.all("PRAGMA integrity_check"):
        if verdict != "ok":
            yield f"SQLite finds: {verdict}"
    for row in unit.sql.all("PRAGMA foreign_key_check"):
        yield f"a row of {row[0]} refers to one of {row[2]} that is not there"


def _counters_are_true(unit: SqlUnit, found: Found, now: int) -> Iterator[str]:
    for account_id, _ in found.accounts.values():
        kept, counted = unit.quotas.get(account_id, now), unit.quotas.recount(account_id, now)
        if kept != counted:
            yield f"the quota of account {account_id} says {kept}, and the rows say {counted}"
    for sha256, refs, counted_refs in unit.content.recount():
        yield f"the content {sha256} has {refs} references by its counter and {counted_refs} by the rows"


def _changes_have_no_gap(unit: SqlUnit, found: Found) -> Iterator[str]:
    for account_id, _ in found.accounts.values():
        numbers = [change.seq for change in unit.changes.since(account_id, 0, 10_000_000)]
        newest = unit.changes.newest(account_id)
        if numbers != list(range(newest - len(numbers) + 1, newest + 1)):
            yield f"the changes of account {account_id} have a gap before {newest}"


def _trees_are_trees(found: Found) -> Iterator[str]:
    roots = {root: account_id for account_id, root in found.accounts.values()}
    for root, account_id in roots.items():
        stored = found.objects.get(root)
        if stored is None or (stored.account_id, stored.is_folder, stored.status) != (account_id, True, ACTIVE):
            yield f"account {account_id} has no root"
    for stored in found.objects.values():
        seen = {stored.object_key}
        one = stored
        while one.parent_key is not None:
            above = found.objects.get(one.parent_key)
            if above is None or not above.is_folder or above.account_id != one.account_id or above.object_key in seen:
                yield f"{stored.object_key} hangs below {one.parent_key}, which is no folder above it"
                break
            seen.add(above.object_key)
            one = above
        if one.parent_key is None and one.object_key not in roots and one.status != PURGING:
            yield f"{stored.object_key} does not hang below a root"
    places = Counter(
        (one.account_id, one.parent_key, one.name) for one in found.objects.values() if one.status == ACTIVE
    )
    for place, taken in places.items():
        if taken > 1:
            yield f"{taken} active objects have the place {place}"


def _rows_agree_with_themselves(unit: SqlUnit, found: Found) -> Iterator[str]:
    """The wire JSON and the other derived columns agree with the columns that they derive from."""
    for key, wire, order, media in unit.sql.all("SELECT object_key, wire, name_order, is_media FROM objects"):
        stored = found.objects[key_text(key)]
        if stored.status != PURGING:
            row = row_of(stored)
            if (wire, order, media) != (row["wire"], row["name_order"], row["is_media"]):
                yield f"the row of {stored.object_key} shows {wire!r} instead of {row['wire']!r}"


def _versions_fit_their_files(unit: SqlUnit, found: Found) -> Iterator[str]:
    for stored in found.objects.values():
        versions = found.versions.get(stored.object_key, {})
        if stored.is_folder:
            if versions:
                yield f"the folder {stored.object_key} has versions"
            continue
        kept = list(range(max(1, stored.version - VERSIONS_KEPT + 1), stored.version + 1))
        if sorted(versions) != kept:
            yield f"the file {stored.object_key} has the versions {sorted(versions)} instead of {kept}"
        elif versions[stored.version] != (stored.sha256, stored.md5, stored.size):
            yield f"the file {stored.object_key} differs from its current version"
    for content, size, md5 in unit.sql.all(
        "SELECT v.content, v.size, v.md5 FROM versions v JOIN blobs b ON b.content = v.content"
        " WHERE b.size <> v.size OR b.md5 <> v.md5"
    ):
        yield f"a version says {size}, {digest_text(md5)} of the content {digest_text(content)}, which says otherwise"


def _parts_fit_their_uploads(unit: SqlUnit) -> Iterator[str]:
    for key, account_id, received in unit.sql.all("SELECT upload_key, account_id, received FROM uploads"):
        parts = unit.uploads.parts(account_id, key_text(key))
        ends = list(accumulate((part.size for part in parts), initial=0))
        if [part.start for part in parts] != ends[:-1] or ends[-1] != received:
            yield f"the parts of the upload {key_text(key)} end at {ends[-1]}, and it has received {received}"

"""The row of an object: the only writer of its columns and its wire JSON, always both; and of what goes with it, its
entry in the search index and the numbers of pictures and videos per month and folder."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from itertools import zip_longest
from operator import attrgetter
from typing import Any, Final

from msgspec.structs import astuple, replace

from skyshelf.storage.metadata import wire_cache
from skyshelf.storage.metadata.contracts.changes import CREATED
from skyshelf.storage.metadata.contracts.files import NewFile
from skyshelf.storage.metadata.contracts.tree import ACTIVE, StoredObject
from skyshelf.storage.metadata.search_index import IndexedFields, IndexedObject, TermBudget
from skyshelf.storage.metadata.sql.account_lock import AccountLock, NewChange, record_changes
from skyshelf.storage.metadata.sql.statements import Params, Row, Sql, digest_text, key_text, raw
from skyshelf.storage.metadata.wire_cache import encode_object
from skyshelf.wire.names import category, order_key

_STORED = (
    "account_id", "object_key", "parent_key", "kind", "status", "name", "size", "file_created_at",
    "last_modified_at", "content", "md5", "version", "mime_type", "mime_subtype", "source_name", "source_folder",
    "app_code", "is_hidden", "is_locked", "is_readonly", "is_favorite", "created_at", "updated_at", "arrived_at",
    "trashed_at", "taken_at", "taken_day", "created_seq", "is_executable",
)  # fmt: skip
_FLAGS = ("is_hidden", "is_locked", "is_readonly", "is_favorite", "is_executable")
DERIVED = ("name_order", "is_media", "timeline_month", "wire", "wire_version")
_ALL = _STORED + DERIVED
_DIGESTS = ("object_key", "parent_key", "content", "md5")


def status_of(alias: str) -> str:
    """Return the status of an object as an expression: an object trashed up to the account's trash_watermark is being
    purged, whatever its row still says."""
    return (
        f"CASE WHEN {alias}.status = 'T' AND {alias}.trashed_at <= (SELECT c.trash_watermark FROM account_counters c"
        f" WHERE c.account_id = {alias}.account_id) THEN 'P' ELSE {alias}.status END"
    )


# The columns that object_from reads, of a table called o, and their names.
COLUMNS = ", ".join(f"{status_of('o')} AS status" if column == "status" else f"o.{column}" for column in _STORED)
COLUMN_NAMES = ", ".join(_STORED)

# Which columns a field fills, unless it is the column of the same name alone.
_COLUMNS_OF = {
    "is_folder": ("kind",),
    "sha256": ("content",),
    "name": ("name", "name_order"),
    "mime_type": ("mime_type", "is_media", "timeline_month"),
    "file_created_at": ("file_created_at", "timeline_month"),
    "taken_at": ("taken_at", "timeline_month"),
    "taken_day": ("taken_day", "timeline_month"),
}


def object_from(row: Row) -> StoredObject:
    """Return a row of COLUMNS as an object."""
    keys = key_text(row[1]), None if row[2] is None else key_text(row[2])
    digests = (None if digest is None else digest_text(digest) for digest in row[9:11])
    flags = map(bool, row[17:21])
    fields = (row[0], *keys, row[3] == 0, *row[4:9], *digests, *row[11:17], *flags, *row[21:28], bool(row[28]))
    return StoredObject(*fields)


def objects_where(sql: Sql, account_id: int, condition: str, params: Params) -> list[StoredObject]:
    """Return the objects `o` of an account for which a condition holds."""
    text = f"SELECT {COLUMNS} FROM objects o WHERE o.account_id = :account AND {condition}"
    return [object_from(row) for row in sql.all(text, {"account": account_id, **params})]


def object_where(sql: Sql, account_id: int, condition: str, params: Params) -> StoredObject | None:
    """Return the object `o` of an account for which a condition holds; None where there is none."""
    found = objects_where(sql, account_id, condition, params)
    return found[0] if found else None


def row_of(stored: StoredObject) -> Params:
    """Return every column of an object, derived ones included."""
    row: dict[str, Any] = dict(zip(_STORED, astuple(stored), strict=True))
    for name in _DIGESTS:
        if row[name] is not None:
            row[name] = raw(row[name])
    for name in _FLAGS:
        row[name] = int(row[name])
    row["kind"] = 0 if stored.is_folder else 1
    row["name_order"] = order_key(stored.name)
    row["is_media"] = int(stored.mime_type in MEDIA)
    row["timeline_month"] = timeline_month(stored)
    row["wire"] = encode_object(stored)
    row["wire_version"] = wire_cache.ENCODING_VERSION
    return row


def insert_objects(sql: Sql, stored: Iterable[StoredObject]) -> None:
    new = list(stored)
    sql.insert_rows("objects", [row_of(one) for one in new])
    count_months(sql, [(None, one) for one in new])
    index_new(sql, new)


def create_objects(
    sql: Sql,
    lock: AccountLock,
    new: Sequence[StoredObject],
    now: int,
    *,
    used: Mapping[str, int] | None = None,
    signs: Sequence[str | None] = (),
) -> None:
    """Insert new objects of one account, and record the changes that make them (record_changes, with their signs)."""
    if not new:
        return
    for seq, one in enumerate(new, start=lock.change_seq + 1):
        one.created_seq = seq
    insert_objects(sql, new)
    happened = [NewChange(CREATED, one.object_key, sign=sign) for one, sign in zip_longest(new, signs)]
    folders = {one.parent_key for one in new if one.parent_key is not None}
    record_changes(sql, new[0].account_id, lock, happened, now, used=used, folders=folders)


def update_objects(sql: Sql, changed: Sequence[tuple[StoredObject, StoredObject]]) -> None:
    """Write (before, after) pairs. The order of writing cannot trip over the uniqueness of names.

    Two objects may have swapped names, or one may have taken the place that another left: where a new place
    was somebody's old place, the rows first leave their places, all at once, and then take the new ones.
    """
    old_places = {place: before.object_key for before, _ in changed if (place := _place(before))}
    always = {"wire", "wire_version"}
    if any(
        old_places.get(place, after.object_key) != after.object_key for _, after in changed if (place := _place(after))
    ):
        sql.run_many(
            "UPDATE objects SET status = 'T' WHERE account_id = :account AND object_key = :key",
            [{"account": before.account_id, "key": raw(before.object_key)} for before, _ in changed],
        )
        always.add("status")
    # Only the columns that change are set: every other one would cost its indexes an update for nothing.
    alike: dict[tuple[str, ...], list[Params]] = {}
    for before, after in changed:
        alike.setdefault(_changed_columns(before, after, always), []).append(row_of(after))
    for columns, rows in alike.items():
        assignments = ", ".join(f"{column} = :{column}" for column in columns)
        used = {"account_id", "object_key", *columns}
        sql.run_many(
            f"UPDATE objects SET {assignments} WHERE account_id = :account_id AND object_key = :object_key",
            [{column: value for column, value in row.items() if column in used} for row in rows],
        )
    count_months(sql, changed)
    index_changes(sql, changed)


def _changed_columns(before: StoredObject, after: StoredObject, always: set[str]) -> tuple[str, ...]:
    changed = (field for field in StoredObject.__struct_fields__ if getattr(before, field) != getattr(after, field))
    columns = {column for field in changed for column in _COLUMNS_OF.get(field, (field,))}
    return tuple(column for column in _ALL if column in columns | always)


def _place(stored: StoredObject) -> tuple[str | None, str] | None:
    """Return what must be unique: parent and name, among active objects."""
    return (stored.parent_key, stored.name) if stored.status == ACTIVE else None


_AT_FIRST: Final[dict[str, Any]] = {
    "status": ACTIVE, "version": 1, "is_hidden": False, "is_locked": False, "is_readonly": False, "is_favorite": False,
    "trashed_at": 0,
}  # fmt: skip


def new_folder(
    account_id: int, object_key: str, parent_key: str | None, name: str, now: int, *, source_name: str = "DRIVE"
) -> StoredObject:
    """Return a folder that nothing is in yet; the root of an account is the only one without a parent."""
    return StoredObject(
        account_id=account_id,
        object_key=object_key,
        parent_key=parent_key,
        is_folder=True,
        name=name,
        size=0,
        file_created_at=now,
        last_modified_at=now,
        sha256=None,
        md5=None,
        mime_type="",
        mime_subtype="",
        source_name=source_name,
        source_folder="",
        app_code="",
        created_at=now,
        updated_at=now,
        arrived_at=now,
        taken_at=None,
        taken_day=None,
        **_AT_FIRST,
    )


def new_file(account_id: int, file: NewFile, now: int) -> StoredObject:
    """Return a file in its first version."""
    return StoredObject(
        account_id=account_id,
        object_key=file.object_key,
        parent_key=file.parent_key,
        is_folder=False,
        name=file.name,
        created_at=now,
        updated_at=now,
        arrived_at=now,
        **_AT_FIRST,
        **_arriving(file),
    )


def next_version(before: StoredObject, file: NewFile, now: int) -> StoredObject:
    """Return the object with new content; its flags, place and key stay."""
    arriving = _arriving(file) | {"is_executable": before.is_executable}
    return replace(before, **arriving, version=before.version + 1, updated_at=now, arrived_at=now)


_SHARED = [name for name in NewFile.__struct_fields__ if name in StoredObject.__struct_fields__]
_ARRIVING = [name for name in _SHARED if name not in {"object_key", "parent_key", "name"}]
_arrived = attrgetter(*_ARRIVING)


def _arriving(file: NewFile) -> dict[str, Any]:
    """Return the fields of an object that come with its content."""
    return dict(zip(_ARRIVING, _arrived(file), strict=True))


def file_of(stored: StoredObject, location: str, **other: Any) -> NewFile:
    """Return the content of an object as if it arrived now, with some `other` fields."""
    alike = {name: getattr(stored, name) for name in _SHARED}
    return NewFile(**alike | {"location": location, "category": category(stored.mime_type)} | other)


MEDIA = frozenset({"image", "video"})
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def timeline_month(stored: StoredObject) -> int | None:
    """Return the month of a picture or video, counted from year 0; None for anything else."""
    if stored.is_folder or stored.mime_type not in MEDIA:
        return None
    at = stored.file_created_at if stored.taken_at is None else stored.taken_at
    moment = _EPOCH + timedelta(milliseconds=at)
    month = moment.year * 12 + moment.month - 1
    if stored.taken_at is None or stored.taken_day is None:
        return month
    # The camera's clock is less than a day from UTC, so its month is at most one away.
    return month + {1: 1, -11: 1, -1: -1, 11: -1}.get(stored.taken_day // 100 - moment.month, 0)


def count_months(sql: Sql, changed: Iterable[tuple[StoredObject | None, StoredObject | None]]) -> None:
    """Keep the counters right: for each object, as it was before and as it is now, None where it was or is not there.

    The caller holds the account.
    """
    differences: Counter[tuple[int, int, str]] = Counter()
    for before, after in changed:
        if before is not None and (place := _counted(before)):
            differences[place] -= 1
        if after is not None and (place := _counted(after)):
            differences[place] += 1
    less: list[Params] = []
    more: list[Params] = []
    for (account_id, month, parent_key), difference in sorted(differences.items()):
        if difference:
            row: Params = {"account_id": account_id, "month": month, "parent_key": raw(parent_key), "files": difference}
            (less if difference < 0 else more).append(row)
    of_row = "account_id = :account_id AND month = :month AND parent_key = :parent_key"
    sql.run_many(f"UPDATE timeline_months SET files = files + :files WHERE {of_row}", less)
    sql.run_many(f"DELETE FROM timeline_months WHERE {of_row} AND files = 0", less)
    add = "ON CONFLICT (account_id, month, parent_key) DO UPDATE SET files = timeline_months.files + excluded.files"
    sql.insert_rows("timeline_months", more, add)


def _counted(stored: StoredObject) -> tuple[int, int, str] | None:
    """Return where an object is counted, if it is."""
    month = timeline_month(stored)
    if stored.status != ACTIVE or month is None or stored.parent_key is None:
        return None
    return stored.account_id, month, stored.parent_key


def index_new(sql: Sql, objects: Iterable[StoredObject]) -> None:
    """Index objects that were inserted."""
    budget = TermBudget()
    sql.search_index.add([_indexed(one, budget) for one in objects if _can_be_found(one)])


def index_changes(sql: Sql, changed: Sequence[tuple[StoredObject, StoredObject]]) -> None:
    """Objects that were updated, as (before, after). New content makes an object the newest again."""
    added: list[IndexedObject] = []
    other_terms: list[IndexedObject] = []
    removed: dict[int, list[str]] = {}
    budget = TermBudget()
    for before, after in changed:
        was, is_ = _can_be_found(before), _can_be_found(after)
        if was and is_ and before.arrived_at == after.arrived_at:
            if _what_is_indexed(before) != _what_is_indexed(after):
                other_terms.append(_indexed(after, budget))
            continue
        if was:
            removed.setdefault(before.account_id, []).append(before.object_key)
        if is_:
            added.append(_indexed(after, budget))
    for account_id, keys in removed.items():
        sql.search_index.remove(account_id, keys)
    if added:
        sql.search_index.add(added)
    if other_terms:
        sql.search_index.change(other_terms)


def reindex(sql: Sql, stored: StoredObject) -> None:
    """Index one object again, whatever the index has of it."""
    sql.search_index.remove(stored.account_id, [stored.object_key])
    index_new(sql, [stored])


def _can_be_found(stored: StoredObject) -> bool:
    """Return whether it is in the index: trashed objects and roots are not."""
    return stored.status == ACTIVE and stored.parent_key is not None


def _what_is_indexed(stored: StoredObject) -> IndexedFields:
    return IndexedFields(
        stored.name,
        stored.source_folder,
        stored.is_folder,
        stored.mime_type,
        stored.size,
        stored.last_modified_at,
        stored.file_created_at,
        stored.taken_at,
    )


def _indexed(stored: StoredObject, budget: TermBudget) -> IndexedObject:
    return IndexedObject(stored.account_id, stored.object_key, budget.terms_of(_what_is_indexed(stored)))

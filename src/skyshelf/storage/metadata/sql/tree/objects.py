"""The row of an object: the only writer of its columns and its wire JSON, always both."""

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from skyshelf.storage.metadata import wire_cache
from skyshelf.storage.metadata.contracts.files import NewFile
from skyshelf.storage.metadata.contracts.tree import ACTIVE, StoredObject
from skyshelf.storage.metadata.sql.search_entries import index_changes, index_new
from skyshelf.storage.metadata.sql.statements import Params, Row, Sql, digest_text, key_text, raw
from skyshelf.storage.metadata.sql.tree.months import MEDIA, count_months, timeline_month
from skyshelf.storage.metadata.wire_cache import encode_object
from skyshelf.wire.names import order_key

_STORED = (
    "account_id", "object_key", "parent_key", "kind", "status", "name", "size", "file_created_at",
    "last_modified_at", "content", "md5", "version", "mime_type", "mime_subtype", "source_name", "source_folder",
    "app_code", "is_hidden", "is_locked", "is_readonly", "is_favorite", "created_at", "updated_at", "arrived_at",
    "trashed_at", "taken_at", "taken_day", "created_seq",
)  # fmt: skip
DERIVED = ("name_order", "is_media", "timeline_month", "wire", "wire_version")
_ALL = _STORED + DERIVED


def status_of(alias: str) -> str:
    """The status of an object as an expression: an object trashed up to the account's trash_watermark is being
    purged, whatever its row still says."""
    return (
        f"CASE WHEN {alias}.status = 'T' AND {alias}.trashed_at <= (SELECT c.trash_watermark FROM account_counters c"
        f" WHERE c.account_id = {alias}.account_id) THEN 'P' ELSE {alias}.status END"
    )


# The columns that object_from reads, of a table called o, and their names.
COLUMNS = ", ".join(f"{status_of('o')} AS status" if column == "status" else f"o.{column}" for column in _STORED)
COLUMN_NAMES = ", ".join(_STORED)

_INSERT = f"INSERT INTO objects ({', '.join(_ALL)}) VALUES ({', '.join(f':{column}' for column in _ALL)})"

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
    """A row of COLUMNS as an object."""
    return StoredObject(
        account_id=row[0],
        object_key=key_text(row[1]),
        parent_key=None if row[2] is None else key_text(row[2]),
        is_folder=row[3] == 0,
        status=row[4],
        name=row[5],
        size=row[6],
        file_created_at=row[7],
        last_modified_at=row[8],
        sha256=None if row[9] is None else digest_text(row[9]),
        md5=None if row[10] is None else digest_text(row[10]),
        version=row[11],
        mime_type=row[12],
        mime_subtype=row[13],
        source_name=row[14],
        source_folder=row[15],
        app_code=row[16],
        is_hidden=bool(row[17]),
        is_locked=bool(row[18]),
        is_readonly=bool(row[19]),
        is_favorite=bool(row[20]),
        created_at=row[21],
        updated_at=row[22],
        arrived_at=row[23],
        trashed_at=row[24],
        taken_at=row[25],
        taken_day=row[26],
        created_seq=row[27],
    )


def row_of(stored: StoredObject) -> Params:
    """Every column of an object, derived ones included."""
    return {
        "account_id": stored.account_id,
        "object_key": raw(stored.object_key),
        "parent_key": None if stored.parent_key is None else raw(stored.parent_key),
        "kind": 0 if stored.is_folder else 1,
        "status": stored.status,
        "name": stored.name,
        "size": stored.size,
        "file_created_at": stored.file_created_at,
        "last_modified_at": stored.last_modified_at,
        "content": None if stored.sha256 is None else raw(stored.sha256),
        "md5": None if stored.md5 is None else raw(stored.md5),
        "version": stored.version,
        "mime_type": stored.mime_type,
        "mime_subtype": stored.mime_subtype,
        "source_name": stored.source_name,
        "source_folder": stored.source_folder,
        "app_code": stored.app_code,
        "is_hidden": int(stored.is_hidden),
        "is_locked": int(stored.is_locked),
        "is_readonly": int(stored.is_readonly),
        "is_favorite": int(stored.is_favorite),
        "created_at": stored.created_at,
        "updated_at": stored.updated_at,
        "arrived_at": stored.arrived_at,
        "trashed_at": stored.trashed_at,
        "taken_at": stored.taken_at,
        "taken_day": stored.taken_day,
        "created_seq": stored.created_seq,
        "name_order": order_key(stored.name),
        "is_media": int(stored.mime_type in MEDIA),
        "timeline_month": timeline_month(stored),
        "wire": encode_object(stored),
        "wire_version": wire_cache.ENCODING_VERSION,
    }


def insert_object(sql: Sql, stored: StoredObject) -> None:
    sql.run(_INSERT, row_of(stored))
    count_months(sql, [(None, stored)])
    index_new(sql, [stored])


def insert_objects(sql: Sql, stored: Iterable[StoredObject]) -> None:
    new = list(stored)
    sql.insert_many(_INSERT, [row_of(one) for one in new])
    count_months(sql, [(None, one) for one in new])
    index_new(sql, new)


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
    """What must be unique: parent and name, among active objects."""
    return (stored.parent_key, stored.name) if stored.status == ACTIVE else None


# New objects.


def new_folder(
    account_id: int, object_key: str, parent_key: str | None, name: str, now: int, *, source_name: str = "DRIVE"
) -> StoredObject:
    """A folder that nothing is in yet; the root of an account is the only one without a parent."""
    return StoredObject(
        account_id=account_id,
        object_key=object_key,
        parent_key=parent_key,
        is_folder=True,
        status=ACTIVE,
        name=name,
        size=0,
        file_created_at=now,
        last_modified_at=now,
        sha256=None,
        md5=None,
        version=1,
        mime_type="",
        mime_subtype="",
        source_name=source_name,
        source_folder="",
        app_code="",
        is_hidden=False,
        is_locked=False,
        is_readonly=False,
        is_favorite=False,
        created_at=now,
        updated_at=now,
        arrived_at=now,
        trashed_at=0,
        taken_at=None,
        taken_day=None,
    )


def new_file(account_id: int, file: NewFile, now: int) -> StoredObject:
    """A file in its first version."""
    return replace(
        new_folder(account_id, file.object_key, file.parent_key, file.name, now, source_name=file.source_name),
        is_folder=False,
        size=file.size,
        file_created_at=file.file_created_at,
        last_modified_at=file.last_modified_at,
        sha256=file.sha256,
        md5=file.md5,
        mime_type=file.mime_type,
        mime_subtype=file.mime_subtype,
        source_folder=file.source_folder,
        app_code=file.app_code,
        taken_at=file.taken_at,
        taken_day=file.taken_day,
    )

"""Purging: objects that leave for good, a handful per transaction."""

from collections.abc import Sequence

from msgspec.structs import replace

from skyshelf.storage.metadata.contracts import changes as feed
from skyshelf.storage.metadata.contracts.tree import TRASHED, StoredObject
from skyshelf.storage.metadata.sql.account_lock import lock_account, record_changes
from skyshelf.storage.metadata.sql.content import release_versions
from skyshelf.storage.metadata.sql.statements import Params, Sql, key_text, raw
from skyshelf.storage.metadata.sql.tree.months import count_months
from skyshelf.storage.metadata.sql.tree.objects import COLUMNS, object_from, update_objects


def mark_for_deletion(sql: Sql, account_id: int, object_keys: Sequence[str], now: int) -> list[str]:
    lock = lock_account(sql, account_id)
    rows = sql.all(
        "UPDATE objects SET status = 'P' WHERE account_id = :account AND status = 'T' AND trashed_at > :floor"
        " AND object_key = ANY_KEY(:keys) RETURNING object_key",
        {"account": account_id, "floor": lock.trash_watermark, "keys": [raw(key) for key in object_keys]},
    )
    doomed = {key_text(key) for (key,) in rows}
    gone = [key for key in dict.fromkeys(object_keys) if key in doomed]
    record_changes(sql, account_id, lock, [(feed.PURGED, key) for key in gone], now)
    return gone


def mark_all_for_deletion(sql: Sql, account_id: int, now: int, trashed_up_to: int | None) -> None:
    lock = lock_account(sql, account_id)
    up_to = "" if trashed_up_to is None else " AND trashed_at <= :up_to"
    row = sql.one(
        "SELECT max(trashed_at), (SELECT root_key FROM accounts WHERE account_id = :account) FROM objects"
        f" WHERE account_id = :account AND status = 'T' AND trashed_at > :floor{up_to}",
        {"account": account_id, "floor": lock.trash_watermark}
        | ({} if trashed_up_to is None else {"up_to": trashed_up_to}),
    )
    if row is None or row[0] is None:
        return
    floor, root = row
    sql.run(
        "UPDATE account_counters SET trash_watermark = :floor WHERE account_id = :account",
        {"account": account_id, "floor": floor},
    )
    record_changes(sql, account_id, lock, [(feed.EMPTIED, key_text(root))], now)


def delete_batch(sql: Sql, account_id: int, limit: int, now: int) -> bool:
    """Files go; a folder goes when nothing is below it any more; folders below it become doomed themselves."""
    lock = lock_account(sql, account_id)
    doomed = _doomed(sql, account_id, lock.trash_watermark, limit)
    folders = [one for one in doomed if one.is_folder]
    gone = {one.object_key: one for one in doomed if not one.is_folder}
    room = limit - len(gone)
    below = _below(sql, account_id, folders, room)
    # A file below may be doomed by itself as well; what matters is that it was not only trashed.
    gone |= {one.object_key: one for one in below if not one.is_folder and one.status != TRASHED}
    _let_go(sql, account_id, [one for one in below if one.is_folder and one.status != TRASHED])
    _keep_in_trash(sql, account_id, [one for one in below if one.status == TRASHED])
    _delete(sql, account_id, list(gone.values()), now)
    if len(below) < room:  # then nothing is left below these folders
        _delete(sql, account_id, folders[: limit - len(gone)], now)
    return bool(_doomed(sql, account_id, lock.trash_watermark, 1))


def _doomed(sql: Sql, account_id: int, floor: int, limit: int) -> list[StoredObject]:
    params = {"account": account_id, "floor": floor, "limit": limit}
    rows = sql.all(
        f"SELECT {COLUMNS} FROM objects o WHERE o.account_id = :account AND o.status = 'P' LIMIT :limit",
        {"account": account_id, "limit": limit},
    )
    if len(rows) < limit:
        rows += sql.all(
            f"SELECT {COLUMNS} FROM objects o WHERE o.account_id = :account AND o.status = 'T'"
            " AND o.trashed_at <= :floor LIMIT :limit",
            params | {"limit": limit - len(rows)},
        )
    return [object_from(row) for row in rows]


def _below(sql: Sql, account_id: int, folders: list[StoredObject], limit: int) -> list[StoredObject]:
    if not folders or not limit:
        return []
    rows = sql.all(
        f"SELECT {COLUMNS} FROM objects o WHERE o.account_id = :account AND o.parent_key = ANY_KEY(:keys) LIMIT :limit",
        {"account": account_id, "keys": [raw(one.object_key) for one in folders], "limit": limit},
    )
    return [object_from(row) for row in rows]


def _let_go(sql: Sql, account_id: int, folders: list[StoredObject]) -> None:
    """Folders below a doomed one: doomed on their own from now on, so that the one above can go first."""
    sql.run_many(
        "UPDATE objects SET status = 'P', parent_key = NULL WHERE account_id = :account AND object_key = :key",
        [{"account": account_id, "key": raw(one.object_key)} for one in folders],
    )


def _keep_in_trash(sql: Sql, account_id: int, trashed: list[StoredObject]) -> None:
    """Objects that were trashed by themselves stay in the trash; their old folder is gone, so: the root."""
    if not trashed:
        return
    row = sql.one("SELECT root_key FROM accounts WHERE account_id = :account", {"account": account_id})
    assert row is not None
    root_key = key_text(row[0])
    update_objects(sql, [(one, replace(one, parent_key=root_key)) for one in trashed])


def _delete(sql: Sql, account_id: int, objects: list[StoredObject], now: int) -> None:
    if not objects:
        return
    params: Params = {"account": account_id, "keys": [raw(one.object_key) for one in objects]}
    gone = sql.all(
        "DELETE FROM versions WHERE account_id = :account AND object_key = ANY_KEY(:keys)"
        " RETURNING content, category, size",
        params,
    )
    release_versions(sql, account_id, gone, now)
    sql.search_index.remove(account_id, [one.object_key for one in objects])
    sql.run("DELETE FROM objects WHERE account_id = :account AND object_key = ANY_KEY(:keys)", params)
    count_months(sql, [(one, None) for one in objects])

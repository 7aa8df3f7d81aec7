"""Purging: objects are marked for deletion at once and deleted in small transactions."""

from collections.abc import Sequence

from msgspec.structs import replace

from skyshelf.storage.metadata.contracts import changes as feed
from skyshelf.storage.metadata.contracts.tree import ACTIVE, TRASHED, StoredObject
from skyshelf.storage.metadata.history.records import encode_watermark
from skyshelf.storage.metadata.sql.account_lock import Happened, lock_account, record_changes
from skyshelf.storage.metadata.sql.alarms.counting import refuse_paused
from skyshelf.storage.metadata.sql.content import release_versions
from skyshelf.storage.metadata.sql.kept.purged import keep_purged, own_status, purging_changes
from skyshelf.storage.metadata.sql.statements import Params, Sql, key_text, raw
from skyshelf.storage.metadata.sql.tree.months import count_months
from skyshelf.storage.metadata.sql.tree.objects import COLUMNS, object_from, update_objects


def mark_for_deletion(sql: Sql, account_id: int, object_keys: Sequence[str], now: int) -> list[str]:
    lock = lock_account(sql, account_id)
    refuse_paused(sql, lock.watch)
    before = _loaded(sql, account_id, object_keys)
    rows = sql.all(
        "UPDATE objects SET status = 'P' WHERE account_id = :account AND status = 'T' AND trashed_at > :watermark"
        " AND object_key = ANY_KEY(:keys) RETURNING object_key",
        {"account": account_id, "watermark": lock.trash_watermark, "keys": [raw(key) for key in object_keys]},
    )
    marked = {key_text(key) for (key,) in rows}
    gone = [key for key in dict.fromkeys(object_keys) if key in marked]
    record_changes(sql, account_id, lock, [Happened(feed.PURGED, key, before[key]) for key in gone], now, folders=())
    return gone


def mark_all_for_deletion(sql: Sql, account_id: int, now: int, trashed_up_to: int | None) -> None:
    lock = lock_account(sql, account_id)
    refuse_paused(sql, lock.watch)
    up_to = "" if trashed_up_to is None else " AND trashed_at <= :up_to"
    row = sql.one(
        "SELECT max(trashed_at), (SELECT root_key FROM accounts WHERE account_id = :account) FROM objects"
        f" WHERE account_id = :account AND status = 'T' AND trashed_at > :watermark{up_to}",
        {"account": account_id, "watermark": lock.trash_watermark}
        | ({} if trashed_up_to is None else {"up_to": trashed_up_to}),
    )
    if row is None or row[0] is None:
        return
    watermark, root = row
    sql.run(
        "UPDATE account_counters SET trash_watermark = :watermark WHERE account_id = :account",
        {"account": account_id, "watermark": watermark},
    )
    emptied = Happened(feed.EMPTIED, key_text(root), encode_watermark(lock.trash_watermark))
    record_changes(sql, account_id, lock, [emptied], now, folders=())


def delete_batch(sql: Sql, account_id: int, limit: int, now: int, *, keep: bool = True) -> bool:
    """Files go; a folder goes once it is empty; folders below it are marked themselves. History keeps what they were,
    unless they are to go for good."""
    lock = lock_account(sql, account_id)
    marked = _marked(sql, account_id, lock.trash_watermark, limit)
    folders = [one for one in marked if one.is_folder]
    gone = {one.object_key: one for one in marked if not one.is_folder}
    left = limit - len(gone)
    below = _below(sql, account_id, folders, left)
    # A file below may be marked itself, too; what matters is that it was not only trashed.
    gone |= {one.object_key: one for one in below if not one.is_folder and one.status != TRASHED}
    inner = [one for one in below if one.is_folder and one.status != TRASHED]
    # What is left below these folders is nothing if all of it was read.
    empty = folders[: limit - len(gone)] if len(below) < left else []
    if keep:
        _keep(sql, marked, [*gone.values(), *inner, *empty], now, newest=lock.change_seq)
    _mark_folders(sql, account_id, inner)
    _keep_in_trash(sql, account_id, [one for one in below if one.status == TRASHED])
    _delete(sql, account_id, list(gone.values()), now, keep=keep)
    _delete(sql, account_id, empty, now, keep=keep)
    return bool(_marked(sql, account_id, lock.trash_watermark, 1))


def _keep(sql: Sql, marked: list[StoredObject], going: list[StoredObject], now: int, *, newest: int) -> None:
    """Keep what goes in this step as it was. A folder without a parent was kept when that was taken from it."""
    if not going:
        return
    account_id = going[0].account_id
    own = {one.object_key: one for one in [*marked, *going] if own_status(one) != ACTIVE or one.parent_key is None}
    seqs = purging_changes(sql, account_id, list(own.values()), newest)
    purged: dict[int, list[StoredObject]] = {}
    for one in {one.object_key: one for one in going if one.parent_key is not None}.values():
        seq = seqs.get(one.object_key) or seqs.get(one.parent_key or "", newest)
        purged.setdefault(seq, []).append(one)
    keep_purged(sql, account_id, purged, now)


def _loaded(sql: Sql, account_id: int, object_keys: Sequence[str]) -> dict[str, StoredObject]:
    rows = sql.all(
        f"SELECT {COLUMNS} FROM objects o WHERE o.account_id = :account AND o.object_key = ANY_KEY(:keys)",
        {"account": account_id, "keys": [raw(key) for key in object_keys]},
    )
    return {stored.object_key: stored for stored in map(object_from, rows)}


def _marked(sql: Sql, account_id: int, watermark: int, limit: int) -> list[StoredObject]:
    params = {"account": account_id, "watermark": watermark, "limit": limit}
    rows = sql.all(
        f"SELECT {COLUMNS} FROM objects o WHERE o.account_id = :account AND o.status = 'P' LIMIT :limit",
        {"account": account_id, "limit": limit},
    )
    if len(rows) < limit:
        rows += sql.all(
            f"SELECT {COLUMNS} FROM objects o WHERE o.account_id = :account AND o.status = 'T'"
            " AND o.trashed_at <= :watermark LIMIT :limit",
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


def _mark_folders(sql: Sql, account_id: int, folders: list[StoredObject]) -> None:
    """Folders below a marked one: marked themselves from now on, so the one above can go first."""
    sql.run_many(
        "UPDATE objects SET status = 'P', parent_key = NULL WHERE account_id = :account AND object_key = :key",
        [{"account": account_id, "key": raw(one.object_key)} for one in folders],
    )


def _keep_in_trash(sql: Sql, account_id: int, trashed: list[StoredObject]) -> None:
    """Objects trashed separately stay in the trash, in the root, because their old folder is gone."""
    if not trashed:
        return
    row = sql.one("SELECT root_key FROM accounts WHERE account_id = :account", {"account": account_id})
    assert row is not None
    root_key = key_text(row[0])
    update_objects(sql, [(one, replace(one, parent_key=root_key)) for one in trashed])


def _delete(sql: Sql, account_id: int, objects: list[StoredObject], now: int, *, keep: bool) -> None:
    if not objects:
        return
    params: Params = {"account": account_id, "keys": [raw(one.object_key) for one in objects]}
    gone = sql.all(
        "DELETE FROM versions WHERE account_id = :account AND object_key = ANY_KEY(:keys)"
        " RETURNING content, category, size, object_key, version",
        params,
    )
    release_versions(sql, account_id, gone, now, keep=keep)
    sql.search_index.remove(account_id, [one.object_key for one in objects])
    fewer = sql.run("DELETE FROM objects WHERE account_id = :account AND object_key = ANY_KEY(:keys)", params)
    sql.run(
        "UPDATE account_counters SET objects = objects - :fewer WHERE account_id = :account",
        {"account": account_id, "fewer": fewer},
    )
    count_months(sql, [(one, None) for one in objects])

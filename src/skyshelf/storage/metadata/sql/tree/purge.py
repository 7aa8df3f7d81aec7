"""Purging: objects are marked for deletion at once and deleted in small transactions."""

from collections.abc import Sequence

from msgspec.structs import replace

from skyshelf.storage.metadata.alarms import EMPTIED
from skyshelf.storage.metadata.contracts import changes as feed
from skyshelf.storage.metadata.contracts.tree import ACTIVE, TRASHED, StoredObject
from skyshelf.storage.metadata.history.records import encode_watermark
from skyshelf.storage.metadata.sql.account_lock import NewChange, lock_account, record_changes
from skyshelf.storage.metadata.sql.content import drop_versions
from skyshelf.storage.metadata.sql.keeping import keep_purged, own_status, purging_changes
from skyshelf.storage.metadata.sql.quota import add_objects
from skyshelf.storage.metadata.sql.statements import Params, Sql, SqlNoun, key_text, raw
from skyshelf.storage.metadata.sql.tree.objects import count_months, objects_where, update_objects
from skyshelf.storage.metadata.sql.tree.visibility import load, objects_below, root_key_of
from skyshelf.wire.limits import DELEGATION_OBJECTS_MAX


class SqlPurge(SqlNoun):
    def mark_for_deletion(self, account_id: int, object_keys: Sequence[str], now: int) -> list[str]:
        """Delete trashed objects for good; they vanish at once. Returns those that were in the trash.

        Constant work per object whatever is below it. An object trashed separately inside a folder that is marked
        stays in the trash, where it has an entry. delete_batch frees the bytes.
        """
        lock = lock_account(self._sql, account_id)
        before = load(self._sql, account_id, object_keys)
        rows = self._sql.keys(
            "UPDATE objects SET status = 'P' WHERE account_id = :account AND status = 'T' AND trashed_at > :watermark"
            " AND object_key = ANY_KEY(:keys) RETURNING object_key",
            {"account": account_id, "watermark": lock.trash_watermark, "keys": [raw(key) for key in object_keys]},
        )
        marked = set(rows)
        gone = [key for key in dict.fromkeys(object_keys) if key in marked]
        folders = [key for key in gone if before[key].is_folder]
        # Only a delegation is counted by what is in the folders.
        most = 0 if self._sql.leave is None else DELEGATION_OBJECTS_MAX
        below = objects_below(self._sql, account_id, folders, most)
        happened = [
            NewChange(
                feed.PURGED,
                key,
                before[key],
                EMPTIED if before[key].is_folder else None,
                takes=below.get(key, 1),
            )
            for key in gone
        ]
        record_changes(self._sql, account_id, lock, happened, now, folders=())
        return gone

    def mark_all_for_deletion(self, account_id: int, now: int, *, trashed_up_to: int | None = None) -> bool:
        """mark_for_deletion for the whole trash, or for objects trashed up to a time; constant work. False where there
        is nothing to delete."""
        lock = lock_account(self._sql, account_id)
        up_to = "" if trashed_up_to is None else " AND trashed_at <= :up_to"
        watermark, root = self._sql.only(
            "SELECT max(trashed_at), (SELECT root_key FROM accounts WHERE account_id = :account) FROM objects"
            f" WHERE account_id = :account AND status = 'T' AND trashed_at > :watermark{up_to}",
            {"account": account_id, "watermark": lock.trash_watermark, "up_to": trashed_up_to},
        )
        if watermark is None:
            return False
        self._sql.update("account_counters", {"trash_watermark": watermark}, account_id=account_id)
        emptied = NewChange(feed.EMPTIED, key_text(root), encode_watermark(lock.trash_watermark))
        record_changes(self._sql, account_id, lock, [emptied], now, folders=())
        return True

    def accounts_with_old_trash(self, trashed_up_to: int, limit: int) -> list[int]:
        """Accounts in whose trash something is at least that old, without those that are held."""
        # The plus keeps SQLite from going through all of everybody's trash only because that is in order already.
        return self._sql.column(
            "SELECT DISTINCT +o.account_id FROM objects o JOIN account_counters c ON c.account_id = o.account_id"
            " WHERE o.status = 'T' AND o.trashed_at <= :up_to AND o.trashed_at > c.trash_watermark"
            " AND c.held_at = 0 ORDER BY 1 LIMIT :limit",
            {"up_to": trashed_up_to, "limit": limit},
        )

    def delete_batch(self, account_id: int, limit: int, now: int, *, keep: bool = True) -> bool:
        """Remove up to limit marked objects with their versions, references and bytes; true while some are left.

        Files go; a folder goes once it is empty; folders below it are marked themselves. History keeps what they were,
        unless they are to go for good (keep=False) and no hold is in the way. Each call is one small transaction, so
        others work in between and a crash loses nothing.
        """
        sql = self._sql
        lock = lock_account(sql, account_id)
        keep = keep or lock.held_at > 0
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


def _marked(sql: Sql, account_id: int, watermark: int, limit: int) -> list[StoredObject]:
    found = objects_where(sql, account_id, "o.status = 'P' LIMIT :limit", {"limit": limit})
    if len(found) < limit:
        trashed = "o.status = 'T' AND o.trashed_at <= :watermark LIMIT :limit"
        found += objects_where(sql, account_id, trashed, {"watermark": watermark, "limit": limit - len(found)})
    return found


def _below(sql: Sql, account_id: int, folders: list[StoredObject], limit: int) -> list[StoredObject]:
    if not folders or not limit:
        return []
    params: Params = {"keys": [raw(one.object_key) for one in folders], "limit": limit}
    return objects_where(sql, account_id, "o.parent_key = ANY_KEY(:keys) LIMIT :limit", params)


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
    root_key = root_key_of(sql, account_id)
    update_objects(sql, [(one, replace(one, parent_key=root_key)) for one in trashed])


def _delete(sql: Sql, account_id: int, objects: list[StoredObject], now: int, *, keep: bool) -> None:
    if not objects:
        return
    keys = [one.object_key for one in objects]
    drop_versions(sql, account_id, keys, now, keep=keep)
    sql.search_index.remove(account_id, keys)
    objects_gone = "DELETE FROM objects WHERE account_id = :account AND object_key = ANY_KEY(:keys)"
    fewer = sql.run(objects_gone, {"account": account_id, "keys": [raw(key) for key in keys]})
    add_objects(sql, account_id, -fewer)
    count_months(sql, [(one, None) for one in objects])

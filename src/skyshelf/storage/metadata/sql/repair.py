"""Repairs in SQL: each checks and changes its rows under their lock."""

from collections.abc import Iterable

from skyshelf.storage.metadata.contracts.accounts import CATEGORIES
from skyshelf.storage.metadata.contracts.inspection import Dangling, ThumbnailRow
from skyshelf.storage.metadata.contracts.tree import StoredObject
from skyshelf.storage.metadata.sql.account_lock import lock_account
from skyshelf.storage.metadata.sql.boards.members import SqlBoardMembers
from skyshelf.storage.metadata.sql.files_bulk import insert_versions
from skyshelf.storage.metadata.sql.inspection import IN_TIMELINE, IS_A_STRANGERS, references
from skyshelf.storage.metadata.sql.quota import SqlQuotas
from skyshelf.storage.metadata.sql.statements import Scalar, SqlNoun, Value, raw
from skyshelf.storage.metadata.sql.tree.batches import bring_to_root
from skyshelf.storage.metadata.sql.tree.objects import DERIVED, file_of, reindex, row_of
from skyshelf.storage.metadata.sql.tree.visibility import load


class SqlRepair(SqlNoun):
    """Repairs of what Inspection found. Each checks again under the locks that it needs, and does nothing if all is
    well by now; true means that something was changed."""

    def drop_dangling(self, dangling: Dangling) -> int:
        """Remove rows that refer to nothing, where they may go; return how many."""
        gone = 0
        for one in references():
            if (one.table, one.columns, one.may_go) == (dangling.table, dangling.columns, True):
                gone += self._sql.run(f"DELETE FROM {one.table} AS c WHERE {one.dangles}")
        return gone

    def bring_home(self, account_id: int, object_keys: Iterable[str], now: int) -> list[str]:
        """Move homeless objects to the root, under a free name; those that were moved. ObjectMissing where there is
        no root either."""
        return bring_to_root(self._sql, account_id, list(object_keys), now)

    def rewrite(self, account_id: int, object_key: str) -> bool:
        """Write the derived columns of an object again."""
        stored = self._locked(account_id, object_key)
        if stored is None:
            return False
        derived = {column: value for column, value in row_of(stored).items() if column in DERIVED}
        self._sql.update("objects", derived, account_id=account_id, object_key=raw(object_key))
        return True

    def reindex(self, account_id: int, object_key: str) -> bool:
        """Bring an object into the search index, or out of it, as it should be."""
        stored = self._locked(account_id, object_key)
        if stored is not None:
            reindex(self._sql, stored)
        return stored is not None

    def _locked(self, account_id: int, object_key: str) -> StoredObject | None:
        lock_account(self._sql, account_id)
        return load(self._sql, account_id, [object_key]).get(object_key)

    def recount_months(self, account_id: int) -> bool:
        """Recount the pictures of every month."""
        lock_account(self._sql, account_id)
        self._sql.delete("timeline_months", account_id=account_id)
        self._sql.run(
            "INSERT INTO timeline_months (account_id, month, parent_key, files)"
            " SELECT account_id, timeline_month, parent_key, count(*) FROM objects WHERE account_id = :account"
            f" AND {IN_TIMELINE} GROUP BY account_id, timeline_month, parent_key",
            {"account": account_id},
        )
        return True

    def crown(self, board_key: str) -> bool:
        """Give a board an owner again: its own, else the oldest member; a board without members is removed."""
        return SqlBoardMembers(self._sql).crown(board_key)

    def drop_strangers_items(self, board_key: str) -> int:
        """Take off a board what belongs to accounts that are not on it; how much that was."""
        return self._sql.run(
            f"DELETE FROM board_items AS i WHERE i.board_key = :board AND {IS_A_STRANGERS}", {"board": raw(board_key)}
        )

    def restore_current(self, account_id: int, object_key: str) -> bool:
        """Make the current version and its file's row agree, by what the index of blobs knows; false where it
        knows neither."""
        stored = self._locked(account_id, object_key)
        if stored is None or stored.sha256 is None or stored.md5 is None:
            return False
        content: dict[str, Scalar] = {"content": raw(stored.sha256), "md5": raw(stored.md5), "size": stored.size}
        if self._sql.exists("blobs", **content):
            return self._version_like_the_file(stored, content)
        return self._file_like_the_version(account_id, object_key)

    def _version_like_the_file(self, stored: StoredObject, content: dict[str, Scalar]) -> bool:
        key: dict[str, Scalar] = {
            "account_id": stored.account_id,
            "object_key": raw(stored.object_key),
            "version": stored.version,
        }
        if not self._sql.update("versions", content, **key):
            version = file_of(stored, "", created_by="")
            insert_versions(self._sql, [(stored, version)], stored.arrived_at)
        return True

    def _file_like_the_version(self, account_id: int, object_key: str) -> bool:
        changed = self._sql.run(
            "UPDATE objects SET content = v.content, md5 = v.md5, size = v.size FROM versions v JOIN blobs b"
            " ON b.content = v.content AND b.md5 = v.md5 AND b.size = v.size"
            " WHERE v.account_id = objects.account_id AND v.object_key = objects.object_key"
            " AND v.version = objects.version AND objects.account_id = :account AND objects.object_key = :key",
            {"account": account_id, "key": raw(object_key)},
        )
        return bool(changed) and self.rewrite(account_id, object_key)

    def recount_references(self, sha256: str, now: int) -> bool:
        """Set the counter of a content to what is counted."""
        content: dict[str, Value] = {"content": raw(sha256)}
        # Locked first: a put that refers to it holds this row until its version can be counted.
        row = self._sql.one("SELECT refs FROM blobs WHERE content = :content FOR UPDATE", content)
        counted = self._sql.number("SELECT count(*) FROM versions WHERE content = :content", content)
        if row is None or row[0] == counted:
            return False
        self._sql.update("blobs", {"refs": counted, "idle_since": 0 if counted else now}, content=raw(sha256))
        return True

    def recount_quota(self, account_id: int, now: int) -> bool:
        """Set the counters of an account to what is counted."""
        lock_account(self._sql, account_id)
        quotas = SqlQuotas(self._sql)
        counted = quotas.recount(account_id, now)
        if quotas.get(account_id, now) == counted:
            return False
        counters = (*(f"{category}_used" for category in CATEGORIES), "reserved", "objects", "history_used")
        values = {counter: getattr(counted, counter) for counter in counters}
        self._sql.update("account_counters", values, account_id=account_id)
        return True

    def forget_feed(self, account_id: int) -> bool:
        """Drop a feed with a hole in it, unless the account is held; its readers have to start over."""
        lock = lock_account(self._sql, account_id)
        if lock.held_at:
            return False
        newest = self._sql.value("SELECT max(seq) FROM changes WHERE account_id = :account", {"account": account_id})
        if newest is None:
            return False
        # A number is never given out twice, not even where the counter had fallen behind.
        self._sql.update("account_counters", {"change_seq": max(lock.change_seq, newest) + 1}, account_id=account_id)
        return self._sql.delete("changes", account_id=account_id) > 0

    def forget_thumbnail(self, row: ThumbnailRow) -> bool:
        """Forget a thumbnail if it is still at that location; it is created again on demand."""
        alike: dict[str, Scalar] = {"content": raw(row.sha256), "size": row.size, "form": row.form}
        return self._sql.delete("thumbnails", account_id=row.account_id, location=row.location, **alike) > 0

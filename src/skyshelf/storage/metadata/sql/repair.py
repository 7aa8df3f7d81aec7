"""Repairs in SQL: each checks and changes its rows under their lock."""

from collections.abc import Iterable

from skyshelf.storage.metadata.contracts.inspection import Dangling, ThumbnailRow
from skyshelf.storage.metadata.contracts.quota import CATEGORIES
from skyshelf.storage.metadata.contracts.tree import StoredObject
from skyshelf.storage.metadata.sql.account_lock import lock_account
from skyshelf.storage.metadata.sql.boards.members import SqlBoardMembers
from skyshelf.storage.metadata.sql.inspection import IN_TIMELINE, IS_A_STRANGERS
from skyshelf.storage.metadata.sql.quota import SqlQuotas
from skyshelf.storage.metadata.sql.references import references
from skyshelf.storage.metadata.sql.search_entries import reindex
from skyshelf.storage.metadata.sql.statements import Sql, Value, raw
from skyshelf.storage.metadata.sql.tree.batches import bring_to_root
from skyshelf.storage.metadata.sql.tree.objects import DERIVED, row_of
from skyshelf.storage.metadata.sql.tree.visibility import load
from skyshelf.wire.names import category


class SqlRepair:
    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    def drop_dangling(self, dangling: Dangling) -> int:
        gone = 0
        for one in references():
            if (one.table, one.columns, one.may_go) == (dangling.table, dangling.columns, True):
                gone += self._sql.run(f"DELETE FROM {one.table} AS c WHERE {one.dangles}")
        return gone

    def bring_home(self, account_id: int, object_keys: Iterable[str], now: int) -> list[str]:
        return bring_to_root(self._sql, account_id, list(object_keys), now)

    def rewrite(self, account_id: int, object_key: str) -> bool:
        lock_account(self._sql, account_id)
        stored = load(self._sql, account_id, [object_key]).get(object_key)
        if stored is None:
            return False
        self._write_derived(stored)
        return True

    def _write_derived(self, stored: StoredObject) -> None:
        row = row_of(stored)
        assignments = ", ".join(f"{column} = :{column}" for column in DERIVED)
        used = {"account_id", "object_key", *DERIVED}
        self._sql.run(
            f"UPDATE objects SET {assignments} WHERE account_id = :account_id AND object_key = :object_key",
            {column: value for column, value in row.items() if column in used},
        )

    def reindex(self, account_id: int, object_key: str) -> bool:
        lock_account(self._sql, account_id)
        stored = load(self._sql, account_id, [object_key]).get(object_key)
        if stored is None:
            return False
        reindex(self._sql, stored)
        return True

    def recount_months(self, account_id: int) -> bool:
        lock_account(self._sql, account_id)
        account: dict[str, Value] = {"account": account_id}
        self._sql.run("DELETE FROM timeline_months WHERE account_id = :account", account)
        self._sql.run(
            "INSERT INTO timeline_months (account_id, month, parent_key, files)"
            " SELECT account_id, timeline_month, parent_key, count(*) FROM objects WHERE account_id = :account"
            f" AND {IN_TIMELINE} GROUP BY account_id, timeline_month, parent_key",
            account,
        )
        return True

    def crown(self, board_key: str) -> bool:
        return SqlBoardMembers(self._sql).crown(board_key)

    def drop_strangers_items(self, board_key: str) -> int:
        return self._sql.run(
            f"DELETE FROM board_items AS i WHERE i.board_key = :board AND {IS_A_STRANGERS}", {"board": raw(board_key)}
        )

    def restore_current(self, account_id: int, object_key: str) -> bool:
        lock_account(self._sql, account_id)
        stored = load(self._sql, account_id, [object_key]).get(object_key)
        if stored is None or stored.sha256 is None or stored.md5 is None:
            return False
        params: dict[str, Value] = {
            "account": account_id,
            "key": raw(object_key),
            "version": stored.version,
            "content": raw(stored.sha256),
            "md5": raw(stored.md5),
            "size": stored.size,
        }
        known = {"content": params["content"], "md5": params["md5"], "size": params["size"]}
        if self._sql.one("SELECT 1 FROM blobs WHERE content = :content AND md5 = :md5 AND size = :size", known):
            return self._version_like_the_file(stored, params)
        return self._file_like_the_version(account_id, object_key)

    def _version_like_the_file(self, stored: StoredObject, params: dict[str, Value]) -> bool:
        changed = self._sql.run(
            "UPDATE versions SET content = :content, md5 = :md5, size = :size"
            " WHERE account_id = :account AND object_key = :key AND version = :version",
            params,
        )
        if not changed:
            self._sql.run(
                "INSERT INTO versions (account_id, object_key, version, content, md5, size, category, mime_type,"
                " mime_subtype, created_at, created_by, file_created_at, last_modified_at) VALUES (:account, :key,"
                " :version, :content, :md5, :size, :category, :mime_type, :mime_subtype, :created_at, '',"
                " :file_created_at, :last_modified_at)",
                params
                | {
                    "category": category(stored.mime_type),
                    "mime_type": stored.mime_type,
                    "mime_subtype": stored.mime_subtype,
                    "created_at": stored.arrived_at,
                    "file_created_at": stored.file_created_at,
                    "last_modified_at": stored.last_modified_at,
                },
            )
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
        content: dict[str, Value] = {"content": raw(sha256)}
        # Locked first: a put that refers to it holds this row until its version can be counted.
        row = self._sql.one("SELECT refs FROM blobs WHERE content = :content FOR UPDATE", content)
        counted = self._sql.one("SELECT count(*) FROM versions WHERE content = :content", content)
        if row is None or counted is None or row[0] == counted[0]:
            return False
        self._sql.run(
            "UPDATE blobs SET refs = :refs, idle_since = :idle WHERE content = :content",
            content | {"refs": counted[0], "idle": 0 if counted[0] else now},
        )
        return True

    def recount_quota(self, account_id: int, now: int) -> bool:
        lock_account(self._sql, account_id)
        quotas = SqlQuotas(self._sql)
        counted = quotas.recount(account_id, now)
        if quotas.get(account_id, now) == counted:
            return False
        used = {category: getattr(counted, f"{category}_used") for category in CATEGORIES}
        self._sql.run(
            "UPDATE account_counters SET document_used = :document, photo_used = :photo, video_used = :video,"
            " audio_used = :audio, reserved = :reserved, objects = :objects WHERE account_id = :account",
            {"account": account_id, "reserved": counted.reserved, "objects": counted.objects, **used},
        )
        return True

    def forget_feed(self, account_id: int) -> bool:
        lock = lock_account(self._sql, account_id)
        newest = self._sql.one("SELECT max(seq) FROM changes WHERE account_id = :account", {"account": account_id})
        if newest is None or newest[0] is None:
            return False
        # A number is never given out twice, not even where the counter had fallen behind.
        self._sql.run(
            "UPDATE account_counters SET change_seq = :seq WHERE account_id = :account",
            {"account": account_id, "seq": max(lock.change_seq, newest[0]) + 1},
        )
        return bool(self._sql.run("DELETE FROM changes WHERE account_id = :account", {"account": account_id}))

    def forget_thumbnail(self, row: ThumbnailRow) -> bool:
        return bool(
            self._sql.run(
                "DELETE FROM thumbnails WHERE account_id = :account AND content = :content AND size = :size"
                " AND form = :form AND location = :location",
                {
                    "account": row.account_id,
                    "content": raw(row.sha256),
                    "size": row.size,
                    "form": row.form,
                    "location": row.location,
                },
            )
        )

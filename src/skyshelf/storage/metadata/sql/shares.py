"""Shares in SQL."""

from collections.abc import Sequence
from functools import cache

from skyshelf.storage.errors import Missing, ObjectMissing
from skyshelf.storage.metadata.contracts.shares import LOOK, GuestFile, NewShare, Share, ShareEdit
from skyshelf.storage.metadata.sql.account_lock import lock_account
from skyshelf.storage.metadata.sql.boards.access import hold_board
from skyshelf.storage.metadata.sql.bounds import refuse_beyond
from skyshelf.storage.metadata.sql.kept.links import SHARE, record_links
from skyshelf.storage.metadata.sql.statements import Params, Row, Sql, Value, key_text, raw
from skyshelf.storage.metadata.sql.tree.stored_wire import current_rows, encoding, stored_wire
from skyshelf.storage.metadata.sql.tree.tree import SqlTree
from skyshelf.storage.metadata.sql.tree.visibility import IS_VISIBLE, among
from skyshelf.wire.limits import SHARED_IN_ALL_MAX, SHARES_MAX

_COLUMNS = (
    "s.share_key, s.account_id, s.name, s.created_at, s.expires_at, s.password_hash, s.download_limit, s.downloads,"
    " s.visits, s.last_visit_at, s.rights, s.upload_limit, s.upload_bytes, s.uploads, s.board_key, b.name"
)
# A share of a board knows it while its account owns it.
_SHARES = "shares s LEFT JOIN boards b ON b.board_key = s.board_key AND b.owner_id = s.account_id"
# A condition on a share `s`.
_LIVE = "s.revoked_at = 0 AND (s.expires_at = 0 OR s.expires_at > :now)"
_HOUR_MS = 3_600_000
_HAS_DOWNLOADS_LEFT = "(s.download_limit = 0 OR s.downloads < s.download_limit)"


class SqlShares:
    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    def add(self, account_id: int, share: NewShare, now: int) -> Share:
        lock_account(self._sql, account_id)
        if share.board_key is not None:
            hold_board(self._sql, account_id, share.board_key)
        object_keys = list(dict.fromkeys(share.object_keys))
        if len(SqlTree(self._sql).visible_many(account_id, object_keys)) < len(object_keys):
            raise ObjectMissing("an object of the share is not there")
        mine: Params = {"account": account_id}
        self._sql.run("DELETE FROM shares WHERE account_id = :account AND revoked_at > 0", mine)
        of_account = "FROM shares WHERE account_id = :account AND revoked_at = 0"
        refuse_beyond(self._sql, of_account, mine, most=SHARES_MAX, what="share links: revoke some")
        refuse_beyond(
            self._sql,
            "FROM share_objects WHERE account_id = :account",
            mine,
            most=SHARED_IN_ALL_MAX,
            more=len(object_keys),
            what="objects in all share links: revoke some",
        )
        self._sql.run(
            "INSERT INTO shares (share_key, account_id, token_hash, name, created_at, revoked_at, expires_at,"
            " password_hash, download_limit, downloads, visits, last_visit_at, board_key, rights, upload_limit,"
            " upload_bytes) VALUES (:share, :account, :token, :name, :now, 0, :expires, :password, :limit, 0, 0, 0,"
            " :board, :rights, :upload_limit, :upload_bytes)",
            {
                "share": raw(share.share_key),
                "account": account_id,
                "token": share.token_hash,
                "name": share.name,
                "now": now,
                "expires": share.expires_at,
                "password": share.password_hash,
                "limit": share.download_limit,
                "board": None if share.board_key is None else raw(share.board_key),
                "rights": share.rights,
                "upload_limit": share.upload_limit,
                "upload_bytes": share.upload_bytes,
            },
        )
        self._sql.run_many(
            "INSERT INTO share_objects (share_key, position, account_id, object_key)"
            " VALUES (:share, :position, :account, :object)",
            [
                {"share": raw(share.share_key), "position": position, "account": account_id, "object": raw(key)}
                for position, key in enumerate(object_keys)
            ],
        )
        links = [(key, share.share_key, share.name) for key in object_keys]
        record_links(self._sql, account_id, links, now, kind=SHARE, added=True)
        return self.get(account_id, share.share_key)

    def get(self, account_id: int, share_key: str) -> Share:
        rows = self._sql.all(
            f"SELECT {_COLUMNS} FROM {_SHARES} WHERE s.share_key = :share AND s.account_id = :account"
            " AND s.revoked_at = 0",
            {"share": raw(share_key), "account": account_id},
        )
        if not rows:
            raise Missing("no such share")
        return self._with_objects(rows)[0]

    def by_token(self, token_hash: bytes, now: int) -> Share | None:
        rows = self._sql.all(
            f"SELECT {_COLUMNS} FROM {_SHARES} JOIN accounts a ON a.account_id = s.account_id"
            f" WHERE s.token_hash = :token AND a.status = 'A' AND a.delete_at = 0 AND {_LIVE}"
            " AND (s.board_key IS NULL OR b.board_key IS NOT NULL)",
            {"token": token_hash, "now": now},
        )
        return self._with_objects(rows)[0] if rows else None

    def page(
        self, account_id: int, *, limit: int, after: tuple[int, str] | None = None, board_key: str | None = None
    ) -> list[Share]:
        params: dict[str, Value] = {"account": account_id, "limit": limit}
        if after is not None:
            params |= {"at": after[0], "key": raw(after[1])}
        older = "" if after is None else " AND (s.created_at, s.share_key) < (:at, :key)"
        of_board = "" if board_key is None else " AND s.board_key = :board"
        if board_key is not None:
            params["board"] = raw(board_key)
        rows = self._sql.all(
            f"SELECT {_COLUMNS} FROM {_SHARES} WHERE s.account_id = :account AND s.revoked_at = 0{older}{of_board}"
            " ORDER BY s.created_at DESC, s.share_key DESC LIMIT :limit",
            params,
        )
        return self._with_objects(rows)

    def edit(self, account_id: int, share_key: str, edit: ShareEdit) -> Share:
        self._sql.run(
            "UPDATE shares SET name = coalesce(:name, name), expires_at = coalesce(:expires, expires_at),"
            " password_hash = coalesce(:password, password_hash), download_limit = coalesce(:limit, download_limit),"
            " rights = coalesce(:rights, rights), upload_limit = coalesce(:upload_limit, upload_limit),"
            " upload_bytes = coalesce(:upload_bytes, upload_bytes)"
            " WHERE share_key = :share AND account_id = :account AND revoked_at = 0",
            {
                "share": raw(share_key),
                "account": account_id,
                "name": edit.name,
                "expires": edit.expires_at,
                "password": edit.password_hash,
                "limit": edit.download_limit,
                "rights": edit.rights,
                "upload_limit": edit.upload_limit,
                "upload_bytes": edit.upload_bytes,
            },
        )
        return self.get(account_id, share_key)

    def revoke(self, account_id: int, share_key: str, now: int) -> bool:
        mine: Params = {"share": raw(share_key), "account": account_id}
        is_revoked = bool(
            self._sql.run(
                "UPDATE shares SET revoked_at = :now WHERE share_key = :share AND account_id = :account"
                " AND revoked_at = 0",
                # Never zero, which would mean: not revoked.
                {**mine, "now": max(now, 1)},
            )
        )
        if is_revoked:
            rows = self._sql.all(
                "SELECT o.object_key, s.name FROM share_objects o JOIN shares s ON s.share_key = o.share_key"
                " WHERE o.share_key = :share AND s.account_id = :account",
                mine,
            )
            links = [(key_text(key), share_key, name) for key, name in rows]
            record_links(self._sql, account_id, links, now, kind=SHARE, added=False)
        return is_revoked

    def count_visit(self, share_key: str, now: int) -> None:
        self._sql.run(
            "UPDATE shares SET visits = visits + 1, last_visit_at = :now WHERE share_key = :share AND revoked_at = 0",
            {"share": raw(share_key), "now": now},
        )

    def take_download(self, share_key: str, now: int) -> bool:
        return bool(
            self._sql.run(
                f"UPDATE shares AS s SET downloads = downloads + 1 WHERE s.share_key = :share AND {_LIVE}"
                f" AND {_HAS_DOWNLOADS_LEFT}",
                {"share": raw(share_key), "now": now},
            )
        )

    def take_upload(self, share_key: str, now: int, *, most: int, most_in_hour: int) -> bool:
        hour = now // _HOUR_MS
        return bool(
            self._sql.run(
                "UPDATE shares AS s SET uploads = uploads + 1, upload_hour = :hour,"
                " uploads_in_hour = CASE WHEN upload_hour = :hour THEN uploads_in_hour + 1 ELSE 1 END"
                f" WHERE s.share_key = :share AND s.rights <> :look AND {_LIVE}"
                " AND s.uploads < CASE WHEN s.upload_limit = 0 THEN :most ELSE s.upload_limit END"
                " AND (s.upload_hour <> :hour OR s.uploads_in_hour < :in_hour)",
                {
                    "share": raw(share_key),
                    "now": now,
                    "hour": hour,
                    "look": LOOK,
                    "most": most,
                    "in_hour": most_in_hour,
                },
            )
        )

    def give_back_upload(self, share_key: str) -> None:
        self._sql.run(
            "UPDATE shares SET uploads = uploads - 1 WHERE share_key = :share AND uploads > 0",
            {"share": raw(share_key)},
        )

    def add_guest_file(self, file: GuestFile) -> None:
        self._sql.run(
            "INSERT INTO guest_files (account_id, object_key, share_key, guest_name, added_at)"
            " VALUES (:account, :object, :share, :name, :at) ON CONFLICT (account_id, object_key) DO UPDATE SET"
            " share_key = excluded.share_key, guest_name = excluded.guest_name, added_at = excluded.added_at",
            {
                "account": file.account_id,
                "object": raw(file.object_key),
                "share": raw(file.share_key),
                "name": file.guest_name,
                "at": file.added_at,
            },
        )

    def guest_files(self, object_keys: Sequence[tuple[int, str]]) -> dict[str, GuestFile]:
        by_account: dict[int, list[bytes]] = {}
        for account_id, object_key in object_keys:
            by_account.setdefault(account_id, []).append(raw(object_key))
        return {
            key_text(row[1]): _guest_file(row)
            for account_id, keys in by_account.items()
            for row in self._sql.all(
                "SELECT account_id, object_key, share_key, guest_name, added_at FROM guest_files"
                " WHERE account_id = :account AND object_key = ANY_KEY(:keys)",
                {"account": account_id, "keys": keys},
            )
        }

    def guest_files_on_board(self, board_key: str, *, limit: int) -> list[GuestFile]:
        rows = self._sql.all(
            "SELECT g.account_id, g.object_key, g.share_key, g.guest_name, g.added_at FROM board_items i"
            " JOIN guest_files g ON g.account_id = i.account_id AND g.object_key = i.object_key"
            " WHERE i.board_key = :board ORDER BY g.added_at DESC, g.object_key DESC LIMIT :limit",
            {"board": raw(board_key), "limit": limit},
        )
        return [_guest_file(row) for row in rows]

    def shared_objects(
        self, account_id: int, now: int, *, limit: int, offset: int = 0, newest_first: bool = True
    ) -> list[tuple[bytes, int]]:
        rows = self._sql.all(
            _shared_objects_statement(newest_first),
            {"account": account_id, "now": now, "limit": limit, "offset": offset, **encoding()},
        )
        return [(wire, shared_at) for wire, shared_at in current_rows(self._sql, account_id, rows)]

    def _with_objects(self, rows: Sequence[Row]) -> list[Share]:
        """Shares from rows of _COLUMNS; the objects of all of them come in one statement."""
        if not rows:
            return []
        params: Params = {"shares": [row[0] for row in rows]}
        keys: dict[bytes, list[str]] = {}
        for share_key, object_key in self._sql.all(
            "SELECT share_key, object_key FROM share_objects WHERE share_key = ANY_KEY(:shares)"
            " ORDER BY share_key, position",
            params,
        ):
            keys.setdefault(share_key, []).append(key_text(object_key))
        return [_share(row, keys.get(row[0], [])) for row in rows]


def _guest_file(row: Row) -> GuestFile:
    return GuestFile(
        account_id=row[0],
        object_key=key_text(row[1]),
        share_key=key_text(row[2]),
        guest_name=row[3],
        added_at=row[4],
    )


def _share(row: Row, object_keys: list[str]) -> Share:
    board_key = None if row[14] is None else key_text(row[14])
    return Share(*(key_text(row[0]), *row[1:14], board_key, row[15], object_keys))


@cache
def _shared_objects_statement(newest_first: bool) -> str:
    direction = "DESC" if newest_first else "ASC"
    return among(
        "SELECT o.account_id, o.object_key, o.parent_key, k.shared_at FROM (SELECT i.object_key,"
        " max(s.created_at) AS shared_at FROM shares s JOIN share_objects i ON i.share_key = s.share_key"
        f" WHERE s.account_id = :account AND s.rights <> 'U' AND {_LIVE} AND {_HAS_DOWNLOADS_LEFT}"
        " GROUP BY i.object_key) k"
        " CROSS JOIN objects o"
        " WHERE o.account_id = :account AND o.object_key = k.object_key AND o.status = 'A'",
        # Only the rows of the page are fetched whole.
        f"SELECT {stored_wire('o')}, k.shared_at FROM (SELECT c.object_key, c.shared_at FROM candidate c"
        f" WHERE {IS_VISIBLE} ORDER BY c.shared_at {direction}, c.object_key {direction} LIMIT :limit OFFSET :offset) k"
        " CROSS JOIN objects o WHERE o.account_id = :account AND o.object_key = k.object_key"
        f" ORDER BY k.shared_at {direction}, k.object_key {direction}",
    )

"""Shares in SQL, and archives of chosen objects."""

from collections.abc import Sequence
from functools import cache

from msgspec.structs import asdict

from skyshelf.storage.errors import Missing, ObjectMissing
from skyshelf.storage.metadata.contracts.shares import LOOK, ChosenObjects, GuestFile, NewShare, Share, ShareEdit
from skyshelf.storage.metadata.sql import bounds
from skyshelf.storage.metadata.sql.account_lock import lock_account
from skyshelf.storage.metadata.sql.boards.access import hold_board
from skyshelf.storage.metadata.sql.held import NOT_HELD
from skyshelf.storage.metadata.sql.keeping import SHARE, record_links
from skyshelf.storage.metadata.sql.statements import (
    Columns,
    Expiring,
    Params,
    Row,
    SqlNoun,
    key_text,
    page_after,
    raw,
    replacing,
    required,
)
from skyshelf.storage.metadata.sql.tree.stored_wire import current_rows, encoding, stored_wire
from skyshelf.storage.metadata.sql.tree.tree import SqlTree
from skyshelf.storage.metadata.sql.tree.visibility import IS_VISIBLE, among
from skyshelf.wire.limits import ARCHIVES_MAX

_COLUMNS = (
    "s.share_key, s.account_id, s.name, s.created_at, s.expires_at, s.password_hash, s.download_limit, s.downloads,"
    " s.visits, s.last_visit_at, s.rights, s.upload_limit, s.upload_bytes, s.uploads, s.board_key, b.name,"
    " s.generation"
)
# A share of a board knows it while its account owns it.
_SHARES = "shares s LEFT JOIN boards b ON b.board_key = s.board_key AND b.owner_id = s.account_id"
# A condition on a share `s`.
_LIVE = "s.revoked_at = 0 AND (s.expires_at = 0 OR s.expires_at > :now)"
_HOUR_MS = 3_600_000
_GUEST_FILE, _NEW = Columns(GuestFile, "g"), Columns(NewShare)
_HAS_DOWNLOADS_LEFT = "(s.download_limit = 0 OR s.downloads < s.download_limit)"


class SqlShares(SqlNoun):
    """A share is live until it is revoked or expires; a revoked one is, for every call, one that does not exist. One
    of a board is live while its account owns the board, and goes with the board.

    Keys of other accounts are keys that do not exist. Objects that are purged leave their shares.
    """

    def add(self, account_id: int, share: NewShare, now: int) -> Share:
        """Return all or nothing: ObjectMissing when one of the objects cannot be seen, Missing when the account is no
        member of the board. The same object twice is once."""
        lock_account(self._sql, account_id)
        if share.board_key is not None:
            hold_board(self._sql, account_id, share.board_key)
        object_keys = list(dict.fromkeys(share.object_keys))
        if len(SqlTree(self._sql).visible_many(account_id, object_keys)) < len(object_keys):
            raise ObjectMissing("an object of the share is not there")
        mine: Params = {"account": account_id}
        self._sql.run(
            f"DELETE FROM shares WHERE account_id = :account AND revoked_at > 0 AND {NOT_HELD.format('shares')}", mine
        )
        bounds.refuse(self._sql, account_id, "shares")
        bounds.refuse(self._sql, account_id, "sharedObjects", more=len(object_keys))
        row = _NEW.write(share)
        del row["object_keys"]
        counters = dict.fromkeys(("revoked_at", "downloads", "visits", "last_visit_at"), 0)
        self._sql.insert("shares", account_id=account_id, **row, created_at=now, **counters)
        of_share: Params = {"share_key": raw(share.share_key), "account_id": account_id}
        shared = [
            {**of_share, "position": position, "object_key": raw(key)} for position, key in enumerate(object_keys)
        ]
        self._sql.insert_rows("share_objects", shared)
        links = [(key, share.share_key, share.name) for key in object_keys]
        record_links(self._sql, account_id, links, now, kind=SHARE, added=True)
        return self.get(account_id, share.share_key)

    def get(self, account_id: int, share_key: str) -> Share:
        """Expired ones too. Missing when there is none."""
        rows = self._sql.all(
            f"SELECT {_COLUMNS} FROM {_SHARES} WHERE s.share_key = :share AND s.account_id = :account"
            " AND s.revoked_at = 0",
            {"share": raw(share_key), "account": account_id},
        )
        if not rows:
            raise Missing("no such share")
        return self._with_objects(rows)[0]

    def by_token(self, token_hash: bytes, now: int) -> Share | None:
        """Return the live share of a link, whose account is active and stays."""
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
        """Newest first, expired ones too: their end can be moved. With a board, those of that board alone.

        after is (created_at, share_key) of the last one seen, which may have been revoked since: a walk by it
        meets every share that existed all along exactly once.
        """
        page, place = page_after("s.created_at", "s.share_key", after, limit)
        of_board, board = (" AND s.board_key = :board", raw(board_key)) if board_key is not None else ("", None)
        rows = self._sql.all(
            f"SELECT {_COLUMNS} FROM {_SHARES} WHERE s.account_id = :account AND s.revoked_at = 0{of_board}{page}",
            {"account": account_id, "board": board, **place},
        )
        return self._with_objects(rows)

    def edit(self, account_id: int, share_key: str, edit: ShareEdit) -> Share:
        """Raise Missing when there is none."""
        sets = ", ".join(f"{column} = coalesce(:{column}, {column})" for column in ShareEdit.__struct_fields__)
        self._sql.run(
            f"UPDATE shares SET {sets} WHERE share_key = :share AND account_id = :account AND revoked_at = 0",
            {"share": raw(share_key), "account": account_id, **asdict(edit)},
        )
        return self.get(account_id, share_key)

    def revoke(self, account_id: int, share_key: str, now: int) -> bool:
        """End a share for good; false when there is none."""
        lock_account(self._sql, account_id, even_full=True)
        mine: Params = {"share": raw(share_key), "account": account_id}
        is_revoked = self._sql.run(
            "UPDATE shares SET revoked_at = :now WHERE share_key = :share AND account_id = :account AND revoked_at = 0",
            # Never zero, which would mean: not revoked.
            {**mine, "now": max(now, 1)},
        )
        if is_revoked:
            rows = self._sql.all(
                "SELECT o.object_key, s.name FROM share_objects o JOIN shares s ON s.share_key = o.share_key"
                " WHERE o.share_key = :share AND s.account_id = :account",
                mine,
            )
            links = [(key_text(key), share_key, name) for key, name in rows]
            record_links(self._sql, account_id, links, now, kind=SHARE, added=False)
        return bool(is_revoked)

    def count_visit(self, share_key: str, now: int) -> None:
        """Note that somebody opened the link."""
        self._sql.run(
            "UPDATE shares SET visits = visits + 1, last_visit_at = :now WHERE share_key = :share AND revoked_at = 0",
            {"share": raw(share_key), "now": now},
        )

    def take_download(self, share_key: str, now: int) -> bool:
        """Count one more download, if the share is live and its limit allows it.

        Of any number of takers at once, exactly as many succeed as downloads are left.
        """
        is_left = f"{_LIVE} AND {_HAS_DOWNLOADS_LEFT}"
        take = f"UPDATE shares AS s SET downloads = downloads + 1 WHERE s.share_key = :share AND {is_left}"
        return self._sql.changed(take, {"share": raw(share_key), "now": now})

    def take_upload(self, share_key: str, now: int, *, most: int, most_in_hour: int) -> bool:
        """Count one more file that is sent, if the share is live, lets files be sent and its limits allow it.

        most is the limit of shares without their own. As with take_download, exactly as many takers succeed as are
        left.
        """
        limits: Params = {"hour": now // _HOUR_MS, "look": LOOK, "most": most, "in_hour": most_in_hour}
        return self._sql.changed(
            "UPDATE shares AS s SET uploads = uploads + 1, upload_hour = :hour,"
            " uploads_in_hour = CASE WHEN upload_hour = :hour THEN uploads_in_hour + 1 ELSE 1 END"
            f" WHERE s.share_key = :share AND s.rights <> :look AND {_LIVE}"
            " AND s.uploads < CASE WHEN s.upload_limit = 0 THEN :most ELSE s.upload_limit END"
            " AND (s.upload_hour <> :hour OR s.uploads_in_hour < :in_hour)",
            {"share": raw(share_key), "now": now, **limits},
        )

    def give_back_upload(self, share_key: str) -> None:
        """A file that was counted did not arrive. In its hour it still counts."""
        self._sql.run(
            "UPDATE shares SET uploads = uploads - 1 WHERE share_key = :share AND uploads > 0",
            {"share": raw(share_key)},
        )

    def add_guest_file(self, file: GuestFile) -> None:
        """Note who sent a file. The file sent again keeps who sent it last."""
        last = replacing("account_id, object_key", "share_key", "guest_name", "added_at")
        self._sql.insert("guest_files", last, **_GUEST_FILE.write(file))

    def guest_files(self, object_keys: Sequence[tuple[int, str]]) -> dict[str, GuestFile]:
        """Return the objects among these, named by account and key, that guests have sent."""
        by_account: dict[int, list[bytes]] = {}
        for account_id, object_key in object_keys:
            by_account.setdefault(account_id, []).append(raw(object_key))
        source = "FROM guest_files g WHERE g.account_id = :account AND g.object_key = ANY_KEY(:keys)"
        return {
            file.object_key: file
            for account_id, keys in by_account.items()
            for file in _GUEST_FILE.all(self._sql, source, {"account": account_id, "keys": keys})
        }

    def guest_files_on_board(self, board_key: str, *, limit: int) -> list[GuestFile]:
        """Return files on the board that guests have sent, newest first; the service checks who may know."""
        return _GUEST_FILE.all(
            self._sql,
            "FROM board_items i JOIN guest_files g"
            " ON g.account_id = i.account_id AND g.object_key = i.object_key"
            " WHERE i.board_key = :board ORDER BY g.added_at DESC, g.object_key DESC LIMIT :limit",
            {"board": raw(board_key), "limit": limit},
        )

    def shared_objects(
        self, account_id: int, now: int, *, limit: int, offset: int = 0, newest_first: bool = True
    ) -> list[tuple[bytes, int]]:
        """Objects that a live share names and that can be seen, each once: (encoded object, date of its newest
        live share), by that date. A share whose downloads are all taken does not count."""
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


def _share(row: Row, object_keys: list[str]) -> Share:
    board_key = None if row[14] is None else key_text(row[14])
    return Share(*(key_text(row[0]), *row[1:14], board_key, row[15], object_keys, row[16]))


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


_KEY_BYTES = 16


class SqlArchives(Expiring):
    """An account has as many as wire.limits says; a new one replaces the oldest."""

    _table, _key = "archives", "archive_key"

    def add(self, account_id: int, chosen: ChosenObjects) -> None:
        """Keep it until it expires."""
        lock_account(self._sql, account_id)
        self._sql.run(
            "DELETE FROM archives WHERE archive_key IN (SELECT archive_key FROM archives WHERE account_id = :account"
            " ORDER BY expires_at DESC LIMIT :more OFFSET :most)",
            {"account": account_id, "most": ARCHIVES_MAX - 1, "more": ARCHIVES_MAX},
        )
        self._sql.insert(
            "archives",
            archive_key=raw(chosen.archive_key),
            account_id=account_id,
            name=chosen.name,
            object_keys=b"".join(map(raw, chosen.object_keys)),
            expires_at=chosen.expires_at,
        )

    def get(self, account_id: int, archive_key: str, now: int) -> ChosenObjects:
        """Missing when the account has no such archive, or it has expired."""
        row = self._sql.one(
            "SELECT name, object_keys, expires_at FROM archives"
            " WHERE archive_key = :key AND account_id = :account AND expires_at > :now",
            {"key": raw(archive_key), "account": account_id, "now": now},
        )
        name, keys, expires_at = required(row, Missing("no such archive"))
        object_keys = [key_text(keys[at : at + _KEY_BYTES]) for at in range(0, len(keys), _KEY_BYTES)]
        return ChosenObjects(archive_key=archive_key, name=name, object_keys=object_keys, expires_at=expires_at)

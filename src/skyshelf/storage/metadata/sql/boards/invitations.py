"""Invitations to boards in SQL."""

from collections.abc import Sequence

from skyshelf.storage.errors import KeptOut, Missing
from skyshelf.storage.metadata.contracts.boards import VIEWER, Invitation, Link, NewLink, ReceivedInvitation
from skyshelf.storage.metadata.contracts.tree import PageCursor
from skyshelf.storage.metadata.sql.boards.access import hold_board, lock_board, require_member
from skyshelf.storage.metadata.sql.boards.bounds import refuse_more_invitations, refuse_more_links, refuse_more_members
from skyshelf.storage.metadata.sql.boards.events import record
from skyshelf.storage.metadata.sql.boards.restrictions import REMOVED, VIEWER_AT_MOST, lift, restrict, restriction
from skyshelf.storage.metadata.sql.statements import Row, Sql, Value, key_text, raw

_RECEIVED = (
    "SELECT i.board_key, b.name, w.first_name, i.role, i.created_at, i.expires_at FROM board_invitations i"
    " JOIN boards b ON b.board_key = i.board_key JOIN accounts w ON w.account_id = b.owner_id"
    " WHERE i.email_folded = :email AND i.expires_at > :now"
)
_LINKS = "SELECT link_key, role, created_at, expires_at FROM board_links WHERE board_key = :board"


class SqlBoardInvitations:
    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    def invite(self, account_id: int, board_key: str, invitation: Invitation) -> None:
        hold_board(self._sql, account_id, board_key)
        self._forget_expired(board_key, invitation.created_at)
        refuse_more_invitations(self._sql, board_key, invitation.email.casefold())
        self._sql.run(
            "INSERT INTO board_invitations (board_key, email_folded, email, role, created_at, expires_at)"
            " VALUES (:board, :folded, :email, :role, :created, :expires)"
            " ON CONFLICT (board_key, email_folded) DO UPDATE SET email = excluded.email, role = excluded.role,"
            " created_at = excluded.created_at, expires_at = excluded.expires_at",
            {
                "board": raw(board_key),
                "folded": invitation.email.casefold(),
                "email": invitation.email,
                "role": invitation.role,
                "created": invitation.created_at,
                "expires": invitation.expires_at,
            },
        )

    def of_board(self, account_id: int, board_key: str, now: int) -> list[Invitation]:
        require_member(self._sql, account_id, board_key)
        rows = self._sql.all(
            "SELECT email, role, created_at, expires_at FROM board_invitations"
            " WHERE board_key = :board AND expires_at > :now ORDER BY email_folded",
            {"board": raw(board_key), "now": now},
        )
        return [
            Invitation(email=email, role=role, created_at=created_at, expires_at=expires_at)
            for email, role, created_at, expires_at in rows
        ]

    def revoke(self, account_id: int, board_key: str, email: str, now: int) -> None:
        hold_board(self._sql, account_id, board_key)
        self._take(board_key, email.casefold(), now)

    def received(
        self, account_id: int, now: int, *, limit: int, after: PageCursor | None = None
    ) -> list[ReceivedInvitation]:
        params: dict[str, Value] = {"email": self._address_of(account_id), "now": now, "limit": limit}
        further = ""
        if after is not None:
            further = " AND (i.created_at, i.board_key) < (:after_value, :after_key)"
            params |= {"after_value": after.value, "after_key": raw(after.key)}
        rows = self._sql.all(f"{_RECEIVED}{further} ORDER BY i.created_at DESC, i.board_key DESC LIMIT :limit", params)
        return [
            ReceivedInvitation(
                board_key=key_text(board),
                board_name=name,
                owner_name=owner,
                role=role,
                created_at=created_at,
                expires_at=expires_at,
            )
            for board, name, owner, role, created_at, expires_at in rows
        ]

    def change_tokens(self, account_ids: Sequence[int], now: int) -> dict[int, str]:
        # The board's own time and owner too: an invitation shows its name, and who it is of.
        rows = self._sql.all(
            "SELECT a.account_id, count(*), max(i.created_at), sum(i.created_at), sum(i.expires_at), max(b.updated_at),"
            " sum(b.updated_at), sum(b.owner_id) FROM accounts a JOIN board_invitations i"
            " ON i.email_folded = a.email_folded JOIN boards b ON b.board_key = i.board_key"
            " WHERE a.account_id = ANY(:accounts) AND i.expires_at > :now GROUP BY a.account_id",
            {"accounts": list(account_ids), "now": now},
        )
        return {account: " ".join(str(int(value)) for value in values) for account, *values in rows}

    def accept(self, account_id: int, board_key: str, now: int) -> None:
        lock_board(self._sql, board_key)
        try:
            role = self._take(board_key, self._address_of(account_id), now)
        except Missing:
            require_member(self._sql, account_id, board_key)
        else:
            if role == VIEWER and restriction(self._sql, board_key, account_id) is not None:
                restrict(self._sql, board_key, account_id, VIEWER_AT_MOST)
            else:
                lift(self._sql, board_key, account_id)
            self._join(account_id, board_key, role, now)

    def decline(self, account_id: int, board_key: str, now: int) -> None:
        lock_board(self._sql, board_key)
        self._take(board_key, self._address_of(account_id), now)

    def add_link(self, account_id: int, board_key: str, link: NewLink, now: int) -> Link:
        hold_board(self._sql, account_id, board_key)
        self._forget_expired(board_key, now)
        refuse_more_links(self._sql, board_key)
        row = self._sql.one(
            "INSERT INTO board_links (link_key, board_key, token_hash, role, created_at, expires_at)"
            " VALUES (:link, :board, :hash, :role, :now, :expires)"
            " RETURNING link_key, role, created_at, expires_at",
            {
                "link": raw(link.link_key),
                "board": raw(board_key),
                "hash": link.token_hash,
                "role": link.role,
                "now": now,
                "expires": link.expires_at,
            },
        )
        assert row is not None
        return _link(row)

    def links(self, account_id: int, board_key: str, now: int) -> list[Link]:
        require_member(self._sql, account_id, board_key)
        rows = self._sql.all(
            f"{_LINKS} AND expires_at > :now ORDER BY created_at DESC, link_key DESC",
            {"board": raw(board_key), "now": now},
        )
        return [_link(row) for row in rows]

    def revoke_link(self, account_id: int, board_key: str, link_key: str, now: int) -> None:
        hold_board(self._sql, account_id, board_key)
        gone = self._sql.run(
            "DELETE FROM board_links WHERE board_key = :board AND link_key = :link AND expires_at > :now",
            {"board": raw(board_key), "link": raw(link_key), "now": now},
        )
        if not gone:
            raise Missing("no such link")

    def accept_link(self, account_id: int, token_hash: bytes, now: int) -> str:
        found = self._link_of(token_hash, now)
        board_key = key_text(found[0])
        lock_board(self._sql, board_key)
        # Asked again under the lock: it may have been revoked in between.
        _, role = self._link_of(token_hash, now)
        decided = restriction(self._sql, board_key, account_id)
        if decided == REMOVED:
            raise KeptOut("the owner has removed this account from the board")
        if decided == VIEWER_AT_MOST:
            role = VIEWER
        self._join(account_id, board_key, role, now)
        return board_key

    def _link_of(self, token_hash: bytes, now: int) -> Row:
        row = self._sql.one(
            "SELECT board_key, role FROM board_links WHERE token_hash = :hash AND expires_at > :now",
            {"hash": token_hash, "now": now},
        )
        if row is None:
            raise Missing("no such link")
        return row

    def _take(self, board_key: str, email_folded: str, now: int) -> str:
        """End an invitation; the role that it gives."""
        row = self._sql.one(
            "DELETE FROM board_invitations WHERE board_key = :board AND email_folded = :email AND expires_at > :now"
            " RETURNING role",
            {"board": raw(board_key), "email": email_folded, "now": now},
        )
        if row is None:
            raise Missing("no such invitation")
        role: str = row[0]
        return role

    def _join(self, account_id: int, board_key: str, role: str, now: int) -> None:
        refuse_more_members(self._sql, account_id, board_key)
        joined = self._sql.run(
            "INSERT INTO board_members (board_key, account_id, role, status, joined_at)"
            " VALUES (:board, :account, :role, 'A', :now) ON CONFLICT (board_key, account_id) DO NOTHING",
            {"board": raw(board_key), "account": account_id, "role": role, "now": now},
        )
        if joined:
            record(self._sql, board_key, account_id, "joined", now)

    def _address_of(self, account_id: int) -> str:
        row = self._sql.one("SELECT email_folded FROM accounts WHERE account_id = :account", {"account": account_id})
        return row[0] if row else ""

    def _forget_expired(self, board_key: str, now: int) -> None:
        for table in ("board_invitations", "board_links"):
            self._sql.run(
                f"DELETE FROM {table} WHERE board_key = :board AND expires_at <= :now",
                {"board": raw(board_key), "now": now},
            )


def _link(row: Row) -> Link:
    return Link(link_key=key_text(row[0]), role=row[1], created_at=row[2], expires_at=row[3])

"""Invitations to boards in SQL."""

from collections.abc import Sequence

from skyshelf.storage.errors import KeptOut, Missing
from skyshelf.storage.metadata.contracts.boards import VIEWER, Invitation, Link, NewLink, ReceivedInvitation
from skyshelf.storage.metadata.contracts.tree import PageCursor
from skyshelf.storage.metadata.sql.boards import access
from skyshelf.storage.metadata.sql.boards.access import record
from skyshelf.storage.metadata.sql.boards.members import REMOVED, VIEWER_AT_MOST, lift, restrict, restriction
from skyshelf.storage.metadata.sql.quota import refuse_more
from skyshelf.storage.metadata.sql.statements import (
    Columns,
    Params,
    Row,
    SqlNoun,
    key_text,
    page_after,
    raw,
    replacing,
    required,
)
from skyshelf.wire.limits import BOARD_LINKS_MAX

_RECEIVED = (
    "SELECT i.board_key, b.name, w.first_name, i.role, i.created_at, i.expires_at FROM board_invitations i"
    " JOIN boards b ON b.board_key = i.board_key JOIN accounts w ON w.account_id = b.owner_id"
    " WHERE i.email_folded = :email AND i.expires_at > :now"
)
_INVITATION, _NEW, _LINK = Columns(Invitation), Columns(NewLink), Columns(Link)


class SqlBoardInvitations(SqlNoun):
    """An invitation is to an address, whether or not an account has it: nothing here reveals that. Case does not count.

    Unless a call says otherwise, the account_id is that of a member, to whom any other board is Missing. What has
    expired is not there. Changes hold the board's lock.
    """

    def invite(self, account_id: int, board_key: str, invitation: Invitation) -> None:
        """Invite an address, or invite it again."""
        access.hold_board(self._sql, account_id, board_key)
        self._forget_expired(board_key, invitation.created_at)
        access.refuse_more_invitations(self._sql, board_key, invitation.email.casefold())
        again = replacing("board_key, email_folded", *_INVITATION.names)
        key: Params = {"board_key": raw(board_key), "email_folded": invitation.email.casefold()}
        self._sql.insert("board_invitations", again, **key, **_INVITATION.write(invitation))

    def of_board(self, account_id: int, board_key: str, now: int) -> list[Invitation]:
        """Return them ordered by address."""
        access.require_member(self._sql, account_id, board_key)
        source = "FROM board_invitations WHERE board_key = :board AND expires_at > :now ORDER BY email_folded"
        return _INVITATION.all(self._sql, source, {"board": raw(board_key), "now": now})

    def revoke(self, account_id: int, board_key: str, email: str, now: int) -> None:
        """Missing when the address is not invited."""
        access.hold_board(self._sql, account_id, board_key)
        self._take(board_key, email.casefold(), now)

    def received(
        self, account_id: int, now: int, *, limit: int, after: PageCursor | None = None
    ) -> list[ReceivedInvitation]:
        """Return what the address of the account is invited to, newest first. A place is created_at and board_key."""
        page, place = page_after("i.created_at", "i.board_key", after, limit)
        rows = self._sql.all(f"{_RECEIVED}{page}", {"email": self._address_of(account_id), "now": now, **place})
        return [ReceivedInvitation(key_text(board), *rest) for board, *rest in rows]

    def change_tokens(self, account_ids: Sequence[int], now: int) -> dict[int, str]:
        """Return a text for each account that is another one when what its address is invited to has changed.

        For the server alone, to know when to check. An account without invitations has none.
        """
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
        """The invited account becomes a member; one who is a member stays as they are. Missing when not invited."""
        access.lock_board(self._sql, board_key)
        try:
            role = self._take(board_key, self._address_of(account_id), now)
        except Missing:
            access.require_member(self._sql, account_id, board_key)
        else:
            if role == VIEWER and restriction(self._sql, board_key, account_id) is not None:
                restrict(self._sql, board_key, account_id, VIEWER_AT_MOST)
            else:
                lift(self._sql, board_key, account_id)
            self._join(account_id, board_key, role, now)

    def decline(self, account_id: int, board_key: str, now: int) -> None:
        """Missing when the account is not invited."""
        access.lock_board(self._sql, board_key)
        self._take(board_key, self._address_of(account_id), now)

    def add_link(self, account_id: int, board_key: str, link: NewLink, now: int) -> Link:
        access.hold_board(self._sql, account_id, board_key)
        self._forget_expired(board_key, now)
        what = "links to one board: revoke some"
        refuse_more(self._sql, "board_links", board_key=raw(board_key), most=BOARD_LINKS_MAX, what=what)
        new: Params = {"board_key": raw(board_key), **_NEW.write(link), "created_at": now}
        return _LINK.read(self._sql.inserted("board_links", _LINK.text, **new))

    def links(self, account_id: int, board_key: str, now: int) -> list[Link]:
        """Return them newest first."""
        access.require_member(self._sql, account_id, board_key)
        source = (
            "FROM board_links WHERE board_key = :board AND expires_at > :now ORDER BY created_at DESC, link_key DESC"
        )
        return _LINK.all(self._sql, source, {"board": raw(board_key), "now": now})

    def revoke_link(self, account_id: int, board_key: str, link_key: str, now: int) -> None:
        """Missing when the board has no such link."""
        access.hold_board(self._sql, account_id, board_key)
        gone = self._sql.run(
            "DELETE FROM board_links WHERE board_key = :board AND link_key = :link AND expires_at > :now",
            {"board": raw(board_key), "link": raw(link_key), "now": now},
        )
        if not gone:
            raise Missing("no such link")

    def accept_link(self, account_id: int, token_hash: bytes, now: int) -> str:
        """Anybody with the link becomes a member; returns the board's key.

        Missing when the link does not exist, KeptOut for somebody whom the owner has removed.
        """
        found = self._link_of(token_hash, now)
        board_key = key_text(found[0])
        access.lock_board(self._sql, board_key)
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
        return required(row, Missing("no such link"))

    def _take(self, board_key: str, email_folded: str, now: int) -> str:
        """End an invitation; the role that it gives."""
        row = self._sql.one(
            "DELETE FROM board_invitations WHERE board_key = :board AND email_folded = :email AND expires_at > :now"
            " RETURNING role",
            {"board": raw(board_key), "email": email_folded, "now": now},
        )
        return str(required(row, Missing("no such invitation"))[0])

    def _join(self, account_id: int, board_key: str, role: str, now: int) -> None:
        access.refuse_more_members(self._sql, account_id, board_key)
        if access.join_board(self._sql, account_id, board_key, role, now):
            record(self._sql, board_key, account_id, "joined", now)

    def _address_of(self, account_id: int) -> str:
        found = self._sql.value(
            "SELECT email_folded FROM accounts WHERE account_id = :account", {"account": account_id}
        )
        return found or ""

    def _forget_expired(self, board_key: str, now: int) -> None:
        for table in ("board_invitations", "board_links"):
            self._sql.run(
                f"DELETE FROM {table} WHERE board_key = :board AND expires_at <= :now",
                {"board": raw(board_key), "now": now},
            )

"""Invitations to a board: by an e-mail address, or by a link."""

from collections.abc import Sequence
from typing import Protocol

import msgspec

from skyshelf.storage.metadata.board_members import GivenRole
from skyshelf.storage.metadata.places import Place


class Invitation(msgspec.Struct, frozen=True, kw_only=True):
    email: str
    role: GivenRole
    created_at: int
    expires_at: int


class ReceivedInvitation(msgspec.Struct, frozen=True, kw_only=True):
    """What somebody who is invited may know before accepting."""

    board_key: str
    board_name: str
    owner_name: str
    role: str
    created_at: int
    expires_at: int


class NewLink(msgspec.Struct, frozen=True, kw_only=True):
    link_key: str
    token_hash: bytes
    role: GivenRole
    expires_at: int


class Link(msgspec.Struct, frozen=True, kw_only=True):
    link_key: str
    role: str
    created_at: int
    expires_at: int


class BoardInvitations(Protocol):
    """An invitation is to an address, whether or not an account has it: nothing here tells. Case does not count.

    Unless a call says otherwise, the account_id is that of a member, to whom any other board is Missing. What has
    expired is not there. Changes hold the board's lock.
    """

    def invite(self, account_id: int, board_key: str, invitation: Invitation) -> None:
        """Invite an address, or invite it anew."""

    def of_board(self, account_id: int, board_key: str, now: int) -> list[Invitation]:
        """By address."""

    def revoke(self, account_id: int, board_key: str, email: str, now: int) -> None:
        """Missing when the address is not invited."""

    def received(
        self, account_id: int, now: int, *, limit: int, after: Place | None = None
    ) -> list[ReceivedInvitation]:
        """What the address of the account is invited to, newest first. A place is created_at and board_key."""

    def signs(self, account_ids: Sequence[int], now: int) -> dict[int, str]:
        """A text for each account that is another one when what its address is invited to has changed.

        For the server alone, to know when to look. Of an account that is invited to nothing there is none.
        """

    def accept(self, account_id: int, board_key: str, now: int) -> None:
        """The invited account becomes a member; one who is a member stays as they are. Missing when not invited."""

    def decline(self, account_id: int, board_key: str, now: int) -> None:
        """Missing when the account is not invited."""

    def add_link(self, account_id: int, board_key: str, link: NewLink, now: int) -> Link: ...

    def links(self, account_id: int, board_key: str, now: int) -> list[Link]:
        """Newest first."""

    def revoke_link(self, account_id: int, board_key: str, link_key: str, now: int) -> None:
        """Missing when the board has no such link."""

    def accept_link(self, account_id: int, token_hash: bytes, now: int) -> str:
        """Whoever has the link becomes a member; the key of the board. Missing when there is no such link."""

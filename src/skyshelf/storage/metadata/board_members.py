"""Members of a board: who is on it, and whose it is. Who is invited is in board_invitations.py."""

from typing import Literal, Protocol

import msgspec

ACTIVE = "A"

GivenRole = Literal["M", "V"]
"""A role that can be given; OWNER passes on by pass_on and leave alone."""


class BoardMember(msgspec.Struct, frozen=True):
    account_id: int
    account_key: str
    first_name: str
    last_name: str
    email: str
    role: str
    status: str
    joined_at: int


class BoardMembers(Protocol):
    """A board has exactly one owner, who is an active member, for as long as it exists.

    The account_id of every call is the caller's. Unless a call says otherwise, a board of which the caller is
    not an active member is Missing. Changes hold the board's lock, so any number of them at once keep the
    promise.
    """

    def of_board(self, account_id: int, board_key: str) -> list[BoardMember]:
        """The one who joined first at the front."""

    def find(self, account_id: int, board_key: str, account_key: str) -> int:
        """The account_id of a member; Missing when nobody of that key is on the board."""

    def set_role(self, account_id: int, board_key: str, member_id: int, role: GivenRole) -> None:
        """Missing when there is no such member, or it is the owner."""

    def pass_on(self, account_id: int, board_key: str, heir_id: int) -> None:
        """Make a member the owner; the owner becomes a MEMBER. Missing when there is no such member."""

    def leave(self, account_id: int, board_key: str, now: int) -> bool:
        """The caller is no longer a member; whether the board is still there.

        Whoever leaves takes their own items along; their comments stay. When the owner leaves, the board passes
        to the member who joined first; when no member is left, the board is gone, invitations included.
        """

    def remove(self, account_id: int, board_key: str, member_id: int, now: int) -> None:
        """As leave, for somebody else. Missing when there is no such member."""

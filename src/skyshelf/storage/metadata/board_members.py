"""Members of a board: who is on it, who is invited, and whose it is."""

from typing import Literal, Protocol

import msgspec

ACTIVE = "A"
INVITED = "I"

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
    """When an active member accepted; when the others were invited."""


class BoardMembers(Protocol):
    """A board has exactly one owner, who is an active member, for as long as it exists.

    The account_id of every call is the caller's. Unless a call says otherwise, a board of which the caller is
    not an active member is Missing. Changes hold the board's lock, so any number of them at once keep the
    promise.
    """

    def of_board(self, account_id: int, board_key: str) -> list[BoardMember]:
        """Active and invited, the one who joined first at the front."""

    def invite(self, account_id: int, board_key: str, invited_id: int, role: GivenRole, now: int) -> BoardMember:
        """Invite an account; who is a member or invited already stays as they are. AccountMissing."""

    def accept(self, account_id: int, board_key: str, now: int) -> None:
        """The invited caller becomes an active member; an active one stays. Missing when not invited."""

    def decline(self, account_id: int, board_key: str) -> None:
        """The invited caller is no longer invited. Missing when not invited."""

    def set_role(self, account_id: int, board_key: str, member_id: int, role: GivenRole) -> None:
        """Missing when there is no such member or invited, or it is the owner."""

    def pass_on(self, account_id: int, board_key: str, heir_id: int) -> None:
        """Make an active member the owner; the owner becomes a MEMBER. Missing when there is no such member."""

    def leave(self, account_id: int, board_key: str, now: int) -> bool:
        """The caller is no longer a member; whether the board is still there.

        Whoever leaves takes their own items along; their comments stay. When the owner leaves, the board passes
        to the active member who joined first; when no active member is left, the board is gone, invitations
        included.
        """

    def remove(self, account_id: int, board_key: str, member_id: int, now: int) -> None:
        """As leave, for somebody else, active or invited. Missing when there is no such member."""

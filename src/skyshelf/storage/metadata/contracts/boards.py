"""Boards: albums that several accounts share, with their members, items, comments and invitations."""

from collections.abc import Sequence
from typing import Literal, Protocol

import msgspec

from skyshelf.storage.metadata.contracts.tree import PageCursor, SortBy, StoredObject

OWNER = "O"
MEMBER = "M"
"""Looks, comments, and adds own files."""
VIEWER = "V"
"""Looks and comments."""


class NewBoard(msgspec.Struct, frozen=True, kw_only=True):
    board_key: str
    name: str
    description: str = ""
    board_type: str = "P"


class Board(msgspec.Struct, frozen=True, kw_only=True):
    """A board and what is on it right now: only what can be seen is counted."""

    board_key: str
    owner_id: int
    owner_key: str
    name: str
    description: str
    board_type: str
    status: str
    created_at: int
    updated_at: int
    """When its name, its items or its comments last changed."""
    files: int
    images: int
    videos: int
    audios: int
    size: int
    comments: int
    users: int
    role: str
    """What the caller is on it: OWNER, MEMBER or VIEWER."""
    cover_key: str | None = None
    """The item that stands for it, while it is shown."""


class BoardEdit(msgspec.Struct, frozen=True, kw_only=True):
    """What to change; None leaves it as it is."""

    name: str | None = None
    description: str | None = None


EventKind = Literal["created", "joined", "left", "removed", "added", "withdrew", "renamed"]
"""`removed`: by the owner. `withdrew`: took files off the board."""


class BoardEvent(msgspec.Struct, frozen=True):
    """Something that a person did on a board; the person may have left since."""

    kind: EventKind
    account_key: str
    first_name: str
    files: int
    guest_name: str | None
    """Of a guest who added files through a link of the account; empty where the guest gave none."""
    at: int


class Boards(Protocol):
    """Boards as one account sees them: the account_id of every call is the caller's.

    Unless a call says otherwise, a board of which the caller is not an active member is a board that does
    not exist: Missing. What a role may do is for the service to say; `hold` lets it ask and act in one step.
    """

    def create(self, account_id: int, board: NewBoard, now: int) -> Board:
        """A new board with the caller as its owner and only member."""

    def get(self, account_id: int, board_key: str) -> Board: ...

    def page(self, account_id: int, *, limit: int, offset: int = 0) -> list[Board]:
        """The boards that the caller is an active member of, the one changed last at the front."""

    def change_tokens(self, board_keys: Sequence[str]) -> dict[str, str]:
        """A text for each board that changes whenever the board, its members or their objects change.

        For the server alone, to know when to check: it reveals more than the board shows and is never sent.
        """

    def role(self, account_id: int, board_key: str) -> str | None:
        """OWNER, MEMBER or VIEWER; None when the caller is not an active member."""

    def name(self, account_id: int, board_key: str) -> str:
        """What it is called, without counting what is on it."""

    def hold(self, account_id: int, board_key: str) -> str:
        """Lock the board until the write ends, and give the caller's role, which cannot change before that.

        Every call that changes a board takes this lock.
        """

    def edit(self, account_id: int, board_key: str, edit: BoardEdit, now: int) -> Board: ...

    def set_cover(self, account_id: int, board_key: str, object_key: str | None, now: int) -> Board:
        """Let an item stand for the board, or none. ObjectMissing when the board does not show it."""

    def activity(self, account_id: int, board_key: str) -> list[BoardEvent]:
        """What people did on the board, newest first, at most BOARD_EVENTS_MAX. Every call that changes who is on the
        board, its files or its name adds to it; files that one person adds in a row are one event."""

    def delete(self, account_id: int, board_key: str, now: int) -> None:
        """The board, its members, items and comments go; the objects stay with their owners."""


# Items of a board: files that members show to each other.


class Contributor(msgspec.Struct, frozen=True):
    """Who put an item on a board."""

    object_key: str
    account_key: str
    first_name: str
    guest_name: str | None
    """Of the guest who sent it through a link of the account; empty where the guest gave none."""
    added_at: int


class BoardItems(Protocol):
    """An item is a file of the member who added it, and stays that member's. It is shown while it can be seen in
    its owner's tree and the owner is an active account; it goes when it is removed or purged, or when its owner
    is no longer a member.

    The account_id of every call is the caller's. A board of which the caller is not an active member is Missing.
    """

    def add(
        self, account_id: int, board_key: str, object_keys: Sequence[str], now: int, *, guest: str | None = None
    ) -> list[str]:
        """Put files of the caller on the board; those that were not there before. All or nothing: ObjectMissing
        when one cannot be seen, NotAFile for a folder. `guest` is the name of a guest who sent them."""

    def remove(
        self, account_id: int, board_key: str, object_keys: Sequence[str], now: int, *, only_own: bool
    ) -> list[str]:
        """Take files off the board, the caller's own or anybody's; those that were on it."""

    def page(
        self,
        account_id: int,
        board_key: str,
        *,
        sort: SortBy = SortBy.MODIFIED,
        descending: bool = True,
        limit: int,
        offset: int = 0,
    ) -> list[bytes]:
        """What is shown, encoded as in Tree.page. Ties break by object_key, in the same direction.

        Other people's files have only the fields that wire_cache.encoded_for_others leaves: what is on the board, and
        nothing of where and how its owner keeps it.
        """

    def shown(self, account_id: int, board_key: str, object_keys: Sequence[str]) -> dict[str, bytes]:
        """Those of the keys that the board shows, encoded as in page."""

    def contributors(self, account_id: int, board_key: str, object_keys: Sequence[str]) -> list[Contributor]:
        """Who added those of the keys that are on the board, in any order."""

    def owner_of(self, account_id: int, object_key: str) -> int | None:
        """Whose object this is, if the caller may see it through a board; None otherwise. One statement."""

    def gallery(self, board_key: str, *, limit: int, after: StoredObject | None = None) -> list[StoredObject]:
        """What is shown, in the order in which it was taken; for visitors of a link, which the service has checked."""

    def in_gallery(self, board_key: str, object_key: str) -> StoredObject | None:
        """One of these; None where the board does not show it."""

    def beside(self, board_key: str, item: StoredObject) -> tuple[str | None, str | None]:
        """The keys of those before and after it in the gallery."""


# Members of a board: who is on it, and whose it is. Who is invited is in board_invitations.py.

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
    not an active member is Missing. Changes hold the board's lock, so this holds for any number of
    concurrent ones.
    """

    def of_board(self, account_id: int, board_key: str) -> list[BoardMember]:
        """The one who joined first at the front."""

    def find(self, account_id: int, board_key: str, account_key: str) -> int:
        """The account_id of a member; Missing when nobody of that key is on the board."""

    def set_role(self, account_id: int, board_key: str, member_id: int, role: GivenRole) -> None:
        """Missing when there is no such member, or it is the owner.

        Somebody who is made a VIEWER stays one when they leave and come back by a link. An invitation that they have
        not accepted yet is withdrawn.
        """

    def pass_on(self, account_id: int, board_key: str, heir_id: int) -> None:
        """Make a member the owner; the owner becomes a MEMBER. Missing when there is no such member."""

    def leave(self, account_id: int, board_key: str, now: int) -> bool:
        """The caller is no longer a member; whether the board is still there.

        A member who leaves takes their own items along; their comments stay. When the owner leaves, the board passes
        to the member who joined first; when no member is left, the board is gone, invitations included.
        """

    def remove(self, account_id: int, board_key: str, member_id: int, now: int) -> None:
        """As leave, for somebody else. Missing when there is no such member.

        No link brings them back, only an invitation to their address; one from before is withdrawn.
        """


# Comments on a board.


class NewComment(msgspec.Struct, frozen=True, kw_only=True):
    comment_key: str
    text: str
    object_key: str | None = None
    """The item it is about, if it is about one."""


class BoardComment(msgspec.Struct, frozen=True):
    comment_key: str
    board_key: str
    account_id: int
    account_key: str
    first_name: str
    object_key: str | None
    """The item it is about, while the board shows it."""
    text: str
    created_at: int
    edited_at: int = 0
    """0 where it is as it was written."""


class BoardComments(Protocol):
    """A comment stays when its author leaves the board, and when the item it is about goes.

    The account_id of every call is the caller's. A board of which the caller is not an active member is Missing.
    """

    def add(self, account_id: int, board_key: str, comment: NewComment, now: int) -> BoardComment:
        """ObjectMissing when it is about something that the board does not show."""

    def page(
        self, account_id: int, board_key: str, *, limit: int, after: PageCursor | None = None
    ) -> list[BoardComment]:
        """Newest first; the place of a comment is its created_at and its key."""

    def get(self, account_id: int, board_key: str, comment_key: str) -> BoardComment:
        """Missing when the board has no such comment."""

    def edit(self, account_id: int, board_key: str, comment_key: str, text: str, now: int) -> BoardComment:
        """Anybody's comment, as in remove. Missing when there is none."""

    def remove(self, account_id: int, board_key: str, comment_key: str, now: int) -> None:
        """Anybody's comment: whose may be removed by whom, the service says. Missing when there is none."""


# Invitations to a board: by an email address, or by a link.


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
    """An invitation is to an address, whether or not an account has it: nothing here reveals that. Case does not count.

    Unless a call says otherwise, the account_id is that of a member, to whom any other board is Missing. What has
    expired is not there. Changes hold the board's lock.
    """

    def invite(self, account_id: int, board_key: str, invitation: Invitation) -> None:
        """Invite an address, or invite it again."""

    def of_board(self, account_id: int, board_key: str, now: int) -> list[Invitation]:
        """By address."""

    def revoke(self, account_id: int, board_key: str, email: str, now: int) -> None:
        """Missing when the address is not invited."""

    def received(
        self, account_id: int, now: int, *, limit: int, after: PageCursor | None = None
    ) -> list[ReceivedInvitation]:
        """What the address of the account is invited to, newest first. A place is created_at and board_key."""

    def change_tokens(self, account_ids: Sequence[int], now: int) -> dict[int, str]:
        """A text for each account that is another one when what its address is invited to has changed.

        For the server alone, to know when to check. An account without invitations has none.
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
        """Anybody with the link becomes a member; returns the board's key.

        Missing when the link does not exist, KeptOut for somebody whom the owner has removed.
        """

"""Boards: albums that several accounts share, with their members, items, comments and invitations."""

from typing import Literal

import msgspec

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


class Board(msgspec.Struct, frozen=True):
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
    """Name of the guest who added files through a link of the account; empty if none was given."""
    at: int


class Contributor(msgspec.Struct, frozen=True):
    """Who put an item on a board."""

    object_key: str
    account_key: str
    first_name: str
    guest_name: str | None
    """Name of the guest who sent it through a link of the account; empty if none was given."""
    added_at: int


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


class Invitation(msgspec.Struct, frozen=True):
    email: str
    role: GivenRole
    created_at: int
    expires_at: int


class ReceivedInvitation(msgspec.Struct, frozen=True):
    """What somebody who is invited may know before accepting."""

    board_key: str
    board_name: str
    owner_name: str
    role: str
    created_at: int
    expires_at: int


class NewLink(msgspec.Struct, frozen=True, kw_only=True):
    """An invitation by a link, instead of an email address."""

    link_key: str
    token_hash: bytes
    role: GivenRole
    expires_at: int
    generation: int = 1
    """The generation of the server's secret that derives the token."""


class Link(msgspec.Struct, frozen=True):
    link_key: str
    role: str
    created_at: int
    expires_at: int
    generation: int = 1

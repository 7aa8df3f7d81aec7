"""Records of public links and boards.

These are what `--json` prints: stable field names, RFC 3339 times in UTC, null where the server gives no value.
"""

from msgspec import Struct


class ShareRecord(Struct, frozen=True, kw_only=True):
    """A public link."""

    url: str
    share_name: str
    object_keys: list[str]


class LinkRecord(Struct, frozen=True, kw_only=True):
    """One of your public links, with its limits and how often it was used."""

    share_key: str
    share_name: str | None
    url: str | None
    rights: str | None
    is_live: bool | None
    created: str | None
    expires: str | None
    has_password: bool | None
    max_downloads: int | None
    downloads: int | None
    visits: int | None
    last_visit: str | None
    max_uploads: int | None
    max_upload_bytes: int | None
    uploads: int | None
    board_key: str | None
    object_keys: list[str]
    names: list[str]


class BoardRecord(Struct, frozen=True, kw_only=True):
    """A board and its counters."""

    board_key: str
    name: str
    description: str | None
    files: int | None
    members: int | None
    size_bytes: int | None
    created: str | None
    modified: str | None
    cover_object_key: str | None
    role: str | None


class MemberRecord(Struct, frozen=True, kw_only=True):
    """A member of a board."""

    user_id: str
    first_name: str | None
    is_owner: bool
    role: str
    joined: str | None


class InvitationRecord(Struct, frozen=True, kw_only=True):
    """An invitation to a board: one that you received, or one to your own board by email address or by link."""

    board_key: str
    board_name: str | None
    owner: str | None
    email: str | None
    link_key: str | None
    url: str | None
    role: str
    created: str | None
    expires: str | None


class BoardEventRecord(Struct, frozen=True, kw_only=True):
    """Something that a member, or a guest through a member's link, did on a board."""

    kind: str
    user_id: str | None
    first_name: str | None
    guest_name: str | None
    files: int | None
    date: str | None


class CommentRecord(Struct, frozen=True, kw_only=True):
    """A comment on a board, or on one of its files."""

    comment_key: str
    user_id: str | None
    first_name: str | None
    object_key: str | None
    text: str
    created: str | None
    edited: str | None

"""What commands print as JSON: stable names, times as RFC 3339 in UTC, null where the server does not say."""

from typing import Literal

from msgspec import Struct

from skyshelf.cli.base.text import utc_time
from skyshelf.client.objects.outcomes import Outcome
from skyshelf.client.objects.remote_object import RemoteObject
from skyshelf.wire.resources.objects import CloudObject


class ObjectRecord(Struct, frozen=True, kw_only=True):
    """A file or folder; `path` where the command knows it, `md5` of files."""

    object_key: str
    name: str
    path: str | None
    type: Literal["file", "folder", "other"]
    size_bytes: int | None
    md5: str | None
    extension: str
    mime: str | None
    modified: str | None
    created: str | None
    is_favorite: bool
    parent_object_key: str | None


def object_record(found: RemoteObject | CloudObject, path: str | None = None) -> ObjectRecord:
    """The record of an object."""
    wire = found.wire if isinstance(found, RemoteObject) else found
    mime = "/".join(part for part in (wire.mime_type, wire.mime_sub_type) if part)
    return ObjectRecord(
        object_key=wire.object_key,
        name=wire.object_name or "",
        path=path,
        type="folder" if wire.is_folder else "file" if wire.is_file else "other",
        size_bytes=wire.size_in_bytes,
        md5=wire.hash.lower() if wire.hash else None,
        extension=wire.extension,
        mime=mime or None,
        modified=utc_time(wire.last_modified_date),
        created=utc_time(wire.file_created_date),
        is_favorite=bool(wire.is_favorite),
        parent_object_key=wire.parent_object_key,
    )


class OutcomeRecord(Struct, frozen=True, kw_only=True):
    """What became of one object: done, or refused and why."""

    object_key: str
    ok: bool
    name: str | None
    code: str | None
    message: str | None


def outcome_record(outcome: Outcome) -> OutcomeRecord:
    """The record of an outcome."""
    return OutcomeRecord(
        object_key=outcome.key,
        ok=outcome.ok,
        name=outcome.object.name if outcome.object is not None else None,
        code=outcome.code,
        message=None if outcome.ok else outcome.reason,
    )


class UsageRecord(Struct, frozen=True, kw_only=True):
    """Bytes used, by what they are used for."""

    documents: int
    photos: int
    videos: int
    audio: int


class DeviceRecord(Struct, frozen=True, kw_only=True):
    """A registered device."""

    device_key: str | None
    name: str | None
    platform: str | None


class AccountRecord(Struct, frozen=True, kw_only=True):
    """Who is logged in, and how full the account is, in bytes; null where the server does not tell."""

    user_id: str
    name: str
    email: str | None
    root_folder_key: str | None
    allocated_bytes: int | None
    used_bytes: int | None
    usage: UsageRecord
    devices: list[DeviceRecord]
    deletes: str | None


class OwnDeviceRecord(Struct, frozen=True, kw_only=True):
    """A device of the account, and whether it is logged in."""

    device_key: str
    name: str | None
    platform: str | None
    is_logged_in: bool
    is_this_one: bool
    added: str | None
    last_seen: str | None


class SecondFactorRecord(Struct, frozen=True, kw_only=True):
    """Whether logins ask for a code too; the time and the number are null where they do not."""

    is_on: bool
    since: str | None
    recovery_codes_left: int | None


class RecoveryCodesRecord(Struct, frozen=True, kw_only=True):
    """Codes for the day on which the authenticator is lost, each good for one login."""

    recovery_codes: list[str]


class DeletionRecord(Struct, frozen=True, kw_only=True):
    """When the account goes for good."""

    deletes: str | None


class ProfileRecord(Struct, frozen=True, kw_only=True):
    """A login that is kept on this machine."""

    profile: str
    server: str | None
    user_id: str | None
    is_default: bool
    is_logged_in: bool


class FolderSizeRecord(Struct, frozen=True, kw_only=True):
    """What lies below a folder, in files and bytes."""

    path: str
    object_key: str | None
    files: int
    size_bytes: int


class ChangeRecord(Struct, frozen=True, kw_only=True):
    """Something that happened to one object; of one that is gone only the key is known."""

    kind: str
    date: str | None
    object_key: str | None
    name: str | None
    type: str | None
    cursor: str


class TransferRecord(Struct, frozen=True, kw_only=True):
    """How a transfer of many files went, or in a dry run would go; `failed` names what is missing, and why."""

    done: int
    skipped: int
    bytes: int
    failed: list["FailureRecord"]
    dry_run: bool = False


class FailureRecord(Struct, frozen=True, kw_only=True):
    """Something that was not transferred."""

    path: str
    reason: str


class DownloadRecord(Struct, frozen=True, kw_only=True):
    """A file that is on this machine now; `verified` tells whether the server gave a hash to check it against."""

    path: str
    object_key: str
    size_bytes: int
    md5: str
    verified: bool


class UnfinishedUploadRecord(Struct, frozen=True, kw_only=True):
    """An upload that was begun: how much of it has come, and since when room is kept for it."""

    transaction_id: str
    name: str | None
    size_bytes: int | None
    received_bytes: int | None
    folder_key: str | None
    started: str | None
    last_activity: str | None


class SyncRecord(Struct, frozen=True, kw_only=True):
    """What a sync did, or would do: paths on the server."""

    upload: list[str]
    trash: list[str]
    unchanged: int
    dry_run: bool


class VersionRecord(Struct, frozen=True, kw_only=True):
    """A version of a file."""

    version: int
    is_current: bool
    size_bytes: int | None
    md5: str | None
    created: str | None
    author: str | None


class ShareRecord(Struct, frozen=True, kw_only=True):
    """A public link."""

    url: str
    share_name: str
    object_keys: list[str]


class LinkRecord(Struct, frozen=True, kw_only=True):
    """A public link that you have made, with what limits it and how often it was used."""

    share_key: str
    share_name: str | None
    url: str | None
    is_live: bool | None
    created: str | None
    expires: str | None
    has_password: bool | None
    max_downloads: int | None
    downloads: int | None
    visits: int | None
    last_visit: str | None
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
    """An invitation to a board: one that you got, or to a board of yours by an address or by a link."""

    board_key: str
    board_name: str | None
    owner: str | None
    email: str | None
    link_key: str | None
    url: str | None
    role: str
    created: str | None
    expires: str | None


class CommentRecord(Struct, frozen=True, kw_only=True):
    """What somebody says about a board, or about one file on it."""

    comment_key: str
    user_id: str | None
    first_name: str | None
    object_key: str | None
    text: str
    created: str | None
    edited: str | None


class MonthRecord(Struct, frozen=True, kw_only=True):
    """How many pictures and videos there are of a month."""

    month: str
    files: int


class UnreadCardRecord(Struct, frozen=True, kw_only=True):
    """A card that could not be read, and why."""

    card: int | None
    message: str | None


class ImportRecord(Struct, frozen=True, kw_only=True):
    """What became of the cards of a vCard file; cards are counted from 1."""

    imported: int
    unread: list[UnreadCardRecord]


class ContactRecord(Struct, frozen=True, kw_only=True):
    """A person in the address book."""

    contact_id: str | None
    name: str | None
    emails: list[str]
    phones: list[str]


class EmailRecord(Struct, frozen=True, kw_only=True):
    """An e-mail address of the address book."""

    email: str | None
    name: str | None


class TagRecord(Struct, frozen=True, kw_only=True):
    """A tag that a person gave."""

    tag_id: str | None
    name: str | None
    created: str | None


class PromotionRecord(Struct, frozen=True, kw_only=True):
    """Storage given for a time."""

    promotion_id: str | None
    name: str | None
    quota_bytes: int | None
    starts: str | None
    ends: str | None
    is_active: bool


class BannerRecord(Struct, frozen=True, kw_only=True):
    """A banner."""

    card_id: str | None
    title: str | None
    text: str | None
    action_url: str | None

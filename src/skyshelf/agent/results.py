"""Result models: a few fields each, readable without knowledge of the wire format."""

from collections.abc import Callable
from typing import Final, Literal

from msgspec import Struct

from skyshelf.agent.call import ToolCall, ToolResult
from skyshelf.agent.redaction import quote_text
from skyshelf.client.errors import InvalidRequestError
from skyshelf.client.objects.outcomes import BatchResult, Outcome
from skyshelf.wire.limits import TIME_MS_MAX
from skyshelf.wire.resources.account import Quota, UserProfile
from skyshelf.wire.resources.boards import Board
from skyshelf.wire.resources.contacts import Contact
from skyshelf.wire.resources.objects import CloudObject
from skyshelf.wire.resources.versions import FileVersion
from skyshelf.wire.times import to_rfc3339

_LISTED_MAX: Final = 20
_REASON_CHARS_MAX: Final = 200


class ObjectSummary(Struct, frozen=True, kw_only=True):
    """A file or folder; times are RFC 3339 in UTC."""

    object_key: str
    name: str
    type: Literal["file", "folder"]
    size_bytes: int | None
    extension: str
    mime: str | None
    modified: str | None
    created: str | None
    is_favorite: bool
    parent_object_key: str | None


class ChangedObject(Struct, frozen=True, kw_only=True):
    """An object after a change; fields the server does not return are null."""

    object_key: str
    name: str | None
    parent_object_key: str | None
    is_favorite: bool | None


class QuotaSummary(Struct, frozen=True, kw_only=True):
    """Storage used and available."""

    allocated_bytes: int
    used_bytes: int
    free_bytes: int
    allocated_gb: float
    used_gb: float
    used_percent: float
    photo_bytes: int | None
    video_bytes: int | None
    audio_bytes: int | None
    document_bytes: int | None


class AccountSummary(Struct, frozen=True, kw_only=True):
    """The account's owner, devices and storage. Device keys are part of a session and left out."""

    user_id: str | None
    name: str
    email: str | None
    status: str | None
    root_folder_key: str | None
    quota: QuotaSummary | None
    """Null if the server does not report it."""
    devices: list[str]


class VersionSummary(Struct, frozen=True, kw_only=True):
    """One version of a file."""

    version: int
    display_version: str | None
    created: str | None
    is_current: bool
    created_by: str | None
    size_bytes: int | None
    md5: str | None


class BoardSummary(Struct, frozen=True, kw_only=True):
    """A board (shared album); times as RFC 3339 and in epoch milliseconds."""

    board_key: str
    board_name: str | None
    description: str | None
    board_type: str | None
    status: str | None
    owner_user_id: str | None
    is_mine: bool
    files_count: int | None
    image_count: int | None
    video_count: int | None
    audio_count: int | None
    comments_count: int | None
    users_count: int | None
    size_in_bytes: int | None
    created: str | None
    modified: str | None
    created_date: int | None
    last_modified_date: int | None


class ContactSummary(Struct, frozen=True, kw_only=True):
    """A contact in the address book."""

    display_name: str | None
    first_name: str | None
    last_name: str | None
    emails: list[str]
    phones: list[str]


class LinkSummary(Struct, frozen=True, kw_only=True):
    """A public link. Anyone who has it can open it."""

    url: str
    share_name: str
    object_keys: list[str]


class DownloadedFile(Struct, frozen=True, kw_only=True):
    """A downloaded file; `verified` is true if it was checked against a hash from the server."""

    object_key: str
    path: str
    size_bytes: int
    md5: str
    verified: bool


class DownloadedFolder(Struct, frozen=True, kw_only=True):
    """The outcome of downloading many files; `skipped` ones already existed."""

    path: str
    downloaded: int
    skipped: int
    folders: int
    bytes_received: int


def _rfc3339(ms: int | None) -> str | None:
    """The time as RFC 3339; None if it is missing or out of range."""
    return to_rfc3339(ms) if ms is not None and 0 <= ms <= TIME_MS_MAX else None


def object_summary(found: CloudObject) -> ObjectSummary:
    """Summarise an object."""
    mime = "/".join(part for part in (found.mime_type, found.mime_sub_type) if part)
    return ObjectSummary(
        object_key=found.object_key,
        name=found.object_name or "",
        type="folder" if found.is_folder else "file",
        size_bytes=found.size_in_bytes,
        extension="" if found.is_folder else found.extension,
        mime=mime or None,
        modified=_rfc3339(found.last_modified_date),
        created=_rfc3339(found.file_created_date),
        is_favorite=bool(found.is_favorite),
        parent_object_key=found.parent_object_key,
    )


def changed_object(outcome: Outcome) -> ChangedObject:
    """Summarise one outcome of a batch."""
    wire = outcome.object.wire if outcome.object else None
    return ChangedObject(
        object_key=outcome.key,
        name=wire.object_name if wire else None,
        parent_object_key=wire.parent_object_key if wire else None,
        is_favorite=wire.is_favorite if wire else None,
    )


def account_summary(profile: UserProfile) -> AccountSummary:
    """Summarise an account."""
    return AccountSummary(
        user_id=profile.user_id or None,
        name=profile.display_name,
        email=profile.email_id,
        status=profile.status,
        root_folder_key=profile.root_folder_key,
        quota=_quota_summary(profile.quota) if profile.quota is not None else None,
        devices=[device.device_name or device.platform_type or "unnamed" for device in profile.devices or ()],
    )


def _quota_summary(quota: Quota) -> QuotaSummary:
    return QuotaSummary(
        allocated_bytes=quota.allocated_bytes,
        used_bytes=quota.used_bytes,
        free_bytes=max(0, quota.allocated_bytes - quota.used_bytes),
        allocated_gb=round(quota.allocated_gb, 3),
        used_gb=round(quota.used_gb, 3),
        used_percent=round(quota.used_percent, 3),
        photo_bytes=quota.photo_usage,
        video_bytes=quota.video_usage,
        audio_bytes=quota.audio_usage,
        document_bytes=quota.document_usage,
    )


def version_summary(found: FileVersion) -> VersionSummary:
    """Summarise a file version."""
    return VersionSummary(
        version=found.version,
        display_version=found.display_version,
        created=_rfc3339(found.created_date),
        is_current=bool(found.is_current_version),
        created_by=found.version_created_by.first_name if found.version_created_by else None,
        size_bytes=found.size_in_bytes,
        md5=found.hash,
    )


def board_summary(found: Board, user_id: str) -> BoardSummary:
    """Summarise a board; `user_id` is the caller's."""
    return BoardSummary(
        board_key=found.board_key,
        board_name=found.board_name,
        description=found.description,
        board_type=found.board_type,
        status=found.status,
        owner_user_id=found.owner_user_id,
        is_mine=(found.owner_user_id or "").upper() == user_id.upper(),
        files_count=found.files_count,
        image_count=found.image_count,
        video_count=found.video_count,
        audio_count=found.audio_count,
        comments_count=found.comments_count,
        users_count=found.users_count,
        size_in_bytes=found.size_in_bytes,
        created=_rfc3339(found.created_date),
        modified=_rfc3339(found.last_modified_date),
        created_date=found.created_date,
        last_modified_date=found.last_modified_date,
    )


def contact_summary(found: Contact) -> ContactSummary:
    """Summarise a contact."""
    return ContactSummary(
        display_name=found.display_name,
        first_name=found.first_name,
        last_name=found.last_name,
        emails=[email.email_id for email in found.emails or () if email.email_id],
        phones=[phone.number for phone in found.phones or () if phone.number],
    )


def batch_result(batch: BatchResult, undo: Callable[[list[str]], tuple[ToolCall, ...] | None]) -> ToolResult:
    """The result of a batch. If any object was refused, the call fails with a message that lists what was done.

    `undo` returns the calls that undo the successful part.
    """
    keys = [outcome.key for outcome in batch.succeeded]
    calls = undo(keys) if keys else None
    if batch.ok:
        return ToolResult(result=[changed_object(outcome) for outcome in batch], count=len(batch), undo=calls)
    refused = "; ".join(
        f"{outcome.key}: {quote_text(outcome.reason, _REASON_CHARS_MAX)}" for outcome in batch.failed[:_LISTED_MAX]
    )
    message = f"{len(batch.failed)} of {len(batch)} were refused: {refused}. "
    message += f"Done: {', '.join(keys[:_LISTED_MAX])}" if keys else "Nothing was changed"
    if len(batch.failed) > _LISTED_MAX or len(keys) > _LISTED_MAX:
        message += "; not all of them are listed here"
    return ToolResult(undo=calls, error=InvalidRequestError(message + "."))

"""What tools answer with: a few fields each, named for a reader who knows nothing of the wire."""

from collections.abc import Callable
from typing import Final, Literal

from msgspec import Struct

from skyshelf.agent.tool import Answer, Call
from skyshelf.client.errors import InvalidRequestError
from skyshelf.client.objects.outcomes import BatchResult, Outcome
from skyshelf.wire.limits import TIME_MS_MAX
from skyshelf.wire.resources.account import Quota, UserProfile
from skyshelf.wire.resources.boards import Board
from skyshelf.wire.resources.contacts import Contact
from skyshelf.wire.resources.objects import CloudObject
from skyshelf.wire.resources.versions import FileVersion
from skyshelf.wire.times import to_rfc3339


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
    """An object after a change; what the server does not show is null."""

    object_key: str
    name: str | None
    parent_object_key: str | None
    is_favorite: bool | None


class QuotaSummary(Struct, frozen=True, kw_only=True):
    """How much may be used and is used."""

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
    """Whose account it is and how full. The user id and device keys belong to a session: they are not here."""

    name: str
    email: str | None
    status: str | None
    root_folder_key: str | None
    quota: QuotaSummary | None
    """None where the server does not tell it: an account of which nothing is known is not a full one."""
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
    """A board, which is a shared album."""

    board_key: str
    board_name: str | None
    description: str | None
    board_type: str | None
    status: str | None
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


class ContactSummary(Struct, frozen=True, kw_only=True):
    """A person in the address book."""

    display_name: str | None
    first_name: str | None
    last_name: str | None
    emails: list[str]
    phones: list[str]


class LinkSummary(Struct, frozen=True, kw_only=True):
    """A public link; whoever has it can see what it shows."""

    url: str
    share_name: str
    object_keys: list[str]


class DownloadedFile(Struct, frozen=True, kw_only=True):
    """A file that is on this machine now; `verified` tells whether the server gave a hash to check it against."""

    object_key: str
    path: str
    size_bytes: int
    md5: str
    verified: bool


class DownloadedFolder(Struct, frozen=True, kw_only=True):
    """How a download of many files ended; `skipped` were there already."""

    path: str
    downloaded: int
    skipped: int
    folders: int
    bytes_received: int


def moment(ms: int | None) -> str | None:
    """A time as RFC 3339; nothing where the server tells none, or one that no calendar has."""
    return to_rfc3339(ms) if ms is not None and 0 <= ms <= TIME_MS_MAX else None


def object_summary(found: CloudObject) -> ObjectSummary:
    """An object as a result shows it."""
    mime = "/".join(part for part in (found.mime_type, found.mime_sub_type) if part)
    return ObjectSummary(
        object_key=found.object_key,
        name=found.object_name or "",
        type="folder" if found.is_folder else "file",
        size_bytes=found.size_in_bytes,
        extension="" if found.is_folder else found.extension,
        mime=mime or None,
        modified=moment(found.last_modified_date),
        created=moment(found.file_created_date),
        is_favorite=bool(found.is_favorite),
        parent_object_key=found.parent_object_key,
    )


def changed_object(outcome: Outcome) -> ChangedObject:
    """What became of an object of a batch."""
    wire = outcome.object.wire if outcome.object else None
    return ChangedObject(
        object_key=outcome.key,
        name=wire.object_name if wire else None,
        parent_object_key=wire.parent_object_key if wire else None,
        is_favorite=wire.is_favorite if wire else None,
    )


def account_summary(profile: UserProfile) -> AccountSummary:
    """The account as a result shows it."""
    return AccountSummary(
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
    """A version as a result shows it."""
    return VersionSummary(
        version=found.version,
        display_version=found.display_version,
        created=moment(found.created_date),
        is_current=bool(found.is_current_version),
        created_by=found.version_created_by.first_name if found.version_created_by else None,
        size_bytes=found.size_in_bytes,
        md5=found.hash,
    )


def board_summary(found: Board, user_id: str) -> BoardSummary:
    """A board as a result shows it; ids of users are left out."""
    return BoardSummary(
        board_key=found.board_key,
        board_name=found.board_name,
        description=found.board_description,
        board_type=found.board_type,
        status=found.status,
        is_mine=(found.owner_user_id or "").upper() == user_id.upper(),
        files_count=found.files_count,
        image_count=found.image_count,
        video_count=found.video_count,
        audio_count=found.audio_count,
        comments_count=found.comments_count,
        users_count=found.users_count,
        size_in_bytes=found.size_in_bytes,
        created=moment(found.created_date),
        modified=moment(found.last_modified_date),
    )


def contact_summary(found: Contact) -> ContactSummary:
    """A contact as a result shows it."""
    return ContactSummary(
        display_name=found.display_name,
        first_name=found.first_name,
        last_name=found.last_name,
        emails=[one.email_id for one in found.emails or () if one.email_id],
        phones=[one.number for one in found.phones or () if one.number],
    )


# From the outcomes of a batch to an answer: any refusal makes the call a failure that tells what was done.

_NAMED_MAX: Final = 20


def batch_answer(done: BatchResult, undo: Callable[[list[str]], tuple[Call, ...] | None]) -> Answer:
    """The answer of a tool that changed objects; `undo` is asked for the calls that take the successes back."""
    keys = [outcome.key for outcome in done.succeeded]
    calls = undo(keys) if keys else None
    if done.ok:
        return Answer(result=[changed_object(outcome) for outcome in done], count=len(done), undo=calls)
    refused = "; ".join(f"{outcome.key}: «{outcome.reason[:200]}»" for outcome in done.failed[:_NAMED_MAX])
    message = f"{len(done.failed)} of {len(done)} were refused: {refused}. "
    message += f"These were done: {', '.join(keys[:_NAMED_MAX])}" if keys else "Nothing was changed"
    if len(done.failed) > _NAMED_MAX or len(keys) > _NAMED_MAX:
        message += "; not all of them are named here"
    return Answer(undo=calls, error=InvalidRequestError(message + "."))

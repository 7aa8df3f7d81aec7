"""Result models: a few fields each, readable without knowledge of the wire format."""

from collections.abc import AsyncIterable, Callable
from typing import Annotated, Final, Literal, TypeVar

from skyshelf.agent.call import ToolCall, ToolResult
from skyshelf.agent.redaction import quote_text
from skyshelf.client.errors import InvalidRequestError
from skyshelf.client.objects.outcomes import BatchResult
from skyshelf.client.objects.remote_object import md5_in
from skyshelf.wire.projection import From, Projection, Time
from skyshelf.wire.resources.account import UserProfile

_LISTED_MAX: Final = 20
_REASON_CHARS_MAX: Final = 200
_Found = TypeVar("_Found")


class ObjectSummary(Projection, frozen=True, kw_only=True):
    """A file or folder; times are RFC 3339 in UTC."""

    object_key: str
    name: Annotated[str, From("object_name")]
    type: Annotated[Literal["file", "folder"], From(lambda found: "folder" if found.is_folder else "file")]
    size_bytes: Annotated[int | None, From("size_in_bytes")]
    extension: Annotated[str, From(lambda found: "" if found.is_folder else found.extension)]
    mime: str | None
    modified: Annotated[Time, From("last_modified_date")]
    created: Annotated[Time, From("file_created_date")]
    is_favorite: bool
    parent_object_key: str | None


class ChangedObject(Projection, frozen=True, kw_only=True):
    """An object after a change; fields the server does not return are null."""

    object_key: Annotated[str, From("key")]
    name: Annotated[str | None, From("object.wire.object_name")]
    parent_object_key: Annotated[str | None, From("object.wire.parent_object_key")]
    is_favorite: Annotated[bool | None, From("object.wire.is_favorite")]


class QuotaSummary(Projection, frozen=True, kw_only=True):
    """Storage used and available."""

    allocated_bytes: int
    used_bytes: int
    free_bytes: Annotated[int, From(lambda quota: max(0, quota.allocated_bytes - quota.used_bytes))]
    allocated_gb: Annotated[float, From(lambda quota: round(quota.allocated_gb, 3))]
    used_gb: Annotated[float, From(lambda quota: round(quota.used_gb, 3))]
    used_percent: Annotated[float, From(lambda quota: round(quota.used_percent, 3))]
    photo_bytes: Annotated[int | None, From("photo_usage")]
    video_bytes: Annotated[int | None, From("video_usage")]
    audio_bytes: Annotated[int | None, From("audio_usage")]
    document_bytes: Annotated[int | None, From("document_usage")]


def _device_names(profile: UserProfile) -> list[str]:
    return [device.device_name or device.platform_type or "unnamed" for device in profile.devices or ()]


class AccountSummary(Projection, frozen=True, kw_only=True):
    """The account's owner, devices and storage. Device keys are part of a session and left out."""

    user_id: Annotated[str | None, From(lambda profile: profile.user_id or None)]
    name: Annotated[str, From("display_name")]
    email: Annotated[str | None, From("email_id")]
    status: str | None
    root_folder_key: str | None
    quota: Annotated[QuotaSummary | None, From(lambda profile: profile.quota and QuotaSummary.of(profile.quota))]
    """Null if the server does not report it."""
    devices: Annotated[list[str], From(_device_names)]


class VersionSummary(Projection, frozen=True, kw_only=True):
    """One version of a file."""

    version: int
    display_version: str | None
    created: Time
    is_current: Annotated[bool, From("is_current_version")]
    created_by: Annotated[str | None, From("version_created_by.first_name")]
    size_bytes: Annotated[int | None, From("size_in_bytes")]
    md5: Annotated[str | None, From(lambda version: md5_in(version.hash))]


class BoardSummary(Projection, frozen=True, kw_only=True):
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
    created: Time
    modified: Annotated[Time, From("last_modified_date")]
    created_date: int | None
    last_modified_date: int | None


class ContactSummary(Projection, frozen=True, kw_only=True):
    """A contact in the address book."""

    display_name: str | None
    first_name: str | None
    last_name: str | None
    emails: Annotated[list[str], From("addresses")]
    phones: Annotated[list[str], From("numbers")]


class LinkSummary(Projection, frozen=True, kw_only=True):
    """A public link. Anyone who has it can open it."""

    url: str
    share_name: str
    object_keys: list[str]


class DownloadedFile(Projection, frozen=True, kw_only=True):
    """A downloaded file; `verified` is true if it was checked against a hash from the server."""

    object_key: str
    path: Annotated[str, From(lambda downloaded: str(downloaded.path))]
    size_bytes: Annotated[int, From("size")]
    md5: str
    verified: bool


class DownloadedFolder(Projection, frozen=True, kw_only=True):
    """The outcome of downloading many files; `skipped` ones already existed."""

    path: str
    downloaded: Annotated[int, From("done")]
    skipped: int
    folders: int
    bytes_received: Annotated[int, From("bytes_done")]


async def first_results(
    found: AsyncIterable[_Found], limit: int, summarize: Callable[[_Found], Projection]
) -> ToolResult:
    """The first results up to the limit, and the count of all."""
    results: list[Projection] = []
    count = 0
    async for one in found:
        count += 1
        if count <= limit:
            results.append(summarize(one))
    return ToolResult(result=results, count=count)


def batch_result(batch: BatchResult, undo: Callable[[list[str]], tuple[ToolCall, ...] | None]) -> ToolResult:
    """The result of a batch. If any object was refused, the call fails with a message that lists what was done.

    `undo` returns the calls that undo the successful part.
    """
    keys = [outcome.key for outcome in batch.succeeded]
    calls = undo(keys) if keys else None
    if batch.ok:
        return ToolResult(result=[ChangedObject.of(outcome) for outcome in batch], count=len(batch), undo=calls)
    refused = "; ".join(
        f"{outcome.key}: {quote_text(outcome.reason, _REASON_CHARS_MAX)}" for outcome in batch.failed[:_LISTED_MAX]
    )
    message = f"{len(batch.failed)} of {len(batch)} were refused: {refused}. "
    message += f"Done: {', '.join(keys[:_LISTED_MAX])}" if keys else "Nothing was changed"
    if len(batch.failed) > _LISTED_MAX or len(keys) > _LISTED_MAX:
        message += "; not all of them are listed here"
    return ToolResult(undo=calls, error=InvalidRequestError(message + "."))

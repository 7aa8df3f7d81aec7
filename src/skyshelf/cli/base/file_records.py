"""Records of files and folders, and of transfers.

These are what `--json` prints: stable field names, RFC 3339 times in UTC, null where the server gives no value.
"""

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


class CopiesRecord(Struct, frozen=True, kw_only=True):
    """Files with the same content, oldest first, and the size of each."""

    size_bytes: int
    files: list[ObjectRecord]


class OldVersionsRecord(Struct, frozen=True, kw_only=True):
    """A file, and the number and size of its earlier versions."""

    file: ObjectRecord
    versions: int
    size_bytes: int


class OutcomeRecord(Struct, frozen=True, kw_only=True):
    """The result for one item: done, or refused with the reason."""

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


class FolderSizeRecord(Struct, frozen=True, kw_only=True):
    """Number and total size of the files below a folder."""

    path: str
    object_key: str | None
    files: int
    size_bytes: int


class ChangeRecord(Struct, frozen=True, kw_only=True):
    """A change to one item; a deleted one has only its key."""

    kind: str
    date: str | None
    object_key: str | None
    name: str | None
    type: str | None
    cursor: str


class HistoryRecord(Struct, frozen=True, kw_only=True):
    """A change of history; `new_name` is missing where the name stayed as it was."""

    number: int
    kind: str
    date: str | None
    object_key: str | None
    name: str | None
    new_name: str | None
    type: str | None
    device_key: str | None
    device_name: str | None
    session_id: str | None


class DifferenceRecord(Struct, frozen=True, kw_only=True):
    """A file or folder that two moments show differently; its path at each of them, if it was there.

    `kinds` is `added`, `removed`, or any of `moved`, `renamed`, `content` and `favorite`. The date and who made it are
    those of its last change in between.
    """

    object_key: str
    type: Literal["file", "folder"]
    kinds: list[str]
    old_path: str | None
    new_path: str | None
    old_size_bytes: int | None
    new_size_bytes: int | None
    date: str | None
    device_key: str | None
    device_name: str | None
    session_id: str | None


class RewindRecord(Struct, frozen=True, kw_only=True):
    """A rewind, or the plan of one: `done` of `total` objects are finished, and how many of each kind there are."""

    rewind_key: str | None
    state: str
    to: str | None
    created: str | None
    undo_of: str | None
    done: int
    total: int
    size_bytes: int
    restored: int
    moved: int
    renamed: int
    content: int
    favorite: int
    tags: int
    albums: int
    links: int
    trashed: int
    left: int


class HistoryCheckRecord(Struct, frozen=True, kw_only=True):
    """Whether the history is what it was; each problem is a sentence."""

    intact: bool
    problems: list[str]
    first_number: int
    changes_in_log: int
    date: str | None
    key_id: str | None
    heads_verified: int
    changes_verified: int
    records_verified: int
    waiting: int
    is_first: bool


class VersionRecord(Struct, frozen=True, kw_only=True):
    """A version of a file."""

    version: int
    is_current: bool
    size_bytes: int | None
    md5: str | None
    created: str | None
    author: str | None


class TagRecord(Struct, frozen=True, kw_only=True):
    """A tag."""

    tag_id: str | None
    name: str | None
    created: str | None


class MonthRecord(Struct, frozen=True, kw_only=True):
    """How many pictures and videos were taken in a month."""

    month: str
    files: int


class TransferRecord(Struct, frozen=True, kw_only=True):
    """The result of a transfer, or the plan of a dry run; `failed` lists the missing files with the reason."""

    done: int
    skipped: int
    bytes: int
    failed: list["FailureRecord"]
    unverified: int = 0
    dry_run: bool = False


class FailureRecord(Struct, frozen=True, kw_only=True):
    """A file that was not transferred."""

    path: str
    reason: str


class DownloadRecord(Struct, frozen=True, kw_only=True):
    """A downloaded file; `verified` is true if the server sent a hash and it matched."""

    path: str
    object_key: str
    size_bytes: int
    md5: str
    verified: bool


class UnfinishedUploadRecord(Struct, frozen=True, kw_only=True):
    """An unfinished upload: how much of it has arrived, and when it started to reserve space."""

    transaction_id: str
    name: str | None
    size_bytes: int | None
    received_bytes: int | None
    folder_key: str | None
    started: str | None
    last_activity: str | None


class MirrorRecord(Struct, frozen=True, kw_only=True):
    """What a mirror did, or in a dry run would do: paths on the server."""

    upload: list[str]
    trash: list[str]
    unchanged: int
    dry_run: bool


class SyncStepRecord(Struct, frozen=True, kw_only=True):
    """One step of a sync, or in a dry run of its plan: paths below the local folder.

    `action` is `upload`, `download`, `create_local_folder`, `create_remote_folder`, `move_local`, `move_remote`,
    `trash_local`, `trash_remote`, `conflict` (the local item was renamed to `to`), `left` or `failed`.
    """

    action: str
    path: str
    to: str | None
    reason: str | None
    size_bytes: int | None

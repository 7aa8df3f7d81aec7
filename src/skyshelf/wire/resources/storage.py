"""What takes up an account's space, and freeing it."""

from typing import Annotated, ClassVar

from msgspec import Meta

from skyshelf.wire.cursors import Cursor
from skyshelf.wire.keys import Key
from skyshelf.wire.limits import BATCH_ENTRIES_MAX, DUPLICATE_GROUPS_MAX, JSON_BODY_BYTES_MAX
from skyshelf.wire.models import AnswerModel, QueryModel, RequestModel
from skyshelf.wire.resources.objects import CloudObject


class KeptKind(AnswerModel, frozen=True, kw_only=True):
    """How much of a kind is stored beside files, and at most how much (see the reference of limits)."""

    kind: str | None = None
    used: int | None = None
    limit: int | None = None
    is_bytes: bool | None = None


class StorageUse(AnswerModel, frozen=True, kw_only=True):
    """Bytes by what they are used for; the parts add up to `usedSpace`. `kept` lists what else is stored.

    Photos, videos, audio and documents are the current versions of files outside the trash. If `isEstimate` is true,
    the trash is too large to be added up, and some of it counts as files. `history` is not part of `usedSpace`: it is
    the size of deleted files and versions that can still be restored.
    """

    allocated_space: int | None = None
    used_space: int | None = None
    photos: int | None = None
    videos: int | None = None
    audio: int | None = None
    documents: int | None = None
    old_versions: int | None = None
    trash: int | None = None
    history: int | None = None
    is_estimate: bool | None = None
    kept: list[KeptKind] | None = None


class DuplicatesQuery(QueryModel, frozen=True, kw_only=True):
    """A page of groups."""

    cursor: Cursor | None = None
    limit: Annotated[int, Meta(ge=1, le=DUPLICATE_GROUPS_MAX)] = 50


class DuplicateGroup(AnswerModel, frozen=True, kw_only=True):
    """Files with identical content, oldest first."""

    hash: str | None = None
    size_in_bytes: int | None = None
    objects: list[CloudObject] | None = None


class Duplicates(AnswerModel, frozen=True, kw_only=True):
    """Groups, those of the largest files first. Even a short page can have a `nextCursor`; only the last has none."""

    groups: list[DuplicateGroup] | None = None
    next_cursor: str | None = None


class FileWithOldVersions(AnswerModel, frozen=True, kw_only=True):
    """A file, and how many earlier versions of how many bytes it has."""

    object: CloudObject | None = None
    versions: int | None = None
    size_in_bytes: int | None = None


class OldVersions(AnswerModel, frozen=True, kw_only=True):
    """Files with earlier versions, those whose versions take the most space first."""

    files: list[FileWithOldVersions] | None = None
    next_cursor: str | None = None


class VersionRemoval(RequestModel, frozen=True, kw_only=True):
    """The files whose earlier versions are to be deleted permanently."""

    max_bytes: ClassVar[int] = JSON_BODY_BYTES_MAX

    object_keys: Annotated[list[Key], Meta(min_length=1, max_length=BATCH_ENTRIES_MAX)]


class RemovedVersions(AnswerModel, frozen=True, kw_only=True):
    """How many versions were deleted, and how many bytes of quota that frees."""

    versions: int | None = None
    freed_bytes: int | None = None
    used_space: int | None = None
    is_upload_allowed: bool | None = None

"""Versions of a file's content."""

from typing import Annotated

from msgspec import Meta
from msgspec.structs import force_setattr

from skyshelf.wire.keys import Key, clean_key
from skyshelf.wire.limits import VERSION_NUMBER_MAX
from skyshelf.wire.models import AnswerModel, RequestModel


class VersionAuthor(AnswerModel, frozen=True, kw_only=True):
    """The author of a version."""

    first_name: str | None = None


class FileVersion(AnswerModel, frozen=True, kw_only=True):
    """A version; `displayVersion` is `V` and its number."""

    version: int
    display_version: str | None = None
    created_date: int | None = None
    is_current_version: bool | None = None
    version_created_by: VersionAuthor | None = None
    size_in_bytes: int | None = None
    hash: str | None = None
    last_updated_date: int | None = None
    # The interface names the field but not its shape: ours is an author, other servers may send text.
    last_updated_by: VersionAuthor | str | None = None


class FileVersions(AnswerModel, frozen=True, kw_only=True):
    """All stored versions, newest first."""

    total_versions: int | None = None
    obj_versions: list[FileVersion] | None = None


class VersionRestoreRequest(RequestModel, frozen=True, kw_only=True):
    """The version to restore, and its file."""

    object_key: Key
    version: Annotated[int, Meta(ge=1, le=VERSION_NUMBER_MAX)]

    def __post_init__(self) -> None:
        force_setattr(self, "object_key", clean_key(self.object_key))

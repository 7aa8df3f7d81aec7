"""The trash: restoring, the legacy delete, which no longer deletes, and permanent deletion."""

from typing import Annotated, ClassVar

from msgspec import Meta

from skyshelf.wire.limits import BATCH_ENTRIES_MAX, JSON_BODY_BYTES_MAX
from skyshelf.wire.models import AnswerModel, RequestModel
from skyshelf.wire.resources.batch import UnprocessedEntry
from skyshelf.wire.resources.objects import CloudObject


class RestoreRequest(RequestModel, frozen=True, kw_only=True):
    """The objects to restore; a key that is not in the trash is returned in `unprocessed`."""

    max_bytes: ClassVar[int] = JSON_BODY_BYTES_MAX

    object_keys: Annotated[list[str], Meta(min_length=1, max_length=BATCH_ENTRIES_MAX)]


class RestoreAnswer(AnswerModel, frozen=True, kw_only=True):
    """The restored objects, and those that were refused."""

    objects: list[CloudObject] | None = None
    unprocessed: list[UnprocessedEntry] | None = None
    used_space: int | None = None
    is_upload_allowed: bool | None = None


class LegacyDeleteRequest(RequestModel, frozen=True, kw_only=True):
    """Keys that the legacy delete accepts and ignores."""

    max_bytes: ClassVar[int] = JSON_BODY_BYTES_MAX

    object_keys: Annotated[list[str], Meta(max_length=BATCH_ENTRIES_MAX)]


class LegacyDeleteAnswer(AnswerModel, frozen=True, kw_only=True):
    """Every key, unprocessed."""

    objects: list[CloudObject] | None = None
    unprocessed: list[UnprocessedEntry] | None = None


# Extensions: permanent deletion.


class PurgeRequest(RequestModel, frozen=True, kw_only=True):
    """Trashed objects to delete permanently; a key that is not in the trash is returned in `unprocessed`."""

    max_bytes: ClassVar[int] = JSON_BODY_BYTES_MAX

    object_keys: Annotated[list[str], Meta(min_length=1, max_length=BATCH_ENTRIES_MAX)]


class PurgedObject(AnswerModel, frozen=True, kw_only=True):
    """A deleted object."""

    object_key: str


class PurgeAnswer(AnswerModel, frozen=True, kw_only=True):
    """The deleted objects, and those that were refused. `usedSpace` shrinks as their bytes are removed."""

    objects: list[PurgedObject] | None = None
    unprocessed: list[UnprocessedEntry] | None = None
    used_space: int | None = None
    is_upload_allowed: bool | None = None


class EmptyTrashAnswer(AnswerModel, frozen=True, kw_only=True):
    """The trash is empty. `usedSpace` shrinks as its bytes are removed."""

    used_space: int | None = None
    is_upload_allowed: bool | None = None

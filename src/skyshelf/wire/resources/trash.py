"""Permanent deletion: of chosen objects in the trash, or of all of it."""

from typing import Annotated, ClassVar

from msgspec import Meta

from skyshelf.wire.limits import BATCH_ENTRIES_MAX, JSON_BODY_BYTES_MAX
from skyshelf.wire.models import AnswerModel, RequestModel
from skyshelf.wire.resources.batch import UnprocessedEntry


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

"""Deleting for good: chosen objects of the trash, or all of it."""

from typing import Annotated, ClassVar

from msgspec import Meta

from skyshelf.wire.limits import BATCH_ENTRIES_MAX, JSON_BODY_BYTES_MAX
from skyshelf.wire.models import AnswerModel, RequestModel
from skyshelf.wire.resources.batch import UnprocessedEntry


class PurgeRequest(RequestModel, frozen=True, kw_only=True):
    """Trashed objects that are to go for good; what is not the key of one ends up in `unprocessed`."""

    max_bytes: ClassVar[int] = JSON_BODY_BYTES_MAX

    object_keys: Annotated[list[str], Meta(min_length=1, max_length=BATCH_ENTRIES_MAX)]


class PurgedObject(AnswerModel, frozen=True, kw_only=True):
    """An object that is gone."""

    object_key: str


class PurgeAnswer(AnswerModel, frozen=True, kw_only=True):
    """What is gone and what is not. Its bytes leave `usedSpace` within moments, as they are removed."""

    objects: list[PurgedObject] | None = None
    unprocessed: list[UnprocessedEntry] | None = None
    used_space: int | None = None
    is_upload_allowed: bool | None = None


class EmptyTrashAnswer(AnswerModel, frozen=True, kw_only=True):
    """The trash is empty. Its bytes leave `usedSpace` within moments, as they are removed."""

    used_space: int | None = None
    is_upload_allowed: bool | None = None

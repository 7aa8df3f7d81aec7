"""Copies of files and folders."""

from typing import Annotated, ClassVar

from msgspec import Meta
from msgspec.structs import force_setattr

from skyshelf.wire.keys import Key, clean_key
from skyshelf.wire.limits import COPIES_MAX, JSON_BODY_BYTES_MAX
from skyshelf.wire.models import AnswerModel, RequestModel
from skyshelf.wire.resources.batch import UnprocessedEntry
from skyshelf.wire.resources.objects import CloudObject


class CopyRequest(RequestModel, frozen=True, kw_only=True):
    """The objects to copy, and the folder that the copies go into. A folder is copied without its contents."""

    max_bytes: ClassVar[int] = JSON_BODY_BYTES_MAX

    object_keys: Annotated[list[Key], Meta(min_length=1, max_length=COPIES_MAX)]
    parent_object_key: Key

    def __post_init__(self) -> None:
        force_setattr(self, "object_keys", [clean_key(key) for key in self.object_keys])
        force_setattr(self, "parent_object_key", clean_key(self.parent_object_key))


class CopiedObject(AnswerModel, frozen=True, kw_only=True):
    """A copy, and the key of the object that it was made of."""

    source_key: str
    object: CloudObject | None = None


class CopyAnswer(AnswerModel, frozen=True, kw_only=True):
    """The copies, each under a free name, and the objects that were refused."""

    objects: list[CopiedObject] | None = None
    unprocessed: list[UnprocessedEntry] | None = None
    used_space: int | None = None
    is_upload_allowed: bool | None = None

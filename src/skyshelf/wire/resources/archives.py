"""ZIP archives of what somebody has chosen."""

from typing import Annotated, ClassVar

from msgspec import Meta
from msgspec.structs import force_setattr

from skyshelf.wire.keys import Key, clean_key
from skyshelf.wire.limits import ARCHIVE_ENTRIES_MAX, JSON_BODY_BYTES_MAX
from skyshelf.wire.models import AnswerModel, Label, RequestModel


class ArchiveRequest(RequestModel, frozen=True, kw_only=True):
    """Files and folders for one archive. Its name is that of the object, if there is only one."""

    max_bytes: ClassVar[int] = JSON_BODY_BYTES_MAX

    object_keys: Annotated[list[Key], Meta(min_length=1, max_length=ARCHIVE_ENTRIES_MAX)]
    archive_name: Label

    def __post_init__(self) -> None:
        force_setattr(self, "object_keys", [clean_key(key) for key in self.object_keys])


class OwnArchive(AnswerModel, frozen=True, kw_only=True):
    """An archive that can be downloaded until its expiry; `missing` objects were not found."""

    archive_key: str
    url: str | None = None
    expiry_date: int | None = None
    missing: int | None = None

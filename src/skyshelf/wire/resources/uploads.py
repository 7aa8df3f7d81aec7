"""Uploads: one call for a small file or for many, and resumable chunks for large ones."""

from typing import Annotated, ClassVar, Final

from msgspec import Meta, field
from msgspec.structs import force_setattr

from skyshelf.wire import limits
from skyshelf.wire.error_codes import ErrorBody
from skyshelf.wire.keys import Key
from skyshelf.wire.models import PLAIN_TEXT, AnswerModel, EpochMs, HeaderModel, Identifier, QueryModel, RequestModel
from skyshelf.wire.names import Name, clean_name
from skyshelf.wire.refusals import InvalidRequest
from skyshelf.wire.resources.objects import CloudObject, drive

METADATA_FIELD: Final = "metadataString"
"""The multipart field with the metadata as JSON."""

FILE_FIELD: Final = "file"
"""The multipart part with the content."""

# Both lengths and the pattern: a pattern alone would accept a trailing line break.
Md5Hex = Annotated[
    str, Meta(min_length=32, max_length=32, pattern="^[0-9A-Fa-f]{32}$", description="MD5 in hexadecimal")
]


class FileToUpload(RequestModel, frozen=True, kw_only=True):
    """A file to upload, and its target folder.

    With `expectedVersion` the file is stored only as the next version of that one, and with 0 only if no file has
    its name: if somebody else has stored a version in the meantime, nothing changes.
    """

    name: Name
    size: Annotated[int, Meta(ge=0, le=2**63 - 1)]
    hash: Md5Hex
    folder_key: Key | None = None
    file_created_date: EpochMs | None = None
    last_modified_date: EpochMs | None = None
    source_name: Identifier = field(default_factory=drive)
    source_folder: Annotated[str, Meta(max_length=limits.SOURCE_FOLDER_CHARS_MAX, pattern=PLAIN_TEXT)] | None = None
    appcode: Identifier | None = None
    expected_version: Annotated[int, Meta(ge=0, le=2**31 - 1)] | None = None

    def __post_init__(self) -> None:
        force_setattr(self, "name", clean_name(self.name))
        force_setattr(self, "hash", self.hash.lower())


class UploadMetadata(FileToUpload, frozen=True, kw_only=True):
    """The file to upload, and its target.

    With `boardKey` the file is added to that board in the same step; without `folderKey` it is then stored in
    `Boards/<name of the board>`. With `expectedVersion` the file is stored only as the next version of that one, and
    with 0 only where no file has its name: if somebody else has stored a version in the meantime, nothing changes.
    """

    board_key: Key | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.folder_key is None and self.board_key is None:
            raise InvalidRequest("folderKey is missing")


class ManyUploads(RequestModel, frozen=True, kw_only=True):
    """Small files of one call. Their contents follow in this order, one directly after the other."""

    max_bytes: ClassVar[int] = limits.MIB

    files: Annotated[list[FileToUpload], Meta(min_length=1, max_length=limits.UPLOADS_AT_ONCE_MAX)]

    def __post_init__(self) -> None:
        if any(file.folder_key is None for file in self.files):
            raise InvalidRequest("folderKey is missing")
        if sum(file.size for file in self.files) > limits.UPLOADS_AT_ONCE_BYTES_MAX:
            raise InvalidRequest(f"the files have more than {limits.UPLOADS_AT_ONCE_BYTES_MAX} bytes together")


class UploadOutcome(AnswerModel, frozen=True, kw_only=True):
    """The result of one of many files: the object, or the reason for refusing it."""

    object: CloudObject | None = None
    error_code: str | None = None
    error_message: str | None = None


class ManyUploaded(AnswerModel, frozen=True, kw_only=True):
    """The result of each file, in the order sent; the status is 200 even if some were refused."""

    files: list[UploadOutcome] | None = None


class UploadProgress(AnswerModel, frozen=True, kw_only=True):
    """The progress of an upload; the next chunk starts at `offset`."""

    transaction_id: str
    offset: int | None = None


class UnfinishedUpload(AnswerModel, frozen=True, kw_only=True):
    """An unfinished upload; all of its `size` is reserved, and `offset` bytes have been received."""

    transaction_id: str
    name: str | None = None
    size: int | None = None
    offset: int | None = None
    hash: str | None = None
    folder_key: str | None = None
    created_date: int | None = None
    last_updated_date: int | None = None


class UnfinishedUploads(AnswerModel, frozen=True, kw_only=True):
    """A page of unfinished uploads, newest first; the last page has no `nextCursor`."""

    uploads: list[UnfinishedUpload] | None = None
    next_cursor: str | None = None


class OffsetConflict(ErrorBody, frozen=True, kw_only=True, rename="camel"):
    """The error body of a chunk at the wrong offset, with the right one."""

    transaction_id: str | None = None
    offset: int | None = None


class ChunkQuery(QueryModel, frozen=True, kw_only=True):
    """The chunk's upload: its `transactionId`."""

    upload_id: Annotated[str, Meta(min_length=1, max_length=limits.TOKEN_CHARS_MAX)]


class ChunkHeaders(HeaderModel, frozen=True, kw_only=True):
    """The chunk's offset and MD5."""

    offset: Annotated[int, Meta(ge=0, le=limits.FILE_BYTES_MAX)] = field(name="X-Offset")
    md5: Md5Hex = field(name="Content-MD5")

    def __post_init__(self) -> None:
        force_setattr(self, "md5", self.md5.lower())

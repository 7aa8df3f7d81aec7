"""Downloads of originals, thumbnails and archives: their queries, bodies and headers."""

from typing import Annotated, ClassVar, Final, Literal

from msgspec import Meta, field
from msgspec.structs import force_setattr

from skyshelf.wire.keys import Key, clean_key
from skyshelf.wire.limits import (
    ARCHIVE_ENTRIES_MAX,
    CONTENTS_KEYS_MAX,
    JSON_BODY_BYTES_MAX,
    PLACEHOLDERS_MAX,
    TEXT_PART_BYTES_DEFAULT,
    TEXT_PART_BYTES_MAX,
)
from skyshelf.wire.models import AnswerModel, HeaderModel, Label, QueryModel, RequestModel

Version = Annotated[int, Meta(ge=1, le=2**31 - 1)]


class DownloadQuery(QueryModel, frozen=True, kw_only=True):
    """The version to download. The nonce replaces a session and is checked like one, so its form is not restricted."""

    version: Version | None = None
    nonce: str | None = None


class ThumbnailQuery(QueryModel, frozen=True, kw_only=True):
    """The size, and the content's hash, with which a browser may cache the thumbnail forever."""

    # The sizes of limits.THUMBNAIL_SIZES; a Literal cannot refer to them, so a test compares both.
    size: Literal[256, 512, 1080] = 512
    # The object's `hash` as the client knows it. Another value is no error, but is not cached.
    of: str | None = None
    nonce: str | None = None


class DownloadHeaders(HeaderModel, frozen=True, kw_only=True):
    """Ranges and conditions, as text: malformed ones are ignored, as HTTP requires."""

    range: str | None = field(default=None, name="Range")
    if_range: str | None = field(default=None, name="If-Range")
    if_none_match: str | None = field(default=None, name="If-None-Match")
    if_modified_since: str | None = field(default=None, name="If-Modified-Since")


class ArchiveQuery(QueryModel, frozen=True, kw_only=True):
    """The nonce replaces a session and is checked like one."""

    nonce: str | None = None


class ArchiveHeaders(HeaderModel, frozen=True, kw_only=True):
    """The part of an archive, as text: a malformed one is ignored, as HTTP requires."""

    range: str | None = field(default=None, name="Range")
    if_range: str | None = field(default=None, name="If-Range")


class ThumbnailHeaders(HeaderModel, frozen=True, kw_only=True):
    """The image formats that the client can show, and the thumbnail that it already has."""

    accept: str | None = field(default=None, name="Accept")
    if_none_match: str | None = field(default=None, name="If-None-Match")


# Many small files in one response.

_KEY_CHARS: Final = 32

HEAD_BYTES_MAX: Final = 1024
"""The longest line before a content; a longer one is not this format."""


def keys_up_to(most: int) -> Meta:
    """Constrain a field to a comma-separated list of at most that many keys."""
    return Meta(
        min_length=_KEY_CHARS,
        max_length=most * (_KEY_CHARS + 1) - 1,
        description=f"1 to {most} keys of files, separated by commas",
    )


class KeysQuery(QueryModel, frozen=True, kw_only=True):
    """Files, as comma-separated keys."""

    key_names: ClassVar[tuple[str, ...]] = ("object_keys",)

    object_keys: str

    def __post_init__(self) -> None:
        force_setattr(self, "object_keys", ",".join(map(clean_key, self.object_keys.split(","))))

    @property
    def keys(self) -> list[str]:
        """The keys as a list."""
        return self.object_keys.split(",")


class FileKeysQuery(KeysQuery, frozen=True, kw_only=True):
    """The files to ask about, as comma-separated keys."""

    object_keys: Annotated[str, keys_up_to(PLACEHOLDERS_MAX)]


class ContentsQuery(KeysQuery, frozen=True, kw_only=True):
    """The files to return, as comma-separated keys."""

    object_keys: Annotated[str, keys_up_to(CONTENTS_KEYS_MAX)]


class ContentHead(AnswerModel, frozen=True, kw_only=True):
    """Describes the bytes that follow: their number and MD5. With an `errorCode`, none follow."""

    object_key: str
    size_in_bytes: int | None = None
    hash: str | None = None
    error_code: str | None = None
    error_message: str | None = None


# Placeholders


class Placeholder(AnswerModel, frozen=True, kw_only=True):
    """A picture of at most 16 x 16 pixels as a `data:` URL, to be shown until the thumbnail has loaded."""

    object_key: str
    image: str | None = None


class Placeholders(AnswerModel, frozen=True, kw_only=True):
    """The placeholders that exist: a file has one once a thumbnail of it was created."""

    placeholders: list[Placeholder] | None = None


# The text of documents


class TextQuery(QueryModel, frozen=True, kw_only=True):
    """The part to return, in bytes of the text in UTF-8."""

    start: Annotated[int, Meta(ge=0, le=2**53)] = 0
    length: Annotated[int, Meta(ge=4, le=TEXT_PART_BYTES_MAX)] = TEXT_PART_BYTES_DEFAULT


class DocumentText(AnswerModel, frozen=True, kw_only=True):
    """A part of the text of a document. `nextStart` is where the next part begins, and is left out at the end.

    Of a very long document only the beginning is read; then `isWhole` is false.
    """

    text: str
    start: int | None = None
    next_start: int | None = None
    is_whole: bool | None = None


# ZIP archives of selected objects.


class ArchiveRequest(RequestModel, frozen=True, kw_only=True):
    """Files and folders for one archive. Its name is that of the object, if there is only one."""

    max_bytes: ClassVar[int] = JSON_BODY_BYTES_MAX

    object_keys: Annotated[list[Key], Meta(min_length=1, max_length=ARCHIVE_ENTRIES_MAX)]
    archive_name: Label


class OwnArchive(AnswerModel, frozen=True, kw_only=True):
    """An archive that can be downloaded until its expiry; `missing` objects were not found."""

    archive_key: str
    url: str | None = None
    expiry_date: int | None = None
    missing: int | None = None

"""Files and folders: listings, creating folders, an object's location, and versions."""

from enum import StrEnum
from typing import Annotated, Literal

from msgspec import Meta, field
from msgspec.structs import force_setattr

from skyshelf.wire import models
from skyshelf.wire.cursors import Cursor
from skyshelf.wire.error_codes import LISTING_TYPE
from skyshelf.wire.keys import Key
from skyshelf.wire.limits import LISTING_LIMIT_DEFAULT, VERSION_NUMBER_MAX
from skyshelf.wire.models import AnswerModel, HeaderModel, QueryModel, RequestModel
from skyshelf.wire.names import Name, clean_name
from skyshelf.wire.names import extension as extension_of


class ObjectType(StrEnum):
    """The type of an object; models hold it as text, because a client must accept unknown types."""

    FILE = "FE"
    FOLDER = "FR"


class ObjectStatus(StrEnum):
    """The state of an object."""

    ACTIVE = "A"
    TRASHED = "T"


DRIVE = "DRIVE"
"""The `sourceName` of files that a user adds to the drive."""


def drive() -> str:
    """Return the default; a factory, because only such defaults are sent (see RequestModel)."""
    return DRIVE


class CloudObject(AnswerModel, frozen=True, kw_only=True, gc=False):
    """A file or folder."""

    # The garbage collector skips these: a page holds thousands, and none is part of a cycle.

    object_key: str
    parent_object_key: str | None = None
    object_name: str | None = None
    object_type: str | None = None
    size_in_bytes: int | None = None
    mime_type: str | None = None
    mime_sub_type: str | None = None
    source_folder: str | None = None
    hash: str | None = None
    file_created_date: int | None = None
    last_modified_date: int | None = None
    status: str | None = None
    is_hidden: bool | None = None
    is_locked: bool | None = None
    is_readonly: bool | None = None
    is_favorite: bool | None = None
    is_executable: bool | None = None  # our extension, absent unless true
    url: str | None = None
    image_transcode_url: str | None = None
    version: int | None = None
    source_name: str | None = None
    # Display fields have no contract: other servers send any type. The order is that of stored objects.
    display_name: object = None
    latest_version: object = None
    created_date: int | None = None
    last_updated_date: int | None = None
    parent_object_type: str | None = None
    icon_name: object = None
    tile_name: object = None
    grid_date: object = None
    c_month_no: object = None
    c_year: object = None
    recipients_obj_rights: object = None
    is_share_album: object = None

    @property
    def is_folder(self) -> bool:
        """Whether it is a folder."""
        return self.object_type == ObjectType.FOLDER

    @property
    def is_file(self) -> bool:
        """Whether it is a file."""
        return self.object_type == ObjectType.FILE

    @property
    def mime(self) -> str | None:
        """The MIME type, such as `image/jpeg`; None where the server gives none."""
        return "/".join(part for part in (self.mime_type, self.mime_sub_type) if part) or None

    @property
    def extension(self) -> str:
        """The extension of its name, in lower case without the dot."""
        return extension_of(self.object_name or "")


class ObjectListing(AnswerModel, frozen=True, kw_only=True):
    """A page of a folder or of the trash; `nextLink` is the path of the next page with its query, if there is one."""

    allocated_space: int | None = None
    used_space: int | None = None
    is_upload_allowed: bool | None = None
    objects: list[CloudObject] | None = None
    next_link: str | None = None


ObjectSort = Literal[
    "+objectName",
    "-objectName",
    "+fileCreatedDate",
    "-fileCreatedDate",
    "+lastModifiedDate",
    "-lastModifiedDate",
    "+sizeInBytes",
    "-sizeInBytes",
]
# Other people's clients write `createdDate` for the date of the file.
ListingSort = Literal[ObjectSort, "+createdDate", "-createdDate"]


class DefaultViewQuery(QueryModel, frozen=True, kw_only=True):
    """The listing that the web client uses; it has no pages."""

    folder_key: Key
    limit: models.PageLimit = LISTING_LIMIT_DEFAULT
    kind: Annotated[Literal["f", "w"] | None, models.RefusedWith(LISTING_TYPE), models.ANY_CASE] = field(
        default=None, name="type"
    )
    sort: Annotated[ListingSort, models.SIGNED, models.ANY_CASE] = "+objectName"
    cursor: Cursor | None = None


class ListingQuery(DefaultViewQuery, frozen=True, kw_only=True):
    """The legacy listing, which has pages."""

    page: models.PageIndex = 0


class ListingHeaders(HeaderModel, frozen=True, kw_only=True):
    """The page that the client already has."""

    if_none_match: str | None = field(default=None, name="If-None-Match")


class TrashQuery(QueryModel, frozen=True, kw_only=True):
    """A page of the trash; by default the most recently trashed first."""

    limit: models.PageLimit = LISTING_LIMIT_DEFAULT
    sort: Annotated[ListingSort | None, models.SIGNED, models.ANY_CASE] = None
    page: models.PageIndex = 0
    cursor: Cursor | None = None


class FolderCreation(RequestModel, frozen=True, kw_only=True):
    """The folder to create."""

    object_name: Name
    parent_object_key: Key
    source_name: models.Identifier = field(default_factory=drive)

    def __post_init__(self) -> None:
        force_setattr(self, "object_name", clean_name(self.object_name))


# Extension: an object's location.


class PathFolder(AnswerModel, frozen=True, kw_only=True):
    """A folder of a path."""

    object_key: str
    object_name: str | None = None


class ObjectLocation(AnswerModel, frozen=True, kw_only=True):
    """The object, and the folders from the root to its parent."""

    object: CloudObject | None = None
    path: list[PathFolder] | None = None


# Versions of a file's content.


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

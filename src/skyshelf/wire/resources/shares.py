"""Share links: the interface's, and extensions to list, limit, edit and revoke them."""

from typing import Annotated, ClassVar, Literal

from msgspec import Meta, field

from skyshelf.wire import limits
from skyshelf.wire.keys import Key
from skyshelf.wire.models import AnswerModel, Label, QueryModel, RequestModel, hiding
from skyshelf.wire.refusals import InvalidRequest

Password = Annotated[
    str, Meta(max_length=limits.PASSWORD_CHARS_MAX, description="at least 8 characters; empty for none")
]
Downloads = Annotated[int, Meta(ge=0, le=limits.SHARE_DOWNLOADS_MAX, description="0 for no limit")]
Expiry = Annotated[int, Meta(ge=0, le=limits.TIME_MS_MAX, description="epoch milliseconds, UTC; 0 for never")]
BoardRights = Annotated[Literal["view", "add"], Meta(description="add: visitors can also add files")]
Uploads = Annotated[int, Meta(ge=0, le=limits.GUEST_FILES_MAX, description="0 for the server's limit")]
UploadBytes = Annotated[int, Meta(ge=0, le=limits.GUEST_FILE_BYTES_MAX, description="0 for the server's limit")]


class SharesQuery(QueryModel, frozen=True, kw_only=True):
    """A page of the list; `cursor` is the previous page's `nextCursor`."""

    cursor: Annotated[str, Meta(max_length=limits.TOKEN_CHARS_MAX)] | None = None
    limit: Annotated[int, Meta(ge=1, le=limits.SHARE_LIST_LIMIT_MAX)] = limits.SHARE_LIST_LIMIT_DEFAULT


class NewShareRequest(RequestModel, frozen=True, kw_only=True):
    """The link to create, with its limits: to look at objects, or to send files into one folder."""

    max_bytes: ClassVar[int] = limits.JSON_BODY_BYTES_MAX

    object_keys: Annotated[list[Key], Meta(min_length=1, max_length=limits.SHARED_OBJECTS_MAX)]
    share_name: Label
    rights: Annotated[Literal["view", "send"], Meta(description="send: visitors send files and see nothing")] | None = (
        None
    )
    expiry_date: Expiry | None = None
    password: Password | None = None
    max_downloads: Downloads | None = None
    max_uploads: Uploads | None = None
    max_upload_bytes: UploadBytes | None = None

    def __post_init__(self) -> None:
        if self.rights == "send" and len(self.object_keys) != 1:
            raise InvalidRequest("Visitors can send files into one folder only: send its key alone in objectKeys")

    __repr__ = hiding("password", shown=("share_name",))


class ShareEditRequest(RequestModel, frozen=True, kw_only=True):
    """The fields to change; absent fields stay unchanged. Only the rights of a link to a board can change."""

    share_name: Label | None = None
    rights: BoardRights | None = None
    expiry_date: Expiry | None = None
    password: Password | None = None
    max_downloads: Downloads | None = None
    max_uploads: Uploads | None = None
    max_upload_bytes: UploadBytes | None = None

    __repr__ = hiding("password", shown=("share_name",))


class NewBoardShareRequest(ShareEditRequest, frozen=True, kw_only=True):
    """The public link to a board, with its limits."""

    share_name: Label


class SharedName(AnswerModel, frozen=True, kw_only=True):
    """One of a link's objects."""

    object_key: str
    object_name: str | None = None
    object_type: str | None = None


class OwnShare(AnswerModel, frozen=True, kw_only=True):
    """One of the caller's links. Without an expiry, a limit or a last visit, the field is absent.

    `uploads` is how many files visitors have sent, if they may. A link to a board that the caller no longer owns has
    no `boardName` and does not work.
    """

    share_key: str
    share_name: str | None = None
    share_url: str | None = field(default=None, name="shareURL")
    rights: str | None = None
    is_live: bool | None = None
    created_date: int | None = None
    expiry_date: int | None = None
    has_password: bool | None = None
    max_downloads: int | None = None
    downloads: int | None = None
    visits: int | None = None
    last_visit_date: int | None = None
    max_uploads: int | None = None
    max_upload_bytes: int | None = None
    uploads: int | None = None
    board_key: str | None = None
    board_name: str | None = None
    object_keys: list[str] | None = None
    objects: list[SharedName] | None = None

    # The URL alone grants access.
    __repr__ = hiding(shown=("share_key", "share_name"))


class OwnShares(AnswerModel, frozen=True, kw_only=True):
    """A page of the caller's links, newest first; the last page has no `nextCursor`."""

    shares: list[OwnShare] | None = None
    next_cursor: str | None = None


class GuestFile(AnswerModel, frozen=True, kw_only=True):
    """A file that somebody without an account has added to a board; `guestName` is the name that they entered."""

    object_key: str
    guest_name: str | None = None
    added_date: int | None = None


class GuestFiles(AnswerModel, frozen=True, kw_only=True):
    """The newest files that guests have added to a board."""

    guest_files: list[GuestFile] | None = None


# Links of the interface.

ShareType = Literal["L"]


def link() -> ShareType:
    """Return the default; a factory, because only such defaults are sent (see RequestModel)."""
    return "L"


class SharedObject(RequestModel, frozen=True, kw_only=True):
    """One object of a link."""

    object_key: Key


class ShareRequest(RequestModel, frozen=True, kw_only=True):
    """The link to create; `shareName` is usually the time, as in `06May2024_070809`."""

    max_bytes: ClassVar[int] = limits.JSON_BODY_BYTES_MAX

    objects: Annotated[list[SharedObject], Meta(min_length=1, max_length=limits.SHARED_OBJECTS_MAX)]
    share_name: Label
    share_type: ShareType = field(default_factory=link)


class ShareLink(AnswerModel, frozen=True, kw_only=True):
    """The created link."""

    share_url: str | None = field(default=None, name="shareURL")

    @property
    def token(self) -> str | None:
        """The link nonce: the `u` parameter of the URL."""
        from urllib.parse import parse_qs, urlsplit

        values = parse_qs(urlsplit(self.share_url or "").query).get("u")
        return values[0] if values else None


class SharePageQuery(QueryModel, frozen=True, kw_only=True):
    """The share to visit; a missing token is treated like an unknown one."""

    u: str = ""

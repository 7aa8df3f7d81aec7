"""Boards, which are shared albums, and their members."""

from typing import Annotated, ClassVar, Final, Literal

from msgspec import Meta, field
from msgspec.structs import force_setattr

from skyshelf.wire.keys import Key, clean_key
from skyshelf.wire.limits import (
    BATCH_ENTRIES_MAX,
    BOARD_DETAILS_LIMIT_DEFAULT,
    BOARD_LIST_LIMIT_DEFAULT,
    COMMENT_CHARS_MAX,
    DESCRIPTION_CHARS_MAX,
    EMAIL_CHARS_MAX,
    JSON_BODY_BYTES_MAX,
    TOKEN_CHARS_MAX,
)
from skyshelf.wire.models import (
    PLAIN_TEXT,
    SIGNED,
    AnswerModel,
    EpochMs,
    Label,
    PageIndex,
    PageLimit,
    QueryModel,
    RequestModel,
)
from skyshelf.wire.refusals import InvalidRequest
from skyshelf.wire.resources.batch import UnprocessedEntry
from skyshelf.wire.resources.objects import CloudObject, ObjectSort

MEMBER_OWNER: Final = "O"


class Board(AnswerModel, frozen=True, kw_only=True):
    """A board and its counters; `memberType` is what the caller is on it: `O` owns it, `M` adds files, `V` looks."""

    board_key: str
    board_name: str | None = None
    board_description: str | None = None
    board_type: str | None = None
    status: str | None = None
    owner_user_id: str | None = None
    files_count: int | None = None
    image_count: int | None = None
    video_count: int | None = None
    audio_count: int | None = None
    comments_count: int | None = None
    users_count: int | None = None
    size_in_bytes: int | None = None
    created_date: int | None = None
    last_modified_date: int | None = None
    cover_object_key: str | None = None
    member_type: str | None = None


class BoardListQuery(QueryModel, frozen=True, kw_only=True):
    """A page of the boards that the user is a member of."""

    page: PageIndex = 0
    limit: PageLimit = BOARD_LIST_LIMIT_DEFAULT
    album_type: Literal["p"] = "p"


class BoardList(AnswerModel, frozen=True, kw_only=True):
    """Boards."""

    boards: list[Board] | None = None


class BoardCreation(RequestModel, frozen=True, kw_only=True):
    """The board to create; `parentObjectKey` is a place for a folder that web clients leave null."""

    board_name: Label
    board_description: Annotated[str, Meta(max_length=DESCRIPTION_CHARS_MAX, pattern=PLAIN_TEXT)] | None = None
    parent_object_key: Key | None = None

    def __post_init__(self) -> None:
        if self.parent_object_key is not None:
            force_setattr(self, "parent_object_key", clean_key(self.parent_object_key))


class BoardDetailsQuery(QueryModel, frozen=True, kw_only=True):
    """A page of what is on a board."""

    page: PageIndex = 0
    limit: PageLimit = BOARD_DETAILS_LIMIT_DEFAULT
    sort: Annotated[ObjectSort, SIGNED] = "-lastModifiedDate"


class BoardObject(CloudObject, frozen=True, kw_only=True, gc=False):
    """A file on a board. Of somebody else's there is what the board shows, and nothing of where its owner keeps it."""


class BoardDetails(AnswerModel, frozen=True, kw_only=True):
    """A board and what is on it."""

    board: Board | None = None
    objects: list[BoardObject] | None = None


class BoardMember(AnswerModel, frozen=True, kw_only=True):
    """A member; `memCreatedDate` is when the member joined."""

    user_id: str
    first_name: str | None = None
    member_type: str | None = None
    member_status: str | None = None
    mem_created_date: int | None = None


class BoardMembers(AnswerModel, frozen=True, kw_only=True):
    """The roster of a board."""

    board_members: list[BoardMember] | None = None


UnjoinRequest = Annotated[list[object], Meta(max_length=0, description="an empty array")]


class UnjoinAnswer(AnswerModel, frozen=True, kw_only=True):
    """Nothing to say: the board was left."""


# What people do to boards: show and take off files, edit, invite, join, comment. All of it is beyond the interface.

GivenMemberType = Literal["M", "V"]
"""`M` adds files of their own, `V` looks and comments."""

_Email = Annotated[str, Meta(min_length=1, max_length=EMAIL_CHARS_MAX, pattern=PLAIN_TEXT)]
_Words = Annotated[str, Meta(min_length=1, max_length=COMMENT_CHARS_MAX, pattern=PLAIN_TEXT)]


def _editor() -> GivenMemberType:
    """A factory, so that the default is sent; see RequestModel."""
    return "M"


class Done(AnswerModel, frozen=True, kw_only=True):
    """Nothing to say: it is done."""


class BoardObjectsRequest(RequestModel, frozen=True, kw_only=True):
    """Files for a board, or off it; what is not the key of one ends up in `unprocessed`."""

    max_bytes: ClassVar[int] = JSON_BODY_BYTES_MAX

    object_keys: Annotated[list[str], Meta(min_length=1, max_length=BATCH_ENTRIES_MAX)]


class BoardAdditions(AnswerModel, frozen=True, kw_only=True):
    """What the board shows now, and what it does not."""

    objects: list[CloudObject] | None = None
    unprocessed: list[UnprocessedEntry] | None = None


class BoardRemovals(AnswerModel, frozen=True, kw_only=True):
    """What was taken off the board, and what was not."""

    object_keys: list[str] | None = None
    unprocessed: list[UnprocessedEntry] | None = None


class BoardEditing(RequestModel, frozen=True, kw_only=True):
    """What to change; what is absent or null stays as it is."""

    board_name: Label | None = None
    board_description: Annotated[str, Meta(max_length=DESCRIPTION_CHARS_MAX, pattern=PLAIN_TEXT)] | None = None

    def __post_init__(self) -> None:
        if self.board_name is None and self.board_description is None:
            raise InvalidRequest("Send boardName, boardDescription or both")


class BoardCover(RequestModel, frozen=True, kw_only=True):
    """The file that stands for the board; null for none."""

    object_key: Key | None = None

    def __post_init__(self) -> None:
        if self.object_key is not None:
            force_setattr(self, "object_key", clean_key(self.object_key))


class InvitationRequest(RequestModel, frozen=True, kw_only=True):
    """Whom to invite, and as what; without `expiresDate` the invitation stands for 30 days."""

    email_id: _Email
    member_type: GivenMemberType = field(default_factory=_editor)
    expires_date: EpochMs | None = None


class BoardInvitation(AnswerModel, frozen=True, kw_only=True):
    """Somebody who is invited, whether or not an account has the address."""

    invitation_key: str
    email_id: str | None = None
    member_type: str | None = None
    created_date: int | None = None
    expires_date: int | None = None


class LinkRequest(RequestModel, frozen=True, kw_only=True):
    """A link that brings whoever has it onto the board."""

    member_type: GivenMemberType = field(default_factory=_editor)
    expires_date: EpochMs | None = None


class BoardLink(AnswerModel, frozen=True, kw_only=True):
    """A link to join a board; the `token` in it is all that it takes."""

    link_key: str
    link_url: str | None = field(default=None, name="linkURL")
    token: str | None = None
    member_type: str | None = None
    created_date: int | None = None
    expires_date: int | None = None

    def __repr__(self) -> str:
        return f"BoardLink(link_key={self.link_key!r}, token=<hidden>)"


class BoardInvitations(AnswerModel, frozen=True, kw_only=True):
    """Who is invited to a board and has not answered, and the links to it."""

    invitations: list[BoardInvitation] | None = None
    links: list[BoardLink] | None = None


class ReceivedInvitation(AnswerModel, frozen=True, kw_only=True):
    """A board that the user is invited to."""

    board_key: str
    board_name: str | None = None
    owner_name: str | None = None
    member_type: str | None = None
    created_date: int | None = None
    expires_date: int | None = None


class ReceivedInvitations(AnswerModel, frozen=True, kw_only=True):
    """A page of invitations, newest first; the last page has no `nextCursor`."""

    invitations: list[ReceivedInvitation] | None = None
    next_cursor: str | None = None


class Acceptance(RequestModel, frozen=True, kw_only=True):
    """Which invitation: the board's key, or the token of a link."""

    board_key: Key | None = None
    token: Annotated[str, Meta(min_length=1, max_length=TOKEN_CHARS_MAX)] | None = None

    def __post_init__(self) -> None:
        if (self.board_key is None) == (self.token is None):
            raise InvalidRequest("Send either boardKey or token")
        if self.board_key is not None:
            force_setattr(self, "board_key", clean_key(self.board_key))

    def __repr__(self) -> str:
        return f"Acceptance(board_key={self.board_key!r}, token=<hidden>)"


class Declining(RequestModel, frozen=True, kw_only=True):
    """Which invitation."""

    board_key: Key

    def __post_init__(self) -> None:
        force_setattr(self, "board_key", clean_key(self.board_key))


class MemberChange(RequestModel, frozen=True, kw_only=True):
    """What a member becomes; `O` passes the board on, and its owner becomes `M`."""

    member_type: Literal["O", "M", "V"]


class BoardComment(AnswerModel, frozen=True, kw_only=True):
    """Words on a board; `objectKey` is what they are about, while the board shows it."""

    comment_key: str
    user_id: str | None = None
    first_name: str | None = None
    object_key: str | None = None
    text: str | None = None
    created_date: int | None = None
    edited_date: int | None = None


class BoardComments(AnswerModel, frozen=True, kw_only=True):
    """A page of comments, newest first; the last page has no `nextCursor`."""

    comments: list[BoardComment] | None = None
    next_cursor: str | None = None


class CommentCreation(RequestModel, frozen=True, kw_only=True):
    """What to say, about the board or about one thing on it."""

    text: _Words
    object_key: Key | None = None

    def __post_init__(self) -> None:
        if self.object_key is not None:
            force_setattr(self, "object_key", clean_key(self.object_key))


class CommentEditing(RequestModel, frozen=True, kw_only=True):
    """What a comment says from now on."""

    text: _Words

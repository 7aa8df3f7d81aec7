"""Boards, which are shared albums: their files, members, invitations and comments."""

from typing import Annotated, Final, Literal

from msgspec import Meta, field

from skyshelf.wire import limits, models
from skyshelf.wire.keys import Key
from skyshelf.wire.models import AnswerModel, QueryModel, RequestModel
from skyshelf.wire.refusals import InvalidRequest
from skyshelf.wire.resources.batch import ObjectKeysRequest, UnprocessedEntry
from skyshelf.wire.resources.objects import CloudObject, ObjectSort

MEMBER_OWNER: Final = "O"
Description = Annotated[str, Meta(max_length=limits.DESCRIPTION_CHARS_MAX, pattern=models.PLAIN_TEXT)]


class Board(AnswerModel, frozen=True, kw_only=True):
    """A board and its counters; `memberType` is the caller's role: `O` owner, `M` editor, `V` viewer."""

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

    @property
    def description(self) -> str | None:
        """A short name for `board_description`."""
        return self.board_description


class BoardListQuery(QueryModel, frozen=True, kw_only=True):
    """A page of the user's boards."""

    page: models.PageIndex = 0
    limit: models.PageLimit = limits.BOARD_LIST_LIMIT_DEFAULT
    album_type: Literal["p"] = "p"


class BoardList(AnswerModel, frozen=True, kw_only=True):
    """Boards."""

    boards: list[Board] | None = None


class BoardCreation(RequestModel, frozen=True, kw_only=True):
    """The board to create; web clients send `parentObjectKey` as null."""

    board_name: models.Label
    board_description: Description | None = None
    parent_object_key: Key | None = None


class BoardDetailsQuery(QueryModel, frozen=True, kw_only=True):
    """A page of a board's files."""

    page: models.PageIndex = 0
    limit: models.PageLimit = limits.BOARD_DETAILS_LIMIT_DEFAULT
    sort: Annotated[ObjectSort, models.SIGNED] = "-lastModifiedDate"


class BoardObject(CloudObject, frozen=True, kw_only=True, gc=False):
    """A file on a board. For files of other members, nothing shows where their owner keeps them."""


class BoardDetails(AnswerModel, frozen=True, kw_only=True):
    """A board and its files."""

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
    """The members of a board."""

    board_members: list[BoardMember] | None = None


UnjoinRequest = Annotated[list[object], Meta(max_length=0, description="an empty array")]


class UnjoinAnswer(AnswerModel, frozen=True, kw_only=True):
    """An empty object: the user has left the board."""


# Extensions: adding and removing files, editing, inviting, joining and commenting.

GivenMemberType = Literal["M", "V"]
"""`M` can add files, `V` can view and comment."""

_Words = Annotated[str, Meta(min_length=1, max_length=limits.COMMENT_CHARS_MAX, pattern=models.PLAIN_TEXT)]


def _editor() -> GivenMemberType:
    """Return the default; a factory, because only such defaults are sent (see RequestModel)."""
    return "M"


class DeclineAnswer(AnswerModel, frozen=True, kw_only=True):
    """An empty object: the invitation was declined."""


class BoardObjectsRequest(ObjectKeysRequest, frozen=True, kw_only=True):
    """Files to add to or remove from a board; an invalid key is returned in `unprocessed`."""


class BoardAdditions(AnswerModel, frozen=True, kw_only=True):
    """The files that are on the board now, and those that were refused."""

    objects: list[CloudObject] | None = None
    unprocessed: list[UnprocessedEntry] | None = None


class BoardRemovals(AnswerModel, frozen=True, kw_only=True):
    """The removed files, and those that were refused."""

    object_keys: list[str] | None = None
    unprocessed: list[UnprocessedEntry] | None = None


class BoardEditing(RequestModel, frozen=True, kw_only=True):
    """The fields to change; absent or null fields stay unchanged."""

    board_name: models.Label | None = None
    board_description: Description | None = None

    def __post_init__(self) -> None:
        if self.board_name is None and self.board_description is None:
            raise InvalidRequest("Send boardName, boardDescription or both")


class BoardCover(RequestModel, frozen=True, kw_only=True):
    """The board's cover; null for none."""

    object_key: Key | None = None


class InvitationRequest(RequestModel, frozen=True, kw_only=True):
    """The invited email address and its role; without `expiresDate` the invitation expires after 30 days."""

    email_id: models.Email
    member_type: GivenMemberType = field(default_factory=_editor)
    expires_date: models.EpochMs | None = None


class BoardInvitation(AnswerModel, frozen=True, kw_only=True):
    """A pending invitation, whether or not its address has an account."""

    invitation_key: str
    email_id: str | None = None
    member_type: str | None = None
    created_date: int | None = None
    expires_date: int | None = None


class LinkRequest(RequestModel, frozen=True, kw_only=True):
    """A link with which anyone can join the board."""

    member_type: GivenMemberType = field(default_factory=_editor)
    expires_date: models.EpochMs | None = None


class BoardLink(AnswerModel, frozen=True, kw_only=True):
    """A link to join a board; its `token` is all that is needed."""

    link_key: str
    link_url: str | None = field(default=None, name="linkURL")
    token: str | None = None
    member_type: str | None = None
    created_date: int | None = None
    expires_date: int | None = None

    __repr__ = models.hiding("token", shown=("link_key",))


class BoardInvitations(AnswerModel, frozen=True, kw_only=True):
    """A board's pending invitations and its join links."""

    invitations: list[BoardInvitation] | None = None
    links: list[BoardLink] | None = None


class ReceivedInvitation(AnswerModel, frozen=True, kw_only=True):
    """An invitation to a board."""

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
    """The invitation to accept: the board's key, or a link's token."""

    board_key: Key | None = None
    token: Annotated[str, Meta(min_length=1, max_length=limits.TOKEN_CHARS_MAX)] | None = None

    def __post_init__(self) -> None:
        if (self.board_key is None) == (self.token is None):
            raise InvalidRequest("Send either boardKey or token")

    __repr__ = models.hiding("token", shown=("board_key",))


class Declining(RequestModel, frozen=True, kw_only=True):
    """The invitation to decline."""

    board_key: Key


class MemberChange(RequestModel, frozen=True, kw_only=True):
    """A member's new role; `O` transfers the board, and its former owner becomes `M`."""

    member_type: Literal["O", "M", "V"]


class BoardComment(AnswerModel, frozen=True, kw_only=True):
    """A comment; `objectKey` is the file that it refers to, while that is on the board."""

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


class BoardEvent(AnswerModel, frozen=True, kw_only=True):
    """Something that a member did on a board.

    `kind` is `created`, `joined`, `left`, `removed` (by the owner), `added` or `withdrew` (files; `filesCount` says how
    many) or `renamed`. `guestName` is present if a guest added files through a public link of the member; it is empty
    for a guest without a name.
    """

    kind: str
    user_id: str | None = None
    first_name: str | None = None
    files_count: int | None = None
    guest_name: str | None = None
    date: int | None = None


class BoardActivity(AnswerModel, frozen=True, kw_only=True):
    """What members did on a board, newest first; a board remembers the last 200 events."""

    events: list[BoardEvent] | None = None


class BoardContributor(AnswerModel, frozen=True, kw_only=True):
    """Who added a file to a board, and when; `guestName` as in BoardEvent."""

    object_key: str
    user_id: str | None = None
    first_name: str | None = None
    guest_name: str | None = None
    added_date: int | None = None


class BoardContributors(AnswerModel, frozen=True, kw_only=True):
    """The contributors of the requested files that are on the board."""

    contributors: list[BoardContributor] | None = None


class CommentCreation(RequestModel, frozen=True, kw_only=True):
    """A comment on the board or on one of its files."""

    text: _Words
    object_key: Key | None = None


class CommentEditing(RequestModel, frozen=True, kw_only=True):
    """A comment's new text."""

    text: _Words

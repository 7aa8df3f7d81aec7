"""Boards, which are shared albums, and their members."""

from typing import Annotated, Final, Literal

from msgspec import Meta
from msgspec.structs import force_setattr

from skyshelf.wire.bases import PLAIN_TEXT, SIGNED, AnswerModel, Label, PageIndex, PageLimit, QueryModel, RequestModel
from skyshelf.wire.keys import Key, clean_key
from skyshelf.wire.limits import BOARD_DETAILS_LIMIT_DEFAULT, BOARD_LIST_LIMIT_DEFAULT, DESCRIPTION_CHARS_MAX
from skyshelf.wire.objects import CloudObject, ObjectSort

PERSONAL_BOARD: Final = "P"
BOARD_ACTIVE: Final = "A"
MEMBER_OWNER: Final = "O"
MEMBER_ACTIVE: Final = "A"


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

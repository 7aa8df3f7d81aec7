"""Board members: invitations, links, roles and comments. All are extensions of the interface."""

from typing import Final

from skyshelf.wire import error_codes as errors
from skyshelf.wire.cursors import CursorQuery
from skyshelf.wire.endpoint import EMPTY, BodyKind, Endpoint, Host, Origin, json_answer
from skyshelf.wire.headers import BOARDS_HEADERS
from skyshelf.wire.resources.boards import (
    Acceptance,
    Board,
    BoardActivity,
    BoardComment,
    BoardComments,
    BoardContributors,
    BoardContributorsQuery,
    BoardInvitation,
    BoardInvitations,
    BoardLink,
    BoardMembers,
    CommentCreation,
    CommentEditing,
    Declining,
    Done,
    InvitationRequest,
    LinkRequest,
    MemberChange,
    ReceivedInvitations,
)

_BOARD: Final = "/x/v1/boards/{board_key}"

BOARD_INVITATIONS: Final = Endpoint(
    name="board_invitations",
    host=Host.BOARDS,
    method="GET",
    path=_BOARD + "/invitations",
    summary="A board's pending invitations and its join links.",
    answers={200: json_answer(BoardInvitations)},
    required_headers=BOARDS_HEADERS,
    errors=(
        errors.BOARD_NOT_FOUND,
        errors.FORBIDDEN,
    ),
    origin=Origin.COMPLETIONS,
)
INVITE_TO_BOARD: Final = Endpoint(
    name="invite_to_board",
    needs_space=True,
    host=Host.BOARDS,
    method="POST",
    path=_BOARD + "/invitations",
    summary="Invites an email address; the response does not reveal whether it has an account.",
    body=InvitationRequest,
    body_kind=BodyKind.JSON,
    answers={201: json_answer(BoardInvitation)},
    required_headers=BOARDS_HEADERS,
    errors=(
        errors.BOARD_NOT_FOUND,
        errors.FORBIDDEN,
    ),
    repeats_safely=True,
    origin=Origin.COMPLETIONS,
)
REVOKE_BOARD_INVITATION: Final = Endpoint(
    name="revoke_board_invitation",
    host=Host.BOARDS,
    method="DELETE",
    path=_BOARD + "/invitations/{invitation_key}",
    summary="Revokes an invitation.",
    answers={204: EMPTY},
    required_headers=BOARDS_HEADERS,
    errors=(
        errors.BOARD_NOT_FOUND,
        errors.FORBIDDEN,
        errors.INVITATION_NOT_FOUND,
    ),
    origin=Origin.COMPLETIONS,
)
CREATE_BOARD_LINK: Final = Endpoint(
    name="create_board_link",
    needs_space=True,
    host=Host.BOARDS,
    method="POST",
    path=_BOARD + "/links",
    summary="Creates a link with which anyone can join a board.",
    body=LinkRequest,
    body_kind=BodyKind.JSON,
    answers={201: json_answer(BoardLink)},
    required_headers=BOARDS_HEADERS,
    errors=(
        errors.BOARD_NOT_FOUND,
        errors.FORBIDDEN,
    ),
    origin=Origin.COMPLETIONS,
)
REVOKE_BOARD_LINK: Final = Endpoint(
    name="revoke_board_link",
    host=Host.BOARDS,
    method="DELETE",
    path=_BOARD + "/links/{link_key}",
    summary="Revokes a join link; members who used it stay.",
    answers={204: EMPTY},
    required_headers=BOARDS_HEADERS,
    errors=(
        errors.BOARD_NOT_FOUND,
        errors.FORBIDDEN,
        errors.INVITATION_NOT_FOUND,
    ),
    origin=Origin.COMPLETIONS,
)
SET_BOARD_ROLE: Final = Endpoint(
    name="set_board_role",
    host=Host.BOARDS,
    method="PUT",
    path=_BOARD + "/members/{user_id}",
    summary="Changes a member's role to editor, viewer or owner.",
    body=MemberChange,
    body_kind=BodyKind.JSON,
    answers={200: json_answer(BoardMembers)},
    required_headers=BOARDS_HEADERS,
    errors=(
        errors.BOARD_NOT_FOUND,
        errors.FORBIDDEN,
        errors.MEMBER_NOT_FOUND,
    ),
    repeats_safely=True,
    origin=Origin.COMPLETIONS,
)
REMOVE_BOARD_MEMBER: Final = Endpoint(
    name="remove_board_member",
    host=Host.BOARDS,
    method="DELETE",
    path=_BOARD + "/members/{user_id}",
    summary="Removes a member and the member's files from the board.",
    answers={204: EMPTY},
    required_headers=BOARDS_HEADERS,
    errors=(
        errors.BOARD_NOT_FOUND,
        errors.FORBIDDEN,
        errors.MEMBER_NOT_FOUND,
    ),
    origin=Origin.COMPLETIONS,
)
BOARD_ACTIVITY: Final = Endpoint(
    name="board_activity",
    host=Host.BOARDS,
    method="GET",
    path=_BOARD + "/activity",
    summary="Who joined and left a board, and who added and removed files, newest first.",
    answers={200: json_answer(BoardActivity)},
    required_headers=BOARDS_HEADERS,
    errors=(errors.BOARD_NOT_FOUND,),
    origin=Origin.COMPLETIONS,
)
BOARD_CONTRIBUTORS: Final = Endpoint(
    name="board_contributors",
    host=Host.BOARDS,
    method="GET",
    path=_BOARD + "/contributors",
    summary="Who added files to a board, and when.",
    query=BoardContributorsQuery,
    answers={200: json_answer(BoardContributors)},
    required_headers=BOARDS_HEADERS,
    errors=(errors.BOARD_NOT_FOUND, errors.BAD_KEY),
    origin=Origin.COMPLETIONS,
)
BOARD_COMMENTS: Final = Endpoint(
    name="board_comments",
    host=Host.BOARDS,
    method="GET",
    path=_BOARD + "/comments",
    summary="The comments on a board, newest first.",
    query=CursorQuery,
    answers={200: json_answer(BoardComments)},
    required_headers=BOARDS_HEADERS,
    errors=(
        errors.BOARD_NOT_FOUND,
        errors.BAD_CURSOR,
    ),
    origin=Origin.COMPLETIONS,
)
ADD_BOARD_COMMENT: Final = Endpoint(
    name="add_board_comment",
    needs_space=True,
    host=Host.BOARDS,
    method="POST",
    path=_BOARD + "/comments",
    summary="Adds a comment to a board or to a file on it.",
    body=CommentCreation,
    body_kind=BodyKind.JSON,
    answers={201: json_answer(BoardComment)},
    required_headers=BOARDS_HEADERS,
    errors=(
        errors.BOARD_NOT_FOUND,
        errors.BAD_KEY,
        errors.OBJECT_NOT_FOUND,
    ),
    origin=Origin.COMPLETIONS,
)
EDIT_BOARD_COMMENT: Final = Endpoint(
    name="edit_board_comment",
    needs_space=True,
    host=Host.BOARDS,
    method="PUT",
    path=_BOARD + "/comments/{comment_key}",
    summary="Edits one of the user's comments.",
    body=CommentEditing,
    body_kind=BodyKind.JSON,
    answers={200: json_answer(BoardComment)},
    required_headers=BOARDS_HEADERS,
    errors=(
        errors.BOARD_NOT_FOUND,
        errors.FORBIDDEN,
        errors.COMMENT_NOT_FOUND,
    ),
    repeats_safely=True,
    origin=Origin.COMPLETIONS,
)
REMOVE_BOARD_COMMENT: Final = Endpoint(
    name="remove_board_comment",
    host=Host.BOARDS,
    method="DELETE",
    path=_BOARD + "/comments/{comment_key}",
    summary="Removes one of the user's comments; the board's owner can remove any.",
    answers={204: EMPTY},
    required_headers=BOARDS_HEADERS,
    errors=(
        errors.BOARD_NOT_FOUND,
        errors.FORBIDDEN,
        errors.COMMENT_NOT_FOUND,
    ),
    origin=Origin.COMPLETIONS,
)
RECEIVED_INVITATIONS: Final = Endpoint(
    name="received_invitations",
    host=Host.BOARDS,
    method="GET",
    path="/x/v1/invitations",
    summary="The user's pending invitations to boards.",
    query=CursorQuery,
    answers={200: json_answer(ReceivedInvitations)},
    required_headers=BOARDS_HEADERS,
    errors=(errors.BAD_CURSOR,),
    origin=Origin.COMPLETIONS,
)
ACCEPT_INVITATION: Final = Endpoint(
    name="accept_invitation",
    host=Host.BOARDS,
    method="POST",
    path="/x/v1/invitations/accept",
    summary="Joins a board by an invitation or a link.",
    body=Acceptance,
    body_kind=BodyKind.JSON,
    answers={200: json_answer(Board)},
    required_headers=BOARDS_HEADERS,
    errors=(
        errors.ACCOUNT_LIMIT,
        errors.BAD_KEY,
        errors.INVITATION_NOT_FOUND,
        errors.REMOVED_FROM_BOARD,
    ),
    repeats_safely=True,
    origin=Origin.COMPLETIONS,
)
DECLINE_INVITATION: Final = Endpoint(
    name="decline_invitation",
    host=Host.BOARDS,
    method="POST",
    path="/x/v1/invitations/decline",
    summary="Declines an invitation.",
    body=Declining,
    body_kind=BodyKind.JSON,
    answers={200: json_answer(Done)},
    required_headers=BOARDS_HEADERS,
    errors=(
        errors.BAD_KEY,
        errors.INVITATION_NOT_FOUND,
    ),
    origin=Origin.COMPLETIONS,
)

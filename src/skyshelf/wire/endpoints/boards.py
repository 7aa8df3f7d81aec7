"""Boards: their files, members, invitations, links and comments."""

from typing import Final

from msgspec.structs import replace

from skyshelf.wire import error_codes as errors
from skyshelf.wire.cursors import CursorQuery
from skyshelf.wire.endpoint import Group, Host, Origin
from skyshelf.wire.headers import BOARDS_HEADERS
from skyshelf.wire.resources import boards
from skyshelf.wire.resources.downloads import FileKeysQuery

_INTERFACE: Final = Group(host=Host.BOARDS, required_headers=BOARDS_HEADERS)
_BOARD: Final = Group(
    host=Host.BOARDS, path="/x/v1/boards/{board_key}", origin=Origin.COMPLETIONS, required_headers=BOARDS_HEADERS
)
_RESTRICTED: Final = replace(_BOARD, errors=(errors.BOARD_NOT_FOUND, errors.FORBIDDEN))
_INVITATIONS: Final = replace(_BOARD, path="/x/v1/invitations")

BOARD_LIST: Final = _INTERFACE.call(
    "GET /boards/sync/initial",
    "The user's boards.",
    query=boards.BoardListQuery,
    answer=boards.BoardList,
    must_have="boards",
)
CREATE_BOARD: Final = _INTERFACE.call(
    "POST /boards", "Creates a board.", body=boards.BoardCreation, created=boards.Board, must_have="boardKey"
)
BOARD_DETAILS: Final = _INTERFACE.call(
    "GET /boards/{board_key}",
    "A board and its files.",
    query=boards.BoardDetailsQuery,
    answer=boards.BoardDetails,
    must_have="board objects",
)
BOARD_MEMBERS: Final = _INTERFACE.call(
    "GET /invites/boards/{board_key}/members",
    "The members of a board.",
    answer=boards.BoardMembers,
    must_have="boardMembers",
)
LEAVE_BOARD: Final = _INTERFACE.call(
    "PUT /invites/boards/{board_key}/unjoin",
    "Leaves a board. If the owner leaves, the oldest member becomes the owner; an empty board is deleted.",
    body=boards.UnjoinRequest,
    answer=boards.UnjoinAnswer,
    repeats_safely=False,
    while_full=True,
)

ADD_TO_BOARD: Final = _RESTRICTED.call(
    "POST /objects",
    "Adds the user's files to a board; each is added or refused separately.",
    body=boards.BoardObjectsRequest,
    answer=boards.BoardAdditions,
    must_have="objects unprocessed",
    errors=(errors.OBJECT_NOT_FOUND, errors.FILE_EXPECTED),
    repeats_safely=True,
)
SET_BOARD_COVER: Final = _RESTRICTED.call(
    "PUT /cover",
    "Sets a board's cover.",
    body=boards.BoardCover,
    answer=boards.Board,
    must_have="boardKey",
    errors=(errors.OBJECT_NOT_FOUND,),
)
EDIT_BOARD: Final = _RESTRICTED.call(
    "PUT", "Changes a board's name or description.", body=boards.BoardEditing, answer=boards.Board, must_have="boardKey"
)
REMOVE_FROM_BOARD: Final = _BOARD.call(
    "POST /objects/remove",
    "Removes files from a board: the user's own, or any if the user owns the board.",
    body=boards.BoardObjectsRequest,
    answer=boards.BoardRemovals,
    must_have="objectKeys unprocessed",
    errors=(errors.OBJECT_NOT_FOUND,),
    repeats_safely=True,
    while_full=True,
)
DELETE_BOARD: Final = _RESTRICTED.call("DELETE", "Deletes a board; the files stay with their owners.")


# Extensions: members, invitations and comments.

BOARD_INVITATIONS: Final = _RESTRICTED.call(
    "GET /invitations",
    "A board's pending invitations and its join links.",
    answer=boards.BoardInvitations,
    must_have="invitations links",
)
INVITE_TO_BOARD: Final = _RESTRICTED.call(
    "POST /invitations",
    "Invites an email address; the response does not reveal whether it has an account.",
    body=boards.InvitationRequest,
    created=boards.BoardInvitation,
    must_have="invitationKey",
    repeats_safely=True,
)
REVOKE_BOARD_INVITATION: Final = _RESTRICTED.call("DELETE /invitations/{invitation_key}", "Revokes an invitation.")
CREATE_BOARD_LINK: Final = _RESTRICTED.call(
    "POST /links",
    "Creates a link with which anyone can join a board.",
    body=boards.LinkRequest,
    created=boards.BoardLink,
    must_have="linkKey",
)
REVOKE_BOARD_LINK: Final = _RESTRICTED.call(
    "DELETE /links/{link_key}", "Revokes a join link; members who used it stay."
)
SET_BOARD_ROLE: Final = _RESTRICTED.call(
    "PUT /members/{user_id}",
    "Changes a member's role to editor, viewer or owner.",
    body=boards.MemberChange,
    answer=boards.BoardMembers,
    must_have="boardMembers",
    lowering_while_full=True,
)
REMOVE_BOARD_MEMBER: Final = _RESTRICTED.call(
    "DELETE /members/{user_id}", "Removes a member and the member's files from the board."
)
BOARD_ACTIVITY: Final = _BOARD.call(
    "GET /activity",
    "Who joined and left a board, and who added and removed files, newest first.",
    answer=boards.BoardActivity,
    must_have="events",
)
BOARD_CONTRIBUTORS: Final = _BOARD.call(
    "GET /contributors",
    "Who added files to a board, and when.",
    query=FileKeysQuery,
    answer=boards.BoardContributors,
    must_have="contributors",
)
BOARD_COMMENTS: Final = _BOARD.call(
    "GET /comments",
    "The comments on a board, newest first.",
    query=CursorQuery,
    answer=boards.BoardComments,
    must_have="comments",
)
ADD_BOARD_COMMENT: Final = _BOARD.call(
    "POST /comments",
    "Adds a comment to a board or to a file on it.",
    body=boards.CommentCreation,
    created=boards.BoardComment,
    must_have="commentKey",
    errors=(errors.OBJECT_NOT_FOUND,),
)
EDIT_BOARD_COMMENT: Final = _RESTRICTED.call(
    "PUT /comments/{comment_key}",
    "Edits one of the user's comments.",
    body=boards.CommentEditing,
    answer=boards.BoardComment,
    must_have="commentKey",
)
REMOVE_BOARD_COMMENT: Final = _RESTRICTED.call(
    "DELETE /comments/{comment_key}", "Removes one of the user's comments; the board's owner can remove any."
)
RECEIVED_INVITATIONS: Final = _INVITATIONS.call(
    "GET",
    "The user's pending invitations to boards.",
    query=CursorQuery,
    answer=boards.ReceivedInvitations,
    must_have="invitations",
)
ACCEPT_INVITATION: Final = _INVITATIONS.call(
    "POST /accept",
    "Joins a board by an invitation or a link.",
    body=boards.Acceptance,
    answer=boards.Board,
    must_have="boardKey",
    errors=(errors.ACCOUNT_LIMIT, errors.INVITATION_NOT_FOUND, errors.REMOVED_FROM_BOARD),
    repeats_safely=True,
)
DECLINE_INVITATION: Final = _INVITATIONS.call(
    "POST /decline",
    "Declines an invitation.",
    body=boards.Declining,
    answer=boards.DeclineAnswer,
    errors=(errors.INVITATION_NOT_FOUND,),
    while_full=True,
)

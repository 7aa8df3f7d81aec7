"""Boards and their members."""

from typing import Final

from skyshelf.wire import error_codes as errors
from skyshelf.wire.endpoint import EMPTY, BodyKind, Endpoint, Host, Origin, json_answer
from skyshelf.wire.headers import BOARDS_HEADERS
from skyshelf.wire.resources.boards import (
    Board,
    BoardAdditions,
    BoardCover,
    BoardCreation,
    BoardDetails,
    BoardDetailsQuery,
    BoardEditing,
    BoardList,
    BoardListQuery,
    BoardMembers,
    BoardObjectsRequest,
    BoardRemovals,
    UnjoinAnswer,
    UnjoinRequest,
)

BOARD_LIST: Final = Endpoint(
    name="board_list",
    host=Host.BOARDS,
    method="GET",
    path="/boards/sync/initial",
    summary="The boards that the user is a member of.",
    query=BoardListQuery,
    answers={200: json_answer(BoardList)},
    required_headers=BOARDS_HEADERS,
)
CREATE_BOARD: Final = Endpoint(
    name="create_board",
    host=Host.BOARDS,
    method="POST",
    path="/boards",
    summary="Creates a board.",
    body=BoardCreation,
    body_kind=BodyKind.JSON,
    answers={201: json_answer(Board)},
    required_headers=BOARDS_HEADERS,
    errors=(errors.BAD_KEY,),
)
BOARD_DETAILS: Final = Endpoint(
    name="board_details",
    host=Host.BOARDS,
    method="GET",
    path="/boards/{board_key}",
    summary="A board and what is on it.",
    query=BoardDetailsQuery,
    answers={200: json_answer(BoardDetails)},
    required_headers=BOARDS_HEADERS,
    errors=(errors.BOARD_NOT_FOUND,),
)
BOARD_MEMBERS: Final = Endpoint(
    name="board_members",
    host=Host.BOARDS,
    method="GET",
    path="/invites/boards/{board_key}/members",
    summary="The roster of a board.",
    answers={200: json_answer(BoardMembers)},
    required_headers=BOARDS_HEADERS,
    errors=(errors.BOARD_NOT_FOUND,),
)
LEAVE_BOARD: Final = Endpoint(
    name="leave_board",
    host=Host.BOARDS,
    method="PUT",
    path="/invites/boards/{board_key}/unjoin",
    summary="Leaves a board; it passes to the oldest member, or is gone with the last one.",
    body=UnjoinRequest,
    body_kind=BodyKind.JSON,
    answers={200: json_answer(UnjoinAnswer)},
    required_headers=BOARDS_HEADERS,
    errors=(errors.BOARD_NOT_FOUND,),
)

_BOARD: Final = "/x/v1/boards/{board_key}"

ADD_TO_BOARD: Final = Endpoint(
    name="add_to_board",
    host=Host.BOARDS,
    method="POST",
    path=_BOARD + "/objects",
    summary="Puts files of the user on a board; each is shown or refused on its own.",
    body=BoardObjectsRequest,
    body_kind=BodyKind.JSON,
    answers={200: json_answer(BoardAdditions)},
    required_headers=BOARDS_HEADERS,
    errors=(
        errors.BOARD_NOT_FOUND,
        errors.FORBIDDEN,
        errors.OBJECT_NOT_FOUND,
        errors.FILE_EXPECTED,
    ),
    repeats_safely=True,
    origin=Origin.COMPLETIONS,
)
REMOVE_FROM_BOARD: Final = Endpoint(
    name="remove_from_board",
    host=Host.BOARDS,
    method="POST",
    path=_BOARD + "/objects/remove",
    summary="Takes files off a board: the user's own, or, for the owner, anybody's.",
    body=BoardObjectsRequest,
    body_kind=BodyKind.JSON,
    answers={200: json_answer(BoardRemovals)},
    required_headers=BOARDS_HEADERS,
    errors=(
        errors.BOARD_NOT_FOUND,
        errors.OBJECT_NOT_FOUND,
    ),
    repeats_safely=True,
    origin=Origin.COMPLETIONS,
)
SET_BOARD_COVER: Final = Endpoint(
    name="set_board_cover",
    host=Host.BOARDS,
    method="PUT",
    path=_BOARD + "/cover",
    summary="Chooses the file that stands for a board.",
    body=BoardCover,
    body_kind=BodyKind.JSON,
    answers={200: json_answer(Board)},
    required_headers=BOARDS_HEADERS,
    errors=(
        errors.BOARD_NOT_FOUND,
        errors.FORBIDDEN,
        errors.BAD_KEY,
        errors.OBJECT_NOT_FOUND,
    ),
    repeats_safely=True,
    origin=Origin.COMPLETIONS,
)
EDIT_BOARD: Final = Endpoint(
    name="edit_board",
    host=Host.BOARDS,
    method="PUT",
    path=_BOARD,
    summary="Changes the name or the description of a board.",
    body=BoardEditing,
    body_kind=BodyKind.JSON,
    answers={200: json_answer(Board)},
    required_headers=BOARDS_HEADERS,
    errors=(
        errors.BOARD_NOT_FOUND,
        errors.FORBIDDEN,
    ),
    repeats_safely=True,
    origin=Origin.COMPLETIONS,
)
DELETE_BOARD: Final = Endpoint(
    name="delete_board",
    host=Host.BOARDS,
    method="DELETE",
    path=_BOARD,
    summary="Deletes a board; the files stay with their owners.",
    answers={204: EMPTY},
    required_headers=BOARDS_HEADERS,
    errors=(
        errors.BOARD_NOT_FOUND,
        errors.FORBIDDEN,
    ),
    origin=Origin.COMPLETIONS,
)

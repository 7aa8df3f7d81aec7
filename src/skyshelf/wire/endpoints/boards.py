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
    summary="The user's boards.",
    query=BoardListQuery,
    answers={200: json_answer(BoardList)},
    required_headers=BOARDS_HEADERS,
)
CREATE_BOARD: Final = Endpoint(
    name="create_board",
    needs_space=True,
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
    summary="A board and its files.",
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
    summary="The members of a board.",
    answers={200: json_answer(BoardMembers)},
    required_headers=BOARDS_HEADERS,
    errors=(errors.BOARD_NOT_FOUND,),
)
LEAVE_BOARD: Final = Endpoint(
    name="leave_board",
    host=Host.BOARDS,
    method="PUT",
    path="/invites/boards/{board_key}/unjoin",
    summary="Leaves a board. If the owner leaves, the oldest member becomes the owner; an empty board is deleted.",
    body=UnjoinRequest,
    body_kind=BodyKind.JSON,
    answers={200: json_answer(UnjoinAnswer)},
    required_headers=BOARDS_HEADERS,
    errors=(errors.BOARD_NOT_FOUND,),
)

_BOARD: Final = "/x/v1/boards/{board_key}"

ADD_TO_BOARD: Final = Endpoint(
    name="add_to_board",
    needs_space=True,
    host=Host.BOARDS,
    method="POST",
    path=_BOARD + "/objects",
    summary="Adds the user's files to a board; each is added or refused separately.",
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
SET_BOARD_COVER: Final = Endpoint(
    name="set_board_cover",
    host=Host.BOARDS,
    method="PUT",
    path=_BOARD + "/cover",
    summary="Sets a board's cover.",
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
    needs_space=True,
    host=Host.BOARDS,
    method="PUT",
    path=_BOARD,
    summary="Changes a board's name or description.",
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
REMOVE_FROM_BOARD: Final = Endpoint(
    name="remove_from_board",
    host=Host.BOARDS,
    method="POST",
    path=_BOARD + "/objects/remove",
    summary="Removes files from a board: the user's own, or any if the user owns the board.",
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

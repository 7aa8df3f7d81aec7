"""Boards and their members."""

from typing import Final

from skyshelf.wire import error_codes as errors
from skyshelf.wire.boards import (
    Board,
    BoardCreation,
    BoardDetails,
    BoardDetailsQuery,
    BoardList,
    BoardListQuery,
    BoardMembers,
    UnjoinAnswer,
    UnjoinRequest,
)
from skyshelf.wire.endpoint import BodyKind, Endpoint, Host, json_answer
from skyshelf.wire.headers import BOARDS_HEADERS

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

ENDPOINTS: Final = (
    BOARD_LIST,
    CREATE_BOARD,
    BOARD_DETAILS,
    BOARD_MEMBERS,
    LEAVE_BOARD,
)

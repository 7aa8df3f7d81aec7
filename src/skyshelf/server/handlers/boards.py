"""Boards and their members."""

from skyshelf.server.call import Call, Encoded, Handler
from skyshelf.service.boards import boards
from skyshelf.wire.resources.boards import UnjoinAnswer


def board_list(call: Call) -> object:
    return boards.list_boards(call.house, call.caller, call.query)


def create_board(call: Call) -> object:
    return boards.create_board(call.house, call.caller, call.body)


def board_details(call: Call) -> object:
    return Encoded(boards.board_details(call.house, call.caller, call.keys["board_key"], call.query, call.origin))


def board_members(call: Call) -> object:
    return boards.board_members(call.house, call.caller, call.keys["board_key"])


def leave_board(call: Call) -> object:
    boards.leave_board(call.house, call.caller, call.keys["board_key"])
    return UnjoinAnswer()


HANDLERS: dict[str, Handler] = {
    "board_list": board_list,
    "create_board": create_board,
    "board_details": board_details,
    "board_members": board_members,
    "leave_board": leave_board,
}

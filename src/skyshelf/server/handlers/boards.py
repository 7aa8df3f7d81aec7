"""Boards and their members."""

from skyshelf.server.http.call import Call, Encoded, Handler, Reply
from skyshelf.service.boards import boards, comments, invitations, items, members
from skyshelf.wire.resources.boards import Done, UnjoinAnswer


def board_list(call: Call) -> object:
    return boards.list_boards(call.ctx, call.caller, call.query)


def create_board(call: Call) -> object:
    return boards.create_board(call.ctx, call.caller, call.body)


def board_details(call: Call) -> object:
    return Encoded(boards.board_details(call.ctx, call.caller, call.keys["board_key"], call.query, call.origin))


def board_members(call: Call) -> object:
    return boards.board_members(call.ctx, call.caller, call.keys["board_key"])


def leave_board(call: Call) -> object:
    boards.leave_board(call.ctx, call.caller, call.keys["board_key"])
    return UnjoinAnswer()


HANDLERS: dict[str, Handler] = {
    "board_list": board_list,
    "create_board": create_board,
    "board_details": board_details,
    "board_members": board_members,
    "leave_board": leave_board,
}


# What people do to boards.


def _board(call: Call) -> str:
    return call.keys["board_key"]


def add_to_board(call: Call) -> object:
    return Encoded(items.add_to_board(call.ctx, call.caller, _board(call), call.body, call.origin))


def remove_from_board(call: Call) -> object:
    return items.remove_from_board(call.ctx, call.caller, _board(call), call.body)


def edit_board(call: Call) -> object:
    return boards.edit_board(call.ctx, call.caller, _board(call), call.body)


def set_board_cover(call: Call) -> object:
    return boards.set_cover(call.ctx, call.caller, _board(call), call.body)


def delete_board(call: Call) -> object:
    boards.delete_board(call.ctx, call.caller, _board(call))
    return Reply()


def list_invitations(call: Call) -> object:
    return invitations.board_invitations(call.ctx, call.caller, _board(call), call.origin)


def invite_to_board(call: Call) -> object:
    return invitations.invite_to_board(call.ctx, call.caller, _board(call), call.body)


def revoke_board_invitation(call: Call) -> object:
    invitations.revoke_invitation(call.ctx, call.caller, _board(call), call.keys["invitation_key"])
    return Reply()


def create_board_link(call: Call) -> object:
    return invitations.create_link(call.ctx, call.caller, _board(call), call.body, call.origin)


def revoke_board_link(call: Call) -> object:
    invitations.revoke_link(call.ctx, call.caller, _board(call), call.keys["link_key"])
    return Reply()


def received_invitations(call: Call) -> object:
    return invitations.received_invitations(call.ctx, call.caller, call.query)


def accept_invitation(call: Call) -> object:
    return invitations.accept_invitation(call.ctx, call.caller, call.body)


def decline_invitation(call: Call) -> object:
    invitations.decline_invitation(call.ctx, call.caller, call.body)
    return Done()


def set_board_role(call: Call) -> object:
    return members.set_board_role(call.ctx, call.caller, _board(call), call.keys["user_id"], call.body)


def remove_board_member(call: Call) -> object:
    members.remove_board_member(call.ctx, call.caller, _board(call), call.keys["user_id"])
    return Reply()


def list_comments(call: Call) -> object:
    return comments.board_comments(call.ctx, call.caller, _board(call), call.query)


def add_board_comment(call: Call) -> object:
    return comments.add_comment(call.ctx, call.caller, _board(call), call.body)


def edit_board_comment(call: Call) -> object:
    return comments.edit_comment(call.ctx, call.caller, _board(call), call.keys["comment_key"], call.body)


def remove_board_comment(call: Call) -> object:
    comments.remove_comment(call.ctx, call.caller, _board(call), call.keys["comment_key"])
    return Reply()


HANDLERS |= {
    "add_to_board": add_to_board,
    "remove_from_board": remove_from_board,
    "edit_board": edit_board,
    "set_board_cover": set_board_cover,
    "delete_board": delete_board,
    "board_invitations": list_invitations,
    "invite_to_board": invite_to_board,
    "revoke_board_invitation": revoke_board_invitation,
    "create_board_link": create_board_link,
    "revoke_board_link": revoke_board_link,
    "received_invitations": received_invitations,
    "accept_invitation": accept_invitation,
    "decline_invitation": decline_invitation,
    "set_board_role": set_board_role,
    "remove_board_member": remove_board_member,
    "board_comments": list_comments,
    "add_board_comment": add_board_comment,
    "edit_board_comment": edit_board_comment,
    "remove_board_comment": remove_board_comment,
}

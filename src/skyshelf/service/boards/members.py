"""Members of boards: changing their roles and removing them. Leaving a board is in boards.py."""

from skyshelf.service.audit import kinds
from skyshelf.service.audit.events import new_event, recorded
from skyshelf.service.boards.boards import wire_member
from skyshelf.service.boards.permissions import OWNERS, lock_board
from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.errors import ServiceError
from skyshelf.storage.errors import Missing
from skyshelf.storage.metadata.contracts.boards import BoardMember
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire import error_codes as codes
from skyshelf.wire.resources.boards import BoardMembers, MemberChange


def set_board_role(
    ctx: ServiceContext, caller: Caller, board_key: str, user_id: str, request: MemberChange
) -> BoardMembers:
    """Make a member an editor, a viewer or the owner; returns the members afterwards."""

    def work(unit: Unit) -> list[BoardMember]:
        lock_board(unit, caller, board_key, OWNERS)
        member_id = _member(unit, caller, board_key, user_id)
        if request.member_type == "O":
            unit.board_members.pass_on(caller.account_id, board_key, member_id)
        elif member_id == caller.account_id:
            raise ServiceError(codes.FORBIDDEN, "A board needs an owner: make another member the owner instead")
        else:
            unit.board_members.set_role(caller.account_id, board_key, member_id, request.member_type)
        return unit.board_members.of_board(caller.account_id, board_key)

    event = new_event(ctx, kinds.BOARD_ROLE, caller, album=board_key, member=user_id, role=request.member_type)
    members = recorded(ctx, work, event)
    return BoardMembers(board_members=[wire_member(member) for member in members])


def remove_board_member(ctx: ServiceContext, caller: Caller, board_key: str, user_id: str) -> None:
    """Remove a member and their files from a board. Owners cannot remove themselves."""
    now = ctx.clock.now()

    def work(unit: Unit) -> None:
        lock_board(unit, caller, board_key, OWNERS)
        member_id = _member(unit, caller, board_key, user_id)
        if member_id == caller.account_id:
            raise ServiceError(codes.FORBIDDEN, "You cannot remove yourself: leave the board instead")
        unit.board_members.remove(caller.account_id, board_key, member_id, now)

    recorded(ctx, work, new_event(ctx, kinds.BOARD_REMOVED, caller, album=board_key, member=user_id))


def _member(unit: Unit, caller: Caller, board_key: str, user_id: str) -> int:
    try:
        return unit.board_members.find(caller.account_id, board_key, user_id)
    except Missing as missing:
        raise ServiceError(codes.MEMBER_NOT_FOUND) from missing

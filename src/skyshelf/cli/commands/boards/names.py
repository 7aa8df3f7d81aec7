"""Boards and members: finding them by name or key, and their records."""

from typing import Final, Literal

from skyshelf.cli.base.errors import CommandFailed
from skyshelf.cli.base.session import CommandSession
from skyshelf.cli.base.sharing_records import BoardRecord, MemberRecord
from skyshelf.cli.base.targets import KEY, target
from skyshelf.cli.base.text import utc_time
from skyshelf.wire.client_errors import CONFLICT_ERROR, OBJECT_NOT_FOUND_ERROR
from skyshelf.wire.resources.boards import MEMBER_OWNER, Board, BoardMember

ROLES: Final[dict[str, Literal["O", "M", "V"]]] = {"owner": "O", "editor": "M", "viewer": "V"}
"""Roles as users type them, and the interface's letters."""


def role_name(member_type: str | None) -> str:
    """The name of a role."""
    return next((name for name, letter in ROLES.items() if letter == member_type), member_type or "member")


def board_record(board: Board) -> BoardRecord:
    """The record of a board."""
    return BoardRecord(
        board_key=board.board_key,
        name=board.board_name or "",
        description=board.board_description,
        files=board.files_count,
        members=board.users_count,
        size_bytes=board.size_in_bytes,
        created=utc_time(board.created_date),
        modified=utc_time(board.last_modified_date),
        cover_object_key=board.cover_object_key,
        role=role_name(board.member_type) if board.member_type else None,
    )


def member_record(member: BoardMember) -> MemberRecord:
    """The record of a member."""
    return MemberRecord(
        user_id=member.user_id,
        first_name=member.first_name,
        is_owner=member.member_type == MEMBER_OWNER,
        role=role_name(member.member_type),
        joined=utc_time(member.mem_created_date),
    )


def board_key(session: CommandSession, text: str) -> str:
    """The key of the board with that name or key."""
    if text.startswith(KEY):
        return target(text)
    found = [board for board in session.client.boards.list() if board.board_name == text]
    if not found:
        raise CommandFailed(
            f"no board named {text!r}: `skyshelf boards ls` lists them", OBJECT_NOT_FOUND_ERROR.exit_code
        )
    if len(found) > 1:
        keys = ", ".join(KEY + board.board_key for board in found)
        raise CommandFailed(f"{len(found)} boards are named {text!r}; use a key: {keys}", CONFLICT_ERROR.exit_code)
    return found[0].board_key


def member_id(session: CommandSession, board: str, text: str) -> str:
    """The user id of the member with that first name or key."""
    if text.startswith(KEY):
        return target(text)
    found = [one for one in session.client.boards.members(board) if one.first_name == text]
    if not found:
        raise CommandFailed(
            f"no member named {text!r}: `skyshelf boards members` lists them",
            OBJECT_NOT_FOUND_ERROR.exit_code,
        )
    if len(found) > 1:
        keys = ", ".join(KEY + one.user_id for one in found)
        raise CommandFailed(f"{len(found)} members are named {text!r}; use a key: {keys}", CONFLICT_ERROR.exit_code)
    return found[0].user_id

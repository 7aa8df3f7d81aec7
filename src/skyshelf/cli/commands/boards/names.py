"""The group of commands for boards; boards and their members: finding them by name or key, and their records."""

from collections.abc import Sequence
from typing import Annotated, Final, Literal

import click

from skyshelf.cli.base.session import ClientListing, CommandSession
from skyshelf.cli.base.targets import KEY, by_name, target
from skyshelf.wire.projection import From, Projection, Time
from skyshelf.wire.resources.boards import MEMBER_OWNER


@click.group("albums", cls=ClientListing)
def boards() -> None:
    """Manage shared albums and their members."""


ROLES: Final[dict[str, Literal["O", "M", "V"]]] = {"owner": "O", "editor": "M", "viewer": "V"}
"""Roles as users type them, and the interface's letters."""


def role_name(member_type: str | None) -> str:
    return next((name for name, letter in ROLES.items() if letter == member_type), member_type or "member")


class BoardRecord(Projection, frozen=True, kw_only=True):
    """An album and its counters."""

    board_key: str
    name: Annotated[str, From("board_name")]
    description: Annotated[str | None, From("board_description")]
    files: Annotated[int | None, From("files_count")]
    members: Annotated[int | None, From("users_count")]
    size_bytes: Annotated[int | None, From("size_in_bytes")]
    created: Time
    modified: Annotated[Time, From("last_modified_date")]
    cover_object_key: str | None
    role: Annotated[str | None, From(lambda board: role_name(board.member_type) if board.member_type else None)]


class MemberRecord(Projection, frozen=True, kw_only=True):
    """A member of an album."""

    user_id: str
    first_name: str | None
    is_owner: Annotated[bool, From(lambda member: member.member_type == MEMBER_OWNER)]
    role: Annotated[str, From(lambda member: role_name(member.member_type))]
    joined: Annotated[Time, From("mem_created_date")]


def board_key(session: CommandSession, text: str) -> str:
    """The key of the album with that name or key."""
    if text.startswith(KEY):
        return target(text)
    found = [board.board_key for board in session.client.boards.list() if board.board_name == text]
    return by_name(found, text, "album", listing="albums ls", key=str)


def member_id(session: CommandSession, board: str, text: str) -> str:
    """The user id of the member with that first name or key."""
    if text.startswith(KEY):
        return target(text)
    found = [one.user_id for one in session.client.boards.members(board) if one.first_name == text]
    return by_name(found, text, "member", listing="albums members", key=str)


def find_files(session: CommandSession, board: str, key: str, names: Sequence[str]) -> dict[str, str]:
    """The keys of an album's files, by name or key, each with the argument that named it."""
    by_key = all(name.startswith(KEY) for name in names)
    on_board = [] if by_key else session.client.boards.get(key).objects or []
    found: dict[str, str] = {}
    for name in names:
        matches = [one.object_key for one in on_board if one.object_name == name]
        if name.startswith(KEY):
            matches = [target(name)]
        if not matches:
            raise click.UsageError(f"{board} has no file {name!r}: `skyshelf albums show` lists its files")
        found |= dict.fromkeys(matches, name)
    return found


def find_file(session: CommandSession, board: str, key: str, name: str) -> str:
    """The key of the first of an album's files with that name, or of the one with that key."""
    return next(iter(find_files(session, board, key, [name])))

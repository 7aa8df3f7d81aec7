"""`skyshelf boards`: shared albums, their files and comments, what happens on them, and public links to them."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated, Any, Final

import click

from skyshelf.cli.base.output import Row
from skyshelf.cli.base.params import EXISTING_FILE
from skyshelf.cli.base.prompts import confirm, yes_option
from skyshelf.cli.base.records import ObjectRecord, OutcomeRecord, object_record
from skyshelf.cli.base.session import CommandSession
from skyshelf.cli.base.targets import KEY, locate_all, target
from skyshelf.cli.base.text import format_count, local_time, visible
from skyshelf.cli.commands.boards import members  # noqa: F401 - it adds its commands to the group
from skyshelf.cli.commands.boards.names import (
    BoardRecord,
    MemberRecord,
    board_key,
    boards,
    find_file,
    find_files,
    role_name,
)
from skyshelf.cli.commands.browse import file_row
from skyshelf.cli.commands.edit import names_of, paths_argument, report_outcomes
from skyshelf.cli.commands.shares import LinkRecord, limits, max_uploads_option, pop_password
from skyshelf.wire.projection import From, Projection, Time
from skyshelf.wire.resources.boards import Board, BoardComment, BoardEvent, BoardMember

_EVENTS: Final = {
    "created": "created the album",
    "joined": "joined",
    "left": "left",
    "removed": "was removed",
    "added": "added",
    "withdrew": "removed",
    "renamed": "renamed the album",
}


def _row(board: Board) -> Row:
    return (
        f"{KEY}{board.board_key}",
        format_count(board.files_count or 0, "file"),
        format_count(board.users_count or 0, "member"),
        role_name(board.member_type) if board.member_type else "",
        visible(board.board_name or ""),
    )


@boards.command("ls", "skyshelf albums ls", records=BoardRecord)
def boards_ls(*, session: CommandSession) -> None:
    """List the albums that you are a member of."""
    empty = "No albums: `skyshelf albums create NAME` creates one."
    session.out.rows(session.client.boards.list(), BoardRecord.of, _row, right={1, 2}, empty=empty)


@boards.command("create", "skyshelf albums create 'Summer 2024'", record=BoardRecord)
@click.argument("name")
@click.option("--description", help="Description of the board.")
def boards_create(*, session: CommandSession, name: str, description: str | None) -> None:
    """Create an album, and print its key."""
    board = session.client.boards.create(name, description)
    session.out.record(BoardRecord.of(board), [f"{KEY}{board.board_key}"])


@boards.command("show", "skyshelf albums show 'Summer 2024'", records=ObjectRecord)
@click.argument("board", metavar="ALBUM")
def boards_show(*, session: CommandSession, board: str) -> None:
    """List an album's files."""
    details = session.client.boards.get(board_key(session, board))
    session.out.rows(details.objects or [], object_record, file_row, right={0}, empty="The album is empty.")


@boards.command("members", "skyshelf albums members 'Summer 2024'", records=MemberRecord)
@click.argument("board", metavar="ALBUM")
def boards_members(*, session: CommandSession, board: str) -> None:
    """List an album's members."""

    def row(member: BoardMember) -> Row:
        name = visible(member.first_name or member.user_id)
        return name, role_name(member.member_type), local_time(member.mem_created_date)

    session.out.rows(session.client.boards.members(board_key(session, board)), MemberRecord.of, row)


@boards.command("leave", "skyshelf albums leave 'Summer 2024'")
@click.argument("board", metavar="ALBUM")
@yes_option
def boards_leave(*, session: CommandSession, board: str, yes: bool) -> None:
    """Leave an album. It is deleted when the last member leaves."""
    key = board_key(session, board)
    confirm(f"Leave the album {visible(board)}? Only another member can invite you again.", yes=yes)
    session.client.boards.leave(key)
    session.out.note(f"Left {board}.")


@boards.command(
    "publish",
    "skyshelf albums publish Summer --expires 30d",
    "skyshelf albums publish Wedding --guests-add --password --max-files 500",
    record=LinkRecord,
)
@click.argument("board", metavar="ALBUM")
@click.option("--name", help="Name of the link in your list; by default the album's.")
@click.option("--guests-add", is_flag=True, help="Let visitors add photos and videos too.")
@max_uploads_option("Number of files that visitors can add in all.")
@limits
def boards_publish(
    *, session: CommandSession, board: str, name: str | None, guests_add: bool, max_files: int | None, **given: Any
) -> None:
    """Create a public link to your board.

    Anyone who has the link sees the album as a gallery, without an account. Prints only the link, ready for a script;
    `skyshelf shares ls` lists it, and `skyshelf shares revoke` ends it.
    """
    password = pop_password(given)
    link = session.client.shares.publish_board(
        board_key(session, board),
        name=name or _name_of(session, board),
        rights="add" if guests_add else "view",
        password=password,
        max_uploads=max_files,
        **given,
    )
    session.out.record(LinkRecord.of(link), [link.share_url or ""])


def _name_of(session: CommandSession, board: str) -> str:
    if not board.startswith(KEY):
        return board
    found = session.client.boards.get(board_key(session, board)).board
    return (found and found.board_name) or board


class BoardEventRecord(Projection, frozen=True, kw_only=True):
    """Something that a member, or a guest through a member's link, did in an album."""

    kind: str
    user_id: str | None
    first_name: str | None
    guest_name: str | None
    files: Annotated[int | None, From("files_count")]
    date: Annotated[Time, From("date")]


def _event_row(event: BoardEvent) -> Row:
    who = visible(event.first_name or "")
    if event.guest_name is not None:
        who = f"{visible(event.guest_name) or 'A guest'} (guest)"
    files = f" {format_count(event.files_count, 'file')}" if event.files_count else ""
    return local_time(event.date), f"{who} {_EVENTS.get(event.kind, event.kind)}{files}"


@boards.command("activity", "skyshelf albums activity Summer", records=BoardEventRecord)
@click.argument("board", metavar="ALBUM")
def boards_activity(*, session: CommandSession, board: str) -> None:
    """Show what members did in an album, newest first."""
    found = session.client.boards.activity(board_key(session, board))
    session.out.rows(found, BoardEventRecord.of, _event_row, empty="Nothing has happened yet.")


@boards.command("add", "skyshelf albums add Summer '/Photos/*.jpg'", records=OutcomeRecord)
@click.argument("board", metavar="ALBUM")
@paths_argument
def boards_add(*, session: CommandSession, board: str, paths: tuple[str, ...]) -> None:
    """Add your files to an album. They stay in their folders."""
    key, found = board_key(session, board), locate_all(session.client, paths)
    result = session.client.boards.add_files(key, [item.object for item in found], on_error="return")
    report_outcomes(session, names_of(found), result, f"added to {board}")


@boards.command("remove", "skyshelf albums remove Summer beach.jpg", records=OutcomeRecord)
@click.argument("board", metavar="ALBUM")
@click.argument("names", nargs=-1, required=True, metavar="NAME...")
def boards_remove(*, session: CommandSession, board: str, names: tuple[str, ...]) -> None:
    """Remove files from an album, by name or key. Their owners keep them."""
    key = board_key(session, board)
    wanted = {one.upper(): name for one, name in find_files(session, board, key, names).items()}
    result = session.client.boards.remove_files(key, list(wanted), on_error="return")
    report_outcomes(session, wanted, result, f"removed from {board}")


@boards.command("put", "skyshelf albums put Summer beach.jpg", records=ObjectRecord)
@click.argument("board", metavar="ALBUM")
@click.argument("files", nargs=-1, required=True, type=EXISTING_FILE)
@click.option("--into", metavar="FOLDER", help="Your folder to upload to.  [default: /Boards/NAME]")
def boards_put(*, session: CommandSession, board: str, files: tuple[Path, ...], into: str | None) -> None:
    """Upload files to an album."""
    key = board_key(session, board)
    folder = None if into is None else target(into)
    done = []
    for file in files:
        uploaded = session.client.boards.upload(key, file, folder)
        # The server chose the board's folder; naming it from now on saves a lookup.
        folder = folder or uploaded.wire.parent_object_key
        done.append(uploaded)
        session.out.note(f"Uploaded {file} to {board}.")
    session.out.records(done, object_record, lambda _: ())


@boards.command("edit", "skyshelf albums edit Summer --name 'Summer 2026'", record=BoardRecord)
@click.argument("board", metavar="ALBUM")
@click.option("--name", help="New name.")
@click.option("--description", help="New description.")
def boards_edit(*, session: CommandSession, board: str, name: str | None, description: str | None) -> None:
    """Change the name or description of your board."""
    if name is None and description is None:
        raise click.UsageError("nothing to change: use --name or --description")
    edited = session.client.boards.edit(board_key(session, board), name=name, description=description)
    session.out.record(BoardRecord.of(edited), [visible(edited.board_name or "")])


@boards.command("cover", "skyshelf albums cover Summer beach.jpg", record=BoardRecord)
@click.argument("board", metavar="ALBUM")
@click.argument("name", required=False)
def boards_cover(*, session: CommandSession, board: str, name: str | None) -> None:
    """Set or remove your album's cover.

    NAME is one of the album's files, by name or key; without it, the cover is removed.
    """
    key = board_key(session, board)
    cover = None if name is None else find_file(session, board, key, name)
    session.out.record(BoardRecord.of(session.client.boards.set_cover(key, cover)))


@boards.command("delete", "skyshelf albums delete Summer")
@click.argument("board", metavar="ALBUM")
@yes_option
def boards_delete(*, session: CommandSession, board: str, yes: bool) -> None:
    """Delete your album for all members. The files stay with their owners."""
    key = board_key(session, board)
    confirm(f"Delete the album {visible(board)} and its comments for all members?", yes=yes)
    session.client.boards.delete(key)
    session.out.note(f"Deleted {board}.")


class CommentRecord(Projection, frozen=True, kw_only=True):
    """A comment on an album, or on one of its files."""

    comment_key: str
    user_id: str | None
    first_name: str | None
    object_key: str | None
    text: str
    created: Time
    edited: Time


def _lines(found: Iterable[BoardComment]) -> Iterator[str]:
    for one in found:
        who = visible(one.first_name or one.user_id or "")
        yield f"{local_time(one.created_date)}  {who}: {visible(one.text or '')}  ({KEY}{one.comment_key})"


@boards.command(
    "comment",
    "skyshelf albums comment Summer 'What a day!'",
    "skyshelf albums comment Summer 'Better' --edit key:COMMENT",
    record=CommentRecord,
)
@click.argument("board", metavar="ALBUM")
@click.argument("text")
@click.option("--about", metavar="NAME", help="Comment on this file of the board.")
@click.option("--edit", metavar="COMMENT", help="Replace the text of this comment of yours.")
def boards_comment(*, session: CommandSession, board: str, text: str, about: str | None, edit: str | None) -> None:
    """Comment on an album or one of its files, or edit a comment."""
    key = board_key(session, board)
    if edit is not None:
        comment = session.client.boards.edit_comment(key, target(edit), text)
    else:
        found = None if about is None else find_file(session, board, key, about)
        comment = session.client.boards.add_comment(key, text, about=found)
    session.out.record(CommentRecord.of(comment), _lines([comment]))


@boards.command("comments", "skyshelf albums comments Summer", records=CommentRecord)
@click.argument("board", metavar="ALBUM")
def boards_comments(*, session: CommandSession, board: str) -> None:
    """List an album's comments, newest first."""
    found = session.client.boards.comments(board_key(session, board))
    session.out.records(found, CommentRecord.of, _lines, empty="No comments.")


@boards.command("delete-comment", "skyshelf albums delete-comment Summer key:COMMENT")
@click.argument("board", metavar="ALBUM")
@click.argument("comment")
@yes_option
def boards_delete_comment(*, session: CommandSession, board: str, comment: str, yes: bool) -> None:
    """Delete your comment, or any comment on your own board."""
    key = board_key(session, board)
    confirm("Delete the comment for all members?", yes=yes)
    session.client.boards.remove_comment(key, target(comment))
    session.out.note("Deleted the comment.")

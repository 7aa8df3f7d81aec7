"""`skyshelf boards add`, `remove`, `put`, `edit`, `cover`, `delete`, and comments: a board's content."""

from collections.abc import Iterable, Iterator
from pathlib import Path

import click

from skyshelf.cli.base.file_records import ObjectRecord, OutcomeRecord, object_record
from skyshelf.cli.base.prompts import confirm, yes_option
from skyshelf.cli.base.session import ClientCommand, CommandSession
from skyshelf.cli.base.sharing_records import BoardRecord, CommentRecord
from skyshelf.cli.base.targets import KEY, display_name, locate_all, target
from skyshelf.cli.base.text import local_time, utc_time, visible
from skyshelf.cli.commands.boards.names import board_key, board_record
from skyshelf.cli.commands.edit import paths_argument, report_outcomes
from skyshelf.wire.resources.boards import BoardComment


@click.command(
    "add", cls=ClientCommand, record=OutcomeRecord, many=True, example="skyshelf boards add Summer '/Photos/*.jpg'"
)
@click.argument("board")
@paths_argument
def boards_add(*, session: CommandSession, board: str, paths: tuple[str, ...]) -> None:
    """Add your files to a board. They stay in their folders."""
    key, found = board_key(session, board), locate_all(session.client, paths)
    result = session.client.boards.add_files(key, [item.object for item in found], on_error="return")
    report_outcomes(
        session, {item.object.key.upper(): display_name(item) for item in found}, result, f"added to {board}"
    )


@click.command(
    "remove", cls=ClientCommand, record=OutcomeRecord, many=True, example="skyshelf boards remove Summer beach.jpg"
)
@click.argument("board")
@click.argument("names", nargs=-1, required=True, metavar="NAME...")
def boards_remove(*, session: CommandSession, board: str, names: tuple[str, ...]) -> None:
    """Remove files from a board, by name or key. Their owners keep them."""
    key = board_key(session, board)
    on_board = session.client.boards.get(key).objects or []
    wanted: dict[str, str] = {}
    for name in names:
        if name.startswith(KEY):
            wanted[target(name).upper()] = name
            continue
        matches = [one.object_key for one in on_board if one.object_name == name]
        if not matches:
            raise click.UsageError(f"{board} has no file {name!r}: `skyshelf boards show` lists its files")
        wanted |= {one.upper(): name for one in matches}
    result = session.client.boards.remove_files(key, list(wanted), on_error="return")
    report_outcomes(session, wanted, result, f"removed from {board}")


@click.command("put", cls=ClientCommand, record=ObjectRecord, many=True, example="skyshelf boards put Summer beach.jpg")
@click.argument("board")
@click.argument("files", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--into", metavar="FOLDER", help="Your folder to upload to.  [default: /Boards/NAME]")
def boards_put(*, session: CommandSession, board: str, files: tuple[Path, ...], into: str | None) -> None:
    """Upload files to a board."""
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


@click.command(
    "edit", cls=ClientCommand, record=BoardRecord, example="skyshelf boards edit Summer --name 'Summer 2026'"
)
@click.argument("board")
@click.option("--name", help="New name.")
@click.option("--description", help="New description.")
def boards_edit(*, session: CommandSession, board: str, name: str | None, description: str | None) -> None:
    """Change the name or description of your board."""
    if name is None and description is None:
        raise click.UsageError("nothing to change: use --name or --description")
    edited = session.client.boards.edit(board_key(session, board), name=name, description=description)
    session.out.record(board_record(edited), [visible(edited.board_name or "")])


@click.command("cover", cls=ClientCommand, record=BoardRecord, example="skyshelf boards cover Summer beach.jpg")
@click.argument("board")
@click.argument("name", required=False)
def boards_cover(*, session: CommandSession, board: str, name: str | None) -> None:
    """Set or remove your board's cover.

    NAME is one of the board's files, by name or key; without it, the cover is removed.
    """
    key = board_key(session, board)
    cover = None
    if name is not None and name.startswith(KEY):
        cover = target(name)
    elif name is not None:
        on_board = session.client.boards.get(key).objects or []
        cover = next((one.object_key for one in on_board if one.object_name == name), None)
        if cover is None:
            raise click.UsageError(f"{board} has no file {name!r}: `skyshelf boards show` lists its files")
    session.out.record(board_record(session.client.boards.set_cover(key, cover)))


@click.command("delete", cls=ClientCommand, example="skyshelf boards delete Summer")
@click.argument("board")
@yes_option
def boards_delete(*, session: CommandSession, board: str, yes: bool) -> None:
    """Delete your board for all members. The files stay with their owners."""
    key = board_key(session, board)
    if not yes:
        confirm(f"Delete the board {visible(board)} and its comments for all members?")
    session.client.boards.delete(key)
    session.out.note(f"Deleted {board}.")


def _record(comment: BoardComment) -> CommentRecord:
    return CommentRecord(
        comment_key=comment.comment_key,
        user_id=comment.user_id,
        first_name=comment.first_name,
        object_key=comment.object_key,
        text=comment.text or "",
        created=utc_time(comment.created_date),
        edited=utc_time(comment.edited_date),
    )


def _lines(found: Iterable[BoardComment]) -> Iterator[str]:
    for one in found:
        who = visible(one.first_name or one.user_id or "")
        yield f"{local_time(one.created_date)}  {who}: {visible(one.text or '')}  ({KEY}{one.comment_key})"


@click.command(
    "comment",
    cls=ClientCommand,
    record=CommentRecord,
    example=(
        "skyshelf boards comment Summer 'What a day!'",
        "skyshelf boards comment Summer 'Better' --edit key:COMMENT",
    ),
)
@click.argument("board")
@click.argument("text")
@click.option("--about", metavar="NAME", help="Comment on this file of the board.")
@click.option("--edit", metavar="COMMENT", help="Replace the text of this comment of yours.")
def boards_comment(*, session: CommandSession, board: str, text: str, about: str | None, edit: str | None) -> None:
    """Comment on a board or one of its files, or edit a comment."""
    key = board_key(session, board)
    if edit is not None:
        comment = session.client.boards.edit_comment(key, target(edit), text)
    else:
        on_board = session.client.boards.get(key).objects or [] if about and not about.startswith(KEY) else []
        found = next((one.object_key for one in on_board if one.object_name == about), None)
        if about is not None and found is None and not about.startswith(KEY):
            raise click.UsageError(f"{board} has no file {about!r}: `skyshelf boards show` lists its files")
        comment = session.client.boards.add_comment(key, text, about=found or (target(about) if about else None))
    session.out.record(_record(comment), _lines([comment]))


@click.command(
    "comments", cls=ClientCommand, record=CommentRecord, many=True, example="skyshelf boards comments Summer"
)
@click.argument("board")
def boards_comments(*, session: CommandSession, board: str) -> None:
    """List a board's comments, newest first."""
    found = session.client.boards.comments(board_key(session, board))
    session.out.records(found, _record, _lines, empty="No comments.")


@click.command("delete-comment", cls=ClientCommand, example="skyshelf boards delete-comment Summer key:COMMENT")
@click.argument("board")
@click.argument("comment")
@yes_option
def boards_delete_comment(*, session: CommandSession, board: str, comment: str, yes: bool) -> None:
    """Delete your comment, or any comment on your own board."""
    key = board_key(session, board)
    if not yes:
        confirm("Delete the comment for all members?")
    session.client.boards.remove_comment(key, target(comment))
    session.out.note("Deleted the comment.")


COMMANDS = (
    boards_add,
    boards_remove,
    boards_put,
    boards_edit,
    boards_cover,
    boards_delete,
    boards_comment,
    boards_comments,
    boards_delete_comment,
)

"""`skyshelf boards add`, `remove`, `put`, `edit`, `cover`, `rm`, `comment` and `comments`: what is on a board."""

from collections.abc import Iterable, Iterator
from pathlib import Path

import click

from skyshelf.cli.base.prompts import confirmed, yes_option
from skyshelf.cli.base.records import BoardRecord, CommentRecord, ObjectRecord, OutcomeRecord, object_record
from skyshelf.cli.base.session import ClientCommand, Session
from skyshelf.cli.base.targets import KEY, display_name, locate_all, target
from skyshelf.cli.base.text import local_time, utc_time, visible
from skyshelf.cli.commands.boards.names import board_key, board_record
from skyshelf.cli.commands.edit import paths_argument, tell_outcomes
from skyshelf.wire.resources.boards import BoardComment


@click.command(
    "add", cls=ClientCommand, record=OutcomeRecord, many=True, example="skyshelf boards add Summer '/Photos/*.jpg'"
)
@click.argument("board")
@paths_argument
def boards_add(*, session: Session, board: str, paths: tuple[str, ...]) -> None:
    """Show files of yours on a board; they stay where they are."""
    key, found = board_key(session, board), locate_all(session.client, paths)
    result = session.client.boards.add_files(key, [each.object for each in found])
    tell_outcomes(session, {each.object.key.upper(): display_name(each) for each in found}, result, f"shown on {board}")


@click.command(
    "remove", cls=ClientCommand, record=OutcomeRecord, many=True, example="skyshelf boards remove Summer beach.jpg"
)
@click.argument("board")
@click.argument("names", nargs=-1, required=True, metavar="NAME...")
def boards_remove(*, session: Session, board: str, names: tuple[str, ...]) -> None:
    """Take files off a board, by their names there or by key; the files stay with their owners."""
    key = board_key(session, board)
    shown = session.client.boards.get(key).objects or []
    wanted: dict[str, str] = {}
    for name in names:
        if name.startswith(KEY):
            wanted[target(name).upper()] = name
            continue
        alike = [one.object_key for one in shown if one.object_name == name]
        if not alike:
            raise click.UsageError(f"{board} does not show {name!r}: `skyshelf boards show` lists what it shows")
        wanted |= {one.upper(): name for one in alike}
    result = session.client.boards.remove_files(key, list(wanted))
    tell_outcomes(session, wanted, result, f"taken off {board}")


@click.command("put", cls=ClientCommand, record=ObjectRecord, many=True, example="skyshelf boards put Summer beach.jpg")
@click.argument("board")
@click.argument("files", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--into", metavar="FOLDER", help="The folder of yours that they go to; /Boards/NAME if you do not say.")
def boards_put(*, session: Session, board: str, files: tuple[Path, ...], into: str | None) -> None:
    """Upload files and show them on a board, in one step each."""
    key = board_key(session, board)
    folder = None if into is None else target(into)
    done = []
    for file in files:
        uploaded = session.client.boards.upload(key, file, folder)
        # The server has chosen the folder of the board now, and need not look for it again.
        folder = folder or uploaded.wire.parent_object_key
        done.append(uploaded)
        session.out.note(f"{file}: uploaded, and shown on {board}.")
    session.out.many(done, object_record, lambda _: ())


@click.command(
    "edit", cls=ClientCommand, record=BoardRecord, example="skyshelf boards edit Summer --name 'Summer 2026'"
)
@click.argument("board")
@click.option("--name", help="What it is called from now on.")
@click.option("--description", help="A few words about it.")
def boards_edit(*, session: Session, board: str, name: str | None, description: str | None) -> None:
    """Change the name or the description of a board of yours."""
    if name is None and description is None:
        raise click.UsageError("say what to change: --name, --description or both")
    edited = session.client.boards.edit(board_key(session, board), name=name, description=description)
    session.out.one(board_record(edited), [visible(edited.board_name or "")])


@click.command("cover", cls=ClientCommand, record=BoardRecord, example="skyshelf boards cover Summer beach.jpg")
@click.argument("board")
@click.argument("name", required=False)
def boards_cover(*, session: Session, board: str, name: str | None) -> None:
    """Let a file stand for a board of yours, by its name there or by key; without one, none does."""
    key = board_key(session, board)
    cover = None
    if name is not None and name.startswith(KEY):
        cover = target(name)
    elif name is not None:
        shown = session.client.boards.get(key).objects or []
        cover = next((one.object_key for one in shown if one.object_name == name), None)
        if cover is None:
            raise click.UsageError(f"{board} does not show {name!r}: `skyshelf boards show` lists what it shows")
    session.out.one(board_record(session.client.boards.set_cover(key, cover)))


@click.command("rm", cls=ClientCommand, example="skyshelf boards rm Summer")
@click.argument("board")
@yes_option
def boards_rm(*, session: Session, board: str, yes: bool) -> None:
    """Delete a board of yours for everybody; the files stay with their owners."""
    key = board_key(session, board)
    if not yes:
        confirmed(f"Delete the board {visible(board)}, with its comments, for everybody?")
    session.client.boards.delete(key)
    session.out.note(f"{board} is gone.")


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
@click.option("--about", metavar="NAME", help="The file on the board that it is about.")
@click.option("--edit", metavar="COMMENT", help="A comment of yours that says this from now on.")
def boards_comment(*, session: Session, board: str, text: str, about: str | None, edit: str | None) -> None:
    """Say something about a board, or say it otherwise."""
    key = board_key(session, board)
    if edit is not None:
        said = session.client.boards.edit_comment(key, target(edit), text)
    else:
        shown = session.client.boards.get(key).objects or [] if about and not about.startswith(KEY) else []
        found = next((one.object_key for one in shown if one.object_name == about), None)
        if about is not None and found is None and not about.startswith(KEY):
            raise click.UsageError(f"{board} does not show {about!r}: `skyshelf boards show` lists what it shows")
        said = session.client.boards.add_comment(key, text, about=found or (target(about) if about else None))
    session.out.one(_record(said), _lines([said]))


@click.command(
    "comments", cls=ClientCommand, record=CommentRecord, many=True, example="skyshelf boards comments Summer"
)
@click.argument("board")
def boards_comments(*, session: Session, board: str) -> None:
    """List what people say about a board, newest first."""
    found = session.client.boards.comments(board_key(session, board))
    session.out.many(found, _record, _lines, none="Nobody has said anything yet.")


@click.command("uncomment", cls=ClientCommand, example="skyshelf boards uncomment Summer key:COMMENT")
@click.argument("board")
@click.argument("comment")
@yes_option
def boards_uncomment(*, session: Session, board: str, comment: str, yes: bool) -> None:
    """Remove a comment: your own, or, on a board of yours, anybody's."""
    key = board_key(session, board)
    if not yes:
        confirmed("Remove the comment for everybody?")
    session.client.boards.remove_comment(key, target(comment))
    session.out.note("The comment is gone.")


COMMANDS = (
    boards_add,
    boards_remove,
    boards_put,
    boards_edit,
    boards_cover,
    boards_rm,
    boards_comment,
    boards_comments,
    boards_uncomment,
)

"""`skyshelf mkdir`, `mv`, `cp`, `rename`, `fav`, `unfav` and `rm`: editing files and folders."""

from typing import TYPE_CHECKING

import click

from skyshelf.cli.base.errors import CommandFailed
from skyshelf.cli.base.file_records import ObjectRecord, OutcomeRecord, object_record, outcome_record
from skyshelf.cli.base.params import format_count
from skyshelf.cli.base.progress import Count
from skyshelf.cli.base.remote_paths import RemotePath
from skyshelf.cli.base.session import ClientCommand, CommandSession
from skyshelf.cli.base.targets import KEY, display_name, known_path, locate, locate_all, split_target, target
from skyshelf.cli.commands.move_and_rename import move_and_rename
from skyshelf.client.errors import ObjectNotFoundError
from skyshelf.client.objects.lookup import split_path
from skyshelf.client.objects.remote_object import FoundObject
from skyshelf.wire.client_errors import CONFLICT_ERROR, INVALID_REQUEST_ERROR

if TYPE_CHECKING:
    from skyshelf.client.objects.outcomes import BatchResult

paths_argument = click.argument("paths", nargs=-1, required=True, metavar="PATH...")


@click.command("mkdir", cls=ClientCommand, record=ObjectRecord, many=True, example="skyshelf mkdir -p /Photos/2024/May")
@paths_argument
@click.option("-p", "--parents", is_flag=True, help="Create parent folders as needed; no error if the folder exists.")
def mkdir(*, session: CommandSession, paths: tuple[str, ...], parents: bool) -> None:
    """Create folders."""
    created = []
    for path in paths:
        above, name = split_target(path)
        folder = session.client.create_path(path) if parents else session.client.create_folder(name, above)
        created.append(FoundObject(split_path(path), folder, folder.parent_key or ""))
        session.out.note(f"Created {target(path)}.")
    session.out.records(created, lambda item: object_record(item.object, known_path(item)), lambda _: ())


@click.command(
    "mv",
    cls=ClientCommand,
    record=OutcomeRecord,
    many=True,
    example=("skyshelf mv '/inbox/*.jpg' /Photos", "skyshelf mv /draft.txt /Documents/final.txt"),
)
@paths_argument
@click.argument("destination", metavar="DEST", type=RemotePath())
def mv(*, session: CommandSession, paths: tuple[str, ...], destination: str) -> None:
    """Move files and folders, or move and rename one.

    If DEST is an existing folder, everything is moved into it. Otherwise a single item is moved and renamed to DEST.
    """
    found = locate_all(session.client, paths)
    try:
        folder = session.client.get(target(destination))
    except ObjectNotFoundError:
        if len(found) != 1 or destination.startswith(KEY) or destination.endswith("/"):
            raise
        _rename_to(session, found[0], destination)
        return
    if not folder.is_folder:
        raise CommandFailed(
            f"{destination} is an existing file: use a folder, or another name", CONFLICT_ERROR.exit_code
        )
    result = session.client.move([item.object for item in found], folder, on_error="return")
    _report(session, found, result, f"moved to {destination}")


@click.command(
    "cp",
    cls=ClientCommand,
    record=OutcomeRecord,
    many=True,
    example=("skyshelf cp /Photos/beach.jpg /Cards", "skyshelf cp '/Templates/*' /Projects/New"),
)
@paths_argument
@click.argument("destination", metavar="FOLDER", type=RemotePath())
def cp(*, session: CommandSession, paths: tuple[str, ...], destination: str) -> None:
    """Copy files and folders into a folder, on the server.

    Nothing is downloaded. Where a name is taken, the copy gets a number, such as `beach (1).jpg`.
    """
    found = locate_all(session.client, paths)
    folder = session.client.get(target(destination))
    if not folder.is_folder:
        raise CommandFailed(f"{destination} is a file: use a folder", INVALID_REQUEST_ERROR.exit_code)
    with Count(session.out, "Copied") as copied:
        objects = [item.object for item in found]
        result = session.client.copy(objects, folder, progress=copied.reached, on_error="return")
    _report(session, found, result, f"copied to {destination}")


def _rename_to(session: CommandSession, item: FoundObject, destination: str) -> None:
    above, name = split_target(destination)
    folder = session.client.get(above)
    if not folder.is_folder:
        raise CommandFailed(f"{above} is a file: use a folder", INVALID_REQUEST_ERROR.exit_code)
    result = move_and_rename(session.client, item.object, folder, name)
    _report(session, [item], result, f"moved to {target(destination)}")


@click.command("rename", cls=ClientCommand, record=ObjectRecord, example="skyshelf rename /Photos/img_1.jpg beach.jpg")
@click.argument("path")
@click.argument("new_name")
def rename(*, session: CommandSession, path: str, new_name: str) -> None:
    """Rename a file or folder."""
    found = locate(session.client, path)
    renamed = session.client.rename(found.object, new_name)
    session.out.record(object_record(renamed))
    session.out.note(f"Renamed {display_name(found)} to {renamed.name}.")


@click.command("fav", cls=ClientCommand, record=OutcomeRecord, many=True, example="skyshelf fav /Photos/beach.jpg")
@paths_argument
def fav(*, session: CommandSession, paths: tuple[str, ...]) -> None:
    """Add files and folders to favourites."""
    found = locate_all(session.client, paths)
    _report(
        session,
        found,
        session.client.set_favorite([item.object for item in found], on_error="return"),
        "added to favourites",
    )


@click.command("unfav", cls=ClientCommand, record=OutcomeRecord, many=True, example="skyshelf unfav '/Photos/*'")
@paths_argument
def unfav(*, session: CommandSession, paths: tuple[str, ...]) -> None:
    """Remove files and folders from favourites."""
    found = locate_all(session.client, paths)
    _report(
        session,
        found,
        session.client.set_favorite([item.object for item in found], False, on_error="return"),
        "removed from favourites",
    )


@click.command("rm", cls=ClientCommand, record=OutcomeRecord, many=True, example="skyshelf rm '/Photos/blurred-*.jpg'")
@paths_argument
def rm(*, session: CommandSession, paths: tuple[str, ...]) -> None:
    """Move files and folders to the trash; `skyshelf restore` brings them back."""
    found = locate_all(session.client, paths)
    _report(
        session,
        found,
        session.client.move_to_trash([item.object for item in found], on_error="return"),
        "moved to the trash",
    )


def _report(session: CommandSession, found: list[FoundObject], result: "BatchResult", done: str) -> None:
    names = {item.object.key.upper(): display_name(item) for item in found}
    report_outcomes(session, names, result, done)


def report_outcomes(session: CommandSession, names: dict[str, str], result: "BatchResult", done: str) -> None:
    """Print the result for every item; a refused one makes the command fail."""
    session.out.records(result.outcomes, outcome_record, lambda _: ())
    for outcome in result.outcomes:
        name = names.get(outcome.key.upper(), KEY + outcome.key)
        if outcome.ok:
            session.out.note(f"{name}: {done}.")
        else:
            session.out.problem(f"{name}: {outcome.reason}")
    if result.failed:
        total = format_count(len(result.outcomes), "item")
        raise CommandFailed(
            f"{len(result.failed):,} of {total} failed; see above. The rest succeeded.", INVALID_REQUEST_ERROR.exit_code
        )

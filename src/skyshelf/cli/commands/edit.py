"""`skyshelf mkdir`, `mv`, `cp`, `rename`, `fav`, `unfav` and `rm`: editing files and folders."""

from typing import TYPE_CHECKING

import click

from skyshelf.cli.base.errors import CommandFailed, Conflict, InvalidRequest, describe_error
from skyshelf.cli.base.progress import Count
from skyshelf.cli.base.records import ObjectRecord, OutcomeRecord, object_record
from skyshelf.cli.base.remote_paths import RemotePath
from skyshelf.cli.base.session import CommandSession, client_command
from skyshelf.cli.base.targets import KEY, display_name, find, known_path, locate, locate_all, split_target, target
from skyshelf.cli.base.text import format_count
from skyshelf.client.objects.lookup import not_found, split_path
from skyshelf.client.objects.remote_object import FoundObject, RemoteObject
from skyshelf.wire.error_codes import NAME_TAKEN

if TYPE_CHECKING:
    from skyshelf.client.objects.outcomes import BatchResult

paths_argument = click.argument("paths", nargs=-1, required=True, metavar="PATH...")


@client_command("mkdir", "skyshelf mkdir -p /Photos/2024/May", records=ObjectRecord)
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


@client_command(
    "mv", "skyshelf mv '/inbox/*.jpg' /Photos", "skyshelf mv /draft.txt /Documents/final.txt", records=OutcomeRecord
)
@paths_argument
@click.argument("destination", metavar="DEST", type=RemotePath())
def mv(*, session: CommandSession, paths: tuple[str, ...], destination: str) -> None:
    """Move files and folders, or move and rename one.

    If DEST is an existing folder, everything is moved into it. Otherwise a single item is moved and renamed to DEST.
    """
    found = locate_all(session.client, paths)
    folder = find(session.client, destination)
    if folder is None and (len(found) != 1 or destination.endswith("/")):
        raise not_found(target(destination))
    folder = folder or _rename_to(session, found[0], destination)
    if folder is None:
        return
    if not folder.is_folder:
        raise Conflict(f"{destination} is an existing file: use a folder, or another name")
    result = session.client.move([item.object for item in found], folder, on_error="return")
    report_outcomes(session, names_of(found), result, f"moved to {destination}")


@client_command(
    "cp", "skyshelf cp /Photos/beach.jpg /Cards", "skyshelf cp '/Templates/*' /Projects/New", records=OutcomeRecord
)
@paths_argument
@click.argument("destination", metavar="FOLDER", type=RemotePath())
def cp(*, session: CommandSession, paths: tuple[str, ...], destination: str) -> None:
    """Copy files and folders into a folder, on the server.

    Nothing is downloaded. If a name is taken, the copy gets a number, such as `beach (1).jpg`.
    """
    found = locate_all(session.client, paths)
    folder = session.client.get(target(destination))
    if not folder.is_folder:
        raise InvalidRequest(f"{destination} is a file: use a folder")
    with Count(session.out, "Copied") as copied:
        objects = [item.object for item in found]
        result = session.client.copy(objects, folder, progress=copied.reached, on_error="return")
    report_outcomes(session, names_of(found), result, f"copied to {destination}")


def _rename_to(session: CommandSession, item: FoundObject, destination: str) -> RemoteObject | None:
    """Move and rename an item, or return the folder that has its new name, which was not listed before."""
    from skyshelf.client.moves import PartlyMovedError, move_and_rename
    from skyshelf.client.objects.outcomes import BatchResult, UnprocessedError

    above, name = split_target(destination)
    folder = session.client.find(above)
    if folder is None:
        raise not_found(above)
    if not folder.is_folder:
        raise InvalidRequest(f"{above} is a file: use a folder")
    refused: UnprocessedError | None = None
    try:
        result = move_and_rename(session.client, item.object, folder, name)
    except UnprocessedError as error:
        result, refused = BatchResult(error.outcomes), error
    except PartlyMovedError as error:
        reason = describe_error(error.reason).rstrip(".")
        raise CommandFailed(f"only partly done: {reason}. {error.where}", error.reason.exit_code) from error
    if any(outcome.code == NAME_TAKEN.code for outcome in result.failed):
        taken = session.client.find(target(destination), expected=True)
        if taken is not None and taken.is_folder:
            return taken
    if refused is not None:
        raise refused
    report_outcomes(session, names_of([item]), result, f"moved to {target(destination)}")
    return None


@client_command("rename", "skyshelf rename /Photos/img_1.jpg beach.jpg", record=ObjectRecord)
@click.argument("path")
@click.argument("new_name")
def rename(*, session: CommandSession, path: str, new_name: str) -> None:
    """Rename a file or folder."""
    found = locate(session.client, path)
    renamed = session.client.rename(found.object, new_name)
    session.out.record(object_record(renamed))
    session.out.note(f"Renamed {display_name(found)} to {renamed.name}.")


@client_command("fav", "skyshelf fav /Photos/beach.jpg", records=OutcomeRecord)
@paths_argument
def fav(*, session: CommandSession, paths: tuple[str, ...]) -> None:
    """Add files and folders to favourites."""
    found = locate_all(session.client, paths)
    result = session.client.set_favorite([item.object for item in found], on_error="return")
    report_outcomes(session, names_of(found), result, "added to favourites")


@client_command("unfav", "skyshelf unfav '/Photos/*'", records=OutcomeRecord)
@paths_argument
def unfav(*, session: CommandSession, paths: tuple[str, ...]) -> None:
    """Remove files and folders from favourites."""
    found = locate_all(session.client, paths)
    result = session.client.set_favorite([item.object for item in found], False, on_error="return")
    report_outcomes(session, names_of(found), result, "removed from favourites")


@client_command("rm", "skyshelf rm '/Photos/blurred-*.jpg'", records=OutcomeRecord)
@paths_argument
def rm(*, session: CommandSession, paths: tuple[str, ...]) -> None:
    """Move files and folders to the trash; `skyshelf restore` brings them back."""
    found = locate_all(session.client, paths)
    result = session.client.move_to_trash([item.object for item in found], on_error="return")
    report_outcomes(session, names_of(found), result, "moved to the trash")


def names_of(found: list[FoundObject]) -> dict[str, str]:
    """How messages name these objects, by key."""
    return {item.object.key.upper(): display_name(item) for item in found}


def report_outcomes(session: CommandSession, names: dict[str, str], result: "BatchResult", done: str) -> None:
    """Print the result for every item; a refused one makes the command fail."""
    session.out.records(result.outcomes, OutcomeRecord.of, lambda _: ())
    for outcome in result.outcomes:
        name = names.get(outcome.key.upper(), KEY + outcome.key)
        if outcome.ok:
            session.out.note(f"{name}: {done}.")
        else:
            session.out.problem(f"{name}: {outcome.reason}")
    if result.failed:
        total = format_count(len(result.outcomes), "item")
        raise InvalidRequest(f"{len(result.failed):,} of {total} failed; see above. The rest succeeded.")

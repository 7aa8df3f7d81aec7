"""`skyshelf mkdir`, `mv`, `cp`, `rename`, `fav`, `unfav` and `rm`: editing files and folders."""

import secrets
from collections.abc import Callable
from typing import TYPE_CHECKING

import click

from skyshelf.cli.base.errors import CommandFailed, Conflict, InvalidRequest, describe_error
from skyshelf.cli.base.progress import Count
from skyshelf.cli.base.records import ObjectRecord, OutcomeRecord, object_record
from skyshelf.cli.base.remote_paths import RemotePath
from skyshelf.cli.base.session import CommandSession, client_command
from skyshelf.cli.base.targets import KEY, display_name, find, known_path, locate, locate_all, split_target, target
from skyshelf.cli.base.text import format_count
from skyshelf.client.errors import InvalidRequestError, SkyshelfError
from skyshelf.client.objects.lookup import not_found, split_path
from skyshelf.client.objects.remote_object import FoundObject, RemoteObject
from skyshelf.wire.error_codes import NAME_TAKEN

if TYPE_CHECKING:
    from skyshelf.client.objects.outcomes import BatchResult
    from skyshelf.client.sync_client import Client

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


def move_and_rename(client: "Client", found: RemoteObject, folder: RemoteObject, name: str) -> "BatchResult":
    """Move and rename an object, for which the interface has no single call.

    If one step is refused, the others are undone, or the error says how far it came.
    """
    if found.parent_key == folder.key:
        return client.rename_many([(found, name)], on_error="return")
    if found.name == name:
        return client.move([found], folder, on_error="return")
    try:
        return _Move(client, found, folder).run(name)
    except InvalidRequestError as error:
        if error.code != NAME_TAKEN.code:
            raise
    # The name may be taken in the old folder, which does not matter in the new one: move it under a temporary name, and
    # rename it there.
    return _Move(client, found, folder).run(f"moving-{secrets.token_hex(8)}", name)


class _Move:
    """Steps that are undone in reverse order if one of them is refused."""

    def __init__(self, client: "Client", found: RemoteObject, folder: RemoteObject) -> None:
        self._client = client
        self._original = found
        self._current = found
        self._folder = folder
        self._undo_steps: list[Callable[[], object]] = []

    def run(self, name: str, final_name: str | None = None) -> "BatchResult":
        """Rename, move, and rename again if there is a final name."""
        try:
            self._rename(name)
            self._undo_steps.append(lambda: self._rename(self._original.name))
            result = self._move(self._folder)
            self._undo_steps.append(lambda: self._move(self._original.parent_key or "/"))
            if final_name is not None:
                result = self._rename(final_name)
        except SkyshelfError as error:
            self._undo(error)
            raise
        return result

    def _rename(self, name: str) -> "BatchResult":
        result = self._client.rename_many([(self._current, name)])
        self._current = result.outcomes[0].object or self._current
        return result

    def _move(self, folder: RemoteObject | str) -> "BatchResult":
        result = self._client.move([self._current], folder)
        self._current = result.outcomes[0].object or self._current
        return result

    def _undo(self, error: SkyshelfError) -> None:
        while self._undo_steps:
            try:
                self._undo_steps.pop()()
            except SkyshelfError:
                moved = self._current.parent_key == self._folder.key
                where = f"in {self._folder.name or 'the top folder'}" if moved else "in its old folder"
                reason = describe_error(error).rstrip(".")
                raise CommandFailed(
                    f"only partly done: {reason}. The item is now {where} as {self._current.name}: move it again",
                    error.exit_code,
                ) from error

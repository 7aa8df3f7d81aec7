"""`skyshelf mkdir`, `mv`, `rename`, `fav`, `unfav` and `rm`: changing what is there."""

import secrets
from collections.abc import Callable
from typing import TYPE_CHECKING

from skyshelf.cli.base.errors import CommandFailed, sentence_for
from skyshelf.client.errors import InvalidRequestError, SkyshelfError
from skyshelf.client.objects.lookup import split_path
from skyshelf.client.objects.remote_object import FoundObject, RemoteObject
from skyshelf.wire.error_codes import NAME_TAKEN

if TYPE_CHECKING:
    from skyshelf.client.objects.outcomes import BatchResult
    from skyshelf.client.sync_client import Client
import click

from skyshelf.cli.base.records import ObjectRecord, OutcomeRecord, object_record, outcome_record
from skyshelf.cli.base.remote_paths import RemotePath
from skyshelf.cli.base.session import ClientCommand, Session
from skyshelf.cli.base.targets import KEY, display_name, locate, locate_all, split_target, target
from skyshelf.client.errors import ObjectNotFoundError
from skyshelf.wire.client_errors import CONFLICT_ERROR, INVALID_REQUEST_ERROR

if TYPE_CHECKING:
    from skyshelf.client.objects.outcomes import BatchResult


# To another folder under another name. The interface has no one call for both, so that half of it must not stay.


def move_to_name(client: "Client", found: RemoteObject, folder: RemoteObject, name: str) -> "BatchResult":
    """Move an object and rename it; what was done is undone where the rest is refused, and said where it cannot be."""
    if found.parent_key == folder.key:
        return client.rename_many([(found, name)])
    if found.name == name:
        return client.move([found], folder)
    try:
        return _Moving(client, found, folder).by_way_of(name)
    except InvalidRequestError as refused:
        if refused.code != NAME_TAKEN.code:
            raise
    # The name may be taken where the object is now, which says nothing about where it goes: under a third name it
    # can leave, and take the name that was asked for when it is there.
    return _Moving(client, found, folder).by_way_of(f"moving-{secrets.token_hex(8)}", name)


class _Moving:
    """Steps that are taken back, last one first, when one of them is refused."""

    def __init__(self, client: "Client", found: RemoteObject, folder: RemoteObject) -> None:
        self._client = client
        self._begin = found
        self._now = found
        self._folder = folder
        self._back: list[Callable[[], object]] = []

    def by_way_of(self, name: str, last_name: str | None = None) -> "BatchResult":
        """Renamed, moved, and renamed once more where there is a last name."""
        try:
            self._rename(name)
            self._back.append(lambda: self._rename(self._begin.name))
            result = self._move(self._folder)
            self._back.append(lambda: self._move(self._begin.parent_key or "/"))
            if last_name is not None:
                result = self._rename(last_name)
        except SkyshelfError as refused:
            self._undo(refused)
            raise
        return result

    def _rename(self, name: str) -> "BatchResult":
        result = self._client.rename_many([(self._now, name)]).raise_for_failures()
        self._now = result.outcomes[0].object or self._now
        return result

    def _move(self, folder: RemoteObject | str) -> "BatchResult":
        result = self._client.move([self._now], folder).raise_for_failures()
        self._now = result.outcomes[0].object or self._now
        return result

    def _undo(self, refused: SkyshelfError) -> None:
        while self._back:
            try:
                self._back.pop()()
            except SkyshelfError:
                moved = self._now.parent_key == self._folder.key
                where = f"in {self._folder.name or 'the top of your drive'}" if moved else "where it was"
                told = sentence_for(refused).rstrip(".")
                raise CommandFailed(
                    f"only half of it was done: {told}. It is {where}, and called {self._now.name}: move it again",
                    refused.exit_code,
                ) from refused


# `skyshelf mkdir`, `mv`, `rename`, `fav`, `unfav` and `rm`: changing what is there.

paths_argument = click.argument("paths", nargs=-1, required=True, metavar="PATH...")


@click.command("mkdir", cls=ClientCommand, record=ObjectRecord, many=True, example="skyshelf mkdir -p /Photos/2024/May")
@paths_argument
@click.option("-p", "--parents", is_flag=True, help="Make what leads there too; it is no error if it is there.")
def mkdir(*, session: Session, paths: tuple[str, ...], parents: bool) -> None:
    """Make folders."""
    made = []
    for path in paths:
        above, name = split_target(path)
        folder = session.client.create_path(path) if parents else session.client.create_folder(name, above)
        made.append(FoundObject(split_path(path), folder, folder.parent_key or ""))
        session.out.note(f"{target(path)} is there.")
    session.out.many(made, lambda each: object_record(each.object, each.path), lambda _: ())


@click.command(
    "mv",
    cls=ClientCommand,
    record=OutcomeRecord,
    many=True,
    example=("skyshelf mv '/inbox/*.jpg' /Photos", "skyshelf mv /draft.txt /Documents/final.txt"),
)
@paths_argument
@click.argument("destination", metavar="DEST", type=RemotePath())
def mv(*, session: Session, paths: tuple[str, ...], destination: str) -> None:
    """Move files and folders into a folder, or to a new name."""
    found = locate_all(session.client, paths)
    try:
        folder = session.client.get(target(destination))
    except ObjectNotFoundError:
        if len(found) != 1 or destination.startswith(KEY) or destination.endswith("/"):
            raise
        _move_and_rename(session, found[0], destination)
        return
    if not folder.is_folder:
        raise CommandFailed(
            f"{destination} is there already and is a file: name a folder, or another name", CONFLICT_ERROR.exit_code
        )
    result = session.client.move([each.object for each in found], folder)
    _tell(session, found, result, f"moved to {destination}")


def _move_and_rename(session: Session, one: FoundObject, destination: str) -> None:
    above, name = split_target(destination)
    folder = session.client.get(above)
    if not folder.is_folder:
        raise CommandFailed(f"{above} is a file: name a folder to move things into", INVALID_REQUEST_ERROR.exit_code)
    result = move_to_name(session.client, one.object, folder, name)
    _tell(session, [one], result, f"moved to {target(destination)}")


@click.command("rename", cls=ClientCommand, record=ObjectRecord, example="skyshelf rename /Photos/img_1.jpg beach.jpg")
@click.argument("path")
@click.argument("new_name")
def rename(*, session: Session, path: str, new_name: str) -> None:
    """Give a file or folder another name."""
    found = locate(session.client, path)
    renamed = session.client.rename(found.object, new_name)
    session.out.one(object_record(renamed))
    session.out.note(f"{display_name(found)} is called {renamed.name} now.")


@click.command("fav", cls=ClientCommand, record=OutcomeRecord, many=True, example="skyshelf fav /Photos/beach.jpg")
@paths_argument
def fav(*, session: Session, paths: tuple[str, ...]) -> None:
    """Make files and folders favourites."""
    found = locate_all(session.client, paths)
    _tell(session, found, session.client.set_favorite([each.object for each in found]), "a favourite")


@click.command("unfav", cls=ClientCommand, record=OutcomeRecord, many=True, example="skyshelf unfav '/Photos/*'")
@paths_argument
def unfav(*, session: Session, paths: tuple[str, ...]) -> None:
    """Make files and folders favourites no more."""
    found = locate_all(session.client, paths)
    _tell(session, found, session.client.set_favorite([each.object for each in found], False), "no favourite any more")


@click.command("rm", cls=ClientCommand, record=OutcomeRecord, many=True, example="skyshelf rm '/Photos/blurred-*.jpg'")
@paths_argument
def rm(*, session: Session, paths: tuple[str, ...]) -> None:
    """Put files and folders into the trash, from where `skyshelf restore` brings them back."""
    found = locate_all(session.client, paths)
    _tell(session, found, session.client.move_to_trash([each.object for each in found]), "in the trash")


def _tell(session: Session, found: list[FoundObject], result: "BatchResult", what: str) -> None:
    names = {each.object.key.upper(): display_name(each) for each in found}
    tell_outcomes(session, names, result, what)


def tell_outcomes(session: Session, names: dict[str, str], result: "BatchResult", what: str) -> None:
    """Say what became of every object; a refusal is an error, whatever else was done."""
    session.out.many(result.outcomes, outcome_record, lambda _: ())
    for outcome in result.outcomes:
        name = names.get(outcome.key.upper(), KEY + outcome.key)
        if outcome.ok:
            session.out.note(f"{name}: {what}.")
        else:
            session.out.problem(f"{name}: {outcome.reason}")
    if result.failed:
        count = f"{len(result.failed):,} of {len(result.outcomes):,} were refused; they are named above"
        raise CommandFailed(f"{count}. What is not named was done.", INVALID_REQUEST_ERROR.exit_code)

"""`skyshelf mkdir`, `mv`, `rename`, `fav`, `unfav` and `rm`: changing what is there."""

from typing import TYPE_CHECKING

import click

from skyshelf.cli.failures import CommandFailed
from skyshelf.cli.moving import move_to_name
from skyshelf.cli.records import ObjectRecord, OutcomeRecord, object_record, outcome_record
from skyshelf.cli.remote_names import RemotePath
from skyshelf.cli.session import ClientCommand, Session
from skyshelf.cli.targets import KEY, Located, locate, locate_all, split_target, target
from skyshelf.client.errors import ObjectNotFoundError
from skyshelf.wire.client_errors import CONFLICT_ERROR, INVALID_REQUEST_ERROR

if TYPE_CHECKING:
    from skyshelf.client.objects.outcomes import BatchResult

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
        made.append(Located(target(path), folder))
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


def _move_and_rename(session: Session, one: Located, destination: str) -> None:
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
    session.out.note(f"{found.shown} is called {renamed.name} now.")


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
    _tell(session, found, session.client.trash([each.object for each in found]), "in the trash")


def _tell(session: Session, found: list[Located], result: "BatchResult", what: str) -> None:
    names = {each.object.key.upper(): each.shown for each in found}
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

"""`skyshelf trash` and `restore`: what was thrown away, back, or gone for good."""

from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase

import click

from skyshelf.cli.base.errors import CommandFailed
from skyshelf.cli.base.groups import ListingGroup
from skyshelf.cli.base.output import table
from skyshelf.cli.base.prompts import confirmed, yes_option
from skyshelf.cli.base.records import ObjectRecord, OutcomeRecord, object_record
from skyshelf.cli.base.session import ClientCommand, Session
from skyshelf.cli.base.targets import KEY, target
from skyshelf.cli.base.text import local_time, visible
from skyshelf.cli.commands.edit import tell_outcomes
from skyshelf.client.objects.remote_object import RemoteObject
from skyshelf.wire.client_errors import CONFLICT_ERROR, OBJECT_NOT_FOUND_ERROR
from skyshelf.wire.sizes import format_size


@click.group("trash", cls=ListingGroup)
def trash() -> None:
    """Look into the trash, take things out of it, and delete for good."""


@trash.command("ls", cls=ClientCommand, record=ObjectRecord, many=True, example="skyshelf trash ls")
def trash_ls(*, session: Session) -> None:
    """List the trash, newest first."""

    def lines(found: Iterable[RemoteObject]) -> Iterator[str]:
        rows = (
            (
                "-" if one.is_folder else format_size(one.size or 0),
                local_time(one.modified_ms),
                f"{KEY}{one.key}",
                session.out.name(one.name, is_folder=one.is_folder),
            )
            for one in found
        )
        yield from table(rows, right=frozenset({0}))

    session.out.many(session.client.trash.list(), object_record, lines, none="The trash is empty.")


def _restore(session: Session, names: tuple[str, ...], everything: bool) -> None:
    if not names and not everything:
        raise click.UsageError("name what to take out of the trash, or --all")
    if names and all(name.startswith(KEY) for name in names):
        keys = [target(name) for name in names]
        tell_outcomes(session, {}, session.client.restore(keys), "restored")
        return
    inside = [one.detached_copy() for one in session.client.trash.list()]
    chosen = inside if everything else [one for name in names for one in _named(inside, name)]
    unique = list({one.key: one for one in chosen}.values())
    if not unique:
        session.out.note("The trash is empty.")
        return
    result = session.client.restore(unique)
    tell_outcomes(session, {one.key.upper(): one.name for one in unique}, result, "restored")


def _named(inside: list[RemoteObject], name: str) -> list[RemoteObject]:
    """What has that name in the trash; a path counts by its last name, because the trash has no folders."""
    if name.startswith(KEY):
        found = [one for one in inside if one.key.upper() == target(name).upper()]
    else:
        last = name.rstrip("/").rpartition("/")[2]
        found = [one for one in inside if one.name == last] or [one for one in inside if fnmatchcase(one.name, last)]
        if len(found) > 1 and not set("*?[") & set(last):
            keys = ", ".join(KEY + one.key for one in found)
            raise CommandFailed(
                f"the trash has {len(found)} of that name: name one by its key: {keys}", CONFLICT_ERROR.exit_code
            )
    if not found:
        raise CommandFailed(
            f"{name} is not in the trash: `skyshelf trash ls` shows what is", OBJECT_NOT_FOUND_ERROR.exit_code
        )
    return found


def _chosen(session: Session, names: tuple[str, ...]) -> list[RemoteObject]:
    inside = [one.detached_copy() for one in session.client.trash.list()]
    return list({one.key: one for name in names for one in _named(inside, name)}.values())


@trash.command(
    "purge",
    cls=ClientCommand,
    record=OutcomeRecord,
    many=True,
    example=("skyshelf trash purge beach.jpg", "skyshelf trash purge '*.tmp' --yes"),
)
@click.argument("names", nargs=-1, required=True, metavar="NAME...")
@yes_option
def trash_purge(*, session: Session, names: tuple[str, ...], yes: bool) -> None:
    """Delete things of the trash for good, by name, glob or key."""
    if yes and all(name.startswith(KEY) for name in names):
        tell_outcomes(session, {}, session.client.trash.purge([target(name) for name in names]), "deleted for good")
        return
    chosen = _chosen(session, names)
    if not yes:
        confirmed(f"Delete {', '.join(visible(one.name) for one in chosen)} for good?")
    result = session.client.trash.purge(chosen)
    tell_outcomes(session, {one.key.upper(): one.name for one in chosen}, result, "deleted for good")


@trash.command("empty", cls=ClientCommand, example="skyshelf trash empty --yes")
@yes_option
def trash_empty(*, session: Session, yes: bool) -> None:
    """Delete everything in the trash for good."""
    if not yes:
        confirmed("Delete everything in the trash for good?")
    session.client.trash.empty()
    session.out.note("The trash is empty. The room that it took comes back within moments.")


_all_option = click.option("--all", "everything", is_flag=True, help="Everything that is in the trash.")
_names_argument = click.argument("names", nargs=-1, metavar="NAME...")
_EXAMPLE = ("skyshelf restore /Photos/beach.jpg", "skyshelf restore --all")


@trash.command(
    "restore", cls=ClientCommand, record=OutcomeRecord, many=True, example="skyshelf trash restore beach.jpg"
)
@_names_argument
@_all_option
def trash_restore(*, session: Session, names: tuple[str, ...], everything: bool) -> None:
    """Take things out of the trash, by name, glob or key."""
    _restore(session, names, everything)


@click.command("restore", cls=ClientCommand, record=OutcomeRecord, many=True, example=_EXAMPLE)
@_names_argument
@_all_option
def restore(*, session: Session, names: tuple[str, ...], everything: bool) -> None:
    """Take things out of the trash, by name, glob or key."""
    _restore(session, names, everything)

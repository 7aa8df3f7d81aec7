"""`skyshelf trash` and `restore`: items in the trash."""

from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase

import click

from skyshelf.cli.base.errors import CommandFailed
from skyshelf.cli.base.file_records import ObjectRecord, OutcomeRecord, object_record
from skyshelf.cli.base.groups import ListingGroup
from skyshelf.cli.base.output import table
from skyshelf.cli.base.prompts import confirm, yes_option
from skyshelf.cli.base.session import ClientCommand, CommandSession
from skyshelf.cli.base.targets import KEY, target
from skyshelf.cli.base.text import local_time, visible
from skyshelf.cli.commands.edit import report_outcomes
from skyshelf.client.objects.remote_object import RemoteObject
from skyshelf.wire.client_errors import CONFLICT_ERROR, OBJECT_NOT_FOUND_ERROR
from skyshelf.wire.sizes import format_size


@click.group("trash", cls=ListingGroup)
def trash() -> None:
    """List the trash, and delete permanently.

    `skyshelf rm` moves items to the trash, and `skyshelf restore` brings them back.
    """


@trash.command("ls", cls=ClientCommand, record=ObjectRecord, many=True, example="skyshelf trash ls")
def trash_ls(*, session: CommandSession) -> None:
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

    session.out.records(
        session.client.trash.list(on_incomplete=session.out.problem), object_record, lines, empty="The trash is empty."
    )


def _find_in_trash(trashed: list[RemoteObject], name: str) -> list[RemoteObject]:
    """The items with that name; of a path only the last name counts, because the trash is flat."""
    if name.startswith(KEY):
        found = [one for one in trashed if one.key.upper() == target(name).upper()]
    else:
        last = name.rstrip("/").rpartition("/")[2]
        found = [one for one in trashed if one.name == last] or [one for one in trashed if fnmatchcase(one.name, last)]
        if len(found) > 1 and not set("*?[") & set(last):
            keys = ", ".join(KEY + one.key for one in found)
            raise CommandFailed(
                f"{len(found)} items in the trash have that name; use a key: {keys}", CONFLICT_ERROR.exit_code
            )
    if not found:
        raise CommandFailed(
            f"{name} is not in the trash: `skyshelf trash ls` lists its items", OBJECT_NOT_FOUND_ERROR.exit_code
        )
    return found


def _find_all_in_trash(session: CommandSession, names: tuple[str, ...]) -> list[RemoteObject]:
    trashed = [one.detached_copy() for one in session.client.trash.list(on_incomplete=session.out.problem)]
    return list({one.key: one for name in names for one in _find_in_trash(trashed, name)}.values())


@trash.command(
    "purge",
    cls=ClientCommand,
    record=OutcomeRecord,
    many=True,
    example=("skyshelf trash purge beach.jpg", "skyshelf trash purge '*.tmp' --yes"),
)
@click.argument("names", nargs=-1, required=True, metavar="NAME...")
@yes_option
def trash_purge(*, session: CommandSession, names: tuple[str, ...], yes: bool) -> None:
    """Delete items in the trash permanently, by name, glob or key."""
    if yes and all(name.startswith(KEY) for name in names):
        report_outcomes(
            session,
            {},
            session.client.trash.purge([target(name) for name in names], on_error="return"),
            "deleted permanently",
        )
        return
    chosen = _find_all_in_trash(session, names)
    if not yes:
        confirm(f"Permanently delete {', '.join(visible(one.name) for one in chosen)}?")
    result = session.client.trash.purge(chosen, on_error="return")
    report_outcomes(session, {one.key.upper(): one.name for one in chosen}, result, "deleted permanently")


@trash.command("empty", cls=ClientCommand, example="skyshelf trash empty --yes")
@yes_option
def trash_empty(*, session: CommandSession, yes: bool) -> None:
    """Permanently delete everything in the trash."""
    if not yes:
        confirm("Permanently delete everything in the trash?")
    session.client.trash.empty()
    session.out.note("Emptied the trash. The space is freed shortly.")


_all_option = click.option("--all", "everything", is_flag=True, help="Restore everything.")
_names_argument = click.argument("names", nargs=-1, metavar="NAME...")


@click.command(
    "restore",
    cls=ClientCommand,
    record=OutcomeRecord,
    many=True,
    example=("skyshelf restore /Photos/beach.jpg", "skyshelf restore --all"),
)
@_names_argument
@_all_option
def restore(*, session: CommandSession, names: tuple[str, ...], everything: bool) -> None:
    """Restore items from the trash.

    NAME is a name, glob or key; of a path, only the last name counts.
    """
    if not names and not everything:
        raise click.UsageError("name the items to restore, or use --all")
    if names and all(name.startswith(KEY) for name in names):
        keys = [target(name) for name in names]
        report_outcomes(session, {}, session.client.restore(keys, on_error="return"), "restored")
        return
    trashed = [one.detached_copy() for one in session.client.trash.list(on_incomplete=session.out.problem)]
    chosen = trashed if everything else [one for name in names for one in _find_in_trash(trashed, name)]
    unique = list({one.key: one for one in chosen}.values())
    if not unique:
        session.out.note("The trash is empty.")
        return
    result = session.client.restore(unique, on_error="return")
    report_outcomes(session, {one.key.upper(): one.name for one in unique}, result, "restored")

"""`skyshelf trash` and `restore`: items in the trash."""

from fnmatch import fnmatchcase

import click

from skyshelf.cli.base.output import Row
from skyshelf.cli.base.prompts import confirm, yes_option
from skyshelf.cli.base.records import ObjectRecord, OutcomeRecord, object_record
from skyshelf.cli.base.session import ClientListing, CommandSession, client_command
from skyshelf.cli.base.targets import KEY, only, target
from skyshelf.cli.base.text import local_time, visible
from skyshelf.cli.commands.edit import report_outcomes
from skyshelf.client.objects.remote_object import RemoteObject
from skyshelf.wire.sizes import format_size


@click.group("trash", cls=ClientListing)
def trash() -> None:
    """List the trash, and delete permanently.

    `skyshelf rm` moves items to the trash, and `skyshelf restore` brings them back.
    """


@trash.command("ls", "skyshelf trash ls", records=ObjectRecord)
def trash_ls(*, session: CommandSession) -> None:
    """List the trash, newest first."""

    def row(one: RemoteObject) -> Row:
        size = "-" if one.is_folder else format_size(one.size or 0)
        name = session.out.name(one.name, is_folder=one.is_folder)
        return size, local_time(one.modified_ms), f"{KEY}{one.key}", name

    found = session.client.trash.list(on_incomplete=session.out.problem)
    session.out.rows(found, object_record, row, right={0}, empty="The trash is empty.")


def _find_in_trash(trashed: list[RemoteObject], name: str) -> list[RemoteObject]:
    """The items with that name; only the last name of a path counts, because the trash is flat."""
    last = name.rstrip("/").rpartition("/")[2]
    if name.startswith(KEY):
        found = [one for one in trashed if one.key.upper() == target(name).upper()]
    else:
        found = [one for one in trashed if one.name == last] or [one for one in trashed if fnmatchcase(one.name, last)]
    missing = f"{name} is not in the trash: `skyshelf trash ls` lists its items"
    if found and set("*?[") & set(last):
        return found
    return [only(found, missing, "items in the trash have that name", lambda one: KEY + one.key)]


def _find_all_in_trash(session: CommandSession, names: tuple[str, ...] | None) -> list[RemoteObject]:
    """The items with these names, each of them once; everything for None."""
    trashed = [one.detached_copy() for one in session.client.trash.list(on_incomplete=session.out.problem)]
    chosen = trashed if names is None else [one for name in names for one in _find_in_trash(trashed, name)]
    return list({one.key: one for one in chosen}.values())


@trash.command("purge", "skyshelf trash purge beach.jpg", "skyshelf trash purge '*.tmp' --yes", records=OutcomeRecord)
@click.argument("names", nargs=-1, required=True, metavar="NAME...")
@yes_option
def trash_purge(*, session: CommandSession, names: tuple[str, ...], yes: bool) -> None:
    """Delete items in the trash permanently, by name, glob or key."""
    if yes and all(name.startswith(KEY) for name in names):
        result = session.client.trash.purge([target(name) for name in names], on_error="return")
        report_outcomes(session, {}, result, "deleted permanently")
        return
    chosen = _find_all_in_trash(session, names)
    confirm(f"Permanently delete {', '.join(visible(one.name) for one in chosen)}?", yes=yes)
    result = session.client.trash.purge(chosen, on_error="return")
    report_outcomes(session, {one.key.upper(): one.name for one in chosen}, result, "deleted permanently")


@trash.command("empty", "skyshelf trash empty --yes")
@yes_option
def trash_empty(*, session: CommandSession, yes: bool) -> None:
    """Permanently delete everything in the trash."""
    confirm("Permanently delete everything in the trash?", yes=yes)
    session.client.trash.empty()
    session.out.note("Emptied the trash. The space is freed shortly.")


@client_command("restore", "skyshelf restore /Photos/beach.jpg", "skyshelf restore --all", records=OutcomeRecord)
@click.argument("names", nargs=-1, metavar="NAME...")
@click.option("--all", "everything", is_flag=True, help="Restore everything.")
def restore(*, session: CommandSession, names: tuple[str, ...], everything: bool) -> None:
    """Restore items from the trash.

    NAME is a name, glob or key; only the last name of a path counts.
    """
    if not names and not everything:
        raise click.UsageError("name the items to restore, or use --all")
    if names and all(name.startswith(KEY) for name in names):
        keys = [target(name) for name in names]
        report_outcomes(session, {}, session.client.restore(keys, on_error="return"), "restored")
        return
    chosen = _find_all_in_trash(session, None if everything else names)
    if not chosen:
        session.out.note("The trash is empty.")
        return
    result = session.client.restore(chosen, on_error="return")
    report_outcomes(session, {one.key.upper(): one.name for one in chosen}, result, "restored")

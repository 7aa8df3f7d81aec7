"""`skyshelf admin import`: a folder of this machine comes into an account, at the speed of the disk."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from skyshelf.cli.admin.stores import both_store_options, open_context, tell
from skyshelf.cli.base.errors import CommandFailed
from skyshelf.cli.base.params import counted
from skyshelf.cli.base.text import visible
from skyshelf.wire.sizes import format_size

if TYPE_CHECKING:
    from skyshelf.cli.base.progress import Meter
    from skyshelf.service.importing.report import Event, Note, Summary

_TOLD = 20
HARD_LINKS = (
    "WARNING: --link hard makes the source and the drive one file with two names. Whoever writes to a source file in"
    " place later changes what the drive holds, and the drive will say that it is damaged. Use it only for files that"
    " nobody writes to any more."
)


@click.command("import")
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--user", "email", required=True, metavar="EMAIL", help="Whose drive it goes into.")
@click.option("--into", default="/", show_default=True, metavar="PATH", help="The folder of the drive; made if needed.")
@click.option(
    "--link",
    "way",
    type=click.Choice(["copy", "reflink", "hard"]),
    default="copy",
    show_default=True,
    help="How files come in where the store is on the same disk: copied; cloned, which takes no room and is safe"
    " (btrfs, XFS); or as hard links, after which an edit of the source damages the drive.",
)
@click.option("--follow-links", is_flag=True, help="Import what symbolic links lead to; without it they are left out.")
@click.option("--checksum", is_flag=True, help="Compare with the drive by content, and not by size and time.")
@click.option("--dry-run", is_flag=True, help="Only say what would be done.")
@click.option("--threads", type=click.IntRange(1, 64), default=4, show_default=True, help="Files read at once.")
@both_store_options
def import_tree(
    *,
    folder: Path,
    email: str,
    into: str,
    way: Literal["copy", "reflink", "hard"],
    follow_links: bool,
    checksum: bool,
    dry_run: bool,
    threads: int,
    as_json: bool,
    data: Path,
    **stores: Any,
) -> None:
    """Bring a folder with all that is in it into an account, also while the service runs.

    A file that the drive has already, by name, size and time, is passed over: after an interruption the same command
    goes on where it was. A file that has changed becomes the next version of the one in the drive.

    \b
    Examples:
      skyshelf admin import /mnt/photos --user ada@example.org --into /Photos --data /srv/skyshelf
      skyshelf admin import /mnt/photos --user ada@example.org --dry-run --json
      skyshelf admin import /srv/old --user ada@example.org --link reflink
    """
    if way == "hard":
        click.echo(HARD_LINKS, err=True)
    with open_context(data=data, **stores) as ctx:
        from skyshelf.service.accounts.accounts import find_account
        from skyshelf.service.importing import ImportOptions
        from skyshelf.service.importing.local_tree import identity_of
        from skyshelf.service.importing.report import INTERRUPTED
        from skyshelf.service.importing.run import TreeImport

        account = find_account(ctx, email)
        _refuse_own_folder(folder, data)
        options = ImportOptions(
            into=into,
            way=way,
            follow_links=follow_links,
            by_content=checksum,
            dry_run=dry_run,
            threads=threads,
            without=frozenset({identity_of(str(data))}) if data.is_dir() else frozenset(),
        )
        with _meter(quiet=as_json) as meter:
            summary = TreeImport(ctx, account, options, _Listener(meter)).run(folder)
    tell(as_json, summary, _sentences(summary))
    if summary.stopped == INTERRUPTED:
        raise CommandFailed("stopped; what is told above is in the drive. The same command goes on from there", 130)
    if summary.stopped is not None:
        raise CommandFailed(
            f"{summary.stopped}: give the account more (skyshelf admin user set-quota), and run the same command again"
        )
    if summary.failed_count:
        raise CommandFailed(
            f"{counted(summary.failed_count, 'file')} could not be imported; the others are in the drive"
        )


def _refuse_own_folder(folder: Path, data: Path) -> None:
    """The store itself is no source; where it lies within the source, it is left out."""
    source = folder.resolve()
    if data.is_dir() and (source == data.resolve() or data.resolve() in source.parents):
        raise CommandFailed(f"{folder} belongs to the service itself: name the folder that is to be imported")


def _meter(*, quiet: bool) -> "Meter":
    from skyshelf.cli.base.output import Output
    from skyshelf.cli.base.progress import Meter

    # A line per file is for people who look: in a pipe the summary is enough.
    return Meter(Output(quiet=quiet or not sys.stderr.isatty()), "imported")


class _Listener:
    """Shows the events of an import on a terminal."""

    def __init__(self, meter: "Meter") -> None:
        self._meter = meter

    def __call__(self, event: "Event") -> None:
        if event.kind == "counted":
            self._meter.queued(event.size)
        elif event.kind == "counting done":
            self._meter.all_listed()
        elif event.kind == "progress":
            self._meter.moved(event.path, event.size)
        elif event.kind == "imported":
            self._meter.finished(event.path, event.size)
        elif event.kind == "unchanged":
            self._meter.skipped(event.path, event.size)


def _sentences(summary: "Summary") -> str:
    would = "would be " if summary.dry_run else ""
    lines = [
        f"{counted(summary.files_imported, 'file')} {would}imported,"
        f" {counted(summary.versions_added, 'new version')} {would}added,"
        f" {summary.files_unchanged:,} unchanged, {counted(summary.folders_created, 'folder')} {would}made;"
        f" {format_size(summary.bytes_imported)}"
        + (f", {summary.linked:,} of the files linked" if summary.linked else "")
    ]
    for title, number, notes in (
        ("under another name", summary.renamed_count, summary.renamed),
        ("left out", summary.skipped_count, summary.skipped),
        ("NOT IMPORTED", summary.failed_count, summary.failed),
    ):
        lines += _notes(title, number, notes)
    return "\n".join(lines)


def _notes(title: str, number: int, notes: "list[Note]") -> list[str]:
    if not number:
        return []
    told = [f"  {visible(note.path)}: {visible(note.detail)}" for note in notes[:_TOLD]]
    return [f"{title}: {number:,}", *told, *([f"  and {number - _TOLD:,} more"] if number > _TOLD else [])]

"""`skyshelf admin import`: copy a local folder into an account, without the network."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from skyshelf.cli.admin.stores import both_store_options, open_context, print_result
from skyshelf.cli.base.errors import CommandFailed
from skyshelf.cli.base.groups import examples
from skyshelf.cli.base.params import format_count
from skyshelf.cli.base.text import visible
from skyshelf.wire.sizes import format_size

if TYPE_CHECKING:
    from skyshelf.cli.base.progress import Meter
    from skyshelf.service.context import ServiceContext
    from skyshelf.service.importing.report import Event, Note, Summary
    from skyshelf.storage.metadata.contracts.accounts import Account

_SHOWN_MAX = 20
HARD_LINKS = (
    "WARNING: with --link hard, source and drive share each file's data. Modifying a source file in place later damages"
    " the file in the drive. Use it only for files that will never be written to again."
)


@click.command(
    "import",
    epilog=examples(
        "skyshelf admin import /mnt/photos --user ada@example.org --into /Photos --data /srv/skyshelf",
        "skyshelf admin import /mnt/photos --user ada@example.org --dry-run --json",
        "skyshelf admin import /srv/old --user ada@example.org --link reflink",
    ),
)
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--user", "email", required=True, metavar="EMAIL", help="Account to import into.")
@click.option(
    "--into", default="/", show_default=True, metavar="PATH", help="Folder in the account, created if needed."
)
@click.option(
    "--link",
    "way",
    type=click.Choice(["copy", "reflink", "hard"]),
    default="copy",
    show_default=True,
    help="If the store is on the same disk: copy files; clone them, which uses no extra space and is safe (btrfs, XFS);"
    " or create hard links, where a later change to the source damages the drive.",
)
@click.option("--follow-links", is_flag=True, help="Import the targets of symbolic links instead of skipping them.")
@click.option("--checksum", is_flag=True, help="Compare files by content instead of by size and time.")
@click.option("--dry-run", is_flag=True, help="Print the plan, and change nothing.")
@click.option(
    "--threads", type=click.IntRange(1, 64), default=4, show_default=True, help="Number of files to read in parallel."
)
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
    """Import a local folder into an account.

    It may run while the server is running. Files that the account already has, by name, size and time, are skipped;
    after an interruption, run the same command to continue. A changed file becomes the next version of the existing
    one.
    """
    if way == "hard":
        click.echo(HARD_LINKS, err=True)
    with open_context(data=data, looking=dry_run, **stores) as ctx:
        from skyshelf.service.accounts.accounts import find_account
        from skyshelf.service.importing import ImportOptions
        from skyshelf.service.importing.local_tree import identity_of
        from skyshelf.service.importing.report import INTERRUPTED
        from skyshelf.service.importing.run import TreeImport

        account = find_account(ctx, email)
        _check_source(folder, data)
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
        if not dry_run:
            _record(ctx, account, summary, str(folder))
    print_result(as_json, summary, _summary(summary))
    if summary.stopped == INTERRUPTED:
        raise CommandFailed("interrupted; everything listed above was imported. Run the same command to continue", 130)
    if summary.stopped is not None:
        raise CommandFailed(
            f"{summary.stopped}: raise the quota with `skyshelf admin user set-quota`, and run the same command again"
        )
    if summary.failed_count:
        raise CommandFailed(
            f"{format_count(summary.failed_count, 'file')} could not be imported; the rest were imported"
        )


def _record(ctx: "ServiceContext", account: "Account", summary: "Summary", source: str) -> None:
    """A line in the audit trail; the files themselves were committed in many steps."""
    from skyshelf.service.audit import kinds
    from skyshelf.service.audit.events import new_event, recorded

    event = new_event(
        ctx,
        kinds.IMPORTED,
        account,
        times=max(1, summary.files_imported + summary.versions_added),
        source=source,
        bytes=summary.bytes_imported,
    )
    recorded(ctx, lambda _: None, event)


def _check_source(folder: Path, data: Path) -> None:
    """Refuse the store itself as the source; a store inside the source is skipped."""
    source = folder.resolve()
    if data.is_dir() and (source == data.resolve() or data.resolve() in source.parents):
        raise CommandFailed(f"{folder} is part of the server's data: choose another folder to import")


def _meter(*, quiet: bool) -> "Meter":
    from skyshelf.cli.base.output import Output
    from skyshelf.cli.base.progress import Meter

    # In a pipe, the summary is enough.
    return Meter(Output(quiet=quiet or not sys.stderr.isatty()), "imported")


class _Listener:
    """Shows the progress of an import on a terminal."""

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


def _summary(summary: "Summary") -> str:
    would = "would be " if summary.dry_run else ""
    lines = [
        f"{format_count(summary.files_imported, 'file')} {would}imported,"
        f" {format_count(summary.versions_added, 'new version')} {would}added,"
        f" {summary.files_unchanged:,} unchanged, {format_count(summary.folders_created, 'folder')} {would}created;"
        f" {format_size(summary.bytes_imported)}"
        + (f", {format_count(summary.linked, 'file')} linked" if summary.linked else "")
    ]
    for title, number, notes in (
        ("renamed", summary.renamed_count, summary.renamed),
        ("skipped", summary.skipped_count, summary.skipped),
        ("FAILED", summary.failed_count, summary.failed),
    ):
        lines += _notes(title, number, notes)
    return "\n".join(lines)


def _notes(title: str, number: int, notes: "list[Note]") -> list[str]:
    if not number:
        return []
    lines = [f"  {visible(note.path)}: {visible(note.detail)}" for note in notes[:_SHOWN_MAX]]
    return [f"{title}: {number:,}", *lines, *([f"  and {number - _SHOWN_MAX:,} more"] if number > _SHOWN_MAX else [])]

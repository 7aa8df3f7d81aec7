"""`skyshelf admin import`: copy a local folder, or an export, into an account, without the network."""

from pathlib import Path
from typing import Any

import click

from skyshelf.cli.admin.stores import both_store_options, open_context, print_result
from skyshelf.cli.admin.which_store import StoreCommand
from skyshelf.cli.base.errors import CommandFailed
from skyshelf.cli.base.groups import examples
from skyshelf.cli.base.params import EXISTING_FOLDER, number_option, shown_option
from skyshelf.cli.base.progress import Meter
from skyshelf.cli.base.text import SHOWN_MAX, format_count, visible
from skyshelf.service.accounts.accounts import find_account
from skyshelf.service.audit import kinds, new_event, recorded
from skyshelf.service.context import ServiceContext
from skyshelf.service.importing import INTERRUPTED, Event, ImportOptions, Note, Summary
from skyshelf.service.importing.export_run import AccountImport
from skyshelf.service.importing.exported import ExportSummary, is_export, opened
from skyshelf.service.importing.run import TreeImport
from skyshelf.service.importing.trees import identity_of
from skyshelf.storage.metadata.contracts.accounts import Account
from skyshelf.wire.sizes import format_size

HARD_LINKS = (
    "WARNING: with --link hard, source and drive share each file's data. Modifying a source file in place later damages"
    " the file in the drive. Use it only for files that will never be written to again."
)


@click.command(
    "import",
    cls=StoreCommand,
    epilog=examples(
        "skyshelf admin import /mnt/photos --user ada@example.org --into /Photos --data /srv/skyshelf",
        "skyshelf admin import /mnt/photos --user ada@example.org --dry-run --json",
        "skyshelf admin import /srv/old --user ada@example.org --link reflink",
    ),
)
@click.argument("folder", type=EXISTING_FOLDER)
@click.option("--user", "email", required=True, metavar="EMAIL", help="Account to import into.")
@shown_option("--into", default="/", metavar="PATH", help="Folder in the account, created if needed.")
@shown_option(
    "--link",
    "way",
    type=click.Choice(["copy", "reflink", "hard"]),
    default="copy",
    help="If the store is on the same disk: copy files; clone them, which uses no extra space and is safe (btrfs, XFS);"
    " or create hard links, where a later change to the source damages the drive.",
)
@click.option("--follow-links", is_flag=True, help="Import the targets of symbolic links instead of skipping them.")
@click.option("--checksum", "by_content", is_flag=True, help="Compare files by content instead of by size and time.")
@click.option("--dry-run", is_flag=True, help="Print the plan, and change nothing.")
@number_option("--threads", 1, 64, default=4, help="Number of files to read in parallel.")
@both_store_options
def import_tree(
    *,
    folder: Path,
    email: str,
    data: Path,
    metadata: str | None,
    blobs: str | None,
    as_json: bool,
    debug: bool,
    **given: Any,
) -> None:
    """Import a local folder into an account.

    It may run while the server is running. Files that the account already has, by name, size and time, are skipped;
    after an interruption, run the same command to continue. A changed file becomes the next version of the existing
    one.

    A folder with an export (`skyshelf export`, `skyshelf admin user export`), unpacked or as ZIP files, is recognised:
    its files come with their dates, versions, tags and favourites, its trash goes to the trash, and albums, comments
    and contacts come along. What does not is listed.
    """
    if given["way"] == "hard":
        click.echo(HARD_LINKS, err=True)
    dry_run: bool = given["dry_run"]
    with open_context(data=data, metadata=metadata, blobs=blobs, debug=debug, looking=dry_run) as ctx:
        account = find_account(ctx, email)
        # A store inside the source is skipped.
        source = folder.resolve()
        if data.is_dir() and (source == data.resolve() or data.resolve() in source.parents):
            raise CommandFailed(f"{folder} is part of the server's data: choose another folder to import")
        own = frozenset({identity_of(str(data))}) if data.is_dir() else frozenset()
        options = ImportOptions(**given, without=own)
        with Meter.on_terminal("imported", quiet=as_json) as meter:
            summary = _import(ctx, account, options, MeterListener(meter), folder)
        if not dry_run:
            record_import(ctx, account, summary, str(folder))
    print_result(as_json, summary, import_summary(summary))
    if summary.stopped is not None:
        raise stopped_early(summary, "everything listed above was imported")
    if summary.failed_count:
        raise CommandFailed(
            f"{format_count(summary.failed_count, 'file')} could not be imported; the rest were imported"
        )


def _import(
    ctx: ServiceContext, account: Account, options: ImportOptions, listener: "MeterListener", folder: Path
) -> Summary:
    if not is_export(folder):
        return TreeImport(ctx, account, options, listener).run(folder)
    with opened(folder) as source:
        click.echo(
            f"This is an export of {visible(source.head.account)}, begun on {visible(source.head.begun)}.", err=True
        )
        return AccountImport(ctx, account, options, listener).run_account(source)


def record_import(ctx: ServiceContext, account: Account, summary: Summary, source: str) -> None:
    """Record the import in the audit trail; the files themselves were committed in many steps."""
    event = new_event(
        ctx,
        kinds.IMPORTED,
        account,
        times=max(1, summary.files_imported + summary.versions_added),
        source=source,
        bytes=summary.bytes_imported,
    )
    recorded(ctx, lambda _: None, event)


def stopped_early(summary: Summary, kept: str) -> CommandFailed:
    """Return the error for an import that ended early; `kept` says what stays."""
    if summary.stopped == INTERRUPTED:
        return CommandFailed(f"interrupted; {kept}. Run the same command to continue", 130)
    return CommandFailed(
        f"{summary.stopped}: raise the quota with `skyshelf admin user set-quota`, and run the same command again"
    )


class MeterListener:
    """Shows the progress of an import on a terminal."""

    def __init__(self, meter: Meter) -> None:
        self._meter = meter

    def __call__(self, event: Event) -> None:
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


def import_summary(summary: Summary) -> str:
    would = "would be " if summary.dry_run else ""
    lines = [
        f"{format_count(summary.files_imported, 'file')} {would}imported,"
        f" {format_count(summary.versions_added, 'new version')} {would}added,"
        f" {summary.files_unchanged:,} unchanged, {format_count(summary.folders_created, 'folder')} {would}created;"
        f" {format_size(summary.bytes_imported)}"
        + (f", {format_count(summary.linked, 'file')} linked" if summary.linked else "")
    ]
    if isinstance(summary, ExportSummary):
        lines += _from_export(summary)
    for title, number, notes in (
        ("renamed", summary.renamed_count, summary.renamed),
        ("skipped", summary.skipped_count, summary.skipped),
        ("FAILED", summary.failed_count, summary.failed),
    ):
        lines += _notes(title, number, notes)
    return "\n".join(lines)


def _from_export(summary: ExportSummary) -> list[str]:
    lines = []
    if not summary.dry_run:
        lines.append(
            f"{format_count(summary.albums, 'album')}, {format_count(summary.contacts, 'contact')},"
            f" {format_count(summary.tags, 'tag')}, {format_count(summary.favorites, 'favourite')} imported;"
            f" {format_count(summary.trashed, 'item')} moved to the trash"
        )
    if summary.not_imported:
        lines += ["not imported:", *(f"  {visible(sentence)}" for sentence in summary.not_imported)]
    return lines


def _notes(title: str, number: int, notes: list[Note]) -> list[str]:
    if not number:
        return []
    lines = [f"  {visible(note.path)}: {visible(note.detail)}" for note in notes[:SHOWN_MAX]]
    return [f"{title}: {number:,}", *lines, *([f"  and {number - SHOWN_MAX:,} more"] if number > SHOWN_MAX else [])]

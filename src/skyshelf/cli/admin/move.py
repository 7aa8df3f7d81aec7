"""`skyshelf admin move`: to another database, other blobs, or both."""

import time
from pathlib import Path
from typing import Any

import click

from skyshelf.cli.admin import stores
from skyshelf.cli.admin.which_store import StoreCommand, announce
from skyshelf.cli.base.errors import CommandFailed, report_errors
from skyshelf.cli.base.groups import examples
from skyshelf.cli.base.params import FOLDER, number_option, shown_option
from skyshelf.cli.base.progress import LiveLine
from skyshelf.cli.base.text import format_count, visible
from skyshelf.storage.errors import StorageError
from skyshelf.storage.local_paths import is_postgres, local_path
from skyshelf.storage.moving.move import move as make_move
from skyshelf.storage.moving.plan import Figures, Plan, measure
from skyshelf.storage.open import embedded_urls
from skyshelf.wire.sizes import format_size

_REASON = "The service is being moved to another place"


@click.command(
    cls=StoreCommand,
    epilog=examples(
        "skyshelf admin move --data /srv/skyshelf --to-metadata postgresql://skyshelf@db/skyshelf"
        " --to-blobs s3://bucket/skyshelf --dry-run",
        "skyshelf admin move --data /srv/skyshelf --to-blobs s3://bucket/skyshelf",
        "skyshelf admin move --metadata postgresql://skyshelf@db/skyshelf --blobs s3://bucket/skyshelf"
        " --to-data /srv/skyshelf",
    ),
)
@stores.data_option
@stores.metadata_option
@stores.blobs_option
@click.option("--to-data", type=FOLDER, help="Move both into this new data folder.")
@click.option("--to-metadata", metavar="URL", help="Move the metadata into this empty database.")
@click.option("--to-blobs", metavar="URL", help="Move the file contents into this empty bucket or folder.")
@shown_option("--reason", default=_REASON, help="Shown to people whose changes are refused.")
@number_option("--threads", 1, 64, default=8, help="Number of parallel copies.")
@click.option(
    "--leave-damaged",
    is_flag=True,
    help="Leave out contents that are damaged or missing in the old store, and list them.",
)
@click.option("--dry-run", is_flag=True, help="Print what would be moved, and change nothing.")
@stores.json_option
@stores.debug_option
def move(*, dry_run: bool, as_json: bool, debug: bool, **options: Any) -> None:
    """Move the store to another database, other blobs, or both.

    File contents are copied while the service runs. Then the service is read-only until the rest and the rows are
    copied, read back and compared. At the end the old store records where it was moved to, and is no longer served:
    start the server with the new options. After an interruption, run the same command to continue.

    Exits with 1 if the move failed, or if contents were left out.
    """
    plan = _plan(**options)
    announce(plan.metadata, plan.blobs, looking=dry_run)
    with report_errors(StorageError, debug=debug):
        if dry_run:
            figures = measure(plan)
            stores.print_result(as_json, figures, f"Would move {_sentence(figures)} to {plan.target}")
            return
        try:
            with _MoveLine(quiet=as_json) as shown:
                figures = make_move(plan, shown)
        except KeyboardInterrupt:
            raise CommandFailed(
                "interrupted; the service goes on with the old store. Run the same command to continue", 130
            ) from None
    stores.print_result(as_json, figures, _result(plan, figures))
    if figures.left_out:
        raise CommandFailed(
            f"{format_count(len(figures.left_out), 'content')} left out, damaged or missing in the old store: see the"
            " lines above; an upload of the same bytes heals each"
        )


def _plan(
    *,
    data: Path,
    metadata: str | None,
    blobs: str | None,
    to_data: Path | None,
    to_metadata: str | None,
    to_blobs: str | None,
    reason: str,
    threads: int,
    leave_damaged: bool,
) -> Plan:
    if to_data is not None:
        embedded = embedded_urls(to_data)
        to_metadata, to_blobs = to_metadata or embedded[0], to_blobs or embedded[1]
    source = stores.metadata_url(data, metadata), stores.blobs_url(data, blobs)
    if to_metadata is None and to_blobs is None:
        raise CommandFailed("name the new place with --to-data, --to-metadata or --to-blobs")
    if to_metadata in source or to_blobs in source:
        raise CommandFailed("the new place is the old one: name only what moves")
    return Plan(
        metadata=source[0],
        blobs=source[1],
        to_metadata=to_metadata,
        to_blobs=to_blobs,
        reason=reason,
        threads=threads,
        leave_damaged=leave_damaged,
    )


def _sentence(figures: Figures) -> str:
    return (
        f"{format_count(figures.contents, 'content')} ({format_size(figures.bytes)}),"
        f" {format_count(figures.rows, 'row')} and {format_count(figures.uploads, 'unfinished upload')}"
    )


def _result(plan: Plan, figures: Figures) -> str:
    lines = [visible(sentence) for sentence in figures.left_out]
    lines += [f"Moved {_sentence(figures)}; read-only for {figures.read_only_seconds:.1f} s."]
    if figures.resumed:
        lines.append("Contents that an earlier run had copied are not counted.")
    if figures.damaged_uploads:
        lines.append(
            f"{format_count(figures.damaged_uploads, 'unfinished upload')} had lost bytes already: clients start again."
        )
    lines.append(f"The old store is kept and no longer served. Start the server with {_options_of(plan)}.")
    return "\n".join(lines)


def _options_of(plan: Plan) -> str:
    """The options that start `serve` at the new place."""
    if plan.to_metadata is not None and plan.to_blobs is not None and not is_postgres(plan.to_metadata):
        folder = local_path(plan.to_metadata).parent
        if (plan.to_metadata, plan.to_blobs) == embedded_urls(folder):
            return f"--data {folder}"
    halves = (("--metadata", plan.to_metadata), ("--blobs", plan.to_blobs))
    return " ".join(f"{option} '{url}'" for option, url in halves if url)


class _MoveLine(LiveLine):
    """Shows phases as lines, and figures on one line of a terminal."""

    def __init__(self, *, quiet: bool) -> None:
        super().__init__(quiet=quiet)
        self._quiet = quiet
        self._began = time.monotonic()
        self._bytes = 0
        self._expected = 0

    def phase(self, sentence: str) -> None:
        self.clear()
        if not self._quiet:
            click.echo(f"{sentence} …", err=True)

    def expect(self, size: int) -> None:
        self._expected = size
        self._began = time.monotonic()

    def copied(self, _contents: int, size: int) -> None:
        """Show how many bytes were copied, and how long the rest will take."""
        self._bytes += size
        rate = self._bytes / max(time.monotonic() - self._began, 0.001)
        left = max(self._expected - self._bytes, 0) / max(rate, 1)
        self.draw(
            lambda: (
                f"  {format_size(self._bytes)} of {format_size(max(self._expected, self._bytes))},"
                f" {format_size(int(rate))}/s, {left:,.0f} s left"
            )
        )

    def rows(self, done: int, total: int) -> None:
        self.draw(lambda: f"  {100 * done // max(total, 1)} % of the rows")

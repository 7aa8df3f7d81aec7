"""`skyshelf admin backup`."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click

from skyshelf.cli.admin.backup_options import (
    DAMAGE,
    SHOWN_MAX,
    ShownProgress,
    closing_place,
    describe_cut,
    destination_argument,
    meter,
    report_outcome,
    work_option,
)
from skyshelf.cli.admin.stores import (
    blobs_url,
    both_store_options,
    metadata_url,
    open_metadata_only,
    print_result,
)
from skyshelf.cli.base.errors import CommandFailed
from skyshelf.cli.base.groups import examples
from skyshelf.cli.base.params import format_count
from skyshelf.cli.base.text import visible
from skyshelf.wire.sizes import format_size

if TYPE_CHECKING:
    from skyshelf.backup.prune import Pruned
    from skyshelf.backup.run import Taken


@click.command(
    epilog=examples(
        "skyshelf admin backup /mnt/backup --data /srv/skyshelf",
        "skyshelf admin backup /mnt/backup --data /srv/skyshelf --keep 7d,4w,12m",
        "skyshelf admin backup s3://backups/drive?endpoint=https://s3.example.org --recipient age1…",
    )
)
@destination_argument
@click.option("--recipient", "recipients", multiple=True, metavar="age1…", help="Encrypt to this age recipient.")
@click.option(
    "--recipients-file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Encrypt to the age recipients in this file, one per line.",
)
@click.option(
    "--keep",
    "rule",
    metavar="RULE",
    help="Then remove cuts: 7d,4w,12m keeps one per day for 7 days, per week for 4 weeks, per month for 12 months.",
)
@click.option("--recheck", is_flag=True, help="Read what earlier cuts have stored; replace what is damaged or missing.")
@work_option
@both_store_options
def backup(
    *,
    destination: str,
    recipients: tuple[str, ...],
    recipients_file: Path | None,
    rule: str | None,
    recheck: bool,
    work: Path | None,
    as_json: bool,
    debug: bool,
    data: Path,
    metadata: str | None,
    blobs: str | None,
) -> None:
    """Back up a store, also while the server is running.

    DEST is a folder or s3://bucket/prefix?endpoint=…, for backups of this store alone. Each run adds a cut: the rows of
    one moment and every file content that they name. Contents that an earlier cut has are not copied again. After an
    interruption, run the same command to continue.

    Exits with 1 if the store itself has damaged contents, which are listed, and with 2 if there is no new cut.
    """
    with report_outcome(debug=debug, as_json=as_json):
        from skyshelf.backup.keep import parse_rule
        from skyshelf.backup.open import open_place
        from skyshelf.backup.prune import prune
        from skyshelf.backup.run import Options, take_cut
        from skyshelf.backup.sealing import recipients_in
        from skyshelf.backup.sources import open_source

        terms = parse_rule(rule) if rule else None
        everybody = (*recipients, *(recipients_in(recipients_file) if recipients_file else ()))
        contents, rows = blobs_url(data, blobs), metadata_url(data, metadata)
        with closing_place(open_place(destination, create=True)) as place, place.lock():
            source = open_source(rows, contents)
            try:
                with meter("copied", quiet=as_json) as shown, _work(work, data) as folder:
                    options = Options(work=folder, recipients=everybody, recheck=recheck)
                    taken = take_cut(source, place, options, ShownProgress(shown))
            finally:
                source.close()
            pruned = prune(place, terms) if terms is not None else None
    _note(data, metadata)
    result = {
        "cut": describe_cut(taken.cut),
        "damaged": taken.damaged,
        "unreadable": taken.unreadable,
        "removed": pruned,
    }
    print_result(as_json, result, _backup_summary(taken, pruned))
    if taken.damaged:
        raise CommandFailed(
            f"{format_count(len(taken.damaged), 'content')} of the store damaged or missing: see the lines above, and"
            " `skyshelf admin doctor --deep`",
            DAMAGE,
        )
    if taken.unreadable:
        raise CommandFailed(f"earlier cuts cannot be read: {'; '.join(taken.unreadable)}", DAMAGE)


def _note(data: Path, metadata: str | None) -> None:
    """Let operators see in the browser when the last backup was made. The backup is good without that."""
    with suppress(CommandFailed), open_metadata_only(data=data, metadata=metadata, debug=False) as ctx:
        from skyshelf.service.operator.health import note_backup

        note_backup(ctx, ctx.clock.now())


@contextmanager
def _work(work: Path | None, data: Path) -> Iterator[Path]:
    """A folder for the copy of the rows. In the data folder it always has the same name, so a killed run leaves one."""
    if work is None and data.is_dir():
        yield data / "unfinished-backup"
        return
    with tempfile.TemporaryDirectory(prefix="skyshelf-backup-", dir=work) as folder:
        yield Path(folder) / "rows"


def _backup_summary(taken: "Taken", pruned: "Pruned | None") -> str:
    cut = taken.cut
    lines = [visible(sentence) for sentence in taken.damaged[:SHOWN_MAX]]
    if len(taken.damaged) > SHOWN_MAX:
        lines.append(f"and {len(taken.damaged) - SHOWN_MAX:,} more")
    lines.append(
        f"cut {cut.id}: {format_count(cut.files, 'content')}, {format_size(cut.total_bytes)};"
        f" new: {format_count(cut.new_files, 'content')}, {format_size(cut.new_bytes)}"
    )
    if pruned is not None and pruned.cuts:
        lines.append(
            f"removed {format_count(len(pruned.cuts), 'cut')},"
            f" {format_count(pruned.objects, 'object')}, {format_size(pruned.bytes)}"
        )
    if pruned is not None and pruned.unexplained:
        lines.append(
            f"left {format_count(pruned.unexplained, 'object')} that no cut explains, because they are many:"
            " `skyshelf admin verify` lists them"
        )
    return "\n".join(lines)

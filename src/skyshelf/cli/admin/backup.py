"""`skyshelf admin backup` and `cuts`: make backups of a store, and list them."""

import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

import click

from skyshelf.backup import open_place
from skyshelf.backup.cut import Cut, manifests
from skyshelf.backup.prune import PruneResult, parse_rule
from skyshelf.backup.prune import prune as prune_cuts
from skyshelf.backup.run import BackupResult, Options, take_cut
from skyshelf.backup.sealing import recipients_in
from skyshelf.backup.sources import open_source
from skyshelf.backup.unexplained import remove_unexplained as sweep_unexplained
from skyshelf.cli.admin import outcomes, stores
from skyshelf.cli.admin.backup_status import Notes
from skyshelf.cli.admin.cuts.kept import remove_unused
from skyshelf.cli.admin.cuts.listings import list_cuts, refuse_damaged
from skyshelf.cli.admin.server_options import parsed_options
from skyshelf.cli.admin.which_store import StoreCommand, announce
from skyshelf.cli.base.errors import CommandFailed, UsageProblem
from skyshelf.cli.base.groups import examples
from skyshelf.cli.base.params import EXISTING_FILE
from skyshelf.cli.base.text import first_lines, format_count
from skyshelf.service.operator.backups import BackupRecord
from skyshelf.wire.sizes import format_size

_WARNING: Final = (
    "Warning: this backup is not encrypted. People who can read it have all files, and the key of second factors. Set"
    " backup-recipient in server.toml to encrypt every backup; --unencrypted confirms that this is intended."
)
_INSIDE: Final = (
    "Warning: this backup is inside the data folder, so whatever destroys the store destroys the backup, too. Name a"
    " folder on another disk, or a bucket."
)


@click.command(
    cls=StoreCommand,
    looking=True,
    epilog=examples(
        "skyshelf admin backup /mnt/backup --data /srv/skyshelf",
        "skyshelf admin backup /mnt/backup --data /srv/skyshelf --keep 7d,4w,12m",
        "skyshelf admin backup s3://backups/drive?endpoint=https://s3.example.org --recipient age1…",
        "skyshelf admin backup /mnt/private --unencrypted",
    ),
)
@outcomes.destination_argument
@click.option(
    "--recipient",
    "recipients",
    multiple=True,
    metavar="age1…",
    help="Encrypt to this age recipient.  [default: backup-recipient of the server's settings]",
)
@click.option("--recipients-file", type=EXISTING_FILE, help="Encrypt to the age recipients in this file, one per line.")
@click.option("--unencrypted", is_flag=True, help="Do not encrypt, whatever the server's settings say.")
@click.option(
    "--keep",
    "rule",
    metavar="RULE",
    help="Then remove cuts: 7d,4w,12m keeps one per day for 7 days, per week for 4 weeks, per month for 12 months.",
)
@click.option("--recheck", is_flag=True, help="Read what earlier cuts have stored; replace what is damaged or missing.")
@outcomes.work_option
@stores.both_store_options
def backup(
    *,
    destination: str,
    recipients: tuple[str, ...],
    recipients_file: Path | None,
    unencrypted: bool,
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
    began = time.monotonic()
    if unencrypted and (recipients or recipients_file):
        raise click.UsageError("--unencrypted and recipients exclude each other: choose one of them")
    notes = Notes(destination, data, metadata)
    remove_unused(work)
    with outcomes.report_outcome(debug=debug, as_json=as_json):
        terms = parse_rule(rule) if rule else None
        with notes.failures("backup"):
            everybody = () if unencrypted else _recipients(recipients, recipients_file)
            contents, rows = stores.blobs_url(data, blobs), stores.metadata_url(data, metadata)
            announce(rows, contents, looking=True)
            if not everybody and not unencrypted:
                click.echo(_WARNING, err=True)
            if "://" not in destination and Path(destination).absolute().is_relative_to(data.absolute()):
                click.echo(_INSIDE, err=True)
            with closing(open_place(destination, create=True)) as place, place.lock():
                source = open_source(rows, contents)
                try:
                    with (
                        outcomes.ShownProgress.on_terminal("copied", quiet=as_json) as shown,
                        _work(work, data) as folder,
                    ):
                        options = Options(work=folder, recipients=everybody, recheck=recheck)
                        taken = take_cut(source, place, options, shown)
                finally:
                    source.close()
                pruned = prune_cuts(place, terms) if terms is not None else None
    notes.success(_record(taken.cut, notes.place, time.monotonic() - began))
    result = {
        "cut": outcomes.describe_cut(taken.cut),
        "damaged": taken.damaged,
        "unreadable": taken.unreadable,
        "removed": pruned,
    }
    stores.print_result(as_json, result, _backup_summary(taken, pruned))
    if taken.damaged:
        raise CommandFailed(
            f"{format_count(len(taken.damaged), 'content')} of the store damaged or missing: see the lines above, and"
            " `skyshelf admin doctor --deep`",
            outcomes.DAMAGE,
        )
    if taken.unreadable:
        raise CommandFailed(f"earlier cuts cannot be read: {'; '.join(taken.unreadable)}", outcomes.DAMAGE)


def _recipients(given: tuple[str, ...], file: Path | None) -> tuple[str, ...]:
    """Whom to encrypt to: those of this command, or else those of the server's settings."""
    everybody = (*given, *(recipients_in(file) if file else ()))
    if file and not everybody:
        raise CommandFailed(f"{file} has no recipients: write one per line, as age-keygen prints them")
    configured: tuple[str, ...] = parsed_options(None)["backup_recipient"]
    return everybody or configured


def _record(cut: Cut, place: str, seconds: float) -> BackupRecord:
    return BackupRecord(
        at=time.time_ns() // 1_000_000,
        size=cut.total_bytes,
        seconds=seconds,
        place=place,
        encrypted=cut.encrypted,
        new=cut.new_bytes,
        lacking=cut.lacking,
    )


@contextmanager
def _work(work: Path | None, data: Path) -> Iterator[Path]:
    """A folder for the copy of the rows; in the data folder always the same, so killed runs leave at most one."""
    if work is None and data.is_dir():
        yield data / "unfinished-backup"
        return
    with tempfile.TemporaryDirectory(prefix="skyshelf-backup-", dir=work) as folder:
        yield Path(folder) / "rows"


def _backup_summary(taken: BackupResult, pruned: PruneResult | None) -> str:
    cut = taken.cut
    lines = first_lines(taken.damaged)
    lines.append(
        f"cut {cut.id}: {format_count(cut.files, 'content')}, {format_size(cut.total_bytes)};"
        f" new: {format_count(cut.new_files, 'content')}, {format_size(cut.new_bytes)}"
    )
    lines += _pruned_lines(pruned) if pruned is not None else []
    return "\n".join(lines)


def _pruned_lines(pruned: PruneResult) -> list[str]:
    lines = []
    if pruned.cuts:
        lines.append(
            f"removed {format_count(len(pruned.cuts), 'cut')},"
            f" {format_count(pruned.objects, 'object')}, {format_size(pruned.bytes)}"
        )
    if pruned.unexplained:
        lines.append(
            f"left {format_count(pruned.unexplained, 'object')} that no cut explains, because they are many:"
            " `skyshelf admin verify` lists them"
        )
    return lines


@click.command(epilog=examples("skyshelf admin cuts /mnt/backup", "skyshelf admin cuts /mnt/backup --json"))
@outcomes.destination_argument
@stores.json_option
@stores.debug_option
def cuts(*, destination: str, as_json: bool, debug: bool) -> None:
    """List the cuts of a backup, oldest first."""
    with outcomes.report_outcome(debug=debug, as_json=as_json), closing(open_place(destination)) as place:
        found = list(manifests(place))
    stores.print_result(as_json, *list_cuts(found))
    refuse_damaged(found)


@click.command(
    epilog=examples(
        "skyshelf admin prune /mnt/backup --keep 7d,4w,12m",
        "skyshelf admin prune s3://backups/drive --remove-unexplained",
    )
)
@outcomes.destination_argument
@click.option("--keep", "rule", metavar="RULE", help="Remove cuts that the rule does not keep, as `admin backup` does.")
@click.option(
    "--remove-unexplained",
    is_flag=True,
    help="Remove objects that no cut has explained for a week; the first run notes them.",
)
@click.option("--release", is_flag=True, help="Remove unexplained objects even if they are many.")
@stores.json_option
@stores.debug_option
def prune(
    *, destination: str, rule: str | None, remove_unexplained: bool, release: bool, as_json: bool, debug: bool
) -> None:
    """Remove old cuts, and what killed backups have left.

    Backups that are killed can leave objects that belong to no cut, above all encrypted ones; `admin verify` lists
    them. --remove-unexplained notes them, and removes those that it noted at least a week ago, with a record in
    history/. It needs no identity. Many of them mean that manifests were lost, and are left until --release.
    """
    if rule is None and not remove_unexplained:
        raise UsageProblem("nothing to do: name --keep RULE, --remove-unexplained or both")
    if release and not remove_unexplained:
        raise UsageProblem("--release applies to unexplained objects: add --remove-unexplained")
    with outcomes.report_outcome(debug=debug, as_json=as_json):
        terms = parse_rule(rule) if rule is not None else None
        with closing(open_place(destination)) as place, place.lock():
            pruned = prune_cuts(place, terms) if terms is not None else None
            strays = sweep_unexplained(place, released=release) if remove_unexplained else None
    lines = _pruned_lines(pruned) if pruned is not None else []
    if pruned is not None and not lines:
        lines.append("no cut is older than the rule keeps")
    if strays is not None:
        lines.append(f"removed {format_count(len(strays.removed), 'unexplained object')}, {format_size(strays.bytes)}")
    if strays is not None and strays.waiting:
        lines.append(
            f"{format_count(strays.waiting, 'unexplained object')} noted: run the same command again from"
            f" {strays.next_at} on, and those that no cut explains by then are removed"
        )
    stores.print_result(as_json, {"removed": pruned, "unexplained": strays}, "\n".join(lines))

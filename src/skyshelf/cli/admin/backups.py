"""`skyshelf admin backup`, `cuts`, `verify` and `restore`."""

import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from skyshelf.cli.admin.stores import (
    blobs_option,
    blobs_url,
    both_store_options,
    data_option,
    debug_option,
    json_option,
    metadata_option,
    metadata_url,
    prepare_restored,
    print_result,
    print_table,
)
from skyshelf.cli.base.errors import CommandFailed, report_errors
from skyshelf.cli.base.groups import examples
from skyshelf.cli.base.params import format_count
from skyshelf.cli.base.text import visible
from skyshelf.wire.sizes import format_size

if TYPE_CHECKING:
    from skyshelf.backup.cut import Cut
    from skyshelf.backup.places import Place
    from skyshelf.backup.prune import Pruned
    from skyshelf.backup.restore import Restored
    from skyshelf.backup.run import Taken
    from skyshelf.backup.sealing import Opener
    from skyshelf.backup.verify import Verified
    from skyshelf.cli.base.progress import Meter

DAMAGE: Final = 1
IMPOSSIBLE: Final = 2
_SHOWN_MAX: Final = 20

destination = click.argument("destination", metavar="DEST")
identity_option = click.option(
    "--identity",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="File with the age identity of an encrypted backup.",
)
work_option = click.option(
    "--work",
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder for temporary files, with space for a copy of the rows.  [default: in --data, or the system's]",
)


@click.command(
    epilog=examples(
        "skyshelf admin backup /mnt/backup --data /srv/skyshelf",
        "skyshelf admin backup /mnt/backup --data /srv/skyshelf --keep 7d,4w,12m",
        "skyshelf admin backup s3://backups/drive?endpoint=https://s3.example.org --recipient age1…",
    )
)
@destination
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
@click.option("--recheck", is_flag=True, help="Look whether all that earlier cuts have stored is there.")
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
    with _reported(debug=debug, as_json=as_json):
        from skyshelf.backup.keep import parse_rule
        from skyshelf.backup.open import open_place
        from skyshelf.backup.prune import prune
        from skyshelf.backup.run import Options, take_cut
        from skyshelf.backup.sealing import recipients_in
        from skyshelf.backup.sources import open_source

        terms = parse_rule(rule) if rule else None
        everybody = (*recipients, *(recipients_in(recipients_file) if recipients_file else ()))
        contents, rows = blobs_url(data, blobs), metadata_url(data, metadata)
        with _place(open_place(destination, create=True)) as place, place.lock():
            source = open_source(rows, contents)
            try:
                with _meter("copied", quiet=as_json) as meter, _work(work, data) as folder:
                    options = Options(work=folder, recipients=everybody, recheck=recheck)
                    taken = take_cut(source, place, options, _Shown(meter))
            finally:
                source.close()
            pruned = prune(place, terms) if terms is not None else None
    result = {"cut": _described(taken.cut), "damaged": taken.damaged, "unreadable": taken.unreadable, "removed": pruned}
    print_result(as_json, result, _backup_summary(taken, pruned))
    if taken.damaged:
        raise CommandFailed(
            f"{format_count(len(taken.damaged), 'content')} of the store damaged or missing: see the lines above, and"
            " `skyshelf admin doctor --deep`",
            DAMAGE,
        )
    if taken.unreadable:
        raise CommandFailed(f"earlier cuts cannot be read: {'; '.join(taken.unreadable)}", DAMAGE)


@click.command(epilog=examples("skyshelf admin cuts /mnt/backup", "skyshelf admin cuts /mnt/backup --json"))
@destination
@json_option
@debug_option
def cuts(*, destination: str, as_json: bool, debug: bool) -> None:
    """List the cuts of a backup, oldest first."""
    with _reported(debug=debug, as_json=as_json):
        from skyshelf.backup.cut import manifests
        from skyshelf.backup.open import open_place

        with _place(open_place(destination)) as place:
            found = list(manifests(place))
    rows = [("TIME", "FILES", "SIZE", "NEW", "STATE", "CUT")] if found else []
    for one in found:
        if one.cut is None:
            rows.append(("", "", "", "", one.problem or "", one.id))
        else:
            state = "complete" if one.cut.is_complete else f"lacks {one.cut.lacking:,}"
            state += ", encrypted" if one.cut.encrypted else ""
            sizes = (format_size(one.cut.total_bytes), format_size(one.cut.new_bytes))
            rows.append((one.cut.time, f"{one.cut.files:,}", *sizes, state, one.id))
    listed = [_described(one.cut) if one.cut else {"id": one.id, "problem": one.problem} for one in found]
    print_table(as_json, listed, rows, empty="no cuts")
    if any(one.cut is None for one in found):
        raise CommandFailed("some manifests are damaged: `skyshelf admin verify` shows more", DAMAGE)


@click.command(
    epilog=examples(
        "skyshelf admin verify /mnt/backup",
        "skyshelf admin verify /mnt/backup --deep --rehearse",
        "skyshelf admin verify s3://backups/drive --deep --identity key.txt --json",
    )
)
@destination
@click.option("--deep", is_flag=True, help="Read everything and compare its hashes; this may take a long time.")
@click.option("--rehearse", is_flag=True, help="Restore into a temporary folder, and run the doctor there.")
@click.option("--cut", "wanted", metavar="TIME", help="The cut to rehearse with.  [default: the newest complete one]")
@identity_option
@work_option
@json_option
@debug_option
def verify(
    *,
    destination: str,
    deep: bool,
    rehearse: bool,
    wanted: str | None,
    identity: Path | None,
    work: Path | None,
    as_json: bool,
    debug: bool,
) -> None:
    """Check a backup; nothing in it is changed.

    All manifests and lists are read, and the presence and size of every object is checked. A rehearsal needs space for
    the whole store, unless the temporary folder is on the disk of an unencrypted backup.

    Exits with 0 if all is well, 1 if something is damaged or missing, and 2 if it could not be checked.
    """
    with _reported(debug=debug, as_json=as_json):
        from skyshelf.backup.open import open_place
        from skyshelf.backup.verify import verify as check

        opener = _opener(identity)
        with _place(open_place(destination)) as place:
            with _meter("checked", quiet=as_json) as meter:
                verified = check(place, deep=deep, opener=opener, progress=_Shown(meter))
            if not as_json:
                _print_verified(verified)
            rehearsed = None
            if rehearse and verified.passed:
                with _meter("restored", quiet=as_json) as meter:
                    rehearsed = _rehearse(place, wanted, opener, work, _Shown(meter))
                if not as_json:
                    _print_rehearsed(rehearsed)
    passed = verified.passed and (rehearsed is None or rehearsed["passed"])
    print_result(as_json, {"passed": passed, "verified": verified, "rehearsed": rehearsed}, "")
    if not verified.passed:
        raise CommandFailed(
            f"{format_count(len(verified.damage), 'object')} damaged or missing: run `skyshelf admin backup --recheck`,"
            " which copies again what the store still has; delete damaged objects first",
            DAMAGE,
        )
    if not passed:
        raise CommandFailed("the restored store is not sound: see the lines above", DAMAGE)


@click.command(
    epilog=examples(
        "skyshelf admin restore /mnt/backup --data /srv/skyshelf",
        "skyshelf admin restore /mnt/backup --cut 2027-03-01 --data /srv/skyshelf",
        "skyshelf admin restore s3://backups/drive --identity key.txt --metadata postgresql://… --blobs s3://…",
    )
)
@destination
@click.option("--cut", "wanted", metavar="TIME", help="A cut by its time or id.  [default: the newest complete one]")
@identity_option
@work_option
@data_option
@metadata_option
@blobs_option
@json_option
@debug_option
def restore(
    *,
    destination: str,
    wanted: str | None,
    identity: Path | None,
    work: Path | None,
    data: Path,
    metadata: str | None,
    blobs: str | None,
    as_json: bool,
    debug: bool,
) -> None:
    """Make a store of a backup, in an empty place.

    Each content is verified as it is restored. A backup of either kind of store can be restored to either: a folder
    (--data), or PostgreSQL and a bucket (--metadata, --blobs). After an interruption, run the same command to continue.

    Exits with 1 if contents could not be restored, which are listed, and with 2 if there is no new store.
    """
    with _reported(debug=debug, as_json=as_json):
        from skyshelf.backup.cut import choose
        from skyshelf.backup.open import open_place
        from skyshelf.backup.restore import Target
        from skyshelf.backup.restore import restore as make_store

        opener = _opener(identity)
        with _place(open_place(destination)) as place, prepare_restored(data, metadata, blobs) as (rows, contents):
            found = choose(place, wanted)
            folder = work or (data if metadata is None or blobs is None else Path(tempfile.gettempdir()))
            target = Target(rows, contents, folder.absolute() / f"unfinished-restore-{found.id}")
            with _meter("restored", quiet=as_json) as meter:
                restored = make_store(place, found, target, opener=opener, progress=_Shown(meter))
    print_result(as_json, restored, _restore_summary(restored, data, metadata, blobs))
    if restored.problems:
        raise CommandFailed(
            f"{format_count(len(restored.problems), 'content')} could not be restored: see the lines above; an earlier"
            " cut may have them",
            DAMAGE,
        )


def _rehearse(
    place: "Place", wanted: str | None, opener: "Opener | None", work: Path | None, progress: "_Shown"
) -> dict[str, Any]:
    """Restore into a temporary folder and let the doctor look at it."""
    from skyshelf.backup.cut import choose
    from skyshelf.backup.restore import Target
    from skyshelf.backup.restore import restore as make_store
    from skyshelf.service.context import ServiceContext
    from skyshelf.service.doctor.check import CheckRun
    from skyshelf.service.doctor.run import run_checks
    from skyshelf.storage.open import embedded_urls, open_stores

    with tempfile.TemporaryDirectory(prefix="skyshelf-rehearsal-", dir=work) as name:
        folder = Path(name)
        target = Target(*embedded_urls(folder / "data"), folder / "work", link=True)
        restored = make_store(place, choose(place, wanted), target, opener=opener, progress=progress)
        progress.step("running the doctor")
        rows, contents = open_stores(*embedded_urls(folder / "data"))
        ctx = ServiceContext(metadata=rows, blobs=contents)
        try:
            checks = list(run_checks(ctx, CheckRun(deep=True)))
        finally:
            ctx.media.close()
            rows.close()
            contents.close()
    passed = not restored.problems and all(check.passed for check in checks)
    return {"passed": passed, "restored": restored, "checks": checks}


@contextmanager
def _reported(*, debug: bool, as_json: bool) -> Iterator[None]:
    """Whatever prevents the work is no damage: monitoring can tell them apart."""
    from skyshelf.storage.errors import StorageError

    try:
        with report_errors(StorageError, OSError, debug=debug):
            yield
    except CommandFailed as failed:
        if as_json:
            print_result(True, {"error": failed.message}, "")
        raise CommandFailed(failed.message, IMPOSSIBLE) from failed


@contextmanager
def _place(place: "Place") -> Iterator["Place"]:
    try:
        yield place
    finally:
        place.close()


@contextmanager
def _work(work: Path | None, data: Path) -> Iterator[Path]:
    """A folder for the copy of the rows. In the data folder it always has the same name, so a killed run leaves one."""
    if work is None and data.is_dir():
        yield data / "unfinished-backup"
        return
    with tempfile.TemporaryDirectory(prefix="skyshelf-backup-", dir=work) as folder:
        yield Path(folder) / "rows"


def _opener(identity: Path | None) -> "Opener | None":
    from skyshelf.backup.sealing import open_identities

    return open_identities(identity) if identity is not None else None


def _meter(verb: str, *, quiet: bool) -> "Meter":
    from skyshelf.cli.base.output import Output
    from skyshelf.cli.base.progress import Meter

    # In a pipe, the summary is enough.
    return Meter(Output(quiet=quiet or not sys.stderr.isatty()), verb)


class _Shown:
    """Progress on a terminal."""

    def __init__(self, meter: "Meter") -> None:
        self._meter = meter

    def step(self, sentence: str) -> None:
        self._meter.moved(sentence, 0)

    def queued(self, size: int) -> None:
        self._meter.queued(size)

    def all_queued(self) -> None:
        self._meter.all_listed()

    def moved(self, name: str, done: int) -> None:
        self._meter.moved(name, done)

    def finished(self, name: str, size: int) -> None:
        self._meter.finished(name, size)

    def failed(self, name: str, reason: str) -> None:
        """Reported at the end, with all others."""


def _described(cut: "Cut") -> dict[str, Any]:
    """A cut for a program; lists of objects are left out."""
    return {
        "id": cut.id,
        "time": cut.time,
        "store": cut.store,
        "generation": cut.generation,
        "schema": cut.schema,
        "program": cut.program,
        "files": cut.files,
        "bytes": cut.total_bytes,
        "newFiles": cut.new_files,
        "newBytes": cut.new_bytes,
        "encrypted": cut.encrypted,
        "complete": cut.is_complete,
        "lacking": cut.lacking,
    }


def _backup_summary(taken: "Taken", pruned: "Pruned | None") -> str:
    cut = taken.cut
    lines = [visible(sentence) for sentence in taken.damaged[:_SHOWN_MAX]]
    if len(taken.damaged) > _SHOWN_MAX:
        lines.append(f"and {len(taken.damaged) - _SHOWN_MAX:,} more")
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


def _print_verified(verified: "Verified") -> None:
    for damage in verified.damage[:_SHOWN_MAX]:
        click.echo(visible(f"{damage.object} {damage.problem}; cuts that need it: {', '.join(damage.cuts)}"))
    if len(verified.damage) > _SHOWN_MAX:
        click.echo(f"and {len(verified.damage) - _SHOWN_MAX:,} more")
    for sentence in verified.lacking:
        click.echo(sentence)
    for name in verified.unknown[:_SHOWN_MAX]:
        click.echo(visible(f"{name} belongs to no cut"))
    if len(verified.unknown) > _SHOWN_MAX:
        click.echo(f"and {len(verified.unknown) - _SHOWN_MAX:,} more that belong to no cut")
    how = "read and compared" if verified.deep else "checked"
    click.echo(
        f"{format_count(verified.cuts, 'cut')}: {format_count(verified.objects, 'object')} {how},"
        f" {format_size(verified.bytes)}; {len(verified.damage) or 'none'} damaged or missing"
    )


def _print_rehearsed(rehearsed: dict[str, Any]) -> None:
    restored: Restored = rehearsed["restored"]
    for sentence in restored.problems[:_SHOWN_MAX]:
        click.echo(visible(sentence))
    for check in rehearsed["checks"]:
        for problem in check.problems[:_SHOWN_MAX]:
            click.echo(visible(f"{check.check}: {problem.sentence}"))
    verdict = "the doctor found nothing" if rehearsed["passed"] else "NOT SOUND"
    click.echo(
        f"rehearsal with the cut {restored.cut}: {format_count(restored.files, 'content')},"
        f" {format_size(restored.bytes)} restored; {verdict}"
    )


def _restore_summary(restored: "Restored", data: Path, metadata: str | None, blobs: str | None) -> str:
    lines = [visible(sentence) for sentence in restored.problems[:_SHOWN_MAX]]
    if len(restored.problems) > _SHOWN_MAX:
        lines.append(f"and {len(restored.problems) - _SHOWN_MAX:,} more")
    lines.append(
        f"restored the cut of {restored.time}: {format_count(restored.files, 'content')}, {format_size(restored.bytes)}"
    )
    stores = [] if metadata and blobs else [f"--data {data}"]
    stores += [f"--metadata '{metadata}'"] if metadata else []
    stores += [f"--blobs '{blobs}'"] if blobs else []
    lines.append(f"start it: skyshelf serve {' '.join(stores)}")
    return "\n".join(lines)

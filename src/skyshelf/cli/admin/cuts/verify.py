"""`skyshelf admin verify`: checks of a backup, and rehearsals of its restore."""

import tempfile
import time
from contextlib import AbstractContextManager, closing, nullcontext
from datetime import timedelta
from pathlib import Path
from typing import Any

import click

from skyshelf.backup import open_place
from skyshelf.backup.cut import CUTS, choose, manifests
from skyshelf.backup.places import Place
from skyshelf.backup.restore import RestoreResult, Target
from skyshelf.backup.restore import restore as make_store
from skyshelf.backup.sealing import Opener
from skyshelf.backup.verify import VerifyResult
from skyshelf.backup.verify import verify as check
from skyshelf.cli.admin import outcomes, stores
from skyshelf.cli.admin.backup_status import Notes, last_rehearsal, noted_checks
from skyshelf.cli.admin.cuts.kept import remove_unused
from skyshelf.cli.admin.which_store import StoreCommand
from skyshelf.cli.base.errors import CommandFailed
from skyshelf.cli.base.groups import examples
from skyshelf.cli.base.params import PERIOD
from skyshelf.cli.base.text import SHOWN_MAX, first_lines, format_count, visible
from skyshelf.service.context import ServiceContext
from skyshelf.service.doctor import run_checks
from skyshelf.service.doctor.check import CheckRun
from skyshelf.service.operator.backups import Step
from skyshelf.storage.open import embedded_urls, open_stores
from skyshelf.wire.sizes import format_size


@click.command(
    cls=StoreCommand,
    looking=True,
    epilog=examples(
        "skyshelf admin verify /mnt/backup",
        "skyshelf admin verify /mnt/backup --deep --rehearse",
        "skyshelf admin verify /mnt/backup --rehearse-every 7d",
        "skyshelf admin verify s3://backups/drive --deep --identity key.txt --json",
    ),
)
@outcomes.destination_argument
@click.option("--deep", is_flag=True, help="Read everything and compare its hashes; this may take a long time.")
@click.option("--rehearse", is_flag=True, help="Restore into a temporary folder, and run the doctor there.")
@click.option(
    "--rehearse-every",
    type=PERIOD,
    metavar="PERIOD",
    help="Rehearse if the last rehearsal was longer ago than this, such as 7d. Encrypted backups need --identity.",
)
@click.option("--cut", "wanted", metavar="TIME", help="The cut to rehearse with.  [default: the newest complete one]")
@outcomes.identity_option
@outcomes.work_option
@stores.store_options
def verify(
    *,
    destination: str,
    deep: bool,
    rehearse: bool,
    rehearse_every: timedelta | None,
    wanted: str | None,
    identity: Path | None,
    work: Path | None,
    data: Path,
    metadata: str | None,
    as_json: bool,
    debug: bool,
) -> None:
    """Check a backup; nothing in it is changed.

    All manifests and lists are read, and the presence and size of every object is checked. A rehearsal needs space for
    the whole store, unless the temporary folder is on the disk of an unencrypted backup.

    The store that the backup is of notes the result, if it is on this machine or named.

    Exits with 0 if all is well, 1 if something is damaged or missing, and 2 if it could not be checked.
    """
    remove_unused(work)
    notes = noted_checks(destination, data, metadata, lambda: _stores_of(destination))
    with outcomes.report_outcome(debug=debug, as_json=as_json):
        opener = outcomes.opener_of(identity)
        with _noting(notes, "verification"), closing(open_place(destination)) as place:
            with outcomes.ShownProgress.on_terminal("checked", quiet=as_json) as shown:
                verified = check(place, deep=deep, opener=opener, progress=shown)
            if not as_json:
                _print_verified(verified)
            if verified.passed and not rehearse and rehearse_every is not None:
                rehearse = _is_due(notes, rehearse_every, place, opener)
        rehearsed = None
        if rehearse and verified.passed:
            with (
                _noting(notes, "rehearsal"),
                closing(open_place(destination)) as place,
                outcomes.ShownProgress.on_terminal("restored", quiet=as_json) as shown,
            ):
                rehearsed = _rehearse(place, wanted, opener, work, shown)
            if not as_json:
                _print_rehearsed(rehearsed)
    passed = verified.passed and (rehearsed is None or rehearsed["passed"])
    stores.print_result(as_json, {"passed": passed, "verified": verified, "rehearsed": rehearsed}, "")
    damaged = (
        f"{format_count(len(verified.damage), 'object')} damaged or missing: run `skyshelf admin backup --recheck`,"
        " which stores again what the store still has"
    )
    unsound = "the restored store is not sound: see the lines above"
    if notes is not None:
        _note_result(notes, "verification", None if verified.passed else damaged, deep=deep)
        if rehearsed is not None:
            _note_result(notes, "rehearsal", None if passed else unsound, deep=True)
    if not passed:
        raise CommandFailed(unsound if verified.passed else damaged, outcomes.DAMAGE)


def _stores_of(destination: str) -> set[str]:
    """The ids of the stores that a backup is of."""
    with closing(open_place(destination)) as place:
        return {one.cut.store for one in manifests(place) if one.cut is not None}


def _noting(notes: Notes | None, step: Step) -> AbstractContextManager[None]:
    return nullcontext() if notes is None else notes.failures(step)


def _note_result(notes: Notes, step: Step, problem: str | None, *, deep: bool) -> None:
    if problem is None:
        notes.check(step, deep=deep)
    else:
        notes.failure(step, problem)


def _is_due(notes: Notes | None, every: timedelta, place: Place, opener: Opener | None) -> bool:
    newest = next((one.cut for one in reversed(list(manifests(place))) if one.cut is not None), None)
    if opener is None and newest is not None and newest.encrypted:
        click.echo("not rehearsed: the backup is encrypted, and a rehearsal needs --identity", err=True)
        return False
    last = 0 if notes is None else last_rehearsal(notes)
    return every != timedelta.max and time.time() - last / 1000 > every.total_seconds()


def _rehearse(
    place: Place, wanted: str | None, opener: Opener | None, work: Path | None, progress: outcomes.ShownProgress
) -> dict[str, Any]:
    """Restore into a temporary folder and run the doctor on it."""
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


def _print_verified(verified: VerifyResult) -> None:
    damage = [f"{one.object} {one.problem}; cuts that need it: {', '.join(one.cuts)}" for one in verified.damage]
    unknown = [f"{name} belongs to no cut" for name in verified.unknown]
    for line in (
        *first_lines(damage),
        *verified.lacking,
        *first_lines(unknown, rest="and {:,} more that belong to no cut"),
    ):
        click.echo(line)
    if verified.unknown and any(one.object.startswith(CUTS) for one in verified.damage):
        click.echo("keep what belongs to no cut: it may belong to those that cannot be read")
    elif verified.unknown:
        click.echo("`skyshelf admin prune --remove-unexplained` removes what killed backups have left")
    how = "read and compared" if verified.deep else "checked"
    click.echo(
        f"{format_count(verified.cuts, 'cut')}: {format_count(verified.objects, 'object')} {how},"
        f" {format_size(verified.bytes)}; {len(verified.damage) or 'none'} damaged or missing"
    )


def _print_rehearsed(rehearsed: dict[str, Any]) -> None:
    restored: RestoreResult = rehearsed["restored"]
    for sentence in restored.problems[:SHOWN_MAX]:
        click.echo(visible(sentence))
    for result in rehearsed["checks"]:
        for problem in result.problems[:SHOWN_MAX]:
            click.echo(visible(f"{result.check}: {problem.sentence}"))
    verdict = "the doctor found nothing" if rehearsed["passed"] else "NOT SOUND"
    click.echo(
        f"rehearsal with the cut {restored.cut}: {format_count(restored.files, 'content')},"
        f" {format_size(restored.bytes)} restored; {verdict}"
    )

"""`skyshelf admin verify`: checks of a backup, and a rehearsal of its restore."""

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from skyshelf.cli.admin.backup_options import (
    DAMAGE,
    SHOWN_MAX,
    ShownProgress,
    closing_place,
    destination_argument,
    identity_option,
    meter,
    opener_of,
    report_outcome,
    work_option,
)
from skyshelf.cli.admin.stores import (
    debug_option,
    json_option,
    print_result,
)
from skyshelf.cli.base.errors import CommandFailed
from skyshelf.cli.base.groups import examples
from skyshelf.cli.base.params import format_count
from skyshelf.cli.base.text import visible
from skyshelf.wire.sizes import format_size

if TYPE_CHECKING:
    from skyshelf.backup.places import Place
    from skyshelf.backup.restore import Restored
    from skyshelf.backup.sealing import Opener
    from skyshelf.backup.verify import Verified


@click.command(
    epilog=examples(
        "skyshelf admin verify /mnt/backup",
        "skyshelf admin verify /mnt/backup --deep --rehearse",
        "skyshelf admin verify s3://backups/drive --deep --identity key.txt --json",
    )
)
@destination_argument
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
    with report_outcome(debug=debug, as_json=as_json):
        from skyshelf.backup.open import open_place
        from skyshelf.backup.verify import verify as check

        opener = opener_of(identity)
        with closing_place(open_place(destination)) as place:
            with meter("checked", quiet=as_json) as shown:
                verified = check(place, deep=deep, opener=opener, progress=ShownProgress(shown))
            if not as_json:
                _print_verified(verified)
            rehearsed = None
            if rehearse and verified.passed:
                with meter("restored", quiet=as_json) as shown:
                    rehearsed = _rehearse(place, wanted, opener, work, ShownProgress(shown))
                if not as_json:
                    _print_rehearsed(rehearsed)
    passed = verified.passed and (rehearsed is None or rehearsed["passed"])
    print_result(as_json, {"passed": passed, "verified": verified, "rehearsed": rehearsed}, "")
    if not verified.passed:
        raise CommandFailed(
            f"{format_count(len(verified.damage), 'object')} damaged or missing: run `skyshelf admin backup --recheck`,"
            " which stores again what the store still has",
            DAMAGE,
        )
    if not passed:
        raise CommandFailed("the restored store is not sound: see the lines above", DAMAGE)


def _rehearse(
    place: "Place", wanted: str | None, opener: "Opener | None", work: Path | None, progress: "ShownProgress"
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


def _print_verified(verified: "Verified") -> None:
    for damage in verified.damage[:SHOWN_MAX]:
        click.echo(visible(f"{damage.object} {damage.problem}; cuts that need it: {', '.join(damage.cuts)}"))
    if len(verified.damage) > SHOWN_MAX:
        click.echo(f"and {len(verified.damage) - SHOWN_MAX:,} more")
    for sentence in verified.lacking:
        click.echo(sentence)
    for name in verified.unknown[:SHOWN_MAX]:
        click.echo(visible(f"{name} belongs to no cut"))
    if len(verified.unknown) > SHOWN_MAX:
        click.echo(f"and {len(verified.unknown) - SHOWN_MAX:,} more that belong to no cut")
    how = "read and compared" if verified.deep else "checked"
    click.echo(
        f"{format_count(verified.cuts, 'cut')}: {format_count(verified.objects, 'object')} {how},"
        f" {format_size(verified.bytes)}; {len(verified.damage) or 'none'} damaged or missing"
    )


def _print_rehearsed(rehearsed: dict[str, Any]) -> None:
    restored: Restored = rehearsed["restored"]
    for sentence in restored.problems[:SHOWN_MAX]:
        click.echo(visible(sentence))
    for check in rehearsed["checks"]:
        for problem in check.problems[:SHOWN_MAX]:
            click.echo(visible(f"{check.check}: {problem.sentence}"))
    verdict = "the doctor found nothing" if rehearsed["passed"] else "NOT SOUND"
    click.echo(
        f"rehearsal with the cut {restored.cut}: {format_count(restored.files, 'content')},"
        f" {format_size(restored.bytes)} restored; {verdict}"
    )

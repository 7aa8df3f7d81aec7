"""`skyshelf admin doctor`: consistency checks of the store."""

from typing import TYPE_CHECKING, Any, Final

import click

from skyshelf.cli.admin.checked import DAMAGE, not_checked_on_errors
from skyshelf.cli.admin.live_line import LiveLine
from skyshelf.cli.admin.stores import both_store_options, open_context, print_result
from skyshelf.cli.base.errors import CommandFailed
from skyshelf.cli.base.groups import examples
from skyshelf.cli.base.params import format_count
from skyshelf.cli.base.text import visible

if TYPE_CHECKING:
    from skyshelf.service.context import ServiceContext
    from skyshelf.service.doctor.run import CheckResult
    from skyshelf.storage.metadata.contracts.inspection import Totals

_SHOWN_MAX: Final = 20


@click.command(
    epilog=examples(
        "skyshelf admin doctor --data /srv/skyshelf",
        "skyshelf admin doctor --data /srv/skyshelf --deep --repair",
        "skyshelf admin doctor --data /backup --json",
    )
)
@click.option("--deep", is_flag=True, help="Read every file and compare its hashes; this may take a long time.")
@click.option("--repair", is_flag=True, help="Repair what can be repaired; without it, nothing is changed.")
@click.option(
    "--threads", type=click.IntRange(1, 64), default=8, show_default=True, help="Number of files to check in parallel."
)
@both_store_options
def doctor(*, deep: bool, repair: bool, threads: int, as_json: bool, debug: bool, **stores: Any) -> None:
    """Check the consistency of the store.

    It may run while the server is running, and on a backup. It checks rows, parents, references, quotas, uploads,
    thumbnails and file contents. Without --repair it only looks: it changes no row and no file, and does not upgrade a
    store of another version.

    Exit codes, with the "outcome" in JSON: 0 ("well") if nothing is damaged, or all of it was repaired; 1 ("damage");
    2 ("not checked") if the store cannot be opened, is of another version, or its halves do not belong together.
    """
    with (
        not_checked_on_errors(as_json=as_json, debug=debug),
        open_context(looking=not repair, debug=True, **stores) as ctx,
    ):
        left = _examine(ctx, deep=deep, repair=repair, threads=threads, as_json=as_json)
    if left:
        raise CommandFailed(_advice(left, repair=repair), DAMAGE)


def _examine(ctx: "ServiceContext", *, deep: bool, repair: bool, threads: int, as_json: bool) -> "list[CheckResult]":
    """Run all checks and print their results; the checks that failed."""
    from skyshelf.service.doctor.check import CheckRun
    from skyshelf.service.doctor.run import CHECKS, run_checks

    with ctx.metadata.snapshot() as unit:
        totals = unit.inspection.totals()
    line = LiveLine(totals.blobs)
    run = CheckRun(deep=deep, threads=threads, is_in_use=ctx.metadata.is_in_use(), progress=line.progress)
    results = []
    with line:
        checks = run_checks(ctx, run, repair=repair)
        for check in CHECKS:
            line.begin(check.name)
            result = next(checks)
            line.clear()
            results.append(result)
            if not as_json:
                _print_check(result)
    if repair and (repaired := sum(result.repaired for result in results)):
        _record(ctx, repaired, [result.check for result in results if result.repaired])
    left = [result for result in results if not result.passed]
    outcome = "damage" if left else "well"
    print_result(
        as_json,
        {"outcome": outcome, "passed": not left, "examined": totals, "checks": results},
        _summary(results, totals),
    )
    return left


def _record(ctx: "ServiceContext", repaired: int, checks: list[str]) -> None:
    from skyshelf.service.audit import kinds
    from skyshelf.service.audit.events import new_event, recorded

    recorded(ctx, lambda _: None, new_event(ctx, kinds.REPAIRED, times=repaired, checks=checks))


def _print_check(result: "CheckResult") -> None:
    click.echo(f"{_status(result):<9}{result.check:<11} {result.description}")
    for problem in result.problems[:_SHOWN_MAX]:
        done = f" → {problem.repair}" if problem.repair else ""
        note = "" if problem.is_damage or problem.repair else " (no damage)"
        click.echo(f"           {visible(problem.sentence)}{note}{visible(done)}")
    if result.found > _SHOWN_MAX:
        click.echo(f"           and {result.found - _SHOWN_MAX:,} more" + (" at least" if result.more else ""))


def _status(result: "CheckResult") -> str:
    if not result.passed:
        return "FAILED"
    return "repaired" if result.repaired else "ok"


def _summary(results: "list[CheckResult]", totals: "Totals") -> str:
    checked = ", ".join(
        format_count(number, noun)
        for number, noun in (
            (totals.accounts, "account"),
            (totals.objects, "object"),
            (totals.versions, "version"),
            (totals.blobs, "blob"),
        )
    )
    repaired = sum(result.repaired for result in results)
    verdict = "All checks passed" if all(result.passed for result in results) else "Some checks failed"
    return f"{verdict}: {checked}" + (f"; {format_count(repaired, 'problem')} repaired." if repaired else ".")


def _advice(left: "list[CheckResult]", *, repair: bool) -> str:
    names = ", ".join(result.check for result in left)
    if not repair:
        return f"problems found ({names}): run the same command with --repair"
    if any(result.more for result in left):
        return f"problems remain ({names}): run it again, and restore what it cannot repair from a backup"
    return f"problems that cannot be repaired ({names}): restore the data from a backup"

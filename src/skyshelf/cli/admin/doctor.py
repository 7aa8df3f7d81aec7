"""`skyshelf admin doctor`: consistency checks of the store."""

from typing import TYPE_CHECKING, Any

import click

from skyshelf.cli.admin.stores import both_store_options, open_context, print_result
from skyshelf.cli.base.errors import CommandFailed
from skyshelf.cli.base.groups import examples
from skyshelf.cli.base.params import format_count
from skyshelf.cli.base.text import visible

if TYPE_CHECKING:
    from skyshelf.service.doctor.run import CheckResult
    from skyshelf.storage.metadata.contracts.inspection import Totals

_SHOWN_MAX = 20


@click.command(
    epilog=examples(
        "skyshelf admin doctor --data /srv/skyshelf",
        "skyshelf admin doctor --data /srv/skyshelf --deep --repair",
        "skyshelf admin doctor --data /srv/skyshelf --json",
    )
)
@click.option("--deep", is_flag=True, help="Read every file and compare its hashes; this may take a long time.")
@click.option("--repair", is_flag=True, help="Repair what can be repaired.")
@click.option(
    "--threads", type=click.IntRange(1, 64), default=8, show_default=True, help="Number of files to check in parallel."
)
@both_store_options
def doctor(*, deep: bool, repair: bool, threads: int, as_json: bool, **stores: Any) -> None:
    """Check the consistency of the store.

    It may run while the server is running, and checks rows, parents, references, quotas, uploads, thumbnails and file
    contents. Exits with 1 if a problem was found and not repaired.
    """
    with open_context(**stores) as ctx:
        from skyshelf.service.doctor.check import CheckRun
        from skyshelf.service.doctor.run import run_checks

        with ctx.metadata.snapshot() as unit:
            totals = unit.inspection.totals()
        results = []
        for result in run_checks(ctx, CheckRun(deep=deep, threads=threads), repair=repair):
            results.append(result)
            if not as_json:
                _print_check(result)
        left = [result for result in results if not result.passed]
        print_result(as_json, {"passed": not left, "examined": totals, "checks": results}, _summary(results, totals))
        if left:
            raise CommandFailed(_advice(left, repair=repair))


def _print_check(result: "CheckResult") -> None:
    status = "ok" if not result.found else "repaired" if result.passed else "FAILED"
    click.echo(f"{status:<9}{result.check:<11} {result.description}")
    for problem in result.problems[:_SHOWN_MAX]:
        done = f" → {problem.repair}" if problem.repair else ""
        click.echo(f"           {visible(problem.sentence)}{visible(done)}")
    if result.found > _SHOWN_MAX:
        click.echo(f"           and {result.found - _SHOWN_MAX:,} more" + (" at least" if result.more else ""))


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

"""`skyshelf admin doctor`: whether the store keeps its promises."""

from typing import TYPE_CHECKING, Any

import click

from skyshelf.cli.admin.stores import both_store_options, open_context, tell
from skyshelf.cli.base.errors import CommandFailed
from skyshelf.cli.base.params import counted
from skyshelf.cli.base.text import visible

if TYPE_CHECKING:
    from skyshelf.service.doctor.run import CheckResult
    from skyshelf.storage.metadata.contracts.inspection import Totals

_TOLD = 20


@click.command
@click.option("--deep", is_flag=True, help="Read every file and compare its hashes; this takes as long as it takes.")
@click.option("--repair", is_flag=True, help="Repair what can be repaired, and report it.")
@click.option("--threads", type=click.IntRange(1, 64), default=8, show_default=True, help="Files looked at at once.")
@both_store_options
def doctor(*, deep: bool, repair: bool, threads: int, as_json: bool, **stores: Any) -> None:
    """Check that the store keeps every promise, also while the service runs.

    It looks at rows, parents, references, quotas, uploads, thumbnails and the contents of files, and ends with exit
    code 1 when something is wrong that was not repaired.

    \b
    Examples:
      skyshelf admin doctor --data /srv/skyshelf
      skyshelf admin doctor --data /srv/skyshelf --deep --repair
      skyshelf admin doctor --data /srv/skyshelf --json
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
                _say(result)
        left = [result for result in results if not result.passed]
        tell(as_json, {"passed": not left, "examined": totals, "checks": results}, _end(results, totals))
        if left:
            raise CommandFailed(_advice(left, repair=repair))


def _say(result: "CheckResult") -> None:
    mark = "ok        " if not result.found else "repaired  " if result.passed else "WRONG     "
    click.echo(f"{mark}{result.check:<11} {result.description}")
    for problem in result.problems[:_TOLD]:
        done = f" → {problem.repair}" if problem.repair else ""
        click.echo(f"            {visible(problem.sentence)}{visible(done)}")
    if result.found > _TOLD:
        click.echo(f"            and {result.found - _TOLD:,} more" + (" at least" if result.more else ""))


def _end(results: "list[CheckResult]", totals: "Totals") -> str:
    looked = ", ".join(
        counted(number, thing)
        for number, thing in (
            (totals.accounts, "account"),
            (totals.objects, "object"),
            (totals.versions, "version"),
            (totals.blobs, "content"),
        )
    )
    mended = sum(result.repaired for result in results)
    verdict = "Everything is as it should be" if all(result.passed for result in results) else "Not all is well"
    return f"{verdict}: {looked}" + (f"; {counted(mended, 'problem')} repaired." if mended else ".")


def _advice(left: "list[CheckResult]", *, repair: bool) -> str:
    names = ", ".join(result.check for result in left)
    if not repair:
        return f"something is wrong ({names}): the same command with --repair repairs what can be repaired"
    if any(result.more for result in left):
        return f"something is still wrong ({names}): run it again, and restore what it cannot repair from a backup"
    return f"something is wrong that cannot be repaired here ({names}): restore it from a backup"

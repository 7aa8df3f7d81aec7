"""`skyshelf admin doctor`: whether the store keeps its promises."""

from typing import TYPE_CHECKING, Any

import click

from skyshelf.cli.admin.stores import both_store_options, open_context, tell
from skyshelf.cli.base.errors import CommandFailed
from skyshelf.cli.base.params import counted
from skyshelf.cli.base.text import visible

if TYPE_CHECKING:
    from skyshelf.service.doctor.run import Result
    from skyshelf.storage.metadata.contracts.inspection import Totals

_TOLD = 20


@click.command
@click.option("--deep", is_flag=True, help="Read every file and compare its hashes; this takes as long as it takes.")
@click.option("--repair", is_flag=True, help="Mend what can be mended, and say what was done.")
@click.option("--threads", type=click.IntRange(1, 64), default=8, show_default=True, help="Files looked at at once.")
@both_store_options
def doctor(*, deep: bool, repair: bool, threads: int, as_json: bool, **stores: Any) -> None:
    """Check that the store keeps every promise, also while the service runs.

    It looks at rows, parents, references, quotas, uploads, thumbnails and the contents of files, and ends with exit
    code 1 when something is wrong that was not mended.

    \b
    Examples:
      skyshelf admin doctor --data /srv/skyshelf
      skyshelf admin doctor --data /srv/skyshelf --deep --repair
      skyshelf admin doctor --data /srv/skyshelf --json
    """
    with open_context(**stores) as ctx:
        from skyshelf.service.doctor.check import CheckRun
        from skyshelf.service.doctor.run import examine

        with ctx.metadata.snapshot() as unit:
            totals = unit.inspection.totals()
        results = []
        for result in examine(ctx, CheckRun(deep=deep, threads=threads), repair=repair):
            results.append(result)
            if not as_json:
                _say(result)
        left = [result for result in results if not result.holds]
        tell(as_json, {"holds": not left, "looked": totals, "promises": results}, _end(results, totals))
        if left:
            raise CommandFailed(_advice(left, repair=repair))


def _say(result: "Result") -> None:
    mark = "ok      " if not result.wrong else "mended  " if result.holds else "WRONG   "
    click.echo(f"{mark}{result.promise:<11} {result.says}")
    for trouble in result.troubles[:_TOLD]:
        done = f" → {trouble.mended}" if trouble.mended else ""
        click.echo(f"          {visible(trouble.sentence)}{visible(done)}")
    if result.wrong > _TOLD:
        click.echo(f"          and {result.wrong - _TOLD:,} more" + (" at least" if result.more else ""))


def _end(results: "list[Result]", totals: "Totals") -> str:
    looked = ", ".join(
        counted(number, thing)
        for number, thing in (
            (totals.accounts, "account"),
            (totals.objects, "object"),
            (totals.versions, "version"),
            (totals.blobs, "content"),
        )
    )
    mended = sum(result.mended for result in results)
    verdict = "Everything is as it should be" if all(result.holds for result in results) else "Not all is well"
    return f"{verdict}: {looked}" + (f"; {counted(mended, 'trouble')} mended." if mended else ".")


def _advice(left: "list[Result]", *, repair: bool) -> str:
    names = ", ".join(result.promise for result in left)
    if not repair:
        return f"something is wrong ({names}): the same command with --repair mends what can be mended"
    if any(result.more for result in left):
        return f"something is still wrong ({names}): run it again, and bring what it cannot mend from a backup"
    return f"something is wrong that cannot be mended here ({names}): bring it back from a backup"

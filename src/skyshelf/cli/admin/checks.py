"""`skyshelf admin doctor` and `scrub`: the consistency of the store, and every stored content against its hash."""

from typing import Any

import click

from skyshelf.cli.admin import stores
from skyshelf.cli.admin.outcomes import DAMAGE, not_checked_on_errors
from skyshelf.cli.admin.server_options import parsed_options
from skyshelf.cli.admin.which_store import StoreCommand
from skyshelf.cli.base.errors import CommandFailed
from skyshelf.cli.base.groups import examples
from skyshelf.cli.base.params import number_option
from skyshelf.cli.base.progress import CheckLine
from skyshelf.cli.base.text import SHOWN_MAX, format_count, format_utc, visible
from skyshelf.service.audit import kinds, new_event, recorded
from skyshelf.service.context import ServiceContext
from skyshelf.service.doctor import CHECKS, CheckResult, run_checks
from skyshelf.service.doctor.check import CheckRun
from skyshelf.service.integrity import damage
from skyshelf.service.integrity import scrub as scrubbing
from skyshelf.service.integrity.damage import DamageReport
from skyshelf.service.integrity.scrub import ScrubRound, ScrubState, period_ms
from skyshelf.service.process.database_connections import connections_problem
from skyshelf.storage.metadata.contracts.inspection import Totals
from skyshelf.wire.sizes import format_size


@click.command(
    cls=StoreCommand,
    epilog=examples(
        "skyshelf admin doctor --data /srv/skyshelf",
        "skyshelf admin doctor --data /srv/skyshelf --deep --repair",
        "skyshelf admin doctor --data /backup --json",
    ),
)
@click.option("--deep", is_flag=True, help="Read every file and compare its hashes; this may take a long time.")
@click.option("--repair", is_flag=True, help="Repair what can be repaired; without it, nothing is changed.")
@number_option("--threads", 1, 64, default=8, help="Number of files to check in parallel.")
@stores.both_store_options
def doctor(*, deep: bool, repair: bool, threads: int, as_json: bool, debug: bool, **store: Any) -> None:
    """Check the consistency of the store.

    It may run while the server is running, and on a backup. It checks rows, parents, references, quotas, uploads,
    thumbnails and file contents. Without --repair it only reads: it changes no row and no file, and does not upgrade a
    store of another version.

    Exit codes, with the "outcome" in JSON: 0 ("well") if nothing is damaged, or all of it was repaired; 1 ("damage");
    2 ("not checked") if the store cannot be opened, is of another version, or its halves do not belong together.
    """
    with (
        not_checked_on_errors(as_json=as_json, debug=debug),
        stores.open_context(looking=not repair, debug=True, **store) as ctx,
    ):
        left = _examine(ctx, deep=deep, repair=repair, threads=threads, as_json=as_json)
    if left:
        raise CommandFailed(_advice(left, repair=repair), DAMAGE)


def _examine(ctx: ServiceContext, *, deep: bool, repair: bool, threads: int, as_json: bool) -> list[CheckResult]:
    """Run all checks and print their results; returns the checks that failed."""
    with ctx.metadata.snapshot() as unit:
        totals = unit.inspection.totals()
    line = CheckLine(totals.blobs)
    run = CheckRun(deep=deep, threads=threads, is_in_use=ctx.metadata.is_in_use(), progress=line.progress)
    results = []
    with line:
        running = run_checks(ctx, run, repair=repair)
        for check in CHECKS:
            line.begin(check.name)
            result = next(running)
            line.clear()
            results.append(result)
            if not as_json:
                _print_check(result)
    if repair and (repaired := sum(result.repaired for result in results)):
        checks = [result.check for result in results if result.repaired]
        recorded(ctx, lambda _: None, new_event(ctx, kinds.REPAIRED, times=repaired, checks=checks))
    warning = _connections_problem(ctx)
    if warning is not None and not as_json:
        click.echo(f"warning  {warning}")
    left = [result for result in results if not result.passed]
    outcome = "damage" if left else "well"
    stores.print_result(
        as_json,
        {"outcome": outcome, "passed": not left, "examined": totals, "checks": results, "warning": warning},
        _summary(results, totals),
    )
    return left


def _connections_problem(ctx: ServiceContext) -> str | None:
    """Whether a server with the configuration of this machine may run out of connections to the database."""
    if ctx.metadata.connection_limits() is None:
        return None
    options = parsed_options(None)
    return connections_problem(
        ctx.metadata, workers=options["workers"], per_worker=options["database_connections"], is_counted=True
    )


def _print_check(result: CheckResult) -> None:
    status = "FAILED" if not result.passed else "repaired" if result.repaired else "ok"
    click.echo(f"{status:<9}{result.check:<11} {result.description}")
    for problem in result.problems[:SHOWN_MAX]:
        done = f" → {problem.repair}" if problem.repair else ""
        note = "" if problem.is_damage or problem.repair else " (no damage)"
        click.echo(f"           {visible(problem.sentence)}{note}{visible(done)}")
    if result.found > SHOWN_MAX:
        click.echo(f"           and {result.found - SHOWN_MAX:,} more" + (" at least" if result.more else ""))


def _summary(results: list[CheckResult], totals: Totals) -> str:
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


def _advice(left: list[CheckResult], *, repair: bool) -> str:
    names = ", ".join(result.check for result in left)
    if not repair:
        return f"problems found ({names}): run the same command with --repair"
    if any(result.more for result in left):
        return f"problems remain ({names}): run it again, and restore what it cannot repair from a backup"
    return f"problems that cannot be repaired ({names}): restore the data from a backup"


@click.group
def scrub() -> None:
    """Compare every stored content with its hash.

    The server does so in the background, within the number of days in the setting scrub_days.
    """


@scrub.command(
    "status", cls=StoreCommand, looking=True, epilog=examples("skyshelf admin scrub status --data /srv/skyshelf --json")
)
@stores.store_options
def status(*, as_json: bool, debug: bool, **store: Any) -> None:
    """Show how far the scrub is, and which files are damaged.

    Exits with 1 if content is known to be damaged, and with 2 if the store cannot be read.
    """
    with (
        not_checked_on_errors(as_json=as_json, debug=debug),
        stores.open_metadata_only(looking=True, debug=True, **store) as ctx,
    ):
        state, found = scrubbing.state_of(ctx), damage.reports(ctx)
        stores.print_result(as_json, _as_json(ctx, state, found), _text(ctx, state, found))
    _fail_on(found)


@scrub.command("run", cls=StoreCommand, asks=False, epilog=examples("skyshelf admin scrub run --data /srv/skyshelf"))
@stores.both_store_options
def run(*, as_json: bool, debug: bool, **store: Any) -> None:
    """Read every stored content now and compare it with its hash.

    It may run while the server is running, and reads as fast as the disk allows.

    Exits with 1 if content is damaged, and with 2 if the store cannot be read.
    """
    with not_checked_on_errors(as_json=as_json, debug=debug), stores.open_context(debug=True, **store) as ctx:
        with ctx.metadata.snapshot() as unit:
            line = CheckLine(unit.inspection.totals().blobs)
        with line:
            line.begin("contents")
            scrubbing.scrub_all(ctx, line.progress)
        state, found = scrubbing.state_of(ctx), damage.reports(ctx)
        stores.print_result(as_json, _as_json(ctx, state, found), _text(ctx, state, found))
    _fail_on(found)


def _fail_on(found: list[DamageReport]) -> None:
    if found:
        raise CommandFailed(
            f"{format_count(len(found), 'content')} damaged: restore the files from a backup, or upload them again",
            DAMAGE,
        )


def _as_json(ctx: ServiceContext, state: ScrubState | None, found: list[DamageReport]) -> dict[str, Any]:
    return {
        "outcome": "damage" if found else "well",
        "passed": not found,
        "progress": round(state.share, 4) if state else 0.0,
        "round": _round(state.now) if state else None,
        "roundEndsBy": state.now.began + period_ms(ctx) if state else None,
        "previousRound": _round(state.previous) if state and state.previous else None,
        "damaged": [
            stores.fields_of(one, "sha256", "location", "fault", "found_at")
            | {
                "files": [
                    stores.fields_of(holder, "name", "object_key", "version") | {"account": holder.account_id}
                    for holder in one.holders
                ]
            }
            for one in found
        ],
    }


def _round(one: ScrubRound) -> dict[str, Any]:
    known = stores.fields_of(one, "began", "ended", "contents")
    return known | {"ended": one.ended or None, "bytes": one.size, "damaged": one.damaged}


def _text(ctx: ServiceContext, state: ScrubState | None, found: list[DamageReport]) -> str:
    if state is None:
        lines = ["The scrub has not begun: the server starts it within a minute."]
    else:
        read = f"{format_count(state.now.contents, 'content')} ({format_size(state.now.size)}) read"
        if state.now.ended:
            lines = [f"Round of {format_utc(state.now.began)}: finished on {format_utc(state.now.ended)}, {read}."]
            lines.append(f"The next round begins on {format_utc(state.now.began + period_ms(ctx))}.")
        else:
            lines = [f"Round of {format_utc(state.now.began)}: {state.share:.1%} done, {read}."]
            lines.append(f"It ends by {format_utc(state.now.began + period_ms(ctx))}.")
    for one in found[:SHOWN_MAX]:
        lines.append(f"DAMAGED  {one.sha256} {visible(one.fault)}; found on {format_utc(one.found_at)}")
        lines += [
            f"           version {holder.version} of “{visible(holder.name)}” ({holder.object_key},"
            f" account {holder.account_id})"
            for holder in one.holders
        ]
    if len(found) > SHOWN_MAX:
        lines.append(f"and {len(found) - SHOWN_MAX:,} more: --json lists all")
    return "\n".join(lines if found else [*lines, "No content is known to be damaged."])

"""`skyshelf admin upgrade`: bring the metadata to this version's schema, or look, rehearse, or go back."""

import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from skyshelf.cli.admin.stores import metadata_url, print_result, store_options
from skyshelf.cli.base.errors import report_errors
from skyshelf.cli.base.groups import examples
from skyshelf.cli.base.prompts import confirm, yes_option

if TYPE_CHECKING:
    from skyshelf.storage.metadata.upgrade_plan import Step, UpgradePlan

_MINUTE_SECONDS = 60


@click.command(
    epilog=examples(
        "skyshelf admin upgrade --check",
        "skyshelf admin upgrade --dry-run --data /var/lib/skyshelf",
        "skyshelf admin upgrade --metadata postgresql://skyshelf@db.example.org/skyshelf",
        "skyshelf admin upgrade --back --data /var/lib/skyshelf",
    )
)
@click.option("--check", is_flag=True, help="Only say what an upgrade would do; the service may go on.")
@click.option(
    "--dry-run",
    is_flag=True,
    help="Do all of it and undo it: says how long it takes. The service must be stopped.",
)
@click.option("--back", is_flag=True, help="Undo the last upgrade, for the version before. Where that is possible.")
@yes_option
@store_options
def upgrade(
    *, check: bool, dry_run: bool, back: bool, yes: bool, data: Path, metadata: str | None, as_json: bool, debug: bool
) -> None:
    """Upgrade the metadata to this version's schema.

    Take a backup first. `--check` lists what will be done and about how long it takes, whether servers may go
    on, and what a way back would lose. An upgrade happens as a whole or not at all, and one that was interrupted
    is begun again. Embedded metadata is upgraded by `skyshelf serve`, too.

    To go back to the version before, stop the service, run `--back` with the newer version, and install the older one.
    """
    from skyshelf.storage import upgrade as upgrades
    from skyshelf.storage.errors import StorageError

    if check + dry_run + back > 1:
        raise click.UsageError("name only one of --check, --dry-run and --back")
    url = metadata_url(data, metadata, looking=check)
    with report_errors(StorageError, debug=debug):
        if check:
            plan = upgrades.look_at_upgrade(url)
            print_result(as_json, _described(plan), _sentences(plan))
        elif back:
            _go_back(url, yes=yes, as_json=as_json)
        else:
            began = time.monotonic()
            applied = upgrades.upgrade_metadata(url, is_rehearsal=dry_run)
            took = time.monotonic() - began
            word = "Would apply" if dry_run else "Applied"
            lines = [f"{word} {migration}." for migration in applied]
            if dry_run and applied:
                lines.append(f"It took {_duration(took)}, and was undone: nothing has changed.")
            result = {"migrations": applied, "changed": bool(applied) and not dry_run, "seconds": round(took, 3)}
            print_result(as_json, result, "\n".join(lines) or "The store is up to date.")


def _go_back(url: str, *, yes: bool, as_json: bool) -> None:
    from skyshelf.storage import upgrade as upgrades

    last = upgrades.last_upgrade(url)
    if not yes:
        for migration in last:
            if migration.lost is not None:
                click.echo(f"{migration}: lost with it: {migration.lost}.", err=True)
        if last and all(migration.lost is not None for migration in last):
            confirm("Undo the last upgrade?")
    taken = upgrades.take_upgrade_back(url)
    sentences = [f"Undid {migration}." for migration in taken]
    sentences.append("Now install the version before; this one would upgrade the store again.")
    print_result(as_json, {"migrations": taken, "changed": True}, "\n".join(sentences))


def _described(plan: "UpgradePlan") -> dict[str, object]:
    return {
        "schemaVersion": plan.schema_version,
        "neededVersion": plan.needed_version,
        "seconds": round(plan.seconds, 1),
        "isOnline": plan.is_online,
        "hasWayBack": plan.has_way_back,
        "isInUse": plan.is_in_use,
        "steps": [
            {
                "migration": step.migration,
                "rows": step.rows,
                "seconds": step.seconds,
                "isOnline": step.is_online,
                "lostOnTheWayBack": step.lost_on_the_way_back,
            }
            for step in plan.steps
        ],
    }


def _sentences(plan: "UpgradePlan") -> str:
    if not plan.steps:
        return f"The store is up to date: schema version {plan.schema_version}."
    lines = [f"From schema version {plan.schema_version} to {plan.needed_version}:"]
    lines += [f"  {step.migration}: {_step(step)}" for step in plan.steps]
    lines.append(f"About {_duration(plan.seconds)} in all; `--dry-run` measures it.")
    lines.append(
        "Servers of the version before may go on."
        if plan.is_online
        else "Stop every server first" + (": the store is in use now." if plan.is_in_use else ".")
    )
    if not plan.has_way_back:
        lines.append("There is no way back but a backup: take one first.")
    return "\n".join(lines)


def _step(step: "Step") -> str:
    parts = [f"{step.rows:,} rows, about {_duration(step.seconds)}" if step.rows else "at once"]
    if step.lost_on_the_way_back is not None:
        parts.append(f"a way back loses {step.lost_on_the_way_back}")
    return "; ".join(parts)


def _duration(seconds: float) -> str:
    if seconds < 1:
        return "less than a second"
    if seconds < 2 * _MINUTE_SECONDS:
        return f"{seconds:.0f} s"
    return f"{seconds / _MINUTE_SECONDS:.0f} min"

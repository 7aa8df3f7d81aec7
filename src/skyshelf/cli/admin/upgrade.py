"""`skyshelf admin init` and `upgrade`: create the stores, and bring them to this version's schema or back."""

import time
from pathlib import Path

import click

from skyshelf.cli.admin import stores
from skyshelf.cli.admin.which_store import StoreCommand, announce
from skyshelf.cli.base.errors import report_errors
from skyshelf.cli.base.groups import examples
from skyshelf.storage import upgrade as upgrades
from skyshelf.storage.access import Access
from skyshelf.storage.errors import StorageError
from skyshelf.storage.first_look import refuse_other_half
from skyshelf.storage.local_paths import local_path_or_none
from skyshelf.storage.metadata.sql.migrate import Step, UpgradePlan
from skyshelf.storage.open import embedded_urls, open_blobs, open_stores
from skyshelf.storage.upgrade import upgrade_metadata

_MINUTE_SECONDS = 60


@click.command(
    cls=StoreCommand,
    asks=False,
    epilog=examples(
        "skyshelf admin init --data /var/lib/skyshelf",
        "skyshelf admin init --metadata postgresql://db/skyshelf --blobs 's3://bucket?endpoint=https://s3.example.org'",
    ),
)
@stores.both_store_options
def init(*, data: Path, metadata: str | None, blobs: str | None, as_json: bool, debug: bool) -> None:
    """Create the stores that `skyshelf serve` will use.

    Accounts can then be added before the server's first start. Existing stores are upgraded, as by `skyshelf admin
    upgrade`, and otherwise left unchanged, so the command can be run again.
    """
    if metadata is None or blobs is None:
        stores.check_folder(data)
    embedded = embedded_urls(data)
    rows, contents = metadata or embedded[0], blobs or embedded[1]
    for url in (rows, contents):
        if (place := local_path_or_none(url)) is not None:
            stores.check_owner(place)
    announce(rows, contents, looking=False)
    with report_errors(StorageError, debug=debug):
        refuse_other_half(rows, contents)
        applied = upgrade_metadata(rows)
        open_blobs(contents, Access.SERVE).close()
        # Refuse what a server would refuse, such as stores that do not belong together.
        for store in open_stores(rows, contents, access=Access.WRITE):
            store.close()
    sentence = "The stores are ready." if applied else "The stores already existed, and are up to date."
    stores.print_result(as_json, {"changed": bool(applied), "migrations": applied}, sentence)


@click.command(
    cls=StoreCommand,
    epilog=examples(
        "skyshelf admin upgrade --check",
        "skyshelf admin upgrade --dry-run --data /var/lib/skyshelf",
        "skyshelf admin upgrade --metadata postgresql://skyshelf@db.example.org/skyshelf",
        "skyshelf admin upgrade --back --data /var/lib/skyshelf",
    ),
)
@click.option("--check", is_flag=True, help="Only show what an upgrade would do; the service may keep running.")
@click.option(
    "--dry-run", is_flag=True, help="Do all of it and undo it, to show how long it takes. The service must be stopped."
)
@click.option("--back", is_flag=True, help="Undo the last upgrade, where possible, to return to the previous version.")
@stores.store_options
def upgrade(
    *, check: bool, dry_run: bool, back: bool, data: Path, metadata: str | None, as_json: bool, debug: bool
) -> None:
    """Upgrade the metadata to this version's schema.

    Take a backup first. `--check` lists what will be done, about how long it takes, whether servers may keep running,
    and what going back would lose. An upgrade happens completely or not at all; an interrupted one starts over.
    Embedded metadata is also upgraded by `skyshelf serve`.

    To go back to the previous version, stop the service, run `--back` with the newer version, and install the older
    one.
    """
    if check + dry_run + back > 1:
        raise click.UsageError("use only one of --check, --dry-run and --back")
    url = stores.metadata_url(data, metadata, looking=check)
    if back:
        _go_back(url, as_json=as_json, debug=debug)
        return
    announce(url, looking=check or dry_run)
    with report_errors(StorageError, debug=debug):
        if check:
            plan = upgrades.schema_at(url).plan()
            stores.print_result(as_json, _described(plan), _sentences(plan))
        else:
            began = time.monotonic()
            applied = upgrades.upgrade_metadata(url, is_rehearsal=dry_run)
            took = time.monotonic() - began
            word = "Would apply" if dry_run else "Applied"
            lines = [f"{word} {migration}." for migration in applied]
            if dry_run and applied:
                lines.append(f"It took {_duration(took)}, and was undone: nothing has changed.")
            result = {"migrations": applied, "changed": bool(applied) and not dry_run, "seconds": round(took, 3)}
            stores.print_result(as_json, result, "\n".join(lines) or "The store is up to date.")


def _go_back(url: str, *, as_json: bool, debug: bool) -> None:
    with report_errors(StorageError, debug=debug):
        last = upgrades.schema_at(url).last_upgrade()
        for migration in last:
            if migration.lost is not None:
                click.echo(f"{migration}: lost with it: {migration.lost}.", err=True)
        loses = bool(last) and all(migration.lost is not None for migration in last)
        announce(url, looking=False, question="Undo the last upgrade?", is_required=loses)
        taken = upgrades.take_upgrade_back(url)
    sentences = [f"Undid {migration}." for migration in taken]
    sentences.append("Now install the previous version; this one would upgrade the store again.")
    stores.print_result(as_json, {"migrations": taken, "changed": True}, "\n".join(sentences))


def _described(plan: UpgradePlan) -> dict[str, object]:
    names = ("schema_version", "needed_version", "seconds", "is_online", "has_way_back", "is_in_use")
    steps = [
        stores.fields_of(step, "migration", "rows", "seconds", "is_online", "lost_on_the_way_back")
        for step in plan.steps
    ]
    return stores.fields_of(plan, *names) | {"seconds": round(plan.seconds, 1), "steps": steps}


def _sentences(plan: UpgradePlan) -> str:
    if not plan.steps:
        return f"The store is up to date: schema version {plan.schema_version}."
    lines = [f"From schema version {plan.schema_version} to {plan.needed_version}:"]
    lines += [f"  {step.migration}: {_step(step)}" for step in plan.steps]
    lines.append(f"About {_duration(plan.seconds)} in all; `--dry-run` measures it.")
    lines.append(
        "Servers of the previous version may keep running."
        if plan.is_online
        else "Stop every server first" + (": the store is in use now." if plan.is_in_use else ".")
    )
    if not plan.has_way_back:
        lines.append("There is no way back except a backup: take one first.")
    return "\n".join(lines)


def _step(step: Step) -> str:
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

"""`skyshelf admin brake`, `read-only`, `epoch` and `history-key`: controls of a running service."""

from typing import Any

import click

from skyshelf.cli.admin.stores import Result, fields_of, listed, store_command
from skyshelf.cli.base.errors import CommandFailed
from skyshelf.cli.base.text import format_utc
from skyshelf.service.audit import kinds, new_event
from skyshelf.service.context import ServiceContext
from skyshelf.service.history.logs import rotate as replace_key
from skyshelf.service.jobs import brakes
from skyshelf.service.jobs.brakes import Brake
from skyshelf.storage.identity import begin_epoch, epoch_of, epoch_start, moved
from skyshelf.storage.metadata import read_only as mode
from skyshelf.storage.metadata.history.log import HistoryKey
from skyshelf.storage.metadata.read_only import ReadOnly


@click.group
def brake() -> None:
    """Show and release brakes of background jobs.

    A job that would delete too much stops instead, until somebody has checked.
    """


@store_command(brake, "ls", "skyshelf admin brake ls --data /srv/skyshelf", looking=True)
def list_brakes(ctx: ServiceContext) -> Result:
    """List the jobs that are stopped, and why."""
    found = brakes.brakes(ctx)
    rows = [(one.task, format_utc(one.since), one.reason) for one in found]
    return listed([_brake_json(one) for one in found], rows, empty="No job is stopped.")


@store_command(brake, "release", 'skyshelf admin brake release clock --reason "the server was switched off for a week"')
@click.argument("job")
@click.option("--reason", required=True, help="Why it is right to continue; recorded in the log.")
def release(ctx: ServiceContext, *, job: str, reason: str) -> Result:
    """Let a stopped job run for a day.

    First check why it stopped, with `skyshelf admin brake ls`. If the server runs with a wrong or restored database,
    the job would delete files that the right database knows.
    """
    released = brakes.release(ctx, job, reason)
    if released is None:
        raise CommandFailed(f"{job} is not stopped: `skyshelf admin brake ls` lists the jobs that are")
    until = format_utc(released.released_until)
    return Result(_brake_json(released), f"Released {job} until {until}. It was stopped because {released.reason}.")


def _brake_json(one: Brake) -> dict[str, Any]:
    released = fields_of(one, "released_until", "released_for")
    return fields_of(one, "job=task", "since", "reason") | {name: value or None for name, value in released.items()}


@click.group("read-only")
def read_only() -> None:
    """Switch writing off and on again.

    This affects all instances at once. Listing, downloading and logging in work; every change is refused with your
    reason, and background jobs are suspended.
    """


@store_command(read_only, "on", 'skyshelf admin read-only on --reason "We are moving to a new disk, until about 22:00"')
@click.option("--reason", required=True, help="Shown to everybody whose change is refused.")
def read_only_on(ctx: ServiceContext, *, reason: str) -> Result:
    """Refuse all changes.

    When the command ends, changes that were already running are complete and no other one can happen.
    """
    chosen = mode.ReadOnly(reason, ctx.clock.now())
    mode.switch_on(ctx.metadata, chosen, [new_event(ctx, kinds.READ_ONLY_ON, reason=reason)])
    return Result(_mode_json(chosen), f"The service is read-only: {reason}")


@store_command(read_only, "off", "skyshelf admin read-only off")
def read_only_off(ctx: ServiceContext) -> Result:
    """Accept changes again."""
    where = moved(ctx.metadata)
    if where is not None:
        raise CommandFailed(f"{where}: start the server there, or start it here once with --adopt REASON")
    was_on = mode.switch_off(ctx.metadata, [new_event(ctx, kinds.READ_ONLY_OFF)])
    text = "The service accepts changes again." if was_on else "The service was not read-only."
    return Result(_mode_json(None), text)


@store_command(read_only, "status", "skyshelf admin read-only status --json", looking=True)
def read_only_status(ctx: ServiceContext) -> Result:
    """Show whether changes are refused, and why."""
    now = mode.read_only(ctx.metadata)
    text = "The service accepts changes."
    if now is not None:
        text = f"Read-only since {format_utc(now.since)}: {now.reason}"
    return Result(_mode_json(now), text)


def _mode_json(mode: ReadOnly | None) -> dict[str, object]:
    if mode is None:
        return {"readOnly": False}
    return {"readOnly": True, "reason": mode.reason, "since": mode.since}


@click.group
def epoch() -> None:
    """Show the epoch of the data, and begin a new one after they were put back.

    Clients that keep a copy of the data remember the epoch. In another one they stop, or compare everything, before
    they delete or replace what is newer than the server.
    """


@store_command(epoch, "show", "skyshelf admin epoch show --data /srv/skyshelf", looking=True)
def show_epoch(ctx: ServiceContext) -> Result:
    """Show the epoch, and how it began."""
    with ctx.metadata.read() as unit:
        current, start = epoch_of(unit), epoch_start(unit)
    if current is None:
        return Result({"epoch": None}, "This store has never been served, and has no epoch yet.")
    if start is None:
        return Result({"epoch": current}, f"{current}, the first epoch of this store")
    text = f"{current}, which began on {format_utc(start.at)}: {start.reason}"
    return Result({"epoch": current} | fields_of(start, "reason", "date=at"), text)


@store_command(epoch, "begin", 'skyshelf admin epoch begin --reason "put back the snapshot of Sunday"')
@click.option("--reason", required=True, help="What was put back; recorded in the audit trail.")
def begin(ctx: ServiceContext, *, reason: str) -> Result:
    """Begin a new epoch: tell all clients that the data went back.

    Run it before you start a server whose database and blobs you put back together, such as from a snapshot of the
    machine. Nothing in the store shows that. `skyshelf admin restore` and `move` begin an epoch themselves.
    """
    new = begin_epoch(ctx.metadata, reason, ctx.clock.now())
    return Result({"epoch": new}, f"The epoch is {new} from now on. Clients compare before they delete anything.")


@click.group("history-key")
def history_key() -> None:
    """Show and replace the key that signs histories.

    Clients keep what was signed, and verify later heads with it: `skyshelf verify-history`.
    """


@store_command(history_key, "ls", "skyshelf admin history-key ls --data /srv/skyshelf", looking=True)
def list_keys(ctx: ServiceContext) -> Result:
    """List all keys, oldest first; the last one is in use."""
    with ctx.metadata.read() as unit:
        found = unit.history_keys.all()
    rows = [
        (one.key_id, format_utc(one.created_at), format_utc(one.retired_at) if one.retired_at else "in use")
        for one in found
    ]
    return listed([_key_json(one) for one in found], rows, empty="There is no key yet.")


@store_command(history_key, "rotate", "skyshelf admin history-key rotate --data /srv/skyshelf")
def rotate(ctx: ServiceContext) -> Result:
    """Replace the key after a theft of the database or a backup.

    The old key signs the new one, so clients accept it, and is destroyed; its public key stays published. Heads that
    were signed before stay valid.
    """
    new = replace_key(ctx)
    return Result(_key_json(new), f"Heads are signed with the key {new.key_id} from now on.")


def _key_json(one: HistoryKey) -> dict[str, Any]:
    return {"keyId": one.key_id, "createdDate": one.created_at, "retiredDate": one.retired_at or None}

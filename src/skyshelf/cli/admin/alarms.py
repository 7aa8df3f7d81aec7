"""`skyshelf admin alarms`: devices of all accounts that are paused."""

import click

from skyshelf.cli.admin.stores import Result, listed, store_command
from skyshelf.cli.base.params import number_option
from skyshelf.cli.base.text import format_utc, visible
from skyshelf.service.context import ServiceContext
from skyshelf.service.operator.alarms import list_alarms
from skyshelf.wire.resources.operators import AlarmsQuery, ManagedAlarm

_COUNTED = ("deleted", "overwritten", "moved", "scrambled", "marked")


@click.group
def alarms() -> None:
    """Show which devices are paused, because they changed unusually much."""


@store_command(
    alarms, "ls", "skyshelf admin alarms ls --data /srv/skyshelf", "skyshelf admin alarms ls --all --json", looking=True
)
@click.option("--all", "decided", is_flag=True, help="Include alarms that have been decided.")
@number_option("--limit", 1, 500, default=100, help="Number of alarms to list.")
def ls(ctx: ServiceContext, *, decided: bool, limit: int) -> Result:
    """List paused devices, the latest first.

    It shows whose they are, since when they are paused, and how much they did, but no file names. The owner decides: in
    the web client, or with `skyshelf alarms`. `skyshelf admin user rewind` undoes what happened, if the owner agrees or
    for a recorded reason.
    """
    found = list_alarms(ctx, AlarmsQuery(decided=decided, limit=limit)).alarms or []
    return listed(found, [_row(one) for one in found], empty="No alarms." if decided else "No device is paused.")


def _row(one: ManagedAlarm) -> tuple[str, ...]:
    counts = ", ".join(f"{number:,} {name}" for name in _COUNTED if (number := getattr(one, name)))
    device = visible(one.device_name or one.device_key or "")
    state = "paused" if one.state == "open" else str(one.state)
    return (one.email_id or "", device, format_utc(one.raised_date or 0), state, counts)

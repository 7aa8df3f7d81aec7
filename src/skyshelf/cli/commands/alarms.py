"""`skyshelf alarms`: devices that were paused because they changed unusually much."""

from operator import attrgetter
from typing import Annotated

import click

from skyshelf.cli.base.output import Row
from skyshelf.cli.base.params import number_option
from skyshelf.cli.base.prompts import password_stdin_option, read_confirmation, yes_option
from skyshelf.cli.base.session import ClientGroup, CommandSession
from skyshelf.cli.base.targets import by_name_or_key
from skyshelf.cli.base.text import local_time, visible
from skyshelf.cli.commands.rewind import RewindRecord, check_plan, watch_rewind
from skyshelf.wire.limits import ALARM_ALLOWED_HOURS, ALARM_LIMIT_MAX
from skyshelf.wire.projection import From, Projection, Time
from skyshelf.wire.resources.history import Alarm


@click.group("alarms", cls=ClientGroup)
def alarms() -> None:
    """List paused devices; resume or end them.

    A device that deletes, overwrites or moves unusually much within ten minutes is paused: it can still read and add
    files, and nothing else, until you decide.
    """


class AlarmRecord(Projection, frozen=True, kw_only=True):
    """A device that changed unusually much; `state` is `open` while it is paused, then `allowed` or `ended`."""

    device_key: str | None
    device_name: str | None
    is_this_one: Annotated[bool, From("is_current")]
    state: str | None
    raised: Time
    since: Time
    deleted: int
    overwritten: int
    moved: int
    scrambled: int
    marked: int | None


@alarms.command("list", "skyshelf alarms list", records=AlarmRecord)
@click.option("--all", "show_all", is_flag=True, help="Include alarms that have been decided.")
def list_(*, session: CommandSession, show_all: bool) -> None:
    """List paused devices and what they did, newest first."""
    found = [one for one in session.client.alarms.list() if show_all or one.state == "open"]
    session.out.rows(found, AlarmRecord.of, _row, empty="No device is paused.")


def _row(one: Alarm) -> Row:
    counts = (
        (one.deleted, "deleted"),
        (one.overwritten, "overwritten"),
        (one.moved, "renamed or moved"),
        (one.scrambled, "look encrypted"),
        (one.marked, "favourites and tags changed"),
    )
    return (
        visible(one.device_name or "a removed device"),
        "paused" if one.state == "open" else one.state or "",
        local_time(one.raised_date),
        ", ".join(f"{count} {what}" for count, what in counts if count),
        one.device_key or "",
    )


@alarms.command("allow", "skyshelf alarms allow 'Laptop of Ada'")
@click.argument("device")
@number_option("--hours", 1, 720, default=ALARM_ALLOWED_HOURS, help="How long the device's changes are not counted.")
@password_stdin_option
def allow(*, session: CommandSession, device: str, hours: int, password_stdin: bool) -> None:
    """Resume a paused device, by name or key.

    If this device itself is paused, you need your password and, if the second factor is on, a code.
    """
    known = session.client.alarms.list()
    chosen = _find(known, device)
    password = code = None
    if any(one.is_current and one.state == "open" for one in known):
        password, code = read_confirmation(session, from_stdin=password_stdin)
    session.client.alarms.allow(chosen.device_key or "", hours=hours, password=password, code=code)
    session.out.note(f"{visible(chosen.device_name or device)} can continue.")


@alarms.command("end", "skyshelf alarms end 'Laptop of Ada'")
@click.argument("device")
def end(*, session: CommandSession, device: str) -> None:
    """Log out a paused device, by name or key.

    An app's password is revoked, so the app cannot log in again.
    """
    chosen = _find(session.client.alarms.list(), device)
    session.client.alarms.end(chosen.device_key or "")
    session.out.note(f"{visible(chosen.device_name or device)} is logged out.")


@alarms.command("rewind", "skyshelf alarms rewind Laptop", records=RewindRecord)
@click.argument("device")
@yes_option
def rewind(*, session: CommandSession, device: str, yes: bool) -> None:
    """Undo what a paused device did, by name or key.

    Everything that the device has changed since it started is undone; later changes by others are kept. If it was not
    you, log the device out first: `skyshelf alarms end`.
    """
    chosen = _find(session.client.alarms.list(), device, is_open=False)
    moment, key = (chosen.since_date or 0) - 1, chosen.device_key
    check_plan(session, session.client.rewinds.summary(moment, device_key=key), moment, yes=yes)
    watch_rewind(session, session.client.rewinds.start(moment, device_key=key))


class AlarmLimitRecord(Projection, frozen=True, kw_only=True):
    """The limit at which a device is paused, 0 if none is."""

    limit: int
    is_own: bool


@alarms.command("limit", "skyshelf alarms limit", "skyshelf alarms limit 5000", record=AlarmLimitRecord)
@click.argument("points", type=click.IntRange(0, ALARM_LIMIT_MAX), required=False)
@click.option("--default", "use_default", is_flag=True, help="Use the limit set by the server's operator.")
@password_stdin_option
def limit(*, session: CommandSession, points: int | None, use_default: bool, password_stdin: bool) -> None:
    """Show or set the limit at which a device is paused.

    POINTS is how many objects a device may delete within ten minutes; those that look encrypted count ten times, edited
    and moved ones a quarter. Five times as much is allowed in a day. 0 turns the alarm off. Raising the limit requires
    your password.
    """
    if points is not None and use_default:
        raise click.UsageError("use either POINTS or --default, not both")
    known = session.client.alarms.settings()
    if points is not None or use_default:
        password = code = None
        if use_default or not points or points > (known.limit or points):
            password, code = read_confirmation(session, from_stdin=password_stdin)
        known = session.client.alarms.set_limit(points, password=password, code=code)
    of = "your own limit" if known.is_own else "the operator's limit"
    sentence = f"Devices are paused at {known.limit} points ({of})." if known.limit else f"The alarm is off ({of})."
    session.out.record(AlarmLimitRecord.of(known), [sentence])


def _find(known: list[Alarm], device: str, *, is_open: bool = True) -> Alarm:
    """The alarm of a device: the one that pauses it or, if it need not be open, the latest."""
    latest = {one.device_key: one for one in reversed(known)}
    paused = [one for one in latest.values() if one.state == "open" or not is_open]
    name = attrgetter("device_name")
    return by_name_or_key(
        paused, device, "paused device", listing="alarms list", name=name, key=lambda one: one.device_key or ""
    )

"""`skyshelf alarms`: devices that are paused because they changed unusually much, and what happens with them."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import click

from skyshelf.cli.base.account_records import AlarmLimitRecord, AlarmRecord
from skyshelf.cli.base.errors import CommandFailed
from skyshelf.cli.base.file_records import RewindRecord
from skyshelf.cli.base.output import table
from skyshelf.cli.base.prompts import password_stdin_option, read_confirmation, yes_option
from skyshelf.cli.base.session import ClientCommand, CommandSession
from skyshelf.cli.base.text import local_time, utc_time, visible
from skyshelf.cli.commands.rewind import check_plan, watch_rewind
from skyshelf.wire.client_errors import CONFLICT_ERROR, OBJECT_NOT_FOUND_ERROR
from skyshelf.wire.limits import ALARM_ALLOWED_HOURS, ALARM_LIMIT_MAX

if TYPE_CHECKING:
    from skyshelf.wire.resources.safety.alarms import Alarm


@click.group("alarms")
def alarms() -> None:
    """List paused devices, and decide about them.

    A device that deletes, overwrites or moves unusually much within ten minutes is paused: it can still read and add
    files, and nothing else, until you decide.
    """


@alarms.command("list", cls=ClientCommand, record=AlarmRecord, many=True, example="skyshelf alarms list")
@click.option("--all", "show_all", is_flag=True, help="Show alarms that were decided, too.")
def list_(*, session: CommandSession, show_all: bool) -> None:
    """List paused devices and what they did, the newest first."""
    found = [one for one in session.client.alarms.list() if show_all or one.state == "open"]
    session.out.records(found, _record, _lines, empty="No device is paused.")


def _record(one: "Alarm") -> AlarmRecord:
    return AlarmRecord(
        device_key=one.device_key,
        device_name=one.device_name,
        is_this_one=bool(one.is_current),
        state=one.state,
        raised=utc_time(one.raised_date),
        since=utc_time(one.since_date),
        deleted=one.deleted or 0,
        overwritten=one.overwritten or 0,
        moved=one.moved or 0,
        scrambled=one.scrambled or 0,
    )


def _lines(found: "Iterable[Alarm]") -> Iterator[str]:
    yield from table(
        [
            (
                visible(one.device_name or "a removed device"),
                "paused" if one.state == "open" else one.state or "",
                local_time(one.raised_date),
                _deeds(one),
                one.device_key or "",
            )
            for one in found
        ]
    )


def _deeds(one: "Alarm") -> str:
    counts = (
        (one.deleted, "deleted"),
        (one.overwritten, "overwritten"),
        (one.moved, "renamed or moved"),
        (one.scrambled, "look encrypted"),
    )
    return ", ".join(f"{count} {what}" for count, what in counts if count)


@alarms.command("allow", cls=ClientCommand, example="skyshelf alarms allow 'Laptop of Ada'")
@click.argument("device")
@click.option(
    "--hours",
    type=click.IntRange(1, 720),
    default=ALARM_ALLOWED_HOURS,
    show_default=True,
    help="For how long nothing that the device does is counted.",
)
@password_stdin_option
def allow(*, session: CommandSession, device: str, hours: int, password_stdin: bool) -> None:
    """Let a paused device go on, by name or key.

    If this very device is paused, it takes your password and, if the second factor is on, a code.
    """
    known = session.client.alarms.list()
    chosen = _find(known, device)
    password = code = None
    if any(one.is_current and one.state == "open" for one in known):
        password, code = read_confirmation(session, from_stdin=password_stdin)
    session.client.alarms.allow(chosen.device_key or "", hours=hours, password=password, code=code)
    session.out.note(f"{visible(chosen.device_name or device)} can go on.")


@alarms.command("end", cls=ClientCommand, example="skyshelf alarms end 'Laptop of Ada'")
@click.argument("device")
def end(*, session: CommandSession, device: str) -> None:
    """Log out a paused device, by name or key.

    The password of an app is revoked, so that it cannot come back.
    """
    chosen = _find(session.client.alarms.list(), device)
    session.client.alarms.end(chosen.device_key or "")
    session.out.note(f"{visible(chosen.device_name or device)} is logged out.")


@alarms.command("rewind", cls=ClientCommand, record=RewindRecord, many=True, example="skyshelf alarms rewind Laptop")
@click.argument("device")
@yes_option
def rewind(*, session: CommandSession, device: str, yes: bool) -> None:
    """Undo what a paused device did, by name or key.

    Everything that the device has changed since it began is undone, and what others have changed after it stays. If it
    was not you, log the device out first: `skyshelf alarms end`.
    """
    chosen = _find(session.client.alarms.list(), device, is_open=False)
    moment, key = (chosen.since_date or 0) - 1, chosen.device_key
    check_plan(session, session.client.rewinds.summary(moment, device_key=key), moment, yes=yes)
    watch_rewind(session, session.client.rewinds.start(moment, device_key=key))


@alarms.command(
    "limit", cls=ClientCommand, record=AlarmLimitRecord, example=("skyshelf alarms limit", "skyshelf alarms limit 5000")
)
@click.argument("points", type=click.IntRange(0, ALARM_LIMIT_MAX), required=False)
@click.option("--default", "use_default", is_flag=True, help="Use the limit that the server's operator has chosen.")
@password_stdin_option
def limit(*, session: CommandSession, points: int | None, use_default: bool, password_stdin: bool) -> None:
    """Show or choose the limit at which a device is paused.

    POINTS is how many objects a device may delete, overwrite, rename or move within ten minutes; what looks encrypted
    counts ten times. 0 turns the alarm off. A higher limit takes your password.
    """
    if points is not None and use_default:
        raise click.UsageError("POINTS and --default exclude each other")
    known = session.client.alarms.settings()
    if points is not None or use_default:
        password = code = None
        if use_default or not points or points > (known.limit or points):
            password, code = read_confirmation(session, from_stdin=password_stdin)
        known = session.client.alarms.set_limit(points, password=password, code=code)
    of = "your own limit" if known.is_own else "the operator's limit"
    sentence = f"Devices are paused at {known.limit} points ({of})." if known.limit else f"The alarm is off ({of})."
    session.out.record(AlarmLimitRecord(limit=known.limit or 0, is_own=bool(known.is_own)), [sentence])


def _find(known: "list[Alarm]", device: str, *, is_open: bool = True) -> "Alarm":
    """The alarm of a device: the one that pauses it or, if it need not be open, the latest."""
    latest = {one.device_key: one for one in reversed(known)}
    paused = [one for one in latest.values() if one.state == "open" or not is_open]
    found = [one for one in paused if one.device_key == device.lower()] or [
        one for one in paused if (one.device_name or "").casefold() == device.casefold()
    ]
    if not found:
        raise CommandFailed(
            f"no paused device {visible(device)}: `skyshelf alarms list` lists them", OBJECT_NOT_FOUND_ERROR.exit_code
        )
    if len(found) > 1:
        keys = ", ".join(one.device_key or "" for one in found)
        raise CommandFailed(f"{len(found)} paused devices have that name; use a key: {keys}", CONFLICT_ERROR.exit_code)
    return found[0]

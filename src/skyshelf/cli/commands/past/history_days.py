"""`skyshelf account history`: how long the history of your account is kept."""

from typing import TYPE_CHECKING

import click

from skyshelf.cli.base.account_records import HistoryDaysRecord
from skyshelf.cli.base.prompts import confirm, password_stdin_option, read_confirmation, yes_option
from skyshelf.cli.base.session import ClientCommand, CommandSession
from skyshelf.cli.base.text import local_time, utc_time
from skyshelf.wire.sizes import format_size

if TYPE_CHECKING:
    from skyshelf.wire.resources.history import HistorySettings

_LONGEST = 3650


@click.command(
    "history",
    cls=ClientCommand,
    record=HistoryDaysRecord,
    example=("skyshelf account history", "skyshelf account history 7", "skyshelf account history --forget"),
)
@click.argument("days", type=click.IntRange(0, _LONGEST), required=False)
@click.option("--default", "use_default", is_flag=True, help="Keep it for as long as the server's operator allows.")
@click.option("--forget", is_flag=True, help="Forget all history up to now.")
@password_stdin_option
@yes_option
def account_history(
    *,
    session: CommandSession,
    days: int | None,
    use_default: bool,
    forget: bool,
    password_stdin: bool,
    yes: bool,
) -> None:
    """Show or choose how long history is kept.

    DAYS is for how long you can look back and rewind; 0 keeps no history. Fewer days than before, and --forget, take
    your password: what is forgotten cannot be looked at or brought back.
    """
    if sum((days is not None, use_default, forget)) > 1:
        raise click.UsageError("DAYS, --default and --forget exclude each other")
    history = session.client.history
    known = history.settings()
    if forget:
        if not yes:
            confirm("Forget the whole history? What was deleted cannot be brought back then.")
        password, code = read_confirmation(session, from_stdin=password_stdin)
        history.forget(password, code=code)
        known = history.settings()
    elif use_default:
        known = history.set_days(None)
    elif days is not None:
        given, code = None, None
        if days < (known.days or 0):
            if not yes:
                confirm(f"Keep history for {days} days instead of {known.days}? What is older is forgotten.")
            given, code = read_confirmation(session, from_stdin=password_stdin)
        known = history.set_days(days, password=given, code=code)
    session.out.record(_record(known), _lines(known))


def _record(known: "HistorySettings") -> HistoryDaysRecord:
    return HistoryDaysRecord(
        days=known.days or 0,
        days_max=known.days_max or 0,
        oldest=utc_time(known.oldest_date),
        size_bytes=known.size_in_bytes or 0,
    )


def _lines(known: "HistorySettings") -> list[str]:
    if not known.days:
        return ["No history is kept."]
    lines = [f"History is kept for {known.days} days (at most {known.days_max})."]
    if known.oldest_date is not None:
        lines.append(f"You can look back to {local_time(known.oldest_date)}.")
    return [*lines, f"What only history keeps takes {format_size(known.size_in_bytes or 0)}."]

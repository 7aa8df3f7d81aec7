"""`skyshelf account`: your own account, its devices and its second factor."""

import shutil
import sys
from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING, Final

import click

from skyshelf.cli.base.account_records import DeletionRecord, OwnDeviceRecord, RecoveryCodesRecord, SecondFactorRecord
from skyshelf.cli.base.errors import CommandFailed
from skyshelf.cli.base.output import table
from skyshelf.cli.base.params import format_count
from skyshelf.cli.base.prompts import confirm, read_code, read_password, yes_option
from skyshelf.cli.base.session import ClientCommand, CommandSession
from skyshelf.cli.base.text import local_time, utc_time, visible
from skyshelf.cli.commands.account_events import account_events
from skyshelf.cli.commands.app_passwords import app_password
from skyshelf.cli.commands.passkeys import passkeys
from skyshelf.cli.commands.past.history_days import account_history
from skyshelf.cli.commands.storage import account_storage
from skyshelf.wire.client_errors import CONFLICT_ERROR, OBJECT_NOT_FOUND_ERROR

if TYPE_CHECKING:
    from skyshelf.wire.resources.account import OwnDevice


# QR code readers require a light margin this wide.
_QR_MARGIN: Final = 4
_HALF_BLOCKS: Final = {("1", "1"): "█", ("1", "0"): "▀", ("0", "1"): "▄", ("0", "0"): " "}

_stdin_option = click.option(
    "--password-stdin", is_flag=True, help="Read the password and a code from standard input, one per line."
)


@click.group("second-factor")
def second_factor() -> None:
    """Manage the second factor for logins.

    With it, logins require a code from your phone as well as your password.
    """


@second_factor.command(
    "status", cls=ClientCommand, record=SecondFactorRecord, example="skyshelf account second-factor status"
)
def second_factor_status(*, session: CommandSession) -> None:
    """Show whether it is on, and the number of recovery codes left."""
    status = session.client.second_factor.status()
    record = SecondFactorRecord(
        is_on=bool(status.is_on), since=utc_time(status.on_since_date), recovery_codes_left=status.recovery_codes_left
    )
    line = "off: logins require only the password"
    if record.is_on:
        left = format_count(record.recovery_codes_left or 0, "recovery code")
        line = f"on since {local_time(status.on_since_date)}, with {left} left"
    session.out.record(record, [line])


@second_factor.command("on", cls=ClientCommand, example="skyshelf account second-factor on")
@click.option(
    "--password-stdin",
    is_flag=True,
    help="Read the password from standard input, then, once the secret has been printed, the first code.",
)
def second_factor_on(*, session: CommandSession, password_stdin: bool) -> None:
    """Require a code from an authenticator app as well as your password.

    Prints ten recovery codes, one per line, in case you lose your phone: store them somewhere else. Devices that are
    already logged in stay logged in; `skyshelf account revoke --others` logs them out.
    """
    setup = session.client.second_factor.begin(read_password("Password", from_stdin=password_stdin))
    _show_qr_code(setup.qr_code or [])
    click.echo(f"Secret for the authenticator app: {visible(setup.secret or '')}", err=True)
    click.echo(f"Or its URI: {visible(setup.otpauth_uri or '')}", err=True)
    codes = session.client.second_factor.confirm(read_code("Code from the app", from_stdin=password_stdin))
    session.out.note(
        "The second factor is on. Store these recovery codes; they are not shown again, and each works once:"
    )
    session.out.lines(codes)


def _show_qr_code(rows: Sequence[str]) -> None:
    """Draw the QR code, if stderr is a terminal and wide enough."""
    columns = len(rows) + 2 * _QR_MARGIN
    if rows and sys.stderr.isatty() and shutil.get_terminal_size().columns >= columns:
        for line in _draw_qr_code(rows):
            click.echo(click.style(line, fg="black", bg="bright_white"), err=True)


def _draw_qr_code(rows: Sequence[str]) -> Iterator[str]:
    """Two rows of modules per line of text, with a light margin."""
    around = ["0" * (len(rows) + 2 * _QR_MARGIN)] * _QR_MARGIN
    side = "0" * _QR_MARGIN
    whole = [*around, *(f"{side}{row}{side}" for row in rows), *around]
    for upper, lower in zip_longest(whole[::2], whole[1::2], fillvalue=around[0]):
        yield "".join(_HALF_BLOCKS[pair] for pair in zip(upper, lower, strict=True))


@second_factor.command("off", cls=ClientCommand, example="skyshelf account second-factor off")
@_stdin_option
def second_factor_off(*, session: CommandSession, password_stdin: bool) -> None:
    """Require only the password again. A recovery code works instead of a code from the app."""
    password = read_password("Password", from_stdin=password_stdin)
    session.client.second_factor.turn_off(password, read_code(from_stdin=password_stdin))
    session.out.note("The second factor is off. Logins require only the password.")


@second_factor.command(
    "codes", cls=ClientCommand, record=RecoveryCodesRecord, example="skyshelf account second-factor codes"
)
@_stdin_option
def second_factor_codes(*, session: CommandSession, password_stdin: bool) -> None:
    """Create ten new recovery codes. The old ones stop working."""
    password = read_password("Password", from_stdin=password_stdin)
    codes = session.client.second_factor.renew_recovery_codes(password, read_code(from_stdin=password_stdin))
    session.out.record(RecoveryCodesRecord(recovery_codes=codes), codes)


@click.group("account")
def account() -> None:
    """Manage password, name, devices, passkeys, second factor and app passwords."""


account.add_command(second_factor)
account.add_command(passkeys)
account.add_command(app_password)
account.add_command(account_storage)
account.add_command(account_events)
account.add_command(account_history)


@account.command("password", cls=ClientCommand, example="skyshelf account password")
@click.option(
    "--password-stdin", is_flag=True, help="Read the old and the new password from standard input, one per line."
)
def account_password(*, session: CommandSession, password_stdin: bool) -> None:
    """Change your password. All other sessions are logged out."""
    old = read_password("Old password", from_stdin=password_stdin)
    new = read_password("New password", from_stdin=password_stdin, new=True)
    ended = session.client.account.change_password(old, new)
    session.out.note(f"Password changed. {format_count(ended, 'other session')} logged out.")


@account.command(
    "edit", cls=ClientCommand, example="skyshelf account edit --first-name Augusta --last-name 'King Noel'"
)
@click.option("--first-name", help="The first name shown to others.")
@click.option("--last-name", help="The last name shown to others.")
def account_edit(*, session: CommandSession, first_name: str | None, last_name: str | None) -> None:
    """Change the name shown to others."""
    if first_name is None and last_name is None:
        raise click.UsageError("nothing to change: use --first-name or --last-name")
    who = session.client.account.edit_profile(first_name=first_name, last_name=last_name)
    session.out.note(f"Your name is now {visible(who.display_name)}.")


@account.command("devices", cls=ClientCommand, record=OwnDeviceRecord, many=True, example="skyshelf account devices")
def account_devices(*, session: CommandSession) -> None:
    """List your devices, most recently used first.

    This device is marked with *.
    """

    def lines(found: "Iterable[OwnDevice]") -> Iterator[str]:
        yield from table(
            [
                (
                    "*" if one.is_current else " ",
                    visible(one.device_name or "?"),
                    visible(one.platform_type or ""),
                    "logged in" if one.is_logged_in else "logged out",
                    local_time(one.last_seen_date),
                    one.device_key,
                )
                for one in found
            ]
        )

    session.out.records(session.client.account.sessions(), _record, lines)


def _record(one: "OwnDevice") -> OwnDeviceRecord:
    return OwnDeviceRecord(
        device_key=one.device_key,
        name=one.device_name,
        platform=one.platform_type,
        is_logged_in=bool(one.is_logged_in),
        is_this_one=bool(one.is_current),
        added=utc_time(one.created_date),
        last_seen=utc_time(one.last_seen_date),
    )


@account.command(
    "revoke",
    cls=ClientCommand,
    example=("skyshelf account revoke Phone", "skyshelf account revoke --others"),
)
@click.argument("devices", nargs=-1, metavar="DEVICE...")
@click.option("--others", is_flag=True, help="Log out every device except this one.")
@click.option("--forget", is_flag=True, help="Also remove the devices from the list.")
def account_revoke(*, session: CommandSession, devices: tuple[str, ...], others: bool, forget: bool) -> None:
    """Log out devices, by name or key."""
    if bool(devices) == others:
        raise click.UsageError("name the devices, or use --others")
    if others and not forget:
        ended = session.client.account.end_other_sessions()
        session.out.note(f"{format_count(ended, 'other session')} logged out.")
        return
    known = session.client.account.sessions()
    chosen = [one for one in known if not one.is_current] if others else [_find_device(known, name) for name in devices]
    for one in chosen:
        if forget:
            session.client.account.remove_device(one.device_key)
        elif one.is_logged_in:
            session.client.account.end_session(one.device_key)
        session.out.note(f"{'Removed' if forget else 'Logged out'} {visible(one.device_name or one.device_key)}.")


def _find_device(known: "list[OwnDevice]", name: str) -> "OwnDevice":
    found = [one for one in known if one.device_key == name.lower()] or [
        one for one in known if (one.device_name or "").casefold() == name.casefold()
    ]
    if not found:
        raise CommandFailed(
            f"no device {visible(name)}: `skyshelf account devices` lists them",
            OBJECT_NOT_FOUND_ERROR.exit_code,
        )
    if len(found) > 1:
        keys = ", ".join(one.device_key for one in found)
        raise CommandFailed(f"{len(found)} devices have that name; use a key: {keys}", CONFLICT_ERROR.exit_code)
    return found[0]


@account.command("delete", cls=ClientCommand, record=DeletionRecord, example="skyshelf account delete")
@click.option("--password-stdin", is_flag=True, help="Read the password from standard input instead of prompting.")
@yes_option
def account_delete(*, session: CommandSession, password_stdin: bool, yes: bool) -> None:
    """Delete your account after a grace period.

    Everything in it is deleted too. Your public links and your files on boards are hidden immediately. Until the grace
    period ends, `skyshelf account cancel-deletion` restores everything.
    """
    if not yes:
        confirm("Delete your account and everything in it?")
    date = session.client.account.delete(read_password("Password", from_stdin=password_stdin))
    session.out.record(DeletionRecord(deletes=utc_time(date)))
    session.out.note(
        f"The account will be deleted on {local_time(date)}. `skyshelf account cancel-deletion` cancels the deletion."
    )


@account.command("cancel-deletion", cls=ClientCommand, example="skyshelf account cancel-deletion")
def account_cancel_deletion(*, session: CommandSession) -> None:
    """Cancel the pending deletion of the account."""
    session.client.account.cancel_deletion()
    session.out.note("Deletion cancelled.")

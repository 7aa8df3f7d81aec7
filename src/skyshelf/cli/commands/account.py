"""`skyshelf account`: what people change about their own account."""

import shutil
import sys
from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING, Final

import click

from skyshelf.cli.base.errors import CommandFailed
from skyshelf.cli.base.output import table
from skyshelf.cli.base.params import counted
from skyshelf.cli.base.prompts import asked_code, asked_password, confirmed, yes_option
from skyshelf.cli.base.records import DeletionRecord, OwnDeviceRecord, RecoveryCodesRecord, SecondFactorRecord
from skyshelf.cli.base.session import ClientCommand, Session
from skyshelf.cli.base.text import local_time, utc_time, visible
from skyshelf.wire.client_errors import CONFLICT_ERROR, OBJECT_NOT_FOUND_ERROR

if TYPE_CHECKING:
    from skyshelf.wire.resources.account import OwnDevice


# `skyshelf account second-factor`: a code besides the password.

# Readers of QR codes want so much light around one.
_QUIET: Final = 4
_HALVES: Final = {("1", "1"): "█", ("1", "0"): "▀", ("0", "1"): "▄", ("0", "0"): " "}

_stdin_option = click.option(
    "--password-stdin", is_flag=True, help="Read two lines from standard input: the password and a code."
)


@click.group("second-factor")
def second_factor() -> None:
    """Have logins ask for a code of your phone too."""


@second_factor.command(
    "status", cls=ClientCommand, record=SecondFactorRecord, example="skyshelf account second-factor status"
)
def second_factor_status(*, session: Session) -> None:
    """Say whether logins ask for a code, and how many recovery codes are left."""
    told = session.client.second_factor.status()
    record = SecondFactorRecord(
        is_on=bool(told.is_on), since=utc_time(told.on_since_date), recovery_codes_left=told.recovery_codes_left
    )
    line = "off: logins ask for the password alone"
    if record.is_on:
        left = counted(record.recovery_codes_left or 0, "recovery code")
        line = f"on since {local_time(told.on_since_date)}, with {left} left"
    session.out.one(record, [line])


@second_factor.command("on", cls=ClientCommand, example="skyshelf account second-factor on")
@click.option(
    "--password-stdin",
    is_flag=True,
    help="Read the password from standard input, and then, when the secret was told, a first code.",
)
def second_factor_on(*, session: Session, password_stdin: bool) -> None:
    """Have logins ask for a code of an authenticator, an application on your phone.

    It prints ten recovery codes, one per line, for the day on which the phone is lost: keep them somewhere else.
    Whoever is logged in stays so; `skyshelf account revoke --others` ends that.
    """
    setup = session.client.second_factor.begin(asked_password("Password", from_stdin=password_stdin))
    _show(setup.qr_code or [])
    click.echo(f"Secret for the authenticator: {visible(setup.secret or '')}", err=True)
    click.echo(f"or its address: {visible(setup.otpauth_uri or '')}", err=True)
    codes = session.client.second_factor.confirm(asked_code("Code that it shows", from_stdin=password_stdin))
    session.out.note("Logins ask for a code from now on. These recovery codes are shown this once, each is good once:")
    session.out.lines(codes)


def _show(rows: Sequence[str]) -> None:
    """The picture that a phone takes the secret over from, where somebody can see it."""
    columns = len(rows) + 2 * _QUIET
    if rows and sys.stderr.isatty() and shutil.get_terminal_size().columns >= columns:
        for line in _drawn(rows):
            click.echo(click.style(line, fg="black", bg="bright_white"), err=True)


def _drawn(rows: Sequence[str]) -> Iterator[str]:
    """Two rows of squares per line of text, with light around them."""
    around = ["0" * (len(rows) + 2 * _QUIET)] * _QUIET
    side = "0" * _QUIET
    whole = [*around, *(f"{side}{row}{side}" for row in rows), *around]
    for upper, lower in zip_longest(whole[::2], whole[1::2], fillvalue=around[0]):
        yield "".join(_HALVES[pair] for pair in zip(upper, lower, strict=True))


@second_factor.command("off", cls=ClientCommand, example="skyshelf account second-factor off")
@_stdin_option
def second_factor_off(*, session: Session, password_stdin: bool) -> None:
    """Let the password alone open the account again; a recovery code will do in place of the phone."""
    password = asked_password("Password", from_stdin=password_stdin)
    session.client.second_factor.turn_off(password, asked_code(from_stdin=password_stdin))
    session.out.note("Logins ask for the password alone from now on.")


@second_factor.command(
    "codes", cls=ClientCommand, record=RecoveryCodesRecord, example="skyshelf account second-factor codes"
)
@_stdin_option
def second_factor_codes(*, session: Session, password_stdin: bool) -> None:
    """Make ten new recovery codes; those before are worth nothing any more."""
    password = asked_password("Password", from_stdin=password_stdin)
    codes = session.client.second_factor.renew_recovery_codes(password, asked_code(from_stdin=password_stdin))
    session.out.one(RecoveryCodesRecord(recovery_codes=codes), codes)


# `skyshelf account`: what people change about their own account.


@click.group("account")
def account() -> None:
    """Change your password, names, devices and sessions, or delete your account."""


account.add_command(second_factor)


@account.command("password", cls=ClientCommand, example="skyshelf account password")
@click.option(
    "--password-stdin", is_flag=True, help="Read two lines from standard input: the old password and the new one."
)
def account_password(*, session: Session, password_stdin: bool) -> None:
    """Change the password; every other session ends, and this one stays."""
    old = asked_password("Old password", from_stdin=password_stdin)
    new = asked_password("New password", from_stdin=password_stdin, new=True)
    ended = session.client.account.change_password(old, new)
    session.out.note(f"The password is changed. {counted(ended, 'other session')} ended.")


@account.command(
    "edit", cls=ClientCommand, example="skyshelf account edit --first-name Augusta --last-name 'King Noel'"
)
@click.option("--first-name", help="The first name that others see.")
@click.option("--last-name", help="The last name that others see.")
def account_edit(*, session: Session, first_name: str | None, last_name: str | None) -> None:
    """Change the names that others see."""
    if first_name is None and last_name is None:
        raise click.UsageError("say what to change: --first-name or --last-name")
    who = session.client.account.edit_profile(first_name=first_name, last_name=last_name)
    session.out.note(f"You are {visible(who.display_name)} now.")


@account.command("devices", cls=ClientCommand, record=OwnDeviceRecord, many=True, example="skyshelf account devices")
def account_devices(*, session: Session) -> None:
    """List your devices and whether they are logged in, the one that was seen last first."""

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

    session.out.many(session.client.account.sessions(), _record, lines)


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
@click.option("--others", is_flag=True, help="Every device but this one.")
@click.option("--forget", is_flag=True, help="Take the devices off the list too.")
def account_revoke(*, session: Session, devices: tuple[str, ...], others: bool, forget: bool) -> None:
    """Log devices out, by name or key."""
    if bool(devices) == others:
        raise click.UsageError("name devices, or --others")
    if others and not forget:
        ended = session.client.account.end_other_sessions()
        session.out.note(f"{counted(ended, 'other session')} ended.")
        return
    known = session.client.account.sessions()
    chosen = [one for one in known if not one.is_current] if others else [_named(known, name) for name in devices]
    for one in chosen:
        if forget:
            session.client.account.remove_device(one.device_key)
        elif one.is_logged_in:
            session.client.account.end_session(one.device_key)
        session.out.note(f"{visible(one.device_name or one.device_key)} is {'forgotten' if forget else 'logged out'}.")


def _named(known: "list[OwnDevice]", name: str) -> "OwnDevice":
    found = [one for one in known if one.device_key == name.lower()] or [
        one for one in known if (one.device_name or "").casefold() == name.casefold()
    ]
    if not found:
        raise CommandFailed(
            f"there is no device {visible(name)}: `skyshelf account devices` lists them",
            OBJECT_NOT_FOUND_ERROR.exit_code,
        )
    if len(found) > 1:
        keys = ", ".join(one.device_key for one in found)
        raise CommandFailed(
            f"{len(found)} devices have that name: name one by its key: {keys}", CONFLICT_ERROR.exit_code
        )
    return found[0]


@account.command("delete", cls=ClientCommand, record=DeletionRecord, example="skyshelf account delete")
@click.option("--password-stdin", is_flag=True, help="Read the password from standard input instead of asking for it.")
@yes_option
def account_delete(*, session: Session, password_stdin: bool, yes: bool) -> None:
    """Delete your account with everything in it, after some days in which `account keep` takes that back.

    Links and what you have on boards are hidden from others at once.
    """
    if not yes:
        confirmed("Delete your account and everything in it?")
    date = session.client.account.delete(asked_password("Password", from_stdin=password_stdin))
    session.out.one(DeletionRecord(deletes=utc_time(date)))
    session.out.note(f"The account goes for good on {local_time(date)}. Until then `skyshelf account keep` keeps it.")


@account.command("keep", cls=ClientCommand, example="skyshelf account keep")
def account_keep(*, session: Session) -> None:
    """Take back that the account is to be deleted."""
    session.client.account.cancel_deletion()
    session.out.note("The account stays.")

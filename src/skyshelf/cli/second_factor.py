"""`skyshelf account second-factor`: a code besides the password."""

import shutil
import sys
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Final

import click

from skyshelf.cli.questions import asked_code, asked_password
from skyshelf.cli.records import RecoveryCodesRecord, SecondFactorRecord
from skyshelf.cli.session import ClientCommand, Session
from skyshelf.cli.sizes import counted
from skyshelf.cli.visible_text import local_time, utc_time, visible

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
    told = session.client.second_factor()
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
    setup = session.client.begin_second_factor(asked_password("Password", from_stdin=password_stdin))
    _show(setup.qr_code or [])
    click.echo(f"Secret for the authenticator: {visible(setup.secret or '')}", err=True)
    click.echo(f"or its address: {visible(setup.otpauth_uri or '')}", err=True)
    codes = session.client.confirm_second_factor(asked_code("Code that it shows", from_stdin=password_stdin))
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
    session.client.turn_off_second_factor(password, asked_code(from_stdin=password_stdin))
    session.out.note("Logins ask for the password alone from now on.")


@second_factor.command(
    "codes", cls=ClientCommand, record=RecoveryCodesRecord, example="skyshelf account second-factor codes"
)
@_stdin_option
def second_factor_codes(*, session: Session, password_stdin: bool) -> None:
    """Make ten new recovery codes; those before are worth nothing any more."""
    password = asked_password("Password", from_stdin=password_stdin)
    codes = session.client.renew_recovery_codes(password, asked_code(from_stdin=password_stdin))
    session.out.one(RecoveryCodesRecord(recovery_codes=codes), codes)

"""`skyshelf account second-factor`, `passkeys` and `app-password`: what lets people and apps in."""

import shutil
import sys
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from operator import attrgetter
from typing import Annotated, Final

import click

from skyshelf.cli.base.errors import InvalidRequest
from skyshelf.cli.base.output import Row
from skyshelf.cli.base.params import FUTURE_TIME
from skyshelf.cli.base.prompts import password_stdin_option, read_code, read_confirmation, read_password
from skyshelf.cli.base.session import ClientGroup, CommandSession
from skyshelf.cli.base.targets import by_name_or_key, locate
from skyshelf.cli.base.text import format_count, local_time, visible
from skyshelf.wire.projection import From, Projection, Time
from skyshelf.wire.resources.credentials import AppPassword
from skyshelf.wire.resources.passkeys import Passkey

# QR code readers require a light margin this wide.
_QR_MARGIN: Final = 4
_HALF_BLOCKS: Final = {("1", "1"): "█", ("1", "0"): "▀", ("0", "1"): "▄", ("0", "0"): " "}

_stdin_option = click.option(
    "--password-stdin", is_flag=True, help="Read the password and a code from standard input, one per line."
)


@click.group("second-factor", cls=ClientGroup)
def second_factor() -> None:
    """Manage the second factor for logins.

    With it, logins require a code from your phone as well as your password.
    """


class SecondFactorRecord(Projection, frozen=True, kw_only=True):
    """Whether logins require a code; `since` and `recovery_codes_left` are null if they do not."""

    is_on: bool
    since: Annotated[Time, From("on_since_date")]
    recovery_codes_left: int | None


@second_factor.command("status", "skyshelf account second-factor status", record=SecondFactorRecord)
def second_factor_status(*, session: CommandSession) -> None:
    """Show whether it is on, and the number of recovery codes left."""
    status = session.client.second_factor.status()
    line = "off: logins require only the password"
    if status.is_on:
        left = format_count(status.recovery_codes_left or 0, "recovery code")
        line = f"on since {local_time(status.on_since_date)}, with {left} left"
    session.out.record(SecondFactorRecord.of(status), [line])


@second_factor.command("on", "skyshelf account second-factor on")
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


@second_factor.command("off", "skyshelf account second-factor off")
@_stdin_option
def second_factor_off(*, session: CommandSession, password_stdin: bool) -> None:
    """Require only the password again. A recovery code works instead of a code from the app."""
    password = read_password("Password", from_stdin=password_stdin)
    session.client.second_factor.turn_off(password, read_code(from_stdin=password_stdin))
    session.out.note("The second factor is off. Logins require only the password.")


class RecoveryCodesRecord(Projection, frozen=True, kw_only=True):
    """Codes that replace a lost authenticator; each works once."""

    recovery_codes: list[str]


@second_factor.command("codes", "skyshelf account second-factor codes", record=RecoveryCodesRecord)
@_stdin_option
def second_factor_codes(*, session: CommandSession, password_stdin: bool) -> None:
    """Create ten new recovery codes. The old ones stop working."""
    password = read_password("Password", from_stdin=password_stdin)
    codes = session.client.second_factor.renew_recovery_codes(password, read_code(from_stdin=password_stdin))
    session.out.record(RecoveryCodesRecord(recovery_codes=codes), codes)


@click.group("passkeys", cls=ClientGroup)
def passkeys() -> None:
    """Manage the passkeys that log you in.

    A passkey is a key on a phone, a computer or a security key. It logs you in in a browser, without a password.
    """


class PasskeyRecord(Projection, frozen=True, kw_only=True):
    """A passkey of the account; it works for `host` alone."""

    passkey_key: str
    name: str | None
    host: str | None
    replaces_password: bool
    is_backed_up: bool
    transports: list[str]
    created: Time
    last_used: Time


@passkeys.command("list", "skyshelf account passkeys list", records=PasskeyRecord)
def list_passkeys(*, session: CommandSession) -> None:
    """List your passkeys, newest first."""
    session.out.rows(session.client.passkeys.list(), PasskeyRecord.of, _passkey_row)


def _passkey_row(one: Passkey) -> Row:
    return (
        visible(one.name or "?"),
        visible(one.host or ""),
        "instead of the password" if one.replaces_password else "after the password",
        "backed up" if one.is_backed_up else "on one device",
        f"used {local_time(one.last_used_date)}" if one.last_used_date else "never used",
        one.passkey_key,
    )


@passkeys.command("add", "skyshelf account passkeys add")
@click.option("--print", "print_only", is_flag=True, help="Print the address instead of opening it.")
def add_passkey(*, session: CommandSession, print_only: bool) -> None:
    """Open the page where a browser adds a passkey.

    Only a browser can create one: it asks your phone, your computer or your security key.
    """
    session.out.note("A passkey is added in a browser, in the settings under Passkeys:")
    session.open_page("/drive/settings", print_only=print_only)


@passkeys.command("rename", "skyshelf account passkeys rename 'Chrome on Linux' 'Blue security key'")
@click.argument("name")
@click.argument("new_name")
def rename_passkey(*, session: CommandSession, name: str, new_name: str) -> None:
    """Rename a passkey."""
    chosen = _find_passkey(session.client.passkeys.list(), name)
    session.client.passkeys.rename(chosen.passkey_key, new_name)
    session.out.note(f"{visible(chosen.name or chosen.passkey_key)} is now called {visible(new_name)}.")


@passkeys.command("rm", "skyshelf account passkeys rm 'Blue security key'")
@click.argument("name")
@password_stdin_option
def remove_passkey(*, session: CommandSession, name: str, password_stdin: bool) -> None:
    """Remove a passkey, by name or key.

    This requires your password and, if the second factor is on, a code. Devices that are logged in stay logged in.
    """
    chosen = _find_passkey(session.client.passkeys.list(), name)
    password, code = read_confirmation(session, from_stdin=password_stdin)
    session.client.passkeys.remove(chosen.passkey_key, password, code=code)
    session.out.note(f"Removed {visible(chosen.name or chosen.passkey_key)}. It may still be listed on your device.")


def _find_passkey(known: list[Passkey], name: str) -> Passkey:
    label, key = attrgetter("name"), attrgetter("passkey_key")
    return by_name_or_key(known, name, "passkey", listing="account passkeys list", name=label, key=key)


@click.group("app-password", cls=ClientGroup)
def app_password() -> None:
    """Manage passwords for apps, such as WebDAV clients.

    An app password opens files and nothing else. It works without a second factor, and can be revoked at any time.
    """


class NewAppPasswordRecord(Projection, frozen=True, kw_only=True):
    """A new app password, which is not shown again, and where to use it."""

    device_key: str
    password: str
    user_name: str | None
    webdav_url: str | None


@app_password.command(
    "add",
    "skyshelf account app-password add 'Finder on my Mac'",
    "skyshelf account app-password add Scanner --folder /Scans --webdav-only",
    "skyshelf account app-password add 'Laptop on loan' --expires 7d",
    record=NewAppPasswordRecord,
)
@click.argument("name")
@click.option("--read-only", is_flag=True, help="The app cannot change anything.")
@click.option("--folder", metavar="FOLDER", help="The only folder that the app sees.")
@click.option("--webdav-only", is_flag=True, help="The password opens WebDAV alone, and no other protocol for apps.")
@click.option(
    "--expires",
    type=FUTURE_TIME,
    default="never",
    help="When it stops working: 30d, 2027-05-01, never.  [default: never]",
)
@click.option(
    "--password-stdin",
    is_flag=True,
    help="Read your password, and a code if the second factor is on, from standard input, one per line.",
)
def add_app_password(
    *,
    session: CommandSession,
    name: str,
    read_only: bool,
    folder: str | None,
    webdav_only: bool,
    expires: int,
    password_stdin: bool,
) -> None:
    """Create an app password.

    Prints only the password, which is not shown again. Use it with your email address.
    """
    folder_key = None if folder is None else folder_key_at(session, folder)
    password, code = read_confirmation(session, from_stdin=password_stdin)
    new = session.client.account.add_app_password(
        name,
        password,
        code=code,
        can_write=not read_only,
        folder_key=folder_key,
        webdav_only=webdav_only,
        expires_date=expires or None,
    )
    record = NewAppPasswordRecord.of(new)
    session.out.note(f"Address for WebDAV: {visible(new.webdav_url or '')}")
    session.out.note(f"User name: {visible(new.user_name or '')}")
    session.out.record(record, [record.password])


def folder_key_at(session: CommandSession, folder: str) -> str:
    """Return the key of the folder that an option names."""
    found = locate(session.client, folder).object
    if not found.is_folder:
        raise InvalidRequest(f"{visible(folder)} is a file: use a folder")
    return found.key


class AppPasswordRecord(Projection, frozen=True, kw_only=True):
    """What lets one app in; `folder_key` is null if it sees the whole drive, `folder_name` if the folder is gone."""

    device_key: str
    name: str | None
    can_write: bool
    folder_key: str | None
    folder_name: str | None
    webdav_only: bool
    expires: Time
    created: Time
    last_used: Time


@app_password.command("list", "skyshelf account app-password list", records=AppPasswordRecord)
def list_app_passwords(*, session: CommandSession) -> None:
    """List the app passwords, newest first."""
    session.out.rows(session.client.account.app_passwords(), AppPasswordRecord.of, _app_password_row)


def _app_password_row(one: AppPassword) -> Row:
    folder = "the whole drive"
    if one.folder_key is not None:
        folder = visible(one.folder_name) if one.folder_name else "a folder that is gone"
    return (
        visible(one.name or "?"),
        "reads and writes" if one.can_write else "reads",
        folder,
        "WebDAV only" if one.webdav_only else "",
        f"until {local_time(one.expires_date)}" if one.expires_date else "",
        f"used {local_time(one.last_used_date)}" if one.last_used_date else "never used",
        one.device_key,
    )


@app_password.command("rm", "skyshelf account app-password rm 'Finder on my Mac'")
@click.argument("names", nargs=-1, required=True, metavar="NAME...")
def remove_app_passwords(*, session: CommandSession, names: tuple[str, ...]) -> None:
    """Revoke app passwords, by name or key."""
    known = session.client.account.app_passwords()
    chosen = [find_app_password(known, name) for name in names]
    for one in chosen:
        session.client.account.revoke_app_password(one.device_key)
        session.out.note(f"Revoked {visible(one.name or one.device_key)}.")


def find_app_password(known: list[AppPassword], name: str) -> AppPassword:
    """The app password with that name or key."""
    label, key = attrgetter("name"), attrgetter("device_key")
    return by_name_or_key(known, name, "app password", listing="account app-password list", name=label, key=key)

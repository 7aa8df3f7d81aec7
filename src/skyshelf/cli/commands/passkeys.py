"""`skyshelf account passkeys`: the passkeys that log you in, in a browser."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import click

from skyshelf.cli.base.account_records import PasskeyRecord
from skyshelf.cli.base.errors import CommandFailed
from skyshelf.cli.base.output import table
from skyshelf.cli.base.prompts import read_code, read_password
from skyshelf.cli.base.session import ClientCommand, CommandSession
from skyshelf.cli.base.text import local_time, utc_time, visible
from skyshelf.wire.client_errors import CONFLICT_ERROR, OBJECT_NOT_FOUND_ERROR

if TYPE_CHECKING:
    from skyshelf.wire.resources.passkeys import Passkey


@click.group("passkeys")
def passkeys() -> None:
    """Manage the passkeys that log you in.

    A passkey is a key on a phone, a computer or a security key. It logs you in in a browser, without a password.
    """


@passkeys.command("list", cls=ClientCommand, record=PasskeyRecord, many=True, example="skyshelf account passkeys list")
def list_(*, session: CommandSession) -> None:
    """List your passkeys, the newest first."""

    def lines(found: "Iterable[Passkey]") -> Iterator[str]:
        yield from table(
            [
                (
                    visible(one.name or "?"),
                    visible(one.host or ""),
                    "instead of the password" if one.replaces_password else "after the password",
                    "backed up" if one.is_backed_up else "on one device",
                    f"used {local_time(one.last_used_date)}" if one.last_used_date else "never used",
                    one.passkey_key,
                )
                for one in found
            ]
        )

    session.out.records(session.client.passkeys.list(), _record, lines)


def _record(one: "Passkey") -> PasskeyRecord:
    return PasskeyRecord(
        passkey_key=one.passkey_key,
        name=one.name,
        host=one.host,
        replaces_password=bool(one.replaces_password),
        is_backed_up=bool(one.is_backed_up),
        transports=one.transports or [],
        created=utc_time(one.created_date),
        last_used=utc_time(one.last_used_date),
    )


@passkeys.command("add", cls=ClientCommand, example="skyshelf account passkeys add")
@click.option("--print", "print_only", is_flag=True, help="Print the address instead of opening it.")
def add(*, session: CommandSession, print_only: bool) -> None:
    """Open the page where a browser adds a passkey.

    Only a browser can create one: it asks your phone, your computer or your security key.
    """
    from skyshelf.client.settings import load_settings
    from skyshelf.wire.endpoint import Host

    settings = load_settings({"server": session.server}, profile=session.profile)
    url = f"{settings.hosts.base(Host.ACCOUNT).rstrip('/')}/drive/settings"
    session.out.note("A passkey is added in a browser, in the settings under Passkeys:")
    if print_only or click.launch(url) != 0:
        session.out.lines([url])


@passkeys.command(
    "rename", cls=ClientCommand, example="skyshelf account passkeys rename 'Chrome on Linux' 'Blue security key'"
)
@click.argument("name")
@click.argument("new_name")
def rename(*, session: CommandSession, name: str, new_name: str) -> None:
    """Give a passkey another name."""
    chosen = _find(session.client.passkeys.list(), name)
    session.client.passkeys.rename(chosen.passkey_key, new_name)
    session.out.note(f"{visible(chosen.name or chosen.passkey_key)} is now called {visible(new_name)}.")


@passkeys.command("rm", cls=ClientCommand, example="skyshelf account passkeys rm 'Blue security key'")
@click.argument("name")
@click.option(
    "--password-stdin",
    is_flag=True,
    help="Read the password and, if the second factor is on, a code from standard input, one per line.",
)
def rm(*, session: CommandSession, name: str, password_stdin: bool) -> None:
    """Remove a passkey, by name or key.

    It takes your password and, if the second factor is on, a code. Devices that are logged in stay logged in.
    """
    chosen = _find(session.client.passkeys.list(), name)
    password = read_password("Your password", from_stdin=password_stdin)
    code = read_code(from_stdin=password_stdin) if session.client.second_factor.status().is_on else None
    session.client.passkeys.remove(chosen.passkey_key, password, code=code)
    session.out.note(f"Removed {visible(chosen.name or chosen.passkey_key)}. It may still be listed on your device.")


def _find(known: "list[Passkey]", name: str) -> "Passkey":
    found = [one for one in known if one.passkey_key == name.upper()] or [
        one for one in known if (one.name or "").casefold() == name.casefold()
    ]
    if not found:
        raise CommandFailed(
            f"no passkey {visible(name)}: `skyshelf account passkeys list` lists them",
            OBJECT_NOT_FOUND_ERROR.exit_code,
        )
    if len(found) > 1:
        keys = ", ".join(one.passkey_key for one in found)
        raise CommandFailed(f"{len(found)} passkeys have that name; use a key: {keys}", CONFLICT_ERROR.exit_code)
    return found[0]

"""`skyshelf account`: what people change about their own account."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import click

from skyshelf.cli.failures import CommandFailed
from skyshelf.cli.output import table
from skyshelf.cli.questions import asked_password, confirmed, yes_option
from skyshelf.cli.records import DeletionRecord, OwnDeviceRecord
from skyshelf.cli.second_factor import second_factor
from skyshelf.cli.session import ClientCommand, Session
from skyshelf.cli.sizes import counted
from skyshelf.cli.visible_text import local_time, utc_time, visible
from skyshelf.wire.client_errors import CONFLICT_ERROR, OBJECT_NOT_FOUND_ERROR

if TYPE_CHECKING:
    from skyshelf.wire.resources.account import OwnDevice


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
    ended = session.client.change_password(old, new)
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
    who = session.client.edit_profile(first_name=first_name, last_name=last_name)
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

    session.out.many(session.client.own_devices(), _record, lines)


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
        ended = session.client.end_other_sessions()
        session.out.note(f"{counted(ended, 'other session')} ended.")
        return
    known = session.client.own_devices()
    chosen = [one for one in known if not one.is_current] if others else [_named(known, name) for name in devices]
    for one in chosen:
        if forget:
            session.client.remove_device(one.device_key)
        elif one.is_logged_in:
            session.client.end_session(one.device_key)
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
    date = session.client.delete_account(asked_password("Password", from_stdin=password_stdin))
    session.out.one(DeletionRecord(deletes=utc_time(date)))
    session.out.note(f"The account goes for good on {local_time(date)}. Until then `skyshelf account keep` keeps it.")


@account.command("keep", cls=ClientCommand, example="skyshelf account keep")
def account_keep(*, session: Session) -> None:
    """Take back that the account is to be deleted."""
    session.client.keep_account()
    session.out.note("The account stays.")

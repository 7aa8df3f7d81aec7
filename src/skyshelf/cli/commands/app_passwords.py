"""`skyshelf account app-password`: passwords for programs such as WebDAV clients."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import click

from skyshelf.cli.base.account_records import AppPasswordRecord, MadeAppPasswordRecord
from skyshelf.cli.base.errors import CommandFailed
from skyshelf.cli.base.output import table
from skyshelf.cli.base.prompts import read_code, read_password
from skyshelf.cli.base.session import ClientCommand, CommandSession
from skyshelf.cli.base.targets import locate
from skyshelf.cli.base.text import local_time, utc_time, visible
from skyshelf.wire.client_errors import CONFLICT_ERROR, INVALID_REQUEST_ERROR, OBJECT_NOT_FOUND_ERROR

if TYPE_CHECKING:
    from skyshelf.wire.resources.app_passwords import AppPassword


@click.group("app-password")
def app_password() -> None:
    """Manage passwords for apps, such as WebDAV clients.

    An app password opens files and nothing else. It works without a second factor, and can be revoked at any time.
    """


@app_password.command(
    "add",
    cls=ClientCommand,
    record=MadeAppPasswordRecord,
    example=(
        "skyshelf account app-password add 'Finder on my Mac'",
        "skyshelf account app-password add Scanner --folder /Scans --webdav-only",
    ),
)
@click.argument("name")
@click.option("--read-only", is_flag=True, help="The app can change nothing.")
@click.option("--folder", metavar="FOLDER", help="The only folder that the app sees.")
@click.option("--webdav-only", is_flag=True, help="The password opens WebDAV alone, and no other protocol for apps.")
@click.option(
    "--password-stdin",
    is_flag=True,
    help="Read your password, and a code if the second factor is on, from standard input, one per line.",
)
def add(
    *, session: CommandSession, name: str, read_only: bool, folder: str | None, webdav_only: bool, password_stdin: bool
) -> None:
    """Make an app password.

    Prints only the password, which is not shown again. Use it with your email address.
    """
    folder_key = None
    if folder is not None:
        found = locate(session.client, folder).object
        if not found.is_folder:
            raise CommandFailed(f"{visible(folder)} is a file: use a folder", INVALID_REQUEST_ERROR.exit_code)
        folder_key = found.key
    password = read_password("Your password", from_stdin=password_stdin)
    code = read_code(from_stdin=password_stdin) if session.client.second_factor.status().is_on else None
    made = session.client.account.add_app_password(
        name, password, code=code, can_write=not read_only, folder_key=folder_key, webdav_only=webdav_only
    )
    record = MadeAppPasswordRecord(
        device_key=made.device_key,
        password=made.password or "",
        user_name=made.user_name,
        webdav_url=made.webdav_url,
    )
    session.out.note(f"Address for WebDAV: {visible(made.webdav_url or '')}")
    session.out.note(f"User name: {visible(made.user_name or '')}")
    session.out.record(record, [record.password])


@app_password.command(
    "list", cls=ClientCommand, record=AppPasswordRecord, many=True, example="skyshelf account app-password list"
)
def list_(*, session: CommandSession) -> None:
    """List the app passwords, the newest first."""

    def lines(found: "Iterable[AppPassword]") -> Iterator[str]:
        yield from table(
            [
                (
                    visible(one.name or "?"),
                    "reads and writes" if one.can_write else "reads",
                    _folder(one),
                    "WebDAV only" if one.webdav_only else "",
                    f"used {local_time(one.last_used_date)}" if one.last_used_date else "never used",
                    one.device_key,
                )
                for one in found
            ]
        )

    session.out.records(session.client.account.app_passwords(), _record, lines)


def _folder(one: "AppPassword") -> str:
    if one.folder_key is None:
        return "the whole drive"
    return visible(one.folder_name) if one.folder_name else "a folder that is gone"


def _record(one: "AppPassword") -> AppPasswordRecord:
    return AppPasswordRecord(
        device_key=one.device_key,
        name=one.name,
        can_write=bool(one.can_write),
        folder_key=one.folder_key,
        folder_name=one.folder_name,
        webdav_only=bool(one.webdav_only),
        created=utc_time(one.created_date),
        last_used=utc_time(one.last_used_date),
    )


@app_password.command("rm", cls=ClientCommand, example="skyshelf account app-password rm 'Finder on my Mac'")
@click.argument("names", nargs=-1, required=True, metavar="NAME...")
def rm(*, session: CommandSession, names: tuple[str, ...]) -> None:
    """Revoke app passwords, by name or key."""
    known = session.client.account.app_passwords()
    chosen = [find_app_password(known, name) for name in names]
    for one in chosen:
        session.client.account.revoke_app_password(one.device_key)
        session.out.note(f"Revoked {visible(one.name or one.device_key)}.")


def find_app_password(known: "list[AppPassword]", name: str) -> "AppPassword":
    """The app password of that name or key."""
    found = [one for one in known if one.device_key == name.lower()] or [
        one for one in known if (one.name or "").casefold() == name.casefold()
    ]
    if not found:
        raise CommandFailed(
            f"no app password {visible(name)}: `skyshelf account app-password list` lists them",
            OBJECT_NOT_FOUND_ERROR.exit_code,
        )
    if len(found) > 1:
        keys = ", ".join(one.device_key for one in found)
        raise CommandFailed(f"{len(found)} app passwords have that name; use a key: {keys}", CONFLICT_ERROR.exit_code)
    return found[0]

"""`skyshelf share` and `shares`: public links."""

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

import click

from skyshelf.cli.base.file_records import ObjectRecord, object_record
from skyshelf.cli.base.groups import ListingGroup
from skyshelf.cli.base.output import table
from skyshelf.cli.base.params import FutureTime, Size, format_count
from skyshelf.cli.base.prompts import confirm, read_password, yes_option
from skyshelf.cli.base.session import ClientCommand, CommandSession
from skyshelf.cli.base.sharing_records import LinkRecord, ShareRecord
from skyshelf.cli.base.targets import KEY, locate_all
from skyshelf.cli.base.text import local_time, utc_time, visible
from skyshelf.client.objects.remote_object import RemoteObject
from skyshelf.wire.limits import GUEST_FILES_MAX

if TYPE_CHECKING:
    from skyshelf.wire.resources.shares import OwnShare

_expires_option = click.option(
    "--expires", type=FutureTime(), help="When the link expires: 7d, a date, a time, or never."
)
_ask_option = click.option(
    "--password", "ask", is_flag=True, help="Protect the link with a password, which is prompted for."
)
_stdin_option = click.option("--password-stdin", is_flag=True, help="Read the link's password from standard input.")


def _parse_limit(_: click.Context, __: click.Parameter, value: str | None) -> int | None:
    if value is None or value == "none":
        return None if value is None else 0
    if not value.isascii() or not value.isdigit() or int(value) < 1:
        raise click.BadParameter("use a number from 1, or none")
    return int(value)


_downloads_option = click.option(
    "--max-downloads", callback=_parse_limit, metavar="N", help="Number of downloads allowed, or none for no limit."
)


def asked_password(ask: bool, password_stdin: bool) -> str | None:
    if not ask and not password_stdin:
        return None
    return read_password("Password for the link", from_stdin=password_stdin, new=True)


def max_uploads_option(help_text: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    return click.option("--max-files", type=click.IntRange(1, GUEST_FILES_MAX), metavar="N", help=help_text)


def limits(command: Callable[..., Any]) -> Callable[..., Any]:
    for option in (_downloads_option, _stdin_option, _ask_option, _expires_option):
        command = option(command)
    return command


@click.command(
    "share",
    cls=ClientCommand,
    record=ShareRecord,
    example=(
        "skyshelf share /Photos/beach.jpg /Photos/sea.jpg",
        "skyshelf share /Photos --expires 7d --password --max-downloads 5",
    ),
)
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@click.option("--name", help="Name of the link; by default it is based on the time.")
@limits
def share(
    *,
    session: CommandSession,
    paths: tuple[str, ...],
    name: str | None,
    expires: int | None,
    ask: bool,
    password_stdin: bool,
    max_downloads: int | None,
) -> None:
    """Create a public link to files and folders.

    Prints only the link, ready for a script. Anyone who has the link can open it.
    """
    password = asked_password(ask, password_stdin)
    found = locate_all(session.client, paths)
    link = session.client.shares.create(
        [item.object for item in found], name=name, expires=expires, password=password, max_downloads=max_downloads
    )
    record = ShareRecord(url=link.url, share_name=link.share_name, object_keys=link.object_keys)
    session.out.record(record, [link.url])


@click.group("shares", cls=ListingGroup)
def shares() -> None:
    """List, edit and revoke public links."""


@shares.command("ls", cls=ClientCommand, record=LinkRecord, many=True, example="skyshelf shares ls")
def shares_ls(*, session: CommandSession) -> None:
    """List your links, newest first."""

    def lines(found: "Iterable[OwnShare]") -> Iterator[str]:
        for one in found:
            yield one.share_url or f"{KEY}{one.share_key}"
            yield f"  {visible(one.share_name or '')}: {', '.join(map(visible, _names(one))) or 'no items left'}"
            yield f"  {_state(one)}"

    session.out.records(
        session.client.shares.list(), link_record, lines, empty="No links: `skyshelf share PATH` creates one."
    )


@shares.command("items", cls=ClientCommand, record=ObjectRecord, many=True, example="skyshelf shares items")
def shares_items(*, session: CommandSession) -> None:
    """List the items that have a public link, newest link first."""

    def lines(found: Iterable[RemoteObject]) -> Iterator[str]:
        yield from table([(session.out.name(one.name, is_folder=one.is_folder),) for one in found])

    session.out.records(
        session.client.shares.objects(), object_record, lines, empty="No files or folders have a public link."
    )


@shares.command(
    "request",
    cls=ClientCommand,
    record=LinkRecord,
    example=(
        "skyshelf shares request /Inbox",
        "skyshelf shares request /Wedding --name 'Your photos, please' --expires 30d --max-files 500 --max-size 50MB",
    ),
)
@click.argument("folder")
@click.option("--name", help="Title of the page; by default the name of the folder.")
@_expires_option
@_ask_option
@_stdin_option
@max_uploads_option("Number of files that can be sent in all.")
@click.option("--max-size", type=Size(), help="Largest file that can be sent, such as 50MB.")
def shares_request(
    *,
    session: CommandSession,
    folder: str,
    name: str | None,
    expires: int | None,
    ask: bool,
    password_stdin: bool,
    max_files: int | None,
    max_size: int | None,
) -> None:
    """Create a link with which others send files into a folder.

    They need no account and see nothing of the folder. What they send counts against your quota; a name that is taken
    gets a number. Prints only the link, ready for a script.
    """
    password = asked_password(ask, password_stdin)
    (found,) = locate_all(session.client, [folder])
    link = session.client.shares.request_files(
        found.object,
        name=name or found.object.name,
        expires=expires,
        password=password,
        max_uploads=max_files,
        max_upload_bytes=max_size,
    )
    session.out.record(link_record(link), [link.share_url or ""])


@shares.command(
    "edit",
    cls=ClientCommand,
    record=LinkRecord,
    example=(
        "skyshelf shares edit https://drive.example.org/l/?u=TOKEN --expires 7d --max-downloads 10",
        "skyshelf shares edit key:019DED2332007B0E91E8A57A4B4B5685 --name 'For Ada' --no-password",
    ),
)
@click.argument("link")
@click.option("--name", help="New name of the link.")
@limits
@click.option("--no-password", is_flag=True, help="Remove the password.")
def shares_edit(
    *,
    session: CommandSession,
    link: str,
    name: str | None,
    expires: int | None,
    ask: bool,
    password_stdin: bool,
    max_downloads: int | None,
    no_password: bool,
) -> None:
    """Change a link's name and limits. Everything else stays unchanged."""
    if no_password and (ask or password_stdin):
        raise click.UsageError("use either --no-password or a password, not both")
    password = "" if no_password else asked_password(ask, password_stdin)
    if name is None and expires is None and password is None and max_downloads is None:
        raise click.UsageError("nothing to change: use --name, --expires, --password, --no-password or --max-downloads")
    changed = session.client.shares.edit(
        link.removeprefix(KEY), name=name, expires=expires, password=password, max_downloads=max_downloads
    )
    session.out.record(link_record(changed))
    session.out.note(f"{visible(changed.share_name or link)}: {_state(changed)}.")


@shares.command("revoke", cls=ClientCommand, example="skyshelf shares revoke https://drive.example.org/l/?u=TOKEN")
@click.argument("links", nargs=-1, required=True, metavar="LINK...")
@yes_option
def shares_revoke(*, session: CommandSession, links: tuple[str, ...], yes: bool) -> None:
    """Revoke links permanently. They stop working immediately."""
    if not yes:
        confirm(f"Permanently revoke {format_count(len(links), 'link')}?")
    for link in links:
        session.client.shares.revoke(link.removeprefix(KEY))
        session.out.note(f"Revoked {link}.")


def _names(one: "OwnShare") -> list[str]:
    if one.board_key is not None:
        return [f"board {one.board_name or KEY + one.board_key}"]
    return [named.object_name or named.object_key for named in one.objects or ()]


def _state(one: "OwnShare") -> str:
    """A link's limits and usage in one line."""
    sent = format_count(one.uploads or 0, "file") + " sent"
    parts = [
        "" if one.is_live is not False else "expired",
        {"add": "visitors can add files", "send": "visitors send files"}.get(one.rights or "", ""),
        "" if one.uploads is None else f"{sent} of {one.max_uploads:,}" if one.max_uploads else sent,
        f"expires {local_time(one.expiry_date)}" if one.expiry_date else "",
        "password-protected" if one.has_password else "",
        f"{one.downloads or 0:,} of {one.max_downloads:,} downloads"
        if one.max_downloads
        else format_count(one.downloads or 0, "download"),
        format_count(one.visits or 0, "visit")
        + (f", last on {local_time(one.last_visit_date)}" if one.last_visit_date else ""),
    ]
    return ", ".join(part for part in parts if part)


def link_record(one: "OwnShare") -> LinkRecord:
    return LinkRecord(
        share_key=one.share_key,
        share_name=one.share_name,
        url=one.share_url,
        rights=one.rights,
        is_live=one.is_live,
        created=utc_time(one.created_date),
        expires=utc_time(one.expiry_date),
        has_password=one.has_password,
        max_downloads=one.max_downloads,
        downloads=one.downloads,
        visits=one.visits,
        last_visit=utc_time(one.last_visit_date),
        max_uploads=one.max_uploads,
        max_upload_bytes=one.max_upload_bytes,
        uploads=one.uploads,
        board_key=one.board_key,
        object_keys=one.object_keys or [],
        names=_names(one),
    )

"""`skyshelf share` and `shares`: public links."""

from collections.abc import Callable, Iterable, Iterator
from typing import Annotated, Any

import click

from skyshelf.cli.base.params import FUTURE_TIME, SIZE, add_options
from skyshelf.cli.base.prompts import confirm, read_password, yes_option
from skyshelf.cli.base.records import ObjectRecord, object_record
from skyshelf.cli.base.session import ClientListing, CommandSession, client_command
from skyshelf.cli.base.targets import KEY, locate_all
from skyshelf.cli.base.text import format_count, local_time, visible
from skyshelf.client.errors import NotOfferedError
from skyshelf.wire.limits import GUEST_FILES_MAX
from skyshelf.wire.projection import From, Projection, Time
from skyshelf.wire.resources.shares import OwnShare, SharedName


def _parse_limit(_: click.Context, __: click.Parameter, value: str | None) -> int | None:
    if value is None or value == "none":
        return None if value is None else 0
    if not value.isascii() or not value.isdigit() or int(value) < 1:
        raise click.BadParameter("use a number from 1, or none")
    return int(value)


_access = add_options(
    click.option("--expires", type=FUTURE_TIME, help="When the link expires: 7d, a date, a time, or never."),
    click.option("--password", "ask", is_flag=True, help="Protect the link with a password, which is prompted for."),
    click.option("--password-stdin", is_flag=True, help="Read the link's password from standard input."),
)
limits = add_options(
    _access,
    click.option(
        "--max-downloads", callback=_parse_limit, metavar="N", help="Number of downloads allowed, or none for no limit."
    ),
)


def pop_password(given: dict[str, Any]) -> str | None:
    """Remove the password options and ask for the password; None if the link gets none."""
    ask, from_stdin = given.pop("ask"), given.pop("password_stdin")
    return read_password("Password for the link", from_stdin=from_stdin, new=True) if ask or from_stdin else None


def max_uploads_option(help_text: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """The option --max-files of a link that visitors send files through."""
    return click.option("--max-files", type=click.IntRange(1, GUEST_FILES_MAX), metavar="N", help=help_text)


class ShareRecord(Projection, frozen=True, kw_only=True):
    """A public link."""

    url: str
    share_name: str
    object_keys: list[str]


@client_command(
    "share",
    "skyshelf share /Photos/beach.jpg /Photos/sea.jpg",
    "skyshelf share /Photos --expires 7d --password --max-downloads 5",
    record=ShareRecord,
)
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@click.option("--name", help="Name of the link; by default it is based on the time.")
@limits
def share(*, session: CommandSession, paths: tuple[str, ...], name: str | None, **given: Any) -> None:
    """Create a public link to files and folders.

    Prints only the link, ready for a script. Anyone who has the link can open it.
    """
    password = pop_password(given)
    found = locate_all(session.client, paths)
    link = session.client.shares.create([item.object for item in found], name=name, password=password, **given)
    session.out.record(ShareRecord.of(link), [link.url])


@click.group("shares", cls=ClientListing)
def shares() -> None:
    """List, edit and revoke public links."""


def _names(one: OwnShare) -> list[str]:
    if one.board_key is not None:
        return [f"album {one.board_name or KEY + one.board_key}"]
    return [named.object_name or named.object_key for named in one.objects or ()]


class LinkRecord(Projection, frozen=True, kw_only=True):
    """One of your public links, with its limits and how often it was used."""

    share_key: str
    share_name: str | None
    url: Annotated[str | None, From("share_url")]
    rights: str | None
    is_live: bool | None
    created: Time
    expires: Annotated[Time, From("expiry_date")]
    has_password: bool | None
    max_downloads: int | None
    downloads: int | None
    visits: int | None
    last_visit: Time
    max_uploads: int | None
    max_upload_bytes: int | None
    uploads: int | None
    board_key: str | None
    object_keys: list[str]
    names: Annotated[list[str], From(_names)]


@shares.command("ls", "skyshelf shares ls", records=LinkRecord)
def shares_ls(*, session: CommandSession) -> None:
    """List your links, newest first."""

    def lines(found: Iterable[OwnShare]) -> Iterator[str]:
        for one in found:
            if not one.share_key:
                yield from map(visible, _names(one))
                continue
            yield one.share_url or f"{KEY}{one.share_key}"
            yield f"  {visible(one.share_name or '')}: {', '.join(map(visible, _names(one))) or 'no items left'}"
            yield f"  {_state(one)}"

    session.out.records(_links(session), LinkRecord.of, lines, empty="No links: `skyshelf share PATH` creates one.")


def _links(session: CommandSession) -> Iterator[OwnShare]:
    """The links, or the items that have one, each without its link, where the server does not list links."""
    try:
        yield from session.client.shares.list()
    except NotOfferedError:
        session.out.note("This server does not list links; these are the items that have one.")
        for found in session.client.shares.objects():
            yield OwnShare(
                share_key="",
                object_keys=[found.key],
                objects=[SharedName(object_key=found.key, object_name=found.name)],
            )


@shares.command("items", "skyshelf shares items", records=ObjectRecord)
def shares_items(*, session: CommandSession) -> None:
    """List the items that have a public link, newest link first."""
    session.out.rows(
        session.client.shares.objects(),
        object_record,
        lambda one: (session.out.name(one.name, is_folder=one.is_folder),),
        empty="No files or folders have a public link.",
    )


@shares.command(
    "request",
    "skyshelf shares request /Inbox",
    "skyshelf shares request /Wedding --name 'Your photos, please' --expires 30d --max-files 500 --max-size 50MB",
    record=LinkRecord,
)
@click.argument("folder")
@click.option("--name", help="Title of the page; by default the name of the folder.")
@_access
@max_uploads_option("Number of files that can be sent in all.")
@click.option("--max-size", type=SIZE, help="Largest file that can be sent, such as 50MB.")
def shares_request(
    *, session: CommandSession, folder: str, name: str | None, max_files: int | None, max_size: int | None, **given: Any
) -> None:
    """Create a link that lets others send files to a folder.

    They need no account and see nothing of the folder. What they send counts against your quota; if a name is taken,
    the file gets a number. Prints only the link, ready for a script.
    """
    password = pop_password(given)
    (found,) = locate_all(session.client, [folder])
    link = session.client.shares.request_files(
        found.object,
        name=name or found.object.name,
        password=password,
        max_uploads=max_files,
        max_upload_bytes=max_size,
        **given,
    )
    session.out.record(LinkRecord.of(link), [link.share_url or ""])


@shares.command(
    "edit",
    "skyshelf shares edit https://drive.example.org/l/?u=TOKEN --expires 7d --max-downloads 10",
    "skyshelf shares edit key:019DED2332007B0E91E8A57A4B4B5685 --name 'For Ada' --no-password",
    record=LinkRecord,
)
@click.argument("link")
@click.option("--name", help="New name of the link.")
@limits
@click.option("--no-password", is_flag=True, help="Remove the password.")
def shares_edit(*, session: CommandSession, link: str, no_password: bool, **given: Any) -> None:
    """Change a link's name and limits. Everything else stays unchanged."""
    if no_password and (given["ask"] or given["password_stdin"]):
        raise click.UsageError("use either --no-password or a password, not both")
    password = pop_password(given)
    changes = given | {"password": "" if no_password else password}
    if all(value is None for value in changes.values()):
        raise click.UsageError("nothing to change: use --name, --expires, --password, --no-password or --max-downloads")
    changed = session.client.shares.edit(link.removeprefix(KEY), **changes)
    session.out.record(LinkRecord.of(changed))
    session.out.note(f"{visible(changed.share_name or link)}: {_state(changed)}.")


@shares.command("revoke", "skyshelf shares revoke https://drive.example.org/l/?u=TOKEN")
@click.argument("links", nargs=-1, required=True, metavar="LINK...")
@yes_option
def shares_revoke(*, session: CommandSession, links: tuple[str, ...], yes: bool) -> None:
    """Revoke links permanently. They stop working immediately."""
    confirm(f"Permanently revoke {format_count(len(links), 'link')}?", yes=yes)
    for link in links:
        session.client.shares.revoke(link.removeprefix(KEY))
        session.out.note(f"Revoked {link}.")


def _state(one: OwnShare) -> str:
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

"""`skyshelf tags`, `favorites` and `timeline`: finding files other than by folder."""

import re
from collections.abc import Iterable
from typing import Annotated, Final

import click

from skyshelf.cli.base.errors import NotFound
from skyshelf.cli.base.output import Row
from skyshelf.cli.base.prompts import confirm, yes_option
from skyshelf.cli.base.records import ObjectRecord, OutcomeRecord, object_record
from skyshelf.cli.base.session import ClientListing, CommandSession, client_command
from skyshelf.cli.base.targets import locate_all, target
from skyshelf.cli.base.text import format_count, local_time, visible
from skyshelf.cli.commands.edit import names_of, paths_argument, report_outcomes
from skyshelf.client.objects.remote_object import RemoteObject
from skyshelf.wire.projection import From, Projection, Time
from skyshelf.wire.resources.feeds import ManualTag, TimelineMonth
from skyshelf.wire.sizes import format_size

_MONTH: Final = re.compile(r"([0-9]{4})-(0[1-9]|1[0-2])", re.ASCII)


@click.group("tags", cls=ClientListing)
def tags() -> None:
    """Add, remove and search by tags."""


class TagRecord(Projection, frozen=True, kw_only=True):
    """A tag."""

    tag_id: str | None
    name: Annotated[str | None, From("tag_name")]
    created: Time


def _list_objects(session: CommandSession, found: Iterable[RemoteObject], empty: str) -> None:
    def row(one: RemoteObject) -> Row:
        name = session.out.name(one.name, is_folder=one.is_folder)
        return format_size(one.wire.size_in_bytes or 0), local_time(one.wire.last_modified_date), name

    session.out.rows(found, object_record, row, right={0}, empty=empty)


def _tag_id(session: CommandSession, name: str) -> str:
    """The key of the tag with that name, ignoring case."""
    for one in session.client.tags.list():
        if one.tag_id and (one.tag_name or "").casefold() == name.casefold():
            return one.tag_id
    raise NotFound(f"no tag {name!r}: `skyshelf tags ls --all` lists them")


@tags.command("ls", "skyshelf tags ls /Photos/beach.jpg", records=TagRecord)
@click.argument("path", required=False)
@click.option("--all", "all_tags", is_flag=True, help="List all tags by name.")
def tags_ls(*, session: CommandSession, path: str | None, all_tags: bool) -> None:
    """List a file's or folder's tags, or recently used tags."""
    if path is not None:
        found: Iterable[ManualTag] = session.client.tags.of(target(path))
    else:
        found = session.client.tags.list() if all_tags else session.client.tags.recent()
    session.out.records(
        found, TagRecord.of, lambda tags_: (visible(one.tag_name or "") for one in tags_), empty="No tags."
    )


@tags.command("add", "skyshelf tags add sea '/Photos/beach*.jpg'", records=OutcomeRecord)
@click.argument("name")
@paths_argument
def tags_add(*, session: CommandSession, name: str, paths: tuple[str, ...]) -> None:
    """Add a tag to files and folders."""
    found = locate_all(session.client, paths)
    result = session.client.tags.add(name, [item.object for item in found], on_error="return")
    report_outcomes(session, names_of(found), result, f"tagged {name}")


@tags.command("remove", "skyshelf tags remove sea /Photos/beach.jpg", records=OutcomeRecord)
@click.argument("name")
@paths_argument
def tags_remove(*, session: CommandSession, name: str, paths: tuple[str, ...]) -> None:
    """Remove a tag from files and folders."""
    tag, found = _tag_id(session, name), locate_all(session.client, paths)
    result = session.client.tags.remove(tag, [item.object for item in found], on_error="return")
    report_outcomes(session, names_of(found), result, f"tag {name} removed")


@tags.command("show", "skyshelf tags show sea", records=ObjectRecord)
@click.argument("name")
def tags_show(*, session: CommandSession, name: str) -> None:
    """List the items with a tag, most recently tagged first."""
    _list_objects(session, session.client.tags.objects(_tag_id(session, name)), "No items with that tag.")


@tags.command("rename", "skyshelf tags rename see sea", record=TagRecord)
@click.argument("name")
@click.argument("new_name")
def tags_rename(*, session: CommandSession, name: str, new_name: str) -> None:
    """Rename a tag on all items."""
    renamed = session.client.tags.rename(_tag_id(session, name), new_name)
    session.out.record(TagRecord.of(renamed), [visible(renamed.tag_name or "")])


@tags.command("delete", "skyshelf tags delete sea")
@click.argument("name")
@yes_option
def tags_delete(*, session: CommandSession, name: str, yes: bool) -> None:
    """Delete a tag, removing it from all items."""
    tag = _tag_id(session, name)
    confirm(f"Delete the tag {visible(name)} and remove it from all items?", yes=yes)
    session.client.tags.delete(tag)
    session.out.note(f"Deleted the tag {name}.")


@client_command("favorites", "skyshelf favorites --by-name", records=ObjectRecord)
@click.option("--by-name", is_flag=True, help="Sort by name instead of newest first.")
def favorites(*, session: CommandSession, by_name: bool) -> None:
    """List your favourites, newest first."""
    found = session.client.favorites(order="name" if by_name else "newest")
    _list_objects(session, found, "No favourites: `skyshelf fav PATH` adds one.")


@click.group("timeline", cls=ClientListing)
def timeline() -> None:
    """List pictures and videos by the month they were taken."""


def _month(one: TimelineMonth) -> str:
    return f"{one.year:04d}-{one.month or 0:02d}"


class MonthRecord(Projection, frozen=True, kw_only=True):
    """How many pictures and videos were taken in a month."""

    month: Annotated[str, From(_month)]
    files: Annotated[int, From("count")]


@timeline.command("ls", "skyshelf timeline ls", records=MonthRecord)
def timeline_ls(*, session: CommandSession) -> None:
    """List the months, newest first, with the number of pictures and videos."""

    def row(one: TimelineMonth) -> Row:
        return _month(one), format_count(one.count or 0, "file")

    session.out.rows(session.client.timeline.months(), MonthRecord.of, row, empty="No pictures or videos.")


@timeline.command("show", "skyshelf timeline show 2026-05", records=ObjectRecord)
@click.argument("month", metavar="YYYY-MM")
def timeline_show(*, session: CommandSession, month: str) -> None:
    """List a month's pictures and videos, newest first."""
    found = _MONTH.fullmatch(month)
    if found is None:
        raise click.UsageError(f"{month!r} is not a month: use the form 2026-05")
    _list_objects(
        session, session.client.timeline.objects(int(found[1]), int(found[2])), "No pictures or videos in that month."
    )

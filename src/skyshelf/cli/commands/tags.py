"""`skyshelf tags`, `favorites` and `timeline`: finding files other than by folder."""

import re
from collections.abc import Iterable, Iterator
from typing import Final

import click

from skyshelf.cli.base.errors import CommandFailed
from skyshelf.cli.base.file_records import MonthRecord, ObjectRecord, OutcomeRecord, TagRecord, object_record
from skyshelf.cli.base.groups import ListingGroup
from skyshelf.cli.base.output import table
from skyshelf.cli.base.params import format_count
from skyshelf.cli.base.prompts import confirm, yes_option
from skyshelf.cli.base.session import ClientCommand, CommandSession
from skyshelf.cli.base.targets import display_name, locate_all, target
from skyshelf.cli.base.text import local_time, utc_time, visible
from skyshelf.cli.commands.edit import paths_argument, report_outcomes
from skyshelf.client.objects.remote_object import RemoteObject
from skyshelf.wire.client_errors import OBJECT_NOT_FOUND_ERROR
from skyshelf.wire.resources.feeds import ManualTag, TimelineMonth
from skyshelf.wire.sizes import format_size

_MONTH: Final = re.compile(r"([0-9]{4})-(0[1-9]|1[0-2])", re.ASCII)


@click.group("tags", cls=ListingGroup)
def tags() -> None:
    """Add, remove and search by tags."""


def _record(one: ManualTag) -> TagRecord:
    return TagRecord(tag_id=one.tag_id, name=one.tag_name, created=utc_time(one.created_date))


def _list_objects(session: CommandSession, found: Iterable[RemoteObject], empty: str) -> None:
    def lines(objects: Iterable[RemoteObject]) -> Iterator[str]:
        rows = (
            (
                format_size(one.wire.size_in_bytes or 0),
                local_time(one.wire.last_modified_date),
                session.out.name(one.name, is_folder=one.is_folder),
            )
            for one in objects
        )
        yield from table(rows, right=frozenset({0}))

    session.out.records(found, object_record, lines, empty=empty)


def _tag_id(session: CommandSession, name: str) -> str:
    """The key of the tag with that name, ignoring case."""
    for one in session.client.tags.list():
        if one.tag_id and (one.tag_name or "").casefold() == name.casefold():
            return one.tag_id
    raise CommandFailed(f"no tag {name!r}: `skyshelf tags ls --all` lists them", OBJECT_NOT_FOUND_ERROR.exit_code)


@tags.command("ls", cls=ClientCommand, record=TagRecord, many=True, example="skyshelf tags ls /Photos/beach.jpg")
@click.argument("path", required=False)
@click.option("--all", "all_tags", is_flag=True, help="List all tags by name.")
def tags_ls(*, session: CommandSession, path: str | None, all_tags: bool) -> None:
    """List a file's or folder's tags, or recently used tags."""
    if path is not None:
        found: Iterable[ManualTag] = session.client.tags.of(target(path))
    else:
        found = session.client.tags.list() if all_tags else session.client.tags.recent()
    session.out.records(found, _record, lambda tags_: (visible(one.tag_name or "") for one in tags_), empty="No tags.")


@tags.command(
    "add", cls=ClientCommand, record=OutcomeRecord, many=True, example="skyshelf tags add sea '/Photos/beach*.jpg'"
)
@click.argument("name")
@paths_argument
def tags_add(*, session: CommandSession, name: str, paths: tuple[str, ...]) -> None:
    """Add a tag to files and folders."""
    found = locate_all(session.client, paths)
    result = session.client.tags.add(name, [item.object for item in found], on_error="return")
    report_outcomes(session, {item.object.key.upper(): display_name(item) for item in found}, result, f"tagged {name}")


@tags.command(
    "remove", cls=ClientCommand, record=OutcomeRecord, many=True, example="skyshelf tags remove sea /Photos/beach.jpg"
)
@click.argument("name")
@paths_argument
def tags_remove(*, session: CommandSession, name: str, paths: tuple[str, ...]) -> None:
    """Remove a tag from files and folders."""
    tag, found = _tag_id(session, name), locate_all(session.client, paths)
    result = session.client.tags.remove(tag, [item.object for item in found], on_error="return")
    report_outcomes(
        session, {item.object.key.upper(): display_name(item) for item in found}, result, f"tag {name} removed"
    )


@tags.command("show", cls=ClientCommand, record=ObjectRecord, many=True, example="skyshelf tags show sea")
@click.argument("name")
def tags_show(*, session: CommandSession, name: str) -> None:
    """List the items with a tag, most recently tagged first."""
    _list_objects(session, session.client.tags.objects(_tag_id(session, name)), "No items with that tag.")


@tags.command("rename", cls=ClientCommand, record=TagRecord, example="skyshelf tags rename see sea")
@click.argument("name")
@click.argument("new_name")
def tags_rename(*, session: CommandSession, name: str, new_name: str) -> None:
    """Rename a tag on all items."""
    renamed = session.client.tags.rename(_tag_id(session, name), new_name)
    session.out.record(_record(renamed), [visible(renamed.tag_name or "")])


@tags.command("delete", cls=ClientCommand, example="skyshelf tags delete sea")
@click.argument("name")
@yes_option
def tags_delete(*, session: CommandSession, name: str, yes: bool) -> None:
    """Delete a tag, removing it from all items."""
    tag = _tag_id(session, name)
    if not yes:
        confirm(f"Delete the tag {visible(name)} and remove it from all items?")
    session.client.tags.delete(tag)
    session.out.note(f"Deleted the tag {name}.")


@click.command("favorites", cls=ClientCommand, record=ObjectRecord, many=True, example="skyshelf favorites --by-name")
@click.option("--by-name", is_flag=True, help="Sort by name instead of newest first.")
def favorites(*, session: CommandSession, by_name: bool) -> None:
    """List your favourites, newest first."""
    found = session.client.favorites(order="name" if by_name else "newest")
    _list_objects(session, found, "No favourites: `skyshelf fav PATH` adds one.")


@click.group("timeline", cls=ListingGroup)
def timeline() -> None:
    """List pictures and videos by the month they were taken."""


@timeline.command("ls", cls=ClientCommand, record=MonthRecord, many=True, example="skyshelf timeline ls")
def timeline_ls(*, session: CommandSession) -> None:
    """List the months, newest first, with the number of pictures and videos."""

    def record(one: TimelineMonth) -> MonthRecord:
        return MonthRecord(month=f"{one.year:04d}-{one.month or 0:02d}", files=one.count or 0)

    def lines(found: Iterable[TimelineMonth]) -> Iterator[str]:
        yield from table((record(one).month, format_count(one.count or 0, "file")) for one in found)

    session.out.records(session.client.timeline.months(), record, lines, empty="No pictures or videos.")


@timeline.command("show", cls=ClientCommand, record=ObjectRecord, many=True, example="skyshelf timeline show 2026-05")
@click.argument("month", metavar="YYYY-MM")
def timeline_show(*, session: CommandSession, month: str) -> None:
    """List a month's pictures and videos, newest first."""
    found = _MONTH.fullmatch(month)
    if found is None:
        raise click.UsageError(f"{month!r} is not a month: use the form 2026-05")
    _list_objects(
        session, session.client.timeline.objects(int(found[1]), int(found[2])), "No pictures or videos in that month."
    )

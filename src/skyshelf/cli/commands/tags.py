"""`skyshelf tags`, `favourites` and `timeline`: ways to find what one has, beside folders."""

import re
from collections.abc import Iterable, Iterator
from typing import Final

import click

from skyshelf.cli.base.errors import CommandFailed
from skyshelf.cli.base.groups import ListingGroup
from skyshelf.cli.base.output import table
from skyshelf.cli.base.params import counted
from skyshelf.cli.base.prompts import confirmed, yes_option
from skyshelf.cli.base.records import MonthRecord, ObjectRecord, OutcomeRecord, TagRecord, object_record
from skyshelf.cli.base.session import ClientCommand, Session
from skyshelf.cli.base.targets import display_name, locate_all, target
from skyshelf.cli.base.text import local_time, utc_time, visible
from skyshelf.cli.commands.edit import paths_argument, tell_outcomes
from skyshelf.client.objects.remote_object import RemoteObject
from skyshelf.wire.client_errors import OBJECT_NOT_FOUND_ERROR
from skyshelf.wire.resources.feeds import ManualTag, TimelineMonth
from skyshelf.wire.sizes import format_size

_MONTH: Final = re.compile(r"([0-9]{4})-(0[1-9]|1[0-2])", re.ASCII)


@click.group("tags", cls=ListingGroup)
def tags() -> None:
    """Give tags, take them off, and find what bears them."""


def _record(one: ManualTag) -> TagRecord:
    return TagRecord(tag_id=one.tag_id, name=one.tag_name, created=utc_time(one.created_date))


def _objects(session: Session, found: Iterable[RemoteObject], none: str) -> None:
    def lines(shown: Iterable[RemoteObject]) -> Iterator[str]:
        rows = (
            (
                format_size(one.wire.size_in_bytes or 0),
                local_time(one.wire.last_modified_date),
                session.out.name(one.name, is_folder=one.is_folder),
            )
            for one in shown
        )
        yield from table(rows, right=frozenset({0}))

    session.out.many(found, object_record, lines, none=none)


def _tag_id(session: Session, name: str) -> str:
    """The tag of that name; case does not count."""
    for one in session.client.tags.list():
        if one.tag_id and (one.tag_name or "").casefold() == name.casefold():
            return one.tag_id
    raise CommandFailed(f"there is no tag {name!r}: `skyshelf tags` lists them", OBJECT_NOT_FOUND_ERROR.exit_code)


@tags.command("ls", cls=ClientCommand, record=TagRecord, many=True, example="skyshelf tags ls /Photos/beach.jpg")
@click.argument("path", required=False)
@click.option("--all", "all_tags", is_flag=True, help="All tags by name, and not only those used lately.")
def tags_ls(*, session: Session, path: str | None, all_tags: bool) -> None:
    """List the tags of a file or folder, or those used lately."""
    if path is not None:
        found: Iterable[ManualTag] = session.client.tags.of(target(path))
    else:
        found = session.client.tags.list() if all_tags else session.client.tags.recent()
    session.out.many(
        found, _record, lambda all_: (visible(one.tag_name or "") for one in all_), none="There are no tags."
    )


@tags.command(
    "add", cls=ClientCommand, record=OutcomeRecord, many=True, example="skyshelf tags add sea '/Photos/beach*.jpg'"
)
@click.argument("name")
@paths_argument
def tags_add(*, session: Session, name: str, paths: tuple[str, ...]) -> None:
    """Give files and folders a tag."""
    found = locate_all(session.client, paths)
    result = session.client.tags.add(name, [each.object for each in found])
    tell_outcomes(session, {each.object.key.upper(): display_name(each) for each in found}, result, f"tagged {name}")


@tags.command(
    "remove", cls=ClientCommand, record=OutcomeRecord, many=True, example="skyshelf tags remove sea /Photos/beach.jpg"
)
@click.argument("name")
@paths_argument
def tags_remove(*, session: Session, name: str, paths: tuple[str, ...]) -> None:
    """Take a tag off files and folders."""
    tag, found = _tag_id(session, name), locate_all(session.client, paths)
    result = session.client.tags.remove(tag, [each.object for each in found])
    tell_outcomes(session, {each.object.key.upper(): display_name(each) for each in found}, result, f"{name} taken off")


@tags.command("of", cls=ClientCommand, record=ObjectRecord, many=True, example="skyshelf tags of sea")
@click.argument("name")
def tags_of(*, session: Session, name: str) -> None:
    """List what bears a tag, tagged last first."""
    _objects(session, session.client.tags.objects(_tag_id(session, name)), "Nothing bears that tag.")


@tags.command("rename", cls=ClientCommand, record=TagRecord, example="skyshelf tags rename see sea")
@click.argument("name")
@click.argument("new_name")
def tags_rename(*, session: Session, name: str, new_name: str) -> None:
    """Give a tag another name, on everything that bears it."""
    renamed = session.client.tags.rename(_tag_id(session, name), new_name)
    session.out.one(_record(renamed), [visible(renamed.tag_name or "")])


@tags.command("rm", cls=ClientCommand, example="skyshelf tags rm sea")
@click.argument("name")
@yes_option
def tags_rm(*, session: Session, name: str, yes: bool) -> None:
    """Take a tag off everything."""
    tag = _tag_id(session, name)
    if not yes:
        confirmed(f"Take the tag {visible(name)} off everything?")
    session.client.tags.delete(tag)
    session.out.note(f"The tag {name} is gone.")


@click.command("favourites", cls=ClientCommand, record=ObjectRecord, many=True, example="skyshelf favourites --by-name")
@click.option("--by-name", is_flag=True, help="By name, and not the newest first.")
def favourites(*, session: Session, by_name: bool) -> None:
    """List your favourites, the newest first."""
    found = session.client.favorites(order="name" if by_name else "newest")
    _objects(session, found, "You have no favourites: `skyshelf fav PATH` makes one.")


@click.group("timeline", cls=ListingGroup)
def timeline() -> None:
    """Pictures and videos by the month in which they were taken."""


@timeline.command("ls", cls=ClientCommand, record=MonthRecord, many=True, example="skyshelf timeline ls")
def timeline_ls(*, session: Session) -> None:
    """List the months, newest first, and how many pictures and videos each has."""

    def record(one: TimelineMonth) -> MonthRecord:
        return MonthRecord(month=f"{one.year:04d}-{one.month or 0:02d}", files=one.count or 0)

    def lines(found: Iterable[TimelineMonth]) -> Iterator[str]:
        yield from table((record(one).month, counted(one.count or 0, "file")) for one in found)

    session.out.many(session.client.timeline.months(), record, lines, none="There are no pictures or videos.")


@timeline.command("show", cls=ClientCommand, record=ObjectRecord, many=True, example="skyshelf timeline show 2026-05")
@click.argument("month", metavar="YYYY-MM")
def timeline_show(*, session: Session, month: str) -> None:
    """List the pictures and videos of a month, newest first."""
    found = _MONTH.fullmatch(month)
    if found is None:
        raise click.UsageError(f"{month!r} is no month: write it like 2026-05")
    _objects(session, session.client.timeline.objects(int(found[1]), int(found[2])), "That month has none.")

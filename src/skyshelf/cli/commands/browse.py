"""`skyshelf ls`, `tree`, `find`, `du`, `stat` and `recent`: looking around."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Literal

import click

from skyshelf.cli.base.output import bar, table
from skyshelf.cli.base.params import Moment, Size, counted
from skyshelf.cli.base.records import FolderSizeRecord, ObjectRecord, object_record
from skyshelf.cli.base.session import ClientCommand, Session, no_index_option
from skyshelf.cli.base.targets import below, known_path, locate, locate_all
from skyshelf.cli.base.text import local_time, visible
from skyshelf.client.objects.remote_object import SEPARATOR, FoundObject, RemoteObject
from skyshelf.wire.resources.objects import CloudObject, ObjectSort
from skyshelf.wire.sizes import format_size

SORTS: dict[str, ObjectSort] = {
    "name": "+objectName",
    "size": "-sizeInBytes",
    "modified": "-lastModifiedDate",
    "created": "-fileCreatedDate",
}


@click.command(
    "ls", cls=ClientCommand, record=ObjectRecord, many=True, example="skyshelf ls -l --sort size '/Photos/*.jpg'"
)
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@click.option("-l", "long", is_flag=True, help="Show size, time and favourites too.")
@click.option("-R", "--recursive", is_flag=True, help="Show everything below as well.")
@click.option("--sort", type=click.Choice(list(SORTS)), default="name", help="By name, or largest or newest first.")
@click.option("--folders", "only", flag_value="w", help="Folders only.")
@click.option("--files", "only", flag_value="f", help="Files only.")
def ls(
    *, session: Session, paths: tuple[str, ...], long: bool, recursive: bool, sort: str, only: Literal["f", "w"] | None
) -> None:
    """List folders."""
    found = _listed(session, paths or (SEPARATOR,), SORTS[sort], recursive=recursive)
    chosen = (each for each in found if only is None or each.object.is_folder == (only == "w"))
    whole = recursive or len(paths) > 1

    def lines(objects: Iterable[FoundObject]) -> Iterator[str]:
        return _long_lines(session, objects, whole=whole) if long else _short_lines(session, objects, whole=whole)

    session.out.many(chosen, _record, lines, none="There is nothing in it.")


def _listed(session: Session, paths: tuple[str, ...], sort: ObjectSort, *, recursive: bool) -> Iterator[FoundObject]:
    for start in locate_all(session.client, paths):
        if not start.object.is_folder:
            yield start
        elif recursive:
            yield from _below(session, start, sort)
        else:
            for each in session.client.list_folder(start.object, sort=sort):
                yield below(start, FoundObject((each.name,), each, start.object.key))


def _below(session: Session, start: FoundObject, sort: ObjectSort = "+objectName") -> Iterator[FoundObject]:
    for walked in session.client.walk(start.object, sort=sort, vanished=lambda *_: None):
        yield below(start, walked)


def _record(found: FoundObject) -> ObjectRecord:
    return object_record(found.object, known_path(found))


def _short_lines(session: Session, found: Iterable[FoundObject], *, whole: bool) -> Iterator[str]:
    for each in found:
        yield session.out.name(
            (known_path(each) if whole else None) or each.object.name, is_folder=each.object.is_folder
        )


def _long_lines(session: Session, found: Iterable[FoundObject], *, whole: bool) -> Iterator[str]:
    yield from table((_long_row(session, each, whole=whole) for each in found), right=frozenset({0}))


def _long_row(session: Session, each: FoundObject, *, whole: bool) -> tuple[str, ...]:
    one = each.object
    size = "-" if one.is_folder or one.size is None else format_size(one.size)
    name = session.out.name((known_path(each) if whole else None) or one.name, is_folder=one.is_folder)
    return size, local_time(one.modified_ms), "★" if one.is_favorite else " ", name


@click.command("tree", cls=ClientCommand, record=ObjectRecord, many=True, example="skyshelf tree /Photos --depth 2")
@click.argument("path", default=SEPARATOR)
@click.option("--depth", type=click.IntRange(1), help="How deep to look.")
@click.option("--folders", is_flag=True, help="Folders only.")
def tree(*, session: Session, path: str, depth: int | None, folders: bool) -> None:
    """Show a folder and all that is below it as a tree."""
    start = locate(session.client, path)
    walked = session.client.walk(
        start.object, enter=lambda one: depth is None or len(one.parts) < depth, vanished=lambda *_: None
    )
    session.out.many(
        (one for one in walked if one.object.is_folder or not folders),
        lambda each: _record(below(start, each)),
        lambda all_: _tree_lines(session, start, all_),
    )


def _tree_lines(session: Session, start: FoundObject, found: Iterable[FoundObject]) -> Iterator[str]:
    children: dict[str, list[RemoteObject]] = defaultdict(list)
    for each in found:
        children[each.folder_key].append(each.object)
    yield session.out.name((known_path(start) or start.object.name).rstrip(SEPARATOR), is_folder=True)
    # Not by recursion: a tree may be deeper than the interpreter likes.
    waiting = [("", child, last) for child, last in _marked(children.pop(start.object.key, []))]
    while waiting:
        indent, one, last = waiting.pop()
        yield f"{indent}{'└── ' if last else '├── '}{session.out.name(one.name, is_folder=one.is_folder)}"
        below = indent + ("    " if last else "│   ")
        # Taken out, because a server may show a folder inside itself.
        waiting += [(below, child, is_last) for child, is_last in _marked(children.pop(one.key, []))]


def _marked(children: list[RemoteObject]) -> list[tuple[RemoteObject, bool]]:
    """The children, last first as a stack wants them, and which is the last."""
    return [(child, number == len(children)) for number, child in enumerate(children, 1)][::-1]


@click.command(
    "find",
    cls=ClientCommand,
    record=ObjectRecord,
    many=True,
    example=("skyshelf find holiday --ext jpg --larger 1MB", "skyshelf find --favourites --newer 2024-05-01"),
)
@click.argument("query", default="")
@click.option("--in", "path", default=SEPARATOR, metavar="PATH", help="Look below this folder only.")
@click.option("--ext", metavar="EXTENSION", help="Files of this extension only.")
@click.option("--larger", type=Size(), help="Files that are larger, such as 10MB.")
@click.option("--newer", type=Moment(), help="Changed after this day or time, or in the last 7d or 12h.")
@click.option("--favourites", "--favorites", is_flag=True, help="Favourites only.")
@no_index_option
def find(
    *,
    session: Session,
    query: str,
    path: str,
    ext: str | None,
    larger: int | None,
    newer: int | None,
    favourites: bool,
    no_index: bool,
) -> None:
    """Find files and folders by words of their names, in any order; accents and case do not count.

    The best match comes first where the server can search, which ours can.
    """
    if path != SEPARATOR and not no_index:
        session.use_index(build=False)
    start = locate(session.client, path)

    hits = session.client.search(
        query,
        extension=ext,
        larger_than=larger,
        modified_after=newer,
        favorites=favourites,
        folder=start.object,
        walk=no_index,
    )
    found = (below(start, one) for one in hits)
    session.out.many(
        found,
        _record,
        lambda objects: _short_lines(session, objects, whole=True),
        none="Nothing like that was found.",
    )


@click.command("du", cls=ClientCommand, record=FolderSizeRecord, many=True, example="skyshelf du /Photos")
@click.argument("path", default=SEPARATOR)
@no_index_option
def du(*, session: Session, path: str, no_index: bool) -> None:
    """Show what takes the room: files and bytes below each folder, largest first."""
    if not no_index:
        session.use_index(build=path == SEPARATOR)
    start = locate(session.client, path)
    top = known_path(start) or start.object.name
    sizes: dict[str, list[int]] = {}
    keys: dict[str, str] = {}
    here = [0, 0]
    for walked in session.client.walk(start.object, vanished=lambda *_: None):
        first = walked.parts[0]
        if walked.object.is_folder:
            if len(walked.parts) == 1:
                sizes.setdefault(first, [0, 0])
                keys[first] = walked.object.key
            continue
        counted = here if len(walked.parts) == 1 else sizes.setdefault(first, [0, 0])
        counted[0] += 1
        counted[1] += walked.object.size or 0
    records = [
        FolderSizeRecord(
            path=f"{top.rstrip(SEPARATOR)}{SEPARATOR}{name}", object_key=keys.get(name), files=files, size_bytes=size
        )
        for name, (files, size) in sizes.items()
    ]
    if here[0] or not records:
        records.append(FolderSizeRecord(path=top, object_key=start.object.key, files=here[0], size_bytes=here[1]))
    records.sort(key=lambda record: (-record.size_bytes, record.path))
    total = sum(record.size_bytes for record in records)
    session.out.many(records, lambda record: record, lambda found: _size_lines(found, top, total))


def _size_lines(found: Iterable[FolderSizeRecord], top: str, total: int) -> Iterator[str]:
    records = list(found)
    rows = [
        (
            format_size(record.size_bytes),
            bar(record.size_bytes / total if total else 0, columns=16),
            counted(record.files, "file"),
            visible(record.path) + (" (in the folder itself)" if record.path == top else "/"),
        )
        for record in records
    ]
    rows.append(
        (
            format_size(total),
            bar(1 if total else 0, columns=16),
            counted(sum(record.files for record in records), "file"),
            "total",
        )
    )
    yield from table(rows, right=frozenset({0, 2}))


@click.command("stat", cls=ClientCommand, record=ObjectRecord, many=True, example="skyshelf stat /Photos/beach.jpg")
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
def stat(*, session: Session, paths: tuple[str, ...]) -> None:
    """Show everything about files and folders, their keys too."""

    def lines(found: Iterable[FoundObject]) -> Iterator[str]:
        for number, each in enumerate(found):
            if number:
                yield ""
            yield from _facts(each)

    session.out.many(locate_all(session.client, paths), _record, lines)


def _facts(each: FoundObject) -> Iterator[str]:
    one = each.object
    facts = {
        "path": known_path(each),
        "name": one.name,
        "type": "folder" if one.is_folder else one.mime or "file",
        "size": None if one.is_folder or one.size is None else f"{format_size(one.size)} ({one.size:,} bytes)",
        "modified": local_time(one.modified_ms),
        "created": local_time(one.created_ms),
        "favourite": "yes" if one.is_favorite else "no",
        "md5": one.md5,
        "key": f"key:{one.key}",
    }
    yield from table([(name, visible(value)) for name, value in facts.items() if value])


@click.command("recent", cls=ClientCommand, record=ObjectRecord, many=True, example="skyshelf recent --limit 5")
@click.option("--limit", type=click.IntRange(1, 100), default=20, show_default=True, help="How many.")
def recent(*, session: Session, limit: int) -> None:
    """List what came last."""
    found = session.client.recent()
    newest = sorted(
        (*(found.objects_imgs or ()), *(found.objects_docs or ())), key=lambda one: -(one.last_modified_date or 0)
    )[:limit]

    def lines(objects: Iterable[CloudObject]) -> Iterator[str]:
        rows = (
            (format_size(one.size_in_bytes or 0), local_time(one.last_modified_date), visible(one.object_name or ""))
            for one in objects
        )
        yield from table(rows, right=frozenset({0}))

    session.out.many(newest, object_record, lines, none="Nothing has come yet: `skyshelf put` uploads files.")

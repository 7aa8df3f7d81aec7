"""`skyshelf ls`, `tree`, `find`, `du`, `stat` and `recent`: browsing and searching."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any, Literal

import click

from skyshelf.cli.base.output import Row, bar, kept, table
from skyshelf.cli.base.params import PAST_TIME, SIZE, number_option
from skyshelf.cli.base.records import ObjectRecord, object_record
from skyshelf.cli.base.session import CommandSession, client_command, no_index_option
from skyshelf.cli.base.targets import below, known_path, locate, locate_all
from skyshelf.cli.base.text import format_count, local_time, visible
from skyshelf.client.objects.remote_object import SEPARATOR, FoundObject, RemoteObject
from skyshelf.wire.projection import Projection
from skyshelf.wire.resources.objects import CloudObject, ObjectSort
from skyshelf.wire.sizes import format_size

SORTS: dict[str, ObjectSort] = {
    "name": "+objectName",
    "size": "-sizeInBytes",
    "modified": "-lastModifiedDate",
    "created": "-fileCreatedDate",
}


@client_command("ls", "skyshelf ls -l --sort size '/Photos/*.jpg'", records=ObjectRecord)
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@click.option("-l", "long", is_flag=True, help="Show size, time and favourites.")
@click.option("-R", "--recursive", is_flag=True, help="List subfolders too.")
@click.option(
    "--sort", type=click.Choice(list(SORTS)), default="name", help="Sort by name, or largest or newest first."
)
@click.option("--folders", "only", flag_value="w", help="List only folders.")
@click.option("--files", "only", flag_value="f", help="List only files.")
@click.option("--at", type=PAST_TIME, help="List folders as they were: yesterday, '2 hours ago', 2024-05-01T12:30.")
def ls(
    *,
    session: CommandSession,
    paths: tuple[str, ...],
    long: bool,
    recursive: bool,
    sort: str,
    only: Literal["f", "w"] | None,
    at: int | None,
) -> None:
    """List folders.

    Without PATH, list the top folder. A glob in quotes is expanded on the server. With --at, a PATH is the one that the
    folder had then.
    """
    if at is None:
        found = _list(session, paths or (SEPARATOR,), SORTS[sort], recursive=recursive)
    else:
        found = _list_past(session, paths or (SEPARATOR,), at, recursive=recursive)
    chosen = (item for item in found if only is None or item.object.is_folder == (only == "w"))
    whole = recursive or len(paths) > 1

    def lines(objects: Iterable[FoundObject]) -> Iterator[str]:
        if long:
            return table((_long_row(session, item, whole=whole) for item in objects), right={0})
        return _short_lines(session, objects, whole=whole)

    session.out.records(chosen, _record, lines, empty="The folder is empty.")


def _list(
    session: CommandSession, paths: tuple[str, ...], sort: ObjectSort, *, recursive: bool
) -> Iterator[FoundObject]:
    for start in locate_all(session.client, paths):
        if not start.object.is_folder:
            yield start
        elif recursive:
            for walked in session.client.walk(start.object, sort=sort, vanished=lambda *_: None):
                yield below(start, walked)
        else:
            for child in session.client.list_folder(start.object, sort=sort):
                yield below(start, FoundObject((child.name,), child, start.object.key))


def _list_past(session: CommandSession, paths: tuple[str, ...], at: int, *, recursive: bool) -> Iterator[FoundObject]:
    """List folders as they were at a moment, each sorted by name."""
    past = session.client.at(at)
    for start in locate_all(past, paths):
        waiting = [start] if start.object.is_folder else []
        if not waiting:
            yield start
        while waiting:
            folder = waiting.pop()
            children = [
                below(folder, FoundObject((child.name,), child, folder.object.key))
                for child in sorted(
                    kept(past.list_folder(folder.object)), key=lambda one: (not one.is_folder, one.name)
                )
            ]
            yield from children
            if recursive:
                waiting += [child for child in reversed(children) if child.object.is_folder]


def _record(found: FoundObject) -> ObjectRecord:
    return object_record(found.object, known_path(found))


def _short_lines(session: CommandSession, found: Iterable[FoundObject], *, whole: bool) -> Iterator[str]:
    for item in found:
        yield session.out.name(
            (known_path(item) if whole else None) or item.object.name, is_folder=item.object.is_folder
        )


def _long_row(session: CommandSession, item: FoundObject, *, whole: bool) -> Row:
    one = item.object
    size = "-" if one.is_folder or one.size is None else format_size(one.size)
    name = session.out.name((known_path(item) if whole else None) or one.name, is_folder=one.is_folder)
    return size, local_time(one.modified_ms), "★" if one.is_favorite else " ", name


@client_command("tree", "skyshelf tree /Photos --depth 2", records=ObjectRecord)
@click.argument("path", default=SEPARATOR)
@click.option("--depth", type=click.IntRange(1), help="Number of levels to show.")
@click.option("--folders", is_flag=True, help="List only folders.")
def tree(*, session: CommandSession, path: str, depth: int | None, folders: bool) -> None:
    """Show a folder and everything below it as a tree."""
    start = locate(session.client, path)
    walked = session.client.walk(
        start.object, enter=lambda one: depth is None or len(one.parts) < depth, vanished=lambda *_: None
    )
    session.out.records(
        (one for one in walked if one.object.is_folder or not folders),
        lambda item: _record(below(start, item)),
        lambda all_: _tree_lines(session, start, all_),
    )


def _tree_lines(session: CommandSession, start: FoundObject, found: Iterable[FoundObject]) -> Iterator[str]:
    children: dict[str, list[RemoteObject]] = defaultdict(list)
    for item in kept(found):
        children[item.folder_key].append(item.object)
    yield session.out.name((known_path(start) or start.object.name).rstrip(SEPARATOR), is_folder=True)
    # A loop, because a tree may be deeper than Python's recursion limit.
    waiting = [("", child, last) for child, last in _stacked(children.pop(start.object.key, []))]
    while waiting:
        indent, one, last = waiting.pop()
        yield f"{indent}{'└── ' if last else '├── '}{session.out.name(one.name, is_folder=one.is_folder)}"
        below = indent + ("    " if last else "│   ")
        # Removed, because a faulty server may list a folder inside itself.
        waiting += [(below, child, is_last) for child, is_last in _stacked(children.pop(one.key, []))]


def _stacked(children: list[RemoteObject]) -> list[tuple[RemoteObject, bool]]:
    """The children in reverse, as a stack needs them, and whether each is the last one."""
    return [(child, number == len(children)) for number, child in enumerate(children, 1)][::-1]


@client_command(
    "find",
    "skyshelf find holiday --ext jpg --larger 1MB",
    "skyshelf find --favorites --newer 2024-05-01",
    records=ObjectRecord,
)
@click.argument("query", default="")
@click.option("--in", "path", default=SEPARATOR, metavar="PATH", help="Search only below this folder.")
@click.option("--ext", "extension", metavar="EXTENSION", help="Find only files with this extension.")
@click.option("--larger", "larger_than", type=SIZE, help="Find only files larger than this, such as 10MB.")
@click.option(
    "--newer",
    "modified_after",
    type=PAST_TIME,
    help="Find only items modified since a date or time, or in the last 7d or 12h.",
)
@click.option("--favorites", is_flag=True, help="Find only favourites.")
@no_index_option
def find(*, session: CommandSession, query: str, path: str, no_index: bool, **filters: Any) -> None:
    """Find files and folders by name.

    The words of QUERY may be in any order, and case and accents are ignored. The best match comes first if the server
    has a search index, as Skyshelf does.
    """
    if path != SEPARATOR and not no_index:
        session.client.use_index(build=False)
    start = locate(session.client, path)
    hits = session.client.search(query, folder=start.object, walk=no_index, **filters)
    session.out.records(
        (below(start, one) for one in hits),
        _record,
        lambda objects: _short_lines(session, objects, whole=True),
        empty="Nothing found.",
    )


class FolderSizeRecord(Projection, frozen=True, kw_only=True):
    """Number and total size of the files below a folder."""

    path: str
    object_key: str | None
    files: int
    size_bytes: int


@client_command("du", "skyshelf du /Photos", records=FolderSizeRecord)
@click.argument("path", default=SEPARATOR)
@no_index_option
def du(*, session: CommandSession, path: str, no_index: bool) -> None:
    """Show disk usage by folder, largest first."""
    if not no_index:
        session.client.use_index(build=path == SEPARATOR)
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
        usage = here if len(walked.parts) == 1 else sizes.setdefault(first, [0, 0])
        usage[0] += 1
        usage[1] += walked.object.size or 0
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
    session.out.records(records, lambda record: record, lambda found: _size_lines(found, top, total))


def _size_lines(found: Iterable[FolderSizeRecord], top: str, total: int) -> Iterator[str]:
    records = list(found)

    def row(size: int, files: int, name: str) -> Row:
        return format_size(size), bar(size / total if total else 0, columns=16), format_count(files, "file"), name

    rows = [
        row(one.size_bytes, one.files, visible(one.path) + (" (directly in this folder)" if one.path == top else "/"))
        for one in records
    ]
    rows.append(row(total, sum(one.files for one in records), "total"))
    yield from table(rows, right={0, 2})


@client_command("stat", "skyshelf stat /Photos/beach.jpg", records=ObjectRecord)
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
def stat(*, session: CommandSession, paths: tuple[str, ...]) -> None:
    """Show details of files and folders, including their keys."""

    def lines(found: Iterable[FoundObject]) -> Iterator[str]:
        for number, item in enumerate(found):
            if number:
                yield ""
            yield from _details(item)

    session.out.records(locate_all(session.client, paths), _record, lines)


def _details(item: FoundObject) -> Iterator[str]:
    one = item.object
    details = {
        "path": known_path(item),
        "name": one.name,
        "type": "folder" if one.is_folder else one.mime or "file",
        "size": None if one.is_folder or one.size is None else f"{format_size(one.size)} ({one.size:,} bytes)",
        "modified": local_time(one.modified_ms),
        "created": local_time(one.created_ms),
        "favourite": "yes" if one.is_favorite else "no",
        "md5": one.md5,
        "key": f"key:{one.key}",
    }
    yield from table([(name, visible(value)) for name, value in details.items() if value])


@client_command("recent", "skyshelf recent --limit 5", records=ObjectRecord)
@number_option("--limit", 1, 100, default=20, help="Maximum number of files.")
def recent(*, session: CommandSession, limit: int) -> None:
    """List recently added files."""
    found = session.client.recent()
    newest = sorted(
        (*(found.objects_imgs or ()), *(found.objects_docs or ())), key=lambda one: -(one.last_modified_date or 0)
    )[:limit]
    empty = "No files yet: `skyshelf put` uploads some."
    session.out.rows(newest, object_record, file_row, right={0}, empty=empty)


def file_row(one: CloudObject) -> Row:
    """A file's size, time and name."""
    return format_size(one.size_in_bytes or 0), local_time(one.last_modified_date), visible(one.object_name or "")

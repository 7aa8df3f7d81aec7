"""Search: from a query to a page of results; what lies above objects, and what folders hold."""

from collections.abc import Sequence
from hashlib import blake2b

import msgspec

from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.errors import ServiceError, codes
from skyshelf.service.pages import encode_response, packed_cursor, raw_objects, unpacked_cursor
from skyshelf.storage.metadata.contracts.tree import TRASHED, FoundFolder, Range, SearchCursor, SearchFilter
from skyshelf.storage.metadata.search_index import ENTRIES_PER_ACCOUNT
from skyshelf.wire.resources import search as wire
from skyshelf.wire.search_rule import Rank


def search(ctx: ServiceContext, caller: Caller, query: wire.SearchQuery, origin: str) -> bytes:
    """Return a page of matching objects, as JSON."""
    return encode_response(found_page(ctx, caller, query), origin)


def found_page(ctx: ServiceContext, caller: Caller, query: wire.SearchQuery) -> wire.SearchPage:
    """Return a page of matching objects; the caller encodes it."""
    wanted = SearchFilter(
        text=query.query,
        extension=None if query.extension is None else query.extension.lstrip(".").lower(),
        kind=query.kind,
        favorite=query.is_favorite,
        size=Range(query.size_from, query.size_to),
        modified=Range(query.modified_from, query.modified_to),
        created=Range(query.created_from, query.created_to),
        taken=Range(query.taken_from, query.taken_to),
        folder_key=query.folder_key,
        tag=query.tag,
    )
    after = None if query.cursor is None else _place(caller, wanted, query.cursor)
    with ctx.metadata.read() as unit:
        if query.folder_key is not None:
            unit.tree.visible_folder(caller.account_id, query.folder_key)
        page = unit.search.page(caller.account_id, wanted, limit=query.limit, after=after)
    next_cursor = None if page.next is None else _cursor(caller, wanted, page.next)
    return wire.SearchPage(
        objects=raw_objects(page.objects), folders=_folders_above(_seen(caller, page.folders)), next_cursor=next_cursor
    )


def _seen(caller: Caller, folders: Sequence[FoundFolder]) -> Sequence[FoundFolder]:
    """Return those of the folders above objects that the caller sees: who sees one folder has it as the root."""
    if caller.leave is None or not caller.leave.folders:
        return folders
    below: dict[str | None, list[FoundFolder]] = {}
    for one in folders:
        below.setdefault(one.parent_key, []).append(one)
    seen = [one._replace(parent_key=None) for one in folders if one.object_key == caller.root_key]
    for one in seen:
        # The list grows by what is below, level by level.
        seen += below.get(one.object_key, ())
    return seen


def _folders_above(folders: Sequence[FoundFolder]) -> list[wire.FolderAbove]:
    return [
        wire.FolderAbove(object_key=one.object_key, parent_object_key=one.parent_key, object_name=one.name)
        for one in folders
    ]


def _cursor(caller: Caller, wanted: SearchFilter, place: SearchCursor) -> str:
    return packed_cursor([place.rank, place.entry - caller.account_id * ENTRIES_PER_ACCOUNT, _mark(wanted)])


def _place(caller: Caller, wanted: SearchFilter, cursor: str) -> SearchCursor:
    """Decode a cursor. One of another search would silently skip results, so it is rejected."""
    rank, entry, mark = unpacked_cursor(cursor, tuple[Rank, int, str])
    if mark != _mark(wanted) or not 0 <= entry <= ENTRIES_PER_ACCOUNT:
        raise ServiceError(codes.BAD_CURSOR)
    return SearchCursor(rank, caller.account_id * ENTRIES_PER_ACCOUNT + entry)


def _mark(wanted: SearchFilter) -> str:
    return blake2b(msgspec.json.encode(wanted), digest_size=8).hexdigest()


def locations(ctx: ServiceContext, caller: Caller, query: wire.LocationsQuery) -> wire.Locations:
    """Return the folders above objects; unknown keys are left out."""
    with ctx.metadata.snapshot() as unit:
        places, folders = unit.places.above(caller.account_id, query.keys)
    return wire.Locations(
        objects=[
            wire.ObjectPlace(
                object_key=place.object.object_key,
                parent_object_key=place.object.parent_key,
                is_parent_visible=place.is_parent_visible,
                trashed_date=place.object.trashed_at if place.object.status == TRASHED else None,
            )
            for place in places
        ],
        folders=_folders_above(folders),
    )


def covers(ctx: ServiceContext, caller: Caller, query: wire.CoversQuery) -> wire.Covers:
    """Return pictures that show at a glance what folders hold; unknown keys are left out."""
    with ctx.metadata.snapshot() as unit:
        found = unit.places.covers(caller.account_id, query.keys)
    return wire.Covers(
        covers=[
            wire.FolderCover(
                object_key=key,
                pictures=[
                    wire.CoverPicture(object_key=one.object_key, hash=one.md5, version=one.version) for one in pictures
                ],
            )
            for key, pictures in found.items()
        ]
    )

"""Search: from a query to a page of results."""

import binascii
from base64 import urlsafe_b64decode, urlsafe_b64encode
from hashlib import blake2b
from typing import Final

import msgspec

from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.errors import ServiceError
from skyshelf.service.pages import encode_response, raw_objects
from skyshelf.storage.metadata.contracts.search import Range, SearchCursor, SearchFilter
from skyshelf.storage.metadata.search.index import ENTRIES_PER_ACCOUNT
from skyshelf.wire import error_codes as codes
from skyshelf.wire.resources.search import FolderAbove, SearchPage, SearchQuery
from skyshelf.wire.search_rule import Rank

_ENTRY_BYTES: Final = 6
_MARK_BYTES: Final = 8
_CURSOR_BYTES: Final = 1 + _ENTRY_BYTES + _MARK_BYTES


def search(ctx: ServiceContext, caller: Caller, query: SearchQuery, origin: str) -> bytes:
    """A page of matching objects, as JSON."""
    return encode_response(found_page(ctx, caller, query), origin)


def found_page(ctx: ServiceContext, caller: Caller, query: SearchQuery) -> SearchPage:
    """A page of matching objects, to be encoded."""
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
    folders = [
        FolderAbove(object_key=one.object_key, parent_object_key=one.parent_key, object_name=one.name)
        for one in page.folders
    ]
    return SearchPage(objects=raw_objects(page.objects), folders=folders, next_cursor=next_cursor)


def _cursor(caller: Caller, wanted: SearchFilter, place: SearchCursor) -> str:
    entry = place.entry - caller.account_id * ENTRIES_PER_ACCOUNT
    packed = bytes([place.rank]) + entry.to_bytes(_ENTRY_BYTES, "big") + _mark(wanted)
    return urlsafe_b64encode(packed).decode().rstrip("=")


def _place(caller: Caller, wanted: SearchFilter, cursor: str) -> SearchCursor:
    """Where a search continues. A cursor of another search would silently skip results, so it is rejected."""
    try:
        packed = urlsafe_b64decode(cursor.encode("ascii") + b"==")
        rank = Rank(packed[0]) if len(packed) == _CURSOR_BYTES else None
    except (ValueError, binascii.Error):
        rank = None
    if rank is None or packed[1 + _ENTRY_BYTES :] != _mark(wanted):
        raise ServiceError(codes.BAD_CURSOR)
    entry = int.from_bytes(packed[1 : 1 + _ENTRY_BYTES], "big")
    if entry > ENTRIES_PER_ACCOUNT:
        raise ServiceError(codes.BAD_CURSOR)
    return SearchCursor(rank, caller.account_id * ENTRIES_PER_ACCOUNT + entry)


def _mark(wanted: SearchFilter) -> bytes:
    return blake2b(msgspec.json.encode(wanted), digest_size=_MARK_BYTES).digest()

"""Pages of stored objects: sort orders, cursors, and responses built from objects that are stored as JSON.

A page of thousands is never decoded and encoded again: the stored bytes are copied into the response.
"""

from collections.abc import Sequence
from typing import Any, Final

from msgspec import Raw, json

from skyshelf.storage.metadata.contracts.tree import CursorRow, PageCursor, SortBy
from skyshelf.storage.metadata.encoded_objects import EncodedObjects
from skyshelf.storage.metadata.wire_cache import render_urls
from skyshelf.wire.cursors import bytes_cursor, encode_cursor, number_cursor
from skyshelf.wire.models import AnswerModel, sort_parts
from skyshelf.wire.resources.objects import ListingSort
from skyshelf.wire.resources.tags import ObjectPage

_encode = json.Encoder().encode

_SORT_FIELDS: Final = {
    "objectName": SortBy.NAME,
    "fileCreatedDate": SortBy.CREATED,
    "createdDate": SortBy.CREATED,
    "lastModifiedDate": SortBy.MODIFIED,
    "sizeInBytes": SortBy.SIZE,
}


def sort_order(sort: ListingSort) -> tuple[SortBy, bool]:
    """The column to sort by, and whether the order is descending."""
    field, descending = sort_parts(sort)
    return _SORT_FIELDS[field], descending


def after_number(cursor: str | None) -> PageCursor | None:
    """Where a page of a list ordered by number starts; raises for a cursor of another list."""
    return None if cursor is None else PageCursor(*number_cursor(cursor))


def after_bytes(cursor: str | None) -> PageCursor | None:
    """Where a page of a list ordered by name starts; raises for a cursor of another list."""
    return None if cursor is None else PageCursor(*bytes_cursor(cursor))


def after_of(sort: SortBy | None, cursor: str | None) -> PageCursor | None:
    """Where a page in this order starts; the times of trashing, without an order, are numbers too."""
    return after_bytes(cursor) if sort is SortBy.NAME else after_number(cursor)


def cursor_after(places: Sequence[PageCursor], limit: int) -> str | None:
    """The cursor of the next page; None where this page is not full and therefore the last."""
    return encode_cursor(*places[-1]) if len(places) == limit else None


def raw_objects(encoded: Sequence[bytes]) -> Any:
    """Stored JSON objects as a model's list of objects; the encoder copies them as they are."""
    return Raw(encoded.json) if isinstance(encoded, EncodedObjects) else [Raw(one) for one in encoded]


def encode_response(response: AnswerModel, origin: str) -> bytes:
    """The model as JSON with its URLs under the origin. User text cannot contain the placeholder: JSON escapes it."""
    return render_urls(_encode(response), origin)


def encode_page(found: Sequence[CursorRow], limit: int, origin: str) -> bytes:
    """A page of stored objects as JSON."""
    page = ObjectPage(
        objects=raw_objects([row.encoded for row in found]),
        next_cursor=cursor_after([row.cursor for row in found], limit),
    )
    return encode_response(page, origin)

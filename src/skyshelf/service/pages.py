"""Responses built from what is stored: pages with their orders and cursors, and resources copied field by field.

A page of thousands is never decoded and encoded again: the stored bytes are copied into the response.
"""

from collections.abc import Sequence
from functools import cache
from typing import Any, Final, TypeVar

from msgspec import MsgspecError, Raw, Struct, json

from skyshelf.service.errors import ServiceError, codes
from skyshelf.service.secrets import from_base64url, to_base64url
from skyshelf.storage.metadata.contracts.tree import CursorRow, PageCursor, SortBy
from skyshelf.storage.metadata.wire_cache import EncodedObjects, render_urls
from skyshelf.wire.cursors import bytes_cursor, encode_cursor, number_cursor
from skyshelf.wire.models import AnswerModel, sort_parts
from skyshelf.wire.resources.feeds import ObjectPage
from skyshelf.wire.resources.objects import ListingSort

T = TypeVar("T")
Resource = TypeVar("Resource", bound=Struct)
_encode = json.Encoder().encode

_SORT_FIELDS: Final = {
    "objectName": SortBy.NAME,
    "fileCreatedDate": SortBy.CREATED,
    "createdDate": SortBy.CREATED,
    "lastModifiedDate": SortBy.MODIFIED,
    "sizeInBytes": SortBy.SIZE,
}


def sort_order(sort: ListingSort) -> tuple[SortBy, bool]:
    """Return the column to sort by, and whether the order is descending."""
    field, descending = sort_parts(sort)
    return _SORT_FIELDS[field], descending


def after_number(cursor: str | None) -> PageCursor | None:
    """Decode where a page of a list ordered by number starts; raises for a cursor of another list."""
    return None if cursor is None else PageCursor(*number_cursor(cursor))


def after_bytes(cursor: str | None) -> PageCursor | None:
    """Decode where a page of a list ordered by name starts; raises for a cursor of another list."""
    return None if cursor is None else PageCursor(*bytes_cursor(cursor))


def after_of(sort: SortBy | None, cursor: str | None) -> PageCursor | None:
    """Decode where a page in this order starts; without an order, it is the time of trashing, a number."""
    return after_bytes(cursor) if sort is SortBy.NAME else after_number(cursor)


def cursor_after(places: Sequence[PageCursor], limit: int) -> str | None:
    """Return the cursor of the next page; None if this page is not full and therefore the last."""
    return encode_cursor(*places[-1]) if len(places) == limit else None


def packed_cursor(parts: Sequence[str | int]) -> str:
    """Pack several values into a cursor."""
    return to_base64url(_encode(parts))


def unpacked_cursor(cursor: str, kinds: type[T]) -> T:
    """Return the values of a cursor; BAD_CURSOR if they are not of these types."""
    try:
        return json.decode(from_base64url(cursor), type=kinds)
    except (MsgspecError, ValueError) as wrong:
        raise ServiceError(codes.BAD_CURSOR) from wrong


def raw_objects(encoded: Sequence[bytes]) -> Any:
    """Wrap stored JSON objects as a model's list of objects; the encoder copies them unchanged."""
    return Raw(encoded.json) if isinstance(encoded, EncodedObjects) else [Raw(one) for one in encoded]


def encode_response(response: AnswerModel, origin: str) -> bytes:
    """Encode the model with its URLs under the origin. User text cannot contain the placeholder: JSON escapes it."""
    return render_urls(_encode(response), origin)


def encode_page(found: Sequence[CursorRow], limit: int, origin: str) -> bytes:
    page = ObjectPage(
        objects=raw_objects([row.encoded for row in found]),
        next_cursor=cursor_after([row.cursor for row in found], limit),
    )
    return encode_response(page, origin)


def projected(kind: type[Resource], record: Struct, **others: object) -> Resource:
    """Copy the fields that both have by the same name, a time `x_at` as `x_date`; `others` add or replace some."""
    return kind(**{name: getattr(record, source) for name, source in _shared(kind, type(record))} | others)


@cache
def _shared(kind: type[Struct], stored: type[Struct]) -> list[tuple[str, str]]:
    sources = {name: f"{name.removesuffix('_date')}_at" for name in kind.__struct_fields__ if name.endswith("_date")}
    named = [(name, sources.get(name, name)) for name in kind.__struct_fields__]
    return [(name, source) for name, source in named if source in stored.__struct_fields__]

"""Answers around objects that are encoded already: a page of thousands is never decoded and encoded again."""

from collections.abc import Sequence
from typing import Any, Final

import msgspec
from msgspec import Raw, json

from skyshelf.service.context import Caller
from skyshelf.storage.metadata.contracts.tree import CursorRow, Place, SortBy
from skyshelf.storage.metadata.store import Unit
from skyshelf.storage.metadata.wire_cache import render_urls
from skyshelf.wire.cursors import bytes_cursor, encode_cursor, number_cursor
from skyshelf.wire.models import AnswerModel, sort_parts
from skyshelf.wire.resources.objects import ObjectSort
from skyshelf.wire.resources.tags import ObjectPage

_encode = json.Encoder().encode


def as_stored(encoded: Sequence[bytes]) -> Any:
    """Encoded objects, to stand in a model where objects stand; the encoder copies them as they are."""
    return [Raw(one) for one in encoded]


def encoded_answer(answer: AnswerModel, origin: str) -> bytes:
    """The model as JSON, its URLs under the origin. Text of people cannot hold the mark: the encoder escapes it."""
    return render_urls(_encode(answer), origin)


# Places in lists, as cursors of the interface.


def after_number(cursor: str | None) -> Place | None:
    """Where to go on in a list in the order of numbers; refused where the cursor is of no such list."""
    return None if cursor is None else Place(*number_cursor(cursor))


def after_bytes(cursor: str | None) -> Place | None:
    """The same for a list in the order of names."""
    return None if cursor is None else Place(*bytes_cursor(cursor))


def cursor_after(places: Sequence[Place], limit: int) -> str | None:
    """The cursor of the next page; None where this page is not full, and so the last."""
    return encode_cursor(*places[-1]) if len(places) == limit else None


def encoded_page(found: Sequence[CursorRow], limit: int, origin: str) -> bytes:
    """A page of encoded objects as JSON."""
    page = ObjectPage(
        objects=as_stored([one.encoded for one in found]),
        next_cursor=cursor_after([one.place for one in found], limit),
    )
    return encoded_answer(page, origin)


# Sort orders: from the signed field of a request to what storage orders by.

_FIELDS: Final = {
    "objectName": SortBy.NAME,
    "fileCreatedDate": SortBy.CREATED,
    "lastModifiedDate": SortBy.MODIFIED,
    "sizeInBytes": SortBy.SIZE,
}


def sort_order(sort: ObjectSort) -> tuple[SortBy, bool]:
    """What to order by, and whether it descends."""
    field, descending = sort_parts(sort)
    return _FIELDS[field], descending


# Space: how much an account may hold and holds, as listings and batches tell it.


class Space(msgspec.Struct, frozen=True):
    allocated: int
    used: int
    is_upload_allowed: bool


def space_of(unit: Unit, caller: Caller, now: int) -> Space:
    """The space of the caller. Whoever can call has an active account, so that room alone decides about uploads."""
    quota = unit.quotas.get(caller.account_id, now)
    return Space(allocated=quota.allocated, used=quota.used, is_upload_allowed=quota.free > 0)

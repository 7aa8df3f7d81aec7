"""Cursors: where the next page of a list begins. They are opaque to clients."""

import base64
import binascii
from typing import Annotated, Final

from msgspec import DecodeError, Meta, ValidationError, json

from skyshelf.wire.error_codes import BAD_CURSOR
from skyshelf.wire.keys import is_key
from skyshelf.wire.limits import LISTING_LIMIT_DEFAULT, TOKEN_CHARS_MAX
from skyshelf.wire.models import PageLimit, QueryModel, parameters
from skyshelf.wire.refusals import InvalidRequest

Cursor = Annotated[str, Meta(min_length=1, max_length=TOKEN_CHARS_MAX, description="`nextCursor` of the previous page")]

_LARGEST: Final = 2**63 - 1


class CursorQuery(QueryModel, frozen=True, kw_only=True):
    """A page of a list that is paged by cursor."""

    cursor: Cursor | None = None
    limit: PageLimit = LISTING_LIMIT_DEFAULT


def encode_cursor(value: int | bytes, key: str) -> str:
    """Return the cursor after the entry with this sort value and key."""
    encoded = value if isinstance(value, int) else value.hex()
    return base64.urlsafe_b64encode(json.encode([encoded, key])).decode().rstrip("=")


def number_cursor(text: str) -> tuple[int, str]:
    """Return the sort value and key in a cursor of a list that is ordered by a number."""
    value, key = _parts(text)
    if not isinstance(value, int) or abs(value) > _LARGEST:
        raise InvalidRequest(error=BAD_CURSOR)
    return value, key


def bytes_cursor(text: str) -> tuple[bytes, str]:
    """Return the sort value and key in a cursor of a list that is ordered by name."""
    value, key = _parts(text)
    try:
        return bytes.fromhex(value if isinstance(value, str) else "?"), key
    except ValueError as wrong:
        raise InvalidRequest(error=BAD_CURSOR) from wrong


def _parts(text: str) -> tuple[int | str, str]:
    try:
        padded = text + "=" * (-len(text) % 4)
        value, key = json.decode(base64.b64decode(padded, b"-_", validate=True), type=tuple[int | str, str])
    except (ValidationError, DecodeError, binascii.Error, ValueError) as wrong:
        raise InvalidRequest(error=BAD_CURSOR) from wrong
    if not is_key(key):
        raise InvalidRequest(error=BAD_CURSOR)
    return value, key


# The next page of a list as a path with its query, which other people's clients follow as it is.


def next_link(path: str, query: QueryModel, cursor: str | None) -> str | None:
    """Return the path of the page after the cursor, with the conditions of this one; None without a cursor."""
    if cursor is None:
        return None
    from urllib.parse import quote, urlencode

    given = parameters(query)
    given.pop("page", None)
    return f"{path}?{urlencode({**given, 'cursor': cursor}, quote_via=quote)}"

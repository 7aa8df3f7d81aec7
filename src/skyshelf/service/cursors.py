"""Places in lists, as cursors of the interface."""

from collections.abc import Sequence

from skyshelf.service.encoded_answers import as_stored, encoded_answer
from skyshelf.storage.metadata.contracts.tree import Place, Placed
from skyshelf.wire.cursors import bytes_cursor, encode_cursor, number_cursor
from skyshelf.wire.resources.tags import ObjectPage


def after_number(cursor: str | None) -> Place | None:
    """Where to go on in a list in the order of numbers; refused where the cursor is of no such list."""
    return None if cursor is None else Place(*number_cursor(cursor))


def after_bytes(cursor: str | None) -> Place | None:
    """The same for a list in the order of names."""
    return None if cursor is None else Place(*bytes_cursor(cursor))


def cursor_after(places: Sequence[Place], limit: int) -> str | None:
    """The cursor of the next page; None where this page is not full, and so the last."""
    return encode_cursor(*places[-1]) if len(places) == limit else None


def encoded_page(found: Sequence[Placed], limit: int, origin: str) -> bytes:
    """A page of encoded objects as JSON."""
    page = ObjectPage(
        objects=as_stored([one.encoded for one in found]),
        next_cursor=cursor_after([one.place for one in found], limit),
    )
    return encoded_answer(page, origin)

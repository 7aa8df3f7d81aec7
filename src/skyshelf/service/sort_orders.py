"""Sort orders: from the signed field of a request to what storage orders by."""

from typing import Final

from skyshelf.storage.metadata.contracts.tree import SortBy
from skyshelf.wire.models import sort_parts
from skyshelf.wire.resources.objects import ObjectSort

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

"""Listings: what is in a folder."""

from typing import Final

from skyshelf.service.encoded_answers import as_stored, encoded_answer
from skyshelf.service.house import Caller, House
from skyshelf.service.sort_orders import sort_order
from skyshelf.service.space import Space, space_of
from skyshelf.storage.metadata.contracts.tree import Kind, PageOf
from skyshelf.wire.resources.objects import DefaultViewQuery, ListingQuery, ObjectListing

_KINDS: Final = {None: None, "f": Kind.FILE, "w": Kind.FOLDER}


def folder_listing(house: House, caller: Caller, query: DefaultViewQuery | ListingQuery, origin: str) -> bytes:
    """A page of a folder as JSON; only the legacy view has pages beyond the first."""
    sort, descending = sort_order(query.sort)
    page = query.page if isinstance(query, ListingQuery) else 0
    wanted = PageOf(
        folder_key=query.folder_key,
        kind=_KINDS[query.kind],
        sort=sort,
        descending=descending,
        limit=query.limit,
        offset=page * query.limit,
    )
    with house.metadata.read() as unit:
        unit.tree.visible_folder(caller.account_id, query.folder_key)
        objects = unit.tree.page(caller.account_id, wanted)
        space = space_of(unit, caller, house.clock.now())
    return encoded_listing(space, objects, origin)


def encoded_listing(space: Space, objects: list[bytes], origin: str) -> bytes:
    """The envelope of listings around encoded objects."""
    listing = ObjectListing(
        allocated_space=space.allocated,
        used_space=space.used,
        is_upload_allowed=space.is_upload_allowed,
        objects=as_stored(objects),
    )
    return encoded_answer(listing, origin)

"""Listings: what is in a folder."""

from typing import Final

from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.pages import Space, as_stored, encoded_answer, sort_order, space_of
from skyshelf.storage.metadata.contracts.tree import Kind, PageOf
from skyshelf.storage.metadata.wire_cache import wire_object
from skyshelf.wire.limits import RECENT_OBJECTS_MAX
from skyshelf.wire.models import sort_parts
from skyshelf.wire.resources.feeds import LinkedAppQuery, ObjectFeed, RecentObjects, SharedByMeQuery
from skyshelf.wire.resources.objects import DefaultViewQuery, ListingQuery, ObjectListing, ObjectLocation, PlaceStep

_KINDS: Final = {None: None, "f": Kind.FILE, "w": Kind.FOLDER}


def folder_listing(ctx: ServiceContext, caller: Caller, query: DefaultViewQuery | ListingQuery, origin: str) -> bytes:
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
    with ctx.metadata.read() as unit:
        unit.tree.visible_folder(caller.account_id, query.folder_key)
        objects = unit.tree.page(caller.account_id, wanted)
        space = space_of(unit, caller, ctx.clock.now())
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


# Where an object is.


def object_place(ctx: ServiceContext, caller: Caller, object_key: str, origin: str) -> ObjectLocation:
    """An object that can be seen, and the folders from the root down to it."""
    with ctx.metadata.read() as unit:
        found = unit.tree.visible(caller.account_id, object_key)
        folders = unit.tree.ancestors(caller.account_id, object_key)
    path = [PlaceStep(object_key=folder.object_key, object_name=folder.name) for folder in folders]
    return ObjectLocation(object=wire_object(found, origin), path=path)


# Feeds: what came in lately, what is shared, what an app brought.


def recent(ctx: ServiceContext, caller: Caller, origin: str) -> bytes:
    """The newest pictures and videos, and the newest other files, by their arrival, as JSON."""
    with ctx.metadata.read() as unit:
        media = unit.tree.recent(caller.account_id, media=True, limit=RECENT_OBJECTS_MAX)
        others = unit.tree.recent(caller.account_id, media=False, limit=RECENT_OBJECTS_MAX)
    return encoded_answer(RecentObjects(objects_imgs=as_stored(media), objects_docs=as_stored(others)), origin)


def shared_by_me(ctx: ServiceContext, caller: Caller, query: SharedByMeQuery, origin: str) -> bytes:
    """Objects that have a live share link, by the date of the newest one, as JSON."""
    _, newest_first = sort_parts(query.sort)
    with ctx.metadata.read() as unit:
        shared = unit.shares.shared_objects(
            caller.account_id,
            ctx.clock.now(),
            limit=query.limit,
            offset=query.page * query.limit,
            newest_first=newest_first,
        )
    return _feed([encoded for encoded, _ in shared], origin)


def of_linked_app(ctx: ServiceContext, caller: Caller, query: LinkedAppQuery, origin: str) -> bytes:
    """Objects that an app uploaded under its code, newest arrival first, as JSON."""
    offset = query.page * query.limit
    with ctx.metadata.read() as unit:
        objects = unit.tree.of_app(caller.account_id, query.appcode, limit=query.limit, offset=offset)
    return _feed(objects, origin)


def _feed(objects: list[bytes], origin: str) -> bytes:
    return encoded_answer(ObjectFeed(objects=as_stored(objects)), origin)

"""Listings: folders, an object's location, and the feeds (recent, shared, linked app, favourites, timeline)."""

import hashlib
from collections.abc import Callable, Sequence
from typing import Final

import msgspec

from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.pages import (
    after_bytes,
    after_number,
    after_of,
    encode_page,
    encode_response,
    raw_objects,
    sort_order,
)
from skyshelf.storage.metadata.contracts.quota import Quota
from skyshelf.storage.metadata.contracts.tree import Kind, PageOf, SortBy
from skyshelf.storage.metadata.store import Unit
from skyshelf.storage.metadata.wire_cache import ENCODING_VERSION, render_urls, wire_object
from skyshelf.wire.cursors import encode_cursor
from skyshelf.wire.limits import RECENT_OBJECTS_MAX
from skyshelf.wire.models import sort_parts
from skyshelf.wire.names import order_key
from skyshelf.wire.next_links import next_link
from skyshelf.wire.resources.feeds import (
    FavoritesQuery,
    LinkedAppQuery,
    ObjectFeed,
    RecentObjects,
    SharedByMeQuery,
    TimelineMonth,
    TimelineMonths,
)
from skyshelf.wire.resources.objects import (
    DefaultViewQuery,
    ListingQuery,
    ObjectListing,
    ObjectLocation,
    PathFolder,
)

_encode = msgspec.json.Encoder().encode
_KINDS: Final = {None: None, "f": Kind.FILE, "w": Kind.FOLDER}


class Space(msgspec.Struct, frozen=True):
    """How much an account may store and stores, as listings and batches report it."""

    allocated: int
    used: int
    is_upload_allowed: bool


def space_of(unit: Unit, caller: Caller, now: int) -> Space:
    """The caller's space. Every caller has an active account, so free space alone decides about uploads."""
    return _space(unit.quotas.get(caller.account_id, now))


def _space(quota: Quota) -> Space:
    return Space(allocated=quota.allocated, used=quota.used, is_upload_allowed=quota.free > 0)


class Listing(msgspec.Struct, frozen=True):
    tag: str
    """The same for the same page, as long as nothing of the account has changed."""
    page: bytes | None
    """None where the caller has it already."""


def folder_listing(
    ctx: ServiceContext,
    caller: Caller,
    query: DefaultViewQuery | ListingQuery,
    origin: str,
    path: str,
    *,
    is_known: Callable[[str], bool] = lambda _: False,
) -> Listing:
    """A page of a folder as JSON; only the legacy view has numbered pages, and both have links to the next one.

    The tag is read before the page, so a page may be newer than its tag, and never older.
    """
    sort, descending = sort_order(query.sort)
    page = query.page if isinstance(query, ListingQuery) else 0
    wanted = PageOf(
        folder_key=query.folder_key,
        kind=_KINDS[query.kind],
        sort=sort,
        descending=descending,
        # One more than wanted shows whether there is a next page.
        limit=query.limit + 1,
        offset=page * query.limit,
        after=after_of(sort, query.cursor),
    )
    with ctx.metadata.read() as unit:
        change, quota = unit.quotas.at(caller.account_id, ctx.clock.now())
        space = _space(quota)
        tag = _tag(ctx.instance, caller.account_key, change, space, query, origin, path)
        unit.tree.visible_folder(caller.account_id, query.folder_key)
        if is_known(tag):
            return Listing(tag, None)
        objects = unit.tree.page(caller.account_id, wanted)
    cursor = None
    if len(objects) > query.limit:
        objects = objects.without_last()
        cursor = encode_cursor(*_place(objects.last, sort))
    return Listing(tag, encode_listing(space, objects, origin, next_link(path, query, cursor)))


def _tag(instance: bytes, *what: object) -> str:
    """A digest of all that a page follows from. Whatever changes an object is a change of its account."""
    return hashlib.blake2b(_encode((what, ENCODING_VERSION)), key=instance, digest_size=12).hexdigest()


def encode_listing(space: Space, objects: Sequence[bytes], origin: str, link: str | None) -> bytes:
    """Stored objects in the envelope of a listing, as JSON."""
    listing = ObjectListing(
        allocated_space=space.allocated,
        used_space=space.used,
        is_upload_allowed=space.is_upload_allowed,
        objects=raw_objects(objects),
        next_link=link,
    )
    return encode_response(listing, origin)


class _Place(msgspec.Struct, rename="camel"):
    """The fields of an object that orders are made of."""

    object_key: str
    object_name: str
    size_in_bytes: int
    file_created_date: int
    last_modified_date: int


def _place(encoded: bytes, sort: SortBy) -> tuple[int | bytes, str]:
    """The sort value and the key of a stored object."""
    found = msgspec.json.decode(render_urls(encoded, ""), type=_Place)
    values: dict[SortBy, int | bytes] = {
        SortBy.NAME: order_key(found.object_name),
        SortBy.CREATED: found.file_created_date,
        SortBy.MODIFIED: found.last_modified_date,
        SortBy.SIZE: found.size_in_bytes,
    }
    return values[sort], found.object_key


def object_location(ctx: ServiceContext, caller: Caller, object_key: str, origin: str) -> ObjectLocation:
    """A visible object, and the folders from the root down to it."""
    with ctx.metadata.read() as unit:
        found = unit.tree.visible(caller.account_id, object_key)
        folders = unit.tree.ancestors(caller.account_id, object_key)
    path = [PathFolder(object_key=folder.object_key, object_name=folder.name) for folder in folders]
    return ObjectLocation(object=wire_object(found, origin), path=path)


# Feeds


def recent(ctx: ServiceContext, caller: Caller, origin: str) -> bytes:
    """The most recently added pictures and videos, and other files, as JSON."""
    with ctx.metadata.read() as unit:
        media = unit.tree.recent(caller.account_id, media=True, limit=RECENT_OBJECTS_MAX)
        others = unit.tree.recent(caller.account_id, media=False, limit=RECENT_OBJECTS_MAX)
    return encode_response(RecentObjects(objects_imgs=raw_objects(media), objects_docs=raw_objects(others)), origin)


def shared_by_me(ctx: ServiceContext, caller: Caller, query: SharedByMeQuery, origin: str) -> bytes:
    """Objects with a live share link, by the date of the newest link, as JSON."""
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
    """Objects that an app uploaded under its code, most recently added first, as JSON."""
    offset = query.page * query.limit
    with ctx.metadata.read() as unit:
        objects = unit.tree.of_app(caller.account_id, query.appcode, limit=query.limit, offset=offset)
    return _feed(objects, origin)


def _feed(objects: Sequence[bytes], origin: str) -> bytes:
    return encode_response(ObjectFeed(objects=raw_objects(objects)), origin)


def timeline_months(ctx: ServiceContext, caller: Caller) -> TimelineMonths:
    """Every month with pictures or videos and their number, newest first."""
    with ctx.metadata.read() as unit:
        months = unit.timeline.months(caller.account_id)
    return TimelineMonths(
        months=[TimelineMonth(year=row.number // 12, month=row.number % 12 + 1, count=row.files) for row in months]
    )


def favorites(ctx: ServiceContext, caller: Caller, query: FavoritesQuery, origin: str) -> bytes:
    """A page of the favourites, most recently added first or by name, as JSON."""
    by_name = query.order == "name"
    after = after_bytes(query.cursor) if by_name else after_number(query.cursor)
    with ctx.metadata.read() as unit:
        found = unit.tree.favorites(caller.account_id, by_name=by_name, limit=query.limit, after=after)
    return encode_page(found, query.limit, origin)

"""Listings: folders, where an object is, and the feeds (recent, shared, linked app, favourites, timeline)."""

import hashlib
from collections.abc import Callable, Sequence
from typing import Final

import msgspec

from skyshelf.service import pages
from skyshelf.service.context import Caller, ServiceContext
from skyshelf.storage.metadata.contracts.accounts import Quota
from skyshelf.storage.metadata.contracts.tree import Kind, PageOf, SortBy
from skyshelf.storage.metadata.store import Unit
from skyshelf.storage.metadata.wire_cache import ENCODING_VERSION, render_urls, wire_object
from skyshelf.wire.cursors import encode_cursor, next_link
from skyshelf.wire.limits import RECENT_OBJECTS_MAX
from skyshelf.wire.models import sort_parts
from skyshelf.wire.names import order_key
from skyshelf.wire.resources import feeds
from skyshelf.wire.resources import objects as wire

_encode = msgspec.json.Encoder().encode
_KINDS: Final = {None: None, "f": Kind.FILE, "w": Kind.FOLDER}


class Space(msgspec.Struct, frozen=True):
    """An account's quota and use, as listings and batches report it."""

    allocated: int
    used: int
    is_upload_allowed: bool


def space_of(unit: Unit, caller: Caller, now: int) -> Space:
    """Return the caller's space. Every caller has an active account, so free space alone decides about uploads."""
    return _space(unit.quotas.get(caller.account_id, now))


def _space(quota: Quota) -> Space:
    return Space(allocated=quota.allocated, used=quota.used, is_upload_allowed=quota.free > 0)


class Listing(msgspec.Struct, frozen=True):
    tag: str
    """Identifies the page as long as nothing in the account has changed."""
    page: bytes | None
    """None if the caller already has it."""


def folder_listing(
    ctx: ServiceContext,
    caller: Caller,
    query: wire.DefaultViewQuery | wire.ListingQuery,
    origin: str,
    path: str,
    *,
    is_known: Callable[[str], bool] = lambda _: False,
) -> Listing:
    """Return a page of a folder as JSON; only the legacy view has numbered pages, and both have links to the next one.

    The tag is read before the page, so a page may be newer than its tag, and never older.
    """
    sort, descending = pages.sort_order(query.sort)
    page = query.page if isinstance(query, wire.ListingQuery) else 0
    wanted = PageOf(
        folder_key=query.folder_key,
        kind=_KINDS[query.kind],
        sort=sort,
        descending=descending,
        # One more than requested shows whether there is a next page.
        limit=query.limit + 1,
        offset=page * query.limit,
        after=pages.after_of(sort, query.cursor),
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
    """Return a digest of everything that a page depends on. Every change of an object is a change of its account."""
    return hashlib.blake2b(_encode((what, ENCODING_VERSION)), key=instance, digest_size=12).hexdigest()


def encode_listing(space: Space, objects: Sequence[bytes], origin: str, link: str | None) -> bytes:
    """Encode stored objects in the envelope of a listing."""
    listing = wire.ObjectListing(
        allocated_space=space.allocated,
        used_space=space.used,
        is_upload_allowed=space.is_upload_allowed,
        objects=pages.raw_objects(objects),
        next_link=link,
    )
    return pages.encode_response(listing, origin)


class _Place(msgspec.Struct, rename="camel"):
    """The fields of an object that listings are ordered by."""

    object_key: str
    object_name: str
    size_in_bytes: int
    file_created_date: int
    last_modified_date: int


def _place(encoded: bytes, sort: SortBy) -> tuple[int | bytes, str]:
    """Return the sort value and the key of a stored object."""
    found = msgspec.json.decode(render_urls(encoded, ""), type=_Place)
    values: dict[SortBy, int | bytes] = {
        SortBy.NAME: order_key(found.object_name),
        SortBy.CREATED: found.file_created_date,
        SortBy.MODIFIED: found.last_modified_date,
        SortBy.SIZE: found.size_in_bytes,
    }
    return values[sort], found.object_key


def object_location(ctx: ServiceContext, caller: Caller, object_key: str, origin: str) -> wire.ObjectLocation:
    """Return a visible object, and the folders from the root down to it."""
    with ctx.metadata.read() as unit:
        found = unit.tree.visible(caller.account_id, object_key)
        folders = unit.tree.ancestors(caller.account_id, object_key)
    path = [wire.PathFolder(object_key=folder.object_key, object_name=folder.name) for folder in folders]
    return wire.ObjectLocation(object=wire_object(found, origin), path=path)


# Feeds


def recent(ctx: ServiceContext, caller: Caller, origin: str) -> bytes:
    """Return the most recently added pictures and videos, and other files, as JSON."""
    with ctx.metadata.read() as unit:
        media = unit.tree.recent(caller.account_id, media=True, limit=RECENT_OBJECTS_MAX)
        others = unit.tree.recent(caller.account_id, media=False, limit=RECENT_OBJECTS_MAX)
    return pages.encode_response(
        feeds.RecentObjects(objects_imgs=pages.raw_objects(media), objects_docs=pages.raw_objects(others)), origin
    )


def shared_by_me(ctx: ServiceContext, caller: Caller, query: feeds.SharedByMeQuery, origin: str) -> bytes:
    """Return objects with a live share link, by the date of the newest link, as JSON."""
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


def of_linked_app(ctx: ServiceContext, caller: Caller, query: feeds.LinkedAppQuery, origin: str) -> bytes:
    """Return objects that an app uploaded under its code, most recently added first, as JSON."""
    offset = query.page * query.limit
    with ctx.metadata.read() as unit:
        objects = unit.tree.of_app(caller.account_id, query.appcode, limit=query.limit, offset=offset)
    return _feed(objects, origin)


def _feed(objects: Sequence[bytes], origin: str) -> bytes:
    return pages.encode_response(feeds.ObjectFeed(objects=pages.raw_objects(objects)), origin)


def timeline_months(ctx: ServiceContext, caller: Caller) -> feeds.TimelineMonths:
    """List the months that have pictures or videos, with their number, newest first."""
    with ctx.metadata.read() as unit:
        months = unit.timeline.months(caller.account_id)
    return feeds.TimelineMonths(
        months=[
            feeds.TimelineMonth(year=row.number // 12, month=row.number % 12 + 1, count=row.files) for row in months
        ]
    )


def favorites(ctx: ServiceContext, caller: Caller, query: feeds.FavoritesQuery, origin: str) -> bytes:
    """Return a page of the favourites, most recently added first or by name, as JSON."""
    by_name = query.order == "name"
    after = pages.after_bytes(query.cursor) if by_name else pages.after_number(query.cursor)
    with ctx.metadata.read() as unit:
        found = unit.tree.favorites(caller.account_id, by_name=by_name, limit=query.limit, after=after)
    return pages.encode_page(found, query.limit, origin)

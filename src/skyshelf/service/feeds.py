"""Feeds: what came in lately, what is shared, what an app brought."""

from skyshelf.service.encoded_answers import as_stored, encoded_answer
from skyshelf.service.house import Caller, House
from skyshelf.wire.limits import RECENT_OBJECTS_MAX
from skyshelf.wire.models import sort_parts
from skyshelf.wire.resources.feeds import LinkedAppQuery, ObjectFeed, RecentObjects, SharedByMeQuery


def recent(house: House, caller: Caller, origin: str) -> bytes:
    """The newest pictures and videos, and the newest other files, by their arrival, as JSON."""
    with house.metadata.read() as unit:
        media = unit.tree.recent(caller.account_id, media=True, limit=RECENT_OBJECTS_MAX)
        others = unit.tree.recent(caller.account_id, media=False, limit=RECENT_OBJECTS_MAX)
    return encoded_answer(RecentObjects(objects_imgs=as_stored(media), objects_docs=as_stored(others)), origin)


def shared_by_me(house: House, caller: Caller, query: SharedByMeQuery, origin: str) -> bytes:
    """Objects that have a live share link, by the date of the newest one, as JSON."""
    _, newest_first = sort_parts(query.sort)
    with house.metadata.read() as unit:
        shared = unit.shares.shared_objects(
            caller.account_id,
            house.clock.now(),
            limit=query.limit,
            offset=query.page * query.limit,
            newest_first=newest_first,
        )
    return _feed([encoded for encoded, _ in shared], origin)


def of_linked_app(house: House, caller: Caller, query: LinkedAppQuery, origin: str) -> bytes:
    """Objects that an app uploaded under its code, newest arrival first, as JSON."""
    offset = query.page * query.limit
    with house.metadata.read() as unit:
        objects = unit.tree.of_app(caller.account_id, query.appcode, limit=query.limit, offset=offset)
    return _feed(objects, origin)


def _feed(objects: list[bytes], origin: str) -> bytes:
    return encoded_answer(ObjectFeed(objects=as_stored(objects)), origin)

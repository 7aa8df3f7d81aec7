"""Tags: words that people attach to objects."""

from typing import Final

from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.errors import ServiceError, unprocessed
from skyshelf.service.pages import after_bytes, after_number, cursor_after, encode_page
from skyshelf.storage.errors import Missing, NameTaken, ObjectMissing
from skyshelf.storage.metadata.contracts.tags import NewTag, Tag
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire import error_codes as codes
from skyshelf.wire.cursors import CursorQuery
from skyshelf.wire.keys import is_key
from skyshelf.wire.resources.feeds import ManualTag
from skyshelf.wire.resources.tags import TaggedAnswer, TagGiving, TagList, TagRenaming, TagTaking

RECENT_TAGS_MAX: Final = 50


def recent_tags(ctx: ServiceContext, caller: Caller) -> list[ManualTag]:
    """The most recently used tags, last one first."""
    with ctx.metadata.read() as unit:
        return [_wire_tag(tag) for tag in unit.tags.recent(caller.account_id, RECENT_TAGS_MAX)]


def object_tags(ctx: ServiceContext, caller: Caller, object_key: str) -> list[ManualTag]:
    """The tags of a visible object, by name."""
    with ctx.metadata.read() as unit:
        unit.tree.visible(caller.account_id, object_key)
        return [_wire_tag(tag) for tag in unit.tags.of_object(caller.account_id, object_key)]


def add_tag(ctx: ServiceContext, caller: Caller, request: TagGiving) -> TaggedAnswer:
    """Tag visible objects; the tag is created only if at least one is visible."""
    now, new = ctx.clock.now(), NewTag(tag_key=ctx.new_key(), name=request.tag_name)
    keys = [key.upper() for key in request.object_keys if is_key(key)]

    def work(unit: Unit) -> tuple[Tag | None, list[str]]:
        unit.act_as(caller.actor)
        visible = unit.tree.visible_many(caller.account_id, keys)
        found = [key for key in dict.fromkeys(keys) if key in visible]
        return (unit.tags.add(caller.account_id, found, new, now) if found else None), found

    tag, tagged = ctx.metadata.write(work)
    return _answer(tag, tagged, request.object_keys)


def remove_tag(ctx: ServiceContext, caller: Caller, request: TagTaking) -> TaggedAnswer:
    """Remove a tag from objects; those without it are returned as unprocessed."""
    now = ctx.clock.now()
    keys = [key.upper() for key in request.object_keys if is_key(key)]

    def work(unit: Unit) -> tuple[Tag, list[str]]:
        unit.act_as(caller.actor)
        tag = _tag(unit, caller, request.tag_id)
        return tag, unit.tags.remove(caller.account_id, keys, request.tag_id, now)

    tag, gone = ctx.metadata.write(work)
    return _answer(tag, gone, request.object_keys)


def _answer(tag: Tag | None, keys: list[str], asked: list[str]) -> TaggedAnswer:
    missing, done = ObjectMissing("no such object"), set(keys)
    left = [unprocessed(key, missing) for key in asked if key.upper() not in done]
    return TaggedAnswer(tag=None if tag is None else _wire_tag(tag), object_keys=keys, unprocessed=left)


def tag_list(ctx: ServiceContext, caller: Caller, query: CursorQuery) -> TagList:
    """A page of all tags, by name."""
    after = after_bytes(query.cursor)
    with ctx.metadata.read() as unit:
        found = unit.tags.page(caller.account_id, limit=query.limit, after=after)
    places = [place for _, place in found]
    return TagList(tags=[_wire_tag(tag) for tag, _ in found], next_cursor=cursor_after(places, query.limit))


def tagged_objects(ctx: ServiceContext, caller: Caller, tag_key: str, query: CursorQuery, origin: str) -> bytes:
    """A page of objects with a tag, most recently tagged first, as JSON."""
    after = after_number(query.cursor)
    with ctx.metadata.read() as unit:
        try:
            found = unit.tags.objects(caller.account_id, tag_key, limit=query.limit, after=after)
        except Missing as missing:
            raise ServiceError(codes.TAG_NOT_FOUND) from missing
    return encode_page(found, query.limit, origin)


def rename_tag(ctx: ServiceContext, caller: Caller, tag_key: str, request: TagRenaming) -> ManualTag:
    """Rename a tag on all its objects. TAG_NAME_TAKEN instead of merging two tags by accident."""

    now = ctx.clock.now()

    def work(unit: Unit) -> Tag:
        unit.act_as(caller.actor)
        try:
            return unit.tags.rename(caller.account_id, tag_key, request.tag_name, now)
        except Missing as missing:
            raise ServiceError(codes.TAG_NOT_FOUND) from missing
        except NameTaken as taken:
            raise ServiceError(codes.TAG_NAME_TAKEN) from taken

    return _wire_tag(ctx.metadata.write(work))


def delete_tag(ctx: ServiceContext, caller: Caller, tag_key: str) -> None:
    """Delete a tag, and remove it from all objects."""
    now = ctx.clock.now()

    def work(unit: Unit) -> None:
        unit.act_as(caller.actor)
        _tag(unit, caller, tag_key)
        unit.tags.delete(caller.account_id, tag_key, now)

    ctx.metadata.write(work)


def _tag(unit: Unit, caller: Caller, tag_key: str) -> Tag:
    try:
        return unit.tags.get(caller.account_id, tag_key)
    except Missing as missing:
        raise ServiceError(codes.TAG_NOT_FOUND) from missing


def _wire_tag(tag: Tag) -> ManualTag:
    return ManualTag(tag_id=tag.tag_key, tag_name=tag.name, created_date=tag.created_at)

"""Tags: words that people attach to objects."""

from typing import Final

from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.errors import codes, missing_as, unprocessed_besides, valid_keys
from skyshelf.service.pages import after_bytes, after_number, cursor_after, encode_page
from skyshelf.storage.errors import NameTaken, ObjectMissing
from skyshelf.storage.metadata.contracts.tree import NewTag, Tag
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire.cursors import CursorQuery
from skyshelf.wire.resources.feeds import ManualTag, TaggedAnswer, TagGiving, TagList, TagRenaming, TagTaking

RECENT_TAGS_MAX: Final = 50


def recent_tags(ctx: ServiceContext, caller: Caller) -> list[ManualTag]:
    """Return the most recently used tags, latest first."""
    with ctx.metadata.read() as unit:
        return [_wire_tag(tag) for tag in unit.tags.recent(caller.account_id, RECENT_TAGS_MAX)]


def object_tags(ctx: ServiceContext, caller: Caller, object_key: str) -> list[ManualTag]:
    """Return the tags of a visible object, by name."""
    with ctx.metadata.read() as unit:
        unit.tree.visible(caller.account_id, object_key)
        return [_wire_tag(tag) for tag in unit.tags.of_object(caller.account_id, object_key)]


def add_tag(ctx: ServiceContext, caller: Caller, request: TagGiving) -> TaggedAnswer:
    """Tag visible objects; the tag is created only if at least one is visible."""
    now, new = ctx.clock.now(), NewTag(tag_key=ctx.new_key(), name=request.tag_name)
    keys = valid_keys(request.object_keys)

    def work(unit: Unit) -> tuple[Tag | None, list[str]]:
        visible = unit.tree.visible_many(caller.account_id, keys)
        found = [key for key in dict.fromkeys(keys) if key in visible]
        return (unit.tags.add(caller.account_id, found, new, now) if found else None), found

    tag, tagged = ctx.write_as(caller, work)
    return _answer(tag, tagged, request.object_keys)


def remove_tag(ctx: ServiceContext, caller: Caller, request: TagTaking) -> TaggedAnswer:
    """Remove a tag from objects; those without it are returned as unprocessed."""
    now, keys = ctx.clock.now(), valid_keys(request.object_keys)

    def work(unit: Unit) -> tuple[Tag, list[str]]:
        tag = _tag(unit, caller, request.tag_id)
        return tag, unit.tags.remove(caller.account_id, keys, request.tag_id, now)

    tag, gone = ctx.write_as(caller, work)
    return _answer(tag, gone, request.object_keys)


def _answer(tag: Tag | None, keys: list[str], asked: list[str]) -> TaggedAnswer:
    left = unprocessed_besides(keys, asked, ObjectMissing("no such object"))
    return TaggedAnswer(tag=None if tag is None else _wire_tag(tag), object_keys=keys, unprocessed=left)


def tag_list(ctx: ServiceContext, caller: Caller, query: CursorQuery) -> TagList:
    """Return a page of all tags, by name."""
    after = after_bytes(query.cursor)
    with ctx.metadata.read() as unit:
        found = unit.tags.page(caller.account_id, limit=query.limit, after=after)
    next_cursor = cursor_after([place for _, place in found], query.limit)
    return TagList(tags=[_wire_tag(tag) for tag, _ in found], next_cursor=next_cursor)


def tagged_objects(ctx: ServiceContext, caller: Caller, tag_key: str, query: CursorQuery, origin: str) -> bytes:
    """Return a page of objects with a tag, most recently tagged first, as JSON."""
    after = after_number(query.cursor)
    with ctx.metadata.read() as unit, missing_as(codes.TAG_NOT_FOUND):
        found = unit.tags.objects(caller.account_id, tag_key, limit=query.limit, after=after)
    return encode_page(found, query.limit, origin)


def rename_tag(ctx: ServiceContext, caller: Caller, tag_key: str, request: TagRenaming) -> ManualTag:
    """Rename a tag on all its objects. TAG_NAME_TAKEN instead of merging two tags by accident."""
    now, name = ctx.clock.now(), request.tag_name
    with missing_as(codes.TAG_NOT_FOUND), missing_as(codes.TAG_NAME_TAKEN, NameTaken):
        return _wire_tag(ctx.write_as(caller, lambda unit: unit.tags.rename(caller.account_id, tag_key, name, now)))


def delete_tag(ctx: ServiceContext, caller: Caller, tag_key: str) -> None:
    """Delete a tag, and remove it from all objects."""
    now = ctx.clock.now()

    def work(unit: Unit) -> None:
        _tag(unit, caller, tag_key)
        unit.tags.delete(caller.account_id, tag_key, now)

    ctx.write_as(caller, work)


def _tag(unit: Unit, caller: Caller, tag_key: str) -> Tag:
    with missing_as(codes.TAG_NOT_FOUND):
        return unit.tags.get(caller.account_id, tag_key)


def _wire_tag(tag: Tag) -> ManualTag:
    return ManualTag(tag_id=tag.tag_key, tag_name=tag.name, created_date=tag.created_at)

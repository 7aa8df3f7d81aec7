"""Tags: words that a person gave to objects."""

from typing import Final

from skyshelf.service.house import Caller, House
from skyshelf.storage.metadata.tags import Tag
from skyshelf.wire.feeds import ManualTag

RECENT_TAGS_MAX: Final = 50


def recent_tags(house: House, caller: Caller) -> list[ManualTag]:
    """The tags given last, at the front the last one."""
    with house.metadata.read() as unit:
        return [_shown(tag) for tag in unit.tags.recent(caller.account_id, RECENT_TAGS_MAX)]


def object_tags(house: House, caller: Caller, object_key: str) -> list[ManualTag]:
    """The tags of an object that can be seen, by name."""
    with house.metadata.read() as unit:
        unit.tree.visible(caller.account_id, object_key)
        return [_shown(tag) for tag in unit.tags.of_object(caller.account_id, object_key)]


def _shown(tag: Tag) -> ManualTag:
    return ManualTag(tag_id=tag.tag_key, tag_name=tag.name, created_date=tag.created_at)

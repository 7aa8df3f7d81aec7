"""Tags: words that a person gives to objects."""

from typing import Protocol

import msgspec


class NewTag(msgspec.Struct, frozen=True, kw_only=True):
    tag_key: str
    """The key it gets if the account has no such tag yet."""
    name: str


class Tag(msgspec.Struct, frozen=True):
    tag_key: str
    name: str
    created_at: int
    used_at: int
    """When it was last given to an object."""


class Tags(Protocol):
    """Case does not count in names: the first spelling stays. A tag lives as long as some object bears it.

    Keys of other accounts are, for every call, keys that do not exist.
    """

    def add(self, account_id: int, object_key: str, tag: NewTag, now: int) -> Tag:
        """Give an object a tag, which it may have already. ObjectMissing when the object cannot be seen."""

    def remove(self, account_id: int, object_key: str, tag_key: str) -> bool:
        """Take a tag off an object; false when it did not have it."""

    def get(self, account_id: int, tag_key: str) -> Tag:
        """Missing when there is none."""

    def of_object(self, account_id: int, object_key: str) -> list[Tag]:
        """By name. Empty for an object that is not there."""

    def recent(self, account_id: int, limit: int) -> list[Tag]:
        """Those given last at the front."""

    def objects(self, account_id: int, tag_key: str, *, limit: int, offset: int = 0) -> list[bytes]:
        """Objects that bear the tag and can be seen, tagged last first; encoded as in Tree.page."""

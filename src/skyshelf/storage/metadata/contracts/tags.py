"""Tags: words that a person gives to objects."""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

import msgspec

from skyshelf.storage.metadata.contracts.tree import CursorRow, PageCursor


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
    """Case does not count in names: the first spelling stays. A tag lives as long as some object has it.

    Keys of other accounts are, for every call, keys that do not exist.
    """

    def add(self, account_id: int, object_keys: Sequence[str], tag: NewTag, now: int) -> Tag:
        """Give objects a tag, which they may have already. All or nothing: ObjectMissing when one cannot be seen."""

    def remove(self, account_id: int, object_keys: Sequence[str], tag_key: str, now: int) -> list[str]:
        """Take a tag off objects; returns those that had it. A tag without objects is gone."""

    def rename(self, account_id: int, tag_key: str, name: str, now: int) -> Tag:
        """Missing when there is no such tag, NameTaken when another tag has the name."""

    def delete(self, account_id: int, tag_key: str, now: int) -> None:
        """Take it off everything. Missing when there is none."""

    def get(self, account_id: int, tag_key: str) -> Tag:
        """Missing when there is none."""

    def of_object(self, account_id: int, object_key: str) -> list[Tag]:
        """By name. Empty for an object that is not there."""

    def recent(self, account_id: int, limit: int) -> list[Tag]:
        """Those given last at the front."""

    def page(self, account_id: int, *, limit: int, after: PageCursor | None = None) -> list[tuple[Tag, PageCursor]]:
        """All tags, by their folded names."""

    def objects(self, account_id: int, tag_key: str, *, limit: int, after: PageCursor | None = None) -> list[CursorRow]:
        """Visible objects with the tag, tagged last first. Missing when the tag does not exist."""


# The timeline: pictures and videos by the month in which they were taken.


class Month(NamedTuple):
    """A month, counted from January of year 0, and how many pictures and videos of it can be seen."""

    number: int
    files: int


class Timeline(Protocol):
    """The month of a picture or video is that of the day it was taken, by the clock of its camera; if that
    is unknown, the month of the file's creation date, in UTC. Other files are not in it.
    """

    def months(self, account_id: int) -> list[Month]:
        """The months that have something to see, newest first.

        Its cost grows with the number of folders that pictures are in, and not with that of the pictures.
        """

    def page(self, account_id: int, month: int, *, limit: int, after: PageCursor | None = None) -> list[CursorRow]:
        """What can be seen of a month, newest first; ties break by object_key, in the same direction."""

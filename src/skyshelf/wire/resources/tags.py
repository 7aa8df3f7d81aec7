"""Adding, removing and listing tags: extensions of the interface, which only shows tags."""

from typing import Annotated, ClassVar

from msgspec import Meta
from msgspec.structs import force_setattr

from skyshelf.wire.keys import Key, clean_key
from skyshelf.wire.limits import BATCH_ENTRIES_MAX, JSON_BODY_BYTES_MAX
from skyshelf.wire.models import AnswerModel, Label, RequestModel
from skyshelf.wire.resources.batch import UnprocessedEntry
from skyshelf.wire.resources.feeds import ManualTag
from skyshelf.wire.resources.objects import CloudObject

_Keys = Annotated[list[str], Meta(min_length=1, max_length=BATCH_ENTRIES_MAX)]


class TagGiving(RequestModel, frozen=True, kw_only=True):
    """A tag for some objects; a new name creates the tag."""

    max_bytes: ClassVar[int] = JSON_BODY_BYTES_MAX

    tag_name: Label
    object_keys: _Keys


class TagTaking(RequestModel, frozen=True, kw_only=True):
    """A tag to remove from some objects."""

    max_bytes: ClassVar[int] = JSON_BODY_BYTES_MAX

    tag_id: Key
    object_keys: _Keys

    def __post_init__(self) -> None:
        force_setattr(self, "tag_id", clean_key(self.tag_id))


class TaggedAnswer(AnswerModel, frozen=True, kw_only=True):
    """The objects that were changed, and those that were refused."""

    tag: ManualTag | None = None
    object_keys: list[str] | None = None
    unprocessed: list[UnprocessedEntry] | None = None


class TagRenaming(RequestModel, frozen=True, kw_only=True):
    """The tag's new name."""

    tag_name: Label


class TagList(AnswerModel, frozen=True, kw_only=True):
    """A page of all tags, ordered by name; the last page has no `nextCursor`."""

    tags: list[ManualTag] | None = None
    next_cursor: str | None = None


class ObjectPage(AnswerModel, frozen=True, kw_only=True):
    """A page of objects; the last page has no `nextCursor`."""

    objects: list[CloudObject] | None = None
    next_cursor: str | None = None

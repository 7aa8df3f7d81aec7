"""Feeds: recent objects, memories, shared objects, apps' uploads, tags, documents, timeline, favourites, photos."""

from typing import Annotated, ClassVar, Final, Literal

from msgspec import Meta

from skyshelf.wire.cursors import CursorQuery
from skyshelf.wire.keys import Key
from skyshelf.wire.limits import BATCH_ENTRIES_MAX, JSON_BODY_BYTES_MAX
from skyshelf.wire.models import SIGNED, AnswerModel, Identifier, Label, PagedQuery, RequestModel
from skyshelf.wire.resources.batch import UnprocessedEntry
from skyshelf.wire.resources.objects import CloudObject

LINKED_APP_DEFAULT: Final = "dgl"
"""The `appcode` that the web client sends."""


class RecentObjects(AnswerModel, frozen=True, kw_only=True):
    """The newest pictures and videos, and the newest other files."""

    objects_imgs: list[CloudObject] | None = None
    objects_docs: list[CloudObject] | None = None


class Spotlight(AnswerModel, frozen=True, kw_only=True):
    """A memory: pictures and videos from the same time."""

    spot_light_id: str | None = None
    title: str | None = None
    date: int | None = None
    objects: list[CloudObject] | None = None


class Spotlights(AnswerModel, frozen=True, kw_only=True):
    """Memories of this day in earlier years, then of this month."""

    spot_lights: list[Spotlight] | None = None


class SharedByMeQuery(PagedQuery, frozen=True, kw_only=True):
    """A page of the user's shared objects; `smd` is the share's date."""

    sort: Annotated[Literal["-smd", "+smd"], SIGNED] = "-smd"


class LinkedAppQuery(PagedQuery, frozen=True, kw_only=True):
    """A page of an app's uploads."""

    appcode: Identifier = LINKED_APP_DEFAULT


class ObjectFeed(AnswerModel, frozen=True, kw_only=True):
    """A feed's objects, without a listing's counters."""

    objects: list[CloudObject] | None = None


class ManualTag(AnswerModel, frozen=True, kw_only=True):
    """A tag that a user added."""

    tag_id: str | None = None
    tag_name: str | None = None
    created_date: int | None = None


class SupportedExtensions(AnswerModel, frozen=True, kw_only=True):
    """File extensions that the web client can view and edit, and their icons."""

    view: list[str] | None = None
    edit: list[str] | None = None
    fav_icon_urls: dict[str, str] | None = None


class SupportedDocuments(AnswerModel, frozen=True, kw_only=True):
    """The document types that the web client supports."""

    supported_extensions: SupportedExtensions | None = None


# Extensions: the timeline and favourites.


class TimelineMonth(AnswerModel, frozen=True, kw_only=True):
    """A month and its number of pictures and videos."""

    year: int
    month: int | None = None
    count: int | None = None


class TimelineMonths(AnswerModel, frozen=True, kw_only=True):
    """Every month with pictures or videos, newest first."""

    months: list[TimelineMonth] | None = None


class TimelineQuery(CursorQuery, frozen=True, kw_only=True):
    """A page of a month, newest first."""

    year: Annotated[int, Meta(ge=0, le=9999)]
    month: Annotated[int, Meta(ge=1, le=12)]


class FavoritesQuery(CursorQuery, frozen=True, kw_only=True):
    """A page of favourites, newest first or by name."""

    order: Literal["newest", "name"] = "newest"


# Photos: the shape of pictures and videos, and when and where they were taken.


class PhotoFact(AnswerModel, frozen=True, kw_only=True):
    """Facts about a picture or video; unknown ones are absent.

    `takenDate` is the time of the camera's clock in epoch milliseconds, as if that clock were UTC. Width and height are
    those of the upright picture.
    """

    object_key: str
    version: int | None = None
    taken_date: int | None = None
    width: int | None = None
    height: int | None = None
    latitude: float | None = None
    longitude: float | None = None


class PhotoFactList(AnswerModel, frozen=True, kw_only=True):
    """Facts about the requested files that are pictures or videos."""

    facts: list[PhotoFact] | None = None


class PhotoPlaceList(AnswerModel, frozen=True, kw_only=True):
    """A page of the pictures and videos whose place is known; it may be short. The last page has no `nextCursor`."""

    places: list[PhotoFact] | None = None
    next_cursor: str | None = None


class TimelinePage(AnswerModel, frozen=True, kw_only=True):
    """A page of a month: objects, and the known facts about each; the last page has no `nextCursor`."""

    objects: list[CloudObject] | None = None
    facts: list[PhotoFact] | None = None
    next_cursor: str | None = None


# Extensions: adding, removing and listing tags.

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

"""Feeds: recent objects, memories, shared objects, apps' uploads, tags, supported documents, timeline, favourites."""

from typing import Annotated, Final, Literal

from msgspec import Meta

from skyshelf.wire.cursors import CursorQuery
from skyshelf.wire.models import SIGNED, AnswerModel, Identifier, PagedQuery
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

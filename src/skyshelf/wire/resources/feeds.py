"""Feeds: recent objects, spotlights, what is shared, what apps uploaded, tags, supported documents."""

from typing import Annotated, Final, Literal

from msgspec import Meta

from skyshelf.wire.cursors import CursorQuery
from skyshelf.wire.models import SIGNED, AnswerModel, Identifier, PagedQuery
from skyshelf.wire.resources.objects import CloudObject

LINKED_APP_DEFAULT: Final = "dgl"
"""The `appcode` that the web client asks for."""


class RecentObjects(AnswerModel, frozen=True, kw_only=True):
    """The newest pictures and videos, and the newest of everything else."""

    objects_imgs: list[CloudObject] | None = None
    objects_docs: list[CloudObject] | None = None


class Spotlight(AnswerModel, frozen=True, kw_only=True):
    """A memory: pictures and videos that belong together in time."""

    spot_light_id: str | None = None
    title: str | None = None
    date: int | None = None
    objects: list[CloudObject] | None = None


class Spotlights(AnswerModel, frozen=True, kw_only=True):
    """Memories of this day in earlier years, then of this month."""

    spot_lights: list[Spotlight] | None = None


class SharedByMeQuery(PagedQuery, frozen=True, kw_only=True):
    """A page of what the user shares; `smd` is the date of the share."""

    sort: Annotated[Literal["-smd", "+smd"], SIGNED] = "-smd"


class LinkedAppQuery(PagedQuery, frozen=True, kw_only=True):
    """A page of what one app uploaded."""

    appcode: Identifier = LINKED_APP_DEFAULT


class ObjectFeed(AnswerModel, frozen=True, kw_only=True):
    """Objects of a feed, without the counters of a listing."""

    objects: list[CloudObject] | None = None


class ManualTag(AnswerModel, frozen=True, kw_only=True):
    """A tag that a person gave."""

    tag_id: str | None = None
    tag_name: str | None = None
    created_date: int | None = None


class SupportedExtensions(AnswerModel, frozen=True, kw_only=True):
    """Extensions that the web client can show and edit, and icons for them."""

    view: list[str] | None = None
    edit: list[str] | None = None
    fav_icon_urls: dict[str, str] | None = None


class SupportedDocuments(AnswerModel, frozen=True, kw_only=True):
    """What the web client can do with documents."""

    supported_extensions: SupportedExtensions | None = None


# The timeline of pictures and videos, and the list of favourites.


class TimelineMonth(AnswerModel, frozen=True, kw_only=True):
    """A month and how many pictures and videos of it there are."""

    year: int
    month: int | None = None
    count: int | None = None


class TimelineMonths(AnswerModel, frozen=True, kw_only=True):
    """Every month that has something, newest first."""

    months: list[TimelineMonth] | None = None


class TimelineQuery(CursorQuery, frozen=True, kw_only=True):
    """A page of a month, newest first."""

    year: Annotated[int, Meta(ge=0, le=9999)]
    month: Annotated[int, Meta(ge=1, le=12)]


class FavoritesQuery(CursorQuery, frozen=True, kw_only=True):
    """A page of the favourites, the newest arrival first or by name."""

    order: Literal["newest", "name"] = "newest"

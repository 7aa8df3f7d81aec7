"""The timeline of pictures and videos, and the list of favourites."""

from typing import Annotated, Literal

from msgspec import Meta

from skyshelf.wire.bases import AnswerModel
from skyshelf.wire.cursors import CursorQuery


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

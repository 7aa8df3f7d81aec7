"""Photos: the shape of pictures and videos, and when and where they were taken. An extension of the interface."""

from typing import Annotated

from skyshelf.wire.limits import PLACEHOLDERS_MAX
from skyshelf.wire.models import AnswerModel
from skyshelf.wire.resources.downloads import KeysQuery, keys_up_to
from skyshelf.wire.resources.objects import CloudObject


class PhotoFact(AnswerModel, frozen=True, kw_only=True):
    """A picture or video; what is unknown is left out.

    `takenDate` is what the camera's clock showed, as epoch milliseconds as if that clock were UTC. The size is that of
    the picture as it is shown, turned upright.
    """

    object_key: str
    version: int | None = None
    taken_date: int | None = None
    width: int | None = None
    height: int | None = None
    latitude: float | None = None
    longitude: float | None = None


class PhotoFactsQuery(KeysQuery, frozen=True, kw_only=True):
    """The files to describe, as comma-separated keys."""

    object_keys: Annotated[str, keys_up_to(PLACEHOLDERS_MAX)]


class PhotoFactList(AnswerModel, frozen=True, kw_only=True):
    """Those of the files that are pictures or videos."""

    facts: list[PhotoFact] | None = None


class PhotoPlaceList(AnswerModel, frozen=True, kw_only=True):
    """A page of the pictures and videos whose place is known; it may be short. The last one has no `nextCursor`."""

    places: list[PhotoFact] | None = None
    next_cursor: str | None = None


class TimelinePage(AnswerModel, frozen=True, kw_only=True):
    """A page of a month: objects, and what is known of each; the last page has no `nextCursor`."""

    objects: list[CloudObject] | None = None
    facts: list[PhotoFact] | None = None
    next_cursor: str | None = None

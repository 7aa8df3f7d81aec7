"""Photos: facts about pictures and videos, and where they were taken; extensions of the interface."""

from typing import Final

from skyshelf.wire import error_codes as errors
from skyshelf.wire.cursors import CursorQuery
from skyshelf.wire.endpoint import Endpoint, Host, Origin, json_answer
from skyshelf.wire.resources.photos import PhotoFactList, PhotoFactsQuery, PhotoPlaceList

PHOTO_FACTS: Final = Endpoint(
    name="photo_facts",
    host=Host.METADATA,
    method="GET",
    path="/x/v1/photos/facts",
    summary="When and where pictures and videos were taken, and their shape.",
    query=PhotoFactsQuery,
    answers={200: json_answer(PhotoFactList)},
    errors=(errors.BAD_KEY,),
    origin=Origin.COMPLETIONS,
)
PHOTO_PLACES: Final = Endpoint(
    name="photo_places",
    host=Host.METADATA,
    method="GET",
    path="/x/v1/photos/places",
    summary="The pictures and videos whose place is known, in pages.",
    query=CursorQuery,
    answers={200: json_answer(PhotoPlaceList)},
    errors=(errors.BAD_CURSOR,),
    origin=Origin.COMPLETIONS,
)

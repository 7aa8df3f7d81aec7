"""Tags, the timeline and favourites: extensions of the interface."""

from typing import Final

from skyshelf.wire import error_codes as errors
from skyshelf.wire.cursors import CursorQuery
from skyshelf.wire.endpoint import EMPTY, BodyKind, Endpoint, Host, Origin, json_answer
from skyshelf.wire.resources.feeds import FavoritesQuery, ManualTag, TimelineMonths, TimelineQuery
from skyshelf.wire.resources.photos import TimelinePage
from skyshelf.wire.resources.tags import ObjectPage, TaggedAnswer, TagGiving, TagList, TagRenaming, TagTaking

TAG_LIST: Final = Endpoint(
    name="tag_list",
    host=Host.METADATA,
    method="GET",
    path="/x/v1/tags",
    summary="All tags, ordered by name.",
    query=CursorQuery,
    answers={200: json_answer(TagList)},
    errors=(errors.BAD_CURSOR,),
    origin=Origin.COMPLETIONS,
)
ADD_TAG: Final = Endpoint(
    name="add_tag",
    needs_space=True,
    host=Host.METADATA,
    method="POST",
    path="/x/v1/tags",
    summary="Adds a tag to files and folders; each is tagged or refused separately.",
    body=TagGiving,
    body_kind=BodyKind.JSON,
    answers={200: json_answer(TaggedAnswer)},
    errors=(errors.OBJECT_NOT_FOUND,),
    repeats_safely=True,
    origin=Origin.COMPLETIONS,
)
TAGGED_OBJECTS: Final = Endpoint(
    name="tagged_objects",
    host=Host.METADATA,
    method="GET",
    path="/x/v1/tags/{tag_key}/objects",
    summary="The objects with a tag, most recently tagged first.",
    query=CursorQuery,
    answers={200: json_answer(ObjectPage)},
    errors=(errors.TAG_NOT_FOUND, errors.BAD_CURSOR),
    origin=Origin.COMPLETIONS,
)
RENAME_TAG: Final = Endpoint(
    name="rename_tag",
    host=Host.METADATA,
    method="PUT",
    path="/x/v1/tags/{tag_key}",
    summary="Renames a tag everywhere.",
    body=TagRenaming,
    body_kind=BodyKind.JSON,
    answers={200: json_answer(ManualTag)},
    errors=(errors.TAG_NOT_FOUND, errors.TAG_NAME_TAKEN),
    repeats_safely=True,
    origin=Origin.COMPLETIONS,
)
REMOVE_TAG: Final = Endpoint(
    name="remove_tag",
    host=Host.METADATA,
    method="POST",
    path="/x/v1/tags/remove",
    summary="Removes a tag from files and folders; an unused tag is deleted.",
    body=TagTaking,
    body_kind=BodyKind.JSON,
    answers={200: json_answer(TaggedAnswer)},
    errors=(errors.BAD_KEY, errors.TAG_NOT_FOUND, errors.OBJECT_NOT_FOUND),
    origin=Origin.COMPLETIONS,
)
DELETE_TAG: Final = Endpoint(
    name="delete_tag",
    host=Host.METADATA,
    method="DELETE",
    path="/x/v1/tags/{tag_key}",
    summary="Deletes a tag; its objects stay.",
    answers={204: EMPTY},
    errors=(errors.TAG_NOT_FOUND,),
    origin=Origin.COMPLETIONS,
)
TIMELINE: Final = Endpoint(
    name="timeline",
    host=Host.METADATA,
    method="GET",
    path="/x/v1/timeline",
    summary="The number of pictures and videos per month, newest first.",
    answers={200: json_answer(TimelineMonths)},
    origin=Origin.COMPLETIONS,
)
TIMELINE_OBJECTS: Final = Endpoint(
    name="timeline_objects",
    host=Host.METADATA,
    method="GET",
    path="/x/v1/timeline/objects",
    summary="A month's pictures and videos, newest first, with their shapes and places.",
    query=TimelineQuery,
    answers={200: json_answer(TimelinePage)},
    errors=(errors.BAD_CURSOR,),
    origin=Origin.COMPLETIONS,
)
FAVORITES: Final = Endpoint(
    name="favorites",
    host=Host.METADATA,
    method="GET",
    path="/x/v1/favorites",
    summary="The favourites, newest first or by name.",
    query=FavoritesQuery,
    answers={200: json_answer(ObjectPage)},
    errors=(errors.BAD_CURSOR,),
    origin=Origin.COMPLETIONS,
)

"""Feeds and discovery, and extensions: tags, the timeline, favourites and photos."""

from typing import Final

from skyshelf.wire import error_codes as errors
from skyshelf.wire.cursors import CursorQuery
from skyshelf.wire.endpoint import Group, Host, Origin
from skyshelf.wire.models import PagedQuery
from skyshelf.wire.resources import feeds
from skyshelf.wire.resources.downloads import FileKeysQuery

_INTERFACE: Final = Group(host=Host.METADATA)
_TAGS: Final = Group(host=Host.METADATA, path="/x/v1/tags", origin=Origin.COMPLETIONS)
_METADATA: Final = Group(host=Host.METADATA, path="/x/v1", origin=Origin.COMPLETIONS)

RECENT: Final = _INTERFACE.call(
    "GET /nms/metadata/recent/objects",
    "The newest pictures and videos, and the newest other files.",
    answer=feeds.RecentObjects,
    must_have="objectsImgs objectsDocs",
)
SPOTLIGHTS: Final = _INTERFACE.call(
    "GET /nms/spotlights/metadata",
    "Memories: pictures and videos from this day and this month in earlier years.",
    query=PagedQuery,
    answer=feeds.Spotlights,
    must_have="spotLights",
)
SHARED_BY_ME: Final = _INTERFACE.call(
    "GET /nms/collshare/byme",
    "Objects with a live share link, newest share first.",
    query=feeds.SharedByMeQuery,
    answer=feeds.ObjectFeed,
    must_have="objects",
)
LINKED_APP: Final = _INTERFACE.call(
    "GET /nms/headless/linkedapp/metadata",
    "Objects that an app uploaded.",
    query=feeds.LinkedAppQuery,
    answer=feeds.ObjectFeed,
    must_have="objects",
)
RECENT_TAGS: Final = _INTERFACE.call(
    "GET /nms/manual/tag/recents", "Recently used tags, as a bare array.", answer=list[feeds.ManualTag]
)
OBJECT_TAGS: Final = _INTERFACE.call(
    "GET /nms/manual/tags/{object_key}", "An object's tags, as a bare array.", answer=list[feeds.ManualTag]
)
SUPPORTED_DOCUMENTS: Final = _INTERFACE.call(
    "GET /cspp/intg/doc/supported",
    "File extensions that the web client can view and edit.",
    answer=feeds.SupportedDocuments,
    must_have="supportedExtensions",
)


# Extensions.

TAG_LIST: Final = _TAGS.call(
    "GET", "All tags, ordered by name.", query=CursorQuery, answer=feeds.TagList, must_have="tags"
)
ADD_TAG: Final = _TAGS.call(
    "POST",
    "Adds a tag to files and folders; each is tagged or refused separately.",
    body=feeds.TagGiving,
    answer=feeds.TaggedAnswer,
    must_have="objectKeys unprocessed",
    errors=(errors.OBJECT_NOT_FOUND,),
    repeats_safely=True,
)
TAGGED_OBJECTS: Final = _TAGS.call(
    "GET /{tag_key}/objects",
    "The objects with a tag, most recently tagged first.",
    query=CursorQuery,
    answer=feeds.ObjectPage,
    must_have="objects",
)
RENAME_TAG: Final = _TAGS.call(
    "PUT /{tag_key}",
    "Renames a tag everywhere.",
    body=feeds.TagRenaming,
    answer=feeds.ManualTag,
    must_have="tagId tagName",
    errors=(errors.TAG_NAME_TAKEN,),
)
REMOVE_TAG: Final = _TAGS.call(
    "POST /remove",
    "Removes a tag from files and folders; an unused tag is deleted.",
    body=feeds.TagTaking,
    answer=feeds.TaggedAnswer,
    must_have="objectKeys unprocessed",
    errors=(errors.TAG_NOT_FOUND, errors.OBJECT_NOT_FOUND),
    while_full=True,
)
DELETE_TAG: Final = _TAGS.call("DELETE /{tag_key}", "Deletes a tag; its objects stay.")
TIMELINE: Final = _METADATA.call(
    "GET /timeline",
    "The number of pictures and videos per month, newest first.",
    answer=feeds.TimelineMonths,
    must_have="months",
)
TIMELINE_OBJECTS: Final = _METADATA.call(
    "GET /timeline/objects",
    "A month's pictures and videos, newest first, with their shapes and places.",
    query=feeds.TimelineQuery,
    answer=feeds.TimelinePage,
    must_have="objects",
)
FAVORITES: Final = _METADATA.call(
    "GET /favorites",
    "The favourites, newest first or by name.",
    query=feeds.FavoritesQuery,
    answer=feeds.ObjectPage,
    must_have="objects",
)
PHOTO_FACTS: Final = _METADATA.call(
    "GET /photos/facts",
    "When and where pictures and videos were taken, and their shape.",
    query=FileKeysQuery,
    answer=feeds.PhotoFactList,
    must_have="facts",
)
PHOTO_PLACES: Final = _METADATA.call(
    "GET /photos/places",
    "The pictures and videos whose place is known, in pages.",
    query=CursorQuery,
    answer=feeds.PhotoPlaceList,
    must_have="places",
)

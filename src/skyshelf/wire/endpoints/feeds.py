"""Feeds and discovery."""

from typing import Final

from skyshelf.wire import error_codes as errors
from skyshelf.wire.endpoint import Endpoint, Host, json_answer
from skyshelf.wire.models import PagedQuery
from skyshelf.wire.resources.feeds import (
    LinkedAppQuery,
    ManualTag,
    ObjectFeed,
    RecentObjects,
    SharedByMeQuery,
    Spotlights,
    SupportedDocuments,
)

RECENT: Final = Endpoint(
    name="recent",
    host=Host.METADATA,
    method="GET",
    path="/nms/metadata/recent/objects",
    summary="The newest pictures and videos, and the newest other files.",
    answers={200: json_answer(RecentObjects)},
)
SPOTLIGHTS: Final = Endpoint(
    name="spotlights",
    host=Host.METADATA,
    method="GET",
    path="/nms/spotlights/metadata",
    summary="Memories: pictures and videos from this day and this month in earlier years.",
    query=PagedQuery,
    answers={200: json_answer(Spotlights)},
)
SHARED_BY_ME: Final = Endpoint(
    name="shared_by_me",
    host=Host.METADATA,
    method="GET",
    path="/nms/collshare/byme",
    summary="Objects with a live share link, newest share first.",
    query=SharedByMeQuery,
    answers={200: json_answer(ObjectFeed)},
)
LINKED_APP: Final = Endpoint(
    name="linked_app",
    host=Host.METADATA,
    method="GET",
    path="/nms/headless/linkedapp/metadata",
    summary="Objects that an app uploaded.",
    query=LinkedAppQuery,
    answers={200: json_answer(ObjectFeed)},
)
RECENT_TAGS: Final = Endpoint(
    name="recent_tags",
    host=Host.METADATA,
    method="GET",
    path="/nms/manual/tag/recents",
    summary="Recently used tags, as a bare array.",
    answers={200: json_answer(list[ManualTag])},
)
OBJECT_TAGS: Final = Endpoint(
    name="object_tags",
    host=Host.METADATA,
    method="GET",
    path="/nms/manual/tags/{object_key}",
    summary="An object's tags, as a bare array.",
    answers={200: json_answer(list[ManualTag])},
    errors=(errors.OBJECT_NOT_FOUND,),
)
SUPPORTED_DOCUMENTS: Final = Endpoint(
    name="supported_documents",
    host=Host.METADATA,
    method="GET",
    path="/cspp/intg/doc/supported",
    summary="File extensions that the web client can view and edit.",
    answers={200: json_answer(SupportedDocuments)},
)

"""The change feed, an extension of the interface."""

from typing import Final

from skyshelf.wire import error_codes as errors
from skyshelf.wire.endpoint import EVENTS, Endpoint, Host, Origin, json_answer
from skyshelf.wire.resources.changes import (
    ChangesPage,
    ChangesQuery,
    ChangeStreamHeaders,
    ChangeStreamQuery,
    Everything,
    EverythingQuery,
    ObjectChanges,
)

CHANGES: Final = Endpoint(
    name="changes",
    host=Host.METADATA,
    method="GET",
    path="/x/v1/changes",
    summary="Changes since a cursor, oldest first; without a cursor, only the current one.",
    query=ChangesQuery,
    answers={200: json_answer(ChangesPage)},
    errors=(errors.BAD_CURSOR, errors.CURSOR_TOO_OLD),
    origin=Origin.COMPLETIONS,
)
EVERYTHING: Final = Endpoint(
    name="everything",
    host=Host.METADATA,
    method="GET",
    path="/x/v1/changes/everything",
    summary="All objects of the account in pages: the starting point for following changes.",
    query=EverythingQuery,
    answers={200: json_answer(Everything)},
    errors=(errors.BAD_CURSOR,),
    origin=Origin.COMPLETIONS,
)
OBJECT_CHANGES: Final = Endpoint(
    name="object_changes",
    host=Host.METADATA,
    method="GET",
    path="/x/v1/objects/{object_key}/changes",
    summary="What happened to one object, newest first: up to 50 of the account's latest 20,000 changes.",
    answers={200: json_answer(ObjectChanges)},
    errors=(errors.OBJECT_NOT_FOUND,),
    origin=Origin.COMPLETIONS,
)
CHANGE_STREAM: Final = Endpoint(
    name="change_stream",
    host=Host.METADATA,
    method="GET",
    path="/x/v1/changes/stream",
    summary="A live stream of changes as server-sent events, whose ids are cursors; it can also watch a board and"
    " invitations.",
    query=ChangeStreamQuery,
    headers=ChangeStreamHeaders,
    answers={200: EVENTS},
    errors=(errors.BAD_CURSOR, errors.CURSOR_TOO_OLD, errors.BAD_KEY, errors.BOARD_NOT_FOUND),
    origin=Origin.COMPLETIONS,
)

"""History, an extension of the interface."""

from typing import Final

from skyshelf.wire import error_codes as errors
from skyshelf.wire.endpoint import BINARY, EMPTY, Access, BodyKind, Endpoint, Host, Origin, json_answer
from skyshelf.wire.resources.downloads import DownloadHeaders
from skyshelf.wire.resources.history import (
    DifferencesQuery,
    ForgetRequest,
    HistoryChoice,
    HistoryDifferences,
    HistoryPage,
    HistoryQuery,
    HistorySettings,
    PastFileQuery,
    PastFolder,
    PastFolderQuery,
    PastObject,
)

HISTORY: Final = Endpoint(
    name="history",
    host=Host.METADATA,
    method="GET",
    path="/x/v1/history",
    summary="What changed, newest first, with what was before and after, and who did it.",
    query=HistoryQuery,
    answers={200: json_answer(HistoryPage)},
    errors=(errors.BAD_CURSOR, errors.BAD_KEY, errors.OBJECT_NOT_FOUND),
    origin=Origin.COMPLETIONS,
)
PAST_FOLDER: Final = Endpoint(
    name="past_folder",
    host=Host.METADATA,
    method="GET",
    path="/x/v1/history/folders/{object_key}",
    summary="What a folder held at a moment.",
    query=PastFolderQuery,
    answers={200: json_answer(PastFolder)},
    errors=(errors.BAD_CURSOR, errors.OBJECT_NOT_FOUND, errors.FOLDER_EXPECTED, errors.HISTORY_NOT_KEPT),
    origin=Origin.COMPLETIONS,
)
PAST_OBJECT: Final = Endpoint(
    name="past_object",
    host=Host.METADATA,
    method="GET",
    path="/x/v1/history/objects/{object_key}",
    summary="A file or folder as it was at a moment, and its path.",
    query=PastFileQuery,
    answers={200: json_answer(PastObject)},
    errors=(errors.OBJECT_NOT_FOUND, errors.HISTORY_NOT_KEPT),
    origin=Origin.COMPLETIONS,
)
HISTORY_DIFFERENCES: Final = Endpoint(
    name="history_differences",
    host=Host.METADATA,
    method="GET",
    path="/x/v1/history/differences",
    summary="What came, went, moved or changed between two moments, one entry per file or folder.",
    query=DifferencesQuery,
    answers={200: json_answer(HistoryDifferences)},
    errors=(errors.BAD_CURSOR, errors.BAD_KEY, errors.OBJECT_NOT_FOUND, errors.HISTORY_NOT_KEPT),
    origin=Origin.COMPLETIONS,
)
PAST_FILE: Final = Endpoint(
    name="past_file",
    host=Host.DOWNLOAD,
    method="GET",
    path="/download/history/{object_key}",
    summary="The content that a file had at a moment, whole or in ranges.",
    query=PastFileQuery,
    headers=DownloadHeaders,
    answers={200: BINARY, 206: BINARY, 304: EMPTY},
    access=Access.SESSION_OR_NONCE,
    required_headers=(),
    errors=(
        errors.OBJECT_NOT_FOUND,
        errors.FILE_EXPECTED,
        errors.HISTORY_NOT_KEPT,
        errors.VERSION_NOT_FOUND,
        errors.RANGE_NOT_SATISFIABLE,
        errors.CONTENT_DAMAGED,
    ),
    head=True,
    origin=Origin.COMPLETIONS,
)
HISTORY_SETTINGS: Final = Endpoint(
    name="history_settings",
    host=Host.METADATA,
    method="GET",
    path="/x/v1/history/settings",
    summary="How long history is kept, since when there is some, and what it takes.",
    answers={200: json_answer(HistorySettings)},
    origin=Origin.COMPLETIONS,
)
SET_HISTORY: Final = Endpoint(
    name="set_history",
    host=Host.METADATA,
    method="PUT",
    path="/x/v1/history/settings",
    summary="Choose how long history is kept, up to what the operator allows; fewer days need confirmation.",
    body=HistoryChoice,
    body_kind=BodyKind.JSON,
    answers={200: json_answer(HistorySettings)},
    errors=(errors.SESSION_PAUSED, *errors.OF_CONFIRMATIONS, errors.CONFIRMATION_NEEDED),
    origin=Origin.COMPLETIONS,
)
FORGET_HISTORY: Final = Endpoint(
    name="forget_history",
    host=Host.METADATA,
    method="POST",
    path="/x/v1/history/forget",
    summary="Forget all history up to now, which takes what a login takes: nothing deleted before can be brought back.",
    body=ForgetRequest,
    body_kind=BodyKind.JSON,
    answers={200: json_answer(HistorySettings)},
    errors=(errors.SESSION_PAUSED, *errors.OF_CONFIRMATIONS, errors.CONFIRMATION_NEEDED),
    origin=Origin.COMPLETIONS,
)

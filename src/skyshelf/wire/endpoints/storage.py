"""Extensions: what takes up an account's space, and freeing it."""

from typing import Final

from skyshelf.wire import error_codes as errors
from skyshelf.wire.cursors import CursorQuery
from skyshelf.wire.endpoint import BodyKind, Endpoint, Host, Origin, json_answer
from skyshelf.wire.resources.storage import (
    Duplicates,
    DuplicatesQuery,
    OldVersions,
    RemovedVersions,
    StorageUse,
    VersionRemoval,
)
from skyshelf.wire.resources.tags import ObjectPage

STORAGE_USE: Final = Endpoint(
    name="storage_use",
    host=Host.METADATA,
    method="GET",
    path="/x/v1/storage",
    summary="What the account's space is used for: files by kind, earlier versions, the trash.",
    answers={200: json_answer(StorageUse)},
    origin=Origin.COMPLETIONS,
)
LARGEST_FILES: Final = Endpoint(
    name="largest_files",
    host=Host.METADATA,
    method="GET",
    path="/x/v1/storage/largest",
    summary="Files, the largest first.",
    query=CursorQuery,
    answers={200: json_answer(ObjectPage)},
    errors=(errors.BAD_CURSOR,),
    origin=Origin.COMPLETIONS,
)
DUPLICATES: Final = Endpoint(
    name="duplicates",
    host=Host.METADATA,
    method="GET",
    path="/x/v1/storage/duplicates",
    summary="Groups of files with the same content.",
    query=DuplicatesQuery,
    answers={200: json_answer(Duplicates)},
    errors=(errors.BAD_CURSOR,),
    origin=Origin.COMPLETIONS,
)
OLD_VERSIONS: Final = Endpoint(
    name="old_versions",
    host=Host.METADATA,
    method="GET",
    path="/x/v1/storage/versions",
    summary="Files with earlier versions, those whose versions take the most space first.",
    query=CursorQuery,
    answers={200: json_answer(OldVersions)},
    errors=(errors.BAD_CURSOR,),
    origin=Origin.COMPLETIONS,
)
REMOVE_VERSIONS: Final = Endpoint(
    name="remove_versions",
    host=Host.METADATA,
    method="POST",
    path="/x/v1/storage/versions/remove",
    summary="Permanently deletes the earlier versions of files; their current content stays.",
    body=VersionRemoval,
    body_kind=BodyKind.JSON,
    answers={200: json_answer(RemovedVersions)},
    errors=(errors.BAD_KEY, errors.SESSION_PAUSED),
    repeats_safely=True,
    origin=Origin.COMPLETIONS,
)

"""Files and folders: listings, batch operations, trash, versions."""

from typing import Final

from skyshelf.wire import error_codes as errors
from skyshelf.wire.endpoint import EMPTY, BodyKind, Endpoint, Host, Origin, json_answer
from skyshelf.wire.resources.batch import BatchAnswer, BatchRequest
from skyshelf.wire.resources.copies import CopyAnswer, CopyRequest
from skyshelf.wire.resources.objects import (
    CloudObject,
    DefaultViewQuery,
    FolderCreation,
    ListingHeaders,
    ListingQuery,
    ObjectListing,
    ObjectLocation,
    TrashQuery,
)
from skyshelf.wire.resources.places import Covers, CoversQuery, Locations, LocationsQuery
from skyshelf.wire.resources.search import SearchPage, SearchQuery
from skyshelf.wire.resources.trash import (
    EmptyTrashAnswer,
    LegacyDeleteAnswer,
    LegacyDeleteRequest,
    PurgeAnswer,
    PurgeRequest,
    RestoreAnswer,
    RestoreRequest,
)
from skyshelf.wire.resources.versions import FileVersions, VersionRestoreRequest

_LISTING_ERRORS: Final = (
    errors.LISTING_TYPE,
    errors.BAD_KEY,
    errors.BAD_CURSOR,
    errors.FOLDER_EXPECTED,
    errors.OBJECT_NOT_FOUND,
)
DEFAULT_VIEW: Final = Endpoint(
    name="default_view",
    host=Host.METADATA,
    method="GET",
    path="/nms/metadata/defaultview/myfiles/v1",
    summary="A folder's contents.",
    query=DefaultViewQuery,
    headers=ListingHeaders,
    answers={200: json_answer(ObjectListing), 304: EMPTY},
    errors=_LISTING_ERRORS,
)
LISTING: Final = Endpoint(
    name="listing",
    host=Host.METADATA,
    method="GET",
    path="/nms/metadata",
    summary="A folder's contents, in pages.",
    query=ListingQuery,
    headers=ListingHeaders,
    answers={200: json_answer(ObjectListing), 304: EMPTY},
    errors=_LISTING_ERRORS,
)
BATCH: Final = Endpoint(
    name="batch",
    host=Host.METADATA,
    method="PUT",
    path="/nms/metadata/1.0",
    summary="Favourites, renames, moves and trashes objects; each entry is applied or refused separately.",
    body=BatchRequest,
    body_kind=BodyKind.JSON,
    answers={200: json_answer(BatchAnswer)},
    errors=(
        errors.BATCH_MALFORMED,
        errors.OBJECT_NAME_MISSING,
        errors.SOURCE_NAME_MISSING,
        errors.BAD_NAME,
        errors.OBJECT_NOT_FOUND,
        errors.NAME_TAKEN,
        errors.ROOT_FIXED,
        errors.MOVE_INTO_ITSELF,
        errors.TOO_DEEP,
        errors.TARGET_NOT_FOLDER,
        errors.SESSION_PAUSED,
    ),
    repeats_safely=True,
)
RESTORE: Final = Endpoint(
    name="restore",
    host=Host.METADATA,
    method="PUT",
    path="/nms/metadata/restore",
    summary="Restores objects from the trash.",
    body=RestoreRequest,
    body_kind=BodyKind.JSON,
    answers={200: json_answer(RestoreAnswer)},
    errors=(errors.OBJECT_NOT_FOUND,),
    repeats_safely=True,
)
TRASH: Final = Endpoint(
    name="trash",
    host=Host.METADATA,
    method="GET",
    path="/nms/trash",
    summary="The trash, most recently trashed first.",
    query=TrashQuery,
    answers={200: json_answer(ObjectListing)},
    errors=(errors.BAD_CURSOR,),
)
LEGACY_DELETE: Final = Endpoint(
    name="legacy_delete",
    host=Host.METADATA,
    method="PUT",
    path="/nms/metadata/delete",
    summary="Does nothing: every key is returned as unprocessed. Use the batch call's TRASH operation.",
    body=LegacyDeleteRequest,
    body_kind=BodyKind.JSON,
    answers={200: json_answer(LegacyDeleteAnswer)},
    repeats_safely=True,
    deprecated=True,
)
VERSIONS: Final = Endpoint(
    name="versions",
    host=Host.METADATA,
    method="GET",
    path="/nms/metadata/version/{object_key}",
    summary="A file's versions, newest first.",
    answers={200: json_answer(FileVersions)},
    errors=(errors.OBJECT_NOT_FOUND, errors.FILE_EXPECTED),
)
CREATE_FOLDER: Final = Endpoint(
    name="create_folder",
    needs_space=True,
    host=Host.METADATA,
    method="POST",
    path="/nms/folders",
    summary="Creates a folder.",
    body=FolderCreation,
    body_kind=BodyKind.JSON,
    answers={201: json_answer(CloudObject)},
    errors=(
        errors.BAD_NAME,
        errors.BAD_KEY,
        errors.FOLDER_EXPECTED,
        errors.OBJECT_NOT_FOUND,
        errors.NAME_TAKEN,
        errors.TOO_DEEP,
    ),
)
OBJECT_LOCATION: Final = Endpoint(
    name="object_location",
    host=Host.METADATA,
    method="GET",
    path="/x/v1/objects/{object_key}",
    summary="An object with the folders above it.",
    answers={200: json_answer(ObjectLocation)},
    errors=(errors.OBJECT_NOT_FOUND,),
    origin=Origin.COMPLETIONS,
)
LOCATIONS: Final = Endpoint(
    name="locations",
    host=Host.METADATA,
    method="GET",
    path="/x/v1/locations",
    summary="The folders above many objects, which may be in the trash.",
    query=LocationsQuery,
    answers={200: json_answer(Locations)},
    errors=(errors.BAD_KEY,),
    origin=Origin.COMPLETIONS,
)
COVERS: Final = Endpoint(
    name="covers",
    host=Host.METADATA,
    method="GET",
    path="/x/v1/covers",
    summary="Up to four pictures of each of many folders.",
    query=CoversQuery,
    answers={200: json_answer(Covers)},
    errors=(errors.BAD_KEY,),
    origin=Origin.COMPLETIONS,
)


# Extension: copies.

COPY: Final = Endpoint(
    name="copy",
    needs_space=True,
    host=Host.METADATA,
    method="POST",
    path="/x/v1/copies",
    summary="Copies files, and folders without their contents, into a folder; each is copied or refused separately.",
    body=CopyRequest,
    body_kind=BodyKind.JSON,
    answers={200: json_answer(CopyAnswer)},
    errors=(
        errors.BAD_KEY,
        errors.OBJECT_NOT_FOUND,
        errors.FOLDER_EXPECTED,
        errors.ROOT_FIXED,
        errors.MOVE_INTO_ITSELF,
        errors.TOO_DEEP,
        errors.STORAGE_FULL,
    ),
    origin=Origin.COMPLETIONS,
)


# Extensions: deleting permanently.

PURGE: Final = Endpoint(
    name="purge",
    host=Host.METADATA,
    method="POST",
    path="/x/v1/trash/purge",
    summary="Permanently deletes objects from the trash; each is deleted or refused separately.",
    body=PurgeRequest,
    body_kind=BodyKind.JSON,
    answers={200: json_answer(PurgeAnswer)},
    errors=(errors.NOT_IN_TRASH, errors.SESSION_PAUSED),
    origin=Origin.COMPLETIONS,
)
EMPTY_TRASH: Final = Endpoint(
    name="empty_trash",
    host=Host.METADATA,
    method="POST",
    path="/x/v1/trash/empty",
    summary="Empties the trash permanently; responds at once, whatever its size.",
    answers={200: json_answer(EmptyTrashAnswer)},
    errors=(errors.SESSION_PAUSED,),
    origin=Origin.COMPLETIONS,
)


# Extension: restoring versions.

RESTORE_VERSION: Final = Endpoint(
    name="restore_version",
    needs_space=True,
    host=Host.METADATA,
    method="POST",
    path="/x/v1/versions/restore",
    summary="Restores an earlier version as the file's newest one.",
    body=VersionRestoreRequest,
    body_kind=BodyKind.JSON,
    answers={200: json_answer(CloudObject)},
    errors=(
        errors.BAD_KEY,
        errors.FILE_EXPECTED,
        errors.OBJECT_NOT_FOUND,
        errors.VERSION_NOT_FOUND,
        errors.STORAGE_FULL,
        errors.SESSION_PAUSED,
    ),
    # Restoring the current version changes nothing, so a repeated call creates no second version.
    repeats_safely=True,
    origin=Origin.COMPLETIONS,
)


# Extension: search on the server.

SEARCH: Final = Endpoint(
    name="search",
    host=Host.METADATA,
    method="GET",
    path="/x/v1/search",
    summary="Finds objects by words in their names and by their properties, best match first.",
    query=SearchQuery,
    answers={200: json_answer(SearchPage)},
    errors=(errors.BAD_KEY, errors.BAD_CURSOR, errors.FOLDER_EXPECTED, errors.OBJECT_NOT_FOUND),
    origin=Origin.COMPLETIONS,
)

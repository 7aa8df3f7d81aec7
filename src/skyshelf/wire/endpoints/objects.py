"""Files and folders: listings, batch operations, trash, versions, search, and the space that they take up."""

from typing import Final

from skyshelf.wire import error_codes as errors
from skyshelf.wire.cursors import CursorQuery
from skyshelf.wire.endpoint import EMPTY, Group, Host, Origin, json_answer
from skyshelf.wire.resources import batch, feeds, objects, search, storage

_INTERFACE: Final = Group(host=Host.METADATA, path="/nms")
_EXTENSION: Final = Group(host=Host.METADATA, path="/x/v1", origin=Origin.COMPLETIONS)
_STORAGE: Final = Group(host=Host.METADATA, path="/x/v1/storage", origin=Origin.COMPLETIONS)

_OF_MOVES: Final = (errors.ROOT_FIXED, errors.MOVE_INTO_ITSELF, errors.TOO_DEEP)
_LISTING_ERRORS: Final = (errors.LISTING_TYPE, errors.FOLDER_EXPECTED, errors.OBJECT_NOT_FOUND)
DEFAULT_VIEW: Final = _INTERFACE.call(
    "GET /metadata/defaultview/myfiles/v1",
    "A folder's contents.",
    query=objects.DefaultViewQuery,
    headers=objects.ListingHeaders,
    answers={200: json_answer(objects.ObjectListing), 304: EMPTY},
    must_have="objects",
    errors=_LISTING_ERRORS,
)
LISTING: Final = _INTERFACE.call(
    "GET /metadata",
    "A folder's contents, in pages.",
    query=objects.ListingQuery,
    headers=objects.ListingHeaders,
    answers={200: json_answer(objects.ObjectListing), 304: EMPTY},
    must_have="objects",
    errors=_LISTING_ERRORS,
)
BATCH: Final = _INTERFACE.call(
    "PUT /metadata/1.0",
    "Favourites, renames, moves and trashes objects; each entry is applied or refused separately.",
    body=batch.BatchRequest,
    answer=batch.BatchAnswer,
    must_have="objects unprocessed",
    errors=(
        errors.BATCH_MALFORMED,
        errors.OBJECT_NAME_MISSING,
        errors.SOURCE_NAME_MISSING,
        errors.BAD_NAME,
        errors.OBJECT_NOT_FOUND,
        errors.NAME_TAKEN,
        *_OF_MOVES,
        errors.TARGET_NOT_FOLDER,
        errors.DISK_FULL,
    ),
    while_full=True,
)
RESTORE: Final = _INTERFACE.call(
    "PUT /metadata/restore",
    "Restores objects from the trash.",
    body=batch.RestoreRequest,
    answer=batch.RestoreAnswer,
    errors=(errors.OBJECT_NOT_FOUND,),
)
TRASH: Final = _INTERFACE.call(
    "GET /trash",
    "The trash, most recently trashed first.",
    query=objects.TrashQuery,
    answer=objects.ObjectListing,
    must_have="objects",
)
LEGACY_DELETE: Final = _INTERFACE.call(
    "PUT /metadata/delete",
    "Does nothing: every key is returned as unprocessed. Use the batch call's TRASH operation.",
    body=batch.LegacyDeleteRequest,
    answer=batch.LegacyDeleteAnswer,
    must_have="unprocessed",
    deprecated=True,
    while_full=True,
)
VERSIONS: Final = _INTERFACE.call(
    "GET /metadata/version/{object_key}",
    "A file's versions, newest first.",
    answer=objects.FileVersions,
    must_have="objVersions",
    errors=(errors.FILE_EXPECTED,),
)
CREATE_FOLDER: Final = _INTERFACE.call(
    "POST /folders",
    "Creates a folder.",
    body=objects.FolderCreation,
    created=objects.CloudObject,
    errors=(errors.BAD_NAME, errors.FOLDER_EXPECTED, errors.OBJECT_NOT_FOUND, errors.NAME_TAKEN, errors.TOO_DEEP),
)
OBJECT_LOCATION: Final = _EXTENSION.call(
    "GET /objects/{object_key}",
    "An object with the folders above it.",
    answer=objects.ObjectLocation,
    must_have="object",
)
LOCATIONS: Final = _EXTENSION.call(
    "GET /locations",
    "The folders above many objects, which may be in the trash.",
    query=search.LocationsQuery,
    answer=search.Locations,
    must_have="objects",
)
COVERS: Final = _EXTENSION.call(
    "GET /covers",
    "Up to four pictures of each of many folders.",
    query=search.CoversQuery,
    answer=search.Covers,
    must_have="covers",
)


# Extension: copies.

COPY: Final = _EXTENSION.call(
    "POST /copies",
    "Copies files, and folders without their contents, into a folder; each is copied or refused separately.",
    body=batch.CopyRequest,
    answer=batch.CopyAnswer,
    must_have="objects unprocessed",
    errors=(errors.OBJECT_NOT_FOUND, errors.FOLDER_EXPECTED, *_OF_MOVES, errors.STORAGE_FULL),
)


# Extension: the executable bit of files.

EXECUTABLE: Final = _EXTENSION.call(
    "PUT /executable",
    "Says of files whether they may be run as programs; each is changed or refused separately.",
    body=batch.ExecutableRequest,
    answer=batch.ExecutableAnswer,
    must_have="objects unprocessed",
    errors=(errors.OBJECT_NOT_FOUND, errors.FILE_EXPECTED),
)


# Extensions: deleting permanently.

PURGE: Final = _EXTENSION.call(
    "POST /trash/purge",
    "Permanently deletes objects from the trash; each is deleted or refused separately.",
    body=batch.PurgeRequest,
    answer=batch.PurgeAnswer,
    must_have="objects unprocessed",
    errors=(errors.NOT_IN_TRASH,),
    while_full=True,
)
EMPTY_TRASH: Final = _EXTENSION.call(
    "POST /trash/empty",
    "Empties the trash permanently; responds at once, whatever its size.",
    answer=batch.EmptyTrashAnswer,
    must_have="usedSpace isUploadAllowed",
    while_full=True,
)


# Extension: restoring versions.

RESTORE_VERSION: Final = _EXTENSION.call(
    "POST /versions/restore",
    "Restores an earlier version as the file's newest one.",
    body=objects.VersionRestoreRequest,
    answer=objects.CloudObject,
    must_have="objectKey",
    errors=(errors.FILE_EXPECTED, errors.OBJECT_NOT_FOUND, errors.VERSION_NOT_FOUND, errors.STORAGE_FULL),
    repeats_safely=True,
    # Restoring the current version changes nothing, so a repeated call creates no second version.
)


# Extension: search on the server.

SEARCH: Final = _EXTENSION.call(
    "GET /search",
    "Finds objects by words in their names and by their properties, best match first.",
    query=search.SearchQuery,
    answer=search.SearchPage,
    must_have="objects",
    errors=(errors.FOLDER_EXPECTED, errors.OBJECT_NOT_FOUND),
)


# Extensions: what takes up an account's space, and freeing it.

STORAGE_USE: Final = _STORAGE.call(
    "GET",
    "What the account's space is used for: files by kind, earlier versions, the trash.",
    answer=storage.StorageUse,
    must_have="usedSpace",
)
LARGEST_FILES: Final = _STORAGE.call(
    "GET /largest", "Files, the largest first.", query=CursorQuery, answer=feeds.ObjectPage, must_have="objects"
)
DUPLICATES: Final = _STORAGE.call(
    "GET /duplicates",
    "Groups of files with the same content.",
    query=storage.DuplicatesQuery,
    answer=storage.Duplicates,
    must_have="groups",
)
OLD_VERSIONS: Final = _STORAGE.call(
    "GET /versions",
    "Files with earlier versions, those whose versions take the most space first.",
    query=CursorQuery,
    answer=storage.OldVersions,
    must_have="files",
)
REMOVE_VERSIONS: Final = _STORAGE.call(
    "POST /versions/remove",
    "Permanently deletes the earlier versions of files; their current content stays.",
    body=storage.VersionRemoval,
    answer=storage.RemovedVersions,
    must_have="versions freedBytes",
    repeats_safely=True,
    while_full=True,
)

"""Files and folders: listings, batch operations, trash, versions."""

from typing import Final

from skyshelf.wire import error_codes as errors
from skyshelf.wire.endpoint import BodyKind, Endpoint, Host, Origin, json_answer
from skyshelf.wire.resources.batch import (
    BatchAnswer,
    BatchRequest,
    LegacyDeleteAnswer,
    LegacyDeleteRequest,
    RestoreAnswer,
    RestoreRequest,
)
from skyshelf.wire.resources.objects import (
    CloudObject,
    DefaultViewQuery,
    FolderCreation,
    ListingQuery,
    ObjectListing,
    ObjectLocation,
    TrashQuery,
)
from skyshelf.wire.resources.search import SearchPage, SearchQuery
from skyshelf.wire.resources.trash import EmptyTrashAnswer, PurgeAnswer, PurgeRequest
from skyshelf.wire.resources.versions import FileVersions, VersionRestoreRequest

DEFAULT_VIEW: Final = Endpoint(
    name="default_view",
    host=Host.METADATA,
    method="GET",
    path="/nms/metadata/defaultview/myfiles/v1",
    summary="What is in a folder.",
    query=DefaultViewQuery,
    answers={200: json_answer(ObjectListing)},
    errors=(errors.LISTING_TYPE, errors.BAD_KEY, errors.FOLDER_EXPECTED, errors.OBJECT_NOT_FOUND),
)
LISTING: Final = Endpoint(
    name="listing",
    host=Host.METADATA,
    method="GET",
    path="/nms/metadata",
    summary="What is in a folder, page by page.",
    query=ListingQuery,
    answers={200: json_answer(ObjectListing)},
    errors=(errors.LISTING_TYPE, errors.BAD_KEY, errors.FOLDER_EXPECTED, errors.OBJECT_NOT_FOUND),
)
BATCH: Final = Endpoint(
    name="batch",
    host=Host.METADATA,
    method="PUT",
    path="/nms/metadata/1.0",
    summary="Favourite, unfavourite, rename, move and trash; each entry is applied or refused on its own.",
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
        errors.TARGET_NOT_FOLDER,
    ),
    repeats_safely=True,
)
RESTORE: Final = Endpoint(
    name="restore",
    host=Host.METADATA,
    method="PUT",
    path="/nms/metadata/restore",
    summary="Takes objects out of the trash.",
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
    summary="What is in the trash, newest trashed first.",
    query=TrashQuery,
    answers={200: json_answer(ObjectListing)},
)
LEGACY_DELETE: Final = Endpoint(
    name="legacy_delete",
    host=Host.METADATA,
    method="PUT",
    path="/nms/metadata/delete",
    summary="Does nothing: every key comes back unprocessed. Use the TRASH operation of the batch call.",
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
    summary="The versions of a file, newest first.",
    answers={200: json_answer(FileVersions)},
    errors=(errors.OBJECT_NOT_FOUND, errors.FILE_EXPECTED),
)
CREATE_FOLDER: Final = Endpoint(
    name="create_folder",
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
    ),
)
OBJECT_PLACE: Final = Endpoint(
    name="object_place",
    host=Host.METADATA,
    method="GET",
    path="/x/v1/objects/{object_key}",
    summary="One object as it is now, with the folders that lead to it.",
    answers={200: json_answer(ObjectLocation)},
    errors=(errors.OBJECT_NOT_FOUND,),
    origin=Origin.COMPLETIONS,
)


# Beyond the interface: deleting for good.

PURGE: Final = Endpoint(
    name="purge",
    host=Host.METADATA,
    method="POST",
    path="/x/v1/trash/purge",
    summary="Deletes chosen objects of the trash for good; each is gone or refused on its own.",
    body=PurgeRequest,
    body_kind=BodyKind.JSON,
    answers={200: json_answer(PurgeAnswer)},
    errors=(errors.NOT_IN_TRASH,),
    origin=Origin.COMPLETIONS,
)
EMPTY_TRASH: Final = Endpoint(
    name="empty_trash",
    host=Host.METADATA,
    method="POST",
    path="/x/v1/trash/empty",
    summary="Deletes everything in the trash for good; answers at once, however much that is.",
    answers={200: json_answer(EmptyTrashAnswer)},
    origin=Origin.COMPLETIONS,
)


# Beyond the interface: earlier versions of a file come back.

RESTORE_VERSION: Final = Endpoint(
    name="restore_version",
    host=Host.METADATA,
    method="POST",
    path="/x/v1/versions/restore",
    summary="Makes the content of an earlier version the newest version of the file.",
    body=VersionRestoreRequest,
    body_kind=BodyKind.JSON,
    answers={200: json_answer(CloudObject)},
    errors=(
        errors.BAD_KEY,
        errors.FILE_EXPECTED,
        errors.OBJECT_NOT_FOUND,
        errors.VERSION_NOT_FOUND,
        errors.STORAGE_FULL,
    ),
    # What is current already stays as it is, so that asking twice makes one version.
    repeats_safely=True,
    origin=Origin.COMPLETIONS,
)


# Beyond the interface: searching on the server.

SEARCH: Final = Endpoint(
    name="search",
    host=Host.METADATA,
    method="GET",
    path="/x/v1/search",
    summary="Finds objects by words of their names, and by what they are; the best match first.",
    query=SearchQuery,
    answers={200: json_answer(SearchPage)},
    errors=(errors.BAD_KEY, errors.BAD_CURSOR, errors.FOLDER_EXPECTED, errors.OBJECT_NOT_FOUND),
    origin=Origin.COMPLETIONS,
)

"""Calls that other people's clients use: further names and forms of existing calls."""

from typing import Final

from msgspec.structs import replace

from skyshelf.wire import error_codes as errors
from skyshelf.wire.endpoint import Access, Group, Host, Origin, json_answer
from skyshelf.wire.endpoints import boards, downloads, objects
from skyshelf.wire.resources import other_clients

_SEEN: Final = Origin.OTHER_CLIENTS
_METADATA: Final = Group(host=Host.METADATA, origin=_SEEN)
_PUBLIC: Final = Group(host=Host.ACCOUNT, origin=_SEEN, access=Access.PUBLIC, required_headers=())

SHORT_DEFAULT_VIEW: Final = replace(objects.DEFAULT_VIEW, path="/nms/metadata/defaultview", origin=_SEEN)
CATEGORY: Final = _METADATA.call(
    "GET /nms/metadata/mimetype/myfiles/v1",
    "All files of one kind: photos, videos, documents, audio or others.",
    query=other_clients.CategoryQuery,
    answer=other_clients.LinkedPage,
    must_have="objects",
)
OBJECT_INFO: Final = _METADATA.call(
    "GET /nms/metadata/info/{object_key}", "One object.", answer=other_clients.ObjectInfo, must_have="object"
)
KEYWORD: Final = _METADATA.call(
    "GET /ase/search/keyword",
    "Finds objects by words in their names, best match first.",
    query=other_clients.KeywordQuery,
    answer=other_clients.LinkedPage,
    must_have="objects",
)
FLAT_BATCH: Final = replace(
    objects.BATCH,
    path="/nms/metadata",
    summary="The batch call with flat entries; FRN is a rename.",
    body=other_clients.FlatBatchRequest,
    answers={200: json_answer(other_clients.FlatBatchAnswer)},
    origin=_SEEN,
)
TRASH_OBJECTS: Final = _METADATA.call(
    "PUT /nms/metadata/trash",
    "Moves objects to the trash; each is moved or refused separately.",
    body=other_clients.TrashRequest,
    answer=other_clients.TrashAnswer,
    must_have="trashObjects unprocessed",
    errors=(errors.OBJECT_NOT_FOUND, errors.ROOT_FIXED),
    while_full=True,
)
BOARD_ADDITION: Final = replace(
    boards.ADD_TO_BOARD,
    path="/boards/{board_key}/addition",
    body=other_clients.AdditionRequest,
    answers={200: json_answer(other_clients.AdditionAnswer)},
    origin=_SEEN,
)
REFRESH_TOKEN: Final = _PUBLIC.call(
    "POST /account/token/refresh",
    "Renews a session: a new token at once, and the old one stops working after a minute.",
    body=other_clients.RefreshRequest,
    answer=other_clients.RefreshAnswer,
    must_have="userId",
    errors=(errors.SESSION_INVALID,),
    repeats_safely=True,
)
REFRESH_TOKEN_BY_PUT: Final = replace(REFRESH_TOKEN, method="PUT")
SHORT_DOWNLOAD: Final = replace(downloads.DOWNLOAD, path="/download/{object_key}", origin=_SEEN)
METADATA_DOWNLOAD: Final = replace(downloads.DOWNLOAD, path="/nms/metadata/download/{object_key}", origin=_SEEN)

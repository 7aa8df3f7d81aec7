"""Calls that other people's clients were seen to use: further names and forms of calls that exist."""

from typing import Final

from msgspec.structs import replace

from skyshelf.wire import error_codes as errors
from skyshelf.wire.endpoint import Access, BodyKind, Endpoint, Host, Origin, json_answer
from skyshelf.wire.endpoints import boards, downloads, objects
from skyshelf.wire.headers import BOARDS_HEADERS
from skyshelf.wire.resources.other_clients import (
    AdditionAnswer,
    AdditionRequest,
    CategoryQuery,
    FlatBatchAnswer,
    FlatBatchRequest,
    KeywordQuery,
    LinkedPage,
    ObjectInfo,
    RefreshRequest,
    TrashAnswer,
    TrashRequest,
)
from skyshelf.wire.resources.session import LoginAnswer

_SEEN: Final = Origin.OTHER_CLIENTS

SHORT_DEFAULT_VIEW: Final = replace(
    objects.DEFAULT_VIEW, name="short_default_view", path="/nms/metadata/defaultview", origin=_SEEN
)
CATEGORY: Final = Endpoint(
    name="category",
    host=Host.METADATA,
    method="GET",
    path="/nms/metadata/mimetype/myfiles/v1",
    summary="All files of one kind: photos, videos, documents, audio or others.",
    query=CategoryQuery,
    answers={200: json_answer(LinkedPage)},
    errors=(errors.BAD_CURSOR,),
    origin=_SEEN,
)
OBJECT_INFO: Final = Endpoint(
    name="object_info",
    host=Host.METADATA,
    method="GET",
    path="/nms/metadata/info/{object_key}",
    summary="One object.",
    answers={200: json_answer(ObjectInfo)},
    errors=(errors.OBJECT_NOT_FOUND,),
    origin=_SEEN,
)
KEYWORD: Final = Endpoint(
    name="keyword",
    host=Host.METADATA,
    method="GET",
    path="/ase/search/keyword",
    summary="Finds objects by words in their names, best match first.",
    query=KeywordQuery,
    answers={200: json_answer(LinkedPage)},
    errors=(errors.BAD_CURSOR,),
    origin=_SEEN,
)
FLAT_BATCH: Final = replace(
    objects.BATCH,
    name="flat_batch",
    path="/nms/metadata",
    summary="The batch call with flat entries; FRN is a rename.",
    body=FlatBatchRequest,
    answers={200: json_answer(FlatBatchAnswer)},
    origin=_SEEN,
)
TRASH_OBJECTS: Final = Endpoint(
    name="trash_objects",
    host=Host.METADATA,
    method="PUT",
    path="/nms/metadata/trash",
    summary="Moves objects to the trash; each is moved or refused separately.",
    body=TrashRequest,
    body_kind=BodyKind.JSON,
    answers={200: json_answer(TrashAnswer)},
    errors=(errors.OBJECT_NOT_FOUND, errors.ROOT_FIXED),
    repeats_safely=True,
    origin=_SEEN,
)
BOARD_ADDITION: Final = replace(
    boards.ADD_TO_BOARD,
    name="board_addition",
    path="/boards/{board_key}/addition",
    body=AdditionRequest,
    answers={200: json_answer(AdditionAnswer)},
    required_headers=BOARDS_HEADERS,
    origin=_SEEN,
)
REFRESH: Final = Endpoint(
    name="refresh_token",
    host=Host.ACCOUNT,
    method="POST",
    path="/account/token/refresh",
    summary="Renews a session: a new token at once, and the old one stops working after a minute.",
    body=RefreshRequest,
    body_kind=BodyKind.JSON,
    answers={200: json_answer(LoginAnswer)},
    access=Access.PUBLIC,
    required_headers=(),
    errors=(errors.SESSION_INVALID,),
    repeats_safely=True,
    origin=_SEEN,
)
REFRESH_BY_PUT: Final = replace(REFRESH, name="refresh_token_by_put", method="PUT")
SHORT_DOWNLOAD: Final = replace(downloads.DOWNLOAD, name="short_download", path="/download/{object_key}", origin=_SEEN)
METADATA_DOWNLOAD: Final = replace(
    downloads.DOWNLOAD, name="metadata_download", path="/nms/metadata/download/{object_key}", origin=_SEEN
)

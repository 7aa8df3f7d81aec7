"""Share links: creating and visiting them, and extensions to manage them."""

from typing import Final

from skyshelf.wire import error_codes as errors
from skyshelf.wire.endpoint import EMPTY, HTML, Access, BodyKind, Endpoint, Host, Origin, json_answer
from skyshelf.wire.resources.shares import (
    GuestFiles,
    NewBoardShareRequest,
    NewShareRequest,
    OwnShare,
    OwnShares,
    ShareEditRequest,
    ShareLink,
    SharePageQuery,
    ShareRequest,
    SharesQuery,
)

OWN_SHARES: Final = Endpoint(
    name="own_shares",
    host=Host.METADATA,
    method="GET",
    path="/x/v1/shares",
    summary="The user's share links, newest first, including expired and used up ones.",
    query=SharesQuery,
    answers={200: json_answer(OwnShares)},
    errors=(errors.BAD_CURSOR,),
    origin=Origin.COMPLETIONS,
)
ADD_SHARE: Final = Endpoint(
    name="add_share",
    needs_space=True,
    host=Host.METADATA,
    method="POST",
    path="/x/v1/shares",
    summary="Creates a public link, to look at objects or to send files into a folder, with optional limits.",
    body=NewShareRequest,
    body_kind=BodyKind.JSON,
    answers={201: json_answer(OwnShare)},
    errors=(
        errors.BAD_KEY,
        errors.OBJECT_NOT_FOUND,
        errors.FOLDER_EXPECTED,
    ),
    origin=Origin.COMPLETIONS,
)
BOARD_SHARES: Final = Endpoint(
    name="board_shares",
    host=Host.METADATA,
    method="GET",
    path="/x/v1/boards/{board_key}/shares",
    summary="The user's public links to a board, newest first.",
    query=SharesQuery,
    answers={200: json_answer(OwnShares)},
    errors=(errors.BOARD_NOT_FOUND, errors.BAD_CURSOR),
    origin=Origin.COMPLETIONS,
)
ADD_BOARD_SHARE: Final = Endpoint(
    name="add_board_share",
    needs_space=True,
    host=Host.METADATA,
    method="POST",
    path="/x/v1/boards/{board_key}/shares",
    summary="Creates a public link to a board that the user owns, with optional limits.",
    body=NewBoardShareRequest,
    body_kind=BodyKind.JSON,
    answers={201: json_answer(OwnShare)},
    errors=(errors.BOARD_NOT_FOUND, errors.FORBIDDEN),
    origin=Origin.COMPLETIONS,
)
BOARD_GUEST_FILES: Final = Endpoint(
    name="board_guest_files",
    host=Host.METADATA,
    method="GET",
    path="/x/v1/boards/{board_key}/guest-files",
    summary="Who added which files to a board without an account: the newest 1,000.",
    answers={200: json_answer(GuestFiles)},
    errors=(errors.BOARD_NOT_FOUND,),
    origin=Origin.COMPLETIONS,
)
OWN_SHARE: Final = Endpoint(
    name="own_share",
    host=Host.METADATA,
    method="GET",
    path="/x/v1/shares/{share_key}",
    summary="One of the user's share links.",
    answers={200: json_answer(OwnShare)},
    errors=(errors.SHARE_NOT_FOUND,),
    origin=Origin.COMPLETIONS,
)
EDIT_SHARE: Final = Endpoint(
    name="edit_share",
    host=Host.METADATA,
    method="PUT",
    path="/x/v1/shares/{share_key}",
    summary="Changes a share link's name, rights, expiry, password or limits.",
    body=ShareEditRequest,
    body_kind=BodyKind.JSON,
    answers={200: json_answer(OwnShare)},
    errors=(errors.SHARE_NOT_FOUND,),
    repeats_safely=True,
    origin=Origin.COMPLETIONS,
)
REVOKE_SHARE: Final = Endpoint(
    name="revoke_share",
    host=Host.METADATA,
    method="DELETE",
    path="/x/v1/shares/{share_key}",
    summary="Revokes a share link.",
    answers={204: EMPTY},
    errors=(errors.SHARE_NOT_FOUND,),
    origin=Origin.COMPLETIONS,
)


# Links of the interface.

CREATE_SHARE: Final = Endpoint(
    name="create_share",
    needs_space=True,
    host=Host.METADATA,
    method="POST",
    path="/share/ulinks",
    summary="Creates a public link to one or more objects.",
    body=ShareRequest,
    body_kind=BodyKind.JSON,
    answers={201: json_answer(ShareLink)},
    errors=(errors.BAD_KEY, errors.OBJECT_NOT_FOUND),
)
SHARE_PAGE: Final = Endpoint(
    name="share_page",
    host=Host.SHARE,
    method="GET",
    path="/l/",
    summary="A share link's public page.",
    query=SharePageQuery,
    answers={200: HTML},
    access=Access.PUBLIC,
    required_headers=(),
    errors=(errors.SHARE_NOT_FOUND,),
    head=True,
    origin=Origin.COMPLETIONS,
)

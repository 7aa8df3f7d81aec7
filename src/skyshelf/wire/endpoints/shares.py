"""Share links: creating and visiting them, and extensions to manage them."""

from typing import Final

from skyshelf.wire import error_codes as errors
from skyshelf.wire.endpoint import HTML, Access, Group, Host, Origin
from skyshelf.wire.resources import shares

_SHARES: Final = Group(host=Host.METADATA, path="/x/v1/shares", origin=Origin.COMPLETIONS)
_BOARD_LINKS: Final = Group(host=Host.METADATA, path="/x/v1/boards/{board_key}", origin=Origin.COMPLETIONS)
_INTERFACE: Final = Group(host=Host.METADATA)
_PAGE: Final = Group(host=Host.SHARE, origin=Origin.COMPLETIONS, access=Access.PUBLIC, required_headers=())

OWN_SHARES: Final = _SHARES.call(
    "GET",
    "The user's share links, newest first, including expired and used up ones.",
    query=shares.SharesQuery,
    answer=shares.OwnShares,
    must_have="shares",
)
ADD_SHARE: Final = _SHARES.call(
    "POST",
    "Creates a public link, to look at objects or to send files into a folder, with optional limits.",
    body=shares.NewShareRequest,
    created=shares.OwnShare,
    must_have="shareKey",
    errors=(errors.OBJECT_NOT_FOUND, errors.FOLDER_EXPECTED),
)
BOARD_SHARES: Final = _BOARD_LINKS.call(
    "GET /shares",
    "The user's public links to a board, newest first.",
    query=shares.SharesQuery,
    answer=shares.OwnShares,
    must_have="shares",
)
ADD_BOARD_SHARE: Final = _BOARD_LINKS.call(
    "POST /shares",
    "Creates a public link to a board that the user owns, with optional limits.",
    body=shares.NewBoardShareRequest,
    created=shares.OwnShare,
    must_have="shareKey",
    errors=(errors.FORBIDDEN,),
)
BOARD_GUEST_FILES: Final = _BOARD_LINKS.call(
    "GET /guest-files",
    "Who added which files to a board without an account: the newest 1,000.",
    answer=shares.GuestFiles,
    must_have="guestFiles",
)
OWN_SHARE: Final = _SHARES.call(
    "GET /{share_key}", "One of the user's share links.", answer=shares.OwnShare, must_have="shareKey"
)
EDIT_SHARE: Final = _SHARES.call(
    "PUT /{share_key}",
    "Changes a share link's name, rights, expiry, password or limits.",
    body=shares.ShareEditRequest,
    answer=shares.OwnShare,
    must_have="shareKey",
    lowering_while_full=True,
)
REVOKE_SHARE: Final = _SHARES.call("DELETE /{share_key}", "Revokes a share link.")


# Links of the interface.

CREATE_SHARE: Final = _INTERFACE.call(
    "POST /share/ulinks",
    "Creates a public link to one or more objects.",
    body=shares.ShareRequest,
    created=shares.ShareLink,
    must_have="shareURL",
    errors=(errors.BAD_KEY, errors.OBJECT_NOT_FOUND),
)
SHARE_PAGE: Final = _PAGE.call(
    "GET /l/",
    "A share link's public page.",
    query=shares.SharePageQuery,
    answers={200: HTML},
    errors=(errors.SHARE_NOT_FOUND,),
    head=True,
)

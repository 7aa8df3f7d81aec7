"""Beyond the interface: the links that one has made."""

from typing import Final

from skyshelf.wire import error_codes as errors
from skyshelf.wire.endpoint import EMPTY, HTML, Access, BodyKind, Endpoint, Host, Origin, json_answer
from skyshelf.wire.resources.shares import (
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
    summary="The share links of the user, newest first, expired and used up ones too.",
    query=SharesQuery,
    answers={200: json_answer(OwnShares)},
    errors=(errors.BAD_CURSOR,),
    origin=Origin.COMPLETIONS,
)
ADD_SHARE: Final = Endpoint(
    name="add_share",
    host=Host.METADATA,
    method="POST",
    path="/x/v1/shares",
    summary="Creates a public link that may have an end, a password and a number of downloads.",
    body=NewShareRequest,
    body_kind=BodyKind.JSON,
    answers={201: json_answer(OwnShare)},
    errors=(errors.BAD_KEY, errors.OBJECT_NOT_FOUND),
    origin=Origin.COMPLETIONS,
)
OWN_SHARE: Final = Endpoint(
    name="own_share",
    host=Host.METADATA,
    method="GET",
    path="/x/v1/shares/{share_key}",
    summary="One share link of the user.",
    answers={200: json_answer(OwnShare)},
    errors=(errors.SHARE_NOT_FOUND,),
    origin=Origin.COMPLETIONS,
)
EDIT_SHARE: Final = Endpoint(
    name="edit_share",
    host=Host.METADATA,
    method="PUT",
    path="/x/v1/shares/{share_key}",
    summary="Changes the name, the end, the password or the number of downloads of a share link.",
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
    summary="Ends a share link for good.",
    answers={204: EMPTY},
    errors=(errors.SHARE_NOT_FOUND,),
    origin=Origin.COMPLETIONS,
)


# Public share links.

CREATE_SHARE: Final = Endpoint(
    name="create_share",
    host=Host.METADATA,
    method="POST",
    path="/share/ulinks",
    summary="Creates a public link to one or several objects.",
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
    summary="The public page of a share link.",
    query=SharePageQuery,
    answers={200: HTML},
    access=Access.PUBLIC,
    required_headers=(),
    errors=(errors.SHARE_NOT_FOUND,),
    head=True,
    origin=Origin.COMPLETIONS,
)

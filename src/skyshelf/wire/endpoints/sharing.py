"""Public share links."""

from typing import Final

from skyshelf.wire import error_codes as errors
from skyshelf.wire.endpoint import HTML, Access, BodyKind, Endpoint, Host, Origin, json_answer
from skyshelf.wire.sharing import ShareLink, SharePageQuery, ShareRequest

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

ENDPOINTS: Final = (
    CREATE_SHARE,
    SHARE_PAGE,
)

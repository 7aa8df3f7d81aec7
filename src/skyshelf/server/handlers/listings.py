"""Listings of folders, and 304 for a client that has the newest page already."""

from functools import partial
from typing import Final

from starlette.responses import Response

from skyshelf.server.http.call import Call, Handler, NotAtOnce
from skyshelf.server.http.ranges import is_named
from skyshelf.service.files import listings
from skyshelf.wire.headers import JSON_UTF8


def _listing(call: Call, *, at_once: bool = False) -> Response:
    asked = call.headers.if_none_match
    if at_once and asked is None:
        raise NotAtOnce

    def is_known(tag: str) -> bool:
        if at_once and not is_named(_quoted(tag), asked):
            raise NotAtOnce  # a page takes a while to read
        return is_named(_quoted(tag), asked)

    found = listings.folder_listing(call.ctx, call.caller, call.query, call.origin, call.path, is_known=is_known)
    # Not stored by browsers: the names of files must not outlast a session on a computer that others use.
    headers = {"etag": f"W/{_quoted(found.tag)}", "cache-control": "no-store"}
    if found.page is None:
        return Response(status_code=304, headers=headers)
    return Response(found.page, call.endpoint.success, {"content-type": JSON_UTF8, **headers})


def _quoted(tag: str) -> str:
    return f'"{tag}"'


HANDLER: Final = Handler(_listing, at_once=partial(_listing, at_once=True))

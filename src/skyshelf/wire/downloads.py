"""Downloads of originals and thumbnails: their queries and headers."""

from typing import Annotated, Literal

from msgspec import Meta, field

from skyshelf.wire.bases import HeaderModel, QueryModel

Version = Annotated[int, Meta(ge=1, le=2**31 - 1)]


class DownloadQuery(QueryModel, frozen=True, kw_only=True):
    """Which version; the nonce stands in for a session and is checked like one, so that its form is free."""

    version: Version | None = None
    nonce: str | None = None


class ThumbnailQuery(QueryModel, frozen=True, kw_only=True):
    """How large; and of which content, which whoever names it may keep for good."""

    # The sizes of limits.THUMBNAIL_SIZES; a Literal cannot refer to them, and a test holds both together.
    size: Literal[256, 512, 1080] = 512
    # The `hash` of the object as the client knows it. Free in form: another one is no error, but not kept.
    of: str | None = None
    nonce: str | None = None


class DownloadHeaders(HeaderModel, frozen=True, kw_only=True):
    """Ranges and conditions, as text: HTTP says that malformed ones are ignored and not refused."""

    range: str | None = field(default=None, name="Range")
    if_range: str | None = field(default=None, name="If-Range")
    if_none_match: str | None = field(default=None, name="If-None-Match")
    if_modified_since: str | None = field(default=None, name="If-Modified-Since")


class ThumbnailHeaders(HeaderModel, frozen=True, kw_only=True):
    """Which picture format the client can show, and which thumbnail it has already."""

    accept: str | None = field(default=None, name="Accept")
    if_none_match: str | None = field(default=None, name="If-None-Match")

"""Public share links."""

from typing import Annotated, ClassVar, Literal

from msgspec import Meta, field
from msgspec.structs import force_setattr

from skyshelf.wire.bases import AnswerModel, Label, QueryModel, RequestModel
from skyshelf.wire.keys import Key, clean_key
from skyshelf.wire.limits import JSON_BODY_BYTES_MAX, SHARED_OBJECTS_MAX

ShareType = Literal["L"]


def link() -> ShareType:
    """A factory, so that the default is sent; see RequestModel."""
    return "L"


class SharedObject(RequestModel, frozen=True, kw_only=True):
    """One object of a link."""

    object_key: Key

    def __post_init__(self) -> None:
        force_setattr(self, "object_key", clean_key(self.object_key))


class ShareRequest(RequestModel, frozen=True, kw_only=True):
    """The link to make; `shareName` is usually the moment, as in `06May2024_070809`."""

    max_bytes: ClassVar[int] = JSON_BODY_BYTES_MAX

    objects: Annotated[list[SharedObject], Meta(min_length=1, max_length=SHARED_OBJECTS_MAX)]
    share_name: Label
    share_type: ShareType = field(default_factory=link)


class ShareLink(AnswerModel, frozen=True, kw_only=True):
    """The link that was made."""

    share_url: str | None = field(default=None, name="shareURL")

    @property
    def token(self) -> str | None:
        """The link nonce: the `u` parameter of the URL."""
        from urllib.parse import parse_qs, urlsplit

        values = parse_qs(urlsplit(self.share_url or "").query).get("u")
        return values[0] if values else None


class SharePageQuery(QueryModel, frozen=True, kw_only=True):
    """Which share a visitor wants to see; no token is answered like an unknown one."""

    u: str = ""

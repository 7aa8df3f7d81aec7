"""Downloads of originals and thumbnails: their queries and headers."""

from typing import Annotated, Final, Literal

from msgspec import Meta, field
from msgspec.structs import force_setattr

from skyshelf.wire.keys import clean_key
from skyshelf.wire.limits import CONTENTS_KEYS_MAX
from skyshelf.wire.models import AnswerModel, HeaderModel, QueryModel

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


# Many small contents in one answer.

_KEY_CHARS: Final = 32

HEAD_BYTES_MAX: Final = 1024
"""What the line before a content can have; a reader that finds no end of it reads something else."""


class ContentsQuery(QueryModel, frozen=True, kw_only=True):
    """Whose contents, by keys with commas between them."""

    object_keys: Annotated[
        str,
        Meta(
            min_length=_KEY_CHARS,
            max_length=CONTENTS_KEYS_MAX * (_KEY_CHARS + 1) - 1,
            description=f"1 to {CONTENTS_KEYS_MAX} keys of files, with commas between them",
        ),
    ]

    def __post_init__(self) -> None:
        force_setattr(self, "object_keys", ",".join(map(clean_key, self.object_keys.split(","))))

    @property
    def keys(self) -> list[str]:
        """The keys one by one."""
        return self.object_keys.split(",")


class ContentHead(AnswerModel, frozen=True, kw_only=True):
    """What comes next: so many bytes of that MD5; or, with an `errorCode`, nothing, and why."""

    object_key: str
    size_in_bytes: int | None = None
    hash: str | None = None
    error_code: str | None = None
    error_message: str | None = None

"""The base classes of all models, and annotations for their fields."""

from typing import Annotated, ClassVar, Final

from msgspec import Meta, Struct

from skyshelf.wire.error_codes import INVALID_REQUEST, NOT_JSON, ErrorCode
from skyshelf.wire.limits import (
    JSON_BODY_BYTES_DEFAULT,
    LABEL_CHARS_MAX,
    LISTING_LIMIT_DEFAULT,
    LISTING_LIMIT_MAX,
    LOGIN_CODE_CHARS_MAX,
    PAGE_INDEX_MAX,
    SOURCE_NAME_CHARS_MAX,
    TIME_MS_MAX,
)


class AnswerModel(Struct, frozen=True, kw_only=True, omit_defaults=True, rename="camel"):
    """A server's response, used by both sides.

    Every field but the identifying key is None unless set: a client accepts absence and null, and a server sends every
    value that it sets, including False and 0.
    """


class RequestModel(Struct, frozen=True, kw_only=True, omit_defaults=True, rename="camel"):
    """A JSON body that a client sends; unknown fields are ignored.

    A default that must be sent comes from a factory, because `omit_defaults` does not omit those.
    """

    refused_with: ClassVar[ErrorCode] = INVALID_REQUEST
    not_json_with: ClassVar[ErrorCode] = NOT_JSON
    max_bytes: ClassVar[int] = JSON_BODY_BYTES_DEFAULT
    may_be_absent: ClassVar[bool] = False


class ParameterModel(Struct, frozen=True, kw_only=True):
    """Queries and headers, which arrive as separate texts."""


class QueryModel(ParameterModel, frozen=True, kw_only=True, rename="camel"):
    """The parameters of a query string; unknown ones are ignored."""


class HeaderModel(ParameterModel, frozen=True, kw_only=True):
    """An endpoint's additional headers; every field names its header."""


class RefusedWith:
    """Marks a query or header field with its own error code for a missing or bad value."""

    __slots__ = ("error",)

    def __init__(self, error: ErrorCode) -> None:
        self.error = error


class _Signed:
    """Marks a signed sort order: a raw `+` in a query string arrives as a space, and both mean ascending."""


class _AnyCase:
    """Marks a choice of a query whose letters may be of either case."""


SIGNED: Final = _Signed()
ANY_CASE: Final = _AnyCase()

PageIndex = Annotated[int, Meta(ge=0, le=PAGE_INDEX_MAX)]
PageLimit = Annotated[int, Meta(ge=1, le=LISTING_LIMIT_MAX)]
# No NUL: databases cannot store it in text.
PLAIN_TEXT: Final = r"^[^\x00]*$"
Label = Annotated[str, Meta(min_length=1, max_length=LABEL_CHARS_MAX, pattern=PLAIN_TEXT)]
Identifier = Annotated[str, Meta(min_length=1, max_length=SOURCE_NAME_CHARS_MAX, pattern=PLAIN_TEXT)]
LoginCode = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=LOGIN_CODE_CHARS_MAX,
        description="six digits from the authenticator app, or a recovery code; spaces, hyphens and case are ignored",
    ),
]
EpochMs = Annotated[int, Meta(ge=0, le=TIME_MS_MAX, description="epoch milliseconds, UTC")]


class PagedQuery(QueryModel, frozen=True, kw_only=True):
    """A page of a list."""

    page: PageIndex = 0
    limit: PageLimit = LISTING_LIMIT_DEFAULT


def sort_parts(sort: str) -> tuple[str, bool]:
    """The field of a signed sort order, and whether it descends."""
    return sort[1:], sort[0] == "-"

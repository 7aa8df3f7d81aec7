"""The base classes of all models, and annotations for their fields."""

from collections.abc import Callable
from functools import cache
from typing import Annotated, ClassVar, Final, get_args

from msgspec import Meta, Struct
from msgspec.structs import fields, force_setattr

from skyshelf.wire import limits
from skyshelf.wire.error_codes import INVALID_REQUEST, NOT_JSON, ErrorCode
from skyshelf.wire.keys import Key, clean_key


class AnswerModel(Struct, frozen=True, kw_only=True, omit_defaults=True, rename="camel"):
    """A server's response, used by both sides.

    Every field but the identifying key is None unless set: a client accepts absence and null, and a server sends every
    value that it sets, including False and 0.
    """


class _InputModel(Struct, frozen=True, kw_only=True):
    """What a client sends. Fields of the type Key are checked, and stored in upper case."""

    key_names: ClassVar[tuple[str, ...]] = ()
    """The fields that hold keys, for which a request can be refused with BAD_KEY."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        keys = [name for name, annotation in cls.__annotations__.items() if _has_keys(annotation)]
        if keys:
            cls.key_names = (*cls.key_names, *keys)
            own_check: Callable[[Struct], None] | None = getattr(cls, "__post_init__", None)

            def check(model: Struct) -> None:
                if own_check is not None:
                    own_check(model)
                _clean_keys(model, *keys)

            cls.__post_init__ = check  # type: ignore[attr-defined]


def _has_keys(annotation: object) -> bool:
    """Return whether a field holds a key, several of them, or None."""
    return annotation == Key or any(map(_has_keys, get_args(annotation)))


class RequestModel(_InputModel, frozen=True, kw_only=True, omit_defaults=True, rename="camel"):
    """A JSON body that a client sends; unknown fields are ignored.

    A default that must be sent comes from a factory, because `omit_defaults` does not omit those.
    """

    refused_with: ClassVar[ErrorCode] = INVALID_REQUEST
    not_json_with: ClassVar[ErrorCode] = NOT_JSON
    max_bytes: ClassVar[int] = limits.JSON_BODY_BYTES_DEFAULT
    may_be_absent: ClassVar[bool] = False


class ParameterModel(_InputModel, frozen=True, kw_only=True):
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


class _Mark:
    """Says how the text of a field is read."""


SIGNED: Final = _Mark()
"""A signed sort order: a raw `+` in a query string arrives as a space, and both mean ascending."""
ANY_CASE: Final = _Mark()
"""A choice in a query that ignores case."""

PageIndex = Annotated[int, Meta(ge=0, le=limits.PAGE_INDEX_MAX)]
PageLimit = Annotated[int, Meta(ge=1, le=limits.LISTING_LIMIT_MAX)]
# No NUL: databases cannot store it in text.
PLAIN_TEXT: Final = r"^[^\x00]*$"
Label = Annotated[str, Meta(min_length=1, max_length=limits.LABEL_CHARS_MAX, pattern=PLAIN_TEXT)]
Identifier = Annotated[str, Meta(min_length=1, max_length=limits.SOURCE_NAME_CHARS_MAX, pattern=PLAIN_TEXT)]
Email = Annotated[str, Meta(min_length=1, max_length=limits.EMAIL_CHARS_MAX, pattern=PLAIN_TEXT)]
Password = Annotated[str, Meta(min_length=1, max_length=limits.PASSWORD_CHARS_MAX)]
LoginCode = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=limits.LOGIN_CODE_CHARS_MAX,
        description="six digits from the authenticator app, or a recovery code; spaces, hyphens and case are ignored",
    ),
]
EpochMs = Annotated[int, Meta(ge=0, le=limits.TIME_MS_MAX, description="epoch milliseconds, UTC")]


class PagedQuery(QueryModel, frozen=True, kw_only=True):
    """A page of a list."""

    page: PageIndex = 0
    limit: PageLimit = limits.LISTING_LIMIT_DEFAULT


def _clean_keys(model: Struct, *names: str) -> None:
    """Check the keys in these fields of a new model, and store them in upper case; a field may hold a list, or None."""
    for name in names:
        value = getattr(model, name)
        if value is not None:
            force_setattr(model, name, clean_key(value) if isinstance(value, str) else [*map(clean_key, value)])


def hiding(*secrets: str, shown: tuple[str, ...] = ()) -> Callable[[Struct], str]:
    """Return a `__repr__` for models with secrets, so that none gets into a log or a traceback."""

    def represent(model: Struct) -> str:
        fields = [*(f"{name}={getattr(model, name)!r}" for name in shown), *(f"{name}=<hidden>" for name in secrets)]
        return f"{type(model).__name__}({', '.join(fields) or '<hidden>'})"

    return represent


def sort_parts(sort: str) -> tuple[str, bool]:
    """Return the field of a signed sort order, and whether it descends."""
    return sort[1:], sort[0] == "-"


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


@cache
def _names(model: type[ParameterModel]) -> tuple[tuple[str, str], ...]:
    """Return the wire name and attribute name of each field; cached, because the lookup is slow."""
    return tuple((field.encode_name, field.name) for field in fields(model))


def parameters(model: ParameterModel) -> dict[str, str]:
    """Return the texts of a query, not yet percent-encoded, or of additional headers; None is omitted."""
    values = ((wire_name, getattr(model, name)) for wire_name, name in _names(type(model)))
    return {wire_name: _text(value) for wire_name, value in values if value is not None}

"""Projections: records with a few readable fields, each filled from an attribute of another object.

The declaration says everything: a field is read from the attribute of its own name, unless `From` names another one.
"""

from collections.abc import Callable
from functools import cache
from operator import attrgetter
from typing import Annotated, Any, Final, NamedTuple, Self, TypeAlias, get_args, get_origin

from msgspec import Struct
from msgspec.structs import fields

from skyshelf.wire.times import to_rfc3339


class From(NamedTuple):
    """Where a field comes from: an attribute, `a.b` for that of an inner object, or a function of the whole source."""

    source: str | Callable[[Any], object]


class _Rfc3339:
    """Marks a time, which resources have in epoch milliseconds."""


Time: TypeAlias = Annotated[str | None, _Rfc3339()]
"""An RFC 3339 time in UTC; the field `created` is read from `created_date`."""

# What stands for a missing value in a field that cannot be null.
_WITHOUT_NULL: Final[dict[object, Callable[[Any], object]]] = {
    bool: bool,
    int: lambda value: value or 0,
    str: lambda value: value or "",
    list: lambda value: value or [],
}


class Projection(Struct, frozen=True):
    """Base of the records that the command line prints as JSON and that tools return."""

    @classmethod
    def of(cls, source: object, **given: Any) -> Self:
        """Read all fields from the source, except those that are given."""
        return cls(**{name: read(source) for name, read in _readers(cls) if name not in given}, **given)


def utc_time(ms: int | None) -> str | None:
    """A time for programs, RFC 3339 in UTC; None for None, and for a time outside the calendar."""
    try:
        return None if ms is None else to_rfc3339(ms)
    except ValueError:
        return None


@cache
def _readers(kind: type[Projection]) -> tuple[tuple[str, Callable[[Any], object]], ...]:
    return tuple((field.name, _reader(field.name, field.type)) for field in fields(kind))


def _reader(name: str, annotation: Any) -> Callable[[Any], object]:
    type_, *notes = get_args(annotation) if get_origin(annotation) is Annotated else (annotation,)
    is_time = any(isinstance(note, _Rfc3339) for note in notes)
    source = next((note.source for note in notes if isinstance(note, From)), f"{name}_date" if is_time else name)
    if callable(source):
        return source
    convert = utc_time if is_time else _converter(type_)
    outer, _, inner = source.partition(".")
    read = _inner_reader(attrgetter(outer), attrgetter(inner)) if inner else attrgetter(outer)
    return read if convert is None else lambda value: convert(read(value))


def _inner_reader(outer: Callable[[Any], Any], inner: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Read an attribute of an inner object; None where there is no such object."""
    return lambda value: None if (found := outer(value)) is None else inner(found)


def _converter(type_: Any) -> Callable[[Any], object] | None:
    inner = get_args(type_)[0] if get_origin(type_) is list else None
    if isinstance(inner, type) and issubclass(inner, Projection):
        return lambda values: [inner.of(value) for value in values or ()]
    return _WITHOUT_NULL.get(get_origin(type_) or type_)

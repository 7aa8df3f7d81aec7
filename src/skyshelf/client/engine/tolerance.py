"""Reading values that other servers send in another type: numbers as text or as floats, booleans as 0 and 1, nulls.

It is the second attempt, after the strict decoder has refused a body. A value that cannot be read becomes the field's
default, so that one odd field does not hide a folder. A list that is not a list stays an error: reading it as empty
would hide everything in it. So does a null among records that have a key: it stands for one, and hides it.
"""

from collections.abc import Callable
from functools import cache, partial
from math import isfinite
from typing import Any, Final, TypeVar

from msgspec import Raw, ValidationError, convert, inspect, json

from skyshelf.wire.resources.account import BannerCard, Promotion
from skyshelf.wire.resources.contacts import Contact, ContactEmail, ContactMailbox, ContactPhone
from skyshelf.wire.resources.feeds import ManualTag, Spotlight

_Model = TypeVar("_Model")
_Reader = Callable[[Any], Any]

_YES: Final = frozenset({"true", "1", "y", "yes"})
_NO: Final = frozenset({"false", "0", "n", "no", ""})


def read_tolerantly(model: type[_Model], body: bytes) -> _Model:
    """Read the model in a body, with values of other types where their meaning is clear; else ValidationError."""
    found: _Model = _reader(model)(json.decode(body))
    return found


_NAMES: Final[dict[type, str]] = {
    BannerCard: "title",
    Contact: "displayName",
    ContactEmail: "emailId",
    ContactMailbox: "emailId",
    ContactPhone: "number",
    ManualTag: "tagName",
    Promotion: "name",
    Spotlight: "title",
}
"""Records whose fields the interface does not show, and the field that is meant where a server sends one text alone."""

_READERS: Final[dict[Any, _Reader]] = {}


def _reader(model: Any) -> _Reader:
    if model not in _READERS:
        kind = inspect.type_info(model)
        _READERS[model] = _struct(kind, is_inner=False) if isinstance(kind, inspect.StructType) else _of(kind)
    return _READERS[model]


def _of(kind: inspect.Type) -> _Reader:
    simple = _SIMPLE.get(type(kind))
    if simple is not None:
        return simple
    if isinstance(kind, inspect.StructType):
        return partial(_read_inner, kind.cls)
    if isinstance(kind, inspect.ListType):
        return _list(_of(kind.item_type), has_nulls=not _is_identified(kind.item_type))
    if isinstance(kind, inspect.DictType):
        return _mapping(_of(kind.value_type))
    if isinstance(kind, inspect.UnionType):
        return _union([_of(one) for one in kind.types if not isinstance(one, inspect.NoneType)])
    return _exact(kind)


def _read_inner(cls: Any, value: Any) -> Any:
    """Read a struct in another one. Its reader is made when it is first needed: structs can contain themselves."""
    name = _NAMES.get(cls)
    return _inner_reader(cls)(value if name is None or isinstance(value, dict) else {name: _text(value)})


@cache
def _inner_reader(cls: Any) -> _Reader:
    kind = inspect.type_info(cls)
    assert isinstance(kind, inspect.StructType)
    return _struct(kind, is_inner=True)


def _struct(kind: inspect.StructType, *, is_inner: bool) -> _Reader:
    readers = [(field, _of(field.type), _is_list(field.type)) for field in kind.fields]

    def read(value: Any) -> Any:
        if not isinstance(value, dict):
            raise ValidationError(f"expected an object, got {type(value).__name__}")
        if is_inner and not any(field.encode_name in value for field, _, _ in readers):
            raise ValidationError("an object without a known field")
        fields = {}
        for field, reader, is_list in readers:
            given = value.get(field.encode_name)
            if given is not None:
                try:
                    fields[field.name] = reader(given)
                    continue
                except ValidationError:
                    if is_list and not is_inner:
                        raise
            if field.required:
                # A list entry is kept without its key; a response without its required fields is not valid.
                if not is_inner:
                    raise ValidationError(f"{field.encode_name} is missing")
                fields[field.name] = _nothing(field.type)
        return kind.cls(**fields)

    return read


def _is_list(kind: inspect.Type) -> bool:
    kinds = kind.types if isinstance(kind, inspect.UnionType) else (kind,)
    return any(isinstance(one, inspect.ListType) for one in kinds)


def _nothing(kind: inspect.Type) -> Any:
    if isinstance(kind, inspect.StrType):
        return ""
    if isinstance(kind, inspect.IntType | inspect.FloatType):
        return 0
    return False if isinstance(kind, inspect.BoolType) else None


def _is_identified(kind: inspect.Type) -> bool:
    """Whether records have a field that each of them must have, such as its key."""
    if not isinstance(kind, inspect.StructType):
        return False
    described = inspect.type_info(kind.cls)
    return isinstance(described, inspect.StructType) and any(field.required for field in described.fields)


def _list(reader: _Reader, *, has_nulls: bool) -> _Reader:
    def read(value: Any) -> Any:
        if not isinstance(value, list):
            raise ValidationError(f"expected a list, got {type(value).__name__}")
        found = []
        for one in value:
            try:
                found.append(reader(one))
            except ValidationError:
                if one is not None or not has_nulls:
                    raise
        return found

    return read


def _mapping(reader: _Reader) -> _Reader:
    def read(value: Any) -> Any:
        if not isinstance(value, dict):
            raise ValidationError(f"expected an object, got {type(value).__name__}")
        found = {}
        for name, one in value.items():
            try:
                found[name] = reader(one)
            except ValidationError:
                continue
        return found

    return read


def _union(readers: list[_Reader]) -> _Reader:
    def read(value: Any) -> Any:
        for reader in readers:
            try:
                return reader(value)
            except ValidationError:
                continue
        raise ValidationError("of no known type")

    return read


def _exact(kind: inspect.Type) -> _Reader:
    """Make a reader for types with a fixed set of values, and for all others."""
    values = kind.values if isinstance(kind, inspect.LiteralType) else None

    def read(value: Any) -> Any:
        if values is not None and value not in values:
            raise ValidationError("of no known value")
        return convert(value, kind.cls) if isinstance(kind, inspect.EnumType) else value

    return read


def _integer(value: Any) -> int:
    if isinstance(value, int):
        return int(value)
    if isinstance(value, str):
        text = value.strip()
        if text.isascii() and text.removeprefix("-").isdigit() and len(text) < 30:
            return int(text)
    return int(_number(value))


def _number(value: Any) -> float:
    if isinstance(value, int | float | str):
        try:
            number = float(value)
        except (ValueError, OverflowError):
            number = float("nan")
        if isfinite(number):
            return number
    raise ValidationError("not a number")


def _boolean(value: Any) -> bool:
    if isinstance(value, bool):
        return value
    if isinstance(value, int | float) and value in (0, 1):
        return bool(value)
    if isinstance(value, str) and value.strip().lower() in _YES | _NO:
        return value.strip().lower() in _YES
    raise ValidationError("not a boolean")


def _text(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, int | float):
        return json.encode(value).decode()
    raise ValidationError("not text")


_SIMPLE: Final[dict[type, _Reader]] = {
    inspect.StrType: _text,
    inspect.IntType: _integer,
    inspect.FloatType: _number,
    inspect.BoolType: _boolean,
    inspect.RawType: lambda value: Raw(json.encode(value)),
    inspect.AnyType: lambda value: value,
}

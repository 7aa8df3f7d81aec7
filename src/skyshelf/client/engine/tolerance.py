"""Reading values that other servers send in another type: numbers as text or as floats, booleans as 0 and 1, nulls.

It is the second attempt, after the strict decoder has refused a body. A value that cannot be read becomes the field's
default, so that one odd field does not hide a folder. A list that is not a list stays an error: reading it as empty
would hide everything in it.
"""

from collections.abc import Callable
from functools import cache
from math import isfinite
from typing import Any, Final, TypeVar

from msgspec import Raw, ValidationError, convert, inspect, json

_Model = TypeVar("_Model")
_Reader = Callable[[Any], Any]

_YES: Final = frozenset({"true", "1", "y", "yes"})
_NO: Final = frozenset({"false", "0", "n", "no", ""})


class _UnreadableError(Exception):
    """A value that a type cannot hold."""


def read_tolerantly(model: type[_Model], body: bytes) -> _Model:
    """The model in a body, with values of other types where their meaning is clear; ValidationError otherwise."""
    try:
        found: _Model = _reader(model)(json.decode(body))
    except _UnreadableError as problem:
        raise ValidationError(str(problem)) from None
    return found


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
        return _inner_struct(kind.cls)
    if isinstance(kind, inspect.ListType):
        return _list(_of(kind.item_type))
    if isinstance(kind, inspect.DictType):
        return _mapping(_of(kind.value_type))
    if isinstance(kind, inspect.UnionType):
        return _union([_of(one) for one in kind.types if not isinstance(one, inspect.NoneType)])
    return _exact(kind)


@cache
def _inner_struct(cls: Any) -> _Reader:
    """Made when it is needed, because structs can contain themselves."""
    made: list[_Reader] = []

    def read(value: Any) -> Any:
        if not made:
            kind = inspect.type_info(cls)
            assert isinstance(kind, inspect.StructType)
            made.append(_struct(kind, is_inner=True))
        return made[0](value)

    return read


def _struct(kind: inspect.StructType, *, is_inner: bool) -> _Reader:
    readers = [(field, _of(field.type), _is_list(field.type)) for field in kind.fields]

    def read(value: Any) -> Any:
        if not isinstance(value, dict):
            raise _UnreadableError(f"expected an object, got {type(value).__name__}")
        if is_inner and not any(field.encode_name in value for field, _, _ in readers):
            raise _UnreadableError("an object without a known field")
        fields = {}
        for field, reader, is_list in readers:
            given = value.get(field.encode_name)
            if given is not None:
                try:
                    fields[field.name] = reader(given)
                    continue
                except _UnreadableError:
                    if is_list and not is_inner:
                        raise
            if field.required:
                # An entry of a list is kept without its key; a response that is nothing else is not one.
                if not is_inner:
                    raise _UnreadableError(f"{field.encode_name} is missing")
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


def _list(reader: _Reader) -> _Reader:
    def read(value: Any) -> Any:
        if not isinstance(value, list):
            raise _UnreadableError(f"expected a list, got {type(value).__name__}")
        found = []
        for one in value:
            try:
                found.append(reader(one))
            except _UnreadableError:
                if one is not None:
                    raise
        return found

    return read


def _mapping(reader: _Reader) -> _Reader:
    def read(value: Any) -> Any:
        if not isinstance(value, dict):
            raise _UnreadableError(f"expected an object, got {type(value).__name__}")
        found = {}
        for name, one in value.items():
            try:
                found[name] = reader(one)
            except _UnreadableError:
                continue
        return found

    return read


def _union(readers: list[_Reader]) -> _Reader:
    def read(value: Any) -> Any:
        for reader in readers:
            try:
                return reader(value)
            except _UnreadableError:
                continue
        raise _UnreadableError("of no known type")

    return read


def _exact(kind: inspect.Type) -> _Reader:
    """Types with a fixed set of values, and all others."""
    values = kind.values if isinstance(kind, inspect.LiteralType) else None

    def read(value: Any) -> Any:
        if values is not None and value not in values:
            raise _UnreadableError("of no known value")
        if isinstance(kind, inspect.EnumType):
            try:
                return convert(value, kind.cls)
            except ValidationError:
                raise _UnreadableError("of no known value") from None
        return value

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
    raise _UnreadableError("not a number")


def _boolean(value: Any) -> bool:
    if isinstance(value, bool):
        return value
    if isinstance(value, int | float) and value in (0, 1):
        return bool(value)
    if isinstance(value, str) and value.strip().lower() in _YES | _NO:
        return value.strip().lower() in _YES
    raise _UnreadableError("not a boolean")


def _text(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, int | float):
        return json.encode(value).decode()
    raise _UnreadableError("not text")


def _raw(value: Any) -> Raw:
    return Raw(json.encode(value))


def _anything(value: Any) -> Any:
    return value


_SIMPLE: Final[dict[type, _Reader]] = {
    inspect.StrType: _text,
    inspect.IntType: _integer,
    inspect.FloatType: _number,
    inspect.BoolType: _boolean,
    inspect.RawType: _raw,
    inspect.AnyType: _anything,
}

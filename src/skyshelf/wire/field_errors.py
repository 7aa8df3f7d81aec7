"""Explain what a field must be, generated from its type alone."""

import re
from typing import Final

from msgspec import ValidationError, inspect

from skyshelf.wire.models import PLAIN_TEXT

# Larger upper bounds are not mentioned.
_ENDLESS: Final = 2**53 - 1
_GOT: Final = {
    "int": "a whole number",
    "float": "a number with a fraction",
    "bool": "true or false",
    "str": "text",
    "array": "a list",
    "object": "an object",
    "null": "null",
}
_OTHERS: Final[dict[type[inspect.Type], str]] = {
    inspect.BoolType: "true or false",
    inspect.FloatType: "a number",
    inspect.NoneType: "null",
}
_PLACE: Final = " - at `$"
_MISSING: Final = re.compile(r"Object missing required field `(.*)`")
_PART_CHARS: Final = 400
_STEP: Final = re.compile(r"\.([^.\[]+)|(\[[^\]]*\])")


def must_be(annotation: object, *, or_null: bool = True) -> str:
    """What a value of the type is, to follow `must be`."""
    return _words(inspect.type_info(annotation), or_null=or_null)


def explained(model: object, wrong: ValidationError) -> str:
    """Why a JSON value does not fit the model: which field is wrong, and what it must be."""
    message = str(wrong)
    if len(message) > 2 * _PART_CHARS:
        # It quotes a long value. The field is named at the end, and these patterns are not made for long texts.
        message = f"{message[:_PART_CHARS]}…{message[-_PART_CHARS:]}"
    said, mark, path = message.rpartition(_PLACE)
    if not mark or not path.endswith("`"):
        said, path = message, ""
    path = path.removesuffix("`")
    name = path.removeprefix(".")
    if missing := _MISSING.fullmatch(said):
        return f"{name}.{missing[1]} is missing" if name else f"{missing[1]} is missing"
    wanted = _at(inspect.type_info(model), path)
    if wanted is None:
        return said
    got = re.search(r", got `(\w+)`$", said)
    instead = f", not {_GOT[got[1]]}" if got and got[1] in _GOT else ""
    return f"{name or 'The body'} must be {_words(wanted, or_null=True)}{instead}"


def _at(found: inspect.Type | None, path: str) -> inspect.Type | None:
    """The type at a path inside a type; None if it depends on the value."""
    for field, _ in _STEP.findall(path):
        found = _below(found, field)
    return found


def _below(found: inspect.Type | None, field: str) -> inspect.Type | None:
    """The type of a field, or of a list's entries if no field is named."""
    if isinstance(found, inspect.Metadata):
        return _below(found.type, field)
    if isinstance(found, inspect.UnionType):
        fitting = [below for one in found.types if (below := _below(one, field)) is not None]
        return fitting[0] if len(fitting) == 1 else None
    if isinstance(found, inspect.StructType):
        return next((one.type for one in found.fields if one.encode_name == field), None)
    if isinstance(found, inspect.ListType | inspect.VarTupleType) and not field:
        return found.item_type
    return found.value_type if isinstance(found, inspect.DictType) else None


def _words(found: inspect.Type, *, or_null: bool) -> str:
    if isinstance(found, inspect.Metadata):
        description = (found.extra_json_schema or {}).get("description")
        words = _words(found.type, or_null=or_null)
        return f"{words} ({description})" if description else words
    if isinstance(found, inspect.UnionType):
        types = [one for one in found.types if not isinstance(one, inspect.NoneType)]
        words = " or ".join(_words(one, or_null=False) for one in types)
        return f"{words}, or null" if or_null and len(types) < len(found.types) else words
    if isinstance(found, inspect.ListType):
        counted = _counted(found.min_length, found.max_length, "entry", "entries")
        return f"a list{counted}" if found.max_length != 0 else "an empty list"
    return _plain(found)


def _plain(found: inspect.Type) -> str:
    if isinstance(found, inspect.IntType):
        return f"a whole number{_between(found.ge, found.le)}"
    if isinstance(found, inspect.StrType):
        # The description explains any other pattern.
        without = " without NUL" if found.pattern == PLAIN_TEXT else ""
        return f"text{_counted(found.min_length, found.max_length, 'character', 'characters')}{without}"
    if isinstance(found, inspect.LiteralType):
        return f"one of {', '.join(map(str, found.values))}" if len(found.values) > 1 else str(found.values[0])
    return _OTHERS.get(type(found), "an object")


def _between(least: int | None, most: int | None) -> str:
    if most is None or most >= _ENDLESS:
        return "" if least is None else f" of at least {least}"
    return f" of at most {most}" if least is None else f" from {least} to {most}"


def _counted(least: int | None, most: int | None, one: str, several: str) -> str:
    if most is None:
        return f" of at least {least} {one if least == 1 else several}" if least else ""
    if least == most:
        return f" of {most} {one if most == 1 else several}"
    return f" of {least} to {most} {several}" if least else f" of at most {most} {several}"

"""Hypothesis strategies for wire models, worked out from their fields."""

import functools
from enum import Enum
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from hypothesis import strategies as st
from msgspec import Meta, Raw, Struct, json
from msgspec.structs import fields

KEYS = st.text("0123456789ABCDEF", min_size=32, max_size=32)
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
NUMBERS = st.integers(-(2**63), 2**63 - 1)
JSON_VALUES = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=5,
)

_PLAIN: dict[object, st.SearchStrategy[Any]] = {
    str: TEXTS,
    int: NUMBERS,
    float: st.floats(-180, 180),
    bool: st.booleans(),
    object: JSON_VALUES,
    type(None): st.none(),
    Raw: JSON_VALUES.map(lambda value: Raw(json.encode(value))),
}


def values(annotation: Any) -> st.SearchStrategy[Any]:
    """Values of a field's type; only the bounds that answers have are known here."""
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        bounds = [mark for mark in arguments[1:] if isinstance(mark, Meta)]
        low = next((mark.ge for mark in bounds if mark.ge is not None), None)
        high = next((mark.le for mark in bounds if mark.le is not None), None)
        if arguments[0] is int:
            return st.integers(None if low is None else int(low), None if high is None else int(high))
        return values(arguments[0])
    if origin in {Union, UnionType}:
        return st.one_of([values(option) for option in arguments])
    if origin is Literal:
        return st.sampled_from(arguments)
    if origin is list:
        return st.lists(values(arguments[0]), max_size=2)
    if origin is dict:
        return st.dictionaries(TEXTS, values(arguments[1]), max_size=2)
    if isinstance(annotation, type) and issubclass(annotation, Struct):
        return instances(annotation)
    if isinstance(annotation, type) and issubclass(annotation, Enum):
        return st.sampled_from(annotation)
    return _PLAIN[annotation]


@functools.cache
def instances(model: type[Struct]) -> st.SearchStrategy[Any]:
    """Any instance of a model that checks nothing beyond its types."""
    return st.builds(model, **{field.name: values(field.type) for field in fields(model)})

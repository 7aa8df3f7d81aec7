"""Every model that a server answers, found through the endpoint table."""

from collections.abc import Iterator
from typing import Any, get_args

from msgspec import Struct
from msgspec.structs import fields

from skyshelf.wire.endpoints import ENDPOINTS


def _structs_in(annotation: Any) -> Iterator[type[Struct]]:
    if isinstance(annotation, type) and issubclass(annotation, Struct):
        yield annotation
        for field in fields(annotation):
            yield from _structs_in(field.type)
    for argument in get_args(annotation):
        yield from _structs_in(argument)


ANSWER_MODELS = sorted(
    {struct for endpoint in ENDPOINTS for answer in endpoint.answers.values() for struct in _structs_in(answer.model)},
    key=lambda model: model.__name__,
)

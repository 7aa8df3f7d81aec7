"""How a client encodes queries and headers: the reverse of decoding."""

from functools import cache

from msgspec.structs import fields

from skyshelf.wire.models import HeaderModel, ParameterModel, QueryModel


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


@cache
def _names(model: type[ParameterModel]) -> tuple[tuple[str, str], ...]:
    """Wire name and attribute name of each field; cached, because the lookup costs more than the rest of a request."""
    return tuple((field.encode_name, field.name) for field in fields(model))


def _texts(model: ParameterModel) -> dict[str, str]:
    values = ((wire_name, getattr(model, name)) for wire_name, name in _names(type(model)))
    return {wire_name: _text(value) for wire_name, value in values if value is not None}


def query_parameters(query: QueryModel) -> dict[str, str]:
    """The parameters of the query string, not yet percent-encoded; None is omitted."""
    return _texts(query)


def header_fields(headers: HeaderModel) -> dict[str, str]:
    """The additional headers to send; None is omitted."""
    return _texts(headers)

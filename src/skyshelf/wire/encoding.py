"""How a client writes queries and headers: the reverse of decoding."""

from msgspec.structs import fields

from skyshelf.wire.bases import HeaderModel, ParameterModel, QueryModel


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def _texts(model: ParameterModel) -> dict[str, str]:
    values = ((field.encode_name, getattr(model, field.name)) for field in fields(model))
    return {name: _text(value) for name, value in values if value is not None}


def query_parameters(query: QueryModel) -> dict[str, str]:
    """The parameters to put into the query string, not yet percent-encoded; what is None is left out."""
    return _texts(query)


def header_fields(headers: HeaderModel) -> dict[str, str]:
    """The headers to send beside the common ones; what is None is left out."""
    return _texts(headers)

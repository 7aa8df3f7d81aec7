"""The reference of the HTTP interface: pages of endpoints, objects, errors and limits, and the OpenAPI description."""

import ast
import inspect
from collections.abc import Iterator
from enum import Enum
from itertools import pairwise
from types import UnionType
from typing import Annotated, Final, Literal, Union, get_args, get_origin

from msgspec import NODEFAULT, Meta, Raw, Struct
from msgspec.structs import FieldInfo, fields

from skyshelf.server.openapi.document import document_bytes
from skyshelf.wire import limits
from skyshelf.wire.client_errors import CLIENT_ERRORS, EXIT_CODES
from skyshelf.wire.endpoint import Answer, Endpoint, Host
from skyshelf.wire.endpoints import ENDPOINTS
from skyshelf.wire.error_codes import ERROR_CODES, ErrorCode
from tools.generate import budget
from tools.generate.markdown import page, table

SOURCE: Final = "src/skyshelf/wire"
JSON_NAMES: Final[dict[object, str]] = {
    str: "string",
    int: "integer",
    bool: "boolean",
    float: "number",
    object: "any",
    Raw: "any",
    type(None): "null",
}


# Types in words


def struct_of(model: object) -> type[Struct] | None:
    """Return the model if it is a struct."""
    return model if isinstance(model, type) and issubclass(model, Struct) else None


def link(model: type[Struct]) -> str:
    """Render a link to the model's description."""
    return f"[{model.__name__}](objects.md#{model.__name__.lower()})"


def type_in_words(annotation: object) -> str:
    """Describe the JSON type of a field, without null, which every optional field allows."""
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return type_in_words(arguments[0])
    if origin in {Union, UnionType}:
        return " or ".join(type_in_words(option) for option in arguments if option is not type(None))
    if origin is Literal:
        return " or ".join(f"`{value}`" for value in arguments)
    if origin is list:
        return f"array of {type_in_words(arguments[0])}"
    if origin is dict:
        return f"object with values of {type_in_words(arguments[1])}"
    return _plain_type_in_words(annotation)


def _plain_type_in_words(annotation: object) -> str:
    struct = struct_of(annotation)
    if struct is not None:
        return link(struct)
    if isinstance(annotation, type) and issubclass(annotation, Enum):
        return " or ".join(f"`{member.value}`" for member in annotation)
    return JSON_NAMES[annotation]


def rules_in_words(annotation: object) -> str:
    """Describe the constraints in a field's annotations."""
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin in {Union, UnionType}:
        return "; ".join(rule for option in arguments if (rule := rules_in_words(option)))
    if origin is not Annotated:
        return ""
    rules = [rules_in_words(arguments[0])]
    for mark in arguments[1:]:
        if isinstance(mark, Meta):
            rules += _bounds(mark)
        error = getattr(mark, "error", None)
        if isinstance(error, ErrorCode):
            rules.append(f"refused with `{error.code}`")
    return "; ".join(rule for rule in rules if rule)


def _bounds(mark: Meta) -> Iterator[str]:
    if mark.description:
        yield mark.description
    if mark.ge is not None:
        yield f"{mark.ge} to {mark.le}" if mark.le is not None else f"at least {mark.ge}"
    if mark.max_length is not None and (mark.min_length or 0) != mark.max_length:
        yield f"length {mark.min_length or 0} to {mark.max_length}"


def default_in_words(field: FieldInfo) -> str:
    """Describe the default of a field."""
    if field.default_factory is not NODEFAULT:
        return f"`{field.default_factory()}`"
    if field.default is NODEFAULT:
        return "required"
    return "" if field.default in {None, ""} else f"`{field.default}`"


def fields_table(model: type[Struct]) -> str:
    """Render the fields of a model, one per row."""
    columns = {
        "Name": [f"`{field.encode_name}`" for field in fields(model)],
        "Type": [type_in_words(field.type) for field in fields(model)],
        "Default": [default_in_words(field) for field in fields(model)],
        "Rules": [rules_in_words(field.type) for field in fields(model)],
    }
    used = {head: cells for head, cells in columns.items() if any(cells)}
    return table(list(used), zip(*used.values(), strict=True))


# Pages


def endpoints_page() -> str:
    """Render every call with its request, its responses and its errors."""
    parts = [
        "# Endpoints",
        "Every call of the server, by host.",
        "Error codes are explained in [errors](errors.md), JSON objects in [objects](objects.md).",
    ]
    for host in Host:
        calls = [endpoint for endpoint in ENDPOINTS if endpoint.host is host]
        parts += [f"## {{{host.value}}}", *(part for call in calls for part in _endpoint_parts(call))]
    return page(SOURCE, *parts)


def _endpoint_parts(endpoint: Endpoint) -> Iterator[str]:
    yield f"### {endpoint.method} {endpoint.path}"
    yield ("**Deprecated.** " if endpoint.deprecated else "") + endpoint.summary
    facts = [
        f"name `{endpoint.name}`",
        f"access: {endpoint.access.value}",
        "part of the interface" if endpoint.origin.value == "interface" else "extension",
        "safe to repeat" if endpoint.idempotent else "not safe to repeat",
        *(["also HEAD"] if endpoint.head else []),
    ]
    yield "; ".join(facts) + "."
    if endpoint.required_headers:
        names = (f"`{header.name}` (missing: `{header.error.code}`)" for header in endpoint.required_headers)
        yield "Required headers: " + ", ".join(names) + "."
    if endpoint.query:
        yield "Query:\n\n" + fields_table(endpoint.query)
    if endpoint.headers:
        yield "Headers:\n\n" + fields_table(endpoint.headers)
    if endpoint.body_kind.value:
        shape = f": {type_in_words(endpoint.body)}" if endpoint.body is not None else ""
        yield f"Body: `{endpoint.body_kind.value}`{shape}, up to {endpoint.body_bytes_max:,} bytes."
    yield "Responses: " + "; ".join(f"{status} {_answer(answer)}" for status, answer in endpoint.answers.items()) + "."
    for status, body in endpoint.error_bodies.items():
        yield f"The body of an error {status} is {type_in_words(body)}."
    yield "Errors: " + ", ".join(f"`{error.code}`" for error in endpoint.all_errors) + "."


def _answer(answer: Answer) -> str:
    return type_in_words(answer.model) if answer.model is not None else answer.kind.value


def _models_in(annotation: object) -> Iterator[type[Struct]]:
    struct = struct_of(annotation)
    if struct is not None:
        yield struct
        for field in fields(struct):
            yield from _models_in(field.type)
    for argument in get_args(annotation):
        yield from _models_in(argument)


def objects_page() -> str:
    """Render every JSON object of the interface, in the order of the calls that use it."""
    found: dict[type[Struct], None] = {}
    for endpoint in ENDPOINTS:
        answered = (answer.model for answer in endpoint.answers.values())
        for model in (endpoint.body, *answered, *endpoint.error_bodies.values()):
            found.update(dict.fromkeys(_models_in(model)))
    intro = (
        "The JSON objects of requests and responses. In responses, a field that is not required can be absent or null. "
        "Requests that break a rule are refused; their unknown fields are ignored."
    )
    parts = [part for model in found for part in (f"## {model.__name__}", inspect.getdoc(model) or "", _fields(model))]
    return page(SOURCE, "# Objects", intro, *parts)


def _fields(model: type[Struct]) -> str:
    return fields_table(model) if fields(model) else "No fields."


def errors_page() -> str:
    """Render the error table, the client errors and the exit codes."""
    codes = (
        (
            f"`{row.code}`",
            str(row.status),
            row.error.name,
            "yes" if row.retryable else "no",
            str(row.exit_code),
            row.message,
            row.advice,
        )
        for row in ERROR_CODES.values()
    )
    kinds = (
        (error.name, error.when, "yes" if error.retryable else "no", str(error.exit_code), error.meaning)
        for error in CLIENT_ERRORS
    )
    return page(
        SOURCE,
        "# Errors",
        'Every HTTP error has the body `{"code": string, "message": string}`.',
        "## Codes",
        table(("Code", "HTTP", "Client error", "Retry", "Exit code", "Message", "What to do"), codes),
        "## Client errors",
        table(("Client error", "HTTP", "Retry", "Exit code", "Meaning"), kinds),
        "## Exit codes of the command line",
        table(("Exit code", "Meaning"), ((str(code), meaning) for code, meaning in sorted(EXIT_CODES.items()))),
    )


def limits_page() -> str:
    """Render every limit with its value and its reason, which is the docstring below it."""
    statements = ast.parse(inspect.getsource(limits)).body
    rows = []
    for statement, below in pairwise(statements):
        match statement, below:
            case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str(reason))):
                rows.append((f"`{name}`", _number(getattr(limits, name)), reason))
    return page(SOURCE, "# Limits", *budget.sections(), "## All limits", table(("Limit", "Value", "Meaning"), rows))


def _number(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, tuple) else f"{value:,}"


def openapi_file() -> str:
    """Return the OpenAPI description, byte for byte as a server sends it at /openapi.json."""
    return document_bytes().decode()

"""Render the OpenAPI description as one HTML page."""

import base64
import hashlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import msgspec
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from skyshelf.server.openapi.document import document

Json = dict[str, Any]

_STYLE: Final = (Path(__file__).parent / "templates" / "style.css").read_text(encoding="utf-8")
STYLE_HASH: Final = base64.b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()
_SCHEMA_PREFIX: Final = "#/components/schemas/"


class Parameter(msgspec.Struct, frozen=True):
    """One row of a table of parameters or fields."""

    name: str
    place: str
    type: Markup
    rules: Markup
    required: bool


class StatusResponse(msgspec.Struct, frozen=True):
    """The response of a status."""

    status: str
    text: Markup


class OperationView(msgspec.Struct, frozen=True):
    """One call."""

    name: str
    method: str
    path: str
    summary: str
    facts: str
    deprecated: bool
    parameters: list[Parameter]
    body: Markup
    responses: list[StatusResponse]


def api_page() -> str:
    """The page; nothing in it comes from a request."""
    environment = Environment(
        loader=PackageLoader("skyshelf.server.pages.api_docs"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
    )
    description = document()
    groups = [
        (tag["description"], tag["name"], [one for one in _operations(description) if one[0] == tag["name"]])
        for tag in description["tags"]
    ]
    return environment.get_template("page.html").render(
        title=description["info"]["title"],
        version=description["info"]["version"],
        about=[_with_code(part) for part in description["info"]["description"].split("\n\n")],
        style=Markup(_STYLE),  # noqa: S704 - a file in this package
        groups=groups,
        schemas=list(_schemas(description)),
        codes=description["x-error-codes"],
    )


def _operations(description: Json) -> Iterator[tuple[str, OperationView]]:
    for path, methods in description["paths"].items():
        for method, operation in methods.items():
            if method == "head":
                continue
            yield operation["tags"][0], _operation(description, path, method, operation, "head" in methods)


def _operation(description: Json, path: str, method: str, operation: Json, has_head: bool) -> OperationView:
    facts = [_access(operation["security"])]
    if has_head:
        facts.append("also HEAD")
    if needed := operation.get("x-required-headers"):
        facts.append("needs " + " and ".join(needed))
    facts.append("safe to repeat" if operation["x-safe-to-repeat"] else "not safe to repeat")
    return OperationView(
        name=operation["operationId"],
        method=method.upper(),
        path=path,
        summary=operation["summary"],
        facts="; ".join(facts),
        deprecated=operation.get("deprecated", False),
        parameters=[_parameter(one) for one in operation["parameters"]],
        body=_body(operation),
        responses=[_response(description, status, one) for status, one in operation["responses"].items()],
    )


def _access(security: list[Json]) -> str:
    if not security:
        return "public"
    return "session or download nonce" if len(security) > 1 else "session"


def _parameter(given: Json) -> Parameter:
    text = _with_code(given.get("description", ""))
    rules = Markup("; ").join(part for part in (text, _rules(given["schema"])) if part)
    return Parameter(given["name"], given["in"], _type(given["schema"]), rules, given["required"])


def _body(operation: Json) -> Markup:
    if "requestBody" not in operation:
        return Markup("")
    (media_type, content), *_ = operation["requestBody"]["content"].items()
    schema = content["schema"]
    parts = schema.get("properties", {}) if media_type == "multipart/form-data" else {}
    types = [Markup("<code>{}</code>: {}").format(name, _type(one)) for name, one in parts.items()] or (
        [_type(schema)] if schema else []
    )
    most = f"up to {operation['x-body-bytes-max']:,} bytes"
    return Markup(", ").join([Markup("<code>{}</code>").format(media_type), *types, escape(most)])


def _response(description: Json, status: str, answer: Json) -> StatusResponse:
    if "$ref" in answer:
        answer = description["components"]["responses"][answer["$ref"].rsplit("/", 1)[1]]
    content = answer.get("content", {})
    schema = next(iter(content.values()))["schema"] if content else {}
    is_error = int(status) >= 400
    text = [_with_code(answer["description"])] if is_error else [_type(schema)] if schema else []
    if not is_error and not schema:
        text = [escape(", ".join(content) or "no body")]
    return StatusResponse(status, Markup(" ").join(text))


def _schemas(description: Json) -> Iterator[tuple[str, str, list[Parameter]]]:
    for name, schema in description["components"]["schemas"].items():
        required = schema.get("required", ())
        rows = [
            Parameter(
                field,
                "",
                _type(one),
                Markup("; ").join(part for part in (escape(one.get("description", "")), _rules(one)) if part),
                field in required,
            )
            for field, one in schema.get("properties", {}).items()
        ]
        text = schema.get("description", "")
        if "enum" in schema:
            text = f"{text} One of {', '.join(schema['enum'])}."
        yield name, text, rows


def _type(schema: Json) -> Markup:
    """The type in words, with links to schemas on the page."""
    if "$ref" in schema:
        name = schema["$ref"].removeprefix(_SCHEMA_PREFIX)
        return Markup('<a href="#schema-{0}">{0}</a>').format(name)
    for several in ("anyOf", "allOf"):
        if several in schema:
            return Markup(" or ").join(_type(one) for one in schema[several])
    if "enum" in schema:
        return Markup(" or ").join(Markup("<code>{}</code>").format(one) for one in schema["enum"])
    if schema.get("type") == "array":
        return escape("array of ") + _type(schema.get("items", {}))
    return escape(schema.get("type", "anything"))


def _rules(schema: Json) -> Markup:
    rules = []
    if "minimum" in schema:
        rules.append(f"{schema['minimum']} to {schema['maximum']}" if "maximum" in schema else f"≥ {schema['minimum']}")
    if schema.get("maxLength") is not None and schema.get("minLength") != schema["maxLength"]:
        rules.append(f"length {schema.get('minLength', 0)} to {schema['maxLength']}")
    if schema.get("default") is not None:
        rules.append(f"default {schema['default']}")
    return escape("; ".join(rules))


def _with_code(text: str) -> Markup:
    """The text with its `code` marked up."""
    return Markup(re.sub(r"`([^`]*)`", r"<code>\1</code>", str(escape(text))))  # noqa: S704 - escaped on the way

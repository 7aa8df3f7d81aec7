"""`/docs` and `/openapi.json`: public, cacheable, without scripts or external resources.

The page shows the OpenAPI description to people.
"""

import asyncio
import base64
import hashlib
import re
import threading
from collections.abc import Callable, Iterator
from functools import cache, partial
from pathlib import Path
from typing import Any, Final, TypeVar

import msgspec
from markupsafe import Markup, escape
from starlette.requests import Request
from starlette.responses import Response

from skyshelf.server.http.proxies import prefix_of
from skyshelf.server.openapi.document import document, document_bytes
from skyshelf.server.pipeline.sending import shared_in_pieces
from skyshelf.server.pipeline.views import view_route
from skyshelf.wire.headers import JSON_UTF8

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


def api_page() -> str:
    """Return the page; nothing in it comes from a request."""
    # Importing Jinja takes a tenth of a second, so the server starts without it.
    from jinja2 import Environment, PackageLoader, StrictUndefined

    loader = PackageLoader("skyshelf.server.pages.api_docs")
    environment = Environment(loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True)
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


def _operations(description: Json) -> Iterator[tuple[str, Json]]:
    for path, methods in description["paths"].items():
        for method, operation in methods.items():
            if method == "head":
                continue
            yield operation["tags"][0], _operation(description, path, method, operation, "head" in methods)


def _operation(description: Json, path: str, method: str, operation: Json, has_head: bool) -> Json:
    """Return what the template shows of an operation."""
    facts = [_access(operation["security"])]
    if has_head:
        facts.append("also HEAD")
    if needed := operation.get("x-required-headers"):
        facts.append("needs " + " and ".join(needed))
    facts.append("safe to repeat" if operation["x-safe-to-repeat"] else "not safe to repeat")
    return {
        "name": operation["operationId"],
        "method": method.upper(),
        "path": path,
        "summary": operation["summary"],
        "facts": "; ".join(facts),
        "deprecated": operation.get("deprecated", False),
        "parameters": [
            _parameter(one["name"], one["in"], one["schema"], _with_code(one.get("description", "")), one["required"])
            for one in operation["parameters"]
        ],
        "body": _body(operation),
        "responses": [_response(description, status, one) for status, one in operation["responses"].items()],
    }


def _access(security: list[Json]) -> str:
    if not security:
        return "public"
    return "session or download nonce" if len(security) > 1 else "session"


def _parameter(name: str, place: str, schema: Json, text: Markup, required: bool) -> Parameter:
    rules = Markup("; ").join(part for part in (text, _rules(schema)) if part)
    return Parameter(name, place, _type(schema), rules, required)


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


def _response(description: Json, status: str, answer: Json) -> Json:
    if "$ref" in answer:
        answer = description["components"]["responses"][answer["$ref"].rsplit("/", 1)[1]]
    content = answer.get("content", {})
    schema = next(iter(content.values()))["schema"] if content else {}
    is_error = int(status) >= 400
    text = [_with_code(answer["description"])] if is_error else [_type(schema)] if schema else []
    if not is_error and not schema:
        text = [escape(", ".join(content) or "no body")]
    return {"status": status, "text": Markup(" ").join(text)}


def _schemas(description: Json) -> Iterator[tuple[str, str, list[Parameter]]]:
    for name, schema in description["components"]["schemas"].items():
        required = schema.get("required", ())
        rows = [
            _parameter(field, "", one, escape(one.get("description", "")), field in required)
            for field, one in schema.get("properties", {}).items()
        ]
        text = schema.get("description", "")
        if "enum" in schema:
            text = f"{text} One of {', '.join(schema['enum'])}."
        yield name, text, rows


def _type(schema: Json) -> Markup:
    """Return the type in words, with links to schemas on the page."""
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
    """Return the text with its `code` marked up."""
    return Markup(re.sub(r"`([^`]*)`", r"<code>\1</code>", str(escape(text))))  # noqa: S704 - escaped on the way


T = TypeVar("T")
_making: Final = threading.Lock()
PAGE_PATH: Final = "/docs"
FILE_PATH: Final = "/openapi.json"


async def _page(request: Request) -> Response:
    # Rendered once, and not on the event loop: it takes a while.
    content, policy = await asyncio.to_thread(_once, _page_and_policy)
    headers = {"content-type": "text/html; charset=utf-8", "content-security-policy": policy}
    return _cacheable(request, content, headers)


async def _file(request: Request) -> Response:
    # Tools and other sites may read it: everything in it is public.
    headers = {
        "content-type": JSON_UTF8,
        "access-control-allow-origin": "*",
        "cross-origin-resource-policy": "cross-origin",
    }
    return _cacheable(request, await asyncio.to_thread(_once, partial(_document, prefix_of(request))), headers)


def _cacheable(request: Request, content: bytes, headers: dict[str, str]) -> Response:
    """Return a response that changes only with the server's version."""
    etag = _etag(content)
    headers = {**headers, "etag": etag, "cache-control": "no-cache"}
    if etag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    return shared_in_pieces(Response(content, headers=headers))


def _once(make: Callable[[], T]) -> T:
    """Return the cached result of `make`, one thread at a time: else each of the first requests would render it."""
    with _making:
        return make()


@cache
def _etag(content: bytes) -> str:
    return f'"{hashlib.sha256(content).hexdigest()[:32]}"'


@cache
def _document(prefix: str) -> bytes:
    """Return the description for this server, which may be served below a path of its host."""
    if not prefix:
        return document_bytes()
    described = msgspec.json.decode(document_bytes())
    for server in described["servers"]:
        server["url"] = prefix + server["url"]
    return msgspec.json.encode(described)


@cache
def _page_and_policy() -> tuple[bytes, str]:
    policy = f"default-src 'none'; style-src 'sha256-{STYLE_HASH}'; base-uri 'none'; form-action 'none'"
    return api_page().encode(), f"{policy}; frame-ancestors 'none'"


ROUTES: Final = [view_route(PAGE_PATH, "docs", _page), view_route(FILE_PATH, "openapi", _file)]

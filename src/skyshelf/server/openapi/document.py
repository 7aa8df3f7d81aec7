"""The OpenAPI 3.1 description, generated from the endpoint table and the models."""

from collections.abc import Iterable, Iterator
from functools import cache
from typing import Annotated, Any, Final, get_args, get_origin

import msgspec
from msgspec import NODEFAULT
from msgspec.structs import FieldInfo, fields

from skyshelf.server.api.needs import NEEDS
from skyshelf.server.http.authentication import NONCE_COOKIE, SESSION_COOKIE, nonce_cookie_name, session_cookie_name
from skyshelf.server.openapi.schemas import Json, Schemas, without_null
from skyshelf.wire import headers as header_names
from skyshelf.wire.endpoint import DEVICE_PARAMETER, Access, Answer, AnswerKind, BodyKind, Endpoint, Host
from skyshelf.wire.endpoints import ENDPOINTS
from skyshelf.wire.error_codes import ERROR_CODES, ErrorCode
from skyshelf.wire.keys import Key
from skyshelf.wire.models import ParameterModel, RefusedWith
from skyshelf.wire.resources.credentials import DeviceKey
from skyshelf.wire.resources.uploads import FILE_FIELD, METADATA_FIELD
from skyshelf.wire.version import VERSION

_HOSTS: Final = {
    Host.ACCOUNT: "Account and session",
    Host.METADATA: "Files, folders, trash, feeds, sharing",
    Host.DOWNLOAD: "Downloads",
    Host.BOARDS: "Boards",
    Host.CONTACTS: "Contacts",
    Host.MESSAGING: "Messaging",
    Host.UPLOAD: "Uploads",
    Host.SHARE: "Public share pages",
}
_MEDIA_TYPES: Final = {
    "download": ("*/*",),
    "short_download": ("*/*",),
    "metadata_download": ("*/*",),
    "past_file": ("*/*",),
    "thumbnail": ("image/jpeg", "image/webp"),
    "contents": (BodyKind.OCTET_STREAM.value,),
    "download_archive": ("application/zip",),
    "download_export": ("application/zip",),
}
_FILE_HEADERS: Final = {
    "ETag": "The content's MD5, in quotes.",
    "Last-Modified": "When the content was last modified.",
    "Accept-Ranges": "`bytes`.",
    "Content-Disposition": "`attachment`, with the name in UTF-8.",
}
_ABOUT: Final = """\
The API of a Skyshelf server: account, files and folders, trash, versions, sharing, downloads, uploads, boards,
contacts and banners. One server serves all hosts; the tags name them.

Calls with `x-required-headers` need `Content-Type` and `Accept-Language` on every method, including GET.
Keys have 32 hexadecimal digits; times are epoch milliseconds, UTC. Every error is `{"code", "message"}`, and every
response has its request id in `X-Request-Id`. The key of another user's object is treated like an unknown key."""


@cache
def document() -> Json:
    """Return the whole description; it is shared and must not be modified."""
    schemas = Schemas(ENDPOINTS)
    paths: Json = {}
    for endpoint in ENDPOINTS:
        operations = paths.setdefault(endpoint.path, {})
        for method in endpoint.methods:
            operations[method.lower()] = _operation(endpoint, method, schemas)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Skyshelf",
            "version": VERSION,
            "description": _ABOUT,
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "servers": [{"url": "/", "description": "The server of this description."}],
        "tags": [{"name": host.value, "description": text} for host, text in _HOSTS.items()],
        "paths": paths,
        "components": {
            "securitySchemes": security_schemes(),
            "headers": {name: _header(text) for name, text in COMMON_HEADERS.items()},
            "responses": shared_error_answers(ENDPOINTS),
            "schemas": {ERROR_SCHEMA_NAME: error_schema(), **schemas.components},
        },
        "x-error-codes": {
            row.code: {"status": row.status, "message": row.message, "advice": row.advice, "retry": row.retryable}
            for row in ERROR_CODES.values()
        },
    }


@cache
def document_bytes() -> bytes:
    """Return the description as served and as committed."""
    return msgspec.json.format(msgspec.json.encode(document()), indent=2) + b"\n"


def _operation(endpoint: Endpoint, method: str, schemas: Schemas) -> Json:
    operation: Json = {
        "operationId": endpoint.name if method == endpoint.method else f"{endpoint.name}_{method.lower()}",
        "tags": [endpoint.host.value],
        "summary": endpoint.summary,
        "parameters": [*_parameters(endpoint, schemas)],
        "responses": _responses(endpoint, schemas),
        "security": security_of(endpoint),
        "x-safe-to-repeat": endpoint.idempotent,
        "x-specified-by": endpoint.origin.value,
    }
    if endpoint.required_headers:
        operation["x-required-headers"] = {one.name: one.error.code for one in endpoint.required_headers}
    if endpoint.body_kind is not BodyKind.NONE:
        required = not getattr(endpoint.body, "may_be_absent", False)
        operation["requestBody"] = {"required": required, "content": _request_content(endpoint, schemas)}
        operation["x-body-bytes-max"] = endpoint.body_bytes_max
    if endpoint.deprecated:
        operation["deprecated"] = True
    if method == "HEAD":
        for answer in operation["responses"].values():
            answer.pop("content", None)
    return operation


def _parameters(endpoint: Endpoint, schemas: Schemas) -> Iterator[Json]:
    for name in endpoint.parameters:
        yield {
            "name": name,
            "in": "path",
            "required": True,
            "schema": schemas.of(DeviceKey if name == DEVICE_PARAMETER else Key),
        }
    # OpenAPI ignores a parameter named Content-Type, so only the other header is listed.
    for required in endpoint.required_headers:
        if required.name != header_names.CONTENT_TYPE:
            yield {
                "name": required.name,
                "in": "header",
                "required": True,
                "description": f"absent: `{required.error.code}`",
                "schema": {"type": "string", "minLength": 1},
                "example": header_names.LANGUAGE_DEFAULT,
            }
    yield from _model_parameters(endpoint.query, "query", schemas)
    yield from _model_parameters(endpoint.headers, "header", schemas)


def _model_parameters(model: type[ParameterModel] | None, place: str, schemas: Schemas) -> Iterator[Json]:
    for field in fields(model) if model is not None else ():
        if field.encode_name in {header_names.ACCEPT, "nonce"}:
            continue  # OpenAPI reserves the first; the second is a security scheme
        required = field.default is NODEFAULT and field.default_factory is NODEFAULT
        schema = without_null(schemas.of(field.type))
        description = schema.pop("description", "")
        if not required and field.default is not None:
            schema["default"] = field.default
        yield {
            "name": field.encode_name,
            "in": place,
            "required": required,
            **({"description": text} if (text := _describe(description, field)) else {}),
            "schema": schema,
        }


def _describe(description: str, field: FieldInfo) -> str:
    marks = get_args(field.type)[1:] if get_origin(field.type) is Annotated else ()
    refusals = [f"refused with `{mark.error.code}`" for mark in marks if isinstance(mark, RefusedWith)]
    return "; ".join([*([description] if description else []), *refusals])


def _request_content(endpoint: Endpoint, schemas: Schemas) -> Json:
    if endpoint.body_kind is not BodyKind.MULTIPART:
        schema = schemas.of(endpoint.body) if endpoint.body is not None else {}
        return {endpoint.body_kind.value: {"schema": schema}}
    parts = {
        METADATA_FIELD: schemas.of(endpoint.body),
        FILE_FIELD: {"type": "string", "contentMediaType": BodyKind.OCTET_STREAM.value},
    }
    return {
        endpoint.body_kind.value: {
            "schema": {"type": "object", "properties": parts, "required": list(parts)},
            "encoding": {
                METADATA_FIELD: {"contentType": BodyKind.JSON.value},
                FILE_FIELD: {"contentType": BodyKind.OCTET_STREAM.value},
            },
        }
    }


def _responses(endpoint: Endpoint, schemas: Schemas) -> Json:
    answers = {str(status): _answer(endpoint, status, one, schemas) for status, one in endpoint.answers.items()}
    return answers | error_answers(endpoint)


def _answer(endpoint: Endpoint, status: int, answer: Answer, schemas: Schemas) -> Json:
    fixed = {204: "Done.", 206: "A part of the content.", 304: "Not modified."}
    described: Json = {"description": fixed.get(status, endpoint.summary), "headers": {}}
    if endpoint.name == "download" and status != 304:
        described["headers"] |= {name: _header(text) for name, text in _FILE_HEADERS.items()}
    if endpoint.answers.keys() == {200, 304} and answer.kind is not AnswerKind.BINARY:
        described["headers"]["ETag"] = _header("The version of this page, for `If-None-Match`.")
    if status == 206:
        described["headers"]["Content-Range"] = _header("The range and the total size.")
    if endpoint.name == "cookie_nonce":
        described["headers"]["Set-Cookie"] = _header(f"The nonce as `{NONCE_COOKIE}`, HttpOnly, SameSite=Strict.")
    described["headers"][header_names.REQUEST_ID] = header_reference(header_names.REQUEST_ID)
    match answer.kind:
        case AnswerKind.JSON:
            described["content"] = {BodyKind.JSON.value: {"schema": schemas.of(answer.model)}}
        case AnswerKind.EVENTS:
            described["content"] = {"text/event-stream": {"schema": {}}}
        case AnswerKind.HTML:
            described["content"] = {"text/html": {"schema": {"type": "string"}}}
        case AnswerKind.BINARY:
            described["content"] = {kind: {"schema": {}} for kind in _MEDIA_TYPES[endpoint.name]}
    return described


def _header(description: str) -> Json:
    return {"description": description, "schema": {"type": "string"}}


_SESSION: Final = {
    "session": (header_names.AUTHORIZATION, "`Basic ` and the `authToken` of a login; the token is opaque."),
    "userId": (header_names.USER_ID, "The `userId` from the login."),
    "deviceKey": (header_names.DEVICE_KEY, "The `deviceKey` from the login."),
    "apiKey": (header_names.API_KEY_HEADER, f"A public constant, `{header_names.API_KEY}` unless configured."),
    "appSecret": (header_names.APP_SECRET_HEADER, f"A public constant, `{header_names.APP_SECRET}` unless configured."),
}


def security_of(endpoint: Endpoint) -> list[dict[str, list[str]]]:
    """Return the alternatives; each needs all the schemes that it names."""
    if endpoint.access is Access.PUBLIC:
        return []
    session: dict[str, list[str]] = {name: [] for name in _SESSION}
    delegation: list[dict[str, list[str]]] = []
    if endpoint.name in NEEDS:
        delegation = [{"delegation": [], "apiKey": [], "appSecret": []}]
    if endpoint.access is Access.SESSION_OR_NONCE:
        return [session, *delegation, {"nonceCookie": []}, {"nonce": []}]
    return [session, *delegation, {"sessionCookie": [], "apiKey": [], "appSecret": []}]


def security_schemes() -> dict[str, Any]:
    schemes: dict[str, Any] = {
        name: {"type": "apiKey", "in": "header", "name": header, "description": text}
        for name, (header, text) in _SESSION.items()
    }
    schemes["apiKey"]["x-default"], schemes["appSecret"]["x-default"] = header_names.API_KEY, header_names.APP_SECRET
    schemes["sessionCookie"] = {
        "type": "apiKey",
        "in": "cookie",
        "name": SESSION_COOKIE,
        "description": "The session of a browser that logged in with `inCookie`; other origins cannot use it."
        f" Over HTTPS its name is `{session_cookie_name(secure=True)}`.",
    }
    schemes["delegation"] = {
        "type": "http",
        "scheme": "bearer",
        "description": "The token of a delegation, which allows some calls. It names its account:"
        " the headers for user and device are ignored.",
    }
    schemes["nonceCookie"] = {
        "type": "apiKey",
        "in": "cookie",
        "name": NONCE_COOKIE,
        "description": "A download nonce, as the cookie that is set with it. Over HTTPS its name is"
        f" `{nonce_cookie_name(secure=True)}`.",
    }
    schemes["nonce"] = {"type": "apiKey", "in": "query", "name": "nonce", "description": "A download nonce."}
    return schemes


ERROR_SCHEMA_NAME: Final = "Error"
COMMON_HEADERS: Final = {
    header_names.REQUEST_ID: "The request's id in the server's log.",
    header_names.RETRY_AFTER: "Seconds to wait before retrying.",
    "Allow": "The methods that the path supports.",
}
_MORE_HEADERS: Final = {405: ("Allow",), 429: (header_names.RETRY_AFTER,), 503: (header_names.RETRY_AFTER,)}


def error_schema() -> dict[str, Any]:
    return {
        "title": ERROR_SCHEMA_NAME,
        "description": "The body of every error: a code for programs and a message for people.",
        "type": "object",
        "properties": {"code": {"type": "string"}, "message": {"type": "string"}},
        "required": ["code", "message"],
    }


def error_answers(endpoint: Endpoint) -> dict[str, Any]:
    """Return every error status of an endpoint, in order."""
    found = {}
    for status, rows in sorted(_by_status(endpoint).items()):
        is_shared = _is_shared(endpoint, status, rows)
        found[str(status)] = (
            {"$ref": f"#/components/responses/{rows[0].code}"} if is_shared else _error_answer(endpoint, status, rows)
        )
    return found


def shared_error_answers(endpoints: Iterable[Endpoint]) -> dict[str, Any]:
    """Return the error responses with a single code, which many endpoints share, by that code."""
    shared = {
        rows[0].code: _error_answer(endpoint, status, rows)
        for endpoint in endpoints
        for status, rows in _by_status(endpoint).items()
        if _is_shared(endpoint, status, rows)
    }
    return dict(sorted(shared.items()))


def _by_status(endpoint: Endpoint) -> dict[int, list[ErrorCode]]:
    found: dict[int, list[ErrorCode]] = {}
    for row in endpoint.all_errors:
        found.setdefault(row.status, []).append(row)
    return found


def _is_shared(endpoint: Endpoint, status: int, rows: list[ErrorCode]) -> bool:
    # HEAD has no content, and pages and special bodies are not shared.
    is_special = endpoint.head or status in endpoint.error_bodies
    return len(rows) == 1 and not is_special


def _error_answer(endpoint: Endpoint, status: int, rows: list[ErrorCode]) -> dict[str, Any]:
    names = [header_names.REQUEST_ID, *_MORE_HEADERS.get(status, ())]
    return {
        "description": "; ".join(f"`{row.code}` {row.message}" for row in rows),
        "headers": {name: header_reference(name) for name in names},
        "content": _content(endpoint, status, rows),
    }


def _content(endpoint: Endpoint, status: int, rows: list[ErrorCode]) -> dict[str, Any]:
    # Errors of a public page are pages; only the router's own errors are JSON.
    is_page = any(answer.kind is AnswerKind.HTML for answer in endpoint.answers.values())
    if is_page and status != 405:
        return {"text/html": {"schema": {"type": "string"}}}
    known = {"properties": {"code": {"enum": [row.code for row in rows]}}}
    shapes = [{"$ref": f"#/components/schemas/{ERROR_SCHEMA_NAME}"}, known]
    if status in endpoint.error_bodies:
        shapes.append({"$ref": f"#/components/schemas/{endpoint.error_bodies[status].__name__}"})
    return {"application/json": {"schema": {"allOf": shapes}}}


def header_reference(name: str) -> dict[str, str]:
    return {"$ref": f"#/components/headers/{name}"}

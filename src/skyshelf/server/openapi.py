"""The OpenAPI 3.1 description, made from the endpoint table and the models alone."""

from collections.abc import Iterator
from functools import cache
from importlib.metadata import version
from inspect import cleandoc
from types import UnionType
from typing import Annotated, Any, Final, get_args, get_origin

import msgspec
from msgspec import NODEFAULT
from msgspec.structs import FieldInfo, fields

from skyshelf.server.authentication import NONCE_COOKIE
from skyshelf.server.openapi_errors import (
    COMMON_HEADERS,
    ERROR_SCHEMA_NAME,
    error_answers,
    error_schema,
    header_reference,
    shared_error_answers,
)
from skyshelf.wire import headers as header_names
from skyshelf.wire.bases import AnswerModel, ParameterModel, RefusedWith
from skyshelf.wire.endpoint import Access, Answer, AnswerKind, BodyKind, Endpoint, Host
from skyshelf.wire.endpoints import ENDPOINTS
from skyshelf.wire.error_codes import ERROR_CODES
from skyshelf.wire.keys import Key
from skyshelf.wire.uploads import FILE_FIELD, METADATA_FIELD

Json = dict[str, Any]

_REFERENCE: Final = "#/components/schemas/{name}"
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
_SESSION: Final = {
    "session": (header_names.AUTHORIZATION, "`Basic ` and the `authToken` of a login; the token is opaque."),
    "userId": (header_names.USER_ID, "The `userId` of the login."),
    "deviceKey": (header_names.DEVICE_KEY, "The `deviceKey` of the login."),
    "apiKey": (header_names.API_KEY_HEADER, f"A public constant, `{header_names.API_KEY}` unless configured."),
    "appSecret": (header_names.APP_SECRET_HEADER, f"A public constant, `{header_names.APP_SECRET}` unless configured."),
}
_MEDIA_TYPES: Final = {"download": ("*/*",), "thumbnail": ("image/jpeg", "image/webp")}
_FILE_HEADERS: Final = {
    "ETag": "The quoted MD5 of the content.",
    "Last-Modified": "When the content was last modified.",
    "Accept-Ranges": "`bytes`.",
    "Content-Disposition": "`attachment`, with the name in UTF-8.",
}
_ABOUT: Final = """\
The interface of a Skyshelf server: account, files and folders, trash, versions, sharing, downloads, uploads, boards,
contacts and banners. One server answers for all hosts; the tags name them.

Calls that name them in `x-required-headers` need `Content-Type` and `Accept-Language` on every method, GET included.
Keys have 32 hexadecimal digits; times are epoch milliseconds, UTC. Every error is `{"code", "message"}`, and every
answer names its request in `X-Request-Id`. A key of somebody else is answered like a key that does not exist."""


@cache
def document() -> Json:
    """The whole description; callers share it and must not change it."""
    schemas = _Schemas()
    paths: Json = {}
    for endpoint in ENDPOINTS:
        operations = paths.setdefault(endpoint.path, {})
        for method in endpoint.methods:
            operations[method.lower()] = _operation(endpoint, method, schemas)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Skyshelf",
            "version": version("skyshelf"),
            "description": _ABOUT,
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "servers": [{"url": "/", "description": "The server that this description comes from."}],
        "tags": [{"name": host.value, "description": text} for host, text in _HOSTS.items()],
        "paths": paths,
        "components": {
            "securitySchemes": _security_schemes(),
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
    """The description as it is served and committed."""
    return msgspec.json.format(msgspec.json.encode(document()), indent=2) + b"\n"


class _Schemas:
    """The schemas of models, and the named ones that they refer to."""

    def __init__(self) -> None:
        models = [one for endpoint in ENDPOINTS for model in _models(endpoint) for one in _alternatives(model)]
        _, found = msgspec.json.schema_components(models, schema_hook=_anything, ref_template=_REFERENCE)
        answers = {model.__name__ for model in _subclasses(AnswerModel)}
        self.components: Json = {
            name: _in_lines(_never_null(schema) if name in answers else schema)
            for name, schema in sorted(found.items())
        }

    def of(self, model: object) -> Json:
        found, _ = msgspec.json.schema_components(_alternatives(model), schema_hook=_anything, ref_template=_REFERENCE)
        return found[0] if len(found) == 1 else {"anyOf": list(found)}


def _subclasses(model: type[Any]) -> Iterator[type[Any]]:
    for one in model.__subclasses__():
        yield one
        yield from _subclasses(one)


def _never_null(schema: Json) -> Json:
    """The schema of an answer: the models tolerate null, for clients of other servers, and ours never sends it."""
    properties = {
        name: {key: value for key, value in _without_null(one).items() if key != "default"}
        for name, one in schema["properties"].items()
    }
    return {**schema, "properties": properties}


def _in_lines(schema: Json) -> Json:
    """The schema with the sentence of its model as text, without the blanks of the source."""
    return {**schema, "description": cleandoc(schema["description"])} if "description" in schema else schema


def _anything(_: type) -> Json:
    """The schema of `object`, the one type of the models that msgspec has none for; an empty one counts as none."""
    return {"description": "anything"}


def _alternatives(model: object) -> tuple[object, ...]:
    """The structs of a union, one by one: msgspec describes only unions whose members are told apart by a tag."""
    is_of_structs = isinstance(model, UnionType) and all(hasattr(one, "__struct_fields__") for one in get_args(model))
    return get_args(model) if is_of_structs else (model,)


def _models(endpoint: Endpoint) -> Iterator[object]:
    if endpoint.body is not None:
        yield endpoint.body
    yield from (answer.model for answer in endpoint.answers.values() if answer.model is not None)
    yield from endpoint.error_bodies.values()


def _operation(endpoint: Endpoint, method: str, schemas: _Schemas) -> Json:
    operation: Json = {
        "operationId": endpoint.name if method == endpoint.method else f"{endpoint.name}_{method.lower()}",
        "tags": [endpoint.host.value],
        "summary": endpoint.summary,
        "parameters": [*_parameters(endpoint, schemas)],
        "responses": _responses(endpoint, schemas),
        "security": _security(endpoint),
        "x-safe-to-repeat": endpoint.idempotent,
        "x-specified-by": endpoint.origin.value,
    }
    if endpoint.required_headers:
        operation["x-required-headers"] = {one.name: one.error.code for one in endpoint.required_headers}
    if endpoint.body_kind is not BodyKind.NONE:
        operation["requestBody"] = {"required": True, "content": _request_content(endpoint, schemas)}
        operation["x-body-bytes-max"] = endpoint.body_bytes_max
    if endpoint.deprecated:
        operation["deprecated"] = True
    if method == "HEAD":
        for answer in operation["responses"].values():
            answer.pop("content", None)
    return operation


def _parameters(endpoint: Endpoint, schemas: _Schemas) -> Iterator[Json]:
    for name in endpoint.parameters:
        yield {"name": name, "in": "path", "required": True, "schema": schemas.of(Key)}
    # OpenAPI says that a parameter called Content-Type is ignored, so that only the other one can stand here.
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


def _model_parameters(model: type[ParameterModel] | None, place: str, schemas: _Schemas) -> Iterator[Json]:
    for field in fields(model) if model is not None else ():
        if field.encode_name in {header_names.ACCEPT, "nonce"}:
            continue  # the first OpenAPI reserves for itself, the second is a security scheme
        required = field.default is NODEFAULT and field.default_factory is NODEFAULT
        schema = _without_null(schemas.of(field.type))
        description = schema.pop("description", "")
        if not required and field.default is not None:
            schema["default"] = field.default
        yield {
            "name": field.encode_name,
            "in": place,
            "required": required,
            **({"description": told} if (told := _told(description, field)) else {}),
            "schema": schema,
        }


def _told(description: str, field: FieldInfo) -> str:
    marks = get_args(field.type)[1:] if get_origin(field.type) is Annotated else ()
    refusals = [f"refused with `{mark.error.code}`" for mark in marks if isinstance(mark, RefusedWith)]
    return "; ".join([*([description] if description else []), *refusals])


def _without_null(schema: Json) -> Json:
    """A parameter, or a field of an answer, is absent or has a value."""
    options = [option for option in schema.get("anyOf", ()) if option != {"type": "null"}]
    rest = {name: value for name, value in schema.items() if name != "anyOf"}
    if not options:
        return rest
    return {**rest, **(options[0] if len(options) == 1 else {"anyOf": options})}


def _request_content(endpoint: Endpoint, schemas: _Schemas) -> Json:
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


def _responses(endpoint: Endpoint, schemas: _Schemas) -> Json:
    answers = {str(status): _answer(endpoint, status, one, schemas) for status, one in endpoint.answers.items()}
    return answers | error_answers(endpoint)


def _answer(endpoint: Endpoint, status: int, answer: Answer, schemas: _Schemas) -> Json:
    told = {204: "Done.", 206: "A part of the content.", 304: "The client has it already."}
    described: Json = {"description": told.get(status, endpoint.summary), "headers": {}}
    if endpoint.name == "download" and status != 304:
        described["headers"] |= {name: _header(text) for name, text in _FILE_HEADERS.items()}
    if status == 206:
        described["headers"]["Content-Range"] = _header("Which bytes of how many.")
    if endpoint.name == "cookie_nonce":
        described["headers"]["Set-Cookie"] = _header(f"The nonce as `{NONCE_COOKIE}`, HttpOnly, SameSite=Strict.")
    described["headers"][header_names.REQUEST_ID] = header_reference(header_names.REQUEST_ID)
    match answer.kind:
        case AnswerKind.JSON:
            described["content"] = {BodyKind.JSON.value: {"schema": schemas.of(answer.model)}}
        case AnswerKind.HTML:
            described["content"] = {"text/html": {"schema": {"type": "string"}}}
        case AnswerKind.BINARY:
            described["content"] = {kind: {"schema": {}} for kind in _MEDIA_TYPES[endpoint.name]}
    return described


def _header(description: str) -> Json:
    return {"description": description, "schema": {"type": "string"}}


def _security(endpoint: Endpoint) -> list[dict[str, list[str]]]:
    """Each entry is one way in; a way in needs all that it names."""
    if endpoint.access is Access.PUBLIC:
        return []
    session: dict[str, list[str]] = {name: [] for name in _SESSION}
    if endpoint.access is Access.SESSION_OR_NONCE:
        return [session, {"nonceCookie": []}, {"nonce": []}]
    return [session]


def _security_schemes() -> Json:
    schemes: Json = {
        name: {"type": "apiKey", "in": "header", "name": header, "description": text}
        for name, (header, text) in _SESSION.items()
    }
    schemes["nonceCookie"] = {
        "type": "apiKey",
        "in": "cookie",
        "name": NONCE_COOKIE,
        "description": "A download nonce, as the cookie that came with it.",
    }
    schemes["nonce"] = {"type": "apiKey", "in": "query", "name": "nonce", "description": "A download nonce."}
    return schemes

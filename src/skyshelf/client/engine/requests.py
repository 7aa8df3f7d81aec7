"""Building requests and reading responses, without I/O.

`plan` builds a PlannedRequest from a row of the endpoint table, `decode` reads a body into its model, and `check`
raises the error that a response stands for.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeVar
from urllib.parse import quote, urlsplit

from msgspec import DecodeError, Raw, Struct, ValidationError, json
from msgspec.structs import force_setattr

from skyshelf.client.engine.retries import parse_retry_after
from skyshelf.client.engine.tolerance import read_tolerantly
from skyshelf.client.errors import (
    InvalidRequestError,
    RedirectRefusedError,
    RequestFailedError,
    UnexpectedAnswerError,
    error_class,
)
from skyshelf.client.hosts import Hosts
from skyshelf.client.http.messages import ANSWER_BYTES_MAX, BufferedResponse, PlannedRequest
from skyshelf.wire import headers as names
from skyshelf.wire.encoding import header_fields, query_parameters
from skyshelf.wire.endpoint import AnswerKind, Endpoint
from skyshelf.wire.error_codes import BAD_KEY, ErrorBody, find
from skyshelf.wire.models import HeaderModel, QueryModel
from skyshelf.wire.refusals import Refusal

_Model = TypeVar("_Model")
_Struct = TypeVar("_Struct", bound=Struct)

PAGE_BYTES_MAX: Final = 128 * 1024 * 1024
"""The largest page of a listing: as many objects as can be requested, with the longest names."""

_MESSAGE_CHARS: Final = 300
# A captive portal, a proxy, or something else at that address.
_WEB_PAGE: Final = "it is a web page; check the server's address"
# A surrogate pair, half of one, or any other JSON escape, which is matched so it is not split.
_ESCAPE: Final = re.compile(
    rb"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(\\u[dD][89a-fA-F][0-9a-fA-F]{2})|\\."
)
_IDENTITY: Final = {"Accept-Encoding": "identity"}


def plan(
    endpoint: Endpoint,
    hosts: Hosts,
    session: Mapping[str, str],
    *,
    query: QueryModel | None = None,
    headers: HeaderModel | None = None,
    body: object = None,
    content: bytes | None = None,
    content_type: str | None = None,
    method: str | None = None,
    keys: Mapping[str, str] | None = None,
) -> PlannedRequest:
    """The request of an endpoint: `body` is encoded as JSON, `content` is sent as it is; `keys` fill in the path."""
    try:
        path = endpoint.url_path(**(keys or {}))
    except ValueError as problem:
        raise InvalidRequestError(str(problem), code=BAD_KEY.code) from None
    url = hosts.base(endpoint.host) + path
    if query is not None:
        url += "?" + "&".join(f"{name}={_quoted(value)}" for name, value in query_parameters(query).items())
    sent = dict(session)
    if content_type is not None:
        sent[names.CONTENT_TYPE] = content_type
    if headers is not None:
        sent |= header_fields(headers)
    binary = any(answer.kind is AnswerKind.BINARY for answer in endpoint.answers.values())
    if binary:
        # Compressed content would not have the length that is announced and checked.
        sent |= _IDENTITY
    return PlannedRequest(
        method=method or endpoint.method,
        url=url,
        path=path,
        headers=sent,
        body=content if content is not None else None if body is None else json.encode(body),
        repeatable=endpoint.idempotent,
        binary=binary,
        answer_bytes_max=PAGE_BYTES_MAX if hasattr(query, "limit") else ANSWER_BYTES_MAX,
    )


def _quoted(text: str) -> str:
    """A query value. A raw + would be decoded as a space, which is not the same name."""
    if text.isascii() and text.replace(",", "").isalnum():
        # Keys, one or many: much quicker than the general way.
        return text.replace(",", "%2C")
    return quote(text, safe="")


def build_request_model(make: Callable[[], _Struct], **keys: str) -> _Struct:
    """A request model; values that it refuses are an InvalidRequestError, as if the server had refused them.

    Models normalise keys to our server's spelling. Another server may only know its own spelling, so `keys` are sent
    as they were given.
    """
    try:
        model = make()
    except Refusal as refusal:
        raise InvalidRequestError(refusal.message, code=refusal.code) from None
    for name, key in keys.items():
        force_setattr(model, name, key)
    return model


_DECODERS: Final[dict[object, "json.Decoder[Any]"]] = {}


def _decoder(model: type[_Model]) -> "json.Decoder[_Model]":
    known = _DECODERS.get(model)
    return known if known is not None else _DECODERS.setdefault(model, json.Decoder(model))


def decode(model: type[_Model], body: bytes | Raw, request: PlannedRequest | None = None) -> _Model:
    """The model in a body, or UnexpectedAnswerError."""
    try:
        try:
            return _decode(model, body)
        except ValidationError:
            raise
        except DecodeError:
            repaired = _without_half_pairs(bytes(body))
            if repaired == body:
                raise
            return _decode(model, repaired)
    except (ValidationError, DecodeError, UnicodeDecodeError, RecursionError) as problem:
        raise UnexpectedAnswerError(
            f"the server's response has an unexpected form: {_describe(bytes(body), problem)}",
            method=request.method if request else None,
            path=request.path if request else None,
        ) from None


def _decode(model: type[_Model], body: bytes | Raw) -> _Model:
    try:
        return _decoder(model).decode(body)
    except ValidationError as problem:
        try:
            return read_tolerantly(model, bytes(body))
        except ValidationError:
            # What the strict decoder says names the field.
            raise problem from None


def _without_half_pairs(body: bytes) -> bytes:
    """The body with a replacement character for every unpaired surrogate.

    JSON can express them, and Unicode has no such character. One name that a program cut in the middle of an emoji must
    not hide the rest of the folder.
    """
    return _ESCAPE.sub(lambda found: rb"\ufffd" if found[1] else found[0], body)


def _describe(body: bytes, problem: Exception) -> str:
    start = body[:256].lstrip()
    if not start:
        return "it is empty"
    if start.startswith(b"<"):
        return _WEB_PAGE
    return str(problem)[:_MESSAGE_CHARS]


def check(request: PlannedRequest, response: BufferedResponse) -> None:
    """Raise the error that a response other than 2xx stands for, or a web page where none can be."""
    if not 200 <= response.status < 300:
        raise failure(request, response)
    if not request.binary and response.body[:256].lstrip().startswith(b"<"):
        raise UnexpectedAnswerError(
            f"the server's response has an unexpected form: {_WEB_PAGE}", method=request.method, path=request.path
        )


def failure(request: PlannedRequest, response: BufferedResponse) -> RequestFailedError:
    """The error that a response other than 2xx stands for; its body may be missing, or not JSON."""
    if 300 <= response.status < 400:
        return _redirect(request, response)
    error = _error_body(response.body)
    row = find(error.code) if error.code else None
    message = error.message or (row.message if row else None) or f"the server answered {response.status}"
    return error_class(response.status, error.code)(
        # In one line: a server must not be able to fake further lines of output.
        " ".join(message[:_MESSAGE_CHARS].splitlines()),
        status=response.status,
        code=error.code,
        method=request.method,
        path=request.path,
        request_id=response.headers.get(names.REQUEST_ID.lower()),
        retry_after=parse_retry_after(response.headers.get(names.RETRY_AFTER.lower())),
        body=response.body,
    )


def _error_body(body: bytes) -> ErrorBody:
    """Code and message of an error; a message in another form, or none, does not lose the code."""
    try:
        found = json.decode(body)
    except (DecodeError, UnicodeDecodeError, RecursionError):
        return ErrorBody()
    if not isinstance(found, dict):
        return ErrorBody()
    code, message = found.get("code"), found.get("message")
    text = message if isinstance(message, str) or message is None else json.encode(message).decode()
    return ErrorBody(code=str(code) if isinstance(code, str | int) and code != "" else None, message=text)


def _redirect(request: PlannedRequest, response: BufferedResponse) -> RequestFailedError:
    try:
        location = urlsplit(response.headers.get("location", ""))
        host = location.hostname and (f"[{location.hostname}]" if ":" in location.hostname else location.hostname)
        # Path and query can hold secrets.
        target = (
            f"{location.scheme or 'https'}://{host}{f':{location.port}' if location.port else ''}" if host else None
        )
    except ValueError:
        target = None
    return RedirectRefusedError(
        f"the server redirects to {target or 'another address'}; the session is not sent there",
        status=response.status,
        method=request.method,
        path=request.path,
        request_id=response.headers.get(names.REQUEST_ID.lower()),
    )

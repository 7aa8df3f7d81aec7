"""What to send and how to read what comes back, without any I/O.

`plan` makes a PlannedRequest from a row of the endpoint table; `read` turns a whole answer into its model, or
raises the error that it stands for. Everything that decides is here, so that it can be tested with bytes alone.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeVar
from urllib.parse import quote, urlsplit

from msgspec import DecodeError, Raw, Struct, ValidationError, json
from msgspec.structs import force_setattr

from skyshelf.client.engine.retries import parse_retry_after
from skyshelf.client.errors import (
    InvalidRequestError,
    RedirectRefusedError,
    RequestFailedError,
    UnexpectedAnswerError,
    error_class,
)
from skyshelf.client.hosts import Hosts
from skyshelf.wire import headers as names
from skyshelf.wire.encoding import header_fields, query_parameters
from skyshelf.wire.endpoint import AnswerKind, Endpoint
from skyshelf.wire.error_codes import ErrorBody, find
from skyshelf.wire.models import HeaderModel, QueryModel
from skyshelf.wire.refusals import Refusal

_Model = TypeVar("_Model")
_Struct = TypeVar("_Struct", bound=Struct)

ANSWER_BYTES_MAX: Final = 32 * 1024 * 1024
"""What an answer in JSON can be as a whole; a server must not be able to fill the memory of its clients."""

PAGE_BYTES_MAX: Final = 128 * 1024 * 1024
"""The same for pages of listings: the largest that can be asked for, of objects with the longest names."""

_MESSAGE_CHARS: Final = 300
# A pair of surrogates, half of one, or any other escape of JSON, which is looked at so that it is not cut in two.
_ESCAPE: Final = re.compile(
    rb"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(\\u[dD][89a-fA-F][0-9a-fA-F]{2})|\\."
)
_IDENTITY: Final = {"Accept-Encoding": "identity"}


class PlannedRequest(Struct, frozen=True, kw_only=True):
    """One request, ready to be sent; `repeatable` tells whether one that may have arrived can be sent again."""

    method: str
    url: str
    path: str
    headers: dict[str, str]
    body: bytes | None = None
    repeatable: bool = False
    binary: bool = False
    answer_bytes_max: int = ANSWER_BYTES_MAX

    def __repr__(self) -> str:
        # Headers hold the session, and the query can hold a nonce.
        return f"PlannedRequest({self.method} {self.path})"


class BufferedResponse(Struct, frozen=True):
    """An answer with all of its body; the names of headers are in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    def __repr__(self) -> str:
        return f"WholeAnswer({self.status}, {len(self.body)} bytes)"


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
    """The request of an endpoint: `body` is written as JSON, `content` is sent as it is; `keys` fill the path."""
    path = endpoint.url_path(**(keys or {}))
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
        # What is compressed on the way has another length than the one that is announced and checked.
        sent |= _IDENTITY
        sent.pop(names.CONTENT_TYPE, None)
        if headers is None or names.ACCEPT not in header_fields(headers):
            sent[names.ACCEPT] = "*/*"
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
    """A value of a query. A raw + would arrive as a blank, and not every server takes the two for the same."""
    return text if text.isascii() and text.isalnum() else quote(text, safe="")


def build_request_model(make: Callable[[], _Struct], **keys: str) -> _Struct:
    """A model of a request; what it refuses is an InvalidRequestError, as if the server had refused it.

    The models spell keys as our server stores them. Another one may know its keys in its own spelling alone, so
    that the `keys` go out as they came in.
    """
    try:
        model = make()
    except Refusal as wrong:
        raise InvalidRequestError(wrong.message, code=wrong.code) from None
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
            return _decoder(model).decode(body)
        except DecodeError:
            mended = _without_half_pairs(bytes(body))
            if mended == body:
                raise
            return _decoder(model).decode(mended)
    except (ValidationError, DecodeError, UnicodeDecodeError, RecursionError) as wrong:
        raise UnexpectedAnswerError(
            f"the server's answer has an unexpected form: {_what_is_wrong(bytes(body), wrong)}",
            method=request.method if request else None,
            path=request.path if request else None,
        ) from None


def _without_half_pairs(body: bytes) -> bytes:
    """The body with a mark in the place of every half pair of surrogates.

    JSON can say them and Unicode has no such character. One name that somebody's program has cut in the middle of an
    emoji must not hide everything else that is in the folder.
    """
    return _ESCAPE.sub(lambda found: rb"\ufffd" if found[1] else found[0], body)


def _what_is_wrong(body: bytes, wrong: Exception) -> str:
    begins = body[:256].lstrip()
    if not begins:
        return "it is empty"
    if begins.startswith(b"<"):
        # The page of a hotel's network, of a proxy, or of whatever else lives at the address.
        return "it is a web page, so that the address may be that of something else"
    return str(wrong)[:_MESSAGE_CHARS]


def read(model: type[_Model], request: PlannedRequest, answer: BufferedResponse) -> _Model:
    """The model that a success holds; raises what a failure stands for."""
    check(request, answer)
    return decode(model, answer.body, request)


def check(request: PlannedRequest, answer: BufferedResponse) -> None:
    """Raise what a failure stands for."""
    if not 200 <= answer.status < 300:
        raise failure(request, answer)


def failure(request: PlannedRequest, answer: BufferedResponse) -> RequestFailedError:
    """The error that an answer other than 2xx stands for; its body need not be JSON, nor be there."""
    if 300 <= answer.status < 400:
        return _redirect(request, answer)
    error = _error_body(answer.body)
    row = find(error.code) if error.code else None
    message = error.message or (row.message if row else None) or f"the server answered {answer.status}"
    return error_class(answer.status, error.code)(
        # In one line: whoever shows it must not be made to show lines that are not ours.
        " ".join(message[:_MESSAGE_CHARS].splitlines()),
        status=answer.status,
        code=error.code,
        method=request.method,
        path=request.path,
        request_id=answer.headers.get(names.REQUEST_ID.lower()),
        retry_after=parse_retry_after(answer.headers.get(names.RETRY_AFTER.lower())),
        body=answer.body,
    )


def _error_body(body: bytes) -> ErrorBody:
    try:
        return json.decode(body, type=ErrorBody)
    except (ValidationError, DecodeError, UnicodeDecodeError, RecursionError):
        return ErrorBody()


def _redirect(request: PlannedRequest, answer: BufferedResponse) -> RequestFailedError:
    try:
        there = urlsplit(answer.headers.get("location", ""))
        host = there.hostname and (f"[{there.hostname}]" if ":" in there.hostname else there.hostname)
        # The rest may hold what opens something.
        target = f"{there.scheme or 'https'}://{host}{f':{there.port}' if there.port else ''}" if host else None
    except ValueError:
        target = None
    return RedirectRefusedError(
        f"the server redirects to {target or 'another address'}; the session is not sent there",
        status=answer.status,
        method=request.method,
        path=request.path,
        request_id=answer.headers.get(names.REQUEST_ID.lower()),
    )

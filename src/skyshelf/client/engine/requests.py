"""Building requests and reading responses, without I/O.

`plan` builds a PlannedRequest from a row of the endpoint table, `decode` reads a body into its model, and `check`
raises the error that a response stands for.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any, Final, ParamSpec, TypedDict, TypeVar, Unpack
from urllib.parse import quote, urlsplit

from msgspec import DecodeError, Raw, Struct, ValidationError, json
from msgspec.structs import force_setattr

from skyshelf.client import errors
from skyshelf.client.engine.retries import parse_retry_after
from skyshelf.client.engine.tolerance import read_tolerantly
from skyshelf.client.hosts import Hosts
from skyshelf.client.http.messages import ANSWER_BYTES_MAX, BufferedResponse, PlannedRequest
from skyshelf.wire import headers as names
from skyshelf.wire.endpoint import AnswerKind, Endpoint
from skyshelf.wire.error_codes import BAD_KEY, ErrorBody, find
from skyshelf.wire.models import HeaderModel, QueryModel, parameters
from skyshelf.wire.refusals import Refusal

_Model = TypeVar("_Model")
_Struct = TypeVar("_Struct", bound=Struct)
_Fields = ParamSpec("_Fields")

PAGE_BYTES_MAX: Final = 128 * 1024 * 1024
"""The largest page of a listing: as many objects as can be requested, with the longest names."""

_MESSAGE_CHARS: Final = 300
# A captive portal, a proxy, or something else at that address.
_WEB_PAGE: Final = "it is a web page; check the server's address"
# A surrogate pair, half of one, or any other JSON escape, which is matched so it is not split.
_ESCAPE: Final = re.compile(
    rb"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(\\u[dD][89a-fA-F][0-9a-fA-F]{2})|\\."
)
_OF_ERRORS: Final = ("code", "error")
_NO_ERROR: Final = (b"0", b'""', b"false")
_NULL: Final = Raw(b"null")
_LONG_BYTES: Final = 16 * 1024
_FIRST_LIST: Final = re.compile(rb'\s*\{\s*"(\w+)"\s*:\s*\[')
_NOTHING_BYTES_MAX: Final = len(b"false")
_RANGE: Final = "Range"
_IDENTITY: Final = {"Accept-Encoding": "identity"}


class RequestParts(TypedDict, total=False):
    """What a request consists of besides its endpoint.

    `keys` fill in the path. `body` is encoded as JSON; `content` is sent as it is, with its `content_type`.
    """

    query: QueryModel | None
    headers: HeaderModel | None
    body: object
    content: bytes
    content_type: str
    keys: Mapping[str, str]


def plan(endpoint: Endpoint, hosts: Hosts, session: Mapping[str, str], **parts: Unpack[RequestParts]) -> PlannedRequest:
    query, body, content = parts.get("query"), parts.get("body"), parts.get("content")
    try:
        path = endpoint.url_path(**parts.get("keys", {}))
    except ValueError as problem:
        raise errors.InvalidRequestError(str(problem), code=BAD_KEY.code) from None
    url = hosts.base(endpoint.host) + path
    if query is not None:
        url += "?" + "&".join(f"{name}={_quoted(value)}" for name, value in parameters(query).items())
    sent = dict(session)
    if "content_type" in parts:
        sent[names.CONTENT_TYPE] = parts["content_type"]
    headers = parts.get("headers")
    if headers is not None:
        sent |= parameters(headers)
    binary = any(answer.kind is AnswerKind.BINARY for answer in endpoint.answers.values())
    if binary:
        # Compressed content would not have the length that is announced and checked.
        sent |= _IDENTITY
    return PlannedRequest(
        method=endpoint.method,
        url=url,
        path=path,
        headers=sent,
        endpoint=endpoint,
        body=content if content is not None else None if body is None else json.encode(body),
        repeatable=endpoint.idempotent,
        binary=binary,
        answer_bytes_max=PAGE_BYTES_MAX if hasattr(query, "limit") else ANSWER_BYTES_MAX,
    )


def _quoted(text: str) -> str:
    """Quote a query value. A raw + would be decoded as a space, which is not the same name."""
    if text.isascii() and text.replace(",", "").isalnum():
        # Keys, one or several: much faster than the general case.
        return text.replace(",", "%2C")
    return quote(text, safe="")


def checked(make: Callable[_Fields, _Struct], *args: _Fields.args, **fields: _Fields.kwargs) -> _Struct:
    """Build a request model; values that it refuses raise InvalidRequestError, as if the server had refused them.

    Keys are sent as they are given: models normalise them to our server's spelling, and another server may only know
    its own.
    """
    try:
        model = make(*args, **fields)
    except Refusal as refusal:
        raise errors.InvalidRequestError(refusal.message, code=refusal.code) from None
    for name in getattr(model, "key_names", ()):
        if name in fields:
            force_setattr(model, name, fields[name])
    return model


_DECODERS: Final[dict[object, "json.Decoder[Any]"]] = {}


def _decoder(model: type[_Model]) -> "json.Decoder[_Model]":
    known = _DECODERS.get(model)
    return known if known is not None else _DECODERS.setdefault(model, json.Decoder(model))


def decode(model: type[_Model], body: bytes | Raw, request: PlannedRequest | None = None) -> _Model:
    """Decode the model in a body, or raise UnexpectedAnswerError."""
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
        raise errors.UnexpectedAnswerError(
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
            # The strict decoder's message names the field.
            raise problem from None


def _without_half_pairs(body: bytes) -> bytes:
    """Replace every unpaired surrogate of a body with the replacement character.

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
    """Raise the error that a response stands for, unless it is a success: its status alone does not make it one."""
    if not 200 <= response.status < 300:
        raise failure(request, response)
    if response.status == 206 and _RANGE not in request.headers:
        raise errors.UnexpectedAnswerError(
            "the server sent only a part of its response, which was not requested",
            method=request.method,
            path=request.path,
        )
    if request.binary or _is_long_page(request, response.body):
        return
    if response.body[:256].lstrip().startswith(b"<"):
        problem: str | None = f"the server's response has an unexpected form: {_WEB_PAGE}"
    else:
        problem = _missing(request, response.body)
    if problem is not None:
        raise errors.UnexpectedAnswerError(problem, method=request.method, path=request.path)


def _is_long_page(request: PlannedRequest, body: bytes) -> bool:
    """Whether a long body begins with a list that makes it a success: it is decoded later, and not read twice."""
    if len(body) < _LONG_BYTES or request.endpoint is None:
        return False
    first = _FIRST_LIST.match(body)
    return first is not None and first[1].decode("ascii") in request.endpoint.must_have


def _missing(request: PlannedRequest, body: bytes) -> str | None:
    """Return what keeps a response of status 2xx from being a success, by the endpoint's row in the table.

    A response that says nothing, or an error, is not an empty folder: a sync would delete what seems to be gone.
    """
    endpoint = request.endpoint
    must_have = endpoint.must_have if endpoint is not None else ()
    try:
        members = decode(dict[str, Raw], body, request)
    except errors.UnexpectedAnswerError:
        if must_have:
            raise
        # A bare list, or a body that the interface does not define, and that may be missing.
        return None
    if any(_is_given(members, name) for name in must_have):
        if any(body.count(b'"%s"' % name.encode()) > 1 for name in must_have):
            refuse_repeated_members(body)
        return None
    if endpoint is not None and endpoint.may_be_bare and not members:
        return None
    if any(_is_given(members, name, *_NO_ERROR) for name in _OF_ERRORS):
        said = json.encode({name: members[name] for name in (*_OF_ERRORS, "message") if name in members})
        text = said[:_MESSAGE_CHARS].decode("utf-8", "replace")
        return f"the server's response is an error, though its status is that of a success: {text}"
    if must_have:
        wanted = " or ".join(f'"{name}"' for name in must_have)
        return f"the server's response says nothing about what was requested: {wanted} is missing"
    return None


def _is_given(members: Mapping[str, Raw], name: str, *nothing: bytes) -> bool:
    value = members.get(name, _NULL)
    # Other values are long, and are not copied.
    return len(value) > _NOTHING_BYTES_MAX or bytes(value) not in (b"null", *nothing)


def refuse_repeated_members(body: bytes) -> None:
    """Refuse JSON with the same member twice: it means whatever a reader makes of it."""
    from json import JSONDecodeError, loads

    def members(pairs: list[tuple[str, object]]) -> None:
        given = [name for name, _ in pairs]
        if len(set(given)) != len(given):
            twice = next(name for name in given if given.count(name) > 1)
            raise errors.UnexpectedAnswerError(f"the server's response contradicts itself: it has {twice[:80]!r} twice")

    try:
        loads(body, object_pairs_hook=members)
    except (JSONDecodeError, UnicodeDecodeError, RecursionError, ValueError):
        # Whether it is valid JSON was checked before.
        return


def failure(request: PlannedRequest, response: BufferedResponse) -> errors.RequestFailedError:
    """Return the error that a response other than 2xx stands for; its body may be missing, or not JSON."""
    if 300 <= response.status < 400:
        return _redirect(request, response)
    error = _error_body(response.body)
    row = find(error.code) if error.code else None
    message = error.message or (row.message if row else None) or f"the server answered {response.status}"
    return errors.error_class(response.status, error.code)(
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
    """Read code and message of an error; a message in another form, or none, does not lose the code."""
    try:
        found = json.decode(body)
    except (DecodeError, UnicodeDecodeError, RecursionError):
        return ErrorBody()
    if not isinstance(found, dict):
        return ErrorBody()
    code, message = found.get("code"), found.get("message")
    text = message if isinstance(message, str) or message is None else json.encode(message).decode()
    return ErrorBody(code=str(code) if isinstance(code, str | int) and code != "" else None, message=text)


def _redirect(request: PlannedRequest, response: BufferedResponse) -> errors.RequestFailedError:
    try:
        location = urlsplit(response.headers.get("location", ""))
        host = location.hostname and (f"[{location.hostname}]" if ":" in location.hostname else location.hostname)
        # Path and query can hold secrets.
        target = (
            f"{location.scheme or 'https'}://{host}{f':{location.port}' if location.port else ''}" if host else None
        )
    except ValueError:
        target = None
    return errors.RedirectRefusedError(
        f"the server redirects to {target or 'another address'}; the session is not sent there",
        status=response.status,
        method=request.method,
        path=request.path,
        request_id=response.headers.get(names.REQUEST_ID.lower()),
    )

"""The largest request of an endpoint, derived from its models: every text as long and every list as full as allowed."""

from collections.abc import Callable, Iterator, Mapping
from itertools import count
from typing import Any
from urllib.parse import quote, urlencode

import msgspec
from msgspec import inspect
from tests.server.good_calls import GoodCall

from skyshelf.wire.endpoint import BodyKind, Endpoint
from skyshelf.wire.limits import (
    HEADER_BYTES_MAX,
    JSON_VALUES_MAX,
    NAME_BYTES_MAX,
    TARGET_BYTES_MAX,
)
from skyshelf.wire.models import PLAIN_TEXT

Json = Any
Pool = Callable[[str, str, int], list[str]]
"""Keys for a field of an endpoint, so many of them: those that exist first."""

_KEY_PATTERN = "^[0-9A-Fa-f]{32}$"
_KEY_CHARS = 32
_WHOLE = 2**53 - 1
_COMMON_BYTES = 1200
"""Bytes of headers that every call sends, and of the request line besides its target."""
_numbers = count(1)

KEPT = {
    "password": "another one is refused",
    "oldPassword": "another one is refused",
    "newPassword": "later calls log in with it",
    "code": "another one is refused",
    "token": "another one is refused",
    "jwt": "another one is refused",
    "refreshToken": "another one is refused",
    "credential": "a browser signs it",
    "passkey": "a browser signs it",
    "confirmation": "it holds a password",
    "deviceKey": "another one is refused",
    "emailId": "an address has a form, and each names somebody",
    "provider": "others are not offered",
    "issuer": "others are not known",
    "revokeAll": "with it, the other field is refused",
    "version": "the only one",
    "to": "it takes the place of toNumber",
    "toNumber": "it takes the place of to",
    "session": "an identifier of a fixed form",
    "at": "a time that is kept",
    "since": "a time that is kept",
    "oldSize": "of the log",
    "number": "of the log",
    "size": "of the content, or of the log",
    "hash": "of the content",
    "uploadId": "the one that was begun",
    "u": "a token",
    "expectedVersion": "the only one",
    "endDate": "it follows the begin",
    "expiresDate": "a delegation ends within some days",
    "startDate": "it comes before the end",
    "imageUrl": "an address has a form",
    "actionUrl": "an address has a form",
    "name": "of a brake, or free text, which others have",
    "hours": "so many, or refused",
    "days": "so many, or refused",
    "cursor": "the page before it gives one",
    "Last-Event-ID": "a cursor",
    "rights": "others are not for every link",
    "maxUploads": "only for links that take files",
    "maxUploadBytes": "only for links that take files",
    "nextPageDate": "a time has a form",
    "os": "one of few",
    "year": "one that is not empty",
    "month": "one that is not empty",
    "Sec-Fetch-Site": "a browser sends it",
    "X-Offset": "where the list begins",
    "Content-MD5": "of the content",
    "X-Welcome-Token": "another one is refused",
    "seconds": "the stream would last as long",
    "nonce": "another one is refused",
    "language": "one of few",
    "quota": "another one is the operator's choice",
}
"""Fields whose value decides whether a request is valid at all, each with the reason; they stay as in the good call."""


class Underivable(Exception):
    """A field has no largest value: its model lacks a limit, or this module a rule for its type."""


_WORDS = " ".join(f"{number * 7919 % 17576:04x}" for number in range(20_000))


def words(length: int) -> str:
    """A text of so many characters: different short words, so that each is one to look for."""
    begin = next(_numbers) % 1000
    return _WORDS[begin : begin + length - 1] + "x"


def a_name(length: int = NAME_BYTES_MAX) -> str:
    """A name that no other object has, as long as a name can be."""
    head = f"{next(_numbers):08d} "
    return head + words(length - len(head) - 4) + ".txt"


class Builder:
    """Builds what one call sends; open texts share what is left of the bytes that are allowed."""

    def __init__(self, endpoint: Endpoint, good: GoodCall, pool: Pool, choice: int = 0) -> None:
        self._endpoint = endpoint
        self._good = good
        self._pool = pool
        self._choice = choice
        self._open = 0
        self._open_chars = 0

    # Bodies

    def body(self) -> bytes:
        """The good body with every list full, every free text as long as allowed, and ballast up to the last byte."""
        most = self._endpoint.body_bytes_max
        given = self._good.body
        built = self._built(given)
        if self._open:
            self._open_chars = max(0, (most - len(_encoded(built)) - 100) // self._open)
            built = self._built(given)
        body = _encoded(built)
        return _with_ballast(built, body, most) if isinstance(built, dict) else body

    def _built(self, given: Json) -> Json:
        self._open = 0
        return self._value(inspect.type_info(self._endpoint.body), "", given)

    def _value(self, kind: inspect.Type, name: str, given: Json) -> Json:
        if isinstance(kind, inspect.Metadata):
            if kind.extra_json_schema and kind.extra_json_schema.get("pattern") == _KEY_PATTERN:
                return given
            if kind.extra_json_schema and kind.extra_json_schema.get("maxLength") == NAME_BYTES_MAX:
                return a_name()
            return self._value(kind.type, name, given)
        if isinstance(kind, inspect.UnionType):
            (kind, *_) = [one for one in kind.types if not isinstance(one, inspect.NoneType)]
            return self._value(kind, name, given)
        if isinstance(kind, inspect.StructType):
            return self._object(kind, given if isinstance(given, dict) else {})
        if isinstance(kind, inspect.ListType):
            return self._list(kind, name, given)
        if isinstance(kind, inspect.StrType):
            return self._text(kind, name, given)
        if isinstance(kind, inspect.IntType):
            return kind.le if kind.le is not None else _WHOLE
        if isinstance(kind, inspect.BoolType):
            return given if given is not None else True
        if isinstance(kind, inspect.LiteralType):
            return given if given is not None else kind.values[0]
        if isinstance(kind, inspect.EnumType):
            return list(kind.cls)[self._choice % len(kind.cls)].value
        raise Underivable(f"{self._endpoint.name}: no rule for {name} of type {kind}")

    def _object(self, kind: inspect.StructType, given: Mapping[str, Json]) -> dict[str, Json]:
        built: dict[str, Json] = {}
        for field in kind.fields:
            name = field.encode_name
            if name in KEPT or _is_key(field.type):
                if name in given:
                    built[name] = given[name]
            else:
                built[name] = self._value(field.type, name, given.get(name))
        return built

    def _list(self, kind: inspect.ListType, name: str, given: Json) -> list[Json]:
        most = kind.max_length
        if most is None:
            raise Underivable(f"{self._endpoint.name}: the list {name} has no limit")
        if not most:
            return []
        item = kind.item_type
        if name.endswith(("Keys", "Ids")):
            return self._pool(self._endpoint.name, name, most)
        first = given[0] if given else {}
        if isinstance(item, inspect.StructType):
            built = [self._object(item, first) for _ in range(most)]
            self._put_keys(built)
            return built
        return [self._value(item, name, first) for _ in range(most)]

    def _put_keys(self, built: list[dict[str, Json]]) -> None:
        """Let each item name another object, where items name objects."""
        holders = [one.get("object", one) for one in built]
        if holders and isinstance(holders[0], dict) and "objectKey" in holders[0]:
            name = str(built[0].get("operation", ""))
            for holder, key in zip(holders, self._pool(self._endpoint.name, name, len(holders)), strict=True):
                holder["objectKey"] = key

    def _text(self, kind: inspect.StrType, name: str, given: Json) -> str:
        if kind.max_length is not None:
            return words(kind.max_length) if _is_free(kind) else given or "x" * kind.max_length
        if name in OPEN:
            return OPEN[name](given)
        self._open += 1
        return "c" * self._open_chars

    # Queries and headers

    def queries(self) -> Iterator[tuple[str, dict[str, str]]]:
        """The good query with the largest page, and one with everything that can be asked at once."""
        yield "page", self._good.params | dict(self._parameters(self._endpoint.query, {"limit"}))
        everything = dict(self._parameters(self._endpoint.query, None))
        if everything.keys() - self._good.params.keys() - {"limit"}:
            yield "everything", self._good.params | everything

    def _parameters(self, model: type | None, only: set[str] | None) -> Iterator[tuple[str, str]]:
        for field in inspect.type_info(model).fields if model else ():  # type: ignore[attr-defined]
            name, kind = field.encode_name, _without_none(field.type)
            if name == "objectKeys":
                assert isinstance(kind, inspect.StrType)
                most = ((kind.max_length or 0) + 1) // (_KEY_CHARS + 1)
                yield name, ",".join(self._pool(self._endpoint.name, name, most))
            elif name in KEPT or name in self._good.headers or (only is not None and name not in only):
                continue
            elif _is_key(field.type) or not _is_free(kind):
                continue  # the good call has one, or its absence asks for more
            elif isinstance(kind, inspect.StrType):
                yield name, words(kind.max_length if kind.max_length is not None else TARGET_BYTES_MAX // 4)
            elif isinstance(kind, inspect.IntType):
                yield name, str(kind.le if kind.le is not None else _WHOLE)
            elif isinstance(kind, inspect.BoolType):
                yield name, "true"
            elif isinstance(kind, inspect.LiteralType):
                yield name, str(kind.values[self._choice % len(kind.values)])
            else:
                raise Underivable(f"{self._endpoint.name}: no rule for {name} of type {kind}")

    def headers(self) -> dict[str, str]:
        """The good headers, and what is left of the bytes for those that the endpoint reads, and that all calls do."""
        chosen = dict(self._parameters_of_headers())
        given = {name.lower() for name in self._good.headers}
        every = [name for name in EVERY_CALL if name.lower() not in given]
        names = [*[name for name, text in chosen.items() if not text], *every]
        room = (HEADER_BYTES_MAX - _COMMON_BYTES - sum(map(len, self._good.headers.values()))) // len(names)
        return {
            **self._good.headers,
            **{name: text for name, text in chosen.items() if text},
            **{name: a_header(name, room - len(name) - 4) for name in names},
        }

    def _parameters_of_headers(self) -> Iterator[tuple[str, str]]:
        """Names, and values where they do not share what is left."""
        model = self._endpoint.headers
        for field in inspect.type_info(model).fields if model else ():  # type: ignore[attr-defined]
            kind = _without_none(field.type)
            if field.encode_name in KEPT or field.encode_name.lower() in self._good.headers:
                continue
            yield field.encode_name, str(kind.le) if isinstance(kind, inspect.IntType) else ""


def _texts(form: str, head: str = "", between: str = ",") -> Callable[[int], str]:
    def made(length: int) -> str:
        text = head + between.join(form.format(number) for number in range(length // (len(form) + 1)))
        return text[:length].rpartition(between)[0] or text[:length]

    return made


EVERY_CALL = ("Cookie", "User-Agent", "Accept-Language", "X-Forwarded-For")
"""Headers that the server may read of any call."""
_HEADERS = {
    "cookie": _texts("c{:04d}=x", between="; "),
    "accept-language": _texts("x{:04d};q=0.5"),
    "x-forwarded-for": _texts("192.0.2.1"),
    "if-none-match": _texts('"e{:04d}"'),
    "range": _texts("{0:04d}-{0:04d}", head="bytes="),
    "accept": _texts("image/x{:04d}"),
}


def a_header(name: str, length: int) -> str:
    """A header of so many bytes, with as many entries as fit into it."""
    return _HEADERS.get(name.lower(), words)(max(length, 10))


OPEN: dict[str, Callable[[Json], str]] = {
    "objectKey": lambda given: given,
    "objectName": lambda given: a_name(),
    "parentObjectKey": lambda given: given,
    "sourceName": lambda given: given or "DRIVE",
    "status": lambda given: "T",
    "vcards": lambda given: given,
}
"""Texts that bodies alone limit, and that mean something; all others share what is left of the body."""


def _is_key(kind: inspect.Type) -> bool:
    if isinstance(kind, inspect.UnionType):
        return any(map(_is_key, kind.types))
    return isinstance(kind, inspect.Metadata) and (kind.extra_json_schema or {}).get("pattern") == _KEY_PATTERN


def _is_free(kind: inspect.Type) -> bool:
    """Whether a text can be any text."""
    return not isinstance(kind, inspect.StrType) or kind.pattern in {None, PLAIN_TEXT}


def _without_none(kind: inspect.Type) -> inspect.Type:
    if isinstance(kind, inspect.Metadata):
        return _without_none(kind.type)
    if isinstance(kind, inspect.UnionType):
        return _without_none(next(one for one in kind.types if not isinstance(one, inspect.NoneType)))
    return kind


def _encoded(value: Json) -> bytes:
    return msgspec.json.encode(value)


def _with_ballast(built: dict[str, Json], body: bytes, most: int) -> bytes:
    """The body with a field that nobody reads: as many values as a body may have, and a text up to the last byte."""
    room = most - len(body) - len(b',"ballast":[],"text":""')
    if room < 0:
        return body
    values = min(room // 2, JSON_VALUES_MAX - body.count(b",") - 2)
    ballast = b",".join([b"1"] * values)
    text = b"t" * (room - len(ballast))
    begin = body[:-1] + (b"," if built else b"")
    return begin + b'"ballast":[' + ballast + b'],"text":"' + text + b'"}'


def choices_of(endpoint: Endpoint) -> int:
    """How many operations an item of the body's list can ask for, each of which is measured."""
    if endpoint.body_kind is not BodyKind.JSON:
        return 1
    found = [1]

    def walk(kind: inspect.Type) -> None:
        if isinstance(kind, inspect.EnumType):
            found.append(len(kind.cls))
        for part in getattr(kind, "types", ()):
            walk(part)
        for field in getattr(kind, "fields", ()):
            walk(field.type)
        for inner in ("type", "item_type"):
            if isinstance(getattr(kind, inner, None), inspect.Type):
                walk(getattr(kind, inner))

    walk(inspect.type_info(endpoint.body))
    return max(found)


def encoded_query(params: Mapping[str, str]) -> str:
    return urlencode(params, quote_via=quote)

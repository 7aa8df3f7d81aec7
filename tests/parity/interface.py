"""The calls of the interface, all made from its endpoint table: good ones, refused ones, and those at a wall."""

import json
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from itertools import count, cycle
from typing import cast

import httpx2
import pytest
from msgspec.structs import fields, replace
from tests.parity.observing import Step
from tests.parity.places import Mine, Moment, Served
from tests.server import good_calls_of_people, soft_passkeys
from tests.server.api import Api, logged_in, new_account
from tests.server.good_calls import GoodCall, Keys, furnish, good_call, removing_last
from tests.server.http.test_bad_bodies import BAD_FORMS, NOT_JSON, WRONG_TYPES, bad_values, changed, leaves, value_at
from tests.server.in_process import TestClient
from tests.server.test_walls import PLACES as PLACES_OF_KEYS
from tests.server.test_walls import UNKNOWN, with_key
from tests.server.uploading import form, md5

from skyshelf.wire.endpoint import BodyKind, Endpoint
from skyshelf.wire.endpoints import BY_NAME, ENDPOINTS

Send = Callable[[], httpx2.Response]
UNTIL_FOREIGN_COMMIT = (Moment.FIRST, Moment.AGAIN, Moment.AFTER_FOREIGN_COMMIT)
EVERY_MOMENT = tuple(Moment)

HEADERS_OF_READS: list[dict[str, str]] = [
    {"range": "bytes=1-2"},
    {"range": "bytes=9999999-"},
    {"if-none-match": "*"},
    {"if-none-match": '"another"'},
    {"if-range": '"another"', "range": "bytes=1-2"},
    {"if-modified-since": "Sun, 13 Sep 2037 12:26:40 GMT"},
    {"accept": "image/webp"},
    {"accept-encoding": "gzip"},
    {"cookie": "skyshelf_session=x; skyshelf_nonce=y"},
    {"x-request-id": "proposed-by-a-client"},
    {"x-forwarded-for": "203.0.113.5"},
    {"x-agent-session": "agent-0123456789abcdef"},
]
BAD_CREDENTIALS = [
    ("Authorization", "Basic"),
    ("Authorization", "Bearer x"),
    ("Authorization", "Basic ===="),
    ("X-User-Id", "0" * 32),
    ("X-Device-Key", "00000000-0000-0000-0000-000000000000"),
    ("X-Api-Key", "another"),
    ("X-App-Secret", "another"),
]
METADATA, FILE = "metadataString", "file"
KINDS = ("root", "folder", "file", "trashed", "board", "upload", "share_key", "archive", "passkey")


@contextmanager
def fresh_numbers() -> Iterator[None]:
    """Names and keys that tests number do not depend on what this process has run before."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(good_calls_of_people, "_numbers", count())
        patch.setattr(soft_passkeys, "_NUMBERS", count())
        yield


def account(running: Served, email: str = "ada@example.org") -> tuple[Api, Keys, Mine]:
    """A session of a new account that has one of everything."""
    api = logged_in(cast("TestClient", running.client), running.ctx, new_account(running.ctx, email))
    keys = furnish(api)
    return api, keys, Mine(api.account.account_id, keys.file)


def sending(api: Api, call: GoodCall, without: str = "", **headers: str) -> Send:
    """Sends the call, with headers replaced, added or left out."""
    content = call.content if call.body is None else json.dumps(call.body).encode()
    given = {**call.headers, **headers}
    return lambda: api.request(
        call.method, call.path, params=call.params, headers=given, content=content, without=(without,)
    )


def good_calls(running: Served, names: Collection[str] = BY_NAME) -> Iterator[Step]:
    """One good call of every endpoint."""
    api, keys, mine = account(running)
    for name in removing_last(names):
        endpoint = BY_NAME[name]
        call = good_call(name, api, keys)
        moments = EVERY_MOMENT if endpoint.method == "GET" else (Moment.FIRST,)
        yield Step(name, lambda call=call: call.send(api), mine, moments, endpoint.answers)  # type: ignore[misc]


def reads_with_other_headers(running: Served) -> Iterator[Step]:
    """Everything that can be read, with conditions and parts, and by other methods."""
    api, keys, mine = account(running)
    for endpoint in (one for one in ENDPOINTS if one.method == "GET"):
        call = good_call(endpoint.name, api, keys)
        first = call.send(api).headers
        moments = UNTIL_FOREIGN_COMMIT if "etag" in first else (Moment.FIRST,)
        tag = first.get("etag", '"none"')
        dated = {"if-modified-since": first.get("last-modified", "Sun, 13 Sep 2020 12:26:40 GMT")}
        for headers in (*HEADERS_OF_READS, {"if-none-match": tag}, {"if-range": tag, "range": "bytes=0-0"}, dated):
            name = f"{endpoint.name} {headers}"
            yield Step(name, sending(api, call, **headers), mine, moments)
        for method in ("HEAD", "OPTIONS"):
            yield Step(f"{method} {endpoint.name}", sending(api, replace(call, method=method)), mine, moments)


def refused_calls(running: Served) -> Iterator[Step]:
    """Calls without a header, without a field, and with values that are not what an endpoint takes."""
    api, keys, mine = account(running)
    values = BadValues()
    for name in removing_last(BY_NAME):
        endpoint, call = BY_NAME[name], good_call(name, api, keys)
        if endpoint.method == "GET":
            # Now there is something to remember.
            call.send(api)
        # By what is wrong: some values are bad in several ways.
        for what, send in dict(_bad_calls(endpoint, call, api, values)).items():
            yield Step(f"{name} {what}", send, mine)


class BadValues:
    """Bad bodies and values in turns: each endpoint gets some of them, and all are used."""

    def __init__(self) -> None:
        self.not_json = cycle(NOT_JSON.items())
        self.forms = cycle(BAD_FORMS.items())
        self.credentials = cycle(BAD_CREDENTIALS)
        self._wrong = cycle(WRONG_TYPES)

    def instead_of(self, value: object) -> object:
        return next(one for one in self._wrong if type(one) is not type(value))


def _bad_calls(endpoint: Endpoint, call: GoodCall, api: Api, values: BadValues) -> Iterator[tuple[str, Send]]:
    """What is wrong with each, and how it is sent."""
    required = [header.name for header in endpoint.required_headers]
    for header in (*required, "Authorization", *(one for one in call.headers if one != "host")):
        yield f"without {header}", sending(api, call, header)
    for header, value in (next(values.credentials) for _ in range(3)):
        yield f"with {header}: {value}", sending(api, call, **{header: value})
    yield "by another method", sending(api, replace(call, method="PATCH"))
    for parameter in endpoint.parameters:
        for key in ("x", UNKNOWN, UNKNOWN.lower()):
            yield f"of {parameter} {key}", sending(api, with_key(endpoint, call, "path", parameter, key))
    for field in fields(endpoint.query) if endpoint.query else ():
        for value in ("", *bad_values(field)[:3]):
            bad = replace(call, params={**call.params, field.encode_name: value})
            yield f"with {field.encode_name}={value[:40]}", sending(api, bad)
    for field in fields(endpoint.headers) if endpoint.headers else ():
        for value in [one for one in bad_values(field) if one.isascii() and one == one.strip()][:3]:
            yield f"with {field.encode_name}: {value[:40]}", sending(api, call, **{field.encode_name: value})
    if endpoint.body_kind is BodyKind.JSON:
        yield from _bad_bodies(call, api, values)
    elif endpoint.body_kind is not BodyKind.NONE:
        for what, content in (next(values.forms) for _ in range(5)):
            yield f"with {what}", sending(api, replace(call, content=content))
        yield "of another type", sending(api, call, **{"content-type": "text/plain"})


def _bad_bodies(call: GoodCall, api: Api, values: BadValues) -> Iterator[tuple[str, Send]]:
    for what, content in (next(values.not_json) for _ in range(3)):
        yield f"with {what}", sending(api, replace(call, body=None, content=content))
    for way in leaves(call.body):
        value = values.instead_of(value_at(call.body, way))
        yield f"with {value!r} at {way}", sending(api, replace(call, body=changed(call.body, way, value)))
    for field in call.body if isinstance(call.body, dict) else ():
        rest = {key: value for key, value in call.body.items() if key != field}
        yield f"without the field {field}", sending(api, replace(call, body=rest))


def uploads(running: Served) -> Iterator[Step]:
    """Uploads of a whole file, with each field of their metadata left out or wrong."""
    api, keys, mine = account(running)
    described = {"name": "new.txt", "size": 3, "hash": md5(b"abc"), "folderKey": keys.folder}
    bad: dict[str, object] = {"boardKey": keys.board, "folderKey": UNKNOWN, "name": "a/b", "size": 4, "hash": "0" * 32}
    metadata: dict[str, object] = {"good": described, "no object": [], "an empty object": {}}
    metadata |= {f"{field} {value}": {**described, field: value} for field, value in bad.items()}
    metadata |= {f"without {left}": {k: v for k, v in described.items() if k != left} for left in described}
    for what, given in metadata.items():
        text = json.dumps(given).encode()
        for order, parts in (
            ("", (METADATA, FILE)),
            (" behind the file", (FILE, METADATA)),
            (" twice", (METADATA, METADATA, FILE)),
        ):
            content, headers = form(*((part, text if part == METADATA else b"abc") for part in parts))
            call = GoodCall(method="POST", path=BY_NAME["upload"].path, headers=headers, content=content)
            yield Step(f"{what}{order}", sending(api, call), mine)


def walls(running: Served) -> Iterator[Step]:
    """Keys of somebody else, in every place where a key can stand; what they are of has just been read by its owner."""
    api, keys, mine = account(running)
    other, theirs, _ = account(running, "grace@example.org")
    for endpoint, part, name in PLACES_OF_KEYS:
        call = good_call(endpoint.name, api, keys)
        if endpoint.method == "GET":
            good_call(endpoint.name, other, theirs).send(other)
        for kind in KINDS:
            foreign = with_key(endpoint, call, part, name, getattr(theirs, kind))
            yield Step(f"{endpoint.name} {part} {name} of their {kind}", sending(api, foreign), mine)

"""Between accounts there is a wall: a key of somebody else is answered, byte by byte, like a key of nothing.

The calls come from the endpoint table, and the places where a key can stand from the models, so that an endpoint that
is added later is tested here without anybody thinking of it.
"""

import re
from collections.abc import Iterator
from typing import Any, get_args

import httpx2
import msgspec
import pytest
from msgspec.structs import fields, replace
from tests.server.api import Api
from tests.server.dav.app import DavApp
from tests.server.furnished import Furnished
from tests.server.good_calls import GoodCall, Keys, furnish, good_call
from tests.server.good_calls_of_people import PARTLY

from skyshelf.storage.metadata.sqlite.store import SqliteStore
from skyshelf.wire.endpoint import Access, Endpoint
from skyshelf.wire.endpoints import ENDPOINTS
from skyshelf.wire.keys import make_key

Json = Any
_KEY_NAME = re.compile(r"\w+_(keys?|ids?)")
# What these name is no thing of an account: a device of the caller's own, an address, a mark of the client's own.
_NO_KEYS = {"device_key", "email_id", "correlation_id"}
UNKNOWN = make_key(1_700_000_000_000, bytes(range(10)))


def model_key_fields(model: object) -> Iterator[str]:
    """The wire names of the fields of a model, at any depth, that hold a key."""
    if isinstance(model, type) and issubclass(model, msgspec.Struct):
        for field in fields(model):
            if _KEY_NAME.fullmatch(field.name) and field.name not in _NO_KEYS:
                yield field.encode_name
            yield from model_key_fields(field.type)
    for argument in get_args(model):
        yield from model_key_fields(argument)


def places(endpoint: Endpoint) -> list[tuple[str, str]]:
    """Where a key can stand in a call: the part of the request, and the name there."""
    found = [("path", name) for name in endpoint.parameters]
    found += [("query", name) for name in dict.fromkeys(model_key_fields(endpoint.query))]
    found += [("body", name) for name in dict.fromkeys(model_key_fields(endpoint.body))]
    return found


# An operator's calls name accounts and banners, which are the server's own; test_operator_calls.py has their wall.
PLACES = [
    (endpoint, part, name)
    for endpoint in ENDPOINTS
    if endpoint.access is not Access.OPERATOR
    for part, name in places(endpoint)
]
every_place = pytest.mark.parametrize(
    ("endpoint", "part", "name"), PLACES, ids=[f"{one.name}-{part}-{name}" for one, part, name in PLACES]
)


def in_body(body: Json, name: str, key: str) -> Json:
    """The body with the key in the place of that name, wherever it is."""
    if isinstance(body, list):
        return [in_body(one, name, key) for one in body]
    if not isinstance(body, dict):
        return body
    return {
        field: ([key] if isinstance(value, list) else key) if field == name else in_body(value, name, key)
        for field, value in body.items()
    }


def with_key(endpoint: Endpoint, call: GoodCall, part: str, name: str, key: str) -> GoodCall:
    """Return the call with another key in that place."""
    if part == "path":
        known = re.fullmatch(re.sub(r"\{(\w+)\}", r"(?P<\1>[^/]+)", endpoint.path), call.path)
        assert known is not None
        return replace(call, path=endpoint.url_path(**(known.groupdict() | {name: key})))
    if part == "query":
        assert name in call.params
        return replace(call, params={**call.params, name: key})
    if call.body is None:
        assert call.content is not None
        content = re.sub(rb'("%s": ")[0-9A-F]{32}' % name.encode(), rb"\g<1>" + key.encode(), call.content)
        assert key.encode() in content
        return replace(call, content=content)
    body = in_body(call.body, name, key)
    assert key in str(body)
    return replace(call, body=body)


def reported(response: httpx2.Response) -> tuple[int, bytes, dict[str, str]]:
    """All of an answer but what differs between any two: the id of the request, and keys."""
    headers = {name: value for name, value in response.headers.items() if name != "x-request-id"}
    return response.status_code, re.sub(rb"[0-9A-Fa-f]{32}", b"<key>", response.content), headers


def rows_of(api: Api | DavApp) -> dict[str, list[tuple[Any, ...]]]:
    """Every row of the account, in every table."""
    store = api.ctx.metadata
    assert isinstance(store, SqliteStore)
    with store.read() as unit:
        tables = [str(name) for (name,) in unit.sql.all("SELECT name FROM sqlite_master WHERE type = 'table'")]
        owned = {}
        for table in tables:
            columns = [str(row[1]) for row in unit.sql.all(f"PRAGMA table_info({table})")]
            if "account_id" in columns:
                text = f"SELECT * FROM {table} WHERE account_id = :account"
                owned[table] = sorted(unit.sql.all(text, {"account": api.account.account_id}), key=repr)
    assert len(owned["objects"]) >= 3
    return owned


def seen_by(api: Api, keys: Keys) -> list[bytes]:
    """What the owner sees."""
    paths = [
        f"/nms/metadata?folderKey={keys.root}",
        f"/nms/metadata?folderKey={keys.folder}",
        "/nms/trash",
        "/nms/collshare/byme",
        "/x/v1/shares",
        "/boards/sync/initial",
        f"/boards/{keys.board}",
        f"/invites/boards/{keys.board}/members",
        f"/nms/metadata/version/{keys.file}",
        "/security/users",
    ]
    answers = [api.get(path) for path in paths]
    assert {answer.status_code for answer in answers} == {200}
    return [answer.content for answer in answers]


@pytest.mark.parametrize("endpoint", ENDPOINTS, ids=[endpoint.name for endpoint in ENDPOINTS])
def test_every_endpoint_has_a_good_call(furnished_account: Furnished, endpoint: Endpoint) -> None:
    api, keys = furnished_account
    answer = good_call(endpoint.name, api, keys).send(api)
    assert answer.status_code in endpoint.answers, answer.text


def test_the_places_of_keys_are_found_in_every_model() -> None:
    found = {(endpoint.name, name) for endpoint, _, name in PLACES}
    assert found >= {
        ("listing", "folderKey"),
        ("default_view", "folderKey"),
        ("batch", "objectKey"),
        ("batch", "parentObjectKey"),
        ("restore", "objectKeys"),
        ("legacy_delete", "objectKeys"),
        ("create_folder", "parentObjectKey"),
        ("create_share", "objectKey"),
        ("upload", "folderKey"),
        ("initiate_upload", "folderKey"),
        ("upload_chunk", "uploadId"),
        ("download", "object_key"),
        ("board_details", "board_key"),
    }


@every_place
def test_a_key_of_somebody_else_is_answered_like_a_key_of_nothing(
    furnished_pair: list[Furnished], endpoint: Endpoint, part: str, name: str
) -> None:
    (api, mine), (other_api, theirs) = furnished_pair
    call = good_call(endpoint.name, api, mine)
    before = rows_of(other_api), seen_by(other_api, theirs)

    def answer(key: str) -> tuple[int, bytes, dict[str, str]]:
        return reported(with_key(endpoint, call, part, name, key).send(api))

    unknown = answer(UNKNOWN)
    for kind in ("root", "folder", "file", "trashed", "board", "upload", "share_key", "archive", "passkey"):
        key: str = getattr(theirs, kind)
        assert answer(key) == unknown, f"their {kind}"
        assert answer(key.lower()) == unknown, f"their {kind}, in lower case"
    if part == "path":
        people = theirs.people
        for key in (people.comment, people.link, people.invitation, people.member, people.contact):
            assert answer(key) == unknown
    assert (rows_of(other_api), seen_by(other_api, theirs)) == before
    partly = {"create_board", "legacy_delete", "batch", "restore", *PARTLY, "purge", "contents", "upload_many"}
    partly |= {"placeholders", "photo_facts", "locations", "covers", "copy", "executable", "remove_versions"}
    partly |= {"flat_batch", "trash_objects"} | ({"board_addition"} if part == "body" else set())
    partly |= {"board_contributors"} if part == "query" else set()
    if endpoint.name not in partly:
        assert unknown[0] == 404


@pytest.mark.parametrize("operation", ["SETFAV", "UNSETFAV", "RENAME", "MOVE", "TRASH"])
def test_no_operation_of_a_batch_reaches_through_the_wall(furnished_pair: list[Furnished], operation: str) -> None:
    (api, mine), (other_api, theirs) = furnished_pair
    before = rows_of(other_api)

    def answer(key: str) -> tuple[int, bytes, dict[str, str]]:
        echo = {"objectName": "x", "sourceName": "DRIVE", "status": "T", "parentObjectKey": mine.folder}
        entry = {"operation": operation, "correlationId": "c", "object": {**echo, "objectKey": key}}
        return reported(api.put("/nms/metadata/1.0", json={"objects": [entry]}))

    unknown = answer(UNKNOWN)
    assert b'"errorCode":"SKY3000"' in unknown[1]
    assert [answer(key) for key in (theirs.root, theirs.folder, theirs.file, theirs.trashed)] == [unknown] * 4
    assert rows_of(other_api) == before


def test_a_nonce_opens_no_download_of_another_account(api: Api, other_api: Api) -> None:
    theirs = furnish(other_api)
    nonce = api.post("/security/getokenforcookie", json={"jwt": api.login["jwt"]}).json()["nonce"]
    for path in ("/download/files", "/download/avimages"):
        foreign = api.client.get(f"{path}/{theirs.file}", params={"nonce": nonce})
        unknown = api.client.get(f"{path}/{UNKNOWN}", params={"nonce": nonce})
        assert reported(foreign) == reported(unknown)
        assert foreign.status_code == 404


def test_feeds_and_lists_show_nothing_of_another_account(api: Api, other_api: Api) -> None:
    furnish(other_api)
    assert api.get("/nms/metadata/recent/objects").json() == {"objectsImgs": [], "objectsDocs": []}
    assert api.get("/nms/trash").json()["objects"] == []
    assert api.get("/nms/collshare/byme").json() == {"objects": []}
    assert api.get("/nms/headless/linkedapp/metadata").json() == {"objects": []}
    assert api.get("/boards/sync/initial").json() == {"boards": []}

"""Bodies of the batch call that are not what it takes: refused as a whole, and nothing is applied."""

import json
from typing import Any

import pytest
from tests.server.api import Api, error_of
from tests.server.echoes import batch, echo_of, entry, listed, names, refusals

PATH = "/nms/metadata/1.0"
PROPER = {"objectKey": "0" * 32, "objectName": "a", "sourceName": "DRIVE", "status": "T"}


IMPROPER: list[Any] = [
    None,
    [],
    "text",
    7,
    {},
    {"objects": None},
    {"objects": []},
    {"objects": {}},
    {"objects": [None]},
    {"objects": ["TRASH"]},
    {"objects": [{}]},
    {"objects": [{"operation": "TRASH"}]},
    {"objects": [{"object": PROPER}]},
    {"objects": [{"operation": "TRASH", "object": None}]},
    {"objects": [{"operation": "TRASH", "object": []}]},
    {"objects": [{"operation": "TRASH", "object": {}}]},
    {"objects": [{"operation": "TRASH", "object": {"objectKey": None}}]},
    {"objects": [{"operation": "TRASH", "object": {"objectKey": 7}}]},
    {"objects": [{"operation": "TRASH", "object": PROPER | {"objectName": 7}}]},
    {"objects": [{"operation": "TRASH", "object": PROPER | {"sourceName": []}}]},
    {"objects": [{"operation": "TRASH", "object": PROPER | {"status": True}}]},
    {"objects": [{"operation": "TRASH", "object": PROPER, "correlationId": 7}]},
    {"objects": [{"operation": None, "object": PROPER}]},
    {"objects": [{"operation": 7, "object": PROPER}]},
    {"objects": [{"operation": "trash", "object": PROPER}]},
    {"objects": [{"operation": "DELETE", "object": PROPER}]},
    {"objects": [{"operation": "", "object": PROPER}]},
]


def test_what_is_not_a_list_of_known_operations_on_keyed_objects_is_refused(api: Api) -> None:
    for body in IMPROPER:
        answer = api.put(PATH, content=json.dumps(body))
        assert error_of(answer) == (400, "NMSOM0135"), body
        assert answer.json()["message"] == "Request is not proper"


def test_one_unknown_operation_refuses_the_whole_call_and_nothing_is_applied(api: Api) -> None:
    file = api.file("a.txt")
    echo = echo_of(api, file.object_key)
    body = {"objects": [entry("RENAME", echo, objectName="b.txt"), entry("EXPLODE", echo)]}
    assert error_of(api.put(PATH, json=body)) == (400, "NMSOM0135")
    assert names(listed(api)) == ["a.txt"]


def test_more_than_two_thousand_entries_are_refused(api: Api) -> None:
    entries = [{"operation": "TRASH", "object": PROPER}] * 2001
    assert error_of(api.put(PATH, json={"objects": entries})) == (400, "NMSOM0135")
    assert len(refusals(batch(api, *entries[:2000]))) == 2000


NOT_JSON = [
    b"",
    b"{",
    b"nonsense",
    b"\xff\xfe",
    b'{"objects": [{"operation": "TRASH", "object": {"objectKey": "\xff"}}]}',
    b'{"objects": [{"operation": "TRASH", "object": {"objectKey": "0", "other": "\xc3\x28"}}]}',
    b'{"objects": [{"operation": "TRASH", "object": {"objectKey": "\\ud800"}}]}',
    "\ufeff{}".encode(),
    '{"objects": []}'.encode("utf-16"),
    b'{"objects": [],}',
    b'{"objects": NaN}',
]


def test_what_is_not_json_in_utf_8_is_refused(api: Api) -> None:
    for body in NOT_JSON:
        assert error_of(api.put(PATH, content=body)) == (400, "NMSOM0135"), body


@pytest.mark.parametrize("nested", [b"[" * 100_000, b'{"objects":' * 100_000, b'{"objects":[' * 50_000])
def test_deep_nesting_is_refused_and_does_no_harm(api: Api, nested: bytes) -> None:
    assert error_of(api.put(PATH, content=nested)) == (400, "NMSOM0135")


def test_deep_nesting_in_an_unknown_field_does_no_harm(api: Api) -> None:
    deep = b"[" * 200_000 + b"]" * 200_000
    body = b'{"objects": [{"operation": "TRASH", "object": {"objectKey": "0", "other": ' + deep + b"}}]}"
    answer = api.put(PATH, content=body)
    assert (answer.status_code, answer.json()["code"]) == (400, "NMSOM0135")


def test_the_last_of_duplicate_fields_counts(api: Api) -> None:
    file = api.file("a.txt")
    echo = json.dumps(echo_of(api, file.object_key))
    doubled = echo[:-1] + ', "objectName": "b.txt", "objectName": "c.txt"}'
    answer = api.put(PATH, content=f'{{"objects": [{{"operation": "RENAME", "object": {doubled}}}]}}')
    assert answer.status_code == 200
    assert names(listed(api)) == ["c.txt"]


def test_a_name_with_a_lone_surrogate_never_gets_into_the_tree(api: Api) -> None:
    file = api.file("a.txt")
    echo = json.dumps(echo_of(api, file.object_key) | {"objectName": "?"}).replace("?", "\\ud83d")
    answer = api.put(PATH, content=f'{{"objects": [{{"operation": "RENAME", "object": {echo}}}]}}')
    assert error_of(answer) == (400, "NMSOM0135")
    assert names(listed(api)) == ["a.txt"]


@pytest.mark.parametrize(
    ("method", "path"),
    [("PUT", PATH), ("PUT", "/nms/metadata/restore"), ("PUT", "/nms/metadata/delete"), ("POST", "/nms/folders")],
)
def test_a_body_of_a_hundred_megabytes_is_refused(api: Api, method: str, path: str) -> None:
    assert error_of(api.request(method, path, content=b"[" + b" " * 100_000_000 + b"]")) == (413, "SKY1005")


def test_a_body_without_a_length_is_refused_when_it_grows_too_large(api: Api) -> None:
    pieces = (b" " * 1_000_000 for _ in range(100))
    assert error_of(api.put(PATH, content=pieces)) == (413, "SKY1005")

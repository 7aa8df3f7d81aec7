"""The order of checks on the metadata, boards, contacts and messaging hosts: headers, session, request, object."""

import json
from typing import Any

import pytest
from tests.server.api import Api, error_of
from tests.server.in_process import TestClient

from skyshelf.wire.endpoint import BodyKind, Endpoint, Host
from skyshelf.wire.endpoints import BY_NAME

NAMES = [
    "default_view", "listing", "batch", "restore", "trash", "legacy_delete", "versions", "create_folder", "recent",
    "spotlights", "shared_by_me", "linked_app", "recent_tags", "object_tags", "supported_documents", "board_list",
    "create_board", "board_details", "board_members", "leave_board", "contacts", "contact_emails", "banners",
    "short_default_view", "category", "object_info", "keyword", "flat_batch", "trash_objects", "board_addition",
]  # fmt: skip
ENDPOINTS = [BY_NAME[name] for name in NAMES]
every_endpoint = pytest.mark.parametrize("endpoint", ENDPOINTS, ids=NAMES)


def _call(endpoint: Endpoint) -> tuple[str, str]:
    return endpoint.method, endpoint.url_path(**dict.fromkeys(endpoint.parameters, "0" * 32))


def test_no_endpoint_of_these_hosts_is_left_out() -> None:
    hosts = {Host.BOARDS, Host.CONTACTS, Host.MESSAGING, Host.METADATA}
    of_the_interface = {one.name for one in BY_NAME.values() if one.host in hosts and not one.path.startswith("/x/")}
    assert of_the_interface - set(NAMES) == {"create_share"}


@every_endpoint
def test_required_headers_come_first_even_without_a_session(anonymous: TestClient, endpoint: Endpoint) -> None:
    method, path = _call(endpoint)
    content_type = "BRSOM0036" if endpoint.host is Host.BOARDS else "NMSOM0003"
    for headers, code in [
        ({}, content_type),
        ({"Accept-Language": "en"}, content_type),
        ({"Accept-Language": "en", "Content-Type": " "}, content_type),
        ({"Content-Type": "application/json"}, "NMSOM0001"),
        ({"Content-Type": "application/json", "Accept-Language": ""}, "NMSOM0001"),
    ]:
        request = anonymous.build_request(method, path, headers=headers)
        if "Accept-Language" not in headers:
            request.headers.pop("Accept-Language", None)
        assert error_of(anonymous.send(request)) == (400, code), headers


@every_endpoint
def test_the_session_comes_before_the_request(anonymous: TestClient, endpoint: Endpoint) -> None:
    method, path = _call(endpoint)
    headers = {"Content-Type": "application/json", "Accept-Language": "en", "Authorization": "Basic nonsense"}
    answer = anonymous.request(method, f"{path}?limit=nonsense&page=x", headers=headers, content=b"not JSON")
    assert error_of(answer) == (401, "TEJGA0401")


def test_the_request_comes_before_the_object(api: Api) -> None:
    unknown = "0" * 32
    for path in [f"/nms/metadata?folderKey={unknown}&limit=0", f"/boards/{unknown}?limit=0"]:
        assert error_of(api.get(path)) == (400, "SKY1000"), path
    assert error_of(api.put(f"/invites/boards/{unknown}/unjoin", json={})) == (400, "SKY1000")
    body = {"objectName": "", "parentObjectKey": unknown}
    assert error_of(api.post("/nms/folders", json=body)) == (400, "SKY1002")


def test_a_body_is_not_read_before_the_session_is_known(anonymous: TestClient) -> None:
    headers = {"Content-Type": "application/json", "Accept-Language": "en"}
    answer = anonymous.put("/nms/metadata/1.0", headers=headers, content=b" " * 50_000_000)
    assert error_of(answer) == (401, "TEJGA0401")


@pytest.mark.parametrize("endpoint", [one for one in ENDPOINTS if one.body_kind is BodyKind.JSON], ids=lambda e: e.name)
def test_no_body_makes_the_server_stumble(api: Api, endpoint: Endpoint) -> None:
    method, path = _call(endpoint)
    values: list[Any] = [None, True, 0, -1, 1e400, "", "x", [], {}, [[]], [None], [{}], {"": None}, {"objects": [[]]}]
    values += [{"objectKeys": {}}, {"objects": [{"operation": {}}]}, {"boardName": ["a"]}, {"objectName": {"a": 1}}]
    bodies = [json.dumps(value).encode() for value in values]
    bodies += [b"", b"\x00", b"\xff" * 10, b"{" * 10_000, b"[" * 10_000, b'{"a":' * 10_000, b'"\\ud800"', b"1" * 10_000]
    for body in bodies:
        answer = api.request(method, path, content=body)
        # An empty array is just what leaving a board takes: then it is the board that is not there.
        expected = {404} if endpoint.name == "leave_board" and body == b"[]" else {400}
        assert answer.status_code in expected, (body[:40], answer.text)
        error_of(answer)


@every_endpoint
def test_another_method_is_not_allowed(api: Api, endpoint: Endpoint) -> None:
    _, path = _call(endpoint)
    answer = api.request("PATCH", path)
    assert error_of(answer) == (405, "SKY1004")

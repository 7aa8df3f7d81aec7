"""The description of the interface is complete, true to the table, and served; the page shows the same."""

import json
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from tests.server.in_process import TestClient
from tests.server.test_walls_of_delegations import KIND_OF

from skyshelf.server.openapi.document import document, document_bytes
from skyshelf.wire.endpoint import Access, BodyKind, Endpoint
from skyshelf.wire.endpoints import ENDPOINTS
from skyshelf.wire.error_codes import ERROR_CODES

ROOT = Path(__file__).parents[3]
NAMES = [endpoint.name for endpoint in ENDPOINTS]


def operation(endpoint: Endpoint) -> dict[str, Any]:
    found: dict[str, Any] = document()["paths"][endpoint.path][endpoint.method.lower()]
    return found


def references(part: object) -> Iterator[str]:
    if isinstance(part, dict):
        if isinstance(part.get("$ref"), str):
            yield part["$ref"]
        for one in part.values():
            yield from references(one)
    elif isinstance(part, list):
        for one in part:
            yield from references(one)


def test_every_endpoint_is_described_once() -> None:
    described = [(method.upper(), path) for path, operations in document()["paths"].items() for method in operations]
    assert sorted(described) == sorted((method, one.path) for one in ENDPOINTS for method in one.methods)


def test_operation_ids_are_unique() -> None:
    ids = [one["operationId"] for operations in document()["paths"].values() for one in operations.values()]
    assert len(ids) == len(set(ids))
    assert set(NAMES) <= set(ids)


def test_every_reference_leads_somewhere() -> None:
    for reference in references(document()):
        found: Any = document()
        for step in reference.removeprefix("#/").split("/"):
            found = found[step]
        assert found


def test_every_schema_is_a_valid_one() -> None:
    for name, schema in document()["components"]["schemas"].items():
        whole = {**schema, "components": document()["components"]}
        assert jsonschema_rs.meta.is_valid(whole), name


def test_every_status_and_code_that_a_call_can_answer_is_described(subtests: pytest.Subtests) -> None:
    for endpoint in ENDPOINTS:
        with subtests.test(endpoint.name):
            responses = operation(endpoint)["responses"]
            assert set(responses) == {str(one) for one in endpoint.answers} | {
                str(row.status) for row in endpoint.all_errors
            }
            for row in endpoint.all_errors:
                text = json.dumps(responses[str(row.status)])
                if "components/responses" in text:
                    text = json.dumps(document()["components"]["responses"][row.code])
                assert row.code in text


def test_who_may_call_is_described(subtests: pytest.Subtests) -> None:
    for endpoint in ENDPOINTS:
        with subtests.test(endpoint.name):
            ways = [set(way) for way in operation(endpoint)["security"]]
            session = {"session", "userId", "deviceKey", "apiKey", "appSecret"}
            delegation = [{"delegation", "apiKey", "appSecret"}] if endpoint.name in KIND_OF else []
            expected = {
                Access.PUBLIC: [],
                Access.SESSION: [session, *delegation, {"sessionCookie", "apiKey", "appSecret"}],
                Access.OPERATOR: [session, {"sessionCookie", "apiKey", "appSecret"}],
                Access.SESSION_OR_NONCE: [session, *delegation, {"nonceCookie"}, {"nonce"}],
            }
            assert ways == expected[endpoint.access]


def test_bodies_are_described_by_their_media_type(subtests: pytest.Subtests) -> None:
    for endpoint in ENDPOINTS:
        with subtests.test(endpoint.name):
            described = operation(endpoint).get("requestBody", {"content": {}})
            expected = [] if endpoint.body_kind is BodyKind.NONE else [endpoint.body_kind.value]
            assert list(described["content"]) == expected


def test_the_headers_that_every_call_needs_are_described() -> None:
    profile = document()["paths"]["/security/users"]["get"]
    assert profile["x-required-headers"] == {"Content-Type": "NMSOM0003", "Accept-Language": "NMSOM0001"}
    assert [one["name"] for one in profile["parameters"]] == ["Accept-Language"]
    boards = document()["paths"]["/boards/sync/initial"]["get"]
    assert boards["x-required-headers"]["Content-Type"] == "BRSOM0036"


def test_descriptions_speak_of_the_wire_and_not_of_our_code() -> None:
    for name, schema in document()["components"]["schemas"].items():
        reported = schema.get("description", "")
        assert reported, name
        assert not re.search(r"skyshelf\.|`[a-z]+_[a-z_]+`|\n {2}", reported), (name, reported)


def test_every_code_has_its_sentence() -> None:
    assert list(document()["x-error-codes"]) == list(ERROR_CODES)


def test_the_server_gives_the_committed_file(anonymous: TestClient) -> None:
    answer = anonymous.get("/openapi.json")
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "application/json; charset=UTF-8"
    assert answer.content == document_bytes()
    assert answer.content == (ROOT / "docs" / "openapi.json").read_bytes(), "run ./dev docs"


def test_a_client_that_has_the_file_is_not_sent_it_again(anonymous: TestClient) -> None:
    mark = anonymous.get("/openapi.json").headers["etag"]
    again = anonymous.get("/openapi.json", headers={"if-none-match": mark})
    assert (again.status_code, again.content) == (304, b"")


class Links(HTMLParser):
    """What a page refers to, what it names, and which elements it has."""

    def __init__(self) -> None:
        super().__init__()
        self.targets: list[str] = []
        self.ids: list[str] = []
        self.elements: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.add(tag)
        given = dict(attrs)
        self.targets += [str(value) for name in ("href", "src") if (value := given.get(name))]
        self.ids += [str(given["id"])] if "id" in given else []


def read_page(html: str) -> Links:
    links = Links()
    links.feed(html)
    return links


def test_the_page_shows_every_call_object_and_code(anonymous: TestClient) -> None:
    answer = anonymous.get("/docs")
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    page = read_page(answer.text)
    schemas = [f"schema-{name}" for name in document()["components"]["schemas"]]
    assert set(page.ids) >= {*NAMES, *schemas}
    assert len(page.ids) == len(set(page.ids))
    assert all(f"<code>{code}</code>" in answer.text for code in ERROR_CODES)


def test_no_link_of_the_page_is_dead_or_leads_to_another_host(anonymous: TestClient) -> None:
    page = read_page(anonymous.get("/docs").text)
    inside = {target.removeprefix("#") for target in page.targets if target.startswith("#")}
    assert inside <= set(page.ids)
    assert {target for target in page.targets if not target.startswith("#")} == {"openapi.json"}


def test_the_page_runs_nothing_and_loads_nothing(anonymous: TestClient) -> None:
    answer = anonymous.get("/docs")
    page = read_page(answer.text)
    assert not page.elements & {"script", "link", "img", "iframe", "form", "object"}
    policy = answer.headers["content-security-policy"]
    assert policy.startswith("default-src 'none'; style-src 'sha256-")
    assert "unsafe" not in policy
    assert not re.search(r'\sstyle="|\son\w+="', answer.text)


def test_the_page_is_light_or_dark_as_the_reader_wants(anonymous: TestClient) -> None:
    assert "prefers-color-scheme:dark" in anonymous.get("/docs").text

"""What a browser meets at the address that the server prints."""

from pathlib import Path

import pytest
from tests.server.in_process import TestClient

from skyshelf.server.pages.built_files import BuiltFile, built_files
from skyshelf.server.pages.web_client import routes

PATHS = ("/", "/drive", "/drive/files", "/drive/files/0123456789ABCDEF0123456789ABCDEF")


def test_every_address_of_the_drive_shows_the_web_client(anonymous: TestClient) -> None:
    for path in PATHS:
        answer = anonymous.get(path)
        assert answer.status_code == 200
        assert answer.headers["content-type"] == "text/html; charset=utf-8"
        assert '<div id="app">' in answer.text


def test_nothing_but_our_own_files_may_run_on_the_page(anonymous: TestClient) -> None:
    headers = anonymous.get("/").headers
    policy = dict(rule.split(" ", 1) for rule in headers["content-security-policy"].split("; "))
    assert policy["default-src"] == "'none'"
    assert policy["script-src"] == policy["style-src"] == "'self'"
    assert policy["frame-ancestors"] == "'none'"
    assert policy["require-trusted-types-for"] == "'script'"
    assert "unsafe" not in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"


def test_files_of_the_build_can_be_kept_for_ever_and_come_packed(anonymous: TestClient) -> None:
    script = next(name for name in built_files() if name.startswith("assets/") and name.endswith(".js"))
    plain = anonymous.get(f"/{script}", headers={"accept-encoding": "identity"})
    packed = anonymous.get(f"/{script}", headers={"accept-encoding": "gzip"})
    assert "content-encoding" not in plain.headers
    assert packed.headers["content-encoding"] == "gzip"
    assert packed.content == plain.content  # the client unpacks it
    assert "immutable" in plain.headers["cache-control"]
    again = anonymous.get(f"/{script}", headers={"if-none-match": plain.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_the_page_itself_is_asked_for_every_time(anonymous: TestClient) -> None:
    assert anonymous.get("/").headers["cache-control"] == "no-cache"


@pytest.mark.parametrize("path", ["/assets/nothing.js", "/icons/nothing.png", "/assets/..%2findex.html"])
def test_a_file_that_is_not_in_the_build_is_not_there(anonymous: TestClient, path: str) -> None:
    assert anonymous.get(path).status_code == 404


def test_a_file_that_has_gone_since_the_start_is_not_there(
    anonymous: TestClient, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    gone = {"assets/gone.js": BuiltFile("text/javascript", {"": tmp_path / "gone.js"})}
    monkeypatch.setattr(routes, "built_files", lambda _prefix="": gone)
    assert anonymous.get("/assets/gone.js").status_code == 404


def test_without_a_build_the_address_shows_a_page_that_leads_on(
    anonymous: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    nothing: dict[str, BuiltFile] = {}
    monkeypatch.setattr(routes, "built_files", lambda _prefix="": nothing)
    answer = anonymous.get("/")
    assert answer.status_code == 200
    assert 'href="/docs"' in answer.text
    assert "default-src 'none'" in answer.headers["content-security-policy"]


def test_what_the_page_links_to_is_there(anonymous: TestClient) -> None:
    for path in ("/docs", "/openapi.json"):
        assert anonymous.get(path).status_code == 200

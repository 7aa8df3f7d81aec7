"""What every answer has, and what is logged about it."""

import json
import logging
from collections.abc import Callable
from typing import Any

import pytest
from tests.server.api import Api, error_of
from tests.server.in_process import TestClient

from skyshelf.server.observability.logs import JsonLines, TextLines
from skyshelf.service.context import ServiceContext

PATHS = [
    "/healthz",
    "/security/users",
    "/no/such/path",
    "/nms/metadata",
    "/x/v1/login",
    "/l/?u=nothing",
    "/download/files/x",
]


@pytest.mark.parametrize("path", PATHS)
def test_every_answer_has_a_request_id_and_the_security_headers(anonymous: TestClient, path: str) -> None:
    headers = anonymous.get(path).headers
    assert len(headers["x-request-id"]) == 16
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["x-frame-options"] == "DENY"
    assert "default-src 'none'" in headers["content-security-policy"]


def test_an_unknown_path_and_a_wrong_method_are_answered_like_every_error(anonymous: TestClient) -> None:
    assert error_of(anonymous.get("/no/such/path")) == (404, "SKY1006")
    wrong = anonymous.request("DELETE", "/security/users")
    assert error_of(wrong) == (405, "SKY1004")
    assert "GET" in wrong.headers["allow"]


def test_answers_about_an_account_are_not_to_be_cached(api: Api) -> None:
    assert api.get("/security/users").headers["cache-control"] == "no-store"


def test_a_fault_reveals_nothing_and_is_logged_under_the_id_of_the_answer(
    api: Api, monkeypatch: pytest.MonkeyPatch, loop_fault: Callable[[], str]
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("the innermost secret")

    monkeypatch.setattr("skyshelf.service.accounts.own_account.wire_quota", broken)
    lines: list[dict[str, Any]] = []
    handler = logging.Handler()
    handler.setFormatter(JsonLines())
    handler.emit = lambda record: lines.append(json.loads(handler.format(record)))  # type: ignore[method-assign]
    logging.getLogger("skyshelf.server").addHandler(handler)
    try:
        answer = api.get("/security/users")
    finally:
        logging.getLogger("skyshelf.server").removeHandler(handler)
    assert error_of(answer) == (500, "SKY5000")
    assert "secret" not in answer.text
    [line] = lines
    assert line["request_id"] == answer.headers["x-request-id"]
    assert "the innermost secret" in line["traceback"]
    assert "the innermost secret" in loop_fault()


def access_lines(caplog: pytest.LogCaptureFixture) -> list[dict[str, Any]]:
    records = [record for record in caplog.records if record.name == "skyshelf.access"]
    return [json.loads(JsonLines().format(record)) for record in records]


def test_the_access_log_has_one_line_per_request_with_all_that_is_needed(
    api: Api, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    answer = api.get("/security/users?token=hidden")
    [line] = access_lines(caplog)
    assert line.pop("ms") >= 0
    assert line.pop("time").endswith("Z")
    assert line == {
        "level": "info",
        "request_id": answer.headers["x-request-id"],
        "method": "GET",
        "endpoint": "profile",
        "path": "/security/users",
        "status": 200,
        "bytes": len(answer.content),
        "address": "testclient",
        "user": api.account.account_key,
    }


def test_the_access_log_says_nothing_of_cookies_nonces_and_bodies(api: Api, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    file = api.file("a.txt")
    nonce = api.post("/security/getokenforcookie", json={"jwt": api.login["jwt"]}).json()["nonce"]
    api.client.get(f"/download/files/{file.object_key}?nonce={nonce}")
    api.client.get(f"/download/files/{file.object_key}", headers={"Cookie": f"skyshelf_nonce={nonce}"})
    logged = json.dumps(access_lines(caplog))
    assert file.object_key in logged
    assert nonce not in logged
    assert api.login["jwt"] not in logged


def test_a_path_cannot_forge_a_line_of_the_log(anonymous: TestClient, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    anonymous.get("/x%0Aforged%20line%1b[31m")
    [record] = [record for record in caplog.records if record.name == "skyshelf.access"]
    for formatter in (JsonLines(), TextLines()):
        line = formatter.format(record)
        assert "\n" not in line
        assert "\x1b" not in line


def test_a_trusted_proxy_may_set_the_request_id(app: Any, ctx: ServiceContext) -> None:
    asked = {"X-Request-Id": "proxy-id-0123456789"}
    with TestClient(app, client=("127.0.0.1", 1)) as proxied, TestClient(app, client=("203.0.113.5", 1)) as stranger:
        assert proxied.get("/healthz", headers=asked).headers["x-request-id"] == "proxy-id-0123456789"
        for bad in ("x", "a b c d e f g h", "x" * 65, "id\twith-tab-0123"):
            assert proxied.get("/healthz", headers={"X-Request-Id": bad}).headers["x-request-id"] != bad
        assert stranger.get("/healthz", headers=asked).headers["x-request-id"] != "proxy-id-0123456789"

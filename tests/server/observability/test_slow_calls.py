"""The log of slow calls: which ones it names, what they spent their time on, and what it never says."""

import logging
import time
from typing import Any

import pytest
from msgspec.structs import replace
from tests.server.api import PASSWORD, logged_in, new_account
from tests.server.test_operators import local

from skyshelf.server.app import ServerSettings
from skyshelf.server.observability.logs import SlowCalls
from skyshelf.service.context import ServiceContext
from skyshelf.storage.watching import Parts, store_calls

SCOPE = {"method": "GET", "user_id": "ada"}


def lines(caplog: pytest.LogCaptureFixture) -> list[dict[str, Any]]:
    return [record.fields for record in caplog.records if record.name == "skyshelf.slow"]  # type: ignore[attr-defined]


def test_a_slow_call_says_what_it_spent_its_time_on(caplog: pytest.LogCaptureFixture) -> None:
    parts = Parts()
    parts.waiting, parts.database, parts.blobs, parts.client = 0.5, 1.0, 0.25, 3.0
    SlowCalls(2).note(SCOPE, "id", "listing", 200, seconds=5.0, parts=parts)
    [line] = lines(caplog)
    assert line == {
        "event": "slow call",
        "request_id": "id",
        "call": "listing",
        "method": "GET",
        "status": 200,
        "ms": 2000.0,
        "waiting_ms": 500.0,
        "database_ms": 1000.0,
        "blobs_ms": 250.0,
        "other_ms": 250.0,
        "client_ms": 3000.0,
        "user": "ada",
    }


@pytest.mark.parametrize(("limit", "seconds", "client", "name"), [(2, 1.9, 0, "listing"), (0, 99, 0, "listing")])
def test_what_is_quick_enough_is_not_logged(
    caplog: pytest.LogCaptureFixture, limit: float, seconds: float, client: float, name: str
) -> None:
    parts = Parts()
    parts.client = client
    SlowCalls(limit).note(SCOPE, "id", name, 200, seconds=seconds, parts=parts)
    assert lines(caplog) == []


def test_neither_a_slow_client_nor_a_stream_is_a_slow_call(caplog: pytest.LogCaptureFixture) -> None:
    parts = Parts()
    parts.client = 9.0
    SlowCalls(2).note(SCOPE, "id", "upload", 200, seconds=10.0, parts=parts)
    SlowCalls(2).note(SCOPE, "id", "change_stream", 200, seconds=600.0)
    assert lines(caplog) == []


def test_every_call_can_be_logged_with_its_account_and_without_secrets(
    ctx: ServiceContext, settings: ServerSettings, caplog: pytest.LogCaptureFixture
) -> None:
    with local(ctx, replace(settings, slow_seconds=1e-9)) as client:
        api = logged_in(client, ctx, new_account(ctx, "ada@example.org"))
        api.post("/boards", json={"boardName": "a secret name"})
        api.get("/security/users")
    by_name = {line["call"]: line for line in lines(caplog)}
    assert {"login", "create_board", "profile"} <= by_name.keys()
    assert by_name["create_board"]["user"] == api.account.account_key
    assert by_name["create_board"]["database_ms"] > 0
    assert by_name["create_board"]["waiting_ms"] >= 0
    for secret in (PASSWORD, api.login["authToken"], "a secret name", "ada@example.org"):
        assert secret not in str(by_name)


def test_time_in_a_store_is_part_of_the_request_that_waits_for_it(ctx: ServiceContext) -> None:
    from skyshelf.storage.watching import current_parts

    parts = Parts()
    token = current_parts.set(parts)
    try:
        began = time.perf_counter()
        new_account(ctx, "ada@example.org")
        with store_calls.timed("disk", "sync"):
            pass
        elapsed = time.perf_counter() - began
    finally:
        current_parts.reset(token)
    assert 0 < parts.database < elapsed
    assert 0 < parts.blobs < elapsed


def test_the_log_is_at_the_level_of_warnings(caplog: pytest.LogCaptureFixture) -> None:
    SlowCalls(1).note(SCOPE, "id", "listing", 200, seconds=1.0)
    assert [record.levelno for record in caplog.records] == [logging.WARNING]

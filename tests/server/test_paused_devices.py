"""A device that an alarm has paused changes nothing: every call of the endpoint table, and every method of WebDAV and
of Nextcloud's clients, is refused before it changes a row.

The calls come from the tables, so one that is added later is tested here.
"""

from typing import Any
from urllib.parse import urlsplit

import pytest
from tests.server.api import Api, new_account
from tests.server.app_calls import CALLS, furnish
from tests.server.good_calls import furnish as furnish_account
from tests.server.good_calls import good_call, paused_device, removing_last
from tests.server.in_process import TestClient
from tests.server.nextcloud.app import CloudApp

from skyshelf.server.app import API_ENDPOINTS, SkyshelfApp
from skyshelf.server.dav.routes import DavOperation
from skyshelf.server.pages.web_client.routes import UnknownAddress
from skyshelf.server.pipeline.operation import Operation
from skyshelf.server.pipeline.router import Router
from skyshelf.service.context import ServiceContext
from skyshelf.storage.metadata.sqlite.store import SqliteStore
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire.endpoint import Access
from skyshelf.wire.endpoints import BY_NAME

# What ends the device's own access, asks for what a login takes, or changes nothing that others have. start_rewind may
# undo what the device did, and nothing else (test_x_rewind.py).
ALLOWED = {
    "allow_device",
    "change_password",
    "cookie_nonce",
    "end_paused_session",
    "logout",
    "passkey_challenge",
    "plan_rewind",
    "second_factor_by_passkey",
    "set_alarm_limit",
}
# A login, what it was used for last, what somebody guessed, secrets of the server, and what was looked at.
NOTED = {"sessions", "devices", "throttles", "audit_events", "settings", "nonces", "spent_tokens", "thumbnails"}
OF_INDEX = "search_"
ROOT = "/remote.php/dav/files/{user}"


def rows_of(ctx: ServiceContext) -> dict[str, list[tuple[Any, ...]]]:
    """Every row of the store, but for what is noted about callers."""
    assert isinstance(ctx.metadata, SqliteStore)
    with ctx.metadata.read() as unit:
        tables = unit.sql.column("SELECT name FROM sqlite_master WHERE type = 'table'")
        kept = [str(name) for name in tables if name not in NOTED and not name.startswith(OF_INDEX)]
        return {name: sorted(unit.sql.all(f"SELECT * FROM {name}"), key=repr) for name in kept}


def allow(api: Api, device_key: str) -> None:
    """Its owner's decision, which counts until the next alarm."""
    now = api.ctx.clock.now()

    def work(unit: Unit) -> None:
        if unit.alarms.is_paused(api.account.account_id, device_key):
            unit.alarms.decide(api.account.account_id, device_key, "allowed", now, by=device_key)

    api.ctx.metadata.write(work)


def test_a_paused_session_changes_nothing_by_any_endpoint(api: Api) -> None:
    keys = furnish_account(api)
    answers: dict[str, object] = {}
    for name in removing_last(endpoint.name for endpoint in API_ENDPOINTS):
        endpoint = BY_NAME[name]
        if endpoint.access is Access.PUBLIC:
            continue
        call = good_call(name, api, keys)
        device = api.login["deviceKey"]
        paused_device(api, device)
        before = rows_of(api.ctx)
        answer = call.send(api)
        is_refused = answer.status_code == 403 and "SKY2050" in answer.text
        if is_refused != (endpoint.method != "GET" and name not in ALLOWED):
            answers[name] = (answer.status_code, answer.text)
        after = rows_of(api.ctx)
        if name not in ALLOWED and after != before:
            answers[name] = [(table, rows) for table, rows in after.items() if rows != before[table]]
        allow(api, device)
    assert not answers, str(answers)[:3000]


@pytest.fixture
def cloud(client: TestClient, ctx: ServiceContext) -> CloudApp:
    return CloudApp(client, ctx, new_account(ctx, "ada@example.org"))


def writes(operation: Operation) -> bool:
    """Whether it says that it may change something."""
    return operation.writes if isinstance(operation, DavOperation) else operation.needs_write_mode


def test_a_paused_app_changes_nothing_by_any_method(app: SkyshelfApp, cloud: CloudApp) -> None:
    names = furnish(cloud, "m000")
    api = Api(cloud.client, cloud.ctx, cloud.account, {"authToken": "", "userId": "", "deviceKey": ""})
    paused_device(api, cloud.device_key)
    router, before = Router(app.routes, UnknownAddress), rows_of(cloud.ctx)
    answers: dict[str, object] = {}
    refused = 0
    for call in CALLS:
        operation, _ = router.operation_of(call.method, urlsplit(call.address.replace("{user}", names.user)).path)
        answer = call.send(cloud, names)
        # Somebody has agreed to that login with the password.
        is_a_login = call.address.endswith("/poll")
        if writes(operation):
            refused += 1
            # What nobody can do is refused as that.
            code = "SKY3022" if (call.method, call.address) == ("PUT", ROOT) else "SKY2050"
            if answer.status_code != 403 or code not in answer.text:
                answers[call.id] = (answer.status_code, answer.text)
        after = rows_of(cloud.ctx)
        if after != before and not is_a_login:
            answers[call.id] = [(table, rows) for table, rows in after.items() if rows != before[table]]
        before = after
    assert not answers, str(answers)[:3000]
    assert refused > 60
    # Its own logout.
    assert cloud.call("DELETE", "/ocs/v2.php/core/apppassword").status_code == 200
    assert cloud.get(names.file).status_code == 401

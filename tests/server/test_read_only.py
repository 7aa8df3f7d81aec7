"""A server in read-only mode: reading and logging in work, and every change is refused with the operator's reason."""

import pytest
from msgspec.structs import replace
from tests.server.api import Api, error_of, log_in
from tests.server.good_calls import furnish, good_call, removing_last
from tests.server.in_process import TestClient
from tests.server.uploading import upload

from skyshelf.server.app import API_ENDPOINTS, ServerSettings, SkyshelfApp, app_for, open_context
from skyshelf.service import context
from skyshelf.service.context import ServiceContext
from skyshelf.service.jobs.runner import JobRunner
from skyshelf.storage.errors import StoreReadOnly
from skyshelf.storage.metadata.read_only import ReadOnly, switch_off, switch_on
from skyshelf.wire.endpoints import BY_NAME

REFUSED = (503, "SKY5005")
MODE = ReadOnly("we move to a larger disk, until about 22:00", 1_777_800_000_000)
# What writes nothing, or only what a download or a login needs.
ALLOWED = {
    "login",
    "login_by_provider",
    "passkey_challenge",
    "passkey_login",
    "plan_rewind",
    "refresh_token",
    "refresh_token_by_put",
    "cookie_nonce",
    "legacy_delete",
}


@pytest.fixture(autouse=True)
def seen_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(context, "SEEN_SECONDS", 0)


def test_every_change_is_refused_and_everything_else_works(api: Api, ctx: ServiceContext) -> None:
    keys = furnish(api)
    assert good_call("thumbnail", api, keys).send(api).status_code == 200
    answers: dict[str, tuple[int, int]] = {}
    for name in removing_last(endpoint.name for endpoint in API_ENDPOINTS):
        endpoint, call = BY_NAME[name], good_call(name, api, keys)
        switch_on(ctx.metadata, MODE)
        answer = call.send(api)
        switch_off(ctx.metadata)
        refused = endpoint.method != "GET" and name not in ALLOWED
        answers[name] = (answer.status_code, 503 if refused else endpoint.success)
        if answer.status_code == 503:
            assert error_of(answer) == REFUSED
    assert {name: got for name, got in answers.items() if got[0] != got[1]} == {}


def test_the_refusal_has_the_reason_and_says_when_to_try_again(api: Api, ctx: ServiceContext) -> None:
    switch_on(ctx.metadata, MODE)
    answer = upload(api, "a.txt", b"bytes")
    assert error_of(answer) == REFUSED
    assert answer.json()["message"] == f"The service is read-only: {MODE.reason}"
    assert int(answer.headers["retry-after"]) > 0
    assert list(ctx.blobs.list()) == []
    switch_off(ctx.metadata)
    assert upload(api, "a.txt", b"bytes").status_code == 201


def test_readiness_and_figures_show_it_and_the_instance_stays_in_service(app: SkyshelfApp, ctx: ServiceContext) -> None:
    anonymous = TestClient(app, client=("127.0.0.1", 50_000))
    assert anonymous.get("/readyz").json()["writes"] == "ready"
    assert "skyshelf_read_only 0.0" in anonymous.get("/metrics").text
    switch_on(ctx.metadata, MODE)
    ready = anonymous.get("/readyz")
    assert (ready.status_code, ready.json()["writes"]) == (200, f"read-only: {MODE.reason}")
    assert "skyshelf_read_only 1.0" in anonymous.get("/metrics").text


def test_a_wrong_password_is_still_counted(api: Api, ctx: ServiceContext) -> None:
    switch_on(ctx.metadata, MODE)
    statuses = {log_in(api.client, api.account.email, password=f"wrong {number}").status_code for number in range(30)}
    assert statuses == {401, 429}


def test_jobs_rest_and_run_when_it_is_over(ctx: ServiceContext) -> None:
    worker = JobRunner(ctx)
    worker.schedule()
    switch_on(ctx.metadata, MODE)
    with pytest.raises(StoreReadOnly):
        worker.work_once()
    switch_off(ctx.metadata)
    assert worker.work_once()


def test_an_instance_can_be_started_read_only(settings: ServerSettings, api: Api) -> None:
    ours = replace(settings, read_only_reason="this one only follows")
    with TestClient(app_for(open_context(ours), ours), raise_server_exceptions=False) as client:
        assert "this one only follows" in client.get("/readyz").json()["writes"]
        assert log_in(client, api.account.email).status_code == 200
        other = Api(client, api.ctx, api.account, api.login)
        assert error_of(upload(other, "a.txt", b"bytes")) == REFUSED
    assert upload(api, "a.txt", b"bytes").status_code == 201

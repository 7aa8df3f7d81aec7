"""Delegations at two instances of one service, each of which may remember callers and answers."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

import pytest
from tests.real_parts import shared
from tests.server.api import Api, error_of, logged_in, new_account
from tests.server.good_calls import a_delegation
from tests.server.in_process import TestClient

from skyshelf.server.app import ServerSettings, app_for
from skyshelf.service.context import ServiceContext
from skyshelf.service.secrets import from_base64url
from skyshelf.storage.metadata.contracts.leave import Most
from skyshelf.storage.open import embedded_urls, open_blobs, open_metadata


class Instances(NamedTuple):
    """One session of the same account at two instances, and at one that is started in place of the first."""

    one: Api
    other: Api
    restarted: Api


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.whole)])
def instances(tmp_path: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Instances]:
    # A busy machine is no lost connection.
    monkeypatch.setattr("skyshelf.storage.metadata.postgres.loop_connection.ANSWER_SECONDS", 60.0)
    with ExitStack() as running:
        url, blobs = embedded_urls(tmp_path)
        if request.param == "postgres":
            url = running.enter_context(shared.postgres().database())
        contexts = [ServiceContext(metadata=open_metadata(url), blobs=open_blobs(blobs)) for _ in range(3)]
        apps = [app_for(ctx, ServerSettings(metadata="", blobs="")) for ctx in contexts]
        clients = [running.enter_context(TestClient(app, raise_server_exceptions=False)) for app in apps]
        account = new_account(contexts[0], "ada@example.org")
        one = logged_in(clients[0], contexts[0], account)
        others = [Api(client, ctx, account, one.login) for client, ctx in zip(clients[1:], contexts[1:], strict=True)]
        yield Instances(one, *others)


def as_agent(api: Api, token: str) -> Api:
    agent = Api(api.client, api.ctx, api.account, api.login)
    agent.headers = {**api.headers, "Authorization": f"Bearer {token}"}
    return agent


def test_what_an_instance_remembers_of_a_session_is_not_for_a_delegation(instances: Instances) -> None:
    """The same answer, remembered for the owner a moment before, is refused and counted."""
    file = instances.one.file("a.txt")
    path = f"/download/files/{file.object_key}"
    made = a_delegation(instances.one, terms=Most(reads=2))
    agents = [as_agent(api, made.token) for api in instances]
    for api in instances:
        assert [api.get(path).status_code for _ in range(3)] == [200] * 3
    assert [agents[turn % 3].get(path).status_code for turn in range(4)] == [200, 200, 403, 403]
    assert instances.one.get(path).status_code == 200
    # What is remembered of heads does not open the door after the end, at either of them.
    assert instances.one.delete(f"/x/v1/delegations/{made.device_key}").status_code == 204
    for agent in agents:
        assert error_of(agent.get(path)) == (401, "SKY2062")
        assert error_of(agent.get("/security/users")) == (401, "SKY2062")


def test_instances_share_the_numbers_and_a_crash_gives_nothing_back(instances: Instances) -> None:
    """What one has set aside is not the other's, and never more than allowed is read in all."""
    file = instances.one.file("a.txt")
    path = f"/download/files/{file.object_key}"
    made = a_delegation(instances.one, terms=Most(reads=40))
    agents = [as_agent(api, made.token) for api in instances]
    assert agents[0].get(path).status_code == 200
    # The first is killed, and what it has set aside is gone with it.
    lost = instances.one.ctx.allowances.unused(_digest_of(instances.one)).reads
    statuses = [agents[1 + turn % 2].get(path).status_code for turn in range(60)]
    assert 0 < lost <= 40 // 16
    assert statuses.count(200) == 40 - 1 - lost
    assert set(statuses) == {200, 403}


def _digest_of(api: Api) -> bytes:
    with api.ctx.metadata.read() as unit:
        (one,) = unit.delegations.of_account(api.account.account_id, api.ctx.clock.now())
    return one.secret_hash


def test_no_token_and_no_part_of_it_is_stored_or_logged(
    instances: Instances, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    made = a_delegation(instances.one)
    agent = as_agent(instances.one, made.token)
    with caplog.at_level("DEBUG"):
        assert agent.get("/security/users").status_code == 200
        assert as_agent(instances.one, made.token[:-4]).get("/security/users").status_code == 401
    _, seed, signature = made.token.split(".")
    stored = b"".join(one.read_bytes() for one in tmp_path.rglob("*") if one.is_file())
    for secret in (seed, signature):
        assert secret not in caplog.text
        assert secret.encode() not in stored
        assert from_base64url(secret) not in stored

"""Operators' calls: for everybody else they do not exist, dangerous ones need the password, and each is logged."""

import logging
from typing import Any

import pytest
from tests.server.api import PASSWORD, Api, HeldClock, error_of, log_in, logged_in, new_account
from tests.server.good_calls import furnish, good_call, make_operator

from skyshelf.service.accounts import accounts
from skyshelf.service.context import ServiceContext
from skyshelf.service.jobs import brakes
from skyshelf.storage.metadata.contracts.accounts import Account
from skyshelf.wire.endpoint import Access
from skyshelf.wire.endpoints import ENDPOINTS
from skyshelf.wire.keys import make_key

OPERATOR_CALLS = [endpoint for endpoint in ENDPOINTS if endpoint.access is Access.OPERATOR]
ACTS = [endpoint.name for endpoint in OPERATOR_CALLS if endpoint.method != "GET"]
CONFIRMED = {
    "admin_password_link",
    "admin_operator_role",
    "admin_reset_second_factor",
    "admin_delete_account",
    "admin_release_brake",
}
UNKNOWN = make_key(1_700_000_000_000, bytes(range(10)))
NOT_OFFERED = (404, "SKY1006")


@pytest.fixture
def operator(api: Api) -> Api:
    make_operator(api)
    return api


@pytest.fixture
def grace(ctx: ServiceContext) -> Account:
    return new_account(ctx, "grace@example.org", first_name="Grace")


def test_to_an_account_that_is_no_operator_the_paths_do_not_exist(api: Api, other_api: Api) -> None:
    keys = furnish(api)
    nothing = other_api.get("/x/v1/admin/nothing")
    for endpoint in OPERATOR_CALLS:
        call = good_call(endpoint.name, api, keys)
        answer = call.send(other_api)
        assert error_of(answer) == NOT_OFFERED, endpoint.name
        assert answer.content == nothing.content, endpoint.name
    assert not accounts.find_account(api.ctx, other_api.account.email).is_operator


def test_an_operator_who_was_one_is_none_at_once(operator: Api) -> None:
    assert operator.get("/x/v1/admin/accounts").status_code == 200
    assert operator.get("/security/users").json()["isOperator"] is True
    accounts.set_operator(operator.ctx, operator.account, is_operator=False)
    assert error_of(operator.get("/x/v1/admin/accounts")) == NOT_OFFERED
    assert "isOperator" not in operator.get("/security/users").json()


def test_dangerous_acts_need_the_operators_own_password(operator: Api) -> None:
    keys = furnish(operator)
    for endpoint in OPERATOR_CALLS:
        asks = "password" in getattr(endpoint.body, "__struct_fields__", ())
        assert asks == (endpoint.name in CONFIRMED)
        if asks:
            call = good_call(endpoint.name, operator, keys)
            call.body["password"] = "not my password"
            assert error_of(call.send(operator)) == (403, "SKY2004"), endpoint.name


def test_every_act_is_logged_without_a_secret(operator: Api, caplog: pytest.LogCaptureFixture) -> None:
    keys = furnish(operator)
    caplog.set_level(logging.INFO, "skyshelf.audit")
    for name in ACTS:
        caplog.clear()
        call = good_call(name, operator, keys)
        caplog.clear()
        assert call.send(operator).status_code < 300, name
        (line,) = [record.fields for record in caplog.records if record.name == "skyshelf.audit"]  # type: ignore[attr-defined]
        assert (line["act"], line["outcome"]) == (name.removeprefix("admin_"), "done")
        assert line["operator"] == operator.account.account_key
        assert PASSWORD not in str(line)
        if "account_key" in {endpoint.name: endpoint for endpoint in OPERATOR_CALLS}[name].parameters:
            assert line["target"] == keys.people.member


def test_a_refused_act_is_logged_too(operator: Api, grace: Account, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "skyshelf.audit")
    operator.post(f"/x/v1/admin/accounts/{grace.account_key}/deletion", json={"password": "a guess"})
    (line,) = [record.fields for record in caplog.records if record.name == "skyshelf.audit"]  # type: ignore[attr-defined]
    assert line["outcome"] == "refused: SKY2004"


def test_a_person_is_invited_with_a_link_and_logs_in(operator: Api) -> None:
    person = {"emailId": "kay@example.org", "firstName": "Kay", "lastName": "McNulty", "quota": 1 << 30}
    answer = operator.post("/x/v1/admin/accounts", json=person)
    assert answer.status_code == 201
    link = answer.json()
    origin, _, token = link["linkUrl"].partition("/drive/welcome#")
    assert (origin, link["account"]["hasPassword"]) == ("http://testserver", False)
    operator.client.post("/x/v1/welcome", json={"token": token, "password": PASSWORD})
    kay = logged_in(operator.client, operator.ctx, accounts.find_account(operator.ctx, "kay@example.org"))
    assert kay.get("/security/users").json()["quota"]["totalAllocatedQuota"] == 1 << 30
    assert error_of(operator.post("/x/v1/admin/accounts", json=person)) == (409, "SKY2012")
    assert error_of(operator.post("/x/v1/admin/accounts", json=person | {"emailId": "no"})) == (400, "SKY1000")


def listed(operator: Api, **query: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    while True:
        page = operator.get("/x/v1/admin/accounts", params=query).json()
        found += page["accounts"]
        if "nextCursor" not in page:
            return found
        query["cursor"] = page["nextCursor"]


def test_accounts_are_listed_in_pages_and_found_by_name_or_address(operator: Api, grace: Account) -> None:
    everybody = listed(operator)
    assert [one["userId"] for one in listed(operator, limit="1")] == [one["userId"] for one in everybody]
    assert grace.account_key in {one["userId"] for one in everybody}
    for text in ("GRACE@", "grace", "race@example"):
        assert [one["userId"] for one in listed(operator, search=text)] == [grace.account_key]
    # Characters of patterns stand for themselves.
    assert listed(operator, search="%") == listed(operator, search="gr_ce") == listed(operator, search="!") == []


def test_an_account_is_disabled_limited_and_enabled(operator: Api, grace: Account) -> None:
    path = f"/x/v1/admin/accounts/{grace.account_key}"
    assert operator.put(path, json={"isEnabled": False}).json()["status"] == "D"
    assert log_in(operator.client, grace.email).status_code == 401
    changed = operator.put(path, json={"isEnabled": True, "quota": 5}).json()
    assert (changed["status"], changed["quota"]) == ("A", 5)
    assert log_in(operator.client, grace.email).status_code == 200


def test_deletion_is_scheduled_and_cancelled(operator: Api, grace: Account, clock: HeldClock) -> None:
    path = f"/x/v1/admin/accounts/{grace.account_key}/deletion"
    assert operator.post(path, json={"password": PASSWORD}).json()["deletionDate"] > clock.now()
    assert "deletionDate" not in operator.post(f"{path}/cancel").json()


def test_the_last_operator_cannot_be_removed_over_http(api: Api, grace: Account) -> None:
    accounts.set_operator(api.ctx, api.account, is_operator=True)
    path, refused = f"/x/v1/admin/accounts/{api.account.account_key}", (409, "SKY2011")
    assert error_of(api.put(path, json={"isEnabled": False})) == refused
    assert error_of(api.put(f"{path}/operator", json={"isOperator": False, "password": PASSWORD})) == refused
    assert error_of(api.post(f"{path}/deletion", json={"password": PASSWORD})) == refused
    assert error_of(api.post("/x/v1/account/deletion", json={"password": PASSWORD})) == refused
    other = f"/x/v1/admin/accounts/{grace.account_key}/operator"
    assert api.put(other, json={"isOperator": True, "password": PASSWORD}).json()["isOperator"] is True
    answer = api.put(f"{path}/operator", json={"isOperator": False, "password": PASSWORD})
    assert answer.json()["isOperator"] is False


def test_sessions_of_everybody_are_seen_and_ended(operator: Api, grace: Account) -> None:
    hers = logged_in(operator.client, operator.ctx, grace)
    shown = operator.get("/x/v1/admin/sessions").json()["sessions"]
    assert {one["emailId"] for one in shown} == {operator.account.email, grace.email}
    assert [one["emailId"] for one in shown if one["isCurrent"]] == [operator.account.email]
    path = f"/x/v1/admin/accounts/{grace.account_key}/sessions"
    (session,) = operator.get(path).json()["sessions"]
    ended = operator.post(f"{path}/end", json={"deviceKey": session["deviceKey"].upper()})
    assert ended.json() == {"endedSessions": 1}
    assert hers.get("/security/users").status_code == 401
    assert operator.get(path).json()["sessions"] == []
    assert error_of(operator.post(f"{path}/end", json={"deviceKey": session["deviceKey"]})) == (404, "SKY3005")
    assert operator.post(f"{path}/end", json={}).json() == {"endedSessions": 0}


def test_unknown_accounts_and_banners_are_named(operator: Api) -> None:
    assert error_of(operator.get(f"/x/v1/admin/accounts/{UNKNOWN}/sessions")) == (404, "SKY2013")
    assert error_of(operator.delete(f"/x/v1/admin/banners/{UNKNOWN}")) == (404, "SKY2014")


def test_banners_are_made_changed_and_removed(operator: Api, clock: HeldClock) -> None:
    made = operator.post("/x/v1/admin/banners", json={"title": "Hello", "text": "Everybody"}).json()
    assert operator.get("/promo/banner/list").json()["cards"] == [made]
    later = clock.now() + 1000
    path = f"/x/v1/admin/banners/{made['cardId']}"
    assert operator.put(path, json={"startDate": later, "text": ""}).json()["startDate"] == later
    assert operator.get("/promo/banner/list").json()["cards"] == []
    assert len(operator.get("/x/v1/admin/banners").json()["cards"]) == 1
    assert error_of(operator.put(path, json={"endDate": 5})) == (400, "SKY1000")
    assert operator.delete(path).status_code == 204
    assert operator.get("/x/v1/admin/banners").json()["cards"] == []


def test_health_reports_stores_jobs_and_space(operator: Api) -> None:
    operator.file("a.txt", b"12345")
    with pytest.raises(brakes.BrakePulled):
        brakes.pull(operator.ctx, "sweep-orphans", "too many are unknown")
    health = operator.get("/x/v1/admin/health").json()
    assert (health["metadataState"], health["blobsState"], health["hasSpace"]) == ("ready", "ready", True)
    assert (health["usedSpace"], health["accounts"]) == (5, 2)
    (stopped,) = health["stoppedJobs"]
    assert (stopped["name"], stopped["reason"]) == ("sweep-orphans", "too many are unknown")
    assert health["damagedContents"] == 0


def test_a_named_device_keeps_its_name(api: Api) -> None:
    device = api.login["deviceKey"]
    assert api.put(f"/x/v1/account/devices/{device}", json={"deviceName": " Kitchen "}).status_code == 204
    body = {"emailId": api.account.email, "password": PASSWORD, "deviceKey": device, "deviceName": "Firefox"}
    assert api.client.post("/x/v1/login", json=body).status_code == 200
    with api.ctx.metadata.read() as unit:
        assert [one.device_name for one in unit.devices.of_account(api.account.account_id)] == ["Kitchen"]
    other = logged_in(api.client, api.ctx, api.account)
    assert error_of(other.put(f"/x/v1/account/devices/{device}", json={"deviceName": "\u0007"})) == (400, "SKY1000")
    unknown = "00000000-0000-4000-8000-000000000000"
    assert error_of(other.put(f"/x/v1/account/devices/{unknown}", json={"deviceName": "x"})) == (404, "SKY3005")

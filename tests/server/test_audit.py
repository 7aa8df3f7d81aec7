"""The audit trail over HTTP: every act leaves its event, nothing secret is in it, and nobody sees another's."""

from typing import Any

import pytest
from tests.server.api import PASSWORD, Api, error_of, log_in, logged_in, new_account
from tests.server.dav.app import DavApp
from tests.server.echoes import batch, echo_of, entry
from tests.server.good_calls import furnish, good_call, make_operator, removing_last
from tests.server.sharing import share

from skyshelf.service.audit.kinds import SENTENCES
from skyshelf.service.context import ServiceContext
from skyshelf.storage.metadata.audit_events import AuditFilter, RecordedEvent
from skyshelf.wire.endpoint import Access
from skyshelf.wire.endpoints import ENDPOINTS

EVENTS = "/x/v1/account/events"
ADDRESS = "testclient"


def trail(ctx: ServiceContext, *kinds: str) -> list[RecordedEvent]:
    """All events of these kinds, oldest first, with what was counted."""
    ctx.trail.flush(ctx.metadata, end_window=True)
    with ctx.metadata.read() as unit:
        return unit.audit.after(AuditFilter(kinds=kinds), limit=10_000, after_id=0)


def own(api: Api, **params: str) -> list[dict[str, Any]]:
    events: list[dict[str, Any]] = api.get(EVENTS, params=params).json()["events"]
    return events


def test_logins_and_failures_have_address_device_and_account(api: Api) -> None:
    for _ in range(3):
        assert log_in(api.client, api.account.email, password="wrong").status_code == 401
    assert log_in(api.client, "my-password@example.org", password="wrong").status_code == 401
    first = trail(api.ctx, "login")[0]
    assert (first.account_key, first.address) == (api.account.account_key, ADDRESS)
    assert first.device_key == api.login["deviceKey"]
    failed = trail(api.ctx, "login.failed")
    assert sorted((event.account_key, event.times) for event in failed) == [
        ("", 1),
        (api.account.account_key, 1),
        (api.account.account_key, 2),
    ]
    # What is typed as an address may be a password: that of an unknown account is kept nowhere.
    assert "my-password" not in str(trail(api.ctx))


def test_too_many_failures_are_recorded_as_refusals(api: Api) -> None:
    answers = [log_in(api.client, api.account.email, password="wrong").status_code for _ in range(14)]
    assert 429 in answers
    refused = trail(api.ctx, "login.throttled")
    assert sum(event.times for event in refused) == answers.count(429)
    assert {event.account_key for event in refused} == {api.account.account_key}


def test_a_link_has_its_creation_visits_downloads_and_end(api: Api) -> None:
    file = api.file("plan.pdf")
    link = share(api, file.object_key)
    for _ in range(5):
        assert link.page().status_code == 200
        assert link.file(file.object_key).status_code == 200
    key = link.share.share_key
    api.delete(f"/x/v1/shares/{key}")
    found = {kind: trail(api.ctx, kind) for kind in ("share.created", "link.visit", "link.download", "share.revoked")}
    assert {event.link_key for events in found.values() for event in events} == {key}
    assert [event.times for event in found["link.download"]] == [1, 4]
    assert {(event.object_key, event.address) for event in found["link.download"]} == {(file.object_key, ADDRESS)}
    assert {event.account_key for event in found["link.visit"]} == {api.account.account_key}
    assert found["share.created"][0].device_key == api.login["deviceKey"]
    assert link.token not in str(trail(api.ctx))


def test_deletions_name_what_went(api: Api) -> None:
    files = [api.file(f"{number}.txt") for number in range(3)]
    batch(api, *(entry("TRASH", echo_of(api, file.object_key), status="T") for file in files))
    [trashed] = trail(api.ctx, "delete.trashed")
    assert (trashed.times, trashed.details["names"]) == (3, [file.name for file in files])
    assert trashed.details["keys"] == [file.object_key for file in files]
    assert trashed.device_key == api.login["deviceKey"]


def test_a_deletion_by_webdav_has_the_apps_device(api: Api) -> None:
    file = api.file("scan.pdf")
    app = DavApp(api.client, api.ctx, api.account)
    assert app.delete("scan.pdf").status_code == 204
    [trashed] = trail(api.ctx, "delete.trashed")
    assert (trashed.object_key, trashed.device_key, trashed.details["name"]) == (
        file.object_key,
        app.device_key,
        "scan.pdf",
    )


def test_an_operators_act_names_the_operator_and_the_account(api: Api, other_api: Api) -> None:
    make_operator(api)
    path = f"/x/v1/admin/accounts/{other_api.account.account_key}"
    assert api.put(path, json={"quota": 5_000_000}).status_code == 200
    [event] = trail(api.ctx, "account.quota-set")
    assert (event.account_key, event.actor) == (other_api.account.account_key, api.account.account_key)
    assert (event.address, event.details["quota"]) == (ADDRESS, 5_000_000)
    # The person concerned learns of it, and nothing about the operator.
    [seen] = own(other_api, kind="account.quota-set")
    assert seen["by"] == "operator"
    assert "address" not in seen
    assert "deviceKey" not in seen
    assert api.account.account_key not in str(own(other_api))


def test_every_call_of_an_operator_and_every_deletion_leaves_an_event(api: Api) -> None:
    keys = furnish(api)
    names = [one.name for one in ENDPOINTS if one.access is Access.OPERATOR and one.method != "GET"]
    # There is no second factor here that could be reset, and no brake that could be released.
    names = [name for name in names if name not in {"admin_reset_second_factor", "admin_release_brake"}]
    names += [
        "revoke_share",
        "purge",
        "empty_trash",
        "delete_board",
        "remove_versions",
        "forget_history",
        "delete_account",
    ]
    for name in removing_last(names):
        call = good_call(name, api, keys)
        if name == "empty_trash":
            # Emptying an empty one deletes nothing.
            api.trash(api.file("trashed.txt").object_key)
        before = len(trail(api.ctx))
        assert call.send(api).status_code < 300, name
        assert len(trail(api.ctx)) > before, name


def test_nothing_secret_is_ever_recorded(api: Api) -> None:
    keys = furnish(api)
    skipped = {"delete_account", "logout", "change_stream"}
    for name in removing_last(one.name for one in ENDPOINTS if one.name not in skipped):
        good_call(name, api, keys).send(api)
    events = trail(api.ctx)
    text = str(events)
    assert len({event.kind for event in events}) > 20
    assert {event.kind for event in events} <= set(SENTENCES)
    for secret in (PASSWORD, api.login["authToken"], api.login["jwt"], api.login["refreshToken"], keys.share):
        assert secret not in text


def test_nobody_sees_anybody_elses_events(api: Api, other_api: Api) -> None:
    file = api.file("mine.txt")
    link = share(api, file.object_key)
    link.page()
    log_in(api.client, api.account.email, password="wrong")
    theirs = own(other_api)
    assert {event["kind"] for event in theirs} == {"login", "account.added"}
    visit = own(api, kind="link.visit")[0]
    assert (visit["by"], visit["shareKey"]) == ("visitor", link.share.share_key)
    assert "address" not in visit
    failed = own(api, kind="login.failed")[0]
    assert (failed["by"], failed["address"]) == ("somebody", ADDRESS)


def test_a_new_account_with_an_old_number_sees_nothing_of_the_old_one(api: Api, ctx: ServiceContext) -> None:
    old = new_account(ctx, "old@example.org")

    def remove(unit: Any) -> None:
        for table in ("account_counters", "objects", "accounts"):
            unit.sql.run(f"DELETE FROM {table} WHERE account_id = :one", {"one": old.account_id})

    ctx.metadata.write(remove)
    new = new_account(ctx, "new@example.org")
    assert new.account_id == old.account_id
    kinds = [(event["kind"], event.get("subject")) for event in own(logged_in(api.client, ctx, new))]
    assert sorted(kinds, key=str) == [("account.added", "new@example.org"), ("login", kinds[0][1])]


def test_pages_of_events_follow_each_other(api: Api) -> None:
    for _ in range(4):
        log_in(api.client, api.account.email)
    first = api.get(EVENTS, params={"limit": "3"}).json()
    rest = api.get(EVENTS, params={"limit": "100", "cursor": first["nextCursor"]}).json()
    assert len(first["events"]) == 3
    assert "nextCursor" not in rest
    assert [event["kind"] for event in (*first["events"], *rest["events"])] == ["login"] * 5 + ["account.added"]


@pytest.mark.parametrize("params", [{"kind": "nothing"}, {"cursor": "x"}, {"limit": "0"}])
def test_a_malformed_question_is_refused(api: Api, params: dict[str, str]) -> None:
    status, _ = error_of(api.get(EVENTS, params=params))
    assert status == 400

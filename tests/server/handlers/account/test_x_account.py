"""One's own account: the password, the names, devices and sessions, and the end of it."""

from typing import Any

import pytest
from tests.server.answers import answer_of
from tests.server.api import PASSWORD, Api, HeldClock, error_of, log_in, logged_in, new_account
from tests.server.good_calls import furnish
from tests.server.sharing import share
from tests.server.uploading import initiate
from tests.service.pacing import hold_pace

from skyshelf.service.accounts.accounts import disable, find_account
from skyshelf.service.context import ServiceContext
from skyshelf.service.doctor import run_checks
from skyshelf.service.doctor.check import CheckRun
from skyshelf.service.jobs import removal
from skyshelf.service.jobs.runner import JobRunner
from skyshelf.storage.errors import AccountMissing
from skyshelf.storage.metadata.sqlite.store import SqliteStore

NEW = "a quite different password"
NOBODY = "00000000-0000-4000-8000-000000000000"
GRACE_DAYS = 14


def second_session(api: Api, **more: Any) -> Api:
    return logged_in(api.client, api.ctx, api.account, **more)


def is_alive(api: Api) -> bool:
    return api.get("/security/users").status_code == 200


def change(api: Api, old: str = PASSWORD, new: str = NEW) -> Any:
    return api.post("/x/v1/account/password", json={"oldPassword": old, "newPassword": new})


def devices(api: Api) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = answer_of(api.get("/x/v1/account/devices"), "own_devices")["devices"]
    return found


def announce(api: Api, password: str = PASSWORD) -> Any:
    return api.post("/x/v1/account/deletion", json={"password": password})


def work(ctx: ServiceContext) -> None:
    background = JobRunner(ctx)
    while background.work_once():
        pass


def rows_of(ctx: ServiceContext, account_id: int) -> dict[str, int]:
    """How many rows of every table that knows accounts are the account's."""
    store = ctx.metadata
    assert isinstance(store, SqliteStore)
    found = {}
    with store.read() as unit:
        for (table,) in unit.sql.all("SELECT name FROM sqlite_master WHERE type = 'table'"):
            for column in [str(row[1]) for row in unit.sql.all(f"PRAGMA table_info({table})")]:
                if column in {"account_id", "owner_id"}:
                    text = f"SELECT count(*) FROM {table} WHERE {column} = :account"
                    found[f"{table}.{column}"] = unit.sql.all(text, {"account": account_id})[0][0]
    return found


class TestPassword:
    def test_the_new_one_counts_from_now_on(self, api: Api) -> None:
        assert answer_of(change(api), "change_password") == {"endedSessions": 0}
        assert error_of(log_in(api.client, api.account.email)) == (401, "SKY2000")
        assert log_in(api.client, api.account.email, password=NEW).status_code == 200

    def test_every_other_session_ends_and_this_one_stays(self, api: Api) -> None:
        others = [second_session(api) for _ in range(2)]
        nonce = others[0].post("/security/getokenforcookie", json={"jwt": others[0].login["jwt"]}).json()["nonce"]
        key = api.file("a.txt").object_key
        assert answer_of(change(api), "change_password") == {"endedSessions": 2}
        assert is_alive(api)
        assert not any(is_alive(other) for other in others)
        assert api.client.get(f"/download/files/{key}", params={"nonce": nonce}).status_code == 401

    def test_a_wrong_old_one_changes_nothing(self, api: Api) -> None:
        other = second_session(api)
        assert error_of(change(api, old="not it")) == (403, "SKY2004")
        assert is_alive(other)
        assert log_in(api.client, api.account.email).status_code == 200

    @pytest.mark.parametrize("new", ["", "short", "x" * 1025])
    def test_a_new_one_that_protects_nothing_is_refused(self, api: Api, new: str) -> None:
        assert error_of(change(api, new=new)) == (400, "SKY1000")
        assert log_in(api.client, api.account.email).status_code == 200

    def test_guesses_are_throttled_and_do_not_lock_other_devices_out(self, api: Api) -> None:
        answers = [change(api, old=f"guess {number}") for number in range(12)]
        assert [one.status_code for one in answers[:10]] == [403] * 10
        assert answers[-1].status_code == 429
        assert int(answers[-1].headers["retry-after"]) >= 1
        assert change(api).status_code == 429, "not even the right one, for a while"
        assert log_in(api.client, api.account.email).status_code == 200

    def test_no_secret_is_in_an_answer_or_a_representation(self, api: Api) -> None:
        from skyshelf.wire.resources.account import AccountDeletionRequest, PasswordChangeRequest

        shown = repr(PasswordChangeRequest(old_password=PASSWORD, new_password=NEW))
        shown += repr(AccountDeletionRequest(password=PASSWORD))
        shown += change(api, old="not it").text + change(api).text
        assert PASSWORD not in shown
        assert NEW not in shown


def test_the_names_that_others_see_can_be_changed_one_by_one(api: Api) -> None:
    def edit(**fields: Any) -> Any:
        return api.put("/x/v1/account/profile", json=fields)

    answer = answer_of(edit(firstName=" Augusta "), "edit_profile")
    assert (answer["firstName"], answer["lastName"]) == ("Augusta", "Byron")
    assert answer_of(edit(lastName="King"), "edit_profile")["lastName"] == "King"
    assert api.get("/security/users").json()["firstName"] == "Augusta"
    for bad in ({"firstName": ""}, {"lastName": "  "}, {"firstName": "a\nb"}, {"firstName": "x" * 256}):
        assert error_of(edit(**bad)) == (400, "SKY1000")
    assert answer_of(edit(), "edit_profile")["firstName"] == "Augusta"


class TestDevices:
    def test_every_device_is_listed_with_its_session(self, api: Api, clock: HeldClock) -> None:
        began = clock.now()
        clock.advance(5)
        second_session(api, deviceName="Phone", platformType="Android")
        third = second_session(api, deviceName="Tablet")
        third.put("/security/users/logout")
        tablet, phone, browser = sorted(devices(api), key=lambda one: str(one["deviceName"]), reverse=True)
        assert browser == {
            "deviceKey": api.login["deviceKey"],
            "deviceName": "Browser",
            "deviceType": "W",
            "platformType": "Web",
            "createdDate": began,
            "lastSeenDate": began,
            "isLoggedIn": True,
            "isCurrent": True,
            "isAppPassword": False,
            "loginDate": began,
            "sessionEndDate": began + 365 * 86_400_000,
        }
        assert (phone["deviceName"], phone["isLoggedIn"], phone["isCurrent"]) == ("Phone", True, False)
        assert (tablet["isLoggedIn"], "loginDate" in tablet) == (False, False)
        assert devices(api)[-1]["deviceName"] == "Browser", "the one that was seen last comes first"

    def test_one_session_can_be_ended_and_its_device_stays(self, api: Api) -> None:
        other = second_session(api)
        key = other.login["deviceKey"]
        answer = api.post("/x/v1/account/sessions/end", json={"deviceKey": key.upper()})
        assert (answer.status_code, answer.content) == (204, b"")
        assert not is_alive(other)
        assert is_alive(api)
        assert len(devices(api)) == 2
        assert error_of(api.post("/x/v1/account/sessions/end", json={"deviceKey": key})) == (404, "SKY3005")

    def test_all_others_can_be_ended_at_once(self, api: Api) -> None:
        others = [second_session(api) for _ in range(3)]
        answer = answer_of(api.post("/x/v1/account/sessions/end-others"), "end_other_sessions")
        assert answer == {"endedSessions": 3}
        assert is_alive(api)
        assert not any(is_alive(other) for other in others)
        assert answer_of(api.post("/x/v1/account/sessions/end-others"), "end_other_sessions") == {"endedSessions": 0}

    def test_a_device_can_be_forgotten(self, api: Api) -> None:
        other = second_session(api)
        path = f"/x/v1/account/devices/{other.login['deviceKey'].upper()}"
        assert api.delete(path).status_code == 204
        assert not is_alive(other)
        assert [one["deviceKey"] for one in devices(api)] == [api.login["deviceKey"]]
        assert error_of(api.delete(path)) == (404, "SKY3005")

    def test_devices_of_somebody_else_are_devices_that_do_not_exist(self, api: Api, other_api: Api) -> None:
        for key in (other_api.login["deviceKey"], NOBODY):
            assert error_of(api.post("/x/v1/account/sessions/end", json={"deviceKey": key})) == (404, "SKY3005")
            assert error_of(api.delete(f"/x/v1/account/devices/{key}")) == (404, "SKY3005")
        assert error_of(api.delete("/x/v1/account/devices/no-device")) == (404, "SKY3005")
        assert is_alive(other_api)
        assert len(devices(other_api)) == 1


class TestDeletion:
    def test_deletion_is_scheduled_for_a_date_and_can_be_cancelled(self, api: Api, clock: HeldClock) -> None:
        date = clock.now() + GRACE_DAYS * 86_400_000
        assert answer_of(announce(api), "delete_account") == {"deletionDate": date}
        assert api.get("/security/users").json()["deletionDate"] == date
        clock.advance(days=1)
        assert answer_of(announce(api), "delete_account") == {"deletionDate": date}, "the first date stays"
        assert api.post("/x/v1/account/deletion/cancel").status_code == 204
        assert "deletionDate" not in api.get("/security/users").json()
        clock.advance(days=GRACE_DAYS)
        work(api.ctx)
        assert is_alive(api)

    def test_the_password_is_needed_and_guesses_are_throttled(self, api: Api) -> None:
        answers = [announce(api, f"guess {number}") for number in range(12)]
        assert [one.status_code for one in answers[:10]] == [403] * 10
        assert answers[-1].status_code == 429
        assert "deletionDate" not in api.get("/security/users").json()

    def test_other_sessions_end_and_a_login_within_the_grace_is_as_usual(self, api: Api) -> None:
        other = second_session(api)
        announce(api)
        assert not is_alive(other)
        assert is_alive(api)
        again = second_session(api)
        assert "deletionDate" in again.get("/security/users").json()
        assert again.post("/x/v1/account/deletion/cancel").status_code == 204

    def test_its_links_open_nothing_from_the_announcement_on_and_open_again_when_it_is_kept(self, api: Api) -> None:
        link = share(api, api.file("a.txt").object_key)
        announce(api)
        assert link.page().status_code == 404
        api.post("/x/v1/account/deletion/cancel")
        assert link.page().status_code == 200

    def test_what_it_has_on_boards_is_hidden_from_the_announcement_on(self, api: Api, other_api: Api) -> None:
        board, key = _board_of_both(api, other_api)
        assert [one["objectKey"] for one in other_api.get(f"/boards/{board}").json()["objects"]] == [key]
        announce(api)
        assert other_api.get(f"/boards/{board}").json()["objects"] == []
        assert other_api.get(f"/download/files/{key}").status_code == 404
        api.post("/x/v1/account/deletion/cancel")
        assert [one["objectKey"] for one in other_api.get(f"/boards/{board}").json()["objects"]] == [key]

    def test_after_the_grace_period_nothing_of_it_is_left_and_nobody_else_loses_anything(
        self, api: Api, other_api: Api, clock: HeldClock, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        hold_pace(monkeypatch, 3)
        keys = furnish(api)
        kept = furnish(other_api)
        board, _ = _board_of_both(api, other_api)
        initiate(api, "unfinished.bin", b"x" * 100)
        for number in range(7):
            api.file(f"{number}.txt", b"shared content", keys.folder)
        other_api.file("same.txt", b"shared content")
        before = rows_of(api.ctx, other_api.account.account_id)
        announce(api)
        clock.advance(days=GRACE_DAYS)
        work(api.ctx)
        with pytest.raises(AccountMissing):
            find_account(api.ctx, api.account.email)
        left = rows_of(api.ctx, api.account.account_id)
        assert {table: count for table, count in left.items() if count} == {}
        assert len(left) > 15
        after = rows_of(api.ctx, other_api.account.account_id)
        assert after.pop("boards.owner_id") == before.pop("boards.owner_id") + 1, "the board passes on"
        assert after == before
        assert other_api.get(f"/boards/{board}").status_code == 200
        assert other_api.get(f"/download/files/{kept.file}").status_code == 200
        assert error_of(log_in(api.client, api.account.email)) == (401, "SKY2000")
        with api.ctx.metadata.snapshot() as unit:
            assert unit.inspection.miscounted(limit=10) == []
            (refs,) = {one.refs for one in [unit.content.owned(other_api.account.account_id, _MD5, 14)] if one}
            assert refs == 1
            assert unit.outbox.errors(10) == []
        assert [result for result in run_checks(api.ctx, CheckRun()) if not result.passed] == []

    def test_the_address_is_free_again(self, api: Api, clock: HeldClock) -> None:
        announce(api)
        clock.advance(days=GRACE_DAYS)
        work(api.ctx)
        again = logged_in(api.client, api.ctx, new_account(api.ctx, api.account.email))
        assert again.account.account_key != api.account.account_key

    def test_a_removal_that_was_interrupted_is_taken_up_again(
        self, api: Api, clock: HeldClock, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        hold_pace(monkeypatch, 2)
        furnish(api)
        announce(api)
        clock.advance(days=GRACE_DAYS)
        steps = removal.remove_account(api.ctx, api.account.account_id)
        for _ in range(4):
            next(steps)
        del steps
        assert not is_alive(api)
        assert rows_of(api.ctx, api.account.account_id)["objects.account_id"] > 0
        work(api.ctx)
        assert sum(rows_of(api.ctx, api.account.account_id).values()) == 0

    def test_kept_and_announced_again_it_goes_at_the_later_date(self, api: Api, clock: HeldClock) -> None:
        announce(api)
        clock.advance(days=10)
        api.post("/x/v1/account/deletion/cancel")
        announce(api)
        clock.advance(days=5)
        work(api.ctx)
        assert is_alive(api), "the first date is not the one that counts"
        for _ in range(9):
            # Day by day: a clock that jumps further is not believed.
            clock.advance(days=1)
            work(api.ctx)
        assert not is_alive(api)

    def test_a_disabled_account_goes_at_its_date_too(self, api: Api, clock: HeldClock) -> None:
        announce(api)
        disable(api.ctx, api.account)
        clock.advance(days=GRACE_DAYS)
        work(api.ctx)
        assert sum(rows_of(api.ctx, api.account.account_id).values()) == 0


_MD5 = "7a3756519690a0274fde041a270c8c61"


def _board_of_both(api: Api, other_api: Api) -> tuple[str, str]:
    """A board of the first, which the second has joined, with a file of the first on it."""
    board: str = api.post("/boards", json={"boardName": "Both"}).json()["boardKey"]
    key = api.file("on the board.jpg").object_key
    account, other, now = api.account.account_id, other_api.account.account_id, api.ctx.clock.now()

    def join(unit: Any) -> None:
        unit.board_items.add(account, board, [key], now)
        unit.sql.run(
            "INSERT INTO board_members (board_key, account_id, role, status, joined_at)"
            " VALUES (:board, :other, 'M', 'A', :now)",
            {"board": bytes.fromhex(board), "other": other, "now": now},
        )

    api.ctx.metadata.write(join)
    return board, key

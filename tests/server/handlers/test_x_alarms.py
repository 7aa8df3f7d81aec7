"""Alarms over HTTP: what a paused device is told, who may decide, and that all ways into an account pass the check."""

import random
from typing import Any

from tests.server.api import PASSWORD, Api, HeldClock, error_of, logged_in, new_account
from tests.server.dav.app import DavApp
from tests.server.good_calls import paused_device
from tests.server.in_process import TestClient
from tests.server.uploading import upload

from skyshelf.service.retention import set_retention
from skyshelf.wire.limits import ALARM_LIMIT_DEFAULT, ALARM_LIMIT_MIN

ALARMS = "/x/v1/alarms"
SETTINGS = f"{ALARMS}/settings"
CONFIRMED = {"confirmation": {"password": PASSWORD}}


def listed(api: Api) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = api.get(ALARMS).json()["alarms"]
    return found


def trash(api: Api, *keys: str) -> dict[str, Any]:
    def entry(key: str) -> dict[str, Any]:
        echo = {"objectKey": key, "objectName": "x", "sourceName": "DRIVE", "status": "T"}
        return {"operation": "TRASH", "correlationId": "1", "object": echo}

    answer: dict[str, Any] = api.put("/nms/metadata/1.0", json={"objects": [entry(key) for key in keys]}).json()
    return answer


def another(api: Api) -> Api:
    return logged_in(api.client, api.ctx, api.account)


def test_a_device_that_trashes_too_much_is_paused_and_says_so(api: Api) -> None:
    assert api.put(SETTINGS, json={"limit": ALARM_LIMIT_MIN}).status_code == 200
    keys = [api.file(f"{number}.txt").object_key for number in range(ALARM_LIMIT_MIN + 1)]
    assert len(trash(api, *keys[:-1])["objects"]) == ALARM_LIMIT_MIN
    assert api.get(ALARMS).json()["isPaused"] is True
    assert trash(api, keys[-1])["code"] == "SKY2050"
    [alarm] = listed(api)
    assert (alarm["state"], alarm["deleted"], alarm["isCurrent"]) == ("open", ALARM_LIMIT_MIN, True)
    assert alarm["deviceKey"] == api.login["deviceKey"]
    assert error_of(api.post("/x/v1/trash/empty")) == (403, "SKY2050")
    assert error_of(api.post("/x/v1/trash/purge", json={"objectKeys": keys[:1]})) == (403, "SKY2050")
    assert error_of(api.post("/x/v1/history/forget", json={})) == (403, "SKY2050")
    assert api.get("/x/v1/account/events").json()["events"][1]["kind"] == "alarm.raised"


def test_contents_that_look_encrypted_count_ten_times(api: Api) -> None:
    api.put(SETTINGS, json={"limit": ALARM_LIMIT_MIN})
    for number in range(5):
        assert listed(api) == []
        api.file(f"{number}.txt", b"words")
        assert upload(api, f"{number}.txt", random.Random(number).randbytes(2000)).status_code < 300
    assert [one["scrambled"] for one in listed(api)] == [5]


def test_another_session_allows_a_device_and_the_paused_one_needs_the_password(api: Api) -> None:
    paused = another(api)
    paused_device(api, paused.login["deviceKey"])
    path = f"{ALARMS}/{paused.login['deviceKey']}/allow"
    assert error_of(paused.post(path, json={})) == (403, "SKY2051")
    wrong = {"confirmation": {"password": "not the password"}}
    assert error_of(paused.post(path, json=wrong)) == (403, "SKY2004")
    assert [one["state"] for one in listed(api)] == ["open"]
    assert api.post(path, json={}).status_code == 200
    assert [one["state"] for one in listed(api)] == ["allowed"]
    key = api.file("a.txt").object_key
    assert trash(paused, key)["objects"]
    assert error_of(api.post(path, json={})) == (404, "SKY3005")


def test_the_password_allows_the_paused_device_itself(api: Api) -> None:
    paused_device(api, api.login["deviceKey"])
    path = f"{ALARMS}/{api.login['deviceKey']}/allow"
    assert api.post(path, json=CONFIRMED).status_code == 200
    assert api.get(ALARMS).json()["isPaused"] is False


def test_a_paused_device_cannot_allow_another_one(api: Api) -> None:
    other = paused_device(api)
    paused_device(api, api.login["deviceKey"])
    assert error_of(api.post(f"{ALARMS}/{other}/allow", json={})) == (403, "SKY2051")


def test_ending_logs_the_device_out(api: Api) -> None:
    paused = another(api)
    paused_device(api, paused.login["deviceKey"])
    [alarm] = api.post(f"{ALARMS}/{paused.login['deviceKey']}/end").json()["alarms"]
    assert (alarm["state"], "decidedDate" in alarm) == ("ended", True)
    assert paused.get(ALARMS).status_code == 401


def test_allowing_lasts_for_the_hours_that_were_chosen(api: Api, clock: HeldClock) -> None:
    paused = paused_device(api)
    api.post(f"{ALARMS}/{paused}/allow", json={"hours": 2})
    paused_device(api, paused)
    assert [one["state"] for one in listed(api)] == ["allowed"]
    clock.advance(minutes=121)
    paused_device(api, paused)
    assert [one["state"] for one in listed(api)] == ["open", "allowed"]


def test_only_a_stricter_limit_needs_no_password(api: Api) -> None:
    assert api.get(SETTINGS).json() == {"limit": ALARM_LIMIT_DEFAULT, "isOwn": False}
    assert api.put(SETTINGS, json={"limit": 500}).json() == {"limit": 500, "isOwn": True}
    for limit in (501, 0, None):
        assert error_of(api.put(SETTINGS, json={"limit": limit})) == (403, "SKY2051")
    assert api.put(SETTINGS, json={"limit": 0} | CONFIRMED).json() == {"limit": 0, "isOwn": True}
    assert api.put(SETTINGS, json={"limit": 5000}).json()["limit"] == 5000, "from off to on"
    assert api.put(SETTINGS, json={"limit": None} | CONFIRMED).json()["isOwn"] is False
    assert error_of(api.put(SETTINGS, json={"limit": ALARM_LIMIT_MIN - 1}))[0] == 400


def test_a_paused_device_needs_the_password_for_any_limit(api: Api) -> None:
    paused_device(api, api.login["deviceKey"])
    assert error_of(api.put(SETTINGS, json={"limit": 60})) == (403, "SKY2051")


def test_the_operator_chooses_the_limit_of_those_who_chose_none(api: Api) -> None:
    set_retention(api.ctx, "alarm_limit", 70)
    assert api.get(SETTINGS).json() == {"limit": 70, "isOwn": False}
    set_retention(api.ctx, "alarm_limit", None)
    assert api.get(SETTINGS).json()["limit"] == ALARM_LIMIT_DEFAULT


def test_webdav_passes_the_same_check(api: Api, client: TestClient) -> None:
    app = DavApp(client, api.ctx, api.account)
    api.file("old.txt", b"old")
    api.file("other.txt", b"other")
    paused_device(api, app.device_key)
    assert app.get("old.txt").content == b"old"
    favorite = "<D:set><D:prop><x:p>1</x:p></D:prop></D:set>"
    refused = [
        app.put("new.txt", b"new"),
        app.put("old.txt", b"encrypted"),
        app.delete("old.txt"),
        app.move("old.txt", "moved.txt"),
        app.move("old.txt", "other.txt", Overwrite="T"),
        app.copy("old.txt", "copied.txt"),
        app.mkcol("folder"),
        app.lock("old.txt"),
        app.proppatch("old.txt", favorite),
    ]
    assert [one.status_code for one in refused] == [403] * len(refused)
    assert len(app.names()) == len(["old.txt", "other.txt", "what it renamed"])
    [alarm] = listed(api)
    assert alarm["isAppPassword"] is True
    assert api.post(f"{ALARMS}/{app.device_key}/end").status_code == 200
    assert app.get("old.txt").status_code == 401


def test_somebody_elses_alarm_looks_like_none(api: Api) -> None:
    paused = paused_device(api)
    stranger = logged_in(api.client, api.ctx, new_account(api.ctx, "grace@example.org"))
    assert listed(stranger) == []
    for way in ("allow", "end"):
        missing = stranger.post(f"{ALARMS}/{paused}/{way}", json={} if way == "allow" else None)
        assert error_of(missing) == (404, "SKY3005")

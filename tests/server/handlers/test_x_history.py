"""Looking back: what changed and who did it, folders and files as they were, and how long that is kept."""

from typing import Any

from tests.server.api import PASSWORD, Api, HeldClock, error_of

from skyshelf.service.jobs import contents, maintenance
from skyshelf.service.jobs.maintenance import expire_history

HISTORY = "/x/v1/history"


def entries(api: Api, **params: str | int) -> list[dict[str, Any]]:
    answer = api.get(HISTORY, params={name: str(value) for name, value in params.items()})
    assert answer.status_code == 200, answer.text
    found: list[dict[str, Any]] = answer.json()["entries"]
    return found


def listed(api: Api, key: str, at: int, **params: str) -> list[str]:
    answer = api.get(f"{HISTORY}/folders/{key}", params={"at": str(at), **params})
    assert answer.status_code == 200, answer.text
    return [one["objectName"] for one in answer.json()["objects"]]


def rename(api: Api, key: str, name: str) -> None:
    echo = {"objectKey": key, "objectName": name, "sourceName": "DRIVE"}
    entry = {"operation": "RENAME", "correlationId": "1", "object": echo}
    assert api.put("/nms/metadata/1.0", json={"objects": [entry]}).json()["objects"], "renamed"


def purge(api: Api, *keys: str) -> None:
    api.trash(*keys)
    assert api.post("/x/v1/trash/purge", json={"objectKeys": list(keys)}).status_code == 200
    for _ in maintenance.purge(api.ctx, api.account.account_id):
        pass


def test_a_change_says_what_was_before_and_after_and_which_device_made_it(api: Api, clock: HeldClock) -> None:
    key = api.file("a.txt").object_key
    clock.advance(ms=10)
    rename(api, key, "b.txt")
    renamed, created = entries(api, objectKey=key)
    assert (renamed["kind"], created["kind"]) == ("renamed", "created")
    assert (renamed["before"]["objectName"], renamed["after"]["objectName"]) == ("a.txt", "b.txt")
    assert renamed["deviceKey"] == api.login["deviceKey"]
    assert len(renamed["sessionId"]) == 16
    assert "deviceKey" not in created
    assert [one["kind"] for one in entries(api, deviceKey=renamed["deviceKey"])] == ["renamed"]
    assert [one["kind"] for one in entries(api, session=renamed["sessionId"])] == ["renamed"]
    assert entries(api, session="0" * 16) == []
    assert [one["kind"] for one in entries(api, kind="created")] == ["created"]
    assert [one["kind"] for one in entries(api, since=clock.now())] == ["renamed"]
    assert [one["kind"] for one in entries(api, until=clock.now() - 1)] == ["created"]


def test_changes_below_a_folder_are_those_of_everything_in_it(api: Api) -> None:
    folder = api.folder("folder").object_key
    inner = api.folder("inner", folder).object_key
    file = api.file("a.txt", parent_key=inner).object_key
    api.file("elsewhere.txt")
    assert [one["objectKey"] for one in entries(api, folderKey=folder)] == [file, inner]
    purge(api, folder)
    assert {one["objectKey"] for one in entries(api, folderKey=inner)} == {file}


def test_pages_of_changes_end(api: Api) -> None:
    for number in range(5):
        api.folder(str(number))
    met: list[str] = []
    cursor: dict[str, str] = {}
    while True:
        page = api.get(HISTORY, params={"limit": "2", **cursor}).json()
        met += [one["after"]["objectName"] for one in page["entries"]]
        if "nextCursor" not in page:
            break
        cursor = {"cursor": page["nextCursor"]}
    assert met == ["4", "3", "2", "1", "0"]
    assert error_of(api.get(HISTORY, params={"cursor": "x"})) == (400, "SKY1010")


def test_a_folder_is_listed_as_it_was_after_everything_in_it_was_deleted_for_good(api: Api, clock: HeldClock) -> None:
    folder = api.folder("folder").object_key
    for name in ("b.txt", "a.txt"):
        api.file(name, name.encode(), parent_key=folder)
    api.folder("z", folder)
    before = clock.now()
    clock.advance(ms=10)
    purge(api, folder)
    assert listed(api, api.root_key, before) == ["folder"]
    assert listed(api, folder, before) == ["z", "a.txt", "b.txt"]
    assert listed(api, api.root_key, clock.now()) == []
    assert error_of(api.get(f"{HISTORY}/folders/{folder}", params={"at": str(clock.now())})) == (404, "SKY3000")
    page = api.get(f"{HISTORY}/folders/{folder}", params={"at": str(before), "limit": "2"}).json()
    rest = api.get(
        f"{HISTORY}/folders/{folder}", params={"at": str(before), "limit": "2", "cursor": page["nextCursor"]}
    ).json()
    names = [one["objectName"] for one in page["objects"] + rest["objects"]]
    assert sorted(names) == ["a.txt", "b.txt", "z"]
    for cursor in ("x", "WyJoZXJlIiwiIiwieCJd", "WyJjaGFuZ2VkIiwiMDEiLCIiXQ"):
        answer = api.get(f"{HISTORY}/folders/{folder}", params={"at": str(before), "cursor": cursor})
        assert error_of(answer) == (400, "SKY1010")


def test_a_file_is_downloaded_as_it_was_even_from_quarantine(api: Api, clock: HeldClock) -> None:
    key = api.file("a.txt", b"first").object_key
    before = clock.now()
    clock.advance(ms=10)
    api.file("a.txt", b"second")
    middle = clock.now()
    clock.advance(ms=10)
    purge(api, key)
    clock.advance(minutes=61)
    for _ in contents.collect_unreferenced_blobs(api.ctx):
        pass
    for at, content in ((before, b"first"), (middle, b"second")):
        answer = api.get(f"/download/history/{key}", params={"at": str(at)})
        assert (answer.status_code, answer.content) == (200, content)
    part = api.get(f"/download/history/{key}", params={"at": str(before)}, headers={"range": "bytes=1-2"})
    assert (part.status_code, part.content) == (206, b"ir")
    assert api.get("/x/v1/storage").json()["history"] == len(b"firstsecond")


def test_history_that_is_no_longer_kept_is_refused(api: Api, clock: HeldClock) -> None:
    key = api.folder("a").object_key
    before = clock.now()
    clock.advance(days=1)
    rename(api, key, "b")
    clock.advance(days=20)
    assert listed(api, api.root_key, before) == ["a"]
    assert api.get(f"{HISTORY}/settings").json()["days"] == 30
    assert error_of(api.put(f"{HISTORY}/settings", json={"days": 7})) == (403, "SKY2051")
    wrong = {"days": 7, "confirmation": {"password": "wrong"}}
    assert api.put(f"{HISTORY}/settings", json=wrong).status_code == 403
    assert api.get(f"{HISTORY}/settings").json()["days"] == 30
    chosen = api.put(f"{HISTORY}/settings", json={"days": 7, "confirmation": {"password": PASSWORD}}).json()
    assert (chosen["days"], chosen["daysMax"]) == (7, 30)
    for _ in expire_history(api.ctx):
        pass
    assert error_of(api.get(f"{HISTORY}/folders/{api.root_key}", params={"at": str(before)})) == (410, "SKY1016")
    assert entries(api) == []
    assert api.put(f"{HISTORY}/settings", json={"days": 99}).json()["days"] == 30
    assert api.put(f"{HISTORY}/settings", json={"days": None}).json()["days"] == 30


def test_forgotten_history_is_gone_at_once_and_its_contents_soon(api: Api, clock: HeldClock) -> None:
    key = api.file("a.txt", b"12345").object_key
    before = clock.now()
    clock.advance(ms=10)
    purge(api, key)
    assert api.get(f"{HISTORY}/settings").json()["sizeInBytes"] == 5
    assert error_of(api.post(f"{HISTORY}/forget", json={})) == (403, "SKY2051")
    assert entries(api) != []
    assert api.post(f"{HISTORY}/forget", json={"confirmation": {"password": PASSWORD}}).status_code == 200
    assert error_of(api.get(f"/download/history/{key}", params={"at": str(before)})) == (410, "SKY1016")
    assert entries(api) == []
    for _ in expire_history(api.ctx):
        pass
    assert api.get(f"{HISTORY}/settings").json()["sizeInBytes"] == 0

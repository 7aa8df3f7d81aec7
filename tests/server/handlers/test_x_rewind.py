"""Rewinds over HTTP: plans, whole accounts, folders and sessions, and what stops one."""

from typing import Any

from tests.server.api import PASSWORD, Api, HeldClock, error_of, log_in, new_account
from tests.server.good_calls import paused_device
from tests.server.handlers.test_x_history import entries, purge, rename

from skyshelf.service.jobs.runner import REWIND_JOBS, JobRunner

REWIND = "/x/v1/rewind"


def planned(api: Api, *, limit: int = 2, **body: object) -> list[dict[str, Any]]:
    """All pages of a plan."""
    found: list[dict[str, Any]] = []
    cursor: dict[str, str] = {}
    while True:
        answer = api.post(f"{REWIND}/plan", json={**body, **cursor, "limit": limit})
        assert answer.status_code == 200, answer.text
        found += answer.json()["items"]
        if "nextCursor" not in answer.json():
            return found
        cursor = {"cursor": answer.json()["nextCursor"]}


def finish(api: Api) -> None:
    while JobRunner(api.ctx, jobs=REWIND_JOBS, tasks=()).work_once():
        pass


def ended(api: Api, started: Any) -> dict[str, Any]:
    """The rewind of an answer, once its job has ended."""
    assert started.status_code == 200, started.text
    assert started.json()["state"] == "planning"
    finish(api)
    found: dict[str, Any] = api.get(f"{REWIND}/{started.json()['rewindKey']}").json()
    return found


def names(api: Api, folder_key: str) -> list[str]:
    with api.ctx.metadata.read() as unit:
        return sorted(one.name for one in unit.tree.children(api.account.account_id, folder_key))


def hashes(api: Api, folder_key: str) -> dict[str, str | None]:
    with api.ctx.metadata.read() as unit:
        return {one.name: one.md5 for one in unit.tree.children(api.account.account_id, folder_key)}


def move(api: Api, key: str, folder_key: str) -> None:
    echo = {"objectKey": key, "objectName": "x", "parentObjectKey": folder_key, "sourceName": "DRIVE"}
    entry = {"operation": "MOVE", "correlationId": "1", "object": echo}
    assert api.put("/nms/metadata/1.0", json={"objects": [entry]}).json()["objects"], "moved"


def trash_by_http(api: Api, key: str) -> None:
    """So that history knows whose session it was."""
    assert api.put("/nms/metadata/trash", json={"objectKeys": [key]}).status_code < 300


def test_an_account_comes_back_as_it_was_and_goes_again(api: Api, clock: HeldClock) -> None:
    folder = api.folder("folder").object_key
    kept, renamed, written, gone = (api.file(f"{name}.txt", name.encode()) for name in ("a", "b", "c", "d"))
    before, at = hashes(api, api.root_key), clock.now()
    clock.advance(ms=10)
    rename(api, renamed.object_key, "other.txt")
    api.file("c.txt", b"written over")
    purge(api, gone.object_key)
    move(api, kept.object_key, folder)
    api.file("b.txt", b"in its place")
    messed_up = hashes(api, api.root_key)
    plan = {one["path"]: one for one in planned(api, to=at)}
    assert {path: plan[path]["actions"] for path in ("/a.txt", "/c.txt", "/d.txt")} == {
        "/a.txt": ["moved"],
        "/c.txt": ["content"],
        "/d.txt": ["restored"],
    }
    assert plan["/d.txt"]["sizeInBytes"] == 1
    assert plan["/c.txt"]["target"]["hash"] == written.md5
    clock.advance(ms=10)
    done = ended(api, api.post(REWIND, json={"to": at}))
    assert (done["state"], done["done"], done["counts"]["left"]) == ("done", 5, 0)
    assert done["counts"] | {"left": 0} == {
        "restored": 1, "moved": 1, "renamed": 1, "content": 1, "favorite": 0, "tags": 0, "boards": 0, "links": 0,
        "others": 0, "trashed": 1, "left": 0,
    }  # fmt: skip
    assert hashes(api, api.root_key) == before
    assert names(api, folder) == []
    [newest, *_] = entries(api)
    assert newest["rewindKey"] == done["rewindKey"]
    assert "deviceKey" not in newest
    clock.advance(ms=10)
    undone = ended(api, api.post(f"{REWIND}/{done['rewindKey']}/undo"))
    assert (undone["state"], undone["undoOf"]) == ("done", done["rewindKey"])
    assert hashes(api, api.root_key) == messed_up
    assert names(api, folder) == ["a.txt"]
    assert [one["rewindKey"] for one in api.get(REWIND).json()["rewinds"]] == [undone["rewindKey"], done["rewindKey"]]


def test_what_a_session_deleted_besides_files_comes_back(api: Api, clock: HeldClock) -> None:
    """Without a password: an album with its comments, and contacts, deleted and edited."""
    board = api.post("/boards", json={"boardName": "Summer", "boardDescription": ""}).json()["boardKey"]
    said = api.post(f"/x/v1/boards/{board}/comments", json={"text": "hello"}).json()["commentKey"]
    gone, edited = (api.post("/x/v1/contacts", json={"displayName": name}).json()["contactId"] for name in ("A", "B"))
    at = clock.now()
    clock.advance(ms=10)
    assert api.post("/x/v1/contacts/remove", json={"contactIds": [gone]}).status_code == 200
    assert api.put(f"/x/v1/contacts/{edited}", json={"displayName": "X"}).status_code == 200
    assert api.delete(f"/x/v1/boards/{board}/comments/{said}").status_code < 300
    assert api.delete(f"/x/v1/boards/{board}").status_code < 300
    clock.advance(ms=10)
    mine = {"to": at, "deviceKey": api.login["deviceKey"]}
    assert api.post(f"{REWIND}/plan", json=mine).json()["counts"]["others"] == 4
    assert ended(api, api.post(REWIND, json=mine))["counts"]["others"] == 4
    assert [one["text"] for one in api.get(f"/x/v1/boards/{board}/comments").json()["comments"]] == ["hello"]
    with api.ctx.metadata.read() as unit:
        contacts = unit.contacts.following(api.account.account_id, limit=10)
    assert [one.display_name for one, _ in contacts] == ["A", "B"]


def test_a_folder_comes_back_and_everything_else_stays(api: Api, clock: HeldClock) -> None:
    folder, other = api.folder("folder").object_key, api.folder("other").object_key
    inner = api.folder("inner", folder).object_key
    api.file("a.txt", b"a", parent_key=inner)
    outside = api.file("outside.txt", parent_key=other).object_key
    at = clock.now()
    clock.advance(ms=10)
    rename(api, outside, "changed.txt")
    purge(api, folder)
    assert "folder" not in names(api, api.root_key)
    assert ended(api, api.post(REWIND, json={"to": at, "folderKey": folder}))["counts"]["restored"] == 3
    assert names(api, api.root_key) == ["folder", "other"]
    assert names(api, inner) == ["a.txt"]
    assert names(api, other) == ["changed.txt"]


def test_what_one_session_did_is_taken_back_and_what_others_changed_since_stays(api: Api, clock: HeldClock) -> None:
    first, second = (api.file(f"{name}.txt", name.encode()).object_key for name in ("a", "b"))
    guest = Api(api.client, api.ctx, api.account, log_in(api.client, api.account.email).json())
    at = clock.now()
    clock.advance(ms=10)
    for key in (first, second):
        rename(guest, key, f"by-the-guest-{key}.txt")
    trash_by_http(guest, first)
    rename(api, second, "by-the-owner.txt")
    session = entries(api, deviceKey=guest.login["deviceKey"])[0]["sessionId"]
    plan = planned(api, to=at, session=session)
    assert {one["objectKey"]: one.get("problem") for one in plan} == {first: None, second: "changedByOthers"}
    done = ended(api, api.post(REWIND, json={"to": at, "session": session}))
    assert (done["state"], done["sessionId"], done["counts"]["left"]) == ("done", session, 1)
    assert names(api, api.root_key) == ["a.txt", "by-the-owner.txt"]
    problems = api.get(f"{REWIND}/{done['rewindKey']}/problems").json()["items"]
    assert [(one["objectKey"], one["problem"]) for one in problems] == [(second, "changedByOthers")]


def test_a_paused_device_undoes_what_raised_its_alarm_and_nothing_from_before(api: Api, clock: HeldClock) -> None:
    """Otherwise the thief of a laptop could still trash what its owner made on it in all the days of history."""
    device, before = api.login["deviceKey"], clock.now()
    clock.advance(ms=10)
    api.post("/nms/metadata/folder", json={"folderName": "made on it", "parentKey": api.root_key})
    clock.advance(days=10)
    paused_device(api, device)
    since = api.get("/x/v1/alarms").json()["alarms"][0]["sinceDate"]
    for body in ({"to": before, "deviceKey": device}, {"toNumber": 0, "deviceKey": device}, {"to": since - 1}):
        assert error_of(api.post("/x/v1/rewind", json=body)) == (403, "SKY2050"), body
    started = api.post("/x/v1/rewind", json={"to": since - 1, "deviceKey": device})
    assert ended(api, started)["state"] == "done"


def test_a_rewind_that_does_not_fit_changes_nothing_and_says_what_is_missing(api: Api, clock: HeldClock) -> None:
    key = api.file("a.txt", b"x" * 1000).object_key
    at = clock.now()
    clock.advance(ms=10)
    purge(api, key)
    account_id = api.account.account_id
    with api.ctx.metadata.read() as unit:
        used = unit.quotas.get(account_id, clock.now()).used
    api.ctx.metadata.write(
        lambda unit: unit.accounts.set_space(account_id, default_space=used + 400, paid_space=0, now=clock.now())
    )
    done = ended(api, api.post(REWIND, json={"to": at}))
    assert (done["state"], done["missingInBytes"], done["sizeInBytes"]) == ("refused", 600, 1000)
    assert entries(api)[0]["kind"] == "purged"
    assert "rewindKey" not in entries(api)[0]


def test_one_rewind_runs_at_a_time_and_can_be_cancelled(api: Api, clock: HeldClock) -> None:
    at = clock.now()
    clock.advance(ms=10)
    api.file("a.txt")
    started = api.post(REWIND, json={"to": at}).json()
    assert error_of(api.post(REWIND, json={"to": at})) == (409, "SKY1018")
    assert error_of(api.post(f"{REWIND}/{started['rewindKey']}/undo")) == (409, "SKY1018")
    assert api.post(f"{REWIND}/{started['rewindKey']}/cancel").json()["state"] == "cancelled"
    finish(api)
    assert names(api, api.root_key) == ["a.txt"]
    assert ended(api, api.post(REWIND, json={"to": at}))["state"] == "done"
    assert api.post(f"{REWIND}/{started['rewindKey']}/cancel").json()["state"] == "cancelled"
    assert names(api, api.root_key) == []


def test_bad_moments_folders_and_cursors_are_refused(api: Api, clock: HeldClock) -> None:
    file = api.file("a.txt").object_key
    for body in ({}, {"to": 5, "toNumber": 5}, {"to": 5, "session": "%"}):
        assert error_of(api.post(REWIND, json=body)) == (400, "SKY1000")
    assert error_of(api.post(REWIND, json={"to": clock.now(), "folderKey": file})) == (400, "SKY3020")
    assert error_of(api.post(REWIND, json={"to": clock.now(), "folderKey": "0" * 32})) == (404, "SKY3000")
    api.post("/x/v1/history/forget", json={"confirmation": {"password": PASSWORD}})
    assert error_of(api.post(REWIND, json={"to": 5})) == (410, "SKY1016")
    assert error_of(api.post(REWIND, json={"toNumber": 0})) == (410, "SKY1016")
    for cursor in ("x", "WyJ3YXkiXQ", "WyJ3YXkiLDAsIiIsMCw5OTk5XQ"):
        assert error_of(api.post(f"{REWIND}/plan", json={"to": clock.now(), "cursor": cursor}))[0] == 400
    stranger = new_account(api.ctx, "somebody@example.org")
    other = Api(api.client, api.ctx, stranger, log_in(api.client, stranger.email).json())
    key = api.post(REWIND, json={"to": clock.now()}).json()["rewindKey"]
    assert error_of(other.get(f"{REWIND}/{key}")) == (404, "SKY1017")
    assert other.get(REWIND).json()["rewinds"] == []

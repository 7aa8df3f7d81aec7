"""Which files are executable: kept with the object, whatever happens to it, and shown in every listing."""

from typing import Any

import pytest
from tests.server.api import Api, HeldClock
from tests.server.handlers.test_x_history import entries, purge, rename
from tests.server.handlers.test_x_rewind import REWIND, ended


def put(api: Api, is_executable: bool, *keys: str) -> dict[str, Any]:
    answer = api.put("/x/v1/executable", json={"objectKeys": list(keys), "isExecutable": is_executable})
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def executables(api: Api, folder_key: str | None = None) -> set[str]:
    listed = api.get("/nms/metadata", params={"folderKey": folder_key or api.root_key, "limit": "100"}).json()
    return {one["objectName"] for one in listed["objects"] if one.get("isExecutable")}


def test_files_become_executable_and_are_listed_as_such(api: Api) -> None:
    first, second = api.file("a.sh", b"a"), api.file("b.sh", b"b")
    done = put(api, True, first.object_key, second.object_key.lower())
    assert [one["isExecutable"] for one in done["objects"]] == [True, True]
    assert done["unprocessed"] == []
    assert executables(api) == {"a.sh", "b.sh"}
    done = put(api, False, first.object_key)
    assert "isExecutable" not in done["objects"][0]
    assert executables(api) == {"b.sh"}
    assert api.get("/x/v1/epoch").json()["keepsExecutable"] is True


def test_what_is_no_file_is_refused_separately(api: Api) -> None:
    file, folder = api.file("a.sh", b"a").object_key, api.folder("folder").object_key
    done = put(api, True, folder, "0" * 32, "nonsense", api.root_key, file)
    assert [one["objectKey"] for one in done["objects"]] == [file]
    codes = {one["object"]["objectKey"]: one["object"]["errorCode"] for one in done["unprocessed"]}
    missing = codes["0" * 32]
    assert codes == {folder: codes[folder], "0" * 32: missing, "NONSENSE": missing, api.root_key: codes[folder]}
    assert missing != codes[folder]


def test_a_repeated_call_changes_nothing(api: Api) -> None:
    key = api.file("a.sh", b"a").object_key
    put(api, True, key)
    before = len(entries(api))
    put(api, True, key)
    assert len(entries(api)) == before


def test_it_stays_with_the_file(api: Api) -> None:
    key, folder = api.file("a.sh", b"a").object_key, api.folder("folder").object_key
    put(api, True, key)
    api.file("a.sh", b"another content")
    rename(api, key, "b.sh")
    api.trash(key)
    assert api.put("/nms/metadata/restore", json={"objectKeys": [key]}).status_code == 200
    assert api.post("/x/v1/versions/restore", json={"objectKey": key, "version": 1}).status_code == 200
    assert executables(api) == {"b.sh"}
    copied = api.post("/x/v1/copies", json={"objectKeys": [key], "parentObjectKey": folder})
    assert copied.json()["objects"][0]["object"]["isExecutable"] is True
    assert executables(api, folder) == {"b.sh"}


@pytest.mark.parametrize("is_purged", [False, True])
def test_history_has_it_and_a_rewind_brings_it_back(api: Api, clock: HeldClock, is_purged: bool) -> None:
    key = api.file("a.sh", b"a").object_key
    put(api, True, key)
    at = clock.now()
    clock.advance(ms=10)
    put(api, False, key)
    [newest, *_] = entries(api)
    assert newest["kind"] == "content"
    assert newest["before"]["isExecutable"] is True
    assert "isExecutable" not in newest["after"]
    since = api.get("/x/v1/history/differences", params={"since": str(at)}).json()["differences"]
    assert [one["kinds"] for one in since] == [["executable"]]
    if is_purged:
        purge(api, key)
    clock.advance(ms=10)
    assert ended(api, api.post(REWIND, json={"to": at}))["state"] == "done"
    assert executables(api) == {"a.sh"}


def test_a_change_is_in_the_feed(api: Api) -> None:
    key = api.file("a.sh", b"a").object_key
    cursor = api.get("/x/v1/changes").json()["cursor"]
    put(api, True, key)
    page = api.get("/x/v1/changes", params={"cursor": cursor}).json()
    assert [one["objectKey"] for one in page["changes"]] == [key]
    assert page["objects"][0]["isExecutable"] is True

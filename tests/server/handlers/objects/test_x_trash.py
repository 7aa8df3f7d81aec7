"""Deleting for good: what is purged is gone at once for everybody, and its bytes follow in small steps."""

from typing import Any

import pytest
from tests.server.answers import answer_of
from tests.server.api import Api, HeldClock, error_of
from tests.server.echoes import in_trash, make_folders, names
from tests.service.pacing import hold_pace

from skyshelf.service.jobs import maintenance
from skyshelf.service.jobs.runner import JobRunner
from skyshelf.storage.metadata.contracts import changes as feed
from skyshelf.storage.metadata.contracts.accounts import Quota
from skyshelf.wire.keys import make_key

UNKNOWN = make_key(1, bytes(10))


def purge(api: Api, *keys: str) -> dict[str, Any]:
    answer: dict[str, Any] = answer_of(api.post("/x/v1/trash/purge", json={"objectKeys": keys}), "purge")
    return answer


def empty(api: Api) -> dict[str, Any]:
    answer: dict[str, Any] = answer_of(api.post("/x/v1/trash/empty"), "empty_trash")
    return answer


def quota(api: Api) -> Quota:
    """What the counters say, which is what a recount says."""
    with api.ctx.metadata.snapshot() as unit:
        kept = unit.quotas.get(api.account.account_id, 0)
        assert kept == unit.quotas.recount(api.account.account_id, 0)
    return kept


def work(api: Api) -> None:
    """Do what waits in the background, to its end."""
    background = JobRunner(api.ctx)
    while background.work_once():
        pass


def rows(api: Api) -> int:
    with api.ctx.metadata.read() as unit:
        (row,) = unit.sql.all(
            "SELECT count(*) FROM objects WHERE account_id = :account", {"account": api.account.account_id}
        )
    number: int = row[0]
    return number


def trashed_file(api: Api, name: str = "a.txt", data: bytes = b"12345") -> str:
    key = api.file(name, data).object_key
    api.trash(key)
    return key


def test_chosen_objects_of_the_trash_are_gone_and_the_others_stay(api: Api) -> None:
    gone, stays = trashed_file(api, "gone.txt"), trashed_file(api, "stays.txt")
    answer = purge(api, gone)
    assert answer["objects"] == [{"objectKey": gone}]
    assert answer["unprocessed"] == []
    assert names(in_trash(api)) == ["stays.txt"]
    assert (answer["usedSpace"], answer["isUploadAllowed"]) == (10, True)
    work(api)
    assert quota(api).used == 5
    assert [one["objectKey"] for one in in_trash(api)] == [stays]


def test_what_is_not_in_the_trash_is_refused_and_untouched(api: Api, other_api: Api) -> None:
    folder = api.folder("folder")
    below = api.file("below.txt", parent_key=folder.object_key)
    api.trash(folder.object_key)
    active = api.file("active.txt").object_key
    theirs = trashed_file(other_api)
    keys = [active, UNKNOWN, theirs, below.object_key, api.root_key, "no key"]
    answer = purge(api, *keys)
    assert answer["objects"] == []
    assert [one["object"]["objectKey"] for one in answer["unprocessed"]] == keys
    assert {one["object"]["errorCode"] for one in answer["unprocessed"]} == {"SKY3025"}
    work(api)
    assert names(in_trash(api)) == ["folder"]
    assert names(in_trash(other_api)) == ["a.txt"]
    assert api.get(f"/download/files/{active}").status_code == 200


def test_a_purged_object_is_gone_from_every_call_before_its_bytes_are(api: Api) -> None:
    key = trashed_file(api)
    purge(api, key)
    assert rows(api) == 2, "nothing has been removed yet"
    assert in_trash(api) == []
    assert api.get(f"/nms/metadata/version/{key}").status_code == 404
    assert api.get(f"/download/files/{key}").status_code == 404
    assert api.get(f"/download/avimages/{key}").status_code == 404
    restored = api.put("/nms/metadata/restore", json={"objectKeys": [key]}).json()
    assert (restored["objects"], len(restored["unprocessed"])) == ([], 1)
    assert purge(api, key)["objects"] == []
    assert api.post("/x/v1/versions/restore", json={"objectKey": key, "version": 1}).status_code == 404


def test_purging_a_folder_takes_what_is_below_it_and_spares_what_was_trashed_separately(api: Api) -> None:
    folder = api.folder("folder")
    api.file("below.txt", b"123", folder.object_key)
    own = api.file("trashed by itself.txt", b"12345", folder.object_key)
    api.trash(own.object_key)
    api.trash(folder.object_key)
    purge(api, folder.object_key)
    assert names(in_trash(api)) == ["trashed by itself.txt"]
    work(api)
    assert quota(api).used == 5
    restored = api.put("/nms/metadata/restore", json={"objectKeys": [own.object_key]}).json()
    assert [one["parentObjectKey"] for one in restored["objects"]] == [api.root_key]


def test_the_trash_is_empty_at_once_and_the_space_comes_back(api: Api) -> None:
    for number in range(3):
        trashed_file(api, f"{number}.txt")
    kept = api.file("kept.txt", b"1234567").object_key
    answer = empty(api)
    assert (answer["usedSpace"], answer["isUploadAllowed"]) == (22, True)
    assert in_trash(api) == []
    work(api)
    assert quota(api).used == 7
    assert rows(api) == 2
    assert api.get(f"/download/files/{kept}").status_code == 200


def test_an_empty_trash_can_be_emptied(api: Api) -> None:
    assert empty(api) == {"usedSpace": 0, "isUploadAllowed": True}
    work(api)
    assert rows(api) == 1


def test_what_is_trashed_after_the_emptying_stays_even_in_the_same_millisecond(api: Api) -> None:
    trashed_file(api, "before.txt")
    empty(api)
    trashed_file(api, "after.txt")
    work(api)
    assert names(in_trash(api)) == ["after.txt"]


def test_both_ways_are_reported_in_the_change_feed(api: Api, clock: HeldClock) -> None:
    one = trashed_file(api, "one.txt")
    trashed_file(api, "two.txt")
    purge(api, one)
    clock.advance(1)
    empty(api)
    with api.ctx.metadata.read() as unit:
        reported = [(change.kind, change.object_key) for change in unit.changes.since(api.account.account_id, 0, 100)]
    assert reported[-2:] == [(feed.PURGED, one), (feed.EMPTIED, api.root_key)]


def test_the_quota_is_exact_after_every_step_and_others_can_work_in_between(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    hold_pace(monkeypatch, 7)
    folder = api.folder("folder").object_key
    for number in range(20):
        api.file(f"{number}.txt", b"%d" % number, folder)
    make_folders(api, 5, folder)
    api.trash(folder)
    empty(api)
    used = [quota(api).used]
    for number, _ in enumerate(maintenance.purge(api.ctx, api.account.account_id)):
        api.file(f"meanwhile {number}.txt", b"")
        used.append(quota(api).used)
    used.append(quota(api).used)
    assert used == sorted(used, reverse=True)
    assert (used[0], used[-1]) == (30, 0)
    assert len(used) > 4


def test_a_purge_that_was_interrupted_is_taken_up_by_the_next_worker(
    api: Api, clock: HeldClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    hold_pace(monkeypatch, 3)
    for number in range(10):
        trashed_file(api, f"{number}.txt", b"1")
    empty(api)
    ctx = api.ctx
    # A worker that takes the job, does one step, and is never heard of again.
    lease, now = ctx.new_key(), clock.now()
    claimed = ctx.metadata.write(lambda unit: unit.outbox.claim(["purge"], now, lease=lease, lease_until=now + 1000))
    assert claimed is not None
    next(maintenance.purge(ctx, api.account.account_id))
    assert 0 < quota(api).used < 10
    work(api)
    assert quota(api).used > 0, "somebody else has the job"
    clock.advance(seconds=2)
    work(api)
    assert (quota(api).used, rows(api)) == (0, 1)


def test_only_one_to_two_thousand_keys_are_taken(api: Api) -> None:
    for keys in ([], ["x"] * 2001):
        assert error_of(api.post("/x/v1/trash/purge", json={"objectKeys": keys})) == (400, "SKY1000")


def test_the_same_key_twice_is_one_object(api: Api) -> None:
    key = trashed_file(api)
    answer = purge(api, key, key.lower())
    assert (answer["objects"], answer["unprocessed"]) == ([{"objectKey": key}], [])

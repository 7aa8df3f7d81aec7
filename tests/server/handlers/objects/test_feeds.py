"""Feeds: what came in lately, what is shared, what an app brought, and what can be shown."""

from typing import Any

from tests.server.answers import answer_of
from tests.server.api import ORIGIN, Api, HeldClock, error_of
from tests.server.echoes import echo_of, names

from skyshelf.storage.metadata.contracts.shares import NewShare

SHARED = "/nms/collshare/byme"
LINKED = "/nms/headless/linkedapp/metadata"


def recent(api: Api) -> dict[str, Any]:
    answer: dict[str, Any] = answer_of(api.get("/nms/metadata/recent/objects"), "recent")
    return answer


def test_a_new_account_has_nothing_recent(api: Api) -> None:
    api.folder("folders are not recent")
    assert recent(api) == {"objectsImgs": [], "objectsDocs": []}


def test_pictures_and_videos_are_apart_from_the_rest_newest_first(api: Api, clock: HeldClock) -> None:
    for name in ["a.txt", "b.jpg", "c.mp4", "d.mp3", "e.pdf", "f.heic"]:
        clock.advance(1)
        api.file(name)
    assert names(recent(api)["objectsImgs"]) == ["f.heic", "c.mp4", "b.jpg"]
    assert names(recent(api)["objectsDocs"]) == ["e.pdf", "d.mp3", "a.txt"]


def test_fifty_of_each_are_recent(api: Api, clock: HeldClock) -> None:
    for number in range(51):
        clock.advance(1)
        api.file(f"{number}.jpg")
        api.file(f"{number}.txt")
    assert names(recent(api)["objectsImgs"]) == [f"{number}.jpg" for number in range(50, 0, -1)]
    assert names(recent(api)["objectsDocs"]) == [f"{number}.txt" for number in range(50, 0, -1)]


def test_recent_objects_are_shown_in_full(api: Api) -> None:
    file = api.file("a.jpg")
    assert recent(api)["objectsImgs"] == [echo_of(api, file.object_key)]


def test_what_cannot_be_seen_is_not_recent(api: Api, other_api: Api) -> None:
    folder = api.folder("folder")
    api.file("below.jpg", parent_key=folder.object_key)
    gone = api.file("gone.jpg")
    api.trash(folder.object_key, gone.object_key)
    other_api.file("theirs.jpg")
    assert recent(api)["objectsImgs"] == []


def share(api: Api, *keys: str, expires_at: int = 0) -> str:
    """Share objects, straight in the store; the key of the share."""
    new = NewShare(
        share_key=api.ctx.new_key(),
        token_hash=api.ctx.randomness.bytes(32),
        name="a share",
        object_keys=list(keys),
        expires_at=expires_at,
    )
    now = api.ctx.clock.now()
    api.ctx.metadata.write(lambda unit: unit.shares.add(api.account.account_id, new, now))
    return new.share_key


def shared(api: Api, **params: Any) -> list[str]:
    return names(answer_of(api.get(SHARED, params=params), "shared_by_me")["objects"])


def test_shared_objects_are_listed_by_their_newest_share(api: Api, clock: HeldClock) -> None:
    keys = {name: api.file(name).object_key for name in "abc"}
    for name in ["c", "a", "b", "c"]:
        clock.advance(1)
        share(api, keys[name])
    assert shared(api) == ["c", "b", "a"]
    assert shared(api, sort="-smd") == ["c", "b", "a"]
    assert shared(api, sort="+smd") == ["a", "b", "c"]
    assert [shared(api, limit=2, page=page) for page in range(3)] == [["c", "b"], ["a"], []]


def test_a_shared_object_is_shown_in_full(api: Api) -> None:
    file = api.file("a.jpg")
    share(api, file.object_key)
    answer = answer_of(api.get(SHARED), "shared_by_me")
    assert answer == {"objects": [echo_of(api, file.object_key)]}
    assert answer["objects"][0]["url"].startswith(f"{ORIGIN}/download/files/")


def test_only_live_links_count(api: Api, other_api: Api, clock: HeldClock) -> None:
    expiring, revoked, trashed = (api.file(name).object_key for name in ("expiring", "revoked", "trashed"))
    share(api, expiring, expires_at=clock.now() + 10)
    revoked_share = share(api, revoked)
    share(api, trashed)
    share(other_api, other_api.file("theirs").object_key)
    assert sorted(shared(api)) == ["expiring", "revoked", "trashed"]
    api.trash(trashed)
    api.ctx.metadata.write(lambda unit: unit.shares.revoke(api.account.account_id, revoked_share, clock.now()))
    clock.advance(10)
    assert shared(api) == []


def linked(api: Api, **params: Any) -> list[str]:
    return names(answer_of(api.get(LINKED, params=params), "linked_app")["objects"])


def test_an_app_finds_what_came_under_its_code_newest_first(api: Api, other_api: Api, clock: HeldClock) -> None:
    for name, code in [("a", "dgl"), ("b", "dgl"), ("c", "other"), ("d", "")]:
        clock.advance(1)
        api.file(name, app_code=code)
    other_api.file("theirs", app_code="dgl")
    assert linked(api, appcode="dgl") == ["b", "a"]
    assert linked(api) == ["b", "a"]
    assert linked(api, appcode="other") == ["c"]
    assert linked(api, appcode="unknown") == []
    assert [linked(api, limit=1, page=page) for page in range(3)] == [["b"], ["a"], []]


def test_what_an_app_brought_and_cannot_be_seen_is_left_out(api: Api) -> None:
    api.trash(api.file("a", app_code="dgl").object_key)
    assert linked(api) == []


def test_feeds_refuse_bad_pages_limits_and_sorts(api: Api) -> None:
    for path in [SHARED, LINKED, "/nms/spotlights/metadata"]:
        for query in ["limit=0", "limit=5001", "limit=x", "limit=", "page=-1", "page=x", "page=1.5"]:
            assert error_of(api.get(f"{path}?{query}")) == (400, "SKY1000"), (path, query)
    for query in ["sort=smd", "sort=-objectName", "sort="]:
        assert error_of(api.get(f"{SHARED}?{query}")) == (400, "SKY1000"), query
    for query in ["appcode=", f"appcode={'x' * 65}", "appcode=a%00b"]:
        assert error_of(api.get(f"{LINKED}?{query}")) == (400, "SKY1000"), query


def test_supported_documents_are_those_that_can_be_shown_and_none_can_be_edited(api: Api) -> None:
    supported = answer_of(api.get("/cspp/intg/doc/supported"), "supported_documents")["supportedExtensions"]
    assert supported.keys() == {"view", "edit", "favIconUrls"}
    assert supported["edit"] == []
    assert {"jpg", "png", "heic", "mp4", "mp3", "pdf", "txt", "md", "json", "py"} <= set(supported["view"])
    assert {"docx", "xlsx", "zip", "exe", "psd", "wmv", "sqlite"}.isdisjoint(supported["view"])

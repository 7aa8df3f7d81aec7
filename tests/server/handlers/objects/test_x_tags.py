"""Tags that are given and taken, the timeline and the favourites, over HTTP."""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
from tests.server.answers import answer_of
from tests.server.api import Api, HeldClock, error_of
from tests.server.echoes import echo_of

UNKNOWN = "0" * 32


def give(api: Api, name: str, *keys: str) -> dict[str, Any]:
    response = api.post("/x/v1/tags", json={"tagName": name, "objectKeys": list(keys)})
    answer: dict[str, Any] = answer_of(response, "add_tag")
    return answer


def take(api: Api, tag: str, *keys: str) -> dict[str, Any]:
    response = api.post("/x/v1/tags/remove", json={"tagId": tag, "objectKeys": list(keys)})
    answer: dict[str, Any] = answer_of(response, "remove_tag")
    return answer


def pages(api: Api, path: str, name: str, **params: Any) -> Iterator[list[dict[str, Any]]]:
    """All pages of a list that is walked by cursor."""
    while True:
        answer = answer_of(api.get(path, params=params), name)
        yield answer.get("objects", answer.get("tags"))
        if "nextCursor" not in answer:
            return
        params["cursor"] = answer["nextCursor"]


def names(api: Api, path: str, name: str, **params: Any) -> list[str]:
    return [one["objectName"] for page in pages(api, path, name, **params) for one in page]


def tags_of(api: Api, key: str) -> list[str]:
    return [one["tagName"] for one in api.get(f"/nms/manual/tags/{key}").json()]


def test_a_tag_is_given_to_many_and_what_is_not_there_is_reported(api: Api, other_api: Api, clock: HeldClock) -> None:
    file, folder = api.file("a.jpg").object_key, api.folder("Folder").object_key
    trashed, theirs = api.file("t.jpg").object_key, other_api.file("x.jpg").object_key
    api.trash(trashed)
    answer = give(api, "Été", file.lower(), folder, trashed, theirs, UNKNOWN, "nonsense")
    assert answer["objectKeys"] == [file, folder]
    assert (answer["tag"]["tagName"], answer["tag"]["createdDate"]) == ("Été", clock.now())
    refused = [(one["object"]["objectKey"], one["object"]["errorCode"]) for one in answer["unprocessed"]]
    assert refused == [(key, "SKY3000") for key in (trashed, theirs, UNKNOWN, "nonsense")]
    assert give(api, "ÉTÉ", file)["tag"] == answer["tag"], "case does not count, and the first spelling stays"
    assert tags_of(api, file) == tags_of(api, folder) == ["Été"]
    nothing = give(api, "never", UNKNOWN)
    assert ("tag" in nothing, nothing["objectKeys"]) == (False, [])
    assert [one["tagName"] for page in pages(api, "/x/v1/tags", "tag_list") for one in page] == ["Été"]


def test_a_tag_is_taken_off_and_gone_with_the_last(api: Api) -> None:
    one, two, other = (api.file(name).object_key for name in ("1.jpg", "2.jpg", "3.jpg"))
    tag = give(api, "sea", one, two)["tag"]["tagId"]
    answer = take(api, tag, one, other)
    assert (answer["objectKeys"], len(answer["unprocessed"])) == ([one], 1)
    assert (tags_of(api, one), tags_of(api, two)) == ([], ["sea"])
    assert take(api, tag.lower(), two)["objectKeys"] == [two]
    assert error_of(api.post("/x/v1/tags/remove", json={"tagId": tag, "objectKeys": [two]})) == (404, "SKY3030")
    assert api.get("/nms/manual/tag/recents").json() == []


def test_tagged_objects_are_paged_most_recently_tagged_first(api: Api, other_api: Api, clock: HeldClock) -> None:
    keys = [api.file(f"{number}.jpg").object_key for number in range(5)]
    for key in keys:
        clock.advance(1)
        tag = give(api, "sea", key)["tag"]["tagId"]
    path = f"/x/v1/tags/{tag}/objects"
    for limit in (1, 2, 5, 100):
        assert names(api, path, "tagged_objects", limit=limit) == ["4.jpg", "3.jpg", "2.jpg", "1.jpg", "0.jpg"]
    (first, *_) = api.get(path).json()["objects"]
    assert first == echo_of(api, keys[4])
    api.trash(keys[3])
    assert names(api, path, "tagged_objects", limit=2) == ["4.jpg", "2.jpg", "1.jpg", "0.jpg"]
    assert error_of(other_api.get(path)) == (404, "SKY3030")
    assert error_of(api.get(path, params={"cursor": "x"})) == (400, "SKY1010")


def test_tags_are_listed_renamed_and_deleted(api: Api, other_api: Api) -> None:
    key = api.file("a.jpg").object_key
    tags = {name: give(api, name, key)["tag"]["tagId"] for name in ("zebra", "Äpfel", "banana", "Apple")}
    give(other_api, "theirs", other_api.file("x.jpg").object_key)
    listed = [one["tagName"] for page in pages(api, "/x/v1/tags", "tag_list", limit=3) for one in page]
    assert listed == ["Apple", "banana", "zebra", "Äpfel"]
    path = f"/x/v1/tags/{tags['zebra']}"
    assert answer_of(api.put(path, json={"tagName": "horse"}), "rename_tag")["tagName"] == "horse"
    assert error_of(api.put(path, json={"tagName": "APPLE"})) == (409, "SKY3035")
    for body in ({}, {"tagName": ""}, {"tagName": "x" * 256}, {"tagName": "a\x00"}):
        assert error_of(api.put(path, json=body)) == (400, "SKY1000"), body
    for who, tag in ((other_api, tags["zebra"]), (api, UNKNOWN), (api, "nonsense")):
        assert error_of(who.put(f"/x/v1/tags/{tag}", json={"tagName": "x"})) == (404, "SKY3030")
        assert error_of(who.delete(f"/x/v1/tags/{tag}")) == (404, "SKY3030")
    assert api.delete(path).status_code == 204
    assert tags_of(api, key) == ["Apple", "banana", "Äpfel"]
    for cursor in ("x", "WzEsIjAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwIl0"):
        assert error_of(api.get("/x/v1/tags", params={"cursor": cursor})) == (400, "SKY1010")


def test_bad_tags_are_refused(api: Api) -> None:
    key = api.file("a.jpg").object_key
    for body in ({"tagName": "x"}, {"objectKeys": [key]}, {"tagName": "", "objectKeys": [key]}):
        assert error_of(api.post("/x/v1/tags", json=body)) == (400, "SKY1000"), body
    assert error_of(api.post("/x/v1/tags", json={"tagName": "x", "objectKeys": []})) == (400, "SKY1000")
    assert error_of(api.post("/x/v1/tags", json={"tagName": "x", "objectKeys": [key] * 2001})) == (400, "SKY1000")
    assert error_of(api.post("/x/v1/tags/remove", json={"tagId": "x", "objectKeys": [key]})) == (400, "SKY1003")


def at(year: int, month: int, day: int) -> int:
    return int(datetime(year, month, day, tzinfo=UTC).timestamp()) * 1000


def test_the_timeline_counts_months_and_shows_each_by_pages(api: Api, other_api: Api) -> None:
    for number in range(5):
        api.file(f"{number}.jpg", b"%d" % number, taken_at=at(2024, 5, 1 + number), taken_day=501 + number)
    api.file("film.mp4", taken_at=None, taken_day=None, file_created_at=at(1999, 12, 31))
    api.file("notes.txt", file_created_at=at(2024, 5, 1))
    folder = api.folder("hidden").object_key
    api.file("hidden.jpg", b"hidden", folder, file_created_at=at(2024, 5, 9))
    api.trash(folder)
    months = answer_of(api.get("/x/v1/timeline"), "timeline")["months"]
    assert months == [{"year": 2024, "month": 5, "count": 5}, {"year": 1999, "month": 12, "count": 1}]
    for limit in (1, 2, 5, 100):
        found = names(api, "/x/v1/timeline/objects", "timeline_objects", year=2024, month=5, limit=limit)
        assert found == ["4.jpg", "3.jpg", "2.jpg", "1.jpg", "0.jpg"]
    assert names(api, "/x/v1/timeline/objects", "timeline_objects", year=1999, month=12) == ["film.mp4"]
    assert names(api, "/x/v1/timeline/objects", "timeline_objects", year=2020, month=1) == []
    assert other_api.get("/x/v1/timeline").json() == {"months": []}


@pytest.mark.parametrize(
    "query",
    ["", "year=2024", "month=5", "year=2024&month=0", "year=2024&month=13", "year=x&month=1", "year=10000&month=1"],
)
def test_a_month_that_is_none_is_refused(api: Api, query: str) -> None:
    assert error_of(api.get(f"/x/v1/timeline/objects?{query}")) == (400, "SKY1000")


def test_favourites_are_listed_newest_first_or_by_name(api: Api, other_api: Api, clock: HeldClock) -> None:
    files = []
    for name in ("c.jpg", "a.jpg", "B.txt"):
        clock.advance(1)
        files.append(api.file(name).object_key)
    clock.advance(1)
    files.append(api.folder("Zoo").object_key)
    api.file("no favourite.jpg")
    for key in files:
        entry = {"operation": "SETFAV", "correlationId": "1", "object": echo_of(api, key)}
        assert api.put("/nms/metadata/1.0", json={"objects": [entry]}).json()["unprocessed"] == []
    path = "/x/v1/favorites"
    for limit in (1, 3, 100):
        assert names(api, path, "favorites", limit=limit) == ["Zoo", "B.txt", "a.jpg", "c.jpg"]
        assert names(api, path, "favorites", limit=limit, order="name") == ["a.jpg", "B.txt", "c.jpg", "Zoo"]
    api.trash(files[1])
    assert names(api, path, "favorites", order="name") == ["B.txt", "c.jpg", "Zoo"]
    assert other_api.get(path).json() == {"objects": []}
    cursor = api.get(path, params={"limit": 1}).json()["nextCursor"]
    assert error_of(api.get(path, params={"cursor": cursor, "order": "name"})) == (400, "SKY1010")
    for query in ({"order": "size"}, {"limit": 0}, {"limit": 5001}):
        assert error_of(api.get(path, params=query)) == (400, "SKY1000")

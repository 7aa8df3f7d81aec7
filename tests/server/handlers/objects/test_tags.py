"""Tags: bare arrays of words that a person gave to objects."""

from typing import Any

from tests.server.answers import answer_of
from tests.server.api import Api, HeldClock, error_of

from skyshelf.storage.metadata.contracts.tree import NewTag
from skyshelf.wire.keys import make_key

UNKNOWN = make_key(1, bytes(10))


def tag(api: Api, object_key: str, name: str) -> str:
    """Give a tag, straight in the store; its key."""
    new = NewTag(tag_key=api.ctx.new_key(), name=name)
    now = api.ctx.clock.now()
    given = api.ctx.metadata.write(lambda unit: unit.tags.add(api.account.account_id, [object_key], new, now))
    return given.tag_key


def recent(api: Api) -> list[dict[str, Any]]:
    tags: list[dict[str, Any]] = answer_of(api.get("/nms/manual/tag/recents"), "recent_tags")
    return tags


def of_object(api: Api, key: str) -> list[dict[str, Any]]:
    tags: list[dict[str, Any]] = answer_of(api.get(f"/nms/manual/tags/{key}"), "object_tags")
    return tags


def test_without_tags_both_answers_are_bare_empty_arrays(api: Api) -> None:
    assert api.get("/nms/manual/tag/recents").content == b"[]"
    assert api.get(f"/nms/manual/tags/{api.root_key}").content == b"[]"


def test_a_tag_has_an_id_a_name_and_a_date(api: Api, clock: HeldClock) -> None:
    file = api.file("a.txt")
    key = tag(api, file.object_key, "été ☀")
    expected = [{"tagId": key, "tagName": "été ☀", "createdDate": clock.now()}]
    assert recent(api) == expected
    assert of_object(api, file.object_key) == expected
    assert of_object(api, file.object_key.lower()) == expected


def test_the_tags_of_an_object_are_its_own_by_name(api: Api) -> None:
    file, other = api.file("a.txt"), api.file("b.txt")
    for name in ("sea", "Beach", "art"):
        tag(api, file.object_key, name)
    tag(api, other.object_key, "work")
    assert [one["tagName"] for one in of_object(api, file.object_key)] == ["art", "Beach", "sea"]


def test_the_tag_given_last_is_the_first_of_the_recent_ones(api: Api, clock: HeldClock) -> None:
    file, other = api.file("a.txt"), api.file("b.txt")
    for key, name in [(file.object_key, "one"), (file.object_key, "two"), (other.object_key, "one")]:
        clock.advance(1)
        tag(api, key, name)
    assert [one["tagName"] for one in recent(api)] == ["one", "two"]


def test_an_account_never_sees_anothers_tags(api: Api, other_api: Api) -> None:
    tag(other_api, other_api.file("a.txt").object_key, "secret")
    assert recent(api) == []


def test_tags_of_what_cannot_be_seen_are_not_found(api: Api, other_api: Api) -> None:
    gone = api.file("gone")
    tag(api, gone.object_key, "tag")
    api.trash(gone.object_key)
    answers = [
        api.get(f"/nms/manual/tags/{key}")
        for key in (UNKNOWN, gone.object_key, other_api.file("theirs").object_key, "nonsense")
    ]
    assert [error_of(answer) for answer in answers] == [(404, "SKY3000")] * 4
    assert len({answer.text for answer in answers}) == 1

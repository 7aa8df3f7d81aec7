"""POST /share/ulinks: making a public link."""

import base64
import re

import pytest
from tests.server.api import Api, error_of
from tests.server.sharing import body_for, share

NOT_FOUND = (404, "SKY3000")
INVALID = (400, "SKY1000")


def test_a_share_is_answered_201_with_its_url_and_nothing_else(api: Api) -> None:
    file = api.file("a.txt")
    answer = api.post("/share/ulinks", json=body_for(file.object_key))
    assert answer.status_code == 201
    assert answer.json().keys() == {"shareURL"}
    assert re.fullmatch(r"http://testserver/l/\?u=[A-Za-z0-9_-]+", answer.json()["shareURL"])


def test_a_token_has_more_than_128_bits(api: Api) -> None:
    link = share(api, api.file("a.txt").object_key)
    assert len(base64.urlsafe_b64decode(link.token)) * 8 >= 128


def test_every_share_has_its_own_token(api: Api) -> None:
    file = api.file("a.txt")
    assert len({share(api, file.object_key).token for _ in range(5)}) == 5


def test_tokens_of_two_services_differ_though_their_shares_have_the_same_key(api: Api) -> None:
    from skyshelf.service.sharing.links import token_with

    assert token_with(b"1" * 32, api.root_key) != token_with(b"2" * 32, api.root_key)


def test_several_objects_stay_in_the_order_given_and_each_once(api: Api) -> None:
    keys = [api.file(name).object_key for name in ("c.txt", "a.txt", "b.txt")]
    link = share(api, keys[1], keys[0].lower(), keys[1], keys[2])
    assert link.share.object_keys == [keys[1], keys[0], keys[2]]


def test_the_store_never_sees_the_token(api: Api, tmp_path_factory: pytest.TempPathFactory) -> None:
    link = share(api, api.file("a.txt").object_key)
    files = (path for path in tmp_path_factory.getbasetemp().rglob("metadata.db*") if path.is_file())
    store = b"".join(path.read_bytes() for path in files)
    assert store, "the database was looked for in the wrong place"
    assert link.token.encode() not in store


def test_the_owner_can_be_shown_the_link_again(api: Api) -> None:
    link = share(api, api.file("a.txt").object_key)
    assert api.get(f"/x/v1/shares/{link.share.share_key}").json()["shareURL"] == link.url


def test_a_share_type_other_than_l_is_refused(api: Api) -> None:
    file = api.file("a.txt")
    assert error_of(api.post("/share/ulinks", json=body_for(file.object_key, shareType="P"))) == INVALID


def test_no_objects_are_refused(api: Api) -> None:
    assert error_of(api.post("/share/ulinks", json=body_for())) == INVALID


def test_an_unknown_key_is_not_found_and_nothing_is_shared(api: Api) -> None:
    file = api.file("a.txt")
    answer = api.post("/share/ulinks", json=body_for(file.object_key, "0" * 32))
    assert error_of(answer) == NOT_FOUND
    assert api.get("/nms/collshare/byme").json() == {"objects": []}


def test_somebody_elses_object_is_like_an_unknown_one(api: Api, other_api: Api) -> None:
    theirs = other_api.file("secret.txt")
    unknown = api.post("/share/ulinks", json=body_for("0" * 32))
    answer = api.post("/share/ulinks", json=body_for(theirs.object_key))
    assert (answer.status_code, answer.json()) == (unknown.status_code, unknown.json())


def test_a_trashed_object_cannot_be_shared(api: Api) -> None:
    file = api.file("a.txt")
    api.trash(file.object_key)
    assert error_of(api.post("/share/ulinks", json=body_for(file.object_key))) == NOT_FOUND


def test_what_is_below_a_trashed_folder_cannot_be_shared(api: Api) -> None:
    folder = api.folder("old")
    file = api.file("a.txt", parent_key=folder.object_key)
    api.trash(folder.object_key)
    assert error_of(api.post("/share/ulinks", json=body_for(file.object_key))) == NOT_FOUND


def test_a_shared_object_is_in_what_its_owner_shares_until_the_link_is_revoked(api: Api) -> None:
    file = api.file("a.txt")
    link = share(api, file.object_key)
    assert [one["objectKey"] for one in api.get("/nms/collshare/byme").json()["objects"]] == [file.object_key]
    link.revoke()
    assert api.get("/nms/collshare/byme").json() == {"objects": []}


def test_making_a_share_needs_a_session(api: Api) -> None:
    answer = api.post("/share/ulinks", json=body_for(api.root_key), without=("Authorization",))
    assert error_of(answer) == (401, "TEJGA0401")

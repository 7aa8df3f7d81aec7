"""The links that one has made: the list, their limits, their end, and what a visitor meets then."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx2
import pytest
from tests.server.answers import answer_of
from tests.server.api import Api, HeldClock, error_of
from tests.server.sharing import Link, share

from skyshelf.wire.keys import make_key

UNKNOWN = make_key(1, bytes(10))
PASSWORD = "open sesame"


def listed(api: Api, **params: str) -> dict[str, Any]:
    answer: dict[str, Any] = answer_of(api.get("/x/v1/shares", params=params), "own_shares")
    return answer


def shares(api: Api) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = listed(api)["shares"]
    return found


def add(api: Api, *keys: str, **fields: Any) -> dict[str, Any]:
    body = {"objectKeys": keys, "shareName": "A link", **fields}
    answer: dict[str, Any] = answer_of(api.post("/x/v1/shares", json=body), "add_share")
    return answer


def edit(api: Api, share_key: str, **fields: Any) -> dict[str, Any]:
    answer: dict[str, Any] = answer_of(api.put(f"/x/v1/shares/{share_key}", json=fields), "edit_share")
    return answer


def link_to(api: Api, made: dict[str, Any]) -> Link:
    return Link(api, made["shareURL"])


def unlock(link: Link, password: str) -> httpx2.Response:
    return link.get("/l/unlock", method="POST", data={"password": password})


def all_doors(link: Link, key: str) -> list[httpx2.Response]:
    return [link.page(), link.page(key), link.file(key), link.thumbnail(key), link.zip(), unlock(link, PASSWORD)]


def test_a_link_is_created_with_its_limits_and_returned_whole(api: Api, clock: HeldClock) -> None:
    file, folder = api.file("a.jpg").object_key, api.folder("Trip").object_key
    until = clock.now() + 1000
    made = add(api, file, folder, expiryDate=until, password=PASSWORD, maxDownloads=3)
    assert made == {
        "shareKey": made["shareKey"],
        "shareName": "A link",
        "shareURL": made["shareURL"],
        "rights": "view",
        "isLive": True,
        "createdDate": clock.now(),
        "expiryDate": until,
        "hasPassword": True,
        "maxDownloads": 3,
        "downloads": 0,
        "visits": 0,
        "objectKeys": [file, folder],
        "objects": [
            {"objectKey": file, "objectName": "a.jpg", "objectType": "FE"},
            {"objectKey": folder, "objectName": "Trip", "objectType": "FR"},
        ],
    }
    assert answer_of(api.get(f"/x/v1/shares/{made['shareKey']}"), "own_share") == made
    assert shares(api) == [made]


def test_the_links_of_the_interface_are_listed_too_with_their_address(api: Api) -> None:
    link = share(api, api.file("a.jpg").object_key)
    (shown,) = shares(api)
    assert (shown["shareURL"], shown["hasPassword"], shown["isLive"]) == (link.url, False, True)
    assert not {"expiryDate", "maxDownloads", "lastVisitDate"} & shown.keys()


def test_the_list_is_newest_first_and_paged_by_a_cursor(api: Api, clock: HeldClock) -> None:
    key = api.file("a.jpg").object_key
    made = []
    for number in range(7):
        clock.advance(number % 2)
        made.append(add(api, key, shareName=str(number))["shareKey"])
    walked: list[str] = []
    cursor: dict[str, str] = {}
    while True:
        page = listed(api, limit="3", **cursor)
        walked += [one["shareKey"] for one in page["shares"]]
        if "nextCursor" not in page:
            break
        cursor = {"cursor": page["nextCursor"]}
    assert sorted(walked) == sorted(made)
    assert walked == [one["shareKey"] for one in shares(api)]
    dates = [one["createdDate"] for one in shares(api)]
    assert dates == sorted(dates, reverse=True)
    assert listed(api, limit="7").keys() == {"shares"}
    for bad in ("x", "1-2", "-1-" + "0" * 32, "9" * 400):
        assert error_of(api.get("/x/v1/shares", params={"cursor": bad})) == (400, "SKY1010")
    assert error_of(api.get("/x/v1/shares", params={"limit": "201"})) == (400, "SKY1000")


def test_what_a_link_shows_is_reported_without_what_is_trashed(api: Api) -> None:
    kept, gone = api.file("kept.jpg").object_key, api.file("gone.jpg").object_key
    add(api, gone, kept)
    api.trash(gone)
    (shown,) = shares(api)
    assert [one["objectName"] for one in shown["objects"]] == ["kept.jpg"]
    assert shown["objectKeys"] == [gone, kept]


def test_visits_and_downloads_are_counted(api: Api, clock: HeldClock) -> None:
    key = api.file("a.txt").object_key
    made = add(api, key)
    link = link_to(api, made)
    link.page()
    clock.advance(7)
    link.page()
    link.file(key)
    (shown,) = shares(api)
    assert (shown["visits"], shown["lastVisitDate"], shown["downloads"]) == (2, clock.now(), 1)


def test_only_what_is_named_is_changed(api: Api, clock: HeldClock) -> None:
    made = add(api, api.file("a.txt").object_key, expiryDate=clock.now() + 5, password=PASSWORD, maxDownloads=2)
    renamed = edit(api, made["shareKey"], shareName="Ünsere Fotos")
    assert renamed == made | {"shareName": "Ünsere Fotos"}
    assert edit(api, made["shareKey"]) == renamed
    opened = edit(api, made["shareKey"], expiryDate=0, password="", maxDownloads=0)
    assert not {"expiryDate", "maxDownloads"} & opened.keys()
    assert opened["hasPassword"] is False
    again = edit(api, made["shareKey"], password=PASSWORD, maxDownloads=9, expiryDate=clock.now() + 1)
    assert (again["hasPassword"], again["maxDownloads"], again["expiryDate"]) == (True, 9, clock.now() + 1)


@pytest.mark.parametrize("body", [{"password": "short"}, {"shareName": ""}, {"maxDownloads": -1}, {"expiryDate": -1}])
def test_limits_that_cannot_be_are_refused(api: Api, body: dict[str, Any]) -> None:
    key = api.file("a.txt").object_key
    made = add(api, key)
    assert error_of(api.put(f"/x/v1/shares/{made['shareKey']}", json=body)) == (400, "SKY1000")
    whole = {"objectKeys": [key], "shareName": "x", **body}
    assert error_of(api.post("/x/v1/shares", json=whole)) == (400, "SKY1000")
    assert shares(api) == [made]


def test_one_unknown_object_refuses_the_whole_link(api: Api, other_api: Api) -> None:
    mine, theirs = api.file("a.txt").object_key, other_api.file("b.txt").object_key
    for key in (theirs, UNKNOWN):
        body = {"objectKeys": [mine, key], "shareName": "x"}
        assert error_of(api.post("/x/v1/shares", json=body)) == (404, "SKY3000")
    assert shares(api) == []


def test_somebody_elses_link_can_be_neither_seen_nor_changed_nor_ended(api: Api, other_api: Api) -> None:
    key = other_api.file("a.txt").object_key
    theirs = add(other_api, key)
    for share_key in (theirs["shareKey"], UNKNOWN, "nonsense"):
        path = f"/x/v1/shares/{share_key}"
        assert error_of(api.get(path)) == (404, "SKY3001")
        assert error_of(api.put(path, json={"shareName": "mine"})) == (404, "SKY3001")
        assert error_of(api.request("DELETE", path)) == (404, "SKY3001")
    assert shares(other_api) == [theirs]
    assert link_to(other_api, theirs).page().status_code == 200


def test_a_revoked_link_is_gone_for_its_owner_and_for_visitors(api: Api) -> None:
    key = api.file("a.jpg").object_key
    made = add(api, key, password=PASSWORD)
    link = link_to(api, made)
    unlock(link, PASSWORD)
    path = f"/x/v1/shares/{made['shareKey']}"
    answer = api.request("DELETE", path)
    assert (answer.status_code, answer.content) == (204, b"")
    assert error_of(api.request("DELETE", path)) == (404, "SKY3001")
    assert error_of(api.get(path)) == (404, "SKY3001")
    assert error_of(api.put(path, json={})) == (404, "SKY3001")
    assert shares(api) == []
    assert {one.status_code for one in all_doors(link, key)} == {404}
    assert api.get("/nms/collshare/byme").json()["objects"] == []


def test_expired_used_up_revoked_and_unknown_links_are_the_same_page(api: Api, clock: HeldClock) -> None:
    key = api.file("a.txt").object_key
    expired = link_to(api, add(api, key, expiryDate=clock.now() + 10, password=PASSWORD))
    used_up = link_to(api, add(api, key, maxDownloads=1))
    locked = link_to(api, add(api, key, maxDownloads=1, password=PASSWORD))
    unlock(locked, PASSWORD)
    for link in (used_up, locked):
        assert link.file(key).status_code == 200
    locked.client.cookies.clear()
    clock.advance(10)
    unknown = Link(api, "http://testserver/l/?u=" + "A" * 32)
    expected = [(one.status_code, one.content) for one in all_doors(unknown, key)]
    assert {status for status, _ in expected} == {404}
    for link in (expired, used_up, locked):
        assert [(one.status_code, one.content) for one in all_doors(link, key)] == expected
    assert [one["isLive"] for one in shares(api)] == [False] * 3
    assert api.get("/nms/collshare/byme").json()["objects"] == []


def test_an_end_that_is_moved_and_more_downloads_bring_a_link_back(api: Api, clock: HeldClock) -> None:
    key = api.file("a.txt").object_key
    made = add(api, key, expiryDate=clock.now() + 10, maxDownloads=1)
    link = link_to(api, made)
    link.file(key)
    clock.advance(10)
    assert link.page().status_code == 404
    edit(api, made["shareKey"], expiryDate=clock.now() + 10)
    assert link.page().status_code == 404
    assert edit(api, made["shareKey"], maxDownloads=2)["isLive"] is True
    assert link.file(key).content == b"some bytes"


def test_of_many_last_downloads_at_once_exactly_one_is_given(api: Api) -> None:
    key = api.file("a.txt").object_key
    made = add(api, key, maxDownloads=3)
    link = link_to(api, made)

    def take(number: int) -> int:
        # Without the cookies of one another: these are different visitors.
        return (link.file(key, headers={"cookie": ""}) if number % 2 else link.zip()).status_code

    with ThreadPoolExecutor(8) as pool:
        statuses = sorted(pool.map(take, range(8)))
    assert statuses == [200] * 3 + [404] * 5
    assert shares(api)[0]["downloads"] == 3


def test_the_rest_of_a_download_that_broke_off_is_not_another_one(api: Api, clock: HeldClock) -> None:
    key = api.file("a.bin", b"0123456789").object_key
    link = link_to(api, add(api, key, maxDownloads=1))
    first = link.file(key)
    cookie = first.headers["set-cookie"]
    assert f"Path=/l/file/{key}" in cookie
    assert "HttpOnly" in cookie
    assert "SameSite=lax" in cookie
    rest = link.file(key, headers={"Range": "bytes=4-", "If-Range": first.headers["etag"]})
    assert (rest.status_code, rest.content) == (206, b"456789")
    assert link.file(key).status_code == 404, "from the start, it is another one"
    assert link.file(key, headers={"Range": "bytes=0-"}).status_code == 404
    assert link.file(key, method="HEAD").status_code == 404
    assert shares(api)[0]["downloads"] == 1
    clock.advance(days=1)
    assert link.file(key, headers={"Range": "bytes=4-"}).status_code == 404


def test_a_ticket_is_good_for_one_content_of_one_link_alone(api: Api) -> None:
    key, other = api.file("a.bin", b"0123456789").object_key, api.file("b.bin", b"abcdefghij").object_key
    link = link_to(api, add(api, key, other, maxDownloads=1))
    name, _, value = link.file(key).headers["set-cookie"].partition(";")[0].partition("=")
    link.client.cookies.clear()

    def rest(of: str, ticket: str) -> int:
        return link.file(of, headers={"Range": "bytes=4-", "cookie": f"{name}={ticket}"}).status_code

    assert rest(key, value) == 206
    until, _, mark = value.partition(".")
    for forged in ("", "x", mark, f"{int(until) + 1}.{mark}", f"{until}.", f"{'9' * 400}.{mark}", f"\u0663.{mark}"):
        assert rest(key, forged.encode("ascii", "replace").decode()) == 404
    assert rest(other, value) == 404
    api.file("a.bin", b"another content")
    assert rest(key, value) == 404


def test_everything_behind_a_password_waits_for_it(api: Api) -> None:
    key = api.file("secret name.txt").object_key
    link = link_to(api, add(api, key, password=PASSWORD))
    for answer in all_doors(link, key)[:-1]:
        assert "This link has a password" in answer.text
        assert "secret name" not in answer.text
        assert 'method="post"' in answer.text
        assert "<script" not in answer.text
    assert shares(api)[0]["visits"] == 0
    link.client.cookies.clear()
    opened = unlock(link, PASSWORD)
    assert opened.status_code == 303
    assert "HttpOnly" in opened.headers["set-cookie"]
    assert "SameSite=lax" in opened.headers["set-cookie"]
    assert "secret name" in link.page().text
    # The proof is worth nothing for another link, and nothing after a new password.
    proof = opened.headers["set-cookie"].partition(";")[0].partition("=")[2].strip('"')
    second = add(api, key, password=PASSWORD)
    name = f"skyshelf_share_{second['shareKey'][-16:].lower()}"
    answer = link_to(api, second).page()
    assert "secret name" not in answer.text
    link.client.cookies.clear()
    assert "secret name" not in link_to(api, second).get(headers={"cookie": f"{name}={proof}"}).text


def test_the_password_of_a_link_is_stored_as_argon2id(api: Api) -> None:
    add(api, api.file("a.txt").object_key, password=PASSWORD)
    with api.ctx.metadata.read() as unit:
        (stored,) = unit.shares.page(api.account.account_id, limit=10)
    assert stored.password_hash.startswith("$argon2id$")


def test_guesses_at_one_link_do_not_close_another(api: Api) -> None:
    key = api.file("a.txt").object_key
    guessed, other = (link_to(api, add(api, key, password=PASSWORD)) for _ in range(2))
    statuses = [unlock(guessed, f"guess {number}").status_code for number in range(12)]
    assert statuses[:10] == [401] * 10
    assert statuses[-1] == 429
    assert unlock(guessed, PASSWORD).status_code == 429, "not even the right one, for a while"
    assert unlock(other, PASSWORD).status_code == 303

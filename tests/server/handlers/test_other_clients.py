"""Calls of other people's clients: everything that they were seen to send, and what they read in the answer."""

import base64
from typing import Any

import pytest
from tests.server.api import PASSWORD, Api, HeldClock, error_of, logged_in
from tests.server.in_process import TestClient
from tests.server.uploading import CHUNK, begun, md5

from skyshelf.service.context import ServiceContext

MINUTE = 60


def names(objects: list[dict[str, Any]]) -> list[str]:
    return [one["objectName"] for one in objects]


def followed(api: Api, path: str, **params: Any) -> list[list[str]]:
    """The names on every page, by the links alone."""
    answer = api.get(path, params=params).json()
    pages = [names(answer["objects"])]
    while link := answer.get("nextLink"):
        assert link.startswith(f"{path}?")
        answer = api.get(link).json()
        pages.append(names(answer["objects"]))
    return pages


LISTINGS = ["/nms/metadata/defaultview", "/nms/metadata/defaultview/myfiles/v1", "/nms/metadata"]
SORTS = ["+objectName", "-objectName", "+sizeInBytes", "-lastModifiedDate", "-createdDate", "+CREATEDDATE"]


@pytest.mark.parametrize("path", LISTINGS)
@pytest.mark.parametrize("sort", SORTS)
def test_a_listing_links_to_its_next_page_in_every_order(api: Api, path: str, sort: str) -> None:
    for number in range(5):
        api.file(f"{'aBcDe'[number]}.txt", b"x" * number)
    whole = followed(api, path, folderKey=api.root_key, sort=sort)
    assert len(whole) == 1
    pages = followed(api, path, folderKey=api.root_key, sort=sort, limit=2)
    assert [len(page) for page in pages] == [2, 2, 1]
    assert [name for page in pages for name in page] == whole[0]
    # A page that is just full is the last one.
    assert len(followed(api, path, folderKey=api.root_key, sort=sort, limit=5)) == 1


def test_links_stay_right_while_things_change(api: Api) -> None:
    for name in "bdfh":
        api.file(f"{name}.txt")
    first = api.get("/nms/metadata/defaultview", params={"folderKey": api.root_key, "limit": 2}).json()
    assert names(first["objects"]) == ["b.txt", "d.txt"]
    api.file("a.txt")
    api.trash(first["objects"][1]["objectKey"])
    assert names(api.get(first["nextLink"]).json()["objects"]) == ["f.txt", "h.txt"]


def test_links_of_the_trash_stay_right_when_something_leaves_it(api: Api, clock: HeldClock) -> None:
    files = [api.file(f"{number}.txt") for number in range(5)]
    for file in files:
        clock.advance(seconds=1)
        api.trash(file.object_key)
    assert followed(api, "/nms/trash", limit=2) == [["4.txt", "3.txt"], ["2.txt", "1.txt"], ["0.txt"]]
    assert followed(api, "/nms/trash", limit=3, sort="+objectName") == [["0.txt", "1.txt", "2.txt"], ["3.txt", "4.txt"]]
    first = api.get("/nms/trash", params={"limit": 2}).json()
    api.put("/nms/metadata/restore", json={"objectKeys": [files[3].object_key]})
    assert names(api.get(first["nextLink"]).json()["objects"]) == ["2.txt", "1.txt"]


def test_a_link_holds_the_conditions_of_the_listing(api: Api) -> None:
    for number in range(3):
        api.folder(f"folder {number}")
        api.file(f"file {number}")
    pages = followed(api, "/nms/metadata/defaultview", folderKey=api.root_key, type="W", limit=1)
    assert pages == [["folder 0"], ["folder 1"], ["folder 2"]]


@pytest.mark.parametrize("cursor", ["x", "!", "eyJ9", base64.urlsafe_b64encode(b'["zz","k"]').decode()])
@pytest.mark.parametrize("path", [*LISTINGS, "/nms/trash", "/nms/metadata/mimetype/myfiles/v1", "/ase/search/keyword"])
def test_what_is_no_cursor_is_refused(api: Api, path: str, cursor: str) -> None:
    given = {"folderKey": api.root_key, "mimeType": "photos", "cursor": cursor}
    assert error_of(api.get(path, params=given))[0] == 400


@pytest.mark.parametrize("kind", ["f", "F", "w", "W"])
def test_the_case_of_type_does_not_matter(api: Api, kind: str) -> None:
    api.folder("folder")
    api.file("file")
    found = api.get("/nms/metadata", params={"folderKey": api.root_key, "type": kind}).json()["objects"]
    assert names(found) == ["file" if kind in "fF" else "folder"]


def test_files_are_listed_by_kind_wherever_they_are(api: Api, clock: HeldClock) -> None:
    folder = api.folder("deep").object_key
    kinds = {"photos": "a.jpg", "videos": "a.mp4", "audio": "a.mp3", "documents": "a.pdf", "others": "a.zip"}
    for name in kinds.values():
        clock.advance(seconds=1)
        api.file(name, parent_key=folder)
    for kind, name in kinds.items():
        assert followed(api, "/nms/metadata/mimetype/myfiles/v1", mimeType=kind) == [[name]]
    for name in ("b.txt", "c.docx"):
        clock.advance(seconds=1)
        api.file(name)
    path = "/nms/metadata/mimetype/myfiles/v1"
    assert followed(api, path, mimeType="DOCUMENTS", limit=2) == [["c.docx", "b.txt"], ["a.pdf"]]
    assert followed(api, path, mimeType="documents", limit=2, sort="+objectName") == [["a.pdf", "b.txt"], ["c.docx"]]
    api.trash(folder)
    assert followed(api, path, mimeType="photos") == [[]]
    assert error_of(api.get(path, params={"mimeType": "songs"}))[0] == 400
    assert error_of(api.get(path))[0] == 400


def test_one_object_is_looked_up_with_fields_to_show(api: Api) -> None:
    file = api.file("a.jpg")
    shown = api.get(f"/nms/metadata/info/{file.object_key}").json()["object"]
    listed = api.get("/nms/metadata", params={"folderKey": api.root_key}).json()["objects"][0]
    display = {"iconName", "tileName", "gridDate", "cMonthNo", "cYear", "recipientsObjRights", "isShareAlbum"}
    assert shown.keys() - listed.keys() == display
    assert {name: shown[name] for name in listed} == listed
    assert (shown["iconName"], shown["cYear"]) == ("image", 2026)


def test_a_search_by_keyword_is_the_search(api: Api) -> None:
    for number in range(3):
        api.file(f"beach {number}.jpg")
    api.file("other.jpg")
    ours = names(api.get("/x/v1/search", params={"query": "beach"}).json()["objects"])
    pages = followed(api, "/ase/search/keyword", q="beach", limit=2)
    assert [name for page in pages for name in page] == ours
    assert sorted(ours) == ["beach 0.jpg", "beach 1.jpg", "beach 2.jpg"]


def test_flat_entries_rename_and_move_and_are_refused_one_by_one(api: Api) -> None:
    file, folder = api.file("a.txt"), api.folder("folder")
    usual = {"sourceName": "DRIVE", "objectType": "FE", "status": "A", "objectKey": file.object_key}
    rename = {**usual, "operation": "FRN", "objectName": "b.txt", "correlationId": "1"}
    move = {**usual, "operation": "MOVE", "objectName": "b.txt", "parentObjectKey": folder.object_key}
    nobody = {**rename, "objectKey": "0" * 32, "correlationId": "3"}
    answer = api.put("/nms/metadata", json={"objects": [rename, move, nobody, {**rename, "objectName": None}]}).json()
    first, second = answer["objects"]
    assert (first["operation"], first["correlationId"], first["objectName"]) == ("FRN", "1", "b.txt")
    assert (second["operation"], second["parentObjectKey"]) == ("MOVE", folder.object_key)
    unknown, nameless = answer["unprocessed"]
    assert (unknown["objectKey"], unknown["errorCode"], unknown["correlationId"]) == ("0" * 32, "SKY3000", "3")
    assert nameless["errorCode"] == "TEJVF0001"
    assert error_of(api.put("/nms/metadata", json={"objects": [{**rename, "operation": "FLY"}]})) == (400, "NMSOM0135")


def test_objects_are_trashed_by_their_keys_alone(api: Api) -> None:
    file, folder = api.file("a.txt"), api.folder("folder")
    keys = [file.object_key.lower(), folder.object_key, "0" * 32, api.root_key]
    answer = api.put("/nms/metadata/trash", json={"objectKeys": keys}).json()
    assert [one["status"] for one in answer["trashObjects"]] == ["T", "T"]
    assert [one["object"]["errorCode"] for one in answer["unprocessed"]] == ["SKY3000", "SKY3022"]
    assert len(api.get("/nms/trash").json()["objects"]) == 2


def test_files_are_added_to_a_board_fifty_at_most(api: Api) -> None:
    board = api.post("/boards", json={"boardName": "Summer"}).json()["boardKey"]
    file, folder = api.file("a.jpg"), api.folder("folder")
    given = {"objects": [{"objectKey": file.object_key}, {"objectKey": folder.object_key}]}
    answer = api.post(f"/boards/{board}/addition", json=given).json()
    assert (answer["board"]["boardName"], answer["board"]["filesCount"]) == ("Summer", 1)
    assert names(answer["objects"]) == ["a.jpg"]
    assert [one["object"]["objectKey"] for one in answer["unprocessed"]] == [folder.object_key]
    many = {"objects": [{"objectKey": file.object_key}] * 51}
    assert error_of(api.post(f"/boards/{board}/addition", json=many))[0] == 400


def test_an_owner_who_leaves_passes_the_board_on_and_the_last_one_deletes_it(api: Api) -> None:
    board = api.post("/boards", json={"boardName": "Summer"}).json()["boardKey"]
    assert api.put(f"/invites/boards/{board}/unjoin", json=[]).status_code == 200
    assert api.get("/boards/sync/initial").json() == {"boards": []}


@pytest.mark.parametrize("method", ["POST", "PUT"])
def test_a_session_is_renewed_and_the_old_token_ends_after_a_minute(
    api: Api, client: TestClient, clock: HeldClock, method: str
) -> None:
    def refresh(token: str) -> Any:
        return client.request(method, "/account/token/refresh", json={"refreshToken": token, "deviceKey": "x"})

    def status(token: str) -> int:
        return api.get("/security/users", headers={"Authorization": f"Basic {token}"}).status_code

    old = api.login
    renewed = refresh(old["refreshToken"]).json()
    assert renewed.keys() >= {"authToken", "refreshToken", "expiresIn"}
    assert renewed["accessToken"] == renewed["authToken"]
    assert renewed["authToken"] != old["authToken"]
    assert (status(renewed["authToken"]), status(old["authToken"])) == (200, 200)
    # An answer that was lost can be asked for again.
    clock.advance(seconds=MINUTE)
    again = refresh(old["refreshToken"]).json()
    assert status(again["authToken"]) == status(renewed["authToken"]) == status(old["authToken"]) == 200
    clock.advance(seconds=1)
    assert (status(renewed["authToken"]), status(old["authToken"])) == (200, 401)
    assert error_of(refresh(old["refreshToken"])) == (401, "TEJGA0401")
    assert status(refresh(renewed["refreshToken"]).json()["authToken"]) == 200


def test_what_is_no_refresh_token_renews_nothing(api: Api, client: TestClient) -> None:
    for token in ("x", api.login["authToken"], api.login["jwt"], base64.b64encode(b"a#RTK#b").decode(), "\u00e9"):
        answer = client.post("/account/token/refresh", json={"refreshToken": token})
        assert error_of(answer) == (401, "TEJGA0401")
    api.put("/security/users/logout")
    answer = client.post("/account/token/refresh", json={"refreshToken": api.login["refreshToken"]})
    assert error_of(answer) == (401, "TEJGA0401")


def test_the_download_token_of_a_renewed_session_is_its_own(api: Api, client: TestClient) -> None:
    renewed = client.post("/account/token/refresh", json={"refreshToken": api.login["refreshToken"]}).json()
    headers = {"Authorization": f"Basic {renewed['authToken']}"}
    answer = api.post("/security/getokenforcookie", headers=headers, json={"jwt": renewed["jwt"]})
    assert answer.status_code == 200


def test_the_token_may_be_encoded_once_more(api: Api) -> None:
    encoded = base64.b64encode(api.login["authToken"].encode()).decode()
    assert api.get("/security/users", headers={"Authorization": f"Basic {encoded}"}).status_code == 200
    twice = base64.b64encode(encoded.encode()).decode()
    assert api.get("/security/users", headers={"Authorization": f"Basic {twice}"}).status_code == 401


@pytest.mark.parametrize("path", ["/download/{}", "/nms/metadata/download/{}"])
def test_downloads_have_further_names(api: Api, path: str) -> None:
    file = api.file("a.txt", b"the content")
    answer = api.get(path.format(file.object_key), without=("content-type", "accept-language"))
    assert (answer.status_code, answer.content) == (200, b"the content")
    assert answer.headers["etag"] == f'"{md5(b"the content")}"'
    assert error_of(api.get(path.format("0" * 32)))[0] == 404


def test_the_name_after_filename_is_the_last_thing_in_its_header(api: Api) -> None:
    file = api.file("Größe.txt")
    header = api.get(f"/download/files/{file.object_key}").headers["content-disposition"]
    assert header.partition("filename=")[2] == '"Gr__e.txt"'
    assert header.index("filename*=UTF-8''Gr%C3%B6%C3%9Fe.txt") < header.index("filename=")


def test_a_ping_is_answered_without_headers(client: TestClient) -> None:
    assert client.get("/nms/ping").status_code == client.get("/healthz").status_code == 200


def test_a_share_page_needs_no_slash_before_its_query(api: Api, client: TestClient) -> None:
    file = api.file("a.txt")
    shared = {"objects": [{"objectKey": file.object_key}], "shareName": "x", "shareType": "L"}
    url = api.post("/share/ulinks", json=shared).json()["shareURL"].replace("/l/?", "/l?")
    assert "/l?u=" in url
    answer = client.get(url)
    assert (answer.status_code, "a.txt" in answer.text) == (200, True)
    assert client.get("/l?u=unknown").status_code == 404


def test_a_logout_ends_all_sessions_or_that_of_another_device(
    api: Api, client: TestClient, ctx: ServiceContext
) -> None:
    def is_in(one: Api) -> bool:
        return one.get("/security/users").status_code == 200

    second, third = logged_in(client, ctx, api.account), logged_in(client, ctx, api.account)
    body = {"deviceKey": second.login["deviceKey"].upper()}
    assert api.put("/security/users/logout", json=body).status_code == 204
    assert [is_in(one) for one in (api, second, third)] == [True, False, True]
    assert error_of(api.put("/security/users/logout", json=body))[0] == 404
    for bad in (b"word", b"[]", b'{"revokeAll": 1}', b'{"deviceKey": "x"}'):
        assert error_of(api.put("/security/users/logout", content=bad))[0] == 400
    assert api.put("/security/users/logout", json={"revokeAll": "N"}).status_code == 204
    assert [is_in(one) for one in (api, third)] == [False, True]
    fourth = logged_in(client, ctx, api.account)
    assert third.put("/security/users/logout", json={"revokeAll": "Y"}).status_code == 204
    assert [is_in(one) for one in (third, fourth)] == [False, False]


def test_errors_have_their_sentence_under_two_names(api: Api) -> None:
    body = api.get("/nms/metadata/info/" + "0" * 32).json()
    assert body["error"] == body["message"]
    assert body["code"] == "SKY3000"


def test_bytes_that_are_stored_already_are_accepted_again(api: Api) -> None:
    data = b"0123456789abcdef"
    key = begun(api, "a.txt", data)

    def send(offset: int, piece: bytes, digest: str | None = None) -> tuple[int, dict[str, Any]]:
        headers = {"content-type": CHUNK, "x-offset": str(offset), "content-md5": digest or md5(piece)}
        answer = api.put("/upload/files/chunked", params={"uploadId": key}, headers=headers, content=piece)
        return answer.status_code, answer.json()

    for start in (0, 4):
        assert send(start, data[start : start + 4])[0] == 200
    reached = (200, {"transactionId": key, "offset": 8})
    assert send(0, data[:4]) == reached
    assert send(0, data[:8]) == reached
    assert send(4, data[4:8]) == reached
    for offset, piece in ((0, b"0123WXYZ"), (0, data[:5]), (2, data[2:4]), (0, data), (4, data[:4]), (12, data[12:])):
        status, body = send(offset, piece)
        assert (status, body["code"], body["offset"]) == (409, "SKY4001", 8), (offset, piece)
    assert send(0, data[:4], md5(b"other"))[0] == 400
    assert send(8, data[8:])[0] == 201


def test_a_login_in_a_cookie_gives_no_token_away(client: TestClient, api: Api) -> None:
    given = {"emailId": api.account.email, "password": PASSWORD, "inCookie": True}
    answer = client.post("/x/v1/login", json=given).json()
    assert not {"authToken", "refreshToken"} & answer.keys()

"""App passwords: what they open, for how long, and what they never open."""

import base64
from pathlib import Path
from typing import Any

import httpx2
import pytest
from tests.server import second_factors
from tests.server.answers import answer_of
from tests.server.api import PASSWORD, Api, HeldClock
from tests.server.dav.app import DavApp
from tests.server.in_process import TestClient

from skyshelf.service.context import ServiceContext
from skyshelf.storage.metadata.contracts.sessions import AppScope
from skyshelf.wire.limits import APP_PASSWORDS_MAX

PATH = "/x/v1/app-passwords"


def add(api: Api, **more: Any) -> httpx2.Response:
    return api.post(PATH, json={"name": "Phone", "password": PASSWORD, **more})


def made(api: Api, **more: Any) -> dict[str, Any]:
    answer: dict[str, Any] = answer_of(add(api, **more), "add_app_password")
    return answer


def listed(api: Api) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = answer_of(api.get(PATH), "app_passwords")["appPasswords"]
    return found


def look(client: TestClient, name: str, password: str, method: str = "PROPFIND", path: str = "/dav/") -> int:
    return client.request(method, path, auth=(name, password)).status_code


def test_a_new_one_opens_webdav_with_the_email_address_until_it_is_revoked(api: Api, client: TestClient) -> None:
    new = made(api)
    assert new["userName"] == api.account.email
    assert new["webdavUrl"].endswith("/dav/")
    assert look(client, api.account.email, new["password"]) == 207
    assert look(client, api.account.email.upper(), new["password"].upper().replace("-", " ")) == 207
    assert look(client, "grace@example.org", new["password"]) == 401
    assert api.delete(f"{PATH}/{new['deviceKey']}").status_code == 204
    assert look(client, api.account.email, new["password"]) == 401
    assert listed(api) == []
    assert api.delete(f"{PATH}/{new['deviceKey']}").json()["code"] == "SKY3005"


def test_the_accounts_password_and_a_sessions_token_open_no_webdav(api: Api, client: TestClient) -> None:
    made(api)
    assert look(client, api.account.email, PASSWORD) == 401
    refused = client.request("PROPFIND", "/dav/", headers={"Authorization": f"Basic {api.login['authToken']}"})
    assert refused.status_code == 401
    assert refused.headers["www-authenticate"] == 'Basic realm="Skyshelf", charset="UTF-8"'
    assert client.request("PROPFIND", "/dav/").status_code == 401
    for odd in (
        "Bearer x",
        "Basic",
        "Basic !!!",
        "Basic " + base64.b64encode(b"no colon").decode(),
        "Basic " + "A" * 9000,
    ):
        assert client.request("PROPFIND", "/dav/", headers={"Authorization": odd}).status_code == 401


def test_it_is_no_session_for_any_call_of_the_interface(api: Api, client: TestClient) -> None:
    """So it cannot change the password or the second factor, nor make further app passwords."""
    new = made(api)
    plain = base64.b64encode(f"{api.account.email}:{new['password']}".encode()).decode()
    like_a_token = base64.b64encode(b"x#ATK#" + new["password"].replace("-", "").encode()).decode()
    for token in (plain, like_a_token):
        headers = {
            **api.headers,
            "Authorization": f"Basic {token}",
            "X-User-Id": api.account.account_key,
            "X-Device-Key": new["deviceKey"],
        }
        for path in ("/x/v1/account/devices", PATH, "/x/v1/session"):
            assert client.get(path, headers=headers).status_code == 401
    login = {"emailId": api.account.email, "password": new["password"]}
    assert client.post("/x/v1/login", json=login, headers=api.headers).status_code == 401


def test_one_is_made_with_the_password_and_with_a_code_where_logins_need_one(api: Api) -> None:
    assert add(api, password="wrong").json()["code"] == "SKY2004"
    phone, codes = second_factors.turned_on(api)
    assert add(api).json()["code"] == "SKY2007"
    assert add(api, code="000000").json()["code"] == "SKY2007"
    assert listed(api) == []
    code = phone.code()
    assert add(api, code=code).status_code == 201
    assert add(api, code=code).json()["code"] == "SKY2007", "a code counts once"
    assert add(api, code=codes[0]).status_code == 201


def test_scopes_limit_what_an_app_sees_and_does(api: Api, client: TestClient, ctx: ServiceContext) -> None:
    folder = api.folder("Scans")
    api.file("secret.txt", b"secret")
    api.file("scan.txt", b"scan", parent_key=folder.object_key)
    confined = DavApp(client, ctx, api.account, AppScope(folder_key=folder.object_key))
    assert confined.names() == ["/dav/scan.txt"]
    assert confined.get("scan.txt").content == b"scan"
    assert confined.get("secret.txt").status_code == 404
    assert confined.get("../secret.txt").status_code in (400, 404)
    assert confined.put("new.txt").status_code == 201
    assert confined.move("new.txt", "../new.txt").status_code in (400, 404)
    assert confined.delete("").status_code == 403
    reader = DavApp(client, ctx, api.account, AppScope(can_write=False))
    assert reader.get("secret.txt").content == b"secret"
    for method in ("PUT", "MKCOL", "DELETE", "MOVE", "COPY", "PROPPATCH", "LOCK", "UNLOCK"):
        assert reader.request(method, "secret.txt", headers={"Destination": "/dav/x"}).status_code == 403, method
    api.trash(folder.object_key)
    assert confined.propfind().status_code == 404
    assert confined.put("later.txt").status_code == 409
    (listing,) = [one for one in listed(api) if one.get("folderKey")]
    assert "folderName" not in listing


def test_it_is_listed_with_its_scope_and_last_use_here_and_among_the_sessions(
    api: Api, client: TestClient, clock: HeldClock
) -> None:
    folder = api.folder("Scans")
    new = made(api, name="Scanner", folderKey=folder.object_key, canWrite=False, webdavOnly=True)
    (before,) = listed(api)
    assert (before["name"], before["folderName"]) == ("Scanner", "Scans")
    assert (before["canWrite"], before["webdavOnly"]) == (False, True)
    assert "lastUsedDate" not in before
    clock.advance(seconds=1)
    look(client, api.account.email, new["password"])
    assert listed(api)[0]["lastUsedDate"] == clock.now()
    devices = api.get("/x/v1/account/devices").json()["devices"]
    (device,) = [one for one in devices if one["deviceKey"] == new["deviceKey"]]
    assert (device["deviceName"], device["isAppPassword"], device["lastSeenDate"]) == ("Scanner", True, clock.now())
    assert "sessionEndDate" not in device


@pytest.mark.parametrize(
    "end", ["/x/v1/account/sessions/end", "/x/v1/account/sessions/end-others", "/x/v1/account/password"]
)
def test_it_ends_as_other_sessions_do(api: Api, client: TestClient, end: str) -> None:
    new = made(api)
    assert look(client, api.account.email, new["password"]) == 207
    body = {"deviceKey": new["deviceKey"], "oldPassword": PASSWORD, "newPassword": "another good password"}
    assert api.post(end, json=body).status_code in (200, 204)
    assert look(client, api.account.email, new["password"]) == 401


def test_wrong_ones_are_throttled_without_locking_anybody_out_of_a_login(
    api: Api, client: TestClient, clock: HeldClock
) -> None:
    new = made(api)
    wrong = "abcde-abcde-abcde-abcde-abcde"
    answers = [client.request("PROPFIND", "/dav/", auth=(api.account.email, wrong)) for _ in range(25)]
    assert [answer.status_code for answer in answers][:10] == [401] * 10
    assert answers[-1].status_code == 429
    assert int(answers[-1].headers["retry-after"]) > 0
    assert look(client, api.account.email, new["password"]) == 207, "the right one cannot be guessed, and still works"
    login = {"emailId": api.account.email, "password": PASSWORD}
    assert client.post("/x/v1/login", json=login, headers=api.headers).status_code == 200
    clock.advance(minutes=20)
    assert look(client, api.account.email, wrong) == 401


def test_there_can_be_a_limited_number_and_none_for_another_accounts_folder(api: Api, other_api: Api) -> None:
    theirs = other_api.folder("theirs")
    assert add(api, folderKey=theirs.object_key).json()["code"] == "SKY3000"
    assert add(api, folderKey=api.file("f").object_key).json()["code"] == "SKY3020"
    for _ in range(APP_PASSWORDS_MAX):
        made(api)
    refused = add(api)
    assert (refused.status_code, len(listed(api))) == (refused.status_code, APP_PASSWORDS_MAX)
    assert "at most 50 app passwords" in refused.json()["message"]
    assert other_api.delete(f"{PATH}/{listed(api)[0]['deviceKey']}").status_code == 404


def test_a_remembered_password_costs_no_statement_until_something_is_committed(dav: DavApp) -> None:
    dav.put("a")
    dav.propfind()
    seen: list[object] = []
    original = type(dav.ctx.metadata).read

    def counted(store: Any) -> Any:
        seen.append(store)
        return original(store)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(type(dav.ctx.metadata), "read", counted)
        assert dav.propfind(depth="0").status_code == 207
        assert len(seen) == 1, "the listing alone reads"


def test_another_site_cannot_use_a_password_that_a_browser_remembers(dav: DavApp) -> None:
    for site in ("cross-site", "same-site"):
        assert dav.get("", Sec_Fetch_Site=site).status_code == 403
    assert dav.get("", Sec_Fetch_Site="none").status_code == 200


def test_the_secret_is_stored_only_as_a_digest(api: Api, tmp_path: Path) -> None:
    new = made(api)
    stored = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    assert b"Phone" in stored
    for form in (new["password"], new["password"].replace("-", "")):
        assert form.encode() not in stored

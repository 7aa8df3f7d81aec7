"""Connecting a client: what the server says about itself, the login in a browser, and its end."""

from urllib.parse import urlsplit
from xml.etree import ElementTree

import httpx2
import pytest
from tests.server.api import PASSWORD
from tests.server.in_process import TestClient
from tests.server.nextcloud.app import CloudApp

from skyshelf.service.accounts import app_passwords
from skyshelf.storage.metadata.contracts.sessions import AppScope


def test_status_and_the_check_for_a_captive_portal_need_no_password(client: TestClient) -> None:
    status = client.get("/status.php").json()
    assert (status["installed"], status["maintenance"], status["productname"]) == (True, False, "Skyshelf")
    assert client.get("/index.php/204").status_code == 204


def test_capabilities_are_json_if_asked_for_and_xml_otherwise(client: TestClient) -> None:
    data = client.get("/ocs/v1.php/cloud/capabilities?format=json").json()["ocs"]
    assert data["meta"]["statuscode"] == 100
    assert "SHA256" in data["data"]["capabilities"]["checksums"]["supportedTypes"]
    root = ElementTree.fromstring(client.get("/ocs/v2.php/cloud/capabilities").content)
    assert root.findtext("meta/statuscode") == "200"
    assert root.findtext("data/capabilities/core/webdav-root") == "remote.php/webdav"


def test_bulk_upload_is_announced_to_clients_whose_bulk_uploads_work(client: TestClient) -> None:
    for agent, announced in (("mirall/3.7.3git", False), ("mirall/3.13.0", True), ("Nextcloud-android/3.30", True)):
        answer = client.get(
            "/ocs/v1.php/cloud/capabilities?format=json", headers={"user-agent": f"Mozilla/5.0 {agent}"}
        )
        assert ("bulkupload" in answer.json()["ocs"]["data"]["capabilities"]["dav"]) is announced


def test_the_user_has_an_id_a_name_and_a_quota(cloud: CloudApp) -> None:
    cloud.put("a.txt", b"12345")
    user = cloud.ocs("cloud/user")
    assert (user["id"], user["quota"]["used"]) == ("ada@example.org", 5)
    assert user["quota"]["used"] + user["quota"]["free"] == user["quota"]["total"]
    assert cloud.ocs("cloud/users/ada@example.org") == user


def test_the_user_of_somebody_else_is_no_user(cloud: CloudApp, stranger: CloudApp) -> None:
    for name in (stranger.account.email, stranger.account.account_key, "nobody@example.org"):
        assert cloud.call("GET", f"/ocs/v2.php/cloud/users/{name}?format=json").status_code == 404


def test_without_an_app_password_calls_are_refused_with_a_challenge(cloud: CloudApp) -> None:
    refused = cloud.call("GET", "/ocs/v1.php/cloud/user?format=json", auth=("ada@example.org", "wrong"))
    assert (refused.status_code, refused.json()["ocs"]["meta"]["statuscode"]) == (401, 997)
    assert refused.headers["www-authenticate"].startswith("Basic")


def test_an_app_password_for_webdav_alone_opens_files_and_nothing_else(cloud: CloudApp) -> None:
    scope = AppScope(webdav_only=True)
    password, _ = app_passwords.create(cloud.ctx, cloud.account.account_id, "files", scope)
    auth = (cloud.account.email, password)
    assert cloud.call("PROPFIND", cloud.url(""), auth=auth).status_code == 207
    assert cloud.call("GET", "/ocs/v2.php/cloud/user", auth=auth).status_code == 403


def test_an_app_ends_its_own_access(cloud: CloudApp) -> None:
    assert cloud.call("GET", "/ocs/v2.php/core/getapppassword").status_code == 403
    assert cloud.call("DELETE", "/ocs/v2.php/core/apppassword").status_code == 200
    assert cloud.call("GET", "/ocs/v2.php/cloud/user").status_code == 401


class Flow:
    """A login in a browser, as an app begins it."""

    def __init__(self, client: TestClient) -> None:
        self.client = client
        begun = client.post("/index.php/login/v2", headers={"user-agent": "Mozilla/5.0 (Linux) mirall/3.7"}).json()
        self.token = begun["poll"]["token"]
        self.poll_path = urlsplit(begun["poll"]["endpoint"]).path
        login = urlsplit(begun["login"])
        self.page = f"{login.path}?{login.query}"

    def poll(self) -> httpx2.Response:
        return self.client.post(self.poll_path, data={"token": self.token})

    def agree(self, **fields: str) -> httpx2.Response:
        form = {"email": "ada@example.org", "password": PASSWORD, "code": "", "app": "Desktop client", **fields}
        return self.client.post(self.page.partition("?")[0], data=form)


@pytest.fixture
def flow(client: TestClient, cloud: CloudApp) -> Flow:
    return Flow(client)


def test_a_person_agrees_in_a_browser_and_the_app_gets_its_password_once(flow: Flow, cloud: CloudApp) -> None:
    assert flow.poll().status_code == 404
    page = flow.client.get(flow.page)
    assert (page.status_code, "mirall" in page.text) == (200, True)
    assert "script-src" not in page.headers["content-security-policy"]
    assert flow.agree().status_code == 200
    granted = flow.poll().json()
    assert granted["loginName"] == "ada@example.org"
    auth = (granted["loginName"], granted["appPassword"])
    assert cloud.call("GET", "/ocs/v2.php/cloud/user", auth=auth).status_code == 200
    assert flow.poll().status_code == 404
    assert flow.agree().status_code == 404
    with cloud.ctx.metadata.read() as unit:
        names = [one.device.device_name for one in unit.app_passwords.of_account(cloud.account.account_id)]
    assert "Desktop client" in names


def test_a_wrong_password_grants_nothing_and_the_page_says_so(flow: Flow) -> None:
    refused = flow.agree(password="wrong password")
    assert (refused.status_code, "Wrong email address, password or code." in refused.text) == (401, True)
    assert flow.agree(email="nobody@example.org").status_code == 401
    assert flow.poll().status_code == 404


def test_other_sites_cannot_send_the_form(flow: Flow) -> None:
    form = {"email": "ada@example.org", "password": PASSWORD}
    address = flow.page.partition("?")[0]
    assert flow.client.post(address, data=form, headers={"sec-fetch-site": "cross-site"}).status_code == 403
    assert flow.poll().status_code == 404


def test_one_flow_does_not_open_another(flow: Flow) -> None:
    other = Flow(flow.client)
    flow.agree()
    assert other.poll().status_code == 404
    flow.token = flow.page.split("/")[-1].partition("?")[0]
    assert flow.poll().status_code == 404


@pytest.mark.parametrize("token", ["", "x", "0-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "f" * 12 + "-" + "a" * 40])
def test_a_flow_that_never_began_or_is_over_is_refused(client: TestClient, token: str) -> None:
    assert client.post("/index.php/login/v2/poll", data={"token": token}).status_code == 404
    page = client.get(f"/index.php/login/v2/flow/{token or 'x'}")
    assert (page.status_code, "Begin again in the app" in page.text) == (404, True)

"""Below a path of the host: every address that is sent works there, whether the proxy removes the path or not."""

import re
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from starlette.types import Receive, Scope, Send
from tests.server.api import PASSWORD, Api, logged_in, new_account
from tests.server.dav.app import DavApp, hrefs
from tests.server.in_process import TestClient
from tests.server.nextcloud.app import CloudApp

from skyshelf.server.app import ServerSettings, SkyshelfApp, app_for
from skyshelf.server.pages.built_files import built_files
from skyshelf.service.context import ServiceContext
from skyshelf.storage.metadata.contracts.accounts import Account
from skyshelf.wire.public_url import own_beginnings

HOST = "http://testserver"


class Proxy:
    """What a proxy in front of the application passes on: the path as it is, or without the prefix."""

    def __init__(self, app: SkyshelfApp, prefix: str, *, removes: bool) -> None:
        self.app = app
        self.prefix = prefix
        self._removes = removes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            path = scope["path"]
            assert path == self.prefix or path.startswith(f"{self.prefix}/"), f"{path} is not below {self.prefix}"
            if self._removes:
                raw = scope["raw_path"][len(self.prefix) :]
                scope = {**scope, "path": path[len(self.prefix) :] or "/", "raw_path": raw or b"/"}
        await self.app(scope, receive, send)


@pytest.fixture
def account(ctx: ServiceContext) -> Account:
    return new_account(ctx, "ada@example.org")


@pytest.fixture(params=["/drive", "/my/sky"])
def prefix(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(params=[False, True], ids=["kept", "removed"])
def below(
    request: pytest.FixtureRequest, ctx: ServiceContext, settings: ServerSettings, prefix: str
) -> Iterator[TestClient]:
    app = app_for(ctx, msgspec.structs.replace(settings, public_url=f"{HOST}{prefix}"))
    with TestClient(Proxy(app, prefix, removes=request.param), follow_redirects=False) as client:
        yield client


@pytest.fixture
def api(below: TestClient, ctx: ServiceContext, account: Account, prefix: str) -> Api:
    return logged_in(_Prefixed(below, prefix), ctx, account)  # type: ignore[arg-type]


class _Prefixed:
    """A client whose paths begin with the prefix; whole URLs stay as they are."""

    def __init__(self, client: TestClient, prefix: str) -> None:
        self._client = client
        self._prefix = prefix

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._client, name)

        def call(*given: Any, **more: Any) -> Any:
            return method(*[self._of(one) for one in given], **more)

        return call

    def _of(self, one: object) -> object:
        return f"{self._prefix}{one}" if isinstance(one, str) and one.startswith("/") else one


def test_objects_and_the_next_page_are_named_below_the_path(api: Api, below: TestClient, prefix: str) -> None:
    file = api.file("a.txt", b"12345")
    api.file("b.txt")
    listed = api.get("/nms/metadata", params={"folderKey": api.root_key, "limit": 1, "sort": "+objectName"}).json()
    (shown,) = listed["objects"]
    assert shown["url"] == f"{HOST}{prefix}/download/files/{file.object_key}"
    assert below.get(shown["url"], headers=api.headers).content == b"12345"
    assert listed["nextLink"].startswith(f"{prefix}/nms/metadata")
    following = below.get(listed["nextLink"], headers=api.headers).json()
    assert [one["objectName"] for one in following["objects"]] == ["b.txt"]
    # A client that appends it to the server's address, instead of resolving it.
    appended = below.get(f"{prefix}{listed['nextLink']}", headers=api.headers).json()
    assert appended["objects"] == following["objects"]


def test_the_session_is_in_a_cookie_of_the_path(below: TestClient, account: Account, prefix: str) -> None:
    body = {"emailId": account.email, "password": PASSWORD, "inCookie": True}
    opened = below.post(f"{prefix}/x/v1/login", json=body)
    assert f"; Path={prefix};" in opened.headers["set-cookie"]
    assert below.get(f"{prefix}/x/v1/session", headers={"sec-fetch-site": "same-origin"}).status_code in {200, 400}
    assert [cookie.path for cookie in below.cookies.jar] == [prefix]


def test_over_tls_the_cookie_is_not_for_the_whole_host(ctx: ServiceContext, settings: ServerSettings) -> None:
    app = app_for(ctx, msgspec.structs.replace(settings, public_url="https://example.org/sky"))
    account = new_account(ctx, "ada@example.org")
    with TestClient(app, base_url="https://example.org") as client:
        body = {"emailId": account.email, "password": PASSWORD, "inCookie": True}
        cookie = client.post("/sky/x/v1/login", json=body).headers["set-cookie"]
    assert cookie.startswith("__Secure-skyshelf_session=")
    assert "; Path=/sky;" in cookie


def test_a_share_page_its_files_and_its_cookies_are_below_the_path(api: Api, below: TestClient, prefix: str) -> None:
    folder = api.folder("shared")
    api.file("a.txt", b"hello", folder.object_key)
    body = {"objectKeys": [folder.object_key], "shareName": "x", "password": "open sesame"}
    url = api.post("/x/v1/shares", json=body).json()["shareURL"]
    assert url.startswith(f"{HOST}{prefix}/l/?u=")
    asked = below.get(url)
    (action,) = re.findall(r'action="([^"]+)"', asked.text)
    assert action.startswith(f"{prefix}/l/unlock?u=")
    unlocked = below.post(action.replace("&amp;", "&"), data={"password": "open sesame"})
    assert (unlocked.status_code, unlocked.headers["location"].startswith(f"{prefix}/l/?u=")) == (303, True)
    assert f"Path={prefix}/l" in unlocked.headers["set-cookie"]
    page = below.get(unlocked.headers["location"]).text
    named = [one.replace("&amp;", "&") for one in re.findall(r'(?:href|src|action)="([^"#]+)"', page)]
    assert named
    for one in named:
        assert one.startswith(f"{prefix}/"), one
        assert below.get(one).status_code == 200, one


def test_webdav_names_and_takes_addresses_below_the_path(
    below: TestClient, ctx: ServiceContext, account: Account, prefix: str
) -> None:
    dav = DavApp(_Prefixed(below, prefix), ctx, account)  # type: ignore[arg-type]
    dav.put("a.txt", b"hello")
    assert hrefs(dav.propfind()) == [f"{prefix}/dav/", f"{prefix}/dav/a.txt"]
    assert below.get(hrefs(dav.propfind())[1], auth=(account.email, dav.password)).content == b"hello"
    for destination in (f"{HOST}{prefix}/dav/b.txt", f"{prefix}/dav/c.txt"):
        copied = dav.request("COPY", "a.txt", headers={"Destination": destination})
        assert copied.status_code == 201, copied.text
    assert [one.rpartition("/")[2] for one in dav.names()] == ["a.txt", "b.txt", "c.txt"]
    token = dav.token("a.txt")
    condition = f"<{HOST}{prefix}/dav/a.txt> ({token})"
    assert dav.put("a.txt", b"more", **{"If": condition}).status_code == 204
    lost = dav.request("PROPFIND", "no such", headers={"Depth": "0"})
    assert lost.status_code == 404
    if "href" in lost.text:
        assert f"{prefix}/dav/" in lost.text


def test_nextclouds_clients_are_below_the_path(
    below: TestClient, ctx: ServiceContext, account: Account, prefix: str
) -> None:
    flow = below.post(f"{prefix}/index.php/login/v2", headers={"user-agent": "mirall"}).json()
    assert flow["poll"]["endpoint"].startswith(f"{HOST}{prefix}/index.php/")
    page = below.get(flow["login"])
    (action,) = re.findall(r'action="([^"]+)"', page.text)
    assert action.startswith(f"{prefix}/index.php/login/v2/flow/")
    agreed = below.post(action, data={"email": account.email, "password": PASSWORD, "app": "x"})
    assert agreed.status_code == 200, agreed.text
    granted = below.post(flow["poll"]["endpoint"], data={"token": flow["poll"]["token"]}).json()
    assert granted["server"] == f"{HOST}{prefix}"
    cloud = CloudApp(_Prefixed(below, prefix), ctx, account)  # type: ignore[arg-type]
    cloud.put("a.txt", b"hello")
    files = f"{prefix}/remote.php/dav/files/{account.email}"
    assert hrefs(cloud.propfind()) == [f"{files}/", f"{files}/a.txt"]
    cloud.delete("a.txt")
    trash = cloud.call("PROPFIND", f"/remote.php/dav/trashbin/{account.email}/trash", headers={"Depth": "1"})
    assert all(one.startswith(f"{prefix}/remote.php/dav/trashbin/") for one in hrefs(trash))


def test_the_web_client_and_its_files_are_below_the_path(below: TestClient, prefix: str) -> None:
    for path in ("", "/", "/drive", "/drive/files", "/drive/boards", "/drive/boards/1"):
        page = below.get(f"{prefix}{path}", headers={"accept": "text/html"})
        assert page.status_code == 200, path
        assert f'src="{prefix}/assets/' in page.text, path
    named = re.findall(r'(?:href|src)="(/[^"]+)"', page.text)
    assert len(named) > 3
    for one in named:
        assert below.get(one).status_code == 200, one
    manifest = below.get(f"{prefix}/manifest.webmanifest").json()
    assert manifest["scope"] == f"{prefix}/"
    assert manifest["start_url"] == f"{prefix}/drive/files"
    assert all(below.get(icon["src"]).status_code == 200 for icon in manifest["icons"])
    assert manifest["share_target"]["action"] == f"{prefix}/drive/share-target"
    assert below.get(f"{prefix}/sw.js").status_code == 200


def test_scripts_and_styles_name_no_file_from_the_root_of_the_host() -> None:
    for path, file in built_files().items():
        if path.endswith((".js", ".css")) and path != "sw.js":
            found = re.findall(rb'["\'(`]/assets/[^"\'`)]+', file.body())
            assert found == [], (path, found[:3])


def test_the_description_of_the_interface_names_the_path(below: TestClient, prefix: str) -> None:
    described = below.get(f"{prefix}/openapi.json").json()
    assert described["servers"][0]["url"] == f"{prefix}/"
    assert 'href="openapi.json"' in below.get(f"{prefix}/docs").text


def test_the_page_of_an_unknown_address_leads_to_the_path(below: TestClient, prefix: str) -> None:
    lost = below.get(f"{prefix}/l/nothing", headers={"accept": "text/html"})
    assert lost.status_code == 404
    assert f'href="{prefix}/"' in lost.text


def test_probes_need_no_path(ctx: ServiceContext, settings: ServerSettings) -> None:
    with TestClient(app_for(ctx, msgspec.structs.replace(settings, public_url=f"{HOST}/sky"))) as client:
        assert [client.get(path).status_code for path in ("/livez", "/sky/livez")] == [200, 200]


def test_every_address_of_the_server_is_known(client: TestClient) -> None:
    app = client.app
    assert isinstance(app, SkyshelfApp)
    assert {route.path.split("/")[1] for route in app.routes} == own_beginnings()

"""Favourites, search, trash, versions, previews and direct links."""

import io
from urllib.parse import unquote, urlsplit

import httpx2
import pytest
from PIL import Image
from tests.server.dav.app import hrefs
from tests.server.nextcloud.app import CloudApp

from skyshelf.service import context
from skyshelf.service.accounts import app_passwords
from skyshelf.service.context import ServiceContext
from skyshelf.storage.metadata.contracts.sessions import AppScope
from skyshelf.storage.metadata.read_only import ReadOnly, switch_on

SPACES = 'xmlns:d="DAV:" xmlns:oc="http://owncloud.org/ns" xmlns:nc="http://nextcloud.org/ns"'


def set_favorite(cloud: CloudApp, path: str, value: str = "1") -> httpx2.Response:
    favorite = f"<d:set><d:prop><oc:favorite>{value}</oc:favorite></d:prop></d:set>"
    body = f"<d:propertyupdate {SPACES}>{favorite}</d:propertyupdate>"
    return cloud.request("PROPPATCH", path, content=body.encode())


def favorites(cloud: CloudApp, path: str = "") -> list[str]:
    rules = "<oc:filter-rules><oc:favorite>1</oc:favorite></oc:filter-rules>"
    body = f"<oc:filter-files {SPACES}><d:prop><oc:id/></d:prop>{rules}</oc:filter-files>"
    return names_in(cloud, cloud.request("REPORT", path, content=body.encode()))


def names_in(cloud: CloudApp, response: httpx2.Response) -> list[str]:
    return [unquote(href).removeprefix(unquote(cloud.url(""))) for href in hrefs(response)]


def search(cloud: CloudApp, where: str, path: str = "") -> httpx2.Response:
    body = (
        f"<d:searchrequest {SPACES}><d:basicsearch><d:select><d:prop><oc:fileid/></d:prop></d:select><d:from><d:scope>"
        f"<d:href>/files/{cloud.account.email}/{path}</d:href><d:depth>infinity</d:depth></d:scope></d:from>"
        f"<d:where>{where}</d:where><d:limit><d:nresults>50</d:nresults></d:limit></d:basicsearch></d:searchrequest>"
    )
    return cloud.call("SEARCH", "/remote.php/dav/", content=body.encode())


def like(prop: str, value: str) -> str:
    return f"<d:like><d:prop><d:{prop}/></d:prop><d:literal>{value}</d:literal></d:like>"


def test_favourites_are_set_listed_and_removed(cloud: CloudApp) -> None:
    cloud.mkcol("a")
    cloud.put("a/x.txt")
    cloud.put("b.txt")
    assert "200 OK" in set_favorite(cloud, "a/x.txt").text
    set_favorite(cloud, "b.txt")
    assert cloud.find("a/x.txt", "oc:favorite") == {"oc:favorite": "1"}
    assert favorites(cloud) == ["b.txt", "a/x.txt"]
    assert favorites(cloud, "a") == ["a/x.txt"]
    set_favorite(cloud, "b.txt", "0")
    assert favorites(cloud) == ["a/x.txt"]


def test_a_search_finds_names_kinds_and_dates_below_a_folder(cloud: CloudApp) -> None:
    cloud.mkcol("a")
    cloud.put("a/holiday.jpg", b"x", X_OC_Mtime="1600000000")
    cloud.put("holiday.txt", b"y", X_OC_Mtime="1500000000")
    cloud.put("film.mp4", b"z", X_OC_Mtime="1600000000")
    assert sorted(names_in(cloud, search(cloud, like("displayname", "%holiday%")))) == ["a/holiday.jpg", "holiday.txt"]
    assert names_in(cloud, search(cloud, like("displayname", "%holiday%"), "a")) == ["a/holiday.jpg"]
    media = f"<d:or>{like('getcontenttype', 'image/%')}{like('getcontenttype', 'video/%')}</d:or>"
    since = "<d:gte><d:prop><d:getlastmodified/></d:prop><d:literal>2020-01-01T00:00:00Z</d:literal></d:gte>"
    found = search(cloud, f"<d:and>{media}{since}</d:and>")
    assert sorted(names_in(cloud, found)) == ["a/holiday.jpg", "film.mp4"]
    assert search(cloud, like("unknown", "x")).status_code == 400
    assert search(cloud, f"<d:or>{like('displayname', 'x') * 9}</d:or>").status_code == 400


def test_the_trash_is_listed_restored_and_emptied(cloud: CloudApp, stranger: CloudApp) -> None:
    base = f"/remote.php/dav/trashbin/{cloud.account.email}"
    cloud.mkcol("a")
    cloud.put("a/ü x.txt", b"hello")
    cloud.delete("a/ü x.txt")
    body = f"<d:propfind {SPACES}><d:prop><nc:trashbin-original-location/><nc:trashbin-filename/></d:prop></d:propfind>"
    listing = cloud.call("PROPFIND", f"{base}/trash", content=body.encode(), headers={"Depth": "1"})
    _, item = hrefs(listing)
    assert "a/ü x.txt</nc:trashbin-original-location>" in listing.text
    elsewhere = {"Destination": item.replace("/trash/", "/elsewhere/")}
    assert cloud.call("MOVE", item, headers=elsewhere).status_code == 403
    target = {"Destination": f"{base}/restore/x"}
    assert stranger.call("MOVE", item.replace("ada", "grace"), headers=target).status_code == 404
    assert cloud.call("MOVE", item, headers=target).status_code == 201
    assert cloud.get("a/ü x.txt").content == b"hello"
    assert cloud.call("MOVE", item, headers=target).status_code == 404
    cloud.delete("a/ü x.txt")
    assert stranger.call("PROPFIND", f"{base}/trash").status_code == 404
    assert cloud.call("DELETE", item).status_code == 204
    cloud.delete("a")
    assert cloud.call("DELETE", f"{base}/trash").status_code == 204
    assert len(hrefs(cloud.call("PROPFIND", f"{base}/trash"))) == 1


def test_versions_are_listed_read_and_restored(cloud: CloudApp, stranger: CloudApp) -> None:
    for content in (b"one", b"second"):
        cloud.put("a.txt", content)
    number = cloud.find("a.txt", "oc:fileid")["oc:fileid"]
    base = f"/remote.php/dav/versions/{cloud.account.email}"
    _, first = hrefs(cloud.call("PROPFIND", f"{base}/versions/{number}"))
    assert cloud.call("GET", first).content == b"one"
    moved = cloud.call("MOVE", first, headers={"Destination": f"{base}/restore/target"})
    assert (moved.status_code, cloud.get("a.txt").content) == (201, b"one")
    assert cloud.find("a.txt", "oc:fileid")["oc:fileid"] == number
    for path in (f"{base}/versions/{number}", first):
        assert stranger.call("PROPFIND", path).status_code == 404
        assert stranger.call("GET", path.replace("ada", "grace")).status_code == 404


def picture() -> bytes:
    made = io.BytesIO()
    Image.new("RGB", (600, 400), "navy").save(made, "JPEG")
    return made.getvalue()


def test_previews_by_number_and_only_of_own_files(cloud: CloudApp, stranger: CloudApp) -> None:
    cloud.put("a.jpg", picture())
    number = cloud.find("a.jpg", "oc:fileid")["oc:fileid"]
    for path in ("preview", "preview.png"):
        shown = cloud.call("GET", f"/index.php/core/{path}?fileId={number}&x=64&y=64&a=1")
        assert (shown.status_code, max(Image.open(io.BytesIO(shown.content)).size)) == (200, 256)
    address = f"/index.php/core/preview?fileId={number}"
    assert stranger.call("GET", address).status_code == 404
    assert cloud.call("GET", address, auth=("ada@example.org", "x")).status_code == 401
    assert cloud.call("GET", "/index.php/core/preview?fileId=x").status_code == 404
    assert cloud.call("GET", "/index.php/avatar/ada@example.org/64").status_code == 404


def test_a_direct_link_needs_no_password_and_ends_with_the_app(cloud: CloudApp, stranger: CloudApp) -> None:
    cloud.put("a.txt", b"0123456789")
    number = cloud.find("a.txt", "oc:fileid")["oc:fileid"]
    url = cloud.ocs("apps/dav/api/v1/direct", "POST", data={"fileId": number})["url"]
    path = urlsplit(url).path
    part = cloud.client.get(path, headers={"Range": "bytes=2-4"})
    assert (part.status_code, part.content) == (206, b"234")
    assert cloud.client.get(path[:-1] + ("A" if path[-1] != "A" else "B")).status_code == 404
    refused = stranger.call("POST", "/ocs/v2.php/apps/dav/api/v1/direct", data={"fileId": number})
    assert refused.status_code == 404
    cloud.call("DELETE", "/ocs/v2.php/core/apppassword")
    assert cloud.client.get(path).status_code == 404


def test_a_direct_link_is_also_made_in_read_only_mode(
    cloud: CloudApp, ctx: ServiceContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(context, "SEEN_SECONDS", 0)
    cloud.put("a.txt", b"0123456789")
    number = cloud.find("a.txt", "oc:fileid")["oc:fileid"]
    switch_on(ctx.metadata, ReadOnly("we move", 1))
    assert cloud.request("PUT", "b.txt", content=b"b").status_code == 503
    url = cloud.ocs("apps/dav/api/v1/direct", "POST", data={"fileId": number})["url"]
    assert cloud.client.get(urlsplit(url).path).content == b"0123456789"


def test_an_app_that_sees_one_folder_sees_nothing_else_by_these_ways(cloud: CloudApp) -> None:
    cloud.mkcol("inside")
    cloud.put("inside/a.jpg", picture())
    cloud.put("outside.jpg", picture())
    set_favorite(cloud, "inside/a.jpg")
    set_favorite(cloud, "outside.jpg")
    inside, outside = (cloud.find(path, "oc:fileid")["oc:fileid"] for path in ("inside/a.jpg", "outside.jpg"))
    with cloud.ctx.metadata.read() as unit:
        folder = unit.tree.at_path(cloud.account.account_id, cloud.account.root_key, ["inside"])
    assert folder is not None
    scope = AppScope(folder_key=folder.object_key)
    cloud.password, _ = app_passwords.create(cloud.ctx, cloud.account.account_id, "confined", scope)
    assert favorites(cloud) == ["a.jpg"]
    assert cloud.call("GET", f"/index.php/core/preview?fileId={inside}").status_code == 200
    assert cloud.call("GET", f"/index.php/core/preview?fileId={outside}").status_code == 404
    base = f"/remote.php/dav/versions/{cloud.account.email}/versions"
    assert cloud.call("PROPFIND", f"{base}/{outside}").status_code == 404
    direct = cloud.call("POST", "/ocs/v2.php/apps/dav/api/v1/direct", data={"fileId": outside})
    assert direct.status_code == 404
    assert search(cloud, like("displayname", "%outside%")).status_code == 403
    assert cloud.call("PROPFIND", f"/remote.php/dav/trashbin/{cloud.account.email}/trash").status_code == 403


def test_a_link_of_an_app_that_sees_one_folder_ends_when_the_file_leaves_it(cloud: CloudApp) -> None:
    cloud.mkcol("inside")
    cloud.put("inside/a.txt", b"hello")
    with cloud.ctx.metadata.read() as unit:
        folder = unit.tree.at_path(cloud.account.account_id, cloud.account.root_key, ["inside"])
    assert folder is not None
    whole, scope = cloud.password, AppScope(folder_key=folder.object_key)
    cloud.password, _ = app_passwords.create(cloud.ctx, cloud.account.account_id, "confined", scope)
    number = cloud.find("a.txt", "oc:fileid")["oc:fileid"]
    path = urlsplit(cloud.ocs("apps/dav/api/v1/direct", "POST", data={"fileId": number})["url"]).path
    assert cloud.client.get(path).content == b"hello"
    cloud.password = whole
    cloud.move("inside/a.txt", "outside.txt")
    assert cloud.client.get(path).status_code == 404

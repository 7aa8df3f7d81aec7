"""Files at the addresses of Nextcloud's clients: ids, properties, headers, and walls between accounts."""

import hashlib
from collections.abc import Callable
from xml.etree import ElementTree

import httpx2
import pytest
from tests.client.serving import begin_epoch as move
from tests.server.dav.app import hrefs
from tests.server.in_process import TestClient
from tests.server.nextcloud.app import CloudApp

from skyshelf.server.app import ServerSettings, app_for
from skyshelf.server.nextcloud.ids import keys_of, number_of
from skyshelf.service.accounts import app_passwords
from skyshelf.storage.identity import begin_epoch, check_identity
from skyshelf.storage.metadata.contracts.sessions import AppScope


def test_the_tree_is_the_same_at_both_addresses_and_at_dav(cloud: CloudApp) -> None:
    assert cloud.mkcol("Photos").status_code == 201
    cloud.put("Photos/a b.txt", b"hello")
    assert hrefs(cloud.propfind("Photos")) == [
        "/remote.php/dav/files/ada@example.org/Photos/",
        "/remote.php/dav/files/ada@example.org/Photos/a%20b.txt",
    ]
    legacy = cloud.call("PROPFIND", "/remote.php/webdav/Photos", headers={"Depth": "1"})
    assert hrefs(legacy) == ["/remote.php/webdav/Photos/", "/remote.php/webdav/Photos/a%20b.txt"]
    assert cloud.call("GET", "/dav/Photos/a%20b.txt").content == b"hello"
    assert cloud.call("GET", "/remote.php/webdav/Photos/a%20b.txt").content == b"hello"


def test_the_user_in_an_address_is_answered_as_it_was_written(cloud: CloudApp) -> None:
    for user in ("ADA@example.org", "ada%40example.org", cloud.account.account_key):
        listing = cloud.call("PROPFIND", f"/remote.php/dav/files/{user}/", headers={"Depth": "0"})
        assert hrefs(listing) == [f"/remote.php/dav/files/{user.replace('%40', '@')}/"]


def test_the_tree_of_somebody_else_is_no_tree(cloud: CloudApp, stranger: CloudApp) -> None:
    stranger.put("secret.txt", b"secret")
    for name in (stranger.account.email, stranger.account.account_key, "nobody@example.org"):
        for method in ("GET", "PROPFIND", "PUT", "DELETE", "MKCOL", "LOCK", "PROPPATCH"):
            answer = cloud.call(method, f"/remote.php/dav/files/{name}/secret.txt")
            assert answer.status_code == 404, (method, name)
    cloud.put("mine.txt")
    to = f"/remote.php/dav/files/{stranger.account.email}/mine.txt"
    for method in ("MOVE", "COPY"):
        assert cloud.request(method, "mine.txt", headers={"Destination": to}).status_code == 404
    assert stranger.get("mine.txt").status_code == 404


def test_properties_of_files_and_folders(cloud: CloudApp) -> None:
    cloud.mkcol("Photos")
    cloud.put("Photos/a.jpg", b"hello", X_OC_Mtime="1600000000", X_OC_Ctime="1500000000")
    names = ("oc:id", "oc:fileid", "oc:permissions", "oc:size", "oc:favorite", "oc:checksums", "oc:owner-id")
    found = cloud.find("Photos/a.jpg", *names, "nc:has-preview", "nc:creation_time", "oc:data-fingerprint")
    assert (found["oc:permissions"], found["oc:size"], found["oc:favorite"]) == ("GDNVW", "5", "0")
    assert (found["nc:has-preview"], found["nc:creation_time"]) == ("true", "1500000000")
    assert (found["oc:owner-id"], bool(found["oc:data-fingerprint"])) == ("ada@example.org", True)
    assert found["oc:id"].startswith(found["oc:fileid"])
    folder = cloud.find("Photos", *names, "nc:has-preview", "nc:is-encrypted")
    assert (folder["oc:permissions"], folder["nc:has-preview"], folder["nc:is-encrypted"]) == ("GDNVCK", "false", "0")
    assert "oc:checksums" not in folder


def test_the_fingerprint_of_the_data_is_another_one_in_each_epoch(cloud: CloudApp, settings: ServerSettings) -> None:
    """Nextcloud's clients upload what is newer on the computer if it has changed, instead of replacing it."""
    metadata, blobs = cloud.ctx.metadata, cloud.ctx.blobs
    check_identity(metadata, blobs)

    def after_a_restart() -> str:
        cloud.client = TestClient(app_for(cloud.ctx, settings))
        return cloud.find("", "oc:data-fingerprint")["oc:data-fingerprint"]

    found = [after_a_restart()]
    assert after_a_restart() == found[0]
    begin_epoch(metadata, "put back the snapshot of Sunday", cloud.ctx.clock.now())
    found.append(after_a_restart())
    metadata.write(move)
    found.append(after_a_restart())
    assert after_a_restart() == found[2]
    assert len(set(found)) == 3


def test_checksums_are_those_of_the_content(cloud: CloudApp) -> None:
    cloud.put("a.txt", b"hello")
    body = '<d:propfind xmlns:d="DAV:" xmlns:oc="http://owncloud.org/ns"><d:prop><oc:checksums/></d:prop></d:propfind>'
    root = ElementTree.fromstring(cloud.propfind("a.txt", body, depth="0").content)
    text = root.findtext(".//{http://owncloud.org/ns}checksum") or ""
    md5, sha256 = hashlib.md5(b"hello").hexdigest(), hashlib.sha256(b"hello").hexdigest()
    assert text.split() == [f"MD5:{md5}", f"SHA256:{sha256}"]
    assert cloud.get("a.txt").headers["oc-checksum"] == f"SHA256:{sha256}"


@pytest.mark.parametrize("kind", ["md5", "sha1", "sha256"])
def test_a_checksum_is_computed_on_request(cloud: CloudApp, stranger: CloudApp, kind: str) -> None:
    cloud.put("a.txt", b"hello")
    answer = cloud.request("PATCH", "a.txt", headers={"X-Recalculate-Hash": kind})
    expected = f"{kind.upper()}:{hashlib.new(kind, b'hello').hexdigest()}"
    assert (answer.status_code, answer.headers["oc-checksum"]) == (204, expected)
    assert cloud.request("PATCH", "a.txt", headers={"X-Recalculate-Hash": "x"}).status_code == 400
    assert stranger.call("PATCH", cloud.url("a.txt"), headers={"X-Recalculate-Hash": kind}).status_code == 404


def test_an_app_that_may_only_read_sees_that_in_the_permissions(cloud: CloudApp) -> None:
    cloud.put("a.txt")
    cloud.password, _ = app_passwords.create(cloud.ctx, cloud.account.account_id, "reader", AppScope(can_write=False))
    assert cloud.find("a.txt", "oc:permissions") == {"oc:permissions": "G"}


def test_ids_survive_moves_and_new_versions_and_are_in_the_headers(cloud: CloudApp) -> None:
    made = cloud.put("a.txt", b"one", X_OC_Mtime="1600000000")
    assert made.headers["oc-etag"] == made.headers["etag"]
    assert made.headers["x-oc-mtime"] == "accepted"
    folder = cloud.mkcol("Folder")
    before = cloud.find("a.txt", "oc:id", "oc:fileid")
    assert made.headers["oc-fileid"] == before["oc:id"]
    assert folder.headers["oc-fileid"] == cloud.find("Folder", "oc:id")["oc:id"] != before["oc:id"]
    cloud.move("a.txt", "Folder/b.txt")
    assert cloud.put("Folder/b.txt", b"two").headers["oc-fileid"] == before["oc:id"]
    cloud.move("Folder", "Renamed")
    assert cloud.find("Renamed/b.txt", "oc:id", "oc:fileid") == before


def test_a_number_leads_back_to_its_key(cloud: CloudApp) -> None:
    for name in ("a", "b", "c"):
        cloud.put(name)
    with cloud.ctx.metadata.read() as unit:
        keys = [one.object_key for one in unit.tree.children(cloud.account.account_id, cloud.account.root_key)]
        for key in keys:
            between = keys_of(str(number_of(key)))
            assert between is not None
            assert between[0] <= key <= between[1]
            assert unit.tree.first_key_between(cloud.account.account_id, between) == key
    for wrong in ("", "x", "-1", "²", str(1 << 63), "9" * 40):
        assert keys_of(wrong) is None


def test_the_etag_of_a_folder_changes_with_everything_below_it(cloud: CloudApp) -> None:
    cloud.mkcol("a")
    cloud.mkcol("a/b")
    cloud.mkcol("beside")
    steps: list[Callable[[], httpx2.Response]] = [
        lambda: cloud.put("a/b/x.txt", b"one"),
        lambda: cloud.put("a/b/x.txt", b"two"),
        lambda: cloud.move("a/b/x.txt", "a/b/y.txt"),
        lambda: cloud.copy("a/b/y.txt", "a/b/z.txt"),
        lambda: cloud.move("a/b/z.txt", "z.txt"),
        lambda: cloud.delete("a/b/y.txt"),
    ]
    seen = {path: [cloud.find(path, "d:getetag")["getetag"]] for path in ("", "a", "a/b", "beside")}
    for step in steps:
        assert step().status_code < 300
        for path, etags in seen.items():
            etags.append(cloud.find(path, "d:getetag")["getetag"])
    assert [len(set(seen[path])) for path in ("", "a", "a/b")] == [7, 7, 7]
    assert len(set(seen["beside"])) == 1

"""Large files in chunks, and many small files at once."""

import hashlib
import re

import httpx2
import pytest
from tests.server.dav.app import hrefs
from tests.server.nextcloud.app import CloudApp


class Transfer:
    """An upload in chunks."""

    def __init__(self, cloud: CloudApp, name: str = "web-1234") -> None:
        self.cloud = cloud
        self.base = f"/remote.php/dav/uploads/{cloud.account.email}/{name}"

    def send(self, method: str, path: str = "", content: bytes = b"", /, **headers: str) -> httpx2.Response:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return self.cloud.call(method, self.base + path, content=content, headers=named)

    def move(self, to: str, **headers: str) -> httpx2.Response:
        return self.send("MOVE", "/.file", Destination=self.cloud.url(to), **headers)


@pytest.fixture
def transfer(cloud: CloudApp) -> Transfer:
    return Transfer(cloud)


@pytest.mark.parametrize("total", ["9", None])
@pytest.mark.parametrize("names", [("1", "2", "10"), ("00000", "00001", "00002"), ("000-002", "003-005", "006-008")])
def test_chunks_become_a_file(transfer: Transfer, names: tuple[str, ...], total: str | None) -> None:
    length = {"OC_Total_Length": total} if total else {}
    assert transfer.send("MKCOL", **length).status_code == 201
    for name, content in zip(names, (b"abc", b"def", b"ghi"), strict=True):
        assert transfer.send("PUT", f"/{name}", content).status_code == 201
    sha256 = hashlib.sha256(b"abcdefghi").hexdigest()
    made = transfer.move("big.bin", X_OC_Mtime="1600000000", OC_Checksum=f"SHA256:{sha256}", **length)
    assert made.status_code == 201, made.text
    assert (made.headers["x-oc-mtime"], bool(made.headers["oc-fileid"])) == ("accepted", True)
    read = transfer.cloud.get("big.bin")
    assert (read.content, read.headers["etag"]) == (b"abcdefghi", made.headers["oc-etag"])
    assert read.headers["last-modified"] == "Sun, 13 Sep 2020 12:26:40 GMT"
    assert transfer.send("PROPFIND").status_code == 404
    assert transfer.cloud.ocs("cloud/user")["quota"]["used"] == 9
    with transfer.cloud.ctx.metadata.read() as unit:
        assert unit.quotas.get(transfer.cloud.account.account_id, 0).reserved == 0


def test_chunks_become_a_file_among_the_files_alone(transfer: Transfer) -> None:
    cloud = transfer.cloud
    cloud.put("\u00e9.txt", b"locked")
    cloud.token("\u00e9.txt")
    transfer.send("MKCOL")
    transfer.send("PUT", "/1", b"other")
    uploads = f"/remote.php/dav/uploads/{cloud.account.email}"
    for destination in (f"{uploads}/e%CC%81.txt", f"{uploads}/web-1234/e%CC%81.txt", "/dav/e%CC%81.txt"):
        moved = transfer.send("MOVE", "/.file", Destination=destination, Overwrite="F")
        assert moved.status_code in (403, 404), destination
    assert transfer.move("e\u0301.txt", Overwrite="F").status_code == 412
    assert transfer.move("e\u0301.txt").status_code == 423
    assert cloud.get("\u00e9.txt").content == b"locked"


def test_a_transfer_is_listed_resumed_and_cancelled(transfer: Transfer) -> None:
    transfer.send("MKCOL")
    assert transfer.send("MKCOL").status_code == 405
    transfer.send("PUT", "/1", b"abc")
    assert transfer.send("PUT", "/1", b"abc").status_code == 201
    transfer.send("PUT", "/3", b"de")
    assert transfer.send("PUT", "/2", b"late").status_code == 201
    listing = transfer.send("PROPFIND", Depth="1")
    assert [href.rpartition("/")[2] for href in hrefs(listing)] == ["", "1", "2", "3"]
    assert re.findall("<D:getcontentlength>([0-9]+)<", listing.text) == ["3", "4", "2"]
    assert transfer.send("DELETE").status_code == 204
    assert transfer.send("PUT", "/4", b"x").status_code == 404
    with transfer.cloud.ctx.metadata.read() as unit:
        assert unit.quotas.get(transfer.cloud.account.account_id, 0).reserved == 0


def test_a_file_that_is_not_what_was_announced_is_refused_and_can_be_repaired(transfer: Transfer) -> None:
    transfer.send("MKCOL", OC_Total_Length="6")
    transfer.send("PUT", "/1", b"abc")
    assert transfer.move("a.bin", OC_Total_Length="6").status_code == 400
    transfer.send("PUT", "/2", b"def")
    for kind, length in (("MD5", 32), ("SHA1", 40), ("SHA256", 64), ("ADLER32", 8)):
        assert transfer.move("a.bin", OC_Checksum=f"{kind}:{'0' * length}").status_code == 400
    assert transfer.cloud.get("a.bin").status_code == 404
    assert transfer.move("missing/a.bin").status_code == 409
    sha1 = hashlib.sha1(b"abcdef").hexdigest()
    assert transfer.move("a.bin", OC_Checksum=f"SHA1:{sha1}").status_code == 201
    assert transfer.cloud.get("a.bin").content == b"abcdef"


def test_conditions_of_the_move_are_about_the_file(transfer: Transfer) -> None:
    etag = transfer.cloud.put("a.bin", b"old").headers["etag"]
    transfer.send("MKCOL")
    transfer.send("PUT", "/1", b"new")
    url = transfer.cloud.url("a.bin")
    assert transfer.move("a.bin", If=f'<{url}> (["other"])').status_code == 412
    assert transfer.move("a.bin", Overwrite="F").status_code == 412
    assert transfer.move("a.bin", If=f"<{url}> ([{etag}])").status_code == 204
    assert transfer.cloud.get("a.bin").content == b"new"


def test_a_transfer_beyond_the_quota_is_refused_before_its_bytes_come(transfer: Transfer) -> None:
    total = transfer.cloud.ocs("cloud/user")["quota"]["free"] + 1
    assert transfer.send("MKCOL", OC_Total_Length=str(total)).status_code == 507


def test_transfers_of_others_are_not_there(transfer: Transfer, stranger: CloudApp) -> None:
    transfer.send("MKCOL")
    transfer.send("PUT", "/1", b"abc")
    for method, path in (("PUT", "/2"), ("PROPFIND", ""), ("DELETE", ""), ("MOVE", "/.file")):
        headers = {"Destination": stranger.url("a.bin")}
        assert stranger.call(method, transfer.base + path, headers=headers).status_code == 404
    other = Transfer(stranger)
    assert other.send("PUT", "/2", b"x").status_code == 404
    assert other.send("MKCOL").status_code == 201
    assert transfer.send("MOVE", "/.file", Destination=stranger.url("a.bin")).status_code == 404


def bulk_body(*files: tuple[str, bytes, str]) -> bytes:
    parts = [
        f"--bound\r\nContent-Length: {len(content)}\r\nX-File-Path: {path}\r\nX-File-MD5: {md5}\r\n"
        f"X-File-Mtime: 1600000000\r\n\r\n".encode()
        + content
        + b"\r\n"
        for path, content, md5 in files
    ]
    return b"".join(parts) + b"--bound--\r\n"


def bulk(cloud: CloudApp, body: bytes) -> httpx2.Response:
    headers = {"Content-Type": 'multipart/related; boundary="bound"'}
    return cloud.call("POST", "/remote.php/dav/bulk", content=body, headers=headers)


def test_many_small_files_come_at_once_and_each_has_its_outcome(cloud: CloudApp) -> None:
    cloud.mkcol("Folder")
    md5 = hashlib.md5(b"hello\r\n--bound").hexdigest()
    answer = bulk(
        cloud,
        bulk_body(
            ("/a.txt", b"hello\r\n--bound", md5),
            ("/Folder/ü.txt", b"hello\r\n--bound", md5),
            ("/wrong.txt", b"hello", "0" * 32),
            ("/missing/b.txt", b"hello", hashlib.md5(b"hello").hexdigest()),
        ),
    )
    assert answer.status_code == 200, answer.text
    outcomes = answer.json()
    assert {path: one["error"] for path, one in outcomes.items()} == {
        "/a.txt": False,
        "/Folder/ü.txt": False,
        "/wrong.txt": True,
        "/missing/b.txt": True,
    }
    assert outcomes["/a.txt"]["etag"] == md5
    assert outcomes["/a.txt"]["fileid"] == cloud.find("a.txt", "oc:id")["oc:id"]
    assert cloud.get("Folder/ü.txt").content == b"hello\r\n--bound"
    assert cloud.get("a.txt").headers["last-modified"] == "Sun, 13 Sep 2020 12:26:40 GMT"


@pytest.mark.parametrize(
    "body",
    [b"", b"--bound\r\n", b"--bound\r\nContent-Length: 99\r\nX-File-Path: /a\r\n\r\nx", b"--bound\r\nX: y\r\n\r\nx"],
)
def test_a_malformed_body_stores_nothing(cloud: CloudApp, body: bytes) -> None:
    assert bulk(cloud, body).status_code == 400
    assert cloud.names() == []


def test_a_locked_file_is_not_replaced_by_a_bulk_upload(cloud: CloudApp) -> None:
    cloud.put("a.txt", b"old")
    cloud.lock("a.txt")
    answer = bulk(cloud, bulk_body(("/a.txt", b"new", hashlib.md5(b"new").hexdigest()))).json()
    assert answer["/a.txt"]["error"]
    assert cloud.get("a.txt").content == b"old"

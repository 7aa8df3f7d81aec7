"""Files and folders by WebDAV: stored, read, listed, arranged and deleted."""

import hashlib
import zlib
from xml.etree import ElementTree

import pytest
from tests.server.dav.app import DAV, DavApp, entries, hrefs, properties, values

from skyshelf.service.context import ServiceContext
from skyshelf.storage.metadata.contracts.tree import TRASHED


def test_what_is_put_is_read_back_with_a_strong_etag_that_listings_have_too(dav: DavApp) -> None:
    made = dav.put("a.txt", b"hello")
    assert (made.status_code, made.headers["etag"]) == (201, f'"{hashlib.md5(b"hello").hexdigest()}"')
    read = dav.get("a.txt")
    assert (read.status_code, read.content, read.headers["etag"]) == (200, b"hello", made.headers["etag"])
    assert values(dav.propfind("a.txt", depth="0"))["getetag"] == made.headers["etag"]
    assert dav.put("a.txt", b"hello again").status_code == 204
    assert dav.get("a.txt").content == b"hello again"


def test_a_second_put_is_the_next_version_of_the_same_file(dav: DavApp, ctx: ServiceContext) -> None:
    dav.put("a.txt", b"one")
    dav.put("a.txt", b"two")
    with ctx.metadata.read() as unit:
        stored = unit.tree.at_path(dav.account.account_id, dav.account.root_key, ["a.txt"])
        assert stored is not None
        versions = unit.files.versions(dav.account.account_id, stored.object_key)
    assert [version.size for version in versions] == [3, 3]


def test_ranges_and_conditions_of_a_download(dav: DavApp) -> None:
    etag = dav.put("a.txt", b"0123456789").headers["etag"]
    part = dav.get("a.txt", Range="bytes=2-4")
    assert (part.status_code, part.content, part.headers["content-range"]) == (206, b"234", "bytes 2-4/10")
    assert dav.get("a.txt", Range="bytes=99-").status_code == 416
    assert dav.get("a.txt", If_None_Match=etag).status_code == 304
    assert dav.get("a.txt", If_Match='"other"').status_code == 412
    assert dav.get("a.txt", If_Match=etag).status_code == 200
    assert dav.request("HEAD", "a.txt").headers["content-length"] == "10"


def test_an_upload_with_a_condition_that_does_not_hold_changes_nothing(dav: DavApp) -> None:
    etag = dav.put("a.txt", b"one").headers["etag"]
    assert dav.put("a.txt", b"two", If_None_Match="*").status_code == 412
    assert dav.put("a.txt", b"two", If_Match='"other"').status_code == 412
    assert dav.put("b.txt", b"two", If_Match="*").status_code == 412
    assert dav.put("a.txt", b"two", If_Match=f"W/{etag}").status_code == 412
    assert dav.get("a.txt").content == b"one"
    assert dav.put("a.txt", b"two", If_Match=etag).status_code == 204
    assert dav.put("b.txt", b"two", If_None_Match="*").status_code == 201


def test_the_dates_that_an_upload_announces_are_kept(dav: DavApp) -> None:
    made = dav.put("a.txt", b"x", X_OC_Mtime="1600000000", X_OC_Ctime="1500000000")
    assert made.headers["x-oc-mtime"] == "accepted"
    found = values(dav.propfind("a.txt", depth="0"))
    assert found["getlastmodified"] == "Sun, 13 Sep 2020 12:26:40 GMT"
    assert found["creationdate"] == "2017-07-14T02:40:00Z"
    assert dav.get("a.txt").headers["last-modified"] == "Sun, 13 Sep 2020 12:26:40 GMT"
    for odd in ("-5", "1e9", "NaN", "99999999999999"):
        assert "x-oc-mtime" not in dav.put("b.txt", b"x", X_OC_Mtime=odd).headers


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        (f"MD5:{hashlib.md5(b'x').hexdigest()}", f"MD5:{'0' * 32}"),
        (f"SHA1:{hashlib.sha1(b'x').hexdigest()}", f"SHA1:{'0' * 40}"),
        (f"SHA256:{hashlib.sha256(b'x').hexdigest().upper()}", f"SHA256:{'0' * 64}"),
        (f"Adler32:{zlib.adler32(b'x'):08x}", "ADLER32:00000000"),
    ],
)
def test_an_upload_that_does_not_match_its_checksum_is_refused(dav: DavApp, right: str, wrong: str) -> None:
    assert dav.put("a.txt", b"x", OC_Checksum=wrong).status_code == 400
    assert dav.get("a.txt").status_code == 404
    assert dav.put("a.txt", b"x", OC_Checksum=right).status_code == 201


def test_an_upload_needs_its_folder_and_another_name_than_a_folder_has(dav: DavApp) -> None:
    assert dav.put("no/a.txt").status_code == 409
    dav.mkcol("folder")
    assert dav.put("folder").status_code == 405
    dav.put("file")
    assert dav.put("file/a.txt").status_code == 409
    assert dav.put("a.txt", Content_Range="bytes 0-1/2").status_code == 400


def test_a_folder_is_made_once_in_an_existing_folder_and_without_a_body(dav: DavApp) -> None:
    assert dav.mkcol("a").status_code == 201
    assert dav.mkcol("a").status_code == 405
    assert dav.mkcol("b/c").status_code == 409
    dav.put("file")
    assert dav.mkcol("file").status_code == 405
    assert dav.mkcol("file/a").status_code == 409
    assert dav.request("MKCOL", "d", content=b"<x/>").status_code == 415
    assert dav.mkcol("").status_code == 405


NAMES = [
    "a b", "ü", "100%", "a+b", "a&b;c=d,e", "#?",
    "'\"<>", "\\", "日本語", "🙂", "a:b", "%41", "[x]", "{x}", "$(x)", "~",
    "e\u0301", "\ufffe", "..a", "...", " lead", "trail ", "CON",
]  # fmt: skip


def test_names_with_every_character_are_stored_listed_moved_and_found_again(dav: DavApp) -> None:
    for name in NAMES:
        assert dav.put(name, name.encode()).status_code == 201, name
    listed = hrefs(dav.propfind())[1:]
    assert len(listed) == len(NAMES)
    contents = {dav.client.get(href, auth=(dav.account.email, dav.password)).content.decode() for href in listed}
    assert contents == set(NAMES)
    dav.mkcol("to")
    for name in NAMES:
        assert dav.move(name, f"to/{name}").status_code == 201, name
        assert dav.get(f"to/{name}").content == name.encode()


@pytest.mark.parametrize(
    "path", ["/dav/%2e%2e/x", "/dav/a%2Fb", "/dav/%00", "/dav/%ff", "/dav/%0a", f"/dav/{'x' * 256}"]
)
def test_what_can_be_no_name_is_refused(dav: DavApp, path: str) -> None:
    for method in ("PUT", "GET", "MKCOL", "PROPFIND", "DELETE"):
        response = dav.client.request(method, path, auth=(dav.account.email, dav.password))
        assert response.status_code in (400, 404), (method, response.status_code)
    assert dav.names() == []


def test_a_deleted_folder_is_in_the_trash_with_everything_below(dav: DavApp, ctx: ServiceContext) -> None:
    dav.mkcol("a")
    dav.put("a/b.txt")
    with ctx.metadata.read() as unit:
        stored = unit.tree.at_path(dav.account.account_id, dav.account.root_key, ["a"])
    assert stored is not None
    key = stored.object_key
    assert dav.delete("a", Depth="0").status_code == 400
    assert dav.delete("a").status_code == 204
    assert dav.get("a/b.txt").status_code == 404
    assert dav.delete("a").status_code == 404
    assert dav.delete("").status_code == 403
    with ctx.metadata.read() as unit:
        (place,), _ = unit.places.above(dav.account.account_id, [key])
    assert place.object.status == TRASHED


def test_a_move_renames_replaces_and_refuses_as_asked(dav: DavApp) -> None:
    dav.mkcol("to")
    dav.put("a", b"a")
    dav.put("to/b", b"b")
    assert dav.move("a", "to/b", Overwrite="F").status_code == 412
    assert dav.get("to/b").content == b"b"
    assert dav.move("a", "to/b").status_code == 204
    assert (dav.get("to/b").content, dav.get("a").status_code) == (b"a", 404)
    assert dav.move("to/b", "to/c").status_code == 201
    assert dav.move("to/c", "no/c").status_code == 409
    assert dav.move("to/c", "to/c").status_code == 403
    assert dav.move("to", "to/below").status_code == 403
    assert dav.move("to/c", "to").status_code == 403
    assert dav.move("none", "x").status_code == 404
    assert dav.move("", "x").status_code == 403
    assert dav.request("MOVE", "to/c").status_code == 400
    assert dav.request("MOVE", "to/c", headers={"Destination": "http://other.example/dav/x"}).status_code == 502
    assert dav.request("MOVE", "to/c", headers={"Destination": "/elsewhere"}).status_code == 404
    assert dav.get("to/c").content == b"a"


def test_a_copy_shares_the_bytes_and_copies_everything_below(dav: DavApp, ctx: ServiceContext) -> None:
    dav.mkcol("a")
    dav.mkcol("a/b")
    dav.put("a/b/c", b"c" * 100)
    before = sum(1 for _ in ctx.blobs.list())
    assert dav.copy("a", "copy").status_code == 201
    assert dav.get("copy/b/c").content == b"c" * 100
    assert sum(1 for _ in ctx.blobs.list()) == before
    assert dav.copy("a", "flat", Depth="0").status_code == 201
    assert dav.names("flat") == []
    assert dav.copy("a", "copy", Overwrite="F").status_code == 412
    assert dav.copy("a/b/c", "copy").status_code == 204
    assert dav.get("copy").content == b"c" * 100
    assert dav.copy("a", "a/inside").status_code == 403


def test_a_folder_is_listed_at_each_depth(dav: DavApp) -> None:
    dav.mkcol("a")
    dav.mkcol("a/b")
    dav.put("a/b/c.txt")
    assert hrefs(dav.propfind("a", depth="0")) == ["/dav/a/"]
    assert hrefs(dav.propfind("a")) == ["/dav/a/", "/dav/a/b/"]
    assert hrefs(dav.propfind("a", depth="infinity")) == ["/dav/a/", "/dav/a/b/", "/dav/a/b/c.txt"]
    assert hrefs(dav.propfind("a", depth=None)) == hrefs(dav.propfind("a", depth="infinity"))
    assert dav.propfind("a", depth="2").status_code == 400
    assert dav.propfind("none").status_code == 404


def test_everything_below_a_folder_is_refused_where_it_is_too_much(
    dav: DavApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("skyshelf.server.dav.reading.WEBDAV_INFINITY_MAX", 3)
    for name in "abc":
        dav.put(name)
    refused = dav.propfind(depth="infinity")
    assert refused.status_code == 403
    assert ElementTree.fromstring(refused.content).find(f"{DAV}propfind-finite-depth") is not None
    assert len(dav.names()) == 3


def test_a_large_folder_is_listed_page_by_page(dav: DavApp, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("skyshelf.server.dav.multistatus.PAGE_ENTRIES", 2)
    monkeypatch.setattr("skyshelf.server.dav.listing.PAGE_ENTRIES", 2)
    names = [f"{number}.txt" for number in range(7)]
    for name in names:
        dav.put(name)
    listed = dav.propfind()
    assert "content-length" not in listed.headers
    assert hrefs(listed)[1:] == [f"/dav/{name}" for name in names]
    assert len(hrefs(dav.propfind(depth="infinity"))) == 8


def test_a_propfind_names_what_is_missing_and_gives_the_quota_only_when_asked(dav: DavApp) -> None:
    dav.put("a.txt", b"12345")
    body = (
        '<propfind xmlns="DAV:"><prop><getcontentlength/><quota-used-bytes/><quota-available-bytes/>'
        '<x:none xmlns:x="urn:x"/></prop></propfind>'
    )
    root, file = entries(dav.propfind(body=body))
    assert set(properties(root)) == {f"{DAV}quota-used-bytes", f"{DAV}quota-available-bytes"}
    assert properties(root)[f"{DAV}quota-used-bytes"].text == "5"
    assert set(properties(root, 404)) == {f"{DAV}getcontentlength", "{urn:x}none"}
    assert set(properties(file)) == {f"{DAV}getcontentlength"}
    assert f"{DAV}quota-used-bytes" not in properties(entries(dav.propfind(depth="0"))[0])
    names_only = dav.propfind(body='<propfind xmlns="DAV:"><propname/></propfind>', depth="0")
    assert f"{DAV}quota-used-bytes" in properties(entries(names_only)[0])


@pytest.mark.parametrize(
    "body",
    [
        b"<", b"<x/>", b'<propfind xmlns="DAV:"/>', b"\xff\xfe\x00",
        b'<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><propfind xmlns="DAV:"><prop>&b;</prop></propfind>',
        b'<!DOCTYPE x SYSTEM "file:///etc/passwd"><propfind xmlns="DAV:"><allprop/></propfind>',
        b"<a>" * 1000 + b"</a>" * 1000,
        b'<propfind xmlns="DAV:"><prop>' + b"<x/>" * 5000 + b"</prop></propfind>",
        b'<?xml version="1.0" encoding="no-such"?><propfind xmlns="DAV:"><allprop/></propfind>',
    ],
)  # fmt: skip
def test_hostile_xml_is_refused(dav: DavApp, body: bytes) -> None:
    assert dav.request("PROPFIND", content=body).status_code == 400
    assert dav.request("PROPPATCH", content=body).status_code == 400
    assert dav.request("LOCK", content=body).status_code == 400


def test_a_body_of_xml_is_limited(dav: DavApp) -> None:
    assert dav.request("PROPFIND", content=b" " * 300_000).status_code == 413


def test_options_need_no_password_and_say_what_is_offered(dav: DavApp) -> None:
    answer = dav.client.request("OPTIONS", "/dav/")
    assert (answer.status_code, answer.headers["dav"], answer.headers["ms-author-via"]) == (200, "1, 2, 3", "DAV")
    assert {"PROPFIND", "LOCK", "PUT"} <= set(answer.headers["allow"].split(", "))


def test_a_folder_opened_in_a_browser_says_what_it_is(dav: DavApp) -> None:
    assert "app password" in dav.get("").text
    assert dav.request("HEAD").status_code == 200

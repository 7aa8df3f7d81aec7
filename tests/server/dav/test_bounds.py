"""Bounds of bytes and of work: what one request may ask for, and what an answer takes while it is sent."""

import asyncio
import re
from base64 import b64encode
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any
from urllib.parse import unquote_to_bytes

import httpx2
import pytest
from starlette.requests import ClientDisconnect
from tests.server.dav.app import DAV, DavApp, entries, hrefs, properties
from tests.server.in_process import TestClient
from tests.server.nextcloud.app import CloudApp
from tests.server.pipeline.places import figures_of

from skyshelf.server.app import SkyshelfApp
from skyshelf.server.dav import conditions, describing, listing, locking, multistatus, paths, reading
from skyshelf.server.dav.multistatus import Entries
from skyshelf.server.nextcloud import finding, transfers
from skyshelf.service.context import ServiceContext
from skyshelf.storage.metadata.sql.webdav import SqlDeadProperties
from skyshelf.wire.limits import (
    FOLDER_DEPTH_MAX,
    LOCK_OWNER_BYTES_MAX,
    LOCKS_OF_RESOURCE_MAX,
    UPLOADS_AT_ONCE_MAX,
    WEBDAV_NAME_BYTES_MAX,
    WEBDAV_PROPERTIES_MAX,
)

FILES = 30
LONG = "n" * WEBDAV_NAME_BYTES_MAX
FAVORITES = '<oc:filter-rules xmlns:oc="http://owncloud.org/ns"><oc:favorite>1</oc:favorite></oc:filter-rules>'
ASKING = {
    "PROPFIND": '<D:propfind xmlns:D="DAV:"{more}><D:prop>{names}</D:prop></D:propfind>',
    "PROPFIND with allprop": (
        '<D:propfind xmlns:D="DAV:"{more}><D:allprop/><D:include>{names}</D:include></D:propfind>'
    ),
    "PROPPATCH": (
        '<D:propertyupdate xmlns:D="DAV:"{more}><D:remove><D:prop>{names}</D:prop></D:remove></D:propertyupdate>'
    ),
    "REPORT": (
        '<oc:filter-files xmlns:D="DAV:" xmlns:oc="http://owncloud.org/ns"{more}><D:prop>{names}</D:prop>'
        f"{FAVORITES}</oc:filter-files>"
    ),
    "SEARCH": (
        '<D:searchrequest xmlns:D="DAV:"{more}><D:basicsearch><D:select><D:prop>{names}</D:prop></D:select>'
        "<D:from><D:scope><D:href>/</D:href></D:scope></D:from></D:basicsearch></D:searchrequest>"
    ),
    "LOCK": (
        '<D:lockinfo xmlns:D="DAV:"{more}><D:lockscope><D:shared/></D:lockscope><D:locktype><D:write/></D:locktype>'
        "<D:owner>{names}</D:owner></D:lockinfo>"
    ),
}


@pytest.fixture
def cloud(client: TestClient, ctx: ServiceContext, dav: DavApp) -> CloudApp:
    return CloudApp(client, ctx, dav.account)


@pytest.fixture
def filled(dav: DavApp) -> DavApp:
    for number in range(FILES):
        dav.put(f"{number:02}.txt")
    return dav


def asked(cloud: CloudApp, what: str, names: str, more: str = "") -> httpx2.Response:
    method = what.partition(" ")[0]
    path = "/remote.php/dav/" if method == "SEARCH" else cloud.url("")
    body = ASKING[what].format(names=names, more=more).encode()
    return cloud.call(method, path, content=body, headers={"Depth": "infinity" if method == "LOCK" else "0"})


def named(count: int, name: str = "x:p{}") -> str:
    return "".join(f"<{name.format(number)}/>" for number in range(count))


# What a request may ask for


@pytest.mark.parametrize("what", [what for what in ASKING if what != "LOCK"])
def test_a_request_names_so_many_properties(cloud: CloudApp, what: str) -> None:
    space = ' xmlns:x="urn:x"'
    assert asked(cloud, what, named(WEBDAV_PROPERTIES_MAX), space).status_code == 207
    refused = asked(cloud, what, named(WEBDAV_PROPERTIES_MAX + 1), space)
    assert (refused.status_code, f"at most {WEBDAV_PROPERTIES_MAX} properties" in refused.text) == (400, True)


@pytest.mark.parametrize("what", ASKING)
def test_names_and_namespaces_are_bounded_before_each_repeats_the_other(cloud: CloudApp, what: str) -> None:
    """13,000 attributes in one namespace of 100 KB took 4.6 GB and 24 s, on the event loop."""
    good = asked(cloud, what, f"<x:{LONG[2:]}/>", f' xmlns:x="{LONG}"')
    assert good.status_code in {200, 207}, good.text
    attributes = "".join(f' x:a{number}=""' for number in range(4000))
    for names, more in (
        (f"<x:{LONG[1:]}/>", ' xmlns:x="urn:x"'),
        ("<x:p/>", f' xmlns:x="{LONG}n"'),
        (f'<p xmlns="{LONG}n"/>', ""),
        (f"<p {LONG}n=''/>", ""),
        ("<p/>", f' xmlns:x="urn:x"{attributes}'),
    ):
        refused = asked(cloud, what, names, more)
        assert refused.status_code == 400, names[:40]


@pytest.mark.parametrize("what", ASKING)
def test_a_long_body_is_read_in_a_thread(cloud: CloudApp, monkeypatch: pytest.MonkeyPatch, what: str) -> None:
    parsed: list[bytes] = []
    for module in (reading, describing, locking, finding):
        parse: Callable[[bytes], Any] = module.parse

        def counted(body: bytes, parse: Callable[[bytes], Any] = parse) -> Any:
            parsed.append(body)
            with pytest.raises(RuntimeError, match="no running event loop"):
                asyncio.get_running_loop()
            return parse(body)

        monkeypatch.setattr(module, "parse", counted)
    assert asked(cloud, what, f"<x:p>{' ' * 5000}</x:p>", ' xmlns:x="urn:x"').status_code < 500
    assert len(parsed) == 1


def test_a_bulk_upload_is_read_in_a_thread_and_not_beyond_its_limit(
    cloud: CloudApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[object] = []
    files_in = transfers.files_in

    def counted(content_type: str, body: bytes) -> Iterator[transfers.BulkFile]:
        with pytest.raises(RuntimeError, match="no running event loop"):
            asyncio.get_running_loop()
        for file in files_in(content_type, body):
            read.append(file)
            yield file

    monkeypatch.setattr(transfers, "files_in", counted)
    part = b"--b\r\nContent-Length: 0\r\nX-File-Path: a\r\nX-File-MD5: d41d8cd98f00b204e9800998ecf8427e\r\n\r\n\r\n"
    body = part * (2 * UPLOADS_AT_ONCE_MAX) + b"--b--"
    kind = {"Content-Type": "multipart/related; boundary=b"}
    assert cloud.call("POST", "/remote.php/dav/bulk", content=body, headers=kind).status_code == 400
    assert len(read) == UPLOADS_AT_ONCE_MAX + 1


def test_the_event_loop_reads_no_more_of_a_header_or_an_address_than_counts(
    dav: DavApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    """16 KB of conditions took the event loop 12 ms, and 8,000 segments of an address 7 ms, in each request."""
    read: list[object] = []

    class Piece:
        def match(self, *arguments: Any) -> Any:
            read.append(arguments)
            return piece.match(*arguments)

    def unquoted(segment: bytes) -> bytes:
        read.append(segment)
        return unquote_to_bytes(segment)

    piece, many = conditions._PIECE, "/a" * 7000
    monkeypatch.setattr(conditions, "_PIECE", Piece())
    monkeypatch.setattr(paths, "unquote_to_bytes", unquoted)
    for given in ("([x])" * 3000, "<a>" * 5000 + "([x])", "(" + "[x]" * 5000 + ")"):
        read.clear()
        assert dav.get("a", If=given).status_code == 400
        assert len(read) < 6 * conditions.CONDITIONS_MAX
    for method, path, headers, status in (
        ("GET", many, {}, 404),
        ("PUT", many, {}, 409),
        ("MOVE", "a", {"Destination": f"/dav{many}"}, 404),
        ("GET", "a", {"If": f"<{many}> (Not <urn:x:none>)"}, 404),
    ):
        read.clear()
        assert dav.request(method, path, headers=headers).status_code == status, method
        assert len(read) < 2 * FOLDER_DEPTH_MAX + 20


# Pages


@pytest.fixture
def pages(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """The pages of answers, as they are written."""
    written: list[bytes] = []
    page = listing.Listing.page

    def kept(one: listing.Listing) -> bytes:
        written.append(page(one))
        return written[-1]

    monkeypatch.setattr(listing.Listing, "page", kept)
    return written


def set_page(monkeypatch: pytest.MonkeyPatch, **sizes: int) -> None:
    for module in (listing, multistatus):
        for name, size in sizes.items():
            monkeypatch.setattr(module, name, size)


def longest_entry(page: bytes) -> int:
    return max(map(len, re.findall(rb"<D:response>.*?</D:response>", page, re.DOTALL)))


@pytest.mark.parametrize("depth", ["1", "infinity"])
def test_pages_end_by_their_bytes(
    filled: DavApp, pages: list[bytes], monkeypatch: pytest.MonkeyPatch, depth: str
) -> None:
    most = 64 * 1024
    set_page(monkeypatch, PAGE_BYTES=most)
    filled.mkcol("a")
    filled.put("a/b.txt")
    names = named(WEBDAV_PROPERTIES_MAX, f"x:p{{}}{'x' * 100}")
    answer = filled.propfind(body=ASKING["PROPFIND"].format(names=names, more=' xmlns:x="urn:x"'), depth=depth)
    found = [f"/dav/{number:02}.txt" for number in range(FILES)]
    assert sorted(hrefs(answer)) == sorted(["/dav/", "/dav/a/", *found, *(["/dav/a/b.txt"] if depth != "1" else [])])
    assert len(answer.content) == sum(map(len, pages)) > 10 * most
    assert max(map(len, pages)) < most + max(map(longest_entry, pages[:-1]))


def test_no_more_properties_are_read_than_a_page_can_hold(
    filled: DavApp, pages: list[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    most, value = 64 * 1024, "v" * 10_000
    set_page(monkeypatch, PAGE_BYTES=most)
    read: list[int] = []
    of_objects = SqlDeadProperties.of_objects

    def counted(noun: SqlDeadProperties, *arguments: Any) -> Any:
        found = of_objects(noun, *arguments)
        read.append(sum(len(one.value) for kept in found.values() for one in kept))
        return found

    for number in range(0, FILES, 2):
        filled.proppatch(f"{number:02}.txt", f"<D:set><D:prop><x:p>{value}</x:p></D:prop></D:set>")
    monkeypatch.setattr(SqlDeadProperties, "of_objects", counted)
    listed = entries(filled.propfind())
    assert sum(properties(one).get("{urn:x}p") is not None for one in listed) == FILES // 2
    assert max(read) <= most
    assert max(map(len, pages)) < most + 2 * len(value)


def test_what_locks_an_object_is_bounded(filled: DavApp, pages: list[bytes]) -> None:
    owner = "o" * LOCK_OWNER_BYTES_MAX
    body = ASKING["LOCK"].format(names=owner, more="")
    for number in range(LOCKS_OF_RESOURCE_MAX):
        assert filled.lock("" if number % 2 else "00.txt", body=body).status_code == 200
    for path in ("", "00.txt"):
        refused = filled.lock(path, body=body)
        assert (refused.status_code, f"At most {LOCKS_OF_RESOURCE_MAX} locks" in refused.text) == (507, True)
    assert filled.lock("01.txt", body=body).status_code == 200
    assert filled.lock("01.txt", body=body.replace(owner, owner + "o")).status_code == 400
    asking = ASKING["PROPFIND"].format(names="<D:lockdiscovery/>", more="")
    shown = {one.findtext(f"{DAV}href"): one for one in entries(filled.propfind(body=asking))}
    locks = {href: len(properties(one)[f"{DAV}lockdiscovery"]) for href, one in shown.items()}
    half = LOCKS_OF_RESOURCE_MAX // 2
    assert (locks["/dav/"], locks["/dav/00.txt"], locks["/dav/02.txt"]) == (half, LOCKS_OF_RESOURCE_MAX, half)
    assert max(map(len, pages)) < multistatus.PAGE_BYTES + max(map(longest_entry, pages))


# Clients that do not read, and those that have gone


class Reader:
    """A client of one PROPFIND, straight at the application; it reads when it is told to."""

    def __init__(
        self,
        app: SkyshelfApp,
        dav: DavApp,
        depth: str = "1",
        *,
        method: str = "PROPFIND",
        path: str = "/dav/",
        body: bytes = b"",
    ) -> None:
        credentials = b64encode(f"{dav.account.email}:{dav.password}".encode())
        self._scope = {
            "type": "http",
            "asgi": {"version": "3.0", "spec_version": "2.4"},
            "http_version": "1.1",
            "method": method,
            "scheme": "http",
            "path": path,
            "raw_path": path.encode(),
            "query_string": b"",
            "headers": [
                (b"host", b"testserver"),
                (b"depth", depth.encode()),
                (b"authorization", b"Basic " + credentials),
            ],
            "client": ("127.0.0.1", 1),
            "server": ("testserver", 80),
            "root_path": "",
        }
        self._app = app
        self._body = body
        self.status = 0
        self.received = b""
        self.on_piece: Callable[[], None] = lambda: None
        self.is_reading = asyncio.Event()

    async def ask(self) -> None:
        with suppress(ClientDisconnect):
            await self._app(self._scope, self._receive, self._send)

    async def _receive(self) -> Any:
        return {"type": "http.request", "body": self._body, "more_body": False}

    async def _send(self, message: Any) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            return
        self.received += bytes(message.get("body", b""))
        self.on_piece()
        await self.is_reading.wait()


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The addresses of entries, as they are written."""
    hrefs: list[str] = []
    entry = Entries.entry

    def counted(entries: Entries, href: str, *arguments: Any) -> str:
        hrefs.append(href)
        return entry(entries, href, *arguments)

    monkeypatch.setattr(Entries, "entry", counted)
    return hrefs


@pytest.mark.parametrize("depth", ["1", "infinity"])
def test_nothing_is_written_before_its_client_has_read_what_was(
    app: SkyshelfApp, filled: DavApp, written: list[str], monkeypatch: pytest.MonkeyPatch, depth: str
) -> None:
    set_page(monkeypatch, PAGE_BYTES=2000)
    reader = Reader(app, filled, depth)
    seen: list[int] = []

    def check() -> None:
        assert reader.received.count(b"<D:response>") == len(written)
        seen.append(len(written))

    async def read() -> None:
        reader.on_piece = check
        reader.is_reading.set()
        await reader.ask()

    asyncio.run(read())
    assert (reader.status, len(written)) == (207, FILES + 1)
    assert len(set(seen)) > FILES / 5


LISTS = {
    "PROPFIND of a folder": ("PROPFIND", "/dav/", "1", ""),
    "PROPFIND of all folders": ("PROPFIND", "/dav/", "infinity", ""),
    "PROPFIND of the trash": ("PROPFIND", "/remote.php/dav/trashbin/{user}/trash", "1", ""),
    "REPORT": ("REPORT", "/remote.php/dav/files/{user}", "0", ASKING["REPORT"]),
    "SEARCH": ("SEARCH", "/remote.php/dav/", "0", ASKING["SEARCH"].replace("/</D:href>", "/files/{user}</D:href>")),
}
"""Lists that go on while somebody reads: method, address, Depth and body."""


@pytest.mark.parametrize("what", LISTS)
def test_nothing_is_written_for_a_client_that_has_gone(
    app: SkyshelfApp, filled: DavApp, written: list[str], monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    set_page(monkeypatch, PAGE_BYTES=2000, PAGE_ENTRIES=2)
    method, path, depth, body = (one.replace("{user}", filled.account.email) for one in LISTS[what])
    for number in range(FILES):
        if method == "REPORT":
            inside = '<D:set><D:prop><oc:favorite xmlns:oc="http://owncloud.org/ns">1</oc:favorite></D:prop></D:set>'
            CloudApp(filled.client, filled.ctx, filled.account).proppatch(f"{number:02}.txt", inside)
        elif "trash" in path:
            filled.delete(f"{number:02}.txt")
    asking = body.format(names="<D:getetag/>", more="").encode()
    reader = Reader(app, filled, depth, method=method, path=path, body=asking)

    def leave() -> None:
        raise ConnectionResetError

    reader.on_piece = leave
    asyncio.run(reader.ask())
    # The trash itself is an entry without properties.
    assert 0 < len(written) == reader.received.count(b"<D:response>") - ("trash" in path) < FILES / 5
    assert figures_of(app)["response_bytes"].in_use == 0


def test_answers_that_are_left_unread_count_for_their_account(
    app: SkyshelfApp, filled: DavApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_page(monkeypatch, PAGE_BYTES=5 * 1024 * 1024, PAGE_ENTRIES=1)

    async def stall() -> list[int]:
        readers = [Reader(app, filled) for _ in range(6)]
        begun = [asyncio.Event() for _ in readers]
        for reader, event in zip(readers, begun, strict=True):
            reader.on_piece = event.set
        asking = [asyncio.create_task(reader.ask()) for reader in readers]
        await asyncio.gather(*(event.wait() for event in begun))
        for reader in readers:
            reader.is_reading.set()
        await asyncio.gather(*asking)
        return sorted(reader.status for reader in readers)

    # Four times two pages of 5 MiB are within the 48 MiB of an account.
    assert asyncio.run(stall()) == [207] * 4 + [429] * 2
    assert figures_of(app)["response_bytes"].in_use == 0

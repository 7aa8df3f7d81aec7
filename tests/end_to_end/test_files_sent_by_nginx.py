"""`serve --offload` behind a real nginx, set up as the operating guide says: clients get the same, byte for byte.

nginx has its own folder of blobs here, into which each test puts what nginx shall find: so it shows who sent a file.
"""

import json
import os
import time
from collections.abc import Iterator
from dataclasses import dataclass
from email.utils import formatdate
from pathlib import Path

import httpx2
import pytest
from tests.real_parts.migrated_sqlite import put_migrated
from tests.real_parts.nginx import running_nginx
from tests.server.api import Api, error_of, new_account
from tests.server.running import RunningServer, opened, over_the_network
from tests.server.sharing import share

from skyshelf.server.http.offload import SMALLEST
from skyshelf.storage.metadata.contracts.tree import StoredObject

SIZE = 100_000
ASKS = {"X-Sendfile-Type": "X-Accel-Redirect"}
# Of the connection or of the moment; nginx also has a name and an order of its own.
OF_THE_MOMENT = {"date", "server", "connection", "keep-alive", "transfer-encoding", "x-request-id"}


@dataclass
class Site:
    """A server, nginx in front of it, and somebody with an account."""

    server: RunningServer
    nginx: str
    mirror: Path
    api: Api

    def file(self, name: str, data: bytes) -> StoredObject:
        """A file that the server has verified and nginx can read."""
        made = self.api.file(name, data)
        assert self.direct(f"/download/files/{made.object_key}").content == data
        self.copy(made, data)
        return made

    def place(self, made: StoredObject) -> Path:
        """Where nginx looks for it."""
        path = self.real(made)
        return self.mirror / path.parent.name / path.name

    def real(self, made: StoredObject) -> Path:
        with self.api.ctx.metadata.read() as unit:
            version = unit.files.version(self.api.account.account_id, made.object_key, None)
        found = self.api.ctx.blobs.local_path(version.location)
        assert found is not None
        return found

    def copy(self, made: StoredObject, data: bytes) -> None:
        place = self.place(made)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(data)

    def direct(self, path: str, method: str = "GET", **headers: str) -> httpx2.Response:
        return httpx2.request(method, self.server.url + path, headers={**self.api.headers, **headers}, timeout=60)

    def by_nginx(self, path: str, method: str = "GET", **headers: str) -> httpx2.Response:
        return httpx2.request(method, self.nginx + path, headers={**self.api.headers, **headers}, timeout=60)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    folder = tmp_path_factory.mktemp("offload")
    server = RunningServer(folder / "data", "--offload", "x-accel-redirect")
    put_migrated(server.data)
    server.start()
    (folder / "nginx").mkdir()
    (folder / "mirror").mkdir()
    with (
        opened(server.data) as ctx,
        over_the_network(server, ctx, new_account(ctx, "ada@example.org")) as api,
        running_nginx(folder / "nginx", server.port, blobs=folder / "mirror") as port,
    ):
        yield Site(server, f"http://127.0.0.1:{port}", folder / "mirror", api)
    server.close()


@pytest.fixture(scope="module")
def photo(site: Site) -> StoredObject:
    return site.file("Ärger & Sonne.jpg", os.urandom(SIZE))


def headers_of(response: httpx2.Response) -> dict[str, str]:
    return {name: value for name, value in response.headers.items() if name not in OF_THE_MOMENT}


def test_nginx_sends_the_file_and_the_server_what_nginx_cannot_open(site: Site) -> None:
    made = site.file("mine.bin", b"s" * SIZE)
    site.copy(made, b"n" * SIZE)
    path = f"/download/files/{made.object_key}"
    assert site.by_nginx(path).content == b"n" * SIZE
    assert site.by_nginx(path, Range="bytes=10-19").content == b"n" * 10
    site.place(made).unlink()
    answer = site.by_nginx(path)
    assert (answer.status_code, answer.content) == (200, b"s" * SIZE)
    part = site.by_nginx(path, Range="bytes=10-19")
    assert (part.status_code, part.content) == (206, b"s" * 10)


def test_answers_are_those_of_the_server(site: Site, photo: StoredObject) -> None:
    path = f"/download/files/{photo.object_key}"
    plain = site.direct(path)
    etag, date = plain.headers["etag"], plain.headers["last-modified"]
    now, long_ago = formatdate(time.time() + 60, usegmt=True), formatdate(0, usegmt=True)
    conditions: list[dict[str, str]] = [
        {},
        {"Range": "bytes=0-0"},
        {"Range": "bytes=99990-"},
        {"Range": "bytes=-10"},
        {"Range": "bytes=5-999999999"},
        {"Range": f"bytes=5-{'9' * 40}"},
        {"Range": "bytes=0-4,10-14"},
        {"Range": "bytes=9-5"},
        {"Range": f"bytes={SIZE}-"},
        {"Range": "lines=1-2"},
        {"Range": "bytes=0-4", "If-Range": etag},
        {"Range": "bytes=0-4", "If-Range": '"other"'},
        {"Range": "bytes=0-4", "If-Range": date},
        {"Range": "bytes=0-4", "If-Range": long_ago},
        {"If-None-Match": etag},
        {"If-None-Match": f'"other", W/{etag}'},
        {"If-None-Match": '"other"'},
        {"If-None-Match": "*"},
        {"If-Modified-Since": date},
        {"If-Modified-Since": now},
        {"If-Modified-Since": long_ago},
        {"If-Match": '"other"'},
        {"If-Unmodified-Since": long_ago},
        {"Accept-Encoding": "gzip"},
    ]
    for method in ("GET", "HEAD"):
        for asked in conditions:
            ours, theirs = site.direct(path, method, **asked), site.by_nginx(path, method, **asked)
            assert theirs.status_code == ours.status_code, (method, asked)
            if ours.status_code < 400:
                assert theirs.content == ours.content, (method, asked)
            # nginx announces nothing more than the server, and loses nothing of it.
            assert headers_of(theirs) == headers_of(ours), (method, asked)


def test_somebody_elses_file_is_as_missing_as_any(site: Site, photo: StoredObject) -> None:
    other = new_account(site.api.ctx, "grace@example.org")
    with over_the_network(site.server, site.api.ctx, other) as grace:
        answers = [
            httpx2.get(f"{site.nginx}/download/files/{key}", headers=grace.headers)
            for key in (photo.object_key, "0" * 32)
        ]
    assert [answer.status_code for answer in answers] == [404, 404]
    assert error_of(answers[0]) == error_of(answers[1])
    assert httpx2.get(f"{site.nginx}/download/files/{photo.object_key}").status_code == 401


def test_no_client_can_ask_for_the_internal_location(site: Site, photo: StoredObject) -> None:
    place = site.place(photo)
    below = f"{place.parent.name}/{place.name}"
    for path in (f"/blobs/{below}", f"/blobs/../blobs/{below}", f"/blobs//{below}", f"/%62lobs/{below}", "/blobs/"):
        answer = site.by_nginx(path)
        assert answer.status_code == 404, path
        assert len(answer.content) < SIZE, path


def test_only_a_trusted_proxy_that_asks_gets_headers_without_the_bytes(site: Site, photo: StoredObject) -> None:
    path = f"/download/files/{photo.object_key}"
    asked = site.direct(path, **ASKS)
    assert (asked.status_code, asked.content) == (200, b"")
    place = site.place(photo)
    assert asked.headers["x-accel-redirect"] == f"/blobs/{place.parent.name}/{place.name}"
    strangers = httpx2.HTTPTransport(local_address="127.0.0.9")
    with httpx2.Client(transport=strangers, headers={**site.api.headers, **ASKS}) as client:
        untrusted = client.get(site.server.url + path)
    unasked = (site.direct(path), site.direct(path, **{"X-Sendfile-Type": "X-Sendfile"}), untrusted)
    for answer in unasked:
        assert len(answer.content) == SIZE
        assert "x-accel-redirect" not in answer.headers
    twice = [*site.api.headers.items(), ("X-Sendfile-Type", "other"), *ASKS.items()]
    assert len(httpx2.get(site.server.url + path, headers=twice).content) == SIZE


def test_what_a_client_asks_of_the_proxy_does_not_count(site: Site, photo: StoredObject) -> None:
    answer = site.by_nginx(f"/download/files/{photo.object_key}", **{"X-Sendfile-Type": "X-Sendfile"})
    assert len(answer.content) == SIZE
    assert not {"x-sendfile", "x-accel-redirect"} & set(answer.headers)


def test_the_server_sends_what_is_small_or_not_verified(site: Site) -> None:
    small = site.file("small", b"s" * (SMALLEST - 1))
    assert len(site.direct(f"/download/files/{small.object_key}", **ASKS).content) == SMALLEST - 1
    large = site.api.file("large", data := os.urandom(9 * 1024 * 1024))
    path = f"/download/files/{large.object_key}"
    # Parts are never verified, so the server sends them as before.
    assert len(site.direct(path, Range="bytes=0-99999", **ASKS).content) == SIZE
    assert site.direct(path, **ASKS).content == data
    assert site.direct(path, **ASKS).content == b""
    assert site.direct(path, Range="bytes=0-99999", **ASKS).content == b""


def test_damaged_content_is_refused_although_nginx_has_a_file(site: Site) -> None:
    made = site.file("damaged.bin", b"a" * SIZE)
    site.real(made).write_bytes(b"b" * SIZE)
    answer = site.by_nginx(f"/download/files/{made.object_key}")
    assert error_of(answer) == error_of(site.direct(f"/download/files/{made.object_key}"))
    assert answer.status_code == 500


def test_the_log_counts_what_the_proxy_sends(site: Site) -> None:
    made = site.file("counted.bin", os.urandom(SIZE))
    path = f"/download/files/{made.object_key}"
    site.by_nginx(path)
    site.by_nginx(path, Range="bytes=0-99")
    deadline = time.monotonic() + 60
    while len(found := [line for line in site.server.log.read_text().splitlines() if path in line]) < 3:
        assert time.monotonic() < deadline, found
        time.sleep(0.01)
    assert [json.loads(line)["bytes"] for line in found] == [SIZE, SIZE, 100]


def test_guests_get_the_same_and_a_limited_share_is_counted_once(site: Site, photo: StoredObject) -> None:
    link = share(site.api, photo.object_key)
    inline = {"u": link.token, "view": "1"}
    path = f"/l/file/{photo.object_key}"
    for params in ({"u": link.token}, inline):
        ours, theirs = httpx2.get(site.server.url + path, params=params), httpx2.get(site.nginx + path, params=params)
        assert (theirs.status_code, theirs.content) == (200, ours.content)
        assert headers_of(theirs) == headers_of(ours)
    handed_over = httpx2.get(site.server.url + path, params=inline, headers=ASKS)
    assert handed_over.content == b""
    assert handed_over.headers["content-disposition"].startswith("inline")
    body = {"objectKeys": [photo.object_key], "shareName": "once", "maxDownloads": 1}
    limited = site.api.post("/x/v1/shares", json=body).json()["shareURL"].partition("u=")[2]
    first, second = (httpx2.get(site.nginx + path, params={"u": limited}) for _ in range(2))
    assert (first.status_code, len(first.content), second.status_code) == (200, SIZE, 404)

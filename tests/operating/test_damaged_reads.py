"""Reads that meet damaged content say so at every door, and never end well with wrong bytes."""

import hashlib
import io
import json
import logging
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest
from tests.operating.stacks import Stack
from tests.server.api import PASSWORD, Api, error_of, logged_in, new_account
from tests.server.in_process import TestClient
from tests.server.running import RunningServer, opened, over_the_network
from tests.server.sharing import share
from tests.service.pictures import encoded

from skyshelf.client import Client, ContentDamagedError
from skyshelf.server.app import ServerSettings, app_for
from skyshelf.service.integrity import damage, reading
from skyshelf.service.integrity.reading import VERIFIED_FIRST_MAX
from skyshelf.service.process.blob_memory import BlobMemory
from skyshelf.storage.errors import BlobCorrupt
from skyshelf.storage.metadata.contracts.tree import StoredObject

SMALL = b"what somebody keeps here, and wants back as it was"
LARGE = bytes(range(256)) * 1300  # streamed, or sent by path
DAMAGED = (500, "SKY5004")


@pytest.fixture
def api(stack: Stack) -> Iterator[Api]:
    """Over HTTP, in this process, on each stack."""
    app = app_for(stack.ctx, ServerSettings(metadata=stack.urls[0], blobs=stack.urls[1]))
    with TestClient(app, follow_redirects=False, raise_server_exceptions=False, client=("127.0.0.1", 1)) as client:
        yield logged_in(client, stack.ctx, new_account(stack.ctx, "ada@example.org"))


def location_of(api: Api, stored: StoredObject) -> str:
    with api.ctx.metadata.read() as unit:
        return unit.files.version(api.account.account_id, stored.object_key).location


def flipped(stack: Stack, location: str, data: bytes) -> None:
    stack.replace_bytes(location, data[:-1] + b"?")


def cut(stack: Stack, location: str, data: bytes) -> None:
    stack.replace_bytes(location, data[:5])


def gone(stack: Stack, location: str, _data: bytes) -> None:
    stack.ctx.blobs.delete(location)


Damaging = Callable[[Stack, str, bytes], None]
DAMAGES: list[Damaging] = [flipped, cut, gone]


@pytest.mark.parametrize("do", DAMAGES)
def test_damaged_content_is_a_typed_error_at_every_door(
    stack: Stack, api: Api, do: Damaging, caplog: pytest.LogCaptureFixture
) -> None:
    stored = api.file("letter.txt", SMALL)
    key, link = stored.object_key, share(api, stored.object_key)
    path = f"/download/files/{key}"
    # Read before, so that what a process remembers must not be believed.
    assert api.get(path).content == SMALL
    do(stack, location_of(api, stored), SMALL)
    with caplog.at_level(logging.ERROR, "skyshelf.storage"):
        answer = api.get(path)
    assert error_of(answer) == DAMAGED
    assert "damaged" in answer.json()["message"]
    assert "etag" not in answer.headers
    assert str(stored.sha256) in caplog.text
    for range_ in ("bytes=0-", f"bytes=0-{len(SMALL) - 1}", "bytes=3-9"):
        assert error_of(api.get(path, headers={"range": range_})) == DAMAGED
    assert error_of(api.get(path, params={"version": "1"})) == DAMAGED
    assert api.request("HEAD", path).status_code == 500
    many = api.get("/x/v1/contents", params={"objectKeys": key})
    assert json.loads(many.content.splitlines()[0])["errorCode"] == "SKY5004"
    assert SMALL[:5] not in many.content
    assert link.file(key).status_code == 500
    (found,) = damage.reports(stack.ctx)
    assert (found.sha256, [holder.name for holder in found.holders]) == (stored.sha256, ["letter.txt"])
    metrics = api.client.get("/metrics").text
    count = next(line for line in metrics.splitlines() if line.startswith("skyshelf_damaged_reads_total"))
    assert float(count.split()[1]) >= 6


def test_a_large_file_breaks_off_before_its_end_and_is_refused_from_then_on(
    stack: Stack, api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("skyshelf.service.integrity.reading.VERIFIED_FIRST_MAX", 1000)
    data = LARGE * 8
    stored = api.file("film.mp4", data)
    flipped(stack, location_of(api, stored), data)
    path = f"/download/files/{stored.object_key}"
    first = api.get(path)
    assert len(first.content) < len(data) == int(first.headers["content-length"])
    # Whoever resumes gets the reason.
    rest = api.get(path, headers={"range": f"bytes={len(first.content)}-"})
    assert error_of(rest) == DAMAGED
    assert error_of(api.get(path)) == DAMAGED


def test_a_file_of_some_mebibytes_is_verified_before_its_first_byte(stack: Stack, api: Api) -> None:
    stored = api.file("photo.raw", LARGE)
    assert api.get(f"/download/files/{stored.object_key}").content == LARGE
    flipped(stack, location_of(api, stored), LARGE)
    for range_ in ({}, {"range": "bytes=0-"}):
        answer = api.get(f"/download/files/{stored.object_key}", headers=range_)
        assert answer.status_code == 500 or len(answer.content) < len(LARGE)


def test_a_part_is_refused_by_processes_that_have_not_met_the_damage_themselves(stack: Stack, api: Api) -> None:
    stored = api.file("letter.txt", SMALL)
    location, path = location_of(api, stored), f"/download/files/{stored.object_key}"
    flipped(stack, location, SMALL)
    elsewhere = msgspec.structs.replace(stack.ctx, integrity=BlobMemory())
    assert stored.sha256 is not None
    with pytest.raises(BlobCorrupt):
        list(reading.read(elsewhere, stored.sha256, location, len(SMALL)))
    assert error_of(api.get(path, headers={"range": "bytes=3-9"})) == DAMAGED
    # Restored in its place, it is right for everybody once somebody has read all of it.
    stack.replace_bytes(location, SMALL)
    stack.clock.advance(minutes=2)
    assert api.get(path).content == SMALL
    assert damage.count(stack.ctx) == 0
    assert api.get(path, headers={"range": "bytes=3-9"}).content == SMALL[3:10]


def test_an_archive_with_damaged_content_is_no_whole_archive(stack: Stack, api: Api) -> None:
    folder = api.folder("letters")
    stored = api.file("letter.txt", SMALL, folder.object_key)
    api.file("other.txt", b"in order", folder.object_key)
    link = share(api, folder.object_key)
    flipped(stack, location_of(api, stored), SMALL)
    answer = link.zip()
    with pytest.raises(zipfile.BadZipFile):
        zipfile.ZipFile(io.BytesIO(answer.content)).testzip()
    assert damage.count(stack.ctx) == 1


def test_a_damaged_thumbnail_is_made_again_and_one_of_damaged_content_is_not_found(stack: Stack, api: Api) -> None:
    picture = encoded("jpeg")
    stored = api.file("photo.jpg", picture)
    path = f"/download/avimages/{stored.object_key}"
    first = api.get(path)
    assert first.status_code == 200, first.text
    with stack.ctx.metadata.read() as unit:
        (row,) = unit.inspection.thumbnails(None, limit=10)
    stack.replace_bytes(row.location, b"x" * row.bytes)
    assert api.get(path).content == first.content
    with stack.ctx.metadata.read() as unit:
        (again,) = unit.inspection.thumbnails(None, limit=10)
    stack.ctx.blobs.delete(again.location)
    gone(stack, location_of(api, stored), picture)
    assert api.get(path).status_code == 404
    assert damage.count(stack.ctx) == 1


def test_content_that_is_uploaded_again_leaves_the_list_of_damage(stack: Stack, api: Api) -> None:
    stored = api.file("letter.txt", SMALL)
    flipped(stack, location_of(api, stored), SMALL)
    assert error_of(api.get(f"/download/files/{stored.object_key}")) == DAMAGED
    assert damage.count(stack.ctx) == 1
    new = stack.ctx.blobs.put([SMALL])
    old = location_of(api, stored)
    assert stack.ctx.metadata.write(lambda unit: unit.content.relocate(new.sha256, old, new.location, 1))
    assert damage.count(stack.ctx) == 0
    assert stack.ctx.metadata.write(lambda unit: unit.damage.forget_healed()) == 1
    assert api.get(f"/download/files/{stored.object_key}").content == SMALL


def test_bytes_that_were_restored_in_their_place_are_given_out_again(stack: Stack, api: Api) -> None:
    stored = api.file("letter.txt", SMALL)
    location = location_of(api, stored)
    flipped(stack, location, SMALL)
    assert error_of(api.get(f"/download/files/{stored.object_key}")) == DAMAGED
    stack.replace_bytes(location, SMALL)
    stack.clock.advance(minutes=2)
    assert api.get(f"/download/files/{stored.object_key}").content == SMALL


@pytest.mark.whole
def test_a_real_server_and_the_client_agree(tmp_path: Path) -> None:
    """With the path that sends whole files by their name, and a file that is too large to be read twice."""
    server = RunningServer(tmp_path / "data")
    server.start()
    try:
        with opened(server.data) as ctx:
            account = new_account(ctx, "ada@example.org")
            large = bytes(1024) * ((VERIFIED_FIRST_MAX // 1024) + 2000)
            with over_the_network(server, ctx, account) as api:
                files = {name: api.file(name, data) for name, data in (("a", LARGE), ("b", large))}
                for name, data in (("a", LARGE), ("b", large)):
                    got = api.get(f"/download/files/{files[name].object_key}").content
                    assert hashlib.sha256(got).digest() == hashlib.sha256(data).digest()
                    path = ctx.blobs.local_path(location_of(api, files[name]))
                    assert path is not None
                    with path.open("r+b") as file:
                        file.seek(len(data) // 2)
                        file.write(b"?")
                assert error_of(api.get(f"/download/files/{files['a'].object_key}")) == DAMAGED
                with Client(server.url) as client:
                    client.login("ada@example.org", PASSWORD)
                    for name in ("a", "b"):
                        with pytest.raises(ContentDamagedError):
                            client.download(files[name].object_key, tmp_path / name)
                        assert not (tmp_path / name).exists()
    finally:
        server.close()

"""Every download is verified: against a server that follows the text of the interface, and no further."""

import hashlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from tests.client.foreign import Asked, Foreign, Reply, foreign_server

from skyshelf.agent.dispatcher import Dispatcher
from skyshelf.agent.download_root import DownloadRoot
from skyshelf.client.async_client import AsyncClient
from skyshelf.client.errors import (
    IntegrityError,
    InvalidRequestError,
    ObjectNotFoundError,
    UnexpectedAnswerError,
    UnverifiedFileError,
)

ROOT, FOLDER, FILE = "F" * 32, "E" * 32, "A" * 32
CONTENT = bytes(range(256)) * 1200
MODIFIED = 1_600_000_000_000
PAGE = b"<!DOCTYPE html><html><body>Please log in</body></html>"


def an_object(key: str, name: str, parent: str, **fields: Any) -> dict[str, Any]:
    kind = "FR" if key == FOLDER else "FE"
    return {"objectKey": key, "parentObjectKey": parent, "objectName": name, "objectType": kind, **fields}


class TextServer:
    """A folder with a file in it; its version listing has the fields of the interface's table, and no hash."""

    def __init__(self) -> None:
        digest = hashlib.md5(CONTENT).hexdigest()
        self.file = an_object(
            FILE, "film.bin", FOLDER, sizeInBytes=len(CONTENT), hash=digest, lastModifiedDate=MODIFIED
        )
        self.content: Callable[[], Reply] = lambda: Reply(200, CONTENT)

    def __call__(self, asked: Asked) -> Reply:
        if asked.path == "/security/users":
            return Reply(200, {"userId": "U", "rootFolderKey": ROOT})
        if asked.path == "/nms/metadata":
            listed = {(ROOT, "w"): [an_object(FOLDER, "films", ROOT)], (FOLDER, "f"): [self.file]}
            is_first = asked.query.get("page", "0") == "0"
            return Reply(200, {"objects": listed.get((asked.query["folderKey"], asked.query["type"]), []) * is_first})
        if asked.path.startswith("/nms/metadata/version/"):
            now = {"version": 2, "displayVersion": "V2", "createdDate": 5_000, "isCurrentVersion": True}
            return Reply(200, {"totalVersions": 2, "objVersions": [now, {"version": 1, "createdDate": 4_000}]})
        if asked.path.startswith("/download/"):
            return self.content()
        return Reply(404, b"")


@contextmanager
def serving(server: TextServer) -> Iterator[tuple[Foreign, AsyncClient]]:
    with foreign_server(server) as foreign:
        yield (
            foreign,
            AsyncClient(foreign.url, auth_token="T", user_id="U", device_key="D", retries=1, retry_wait=0.001),
        )


TARGETS = [pytest.param(FILE, id="key"), pytest.param("/films/film.bin", id="path")]


@pytest.mark.parametrize("target", TARGETS)
async def test_a_download_is_verified_and_has_the_time_of_the_object(target: str, tmp_path: Path) -> None:
    with serving(TextServer()) as (_, client):
        async with client:
            done = await client.download(target, tmp_path)
            current = await client.download(target, tmp_path / "v2", version=2)
    assert (done.path, done.verified, current.verified) == (tmp_path / "film.bin", True, True)
    assert done.path.read_bytes() == CONTENT
    assert {done.path.stat().st_mtime_ns, current.path.stat().st_mtime_ns} == {MODIFIED * 1_000_000}


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(
    "content",
    [
        pytest.param(Reply(200, CONTENT[:-1] + b"!"), id="other bytes"),
        pytest.param(Reply(200, PAGE, {"Content-Type": "text/html"}), id="page"),
        pytest.param(Reply(200, PAGE), id="page without a type"),
        pytest.param(Reply(200, {"message": "log in"}, {"Content-Type": "application/json"}), id="json"),
        pytest.param(Reply(200, b""), id="nothing"),
    ],
)
async def test_wrong_content_is_an_error_and_leaves_nothing(target: str, content: Reply, tmp_path: Path) -> None:
    server = TextServer()
    server.content = lambda: content
    with serving(server) as (_, client):
        async with client:
            with pytest.raises(IntegrityError):
                await client.download(target, tmp_path)
    assert list(tmp_path.iterdir()) == []


async def test_a_file_without_a_hash_is_refused_before_it_is_requested(tmp_path: Path) -> None:
    server = TextServer()
    del server.file["hash"]
    with serving(server) as (foreign, client):
        async with client:
            for target, version in ((FILE, None), ("/films/film.bin", None), (FILE, 1), (FILE, 2)):
                with pytest.raises(UnverifiedFileError, match="no hash"):
                    await client.download(target, tmp_path, version=version)
            summary = await client.download_all(tmp_path / "all")
            assert [type(one.error) for one in summary.failed] == [UnverifiedFileError]
            with pytest.raises(ObjectNotFoundError, match="version 3"):
                await client.download(FILE, tmp_path, version=3)
            assert not any(one.path.startswith("/download/") for one in foreign.asked)
            done = await client.download(FILE, tmp_path, allow_unverified=True)
            assert not done.verified
            summary = await client.download_all(tmp_path / "all", allow_unverified=True)
            assert (summary.done, summary.unverified, summary.ok) == (1, 1, True)


@pytest.mark.parametrize(
    "content", [Reply(200, PAGE, {"Content-Type": "text/html"}), Reply(200, PAGE), Reply(200, {"code": "E"})]
)
async def test_a_page_in_place_of_a_file_is_an_error_even_without_a_hash(content: Reply, tmp_path: Path) -> None:
    server = TextServer()
    del server.file["hash"], server.file["sizeInBytes"]
    server.content = lambda: content
    with serving(server) as (_, client):
        async with client:
            with pytest.raises(IntegrityError, match="instead of the file"):
                await client.download(FILE, tmp_path, allow_unverified=True)
            with pytest.raises(UnexpectedAnswerError, match="picture"):
                await client.thumbnail(FILE)
            server.file["objectName"] = "page.html"
            assert (await client.download(FILE, tmp_path, allow_unverified=True)).size
    assert [path.name for path in tmp_path.iterdir()] == ["page.html"]


@pytest.mark.parametrize("status", [400, 403, 404, 500])
async def test_a_refused_download_leaves_no_part(status: int, tmp_path: Path) -> None:
    server = TextServer()
    server.content = lambda: Reply(status, {"code": "E", "message": "no"})
    with serving(server) as (_, client):
        async with client:
            with pytest.raises(Exception, match="no"):
                await client.download(FILE, tmp_path)
            assert not (await client.download_all(tmp_path / "all")).ok
    assert [path for path in tmp_path.rglob("*") if path.is_file() and ".skyshelf" not in str(path)] == []


async def test_a_refusal_removes_what_an_earlier_attempt_left(tmp_path: Path) -> None:
    server = TextServer()
    server.content = lambda: Reply(200, CONTENT[:100_000], {"Content-Length": str(len(CONTENT)), "Connection": "close"})
    with serving(server) as (_, client):
        async with client:
            with pytest.raises(Exception, match=r"incomplete|lost|closed"):
                await client.download(FILE, tmp_path)
            assert [path.stat().st_size > 0 for path in tmp_path.iterdir()] == [True]
            server.content = lambda: Reply(403, {"code": "E", "message": "no"})
            with pytest.raises(Exception, match="no"):
                await client.download(FILE, tmp_path)
    assert list(tmp_path.iterdir()) == []


async def test_a_folder_is_not_downloaded_as_a_file(tmp_path: Path) -> None:
    with serving(TextServer()) as (_, client):
        async with client:
            for target in (FOLDER, "/films"):
                with pytest.raises(InvalidRequestError, match="folder"):
                    await client.download(target, tmp_path / "it")
    assert list(tmp_path.iterdir()) == []


async def test_the_tool_verifies_what_it_downloads(tmp_path: Path) -> None:
    server = TextServer()
    call = {"tool": "download_file", "arguments": {"object_key": FILE, "destination": "film", "confirm": True}}
    with serving(server) as (_, client):
        async with client:
            dispatcher = Dispatcher(client=client, downloads=DownloadRoot(tmp_path))
            server.content = lambda: Reply(200, CONTENT[::-1])
            answer = await dispatcher.call(call)
            assert answer["ok"] is False
            assert answer["error"]["type"] == "IntegrityError"  # type: ignore[index]
            del server.file["hash"]
            answer = await dispatcher.call(call)
            assert answer["error"]["type"] == "UnverifiedFileError"  # type: ignore[index]
            assert list(tmp_path.iterdir()) == []
            server.file = TextServer().file
            server.content = lambda: Reply(200, CONTENT)
            answer = await dispatcher.call(call)
            assert answer["result"]["verified"] is True  # type: ignore[index]
    assert (tmp_path / "film").stat().st_mtime_ns == MODIFIED * 1_000_000

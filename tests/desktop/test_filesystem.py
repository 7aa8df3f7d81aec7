"""The file system `skyshelf://`: fsspec's own tests, tables of pandas and DuckDB, and what it promises beyond."""

import gc
import hashlib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import duckdb
import fsspec
import fsspec.tests.abstract as abstract
import pandas
import pytest
from argon2 import PasswordHasher
from tests.client.foreign import Asked, Reply, foreign_server
from tests.client.serving import ClientServer, Person
from tests.client.test_foreign_servers import DEVICE, TOKEN, listing, shown
from tests.client.test_foreign_servers import drive as hostile_drive

from skyshelf.client.errors import ForbiddenError, QuotaExceededError
from skyshelf.client.sync_client import Client
from skyshelf.desktop.filesystem import SkyshelfFileSystem
from skyshelf.service.accounts import passwords


@pytest.fixture(scope="module")
def shared_drive(desktop_host: ClientServer) -> Iterator[SkyshelfFileSystem]:
    """One account for all of fsspec's tests, which clean up."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(passwords, "_hasher", PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))
        person = desktop_host.person()
    # Cleaning up after each test deletes thousands of files in a few minutes.
    desktop_host.ctx.metadata.write(lambda unit: unit.alarms.set_limit(person.account.account_id, 0))
    made = SkyshelfFileSystem(**person.settings, skip_instance_cache=True)
    yield made
    made.close()


class Drive(abstract.AbstractFixtures):  # type: ignore[misc]
    """What fsspec's tests are run on."""

    @pytest.fixture
    def fs(self, shared_drive: SkyshelfFileSystem) -> SkyshelfFileSystem:
        return shared_drive

    @pytest.fixture
    def fs_path(self) -> str:
        return "/work"

    @pytest.fixture(autouse=True)
    def start_empty(self, fs: SkyshelfFileSystem, fs_path: str) -> None:
        fs.makedirs(fs_path, exist_ok=True)


@pytest.mark.whole
class TestCopy(abstract.AbstractCopyTests, Drive):  # type: ignore[misc]
    pass


@pytest.mark.whole
class TestGet(abstract.AbstractGetTests, Drive):  # type: ignore[misc]
    pass


class TestOpen(abstract.AbstractOpenTests, Drive):  # type: ignore[misc]
    pass


class TestPipe(abstract.AbstractPipeTests, Drive):  # type: ignore[misc]
    pass


@pytest.mark.whole
class TestPut(abstract.AbstractPutTests, Drive):  # type: ignore[misc]
    pass


HOSTILE = ["../out", "..", ".", "/tmp/out", "a/../../out", "nul\0", "../../../../../../../tmp/out"]


@pytest.mark.parametrize("name", HOSTILE)
def test_a_name_from_a_hostile_server_is_one_name_and_leads_nowhere(name: str, tmp_path: Path) -> None:
    content = b"hello"
    listed = [shown(1, name, size=len(content), hash=hashlib.md5(content).hexdigest())]
    answers = hostile_drive(metadata=listing(listed))

    def answering(asked: Asked) -> Reply:
        return Reply(200, content) if asked.path.startswith("/download/files/") else answers(asked)

    chosen = tmp_path / "a" / "b"
    chosen.mkdir(parents=True)
    with foreign_server(answering) as server:
        made = SkyshelfFileSystem(
            server.url, auth_token=TOKEN, user_id="U", device_key=DEVICE, skip_instance_cache=True
        )
        try:
            [path] = made.ls("/", detail=False)
            assert made.find("/") == [path]
            made.get("/", f"{chosen}/", recursive=True)
        finally:
            made.close()
    assert path.count("/") == 1
    assert path not in {"/", "/.", "/.."}
    assert [one for one in tmp_path.rglob("*") if one.is_file()] == [chosen / path[1:]]


@pytest.mark.parametrize("body", [{"code": "X1", "message": "bad"}, {"error": "x"}, {}, {"objects": None}], ids=str)
def test_a_folder_of_which_the_server_says_nothing_is_an_error_and_not_empty(body: object) -> None:
    session: dict[str, Any] = {"auth_token": TOKEN, "user_id": "U", "device_key": DEVICE, "retry_wait": 0.001}
    with foreign_server(hostile_drive(metadata=lambda _: Reply(200, body))) as server:
        made = SkyshelfFileSystem(server.url, **session, skip_instance_cache=True)
        try:
            for look, path in ((made.ls, "/"), (made.find, "/"), (made.info, "/a.txt")):
                with pytest.raises(OSError, match="response"):
                    look(path)
        finally:
            made.close()


@pytest.fixture
def drive(person: Person) -> Iterator[SkyshelfFileSystem]:
    made = SkyshelfFileSystem(**person.settings, skip_instance_cache=True)
    yield made
    made.close()


def test_a_url_opens_a_file_with_the_registered_protocol(person: Person) -> None:
    with fsspec.open("skyshelf://Notes/a.txt", "w", **person.settings) as opened:
        opened.write("hello")
    with fsspec.open("skyshelf:///Notes/a.txt", **person.settings) as opened:
        assert opened.read() == b"hello"
    fsspec.filesystem("skyshelf", **person.settings).close()


def test_pandas_and_duckdb_read_and_write_tables(drive: SkyshelfFileSystem, person: Person) -> None:
    table = pandas.DataFrame({"city": ["Bath", "Ely", "York"] * 500, "count": range(1500)})
    options = dict(person.settings)
    table.to_parquet("skyshelf://tables/cities.parquet", storage_options=options)
    back = pandas.read_parquet("skyshelf://tables/cities.parquet", storage_options=options, columns=["count"])
    assert back["count"].sum() == table["count"].sum()
    table.to_csv("skyshelf://tables/cities.csv", index=False, storage_options=options)
    with duckdb.connect() as database:
        database.register_filesystem(drive)
        found = database.sql("select city, sum(count) from 'skyshelf://tables/*.parquet' group by city order by city")
        assert [row[0] for row in found.fetchall()] == ["Bath", "Ely", "York"]
        assert database.sql("select count(*) from 'skyshelf://tables/cities.csv'").fetchall() == [(1500,)]
    fsspec.filesystem("skyshelf", **options).close()


def test_a_failed_write_and_an_abandoned_transaction_leave_the_old_content(drive: SkyshelfFileSystem) -> None:
    drive.pipe("/a.txt", b"old")
    with suppress(ZeroDivisionError), drive.open("/a.txt", "wb") as opened:
        opened.write(b"half of it")
        raise ZeroDivisionError
    with suppress(ZeroDivisionError), drive.transaction:
        with drive.open("/a.txt", "wb") as opened:
            opened.write(b"new")
        raise ZeroDivisionError
    assert drive.cat("/a.txt") == b"old"
    with drive.transaction:
        with drive.open("/a.txt", "wb") as opened:
            opened.write(b"new")
        assert drive.cat("/a.txt") == b"old"
    assert drive.cat("/a.txt") == b"new"


def test_an_open_file_is_one_content(drive: SkyshelfFileSystem) -> None:
    drive.pipe("/a.bin", bytes(3000))
    with drive.open("/a.bin", "rb", block_size=1000, cache_type="readahead") as opened:
        assert opened.read(10) == bytes(10)
        drive.pipe("/a.bin", b"x" * 3000)
        opened.seek(2500)
        with pytest.raises(OSError, match="changed"):
            opened.read(10)


def test_files_are_appended_to_created_once_and_edited_in_place(drive: SkyshelfFileSystem) -> None:
    for text in (b"one ", b"two "):
        with drive.open("/log.txt", "ab") as opened:
            opened.write(text)
    with drive.open("/log.txt", "r+b") as opened:
        opened.seek(0)
        opened.write(b"ONE")
    assert drive.cat("/log.txt") == b"ONE two "
    assert drive.cat_file("/log.txt", start=-4) == b"two "
    with pytest.raises(FileExistsError):
        drive.open("/log.txt", "xb")
    with pytest.raises(FileNotFoundError):
        drive.open("/none.txt", "rb")
    with pytest.raises(IsADirectoryError):
        drive.open("/", "wb")


def test_moves_and_copies_happen_on_the_server(drive: SkyshelfFileSystem) -> None:
    drive.pipe({"/in/a.txt": b"a", "/in/deep/b.txt": b"b", "/other/a.txt": b"older"})
    key = drive.info("/in/a.txt")["key"]
    drive.mv("/in/a.txt", "/moved/c.txt")
    assert drive.info("/moved/c.txt")["key"] == key
    drive.mv("/in", "/moved", recursive=True)
    drive.mv("/moved/c.txt", "/other/a.txt")
    drive.cp("/moved/in/deep/b.txt", "/other/a.txt")
    assert drive.cat("/other/a.txt") == b"b"
    assert drive.find("/") == ["/moved/in/deep/b.txt", "/other/a.txt"]
    assert drive.glob("/**/deep/*") == ["/moved/in/deep/b.txt"]
    with pytest.raises(OSError, match="not empty"):
        drive.rmdir("/moved")
    with pytest.raises(IsADirectoryError):
        drive.rm("/moved")
    with pytest.raises(OSError, match="into itself"):
        drive.mv("/moved", "/moved/in/x")
    drive.rm("/moved", recursive=True)
    assert drive.ls("/", detail=False) == ["/other"]
    assert [one.name for one in drive.drive.trash.list()].count("moved") == 1


def test_a_move_that_is_refused_leaves_what_has_the_name(
    drive: SkyshelfFileSystem, monkeypatch: pytest.MonkeyPatch
) -> None:
    for path in ("/a/x.txt", "/b/y.txt"):
        drive.pipe_file(path, path.encode())

    def refuse(*_: Any, **__: Any) -> None:
        raise ForbiddenError("not today", status=403)

    with monkeypatch.context() as patching:
        patching.setattr(drive.drive, "move", refuse)
        with pytest.raises(PermissionError):
            drive.mv("/a/x.txt", "/b/y.txt")
    assert {path: drive.cat_file(path) for path in drive.find("/")} == {
        "/a/x.txt": b"/a/x.txt",
        "/b/y.txt": b"/b/y.txt",
    }


def test_names_that_are_taken_on_the_way_do_not_stop_a_move(drive: SkyshelfFileSystem) -> None:
    for path in ("/a/x.txt", "/a/y.txt", "/b/x.txt", "/b/y.txt"):
        drive.pipe_file(path, path.encode())
    drive.mv("/a/x.txt", "/b/y.txt")
    assert {path: drive.cat_file(path) for path in drive.find("/")} == {
        "/a/y.txt": b"/a/y.txt",
        "/b/x.txt": b"/b/x.txt",
        "/b/y.txt": b"/a/x.txt",
    }


def test_what_cannot_be_uploaded_is_kept(drive: SkyshelfFileSystem, monkeypatch: pytest.MonkeyPatch) -> None:
    opened = drive.open("/a.txt", "wb")
    opened.write(b"hours of work")

    def refuse(*_: Any, **__: Any) -> None:
        raise QuotaExceededError("full", status=507)

    monkeypatch.setattr(drive.drive, "upload", refuse)
    with pytest.raises(OSError, match="full") as refused:
        opened.close()
    (note,) = refused.value.__notes__
    kept = Path(note.removeprefix("What was written is kept in ").removesuffix("."))
    del opened
    assert kept.read_bytes() == b"hours of work"
    kept.unlink()


def test_what_is_written_when_an_upload_is_interrupted_is_kept(
    drive: SkyshelfFileSystem, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = drive.open("/a.txt", "wb")
    opened.write(b"hours of work")
    kept = Path(opened.name)

    def interrupt(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(drive.drive, "upload", interrupt)
    with pytest.raises(KeyboardInterrupt):
        opened.close()
    del opened
    gc.collect()
    assert kept.read_bytes() == b"hours of work"
    kept.unlink()


def test_a_move_whose_folder_cannot_be_found_leaves_what_has_the_name(
    drive: SkyshelfFileSystem, monkeypatch: pytest.MonkeyPatch
) -> None:
    for path in ("/a/x.txt", "/b/y.txt"):
        drive.pipe_file(path, path.encode())

    def refuse(*_: Any) -> None:
        raise PermissionError("not today")

    with monkeypatch.context() as patching:
        patching.setattr(drive, "_made_folder", refuse)
        with pytest.raises(PermissionError):
            drive.mv("/a/x.txt", "/b/y.txt")
    assert drive.find("/") == ["/a/x.txt", "/b/y.txt"]


def test_changes_of_others_are_seen_and_a_session_is_needed(drive: SkyshelfFileSystem, client: Client) -> None:
    assert drive.ls("/") == []
    client.create_folder("new")
    drive.invalidate_cache()
    assert drive.isdir("/new")
    with pytest.raises(PermissionError, match="not logged in"):
        SkyshelfFileSystem(server="http://127.0.0.1:9", skip_instance_cache=True).ls("/")

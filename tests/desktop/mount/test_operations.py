"""What a mounted drive does, without a kernel: on every machine."""

import errno
import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.desktop.sync.both_sides import md5

from skyshelf.client.sync_client import Client
from skyshelf.desktop.mount import contents
from skyshelf.desktop.mount.operations import DriveOperations

CACHE_BYTES = 64 * 1024


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(contents, "BLOCK_BYTES", 4096)


def operations(client: Client, tmp_path: Path, **options: bool) -> DriveOperations:
    cache = tmp_path / "cache"
    cache.mkdir(exist_ok=True)
    return DriveOperations(client, client.root_key(), cache, cache_bytes=CACHE_BYTES, **options)


@pytest.fixture
def drive(client: Client, tmp_path: Path) -> Iterator[DriveOperations]:
    made = operations(client, tmp_path)
    yield made
    made.close()


def save(drive: DriveOperations, path: str, content: bytes) -> None:
    handle = drive.create(path)
    drive.write(handle, content, 0)
    drive.flush(handle)
    drive.release(handle)


def load(drive: DriveOperations, path: str) -> bytes:
    handle = drive.open(path, os.O_RDONLY)
    try:
        content = b""
        while piece := drive.read(handle, 5000, len(content)):
            content += piece
        return content
    finally:
        drive.release(handle)


def fails(number: int) -> "pytest.RaisesExc[OSError]":
    return pytest.RaisesExc(OSError, check=lambda error: error.errno == number)


def names(drive: DriveOperations, path: str = "/") -> list[str]:
    return list(drive.readdir(path))[2:]


def test_a_file_is_written_read_and_listed(drive: DriveOperations, client: Client) -> None:
    drive.mkdir("/new")
    handle = drive.create("/new/a.txt")
    assert names(drive, "/new") == ["a.txt"]
    drive.write(handle, b"hello", 0)
    assert drive.getattr("/new/a.txt")["st_size"] == 5
    assert list(client.list_folder("/new")) == []
    drive.flush(handle)
    drive.release(handle)
    assert client.read("/new/a.txt") == b"hello"
    assert load(drive, "/new/a.txt") == b"hello"
    assert stat.S_ISDIR(drive.getattr("/new")["st_mode"])
    assert drive.statfs()["f_bsize"] == 4096


def test_a_file_is_edited_in_place_and_truncated(drive: DriveOperations, client: Client) -> None:
    save(drive, "/a.txt", b"hello world")
    handle = drive.open("/a.txt", os.O_RDWR)
    drive.write(handle, b"HELLO", 0)
    drive.set_time("/a.txt", 1_000_000_000_000_000_000)
    assert drive.read(handle, 20, 0) == b"HELLO world"
    drive.flush(handle)
    drive.release(handle)
    found = client.get("/a.txt")
    assert (found.version, found.modified_ms) == (2, 1_000_000_000_000)
    drive.truncate("/a.txt", 5)
    assert client.read("/a.txt") == b"HELLO"
    handle = drive.open("/a.txt", os.O_WRONLY | os.O_TRUNC)
    drive.flush(handle)
    drive.release(handle)
    assert client.get("/a.txt").size == 0


def test_a_file_is_saved_by_renaming_another_over_it(drive: DriveOperations, client: Client) -> None:
    save(drive, "/a.txt", b"old")
    key = client.get("/a.txt").key
    save(drive, "/.a.txt.tmp", b"new")
    drive.rename("/.a.txt.tmp", "/a.txt")
    found = client.get("/a.txt")
    assert (found.key, found.version, client.read(found)) == (key, 2, b"new")
    assert names(drive) == ["a.txt"]


def test_items_are_moved_and_deleted(drive: DriveOperations, client: Client) -> None:
    drive.mkdir("/x")
    drive.mkdir("/y")
    save(drive, "/x/a.txt", b"a")
    with fails(errno.ENOTEMPTY):
        drive.rmdir("/x")
    with fails(errno.ENOTEMPTY):
        drive.rename("/y", "/x")
    with fails(errno.EISDIR):
        drive.rename("/x/a.txt", "/y")
    with fails(errno.EISDIR):
        drive.unlink("/y")
    with fails(errno.ENOTDIR):
        names(drive, "/x/a.txt")
    drive.rename("/x/a.txt", "/y/b.txt")
    drive.rename("/y", "/x")
    assert names(drive) == ["x"]
    assert names(drive, "/x") == ["b.txt"]
    drive.unlink("/x/b.txt")
    drive.rmdir("/x")
    with fails(errno.ENOENT):
        drive.getattr("/x")
    assert {one.name for one in client.trash.list()} >= {"x", "b.txt"}


def test_an_open_file_survives_its_deletion_and_its_move(drive: DriveOperations, client: Client) -> None:
    handle = drive.create("/gone.txt")
    drive.write(handle, b"never seen", 0)
    drive.unlink("/gone.txt")
    drive.flush(handle)
    assert drive.read(handle, 20, 0) == b"never seen"
    drive.release(handle)
    handle = drive.create("/moved.txt")
    drive.write(handle, b"first ", 0)
    drive.rename("/moved.txt", "/there.txt")
    drive.write(handle, b"second", 6)
    drive.flush(handle)
    drive.release(handle)
    assert [one.name for one in client.list_folder()] == ["there.txt"]
    assert client.read("/there.txt") == b"first second"


def put(client: Client, tmp_path: Path, name: str, content: bytes) -> None:
    (tmp_path / "outgoing").write_bytes(content)
    client.upload(tmp_path / "outgoing", name=name)


def test_the_cache_is_bounded_and_large_files_are_read_without_it(
    drive: DriveOperations, client: Client, tmp_path: Path
) -> None:
    contents_of = {f"{number}.bin": os.urandom(30_000) for number in range(5)} | {"large": os.urandom(200_000)}
    for name, content in contents_of.items():
        put(client, tmp_path, name, content)
    for name, content in contents_of.items():
        assert load(drive, f"/{name}") == content
        assert drive.cache.stored_bytes <= CACHE_BYTES
    kept = [path.name for path in (tmp_path / "cache/contents").iterdir()]
    assert kept
    assert set(kept) <= {md5(content) for content in contents_of.values()}


def test_a_damaged_copy_is_never_shown(client: Client, tmp_path: Path) -> None:
    content = os.urandom(20_000)
    put(client, tmp_path, "a.bin", content)
    first = operations(client, tmp_path)
    assert load(first, "/a.bin") == content
    (kept,) = (tmp_path / "cache/contents").iterdir()
    kept.write_bytes(b"x" * len(content))
    assert load(operations(client, tmp_path), "/a.bin") == content


def test_a_file_that_is_read_sees_one_content(drive: DriveOperations, client: Client, tmp_path: Path) -> None:
    put(client, tmp_path, "a.bin", bytes(50_000))
    handle = drive.open("/a.bin", os.O_RDONLY)
    assert drive.read(handle, 10, 0) == bytes(10)
    put(client, tmp_path, "a.bin", b"x" * 50_000)
    with fails(errno.EIO):
        drive.read(handle, 10, 49_000)
    drive.release(handle)


def test_what_cannot_be_uploaded_is_kept(
    drive: DriveOperations, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    handle = drive.create("/report.txt")
    drive.write(handle, b"important", 0)
    with monkeypatch.context() as broken:
        broken.setattr(client, "upload", lambda *_, **__: (_ for _ in ()).throw(OSError(errno.EIO, "no connection")))
        with fails(errno.EIO):
            drive.flush(handle)
        drive.release(handle)
    (kept,) = drive.close()
    assert kept.name.startswith("report.txt-")
    assert kept.read_bytes() == b"important"


def test_the_last_save_wins_and_an_edit_elsewhere_is_the_version_before(
    drive: DriveOperations, client: Client, tmp_path: Path
) -> None:
    save(drive, "/a.txt", b"first")
    handle = drive.open("/a.txt", os.O_RDWR)
    drive.write(handle, b"mine ", 0)
    put(client, tmp_path, "a.txt", b"theirs")
    drive.flush(handle)
    drive.release(handle)
    assert client.read("/a.txt") == b"mine "
    versions = client.versions.list("/a.txt").obj_versions or []
    assert [one.hash for one in versions] == [md5(content) for content in (b"mine ", b"theirs", b"first")]


def test_a_content_that_was_not_uploaded_waits_for_the_next_mount(client: Client, tmp_path: Path) -> None:
    killed = operations(client, tmp_path)
    killed.write(killed.create("/report.txt"), b"important", 0)
    for _ in range(2):
        again = operations(client, tmp_path)
        (kept,) = again.close()
        assert kept.read_bytes() == b"important"


def test_two_mounts_at_once_have_two_caches(client: Client, tmp_path: Path) -> None:
    with contents.cache_root(tmp_path, client) as first, contents.cache_root(tmp_path, client) as second:
        assert first != second
    with contents.cache_root(tmp_path, client) as again:
        assert again == first


def test_a_read_only_drive_refuses_changes(client: Client, tmp_path: Path) -> None:
    put(client, tmp_path, "a.txt", b"a")
    drive = operations(client, tmp_path, read_only=True)
    assert load(drive, "/a.txt") == b"a"
    for change in (
        lambda: drive.create("/b.txt"),
        lambda: drive.open("/a.txt", os.O_WRONLY),
        lambda: drive.unlink("/a.txt"),
        lambda: drive.mkdir("/b"),
        lambda: drive.rename("/a.txt", "/b.txt"),
    ):
        with fails(errno.EROFS):
            change()


def test_a_rename_that_is_refused_leaves_what_has_the_name(
    drive: DriveOperations, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    for folder in ("/a", "/b"):
        drive.mkdir(folder)
    save(drive, "/a/x", b"one")
    save(drive, "/b/y", b"two")
    monkeypatch.setattr(drive.cache, "whole", lambda _: None)
    move = client.move
    with monkeypatch.context() as patching:
        patching.setattr(client, "move", lambda *_, **__: move([client.root_key()], "/a"))
        with pytest.raises(OSError, match="root"):
            drive.rename("/a/x", "/b/y")
    assert (load(drive, "/a/x"), load(drive, "/b/y")) == (b"one", b"two")
    drive.rename("/a/x", "/b/y")
    assert (names(drive, "/a"), load(drive, "/b/y")) == ([], b"one")


def test_names_that_are_taken_on_the_way_do_not_stop_a_rename(drive: DriveOperations) -> None:
    for folder in ("/a", "/b"):
        drive.mkdir(folder)
    for path in ("/a/x", "/a/y", "/b/x"):
        save(drive, path, path.encode())
    drive.rename("/a/x", "/b/y")
    assert (names(drive, "/a"), names(drive, "/b")) == (["y"], ["x", "y"])
    assert (load(drive, "/b/y"), load(drive, "/b/x")) == (b"/a/x", b"/b/x")

"""A mounted drive of a server that wants to harm whoever mounts it: nothing beyond the drive's own cache changes."""

import errno
import hashlib
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from tests.client.foreign import Asked, Reply, foreign_server
from tests.client.test_foreign_servers import DEVICE, TOKEN, drive, listing, shown
from tests.desktop.mount.test_operations import CACHE_BYTES, names

from skyshelf.client.sync_client import Client
from skyshelf.desktop.mount.operations import DriveOperations

MINE = b"a file of the person who has mounted it"


@contextmanager
def mounted(tmp_path: Path, answering: Callable[[Asked], Reply]) -> Iterator[DriveOperations]:
    cache = tmp_path / "home" / "cache"
    cache.mkdir(parents=True)
    with (
        foreign_server(answering) as server,
        Client(server.url, auth_token=TOKEN, user_id="U", device_key=DEVICE, retry_wait=0.001) as client,
    ):
        made = DriveOperations(client, client.root_key(), cache, cache_bytes=CACHE_BYTES)
        yield made
        made.close()


def outcome(call: Callable[[], object]) -> object:
    """What a call of the system returns, or the number of its error."""
    try:
        return call()
    except OSError as refused:
        return refused.errno


@pytest.fixture
def precious(tmp_path: Path) -> Path:
    path = tmp_path / "precious"
    path.write_bytes(MINE)
    return path


@pytest.mark.parametrize("size", [0, 5])
@pytest.mark.parametrize("is_absolute", [True, False])
def test_a_hash_that_is_a_path_leads_nowhere(tmp_path: Path, precious: Path, size: int, *, is_absolute: bool) -> None:
    path = str(precious) if is_absolute else "../../../precious"
    listed = [shown(1, "a.txt", sizeInBytes=size, hash=path)]

    def answering(asked: Asked) -> Reply:
        return Reply(200, b"x" * size) if "/download/" in asked.path else drive(metadata=listing(listed))(asked)

    with mounted(tmp_path, answering) as made:
        handle = made.open("/a.txt", os.O_RDONLY)
        assert outcome(lambda: made.read(handle, 10, 0)) in {b"x" * size, errno.EIO}
        made.release(handle)
    assert precious.read_bytes() == MINE
    assert {one for one in tmp_path.rglob("*") if one.is_file()} == {precious}


def test_what_was_written_goes_to_no_path_that_the_answer_names(tmp_path: Path, precious: Path) -> None:
    stored = {**shown(1, "a.txt", sizeInBytes=4, hash="../../../precious"), "status": "A"}

    def answering(asked: Asked) -> Reply:
        if asked.method in {"POST", "PUT"}:
            return Reply(201, stored)
        return drive(metadata=listing([]))(asked)

    with mounted(tmp_path, answering) as made:
        handle = made.create("/a.txt")
        made.write(handle, b"evil", 0)
        assert outcome(lambda: made.flush(handle)) in {None, errno.EIO}
        made.release(handle)
    assert precious.read_bytes() == MINE


@pytest.mark.parametrize(
    "about",
    [
        {"sizeInBytes": 5000, "hash": hashlib.md5(b"x" * 5000, usedforsecurity=False).hexdigest()},
        {"sizeInBytes": 3, "hash": hashlib.md5(b"abc", usedforsecurity=False).hexdigest()},
        {"sizeInBytes": 2**62, "hash": "0" * 32},
        {"sizeInBytes": -1, "hash": "0" * 32},
    ],
    ids=["longer than it is", "shorter", "endless", "negative"],
)
def test_a_size_that_lies_shows_no_other_bytes_and_fills_no_disk(tmp_path: Path, about: dict[str, Any]) -> None:
    listed = [shown(1, "a.bin", **about)]

    def answering(asked: Asked) -> Reply:
        if "/download/" in asked.path:
            return Reply(200, b"abcdef")
        return drive(metadata=listing(listed))(asked)

    with mounted(tmp_path, answering) as made:
        handle = made.open("/a.bin", os.O_RDONLY)
        assert outcome(lambda: made.read(handle, 100, 0)) in {b"", errno.EIO}
        made.release(handle)
        assert made.cache.stored_bytes <= CACHE_BYTES


def test_a_folder_in_itself_is_as_deep_as_a_program_goes(tmp_path: Path) -> None:
    def answering(asked: Asked) -> Reply:
        if asked.path.endswith("/nms/metadata") and asked.query["type"] != "f":
            again = shown(1, "again", "FR", parentObjectKey=asked.query["folderKey"])
            return Reply(200, {"objects": [again] if asked.query.get("page", "0") == "0" else []})
        return drive(metadata=listing([]))(asked)

    with mounted(tmp_path, answering) as made:
        assert names(made, "/again" * 300) == ["again"]


def test_every_name_is_one_name_and_all_are_different(tmp_path: Path) -> None:
    wanted = ["../precious", "/etc/passwd", "..", ".", "a", "a", "a/b", "a_b", "n\0l", "\x1b[31m", "x" * 4000]
    listed = [shown(number, name, sizeInBytes=number) for number, name in enumerate(wanted, 1)]
    with mounted(tmp_path, drive(metadata=listing(listed))) as made:
        shown_names = names(made)
        sizes = [made.getattr(f"/{name}")["st_size"] for name in shown_names]
    assert len(shown_names) == len(set(shown_names)) == len(wanted)
    assert not [name for name in shown_names if "/" in name or "\0" in name or name in {"", ".", ".."}]
    assert sorted(sizes) == list(range(1, len(wanted) + 1))


@pytest.mark.parametrize("body", [{"code": "X1", "message": "bad"}, {"error": "x"}, {}, {"objects": None}], ids=str)
def test_a_folder_of_which_the_server_says_nothing_is_an_error_and_not_empty(tmp_path: Path, body: object) -> None:
    with mounted(tmp_path, drive(metadata=lambda _: Reply(200, body))) as made:
        assert outcome(lambda: names(made, "/")) == errno.EIO
        assert outcome(lambda: made.getattr("/a.txt")) == errno.EIO

"""Folders with many names: each is listed once for all who look into it, and little of what was listed is kept."""

import os
import signal
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest
from tests.client.foreign import Asked, Reply
from tests.client.serving import Person
from tests.client.test_foreign_servers import drive, listing, shown
from tests.desktop.mount.test_fuse import can_open_fuse, environment
from tests.desktop.mount.test_hostile_server import mounted
from tests.desktop.mount.test_operations import names
from tests.end_to_end.filling import Filler
from tests.real_parts.commands import SKYSHELF

from skyshelf.client.objects.remote_object import RemoteObject
from skyshelf.client.sync_client import Client
from skyshelf.desktop.mount import tree
from skyshelf.desktop.mount.operations import DriveOperations

MIB = 1024 * 1024
MANY = 50_000
MEMORY = 400 * MIB


def test_calls_at_the_same_time_share_one_listing(tmp_path: Path) -> None:
    lists = drive(metadata=listing([shown(1, "a.txt", sizeInBytes=3)]))
    asked_for: list[str] = []

    def answering(asked: Asked) -> Reply:
        asked_for.append(asked.path)
        time.sleep(0.05)
        return lists(asked)

    with mounted(tmp_path, answering) as made:
        asked_for.clear()
        names(made)
        of_one = len(asked_for)
        made.tree.forget(made.tree._root.key)
        asked_for.clear()
        together = Barrier(8)

        def look(_: int) -> int:
            together.wait()
            return made.getattr("/a.txt")["st_size"]

        with ThreadPoolExecutor(8) as pool:
            assert list(pool.map(look, range(8))) == [3] * 8
        assert len(asked_for) == of_one


def test_a_folder_that_changes_while_it_is_listed_is_listed_again(client: Client, tmp_path: Path) -> None:
    made = DriveOperations(client, client.root_key(), tmp_path, cache_bytes=MIB)
    real = client.list_folder

    def changing(key: str) -> list[RemoteObject]:
        found = list(real(key))
        client.create_folder("new")
        made.tree.forget(key)
        return found

    try:
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(client, "list_folder", changing)
            assert names(made) == []
        assert names(made) == ["new"]
    finally:
        made.close()


def test_old_listings_are_forgotten(client: Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tree, "NODES_KEPT", 20)
    for folder in range(12):
        for file in range(3):
            client.create_folder(f"{file}", parent=client.create_folder(f"{folder}", exist_ok=True).key)
    made = DriveOperations(client, client.root_key(), tmp_path, cache_bytes=MIB)
    try:
        for folder in range(12):
            assert names(made, f"/{folder}") == ["0", "1", "2"]
            assert sum(len(one.nodes) for one in made.tree._listings.values()) <= 20
    finally:
        made.close()


@pytest.mark.whole
@pytest.mark.program("fusermount3")
@pytest.mark.skipif(not can_open_fuse(), reason="this machine lets nobody mount: there is no /dev/fuse for this user")
def test_a_mounted_folder_of_50000_names_is_listed_and_holds_no_other(person: Person, tmp_path: Path) -> None:
    filler = Filler(person.server.ctx, person.account)
    filler.files(MANY, filler.folder("many"))
    filler.files(3, filler.folder("few"))
    folder = tmp_path / "drive"
    folder.mkdir()
    process = subprocess.Popen(
        [SKYSHELF, "mount", str(folder)], env=environment(person, tmp_path), stderr=subprocess.PIPE, text=True
    )
    try:
        deadline = time.monotonic() + 60
        while not folder.is_mount():
            assert process.poll() is None
            assert time.monotonic() < deadline
            time.sleep(0.05)
        with ThreadPoolExecutor(5) as pool:
            many = [pool.submit(sizes, folder / "many") for _ in range(2)]
            few = 0
            while not all(one.done() for one in many):
                assert len(sizes(folder / "few")) == 3
                few += 1
            assert [len(one.result()) for one in many] == [MANY] * 2
        # The others were answered in between, not after.
        assert few > 2
        assert peak(process.pid) < MEMORY
    finally:
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=60)
    assert process.returncode == 0, said


def sizes(folder: Path) -> dict[str, int]:
    """What `ls -l` asks for."""
    with os.scandir(folder) as found:
        return {one.name: one.stat().st_size for one in found}


def peak(process: int) -> int:
    """The largest resident memory so far, in bytes."""
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM"))

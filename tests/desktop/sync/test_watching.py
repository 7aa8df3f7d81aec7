"""A sync that goes on: changes on either side wake it up."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from tests.desktop.sync.both_sides import TOP, in_local_trash, put

from skyshelf.client.errors import NetworkError, SkyshelfError
from skyshelf.client.sync_client import Client
from skyshelf.desktop.sync.rounds import TwoWaySync
from skyshelf.desktop.sync.watch import Watch, keep_in_sync


class Stopped(BaseException):
    """Ctrl-C."""


@contextmanager
def watching(client: Client, here: Path) -> Iterator[Callable[[], int]]:
    """A watch in a thread, and how many times it has synced so far."""
    runs: list[object] = []
    ends = threading.Event()
    syncing = TwoWaySync(client, here, TOP)
    watch = Watch(client, here, note=lambda _: None)

    def run() -> None:
        if ends.is_set():
            raise Stopped
        runs.append(syncing.run())

    def forever() -> None:
        with pytest.raises(Stopped):
            keep_in_sync(run, watch, problem=lambda _: None)

    thread = threading.Thread(target=forever)
    thread.start()
    try:
        yield lambda: len(runs)
    finally:
        ends.set()
        watch._changed.set()
        thread.join()
        watch.close()
        syncing.close()


def until(condition: Callable[[], object]) -> None:
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline, "it never happened"
        time.sleep(0.02)


@pytest.mark.whole
def test_changes_on_both_sides_arrive_without_a_command(client: Client, here: Path, tmp_path: Path) -> None:
    with watching(client, here) as runs:
        until(lambda: runs() >= 1)
        (here / "mine.txt").write_text("mine")
        until(lambda: any(found.name == "mine.txt" for found in client.list_folder(TOP)))
        put(client, tmp_path, "theirs.txt", b"theirs")
        until((here / "theirs.txt").exists)


def test_what_a_watch_of_weeks_trashes_is_kept_from_then_on(
    client: Client, synced: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Client, "server_time", None)
    (synced / "c.txt").write_text("three")
    started = datetime.now().astimezone()
    days = [0]

    def after(first: int) -> TwoWaySync:
        days[0] = first
        return TwoWaySync(client, synced, TOP, now=lambda: started + timedelta(days=days[0]))

    watch = after(0)
    client.move_to_trash([f"{TOP}/a.txt"])
    watch.run()
    days[0] = 29
    client.move_to_trash([f"{TOP}/deep/b.txt"])
    watch.run()
    assert in_local_trash(synced) == {"a.txt": b"one", "deep/b.txt": b"two"}
    days[0] = 32
    watch.run()
    watch.close()
    assert in_local_trash(synced) == {"deep/b.txt": b"two"}
    again = after(32)
    again.run()
    again.close()
    assert in_local_trash(synced) == {"deep/b.txt": b"two"}


def test_a_lost_connection_is_waited_for_and_other_errors_end_it() -> None:
    class Quiet(Watch):
        def __init__(self) -> None:
            self.waited: list[float] = []

        def wait(self, seconds: float = 0) -> bool:
            self.waited.append(seconds)
            return True

    failures: list[SkyshelfError] = [NetworkError("gone"), NetworkError("still gone"), SkyshelfError("no way")]
    problems: list[SkyshelfError] = []

    def run() -> None:
        raise failures[len(problems)]

    watch = Quiet()
    with pytest.raises(SkyshelfError, match="no way"):
        keep_in_sync(run, watch, problem=problems.append)
    assert [str(one) for one in problems] == ["gone", "still gone"]
    assert watch.waited[1] > watch.waited[0]

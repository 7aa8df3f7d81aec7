"""One machine at a time serves an embedded store, and nobody has to clean up after one that crashed."""

import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from tests.real_parts.commands import SKYSHELF
from tests.real_parts.migrated_sqlite import put_migrated
from tests.real_parts.programs import root_alone
from tests.real_parts.small_disks import MIB, small_disk

from skyshelf.storage import host_lease
from skyshelf.storage.access import Access
from skyshelf.storage.errors import StoreInUse
from skyshelf.storage.host_lease import HostLease, lease_file, refuse_other_machine, this_machine
from skyshelf.storage.open import METADATA_FILE, embedded_urls, open_metadata
from skyshelf.storage.upgrade import upgrade_metadata

PATIENCE = 60


@pytest.fixture
def metadata(tmp_path: Path) -> Path:
    put_migrated(tmp_path / "data")
    return tmp_path / "data" / METADATA_FILE


@contextmanager
def serving_elsewhere(metadata: Path) -> Iterator[None]:
    """A server of another machine, as far as this one can see it: its note changes."""
    lease, has_stopped = HostLease(metadata, "another machine"), threading.Event()
    lease.take()

    def serve() -> None:
        while not has_stopped.wait(0.1):
            lease._next = 0
            lease.renew()

    serving = threading.Thread(target=serve)
    serving.start()
    try:
        yield
    finally:
        has_stopped.set()
        serving.join()


def test_a_store_that_another_machine_serves_is_neither_written_to_nor_upgraded_but_can_be_looked_at(
    metadata: Path,
) -> None:
    url, before = embedded_urls(metadata.parent)[0], metadata.read_bytes()
    with serving_elsewhere(metadata):
        for open_it in (
            lambda: open_metadata(url, Access.WRITE),
            lambda: open_metadata(url, Access.SERVE),
            lambda: upgrade_metadata(url),
        ):
            with pytest.raises(StoreInUse, match=r"is in use by a server on .*, another machine.*stop that server"):
                open_it()
        with closing(open_metadata(url, Access.LOOK)) as store:
            store.check()
    assert metadata.read_bytes() == before


def test_processes_of_one_machine_share_a_store(metadata: Path) -> None:
    first, second = HostLease(metadata), HostLease(metadata)
    for lease in (first, second):
        lease.refuse_others()
        lease.take()
    first.renew()
    first.release()
    assert not lease_file(metadata).exists()


def test_the_note_of_a_machine_that_crashed_counts_no_longer_after_a_while(
    metadata: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    HostLease(metadata, "crashed").take()
    monkeypatch.setattr(host_lease, "WATCH_SECONDS", 1.0)
    refuse_other_machine(metadata)
    lease = HostLease(metadata)
    lease.refuse_others()
    lease.take()
    assert this_machine() in lease_file(metadata).read_text()


def test_a_machine_that_was_halted_for_long_finds_the_next_one_and_leaves_its_note_alone(metadata: Path) -> None:
    halted = HostLease(metadata, "halted")
    halted.take()
    HostLease(metadata, "next").take()
    halted._next = 0
    with pytest.raises(StoreInUse):
        halted.renew()
    halted.release()
    assert "next" in lease_file(metadata).read_text()


def test_a_note_that_no_server_has_written_is_none(metadata: Path) -> None:
    for content in (b"", b"\xff", b"[]", b"{"):
        lease_file(metadata).write_bytes(content)
        refuse_other_machine(metadata)


def test_the_lease_is_renewed_on_a_full_disk(tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk", 8 * MIB) as disk:
        put_migrated(disk.place / "data")
        metadata = disk.place / "data" / METADATA_FILE
        lease = HostLease(metadata)
        lease.take()
        disk.fill()
        before = lease_file(metadata).read_bytes()
        lease._next = 0
        lease.renew()
        assert lease_file(metadata).read_bytes() != before


# Whole servers, one of them in a namespace where the kernel has another id


def start(data: Path, log: Path, machine: Path | None = None) -> subprocess.Popen[bytes]:
    command = [SKYSHELF, "serve", "--data", str(data), "--port", "0"]
    if machine is not None:
        mount = f"mount --bind {machine} /proc/sys/kernel/random/boot_id && exec " + " ".join(command)
        command = ["unshare", "--mount", "sh", "-c", mount]
    with log.open("wb") as output:
        return subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT, start_new_session=True)


def eventually(holds: Callable[[], object]) -> None:
    ends = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < ends
        time.sleep(0.1)


@pytest.mark.whole
def test_a_second_machine_is_refused_takes_over_after_a_halt_and_the_first_one_then_ends(tmp_path: Path) -> None:
    root_alone()
    data, machine = tmp_path / "data", tmp_path / "boot_id"
    put_migrated(data)
    machine.write_text("another-kernel\n")
    logs = [tmp_path / f"{number}.log" for number in range(3)]
    first = start(data, logs[0])
    second = None
    try:
        eventually(lambda: "listening on" in logs[0].read_text())
        refused = start(data, logs[1], machine)
        assert refused.wait(PATIENCE) == 1
        assert "another machine, and two would destroy the database" in logs[1].read_text()
        os.killpg(first.pid, signal.SIGSTOP)
        second = start(data, logs[2], machine)
        eventually(lambda: "listening on" in logs[2].read_text())
        os.killpg(first.pid, signal.SIGCONT)
        assert first.wait(PATIENCE) == 1
        assert "another machine, and two would destroy the database" in logs[0].read_text()
        second.terminate()
        assert second.wait(PATIENCE) == 0
        assert not lease_file(data / METADATA_FILE).exists()
    finally:
        for server in (first, second):
            if server is not None and server.poll() is None:
                os.killpg(server.pid, signal.SIGKILL)
                server.wait()

"""The failing disk and its power cuts: what was synced stays, what was not may go, and faults come out as errors."""

import errno
import os
import shutil
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest
from tests.crash.control import ALL_KINDS, KINDS, FailingDisk
from tests.crash.power_cut import cut_power

CUTS = 40
_HEAD = """
import os
def put(file, data, at=0): os.pwrite(file, data, at)
def new(name): return os.open(name, os.O_CREAT | os.O_RDWR)
"""
OLD, NEW = b"o" * 4096, b"n" * 4096


class Machine:
    """Runs programs on a failing disk, and shows what may be left of its folder after a power cut."""

    def __init__(self, place: Path) -> None:
        self.disk = FailingDisk(place / "disk")
        self.folder = place / "data"
        self.folder.mkdir()
        self.disk.watch(self.folder)
        self._place = place

    def run(self, program: str) -> str:
        done = subprocess.run(
            [sys.executable, "-S", "-c", _HEAD + program],
            cwd=self.folder,
            env=os.environ | self.disk.environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    def after_cuts(self) -> list[dict[str, bytes]]:
        """The files after each of many cuts of the same moment."""
        before = Snapshot(self.folder, self.disk.logs)
        outcomes = []
        for seed in range(CUTS):
            cut_power(self.folder, self.disk.logs, Random(seed))
            outcomes.append({file.name: file.read_bytes() for file in self.folder.rglob("*") if file.is_file()})
            before.put_back()
        return outcomes


class Snapshot:
    """Bytes and names apart, since a cut changes both, and the inodes must stay the same for the next one."""

    def __init__(self, folder: Path, aside: Path) -> None:
        self._folder = folder
        self._names: dict[Path, Path] = {}
        self._bytes: dict[Path, bytes] = {}
        for file in (one for one in folder.rglob("*") if one.is_file()):
            link = self._names[file] = aside / f"snapshot-{file.stat().st_ino}"
            if not link.exists():
                link.hardlink_to(file)
            self._bytes[link] = file.read_bytes()

    def put_back(self) -> None:
        shutil.rmtree(self._folder)
        self._folder.mkdir()
        for name, link in self._names.items():
            link.write_bytes(self._bytes[link])
            name.parent.mkdir(exist_ok=True)
            name.hardlink_to(link)


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def test_what_was_synced_survives_every_power_cut(machine: Machine) -> None:
    machine.run(f"f = new('a'); put(f, {OLD!r}); os.fsync(f); d = os.open('.', 0); os.fsync(d)")
    assert all(left == {"a": OLD} for left in machine.after_cuts())


def test_bytes_without_a_sync_are_kept_lost_or_torn(machine: Machine) -> None:
    machine.run(f"f = new('a'); put(f, {OLD!r}); os.fsync(f); os.fsync(os.open('.', 0)); put(f, {NEW!r})")
    found = {left["a"] for left in machine.after_cuts()}
    assert {OLD, NEW} <= found
    assert any(b"o" in one and b"n" in one for one in found), "no cut tore the write"
    assert all(len(set(one[at : at + 512])) == 1 for one in found for at in range(0, 4096, 512)), "a sector was torn"


def test_a_longer_file_without_a_sync_may_be_short_or_empty_of_content(machine: Machine) -> None:
    machine.run(f"f = new('a'); os.fsync(os.open('.', 0)); put(f, {NEW!r})")
    found = {left["a"] for left in machine.after_cuts()}
    assert b"" in found
    assert NEW in found
    assert any(len(one) == len(NEW) and b"\0" in one for one in found)


@pytest.mark.parametrize(
    ("change", "before", "after"),
    [
        ("f = new('b'); os.fsync(f)", {"a"}, {"a", "b"}),
        ("os.rename('a', 'b')", {"a"}, {"b"}),
        ("os.link('a', 'b')", {"a"}, {"a", "b"}),
        ("os.unlink('a')", {"a"}, set()),
        ("os.mkdir('c'); f = new('c/b'); os.fsync(os.open('c', 0))", {"a"}, {"a", "b"}),
    ],
)
@pytest.mark.parametrize("sync", ["", "os.fsync(os.open('.', 0))"])
def test_names_need_a_sync_of_their_folder(
    machine: Machine, change: str, before: set[str], after: set[str], sync: str
) -> None:
    machine.run("f = new('a'); os.fsync(os.open('.', 0))")
    machine.run(f"{change}\n{sync}")
    found = [set(left) for left in machine.after_cuts()]
    assert after in found
    assert (before in found) == (not sync)


def test_one_sync_of_the_file_system_is_enough(machine: Machine) -> None:
    sync = "import ctypes; assert ctypes.CDLL(None).syncfs(os.open('.', 0)) == 0"
    machine.run(f"f = new('a'); put(f, {OLD!r}); {sync}")
    assert all(left == {"a": OLD} for left in machine.after_cuts())


def test_bytes_of_a_failed_sync_stay_in_danger_until_they_are_written_again(machine: Machine) -> None:
    """Behave like Linux: the error is reported once, and the next sync has nothing to do."""
    machine.run(f"f = new('a'); put(f, {OLD!r}); os.fsync(f); os.fsync(os.open('.', 0)); put(f, {NEW!r})")
    machine.disk.fail(1 << KINDS.index("sync EIO"), 1, 0)
    assert machine.run("try: os.fsync(new('a'))\nexcept OSError as e: print(e.errno)") == str(errno.EIO)
    machine.disk.heal()
    machine.run("os.fsync(new('a'))")
    assert OLD in {left["a"] for left in machine.after_cuts()}
    machine.run(f"f = new('a'); put(f, {NEW!r}); os.fsync(f)")
    assert {left["a"] for left in machine.after_cuts()} == {NEW}


FAULTS: dict[str, tuple[str, int]] = {
    "write EIO": ("put(f, b'x' * 99)", errno.EIO),
    "write ENOSPC": ("put(f, b'x' * 99)", errno.ENOSPC),
    "torn write": ("put(f, b'x' * 99)", errno.EIO),
    "sync EIO": ("os.fdatasync(f)", errno.EIO),
    "name EIO": ("os.rename('a', 'b')", errno.EIO),
    "name ENOSPC": ("new('b')", errno.ENOSPC),
    "read EIO": ("os.pread(f, 1, 0)", errno.EIO),
    "truncate EIO": ("os.ftruncate(f, 0)", errno.EIO),
}


@pytest.mark.parametrize("kind", FAULTS)
def test_a_fault_is_an_error_of_the_system(machine: Machine, kind: str) -> None:
    call, number = FAULTS[kind]
    machine.run("put(new('a'), b'0123456789')")
    machine.disk.fail(1 << KINDS.index(kind), 1, 0)
    assert machine.run(f"f = new('a')\ntry: {call}\nexcept OSError as e: print(e.errno)") == str(number)
    assert machine.disk.struck() == {kind: 1}


def test_a_short_write_reports_its_length(machine: Machine) -> None:
    machine.run("new('a')")
    machine.disk.fail(1 << KINDS.index("short write"), 1, 0)
    length = int(machine.run("print(os.pwrite(new('a'), b'x' * 99, 0))"))
    assert 0 < length < 99
    assert (machine.folder / "a").read_bytes() == b"x" * length


def test_nothing_fails_outside_the_folder(machine: Machine, tmp_path: Path) -> None:
    machine.disk.fail(ALL_KINDS, 1, 0)
    machine.run(
        f"f = new({str(tmp_path / 'elsewhere')!r}); put(f, b'x'); os.fsync(f); assert os.pread(f, 1, 0) == b'x'"
    )
    assert not machine.disk.struck()


def test_everything_dies_at_the_chosen_call(machine: Machine) -> None:
    machine.run("f = new('a'); put(f, b'1'); put(f, b'2', 1); os.fsync(f)")
    assert machine.disk.calls == 4
    (machine.folder / "a").unlink()
    machine.disk.die_after(3)
    # A group of its own: the test is not in it.
    program = f"{_HEAD}\nos.setpgid(0, 0); f = new('a'); put(f, b'1'); put(f, b'2', 1)"
    died = subprocess.run(
        [sys.executable, "-S", "-c", program],
        cwd=machine.folder,
        env=os.environ | machine.disk.environment,
        check=False,
    )
    assert died.returncode == -9
    assert (machine.folder / "a").read_bytes() == b"1"

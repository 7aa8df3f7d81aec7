"""The disk reserve: below it nothing is added, and above it everything works again."""

import logging
from contextlib import suppress
from pathlib import Path

import pytest

from skyshelf.service.process.reservations import FULL_SECONDS, RELIEF_SECONDS, DiskReserve
from skyshelf.storage.errors import StoreFull
from skyshelf.storage.space import Ballast, Space, space_at
from skyshelf.wire.limits import GIB, MIB


class Disk:
    """A disk whose free space a test sets."""

    def __init__(self, free: int, total: int = 100 * MIB) -> None:
        self.free, self.total, self.now = free, total, 0.0

    def look(self) -> Space:
        return Space(self.free, self.total)

    def clock(self) -> float:
        self.now += 1
        return self.now


def test_the_reserve_is_a_fiftieth_of_a_small_disk_and_a_gibibyte_of_a_large_one() -> None:
    reserve = DiskReserve()
    assert reserve.reserve_of(Space(0, 100 * MIB)) == 2 * MIB
    assert reserve.reserve_of(Space(0, 4000 * GIB)) == GIB
    assert DiskReserve(reserve=7).reserve_of(Space(0, 4000 * GIB)) == 7


def test_additions_stop_at_the_reserve_and_go_on_above_it(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING)
    disk = Disk(free=50)
    reserve = DiskReserve({"blobs": disk.look}, reserve=40, clock=disk.clock)
    reserve.check(10)
    with pytest.raises(StoreFull) as full:
        reserve.check(11)
    assert full.value.is_reserve
    assert caplog.messages == []
    disk.free = 39
    for _ in range(3):
        with pytest.raises(StoreFull):
            reserve.check()
    disk.free = 41
    reserve.observe()
    reserve.check()
    assert [message.partition(":")[0] for message in caplog.messages] == [
        "the disk is at its reserve",
        "there is space on the disk again",
    ]


def test_space_is_made_for_what_was_refused_but_never_more_than_another_reserve() -> None:
    disk = Disk(free=75)
    reserve = DiskReserve({"blobs": disk.look}, reserve=40, clock=disk.clock)
    assert not reserve.is_short()
    for more, is_short in ((35, False), (36, True), (10_000, True)):
        with suppress(StoreFull):
            reserve.check(more)
        assert reserve.is_short() is is_short
    disk.free = 80
    assert not reserve.is_short()
    disk.free = 75
    assert reserve.is_short()
    disk.now += RELIEF_SECONDS
    assert not reserve.is_short()
    disk.free = 39
    assert reserve.is_short()


def test_the_smallest_of_several_disks_decides() -> None:
    large, small = Disk(free=1000), Disk(free=10)
    assert not DiskReserve({"metadata": small.look, "blobs": large.look}, reserve=40).has_space()


def test_a_store_that_reports_no_space_is_left_alone_for_a_moment_after_it_was_full() -> None:
    now = [0.0]
    reserve = DiskReserve({"metadata": lambda: None, "blobs": lambda: None}, clock=lambda: now[0])
    reserve.check(2**60)
    reserve.note_full()
    now[0] += FULL_SECONDS - 1
    with pytest.raises(StoreFull):
        reserve.check()
    now[0] += 1
    reserve.check()


def test_the_ballast_is_allocated_while_there_is_space_and_released_when_there_is_none(tmp_path: Path) -> None:
    disk = Disk(free=10 * MIB)
    ballast = Ballast(tmp_path / "ballast", MIB)
    reserve = DiskReserve({"metadata": disk.look}, reserve=MIB, ballasts=[ballast], clock=disk.clock)
    reserve.observe()
    assert (tmp_path / "ballast").stat().st_blocks * 512 >= MIB
    disk.free = 0
    assert ballast.release()
    assert not ballast.release()
    reserve.observe()
    assert list(tmp_path.iterdir()) == []
    disk.free = 10 * MIB
    reserve.observe()
    assert ballast.is_there()


def test_a_folder_that_is_gone_has_no_space_to_report(tmp_path: Path) -> None:
    assert space_at(tmp_path / "gone") is None
    found = space_at(tmp_path)
    assert found is not None
    assert 0 <= found.free <= found.total

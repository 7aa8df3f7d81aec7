"""The table that the alarm is measured by: what is caught, and how soon, and what is no reason for an alarm.

`./dev bench alarm` prints the same rows in full size.
"""

import pytest
from tests.server.api import HeldClock, new_account
from tests.service.encrypting import DISGUISES, KINDS, Drive, Row, content, play, rows

from skyshelf.service.context import ServiceContext
from skyshelf.storage.blobs.hashing import ContentHash
from skyshelf.storage.samples import Sample, looks_scrambled

ROWS = rows(scale=4)


def drive_for(ctx: ServiceContext, clock: HeldClock, row: Row) -> Drive:
    account = new_account(ctx, "ada@example.org")
    ctx.metadata.write(lambda unit: unit.alarms.set_limit(account.account_id, row.limit))
    return Drive(ctx, clock, account)


@pytest.mark.whole
@pytest.mark.parametrize("row", [row for row in ROWS if row.is_attack], ids=lambda row: row.name)
def test_an_attack_is_caught_in_time(ctx: ServiceContext, clock: HeldClock, row: Row) -> None:
    outcome = play(row, drive_for(ctx, clock, row))
    assert outcome.is_caught, outcome
    if row.files_max is None:
        assert outcome.hours < 24, outcome
    else:
        assert outcome.files <= row.files_max, outcome


@pytest.mark.parametrize("row", [row for row in ROWS if not row.is_attack], ids=lambda row: row.name)
def test_what_people_do_raises_no_alarm(ctx: ServiceContext, clock: HeldClock, row: Row) -> None:
    outcome = play(row, drive_for(ctx, clock, row))
    assert not outcome.is_caught, outcome
    assert outcome.files == row.files


def sample_of(data: bytes, block: int = 1 << 20) -> Sample:
    hashed = ContentHash()
    for start in range(0, len(data), block):
        hashed.update(data[start : start + block])
    return hashed.sample


@pytest.mark.parametrize("kind", KINDS)
def test_a_type_is_told_from_its_encryption_however_it_arrives(kind: str) -> None:
    caught = dict.fromkeys(DISGUISES, 0)
    for number in range(10):
        data = content(kind, number)
        for block in (100, 1 << 20):
            assert not looks_scrambled(f"a.{kind}", sample_of(data, block))
        for name, disguise in DISGUISES.items():
            caught[name] += looks_scrambled(f"a.{kind}", sample_of(disguise(data), 1000))
    assert all(found >= 9 for name, found in caught.items() if name != "every second 4 KiB"), caught
    assert caught["every second 4 KiB"] >= 1, caught


def test_a_sample_is_small_whatever_the_size() -> None:
    sample = sample_of(bytes(range(256)) * 100_000)
    assert (len(sample.head), len(sample.middle), len(sample.tail)) == (1024, 8, 512)
    assert sum(map(len, sample.middle)) == 2048

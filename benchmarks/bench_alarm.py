"""`./dev bench alarm`: what the alarm catches, and after how many files; what it lets pass; and what it costs."""

import argparse
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from tests.server.api import HeldClock, new_account
from tests.service.encrypting import KINDS, Drive, Outcome, Row, content, play, rows

from benchmarks.tables import print_table
from skyshelf.service.context import ServiceContext
from skyshelf.storage.open import embedded_urls, open_blobs, open_metadata
from skyshelf.storage.samples import UNSEEN, Sample, looks_sealed
from skyshelf.wire.limits import ALARM_LIMIT_DEFAULT

QUICK = 4
ROUNDS = 2000
BLOCK = 1 << 16


def main() -> None:
    parser = argparse.ArgumentParser(prog="./dev bench alarm", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a quarter of what is many, and of the limit with it")
    scale = QUICK if parser.parse_args().quick else 1
    played = [(row, _played(row)) for row in rows(scale)]
    caught = [
        [row.name, f"{row.batch:,}", f"{one.files:,}" if one.is_caught else "never", _time(one)]
        for row, one in played
        if row.is_attack
    ]
    print_table(
        f"attacks, at the limit of {ALARM_LIMIT_DEFAULT:,} points",
        ["", "in a call", "files until the alarm", "hours"],
        caught,
        name="attacks",
    )
    others = [
        [row.name, f"{one.files:,}", f"{one.points:,.0f}", f"{row.limit:,}" if not one.is_caught else "exceeded"]
        for row, one in played
        if not row.is_attack
    ]
    print_table("what is no attack", ["", "files", "points reached", "limit"], others, name="no attacks")
    print_table("what the rule costs an upload, processor time", ["", "sample, µs", "look, µs"], _costs(), name="costs")


def _played(row: Row) -> Outcome:
    with tempfile.TemporaryDirectory(prefix="skyshelf-bench-") as folder:
        metadata, blobs = embedded_urls(Path(folder))
        clock = HeldClock()
        ctx = ServiceContext(metadata=open_metadata(metadata), blobs=open_blobs(blobs), clock=clock)
        try:
            account = new_account(ctx, "ada@example.org")
            ctx.metadata.write(lambda unit: unit.alarms.set_limit(account.account_id, row.limit))
            return play(row, Drive(ctx, clock, account))
        finally:
            ctx.media.close()
            ctx.metadata.close()
            ctx.blobs.close()


def _time(outcome: Outcome) -> str:
    return f"{outcome.hours:.1f}" if outcome.hours >= 0.1 else "< 0.1"


def _costs() -> list[list[str]]:
    table = []
    for kind in KINDS:
        data = content(kind, 1)
        sample = _sample(data)
        name = f"report.{kind}"
        table.append([f".{kind}, {len(data) >> 10} KiB", _cost(_sample, data), _cost(looks_sealed, name, sample)])
    return [*table, [".bin, 1 MiB", _cost(_sample, bytes(1 << 20)), _cost(looks_sealed, "a.bin", UNSEEN)]]


def _sample(data: bytes) -> Sample:
    sample = UNSEEN
    for start in range(0, len(data), BLOCK):
        sample = sample.with_block(start, memoryview(data)[start : start + BLOCK])
    return sample


def _cost(work: Callable[..., object], *arguments: object) -> str:
    began = time.process_time()
    for _ in range(ROUNDS):
        work(*arguments)
    return f"{(time.process_time() - began) / ROUNDS * 1e6:.1f}"


if __name__ == "__main__":
    main()

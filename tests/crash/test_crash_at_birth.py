"""A store whose making was cut short, at any moment and several times over, is made whole by the next start."""

from pathlib import Path
from random import Random

import apsw
import pytest
from tests.crash.checking import check, opened
from tests.crash.clock import now_ms
from tests.crash.folder import metadata_in
from tests.crash.journal import Journal
from tests.crash.lines import Death, Opened, Orders
from tests.crash.preparing import add_shelves
from tests.crash.writer_process import WriterProcess, was_opening

from skyshelf.storage.metadata.migrate import newest
from skyshelf.storage.metadata.sqlite import applied_or_zero

_PAGES_OF_A_BIRTH = 300
_SECONDS_OF_A_BIRTH = 0.03


def test_a_store_whose_birth_was_cut_short_opens_whole(
    tmp_path: Path, crash_rounds: int, crash_seed: int, request: pytest.FixtureRequest
) -> None:
    rng = Random(crash_seed)
    births = max(1, crash_rounds // 5)
    cut_short = 0
    spare = WriterProcess()
    for birth in range(births):
        folder = tmp_path / f"data {birth}"
        for _ in range(rng.randint(1, 2)):
            writer, spare = spare, WriterProcess()
            by_page = Death("page", rng.randint(1, _PAGES_OF_A_BIRTH)) if rng.random() < 0.5 else None
            writer.order(Orders(str(folder), [], 0, death=by_page))
            writer.wait_until_opening()
            if by_page:
                writer.wait_until_opened()
            else:
                writer.wait_for_its_end(rng.uniform(0, _SECONDS_OF_A_BIRTH))
            lines = writer.kill()
            cut_short += was_opening(lines)
            if Opened() in lines:
                assert _schema_of(folder) == newest(), f"birth {birth} with --crash-seed {crash_seed}"
        with opened(folder) as (metadata, blobs):
            journal = Journal(metadata.write(lambda unit: add_shelves(unit, rng, now_ms())))
            findings = check(metadata, blobs, journal, now_ms())
            assert not findings.wrong, f"birth {birth} with --crash-seed {crash_seed}: {findings.wrong}"
            assert not findings.unreferred
    spare.kill()
    request.node.user_properties.append(
        ("summary", f"crash: {births} stores were born with {cut_short} kills in the middle of it, seed {crash_seed}")
    )
    assert cut_short >= births // 3


def _schema_of(folder: Path) -> int:
    """As a reader finds it who repairs nothing."""
    connection = apsw.Connection(str(metadata_in(folder)), flags=apsw.SQLITE_OPEN_READWRITE)
    try:
        return applied_or_zero(connection)
    finally:
        connection.close()

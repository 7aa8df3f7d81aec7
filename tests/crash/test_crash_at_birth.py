"""A store whose making was cut short, at any moment and several times over, is made whole by the next start."""

from pathlib import Path
from random import Random

import apsw
import pytest
from tests.crash.checking import check, opened
from tests.crash.clock import now_ms
from tests.crash.folder import metadata_in
from tests.crash.journal import Journal
from tests.crash.lines import Death, Line, Opened, Orders
from tests.crash.preparing import add_shelves
from tests.crash.writer_process import WriterProcess, was_opening

from skyshelf.storage.metadata.sql.migrate import newest
from skyshelf.storage.metadata.sqlite.store import applied_or_zero

_SECONDS_OF_A_BIRTH = 0.03
_POINTS_OF_A_BIRTH = {"page": 300, "file": 4, "commit": 1}
"""How many of each there are, about: the tables and their indexes, two folders, one migration of everything."""


def test_a_store_whose_birth_was_cut_short_opens_whole(
    tmp_path: Path, crash_rounds: int, crash_seed: int, request: pytest.FixtureRequest
) -> None:
    rng = Random(crash_seed)
    births = max(1, crash_rounds // 5)
    cut_short = 0
    for birth in range(births):
        folder = tmp_path / f"data {birth}"
        which = f"birth {birth} with --crash-seed {crash_seed}"
        for _ in range(rng.randint(1, 2)):
            lines = _kill_a_writer_at_birth(folder, rng)
            cut_short += was_opening(lines)
            if Opened() in lines:
                assert _schema_of(folder) == newest(), which
        with opened(folder) as (metadata, blobs):
            journal = Journal(metadata.write(lambda unit: add_shelves(unit, rng, now_ms())))
            findings = check(metadata, blobs, journal, now_ms())
            assert not findings.wrong, f"{which}: {findings.wrong}"
            assert not findings.unreferred, which
    request.node.user_properties.append(
        ("summary", f"crash: {births} stores were born with {cut_short} kills in the middle of it, seed {crash_seed}")
    )
    assert cut_short >= births // 3


@pytest.mark.parametrize("nth", range(1, 12))
def test_a_store_that_died_at_one_of_its_first_writes_opens_again_and_again(tmp_path: Path, nth: int) -> None:
    """These make the file and mark it as ours: one that lost its mark would be refused as somebody else's."""
    assert was_opening(_kill_at_birth(tmp_path, Death("page", nth), 0))
    for _ in range(3):
        with opened(tmp_path) as (metadata, _):
            metadata.check()


def _kill_a_writer_at_birth(folder: Path, rng: Random) -> list[Line]:
    """From outside at a random moment, or at a chosen point; one that was never reached is no death at all."""
    point = rng.choice((None, None, *_POINTS_OF_A_BIRTH))
    death = Death(point, rng.randint(1, _POINTS_OF_A_BIRTH[point])) if point else None
    return _kill_at_birth(folder, death, rng.uniform(0, _SECONDS_OF_A_BIRTH))


def _kill_at_birth(folder: Path, death: Death | None, seconds: float) -> list[Line]:
    writer = WriterProcess()
    try:
        writer.order(Orders(str(folder), [], 0, death=death))
        writer.wait_until_opening()
        if death is None:
            writer.wait_for_its_end(seconds)
        else:
            writer.wait_until_opened()
    finally:
        lines = writer.kill()
    return lines


def _schema_of(folder: Path) -> int:
    """As a reader finds it who repairs nothing."""
    connection = apsw.Connection(str(metadata_in(folder)), flags=apsw.SQLITE_OPEN_READWRITE)
    try:
        return applied_or_zero(connection)
    finally:
        connection.close()

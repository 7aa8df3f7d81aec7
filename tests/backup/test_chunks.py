"""The database file in chunks: only what changed is written, and what was written is what is read."""

from pathlib import Path
from random import Random

import pytest

from skyshelf.backup import open_place
from skyshelf.backup.chunks import CHUNK, RowsWriter, read_rows
from skyshelf.backup.cut import Database
from skyshelf.backup.places import Place
from skyshelf.backup.sealing import Names, Plain

NAMES = Names(None)


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return open_place(str(tmp_path / "backup"), create=True)


class _File:
    """A file as a moment."""

    def __init__(self, path: Path) -> None:
        self._data = path.read_bytes()
        self.size = len(self._data)

    def read(self, at: int, length: int) -> bytes:
        return self._data[at : at + length]


def _write(place: Place, path: Path, before: Database | None = None) -> tuple[Database, int]:
    usable = {pack.name for pack in before.packs} if before else set[str]()
    writer = RowsWriter(place, Plain(), NAMES, before, usable)
    with place.batch() as batch:
        database = writer.write(_File(path), batch)
        batch.seal()
    return database, writer.written


def _check(place: Place, database: Database, path: Path) -> None:
    again = path.with_suffix(".again")
    read_rows(place, Plain(), NAMES, database, again)
    assert again.read_bytes() == path.read_bytes()


@pytest.mark.parametrize("size", [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 300 * CHUNK + 5])
def test_what_was_written_is_what_is_read(place: Place, tmp_path: Path, size: int) -> None:
    path = tmp_path / "rows.db"
    path.write_bytes(Random(1).randbytes(size))
    database, _ = _write(place, path)
    _check(place, database, path)


def test_a_few_changes_cost_a_few_chunks(place: Place, tmp_path: Path) -> None:
    path, random = tmp_path / "rows.db", Random(2)
    data = bytearray(random.randbytes(200 * CHUNK))
    path.write_bytes(data)
    first, whole = _write(place, path)
    for at in (3, 77, 199):
        data[at * CHUNK + 9] ^= 1
    path.write_bytes(data + b"and an end")
    second, written = _write(place, path, first)
    assert whole > 200 * CHUNK
    assert written < 6 * CHUNK
    _check(place, second, path)


def test_a_pack_of_which_little_is_used_is_not_kept_alive(place: Place, tmp_path: Path) -> None:
    path, random = tmp_path / "rows.db", Random(3)
    data = bytearray(random.randbytes(100 * CHUNK))
    path.write_bytes(data)
    database, _ = _write(place, path)
    old = {pack.name for pack in database.packs}
    for round_ in range(6):
        for at in range(round_ * 10, round_ * 10 + 10):
            data[at * CHUNK] ^= 1
        path.write_bytes(data)
        database, _ = _write(place, path, database)
        _check(place, database, path)
    assert not old & {pack.name for pack in database.packs}
    assert sum(pack.size for pack in database.packs) < 2.1 * len(data)

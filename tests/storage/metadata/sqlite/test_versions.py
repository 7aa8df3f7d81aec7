"""The version of the store: another one after every commit, by whatever process, and the same otherwise."""

from pathlib import Path

import pytest

from skyshelf.storage.errors import StoreUnavailable
from skyshelf.storage.metadata.sqlite.store import SqliteStore


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "metadata.db"


def _write(store: SqliteStore, value: bytes) -> None:
    store.write(lambda unit: unit.settings.set_once(value.decode(), value))


def test_it_differs_after_a_commit_of_this_store_or_another_one(path: Path) -> None:
    ours, theirs = SqliteStore(path), SqliteStore(path)
    before = ours.version()
    assert before is not None
    assert ours.version() == before
    with ours.read() as unit, theirs.snapshot() as other:
        unit.settings.get("a")
        other.settings.get("a")
    assert ours.version() == before
    _write(ours, b"a")
    after = ours.version()
    assert after != before
    _write(theirs, b"b")
    assert ours.version() not in {before, after}
    ours.close()
    theirs.close()


def test_a_closed_store_has_none(path: Path) -> None:
    store = SqliteStore(path)
    store.version()
    store.close()
    with pytest.raises(StoreUnavailable):
        store.version()

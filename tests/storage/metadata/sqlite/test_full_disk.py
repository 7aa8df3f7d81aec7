"""An upgrade on a full disk is made with the space of the ballast, or nothing has happened and an error says why."""

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from tests.conformance.metadata.making import make_account, make_folder
from tests.real_parts.small_disks import MIB, SmallDisk, small_disk
from tests.storage.schemas.later import REAL

from skyshelf.storage.errors import StoreFull
from skyshelf.storage.metadata.sql.migrate import migrations, newest
from skyshelf.storage.metadata.sqlite.store import SqliteStore
from skyshelf.storage.space import Ballast
from skyshelf.storage.upgrade import schema_at, upgrade_metadata

pytestmark = [pytest.mark.whole, pytest.mark.usefixtures("later_migrations")]
FOLDERS = 2000


def start(path: Path) -> None:
    """What `skyshelf serve` does first."""
    SqliteStore(path).close()


def upgrade(path: Path) -> None:
    """What `skyshelf admin upgrade` does."""
    assert upgrade_metadata(path.as_uri()) == [str(one) for one in migrations()[REAL:]]


UPGRADES = pytest.mark.parametrize("upgrades", [start, upgrade])


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[SmallDisk]:
    with small_disk(tmp_path / "disk", 64 * MIB) as disk:
        yield disk


@pytest.fixture
def path(disk: SmallDisk) -> Path:
    """A store of the version before the made-up ones, with more rows than a page has."""
    path = disk.place / "metadata.db"
    with closing(SqliteStore(path, migrate_to=REAL)) as store:
        account = make_account(store, "ada@example.org")
        for number in range(FOLDERS):
            make_folder(store, account, account.root_key, f"folder {number}")
    return path


def schema_version(path: Path) -> int:
    return schema_at(path.as_uri()).plan().schema_version


def folders(path: Path) -> int:
    with closing(SqliteStore(path)) as store, store.read() as unit:
        return int(unit.sql.value("SELECT count(*) FROM objects") or 0)


@UPGRADES
def test_the_space_of_the_ballast_is_enough(disk: SmallDisk, path: Path, upgrades: Callable[[Path], None]) -> None:
    Ballast(path.with_name(f"{path.name}-ballast")).fill()
    disk.fill()
    upgrades(path)
    assert schema_version(path) == newest()
    assert folders(path) == FOLDERS + 1


@UPGRADES
@pytest.mark.parametrize("ballast", [0, 256 * 1024, MIB])
def test_without_enough_of_it_nothing_has_happened(
    disk: SmallDisk, path: Path, upgrades: Callable[[Path], None], ballast: int
) -> None:
    if ballast:
        Ballast(path.with_name(f"{path.name}-ballast"), ballast).fill()
    disk.fill()
    with pytest.raises(StoreFull, match=r"no space left for .*, on the disk that is mounted at "):
        upgrades(path)
    disk.clear()
    assert schema_version(path) == REAL
    upgrades(path)
    assert schema_version(path) == newest()
    assert folders(path) == FOLDERS + 1

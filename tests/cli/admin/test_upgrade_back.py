"""`skyshelf admin upgrade --back`: what is lost is said before, and a script has to say that it is meant."""

from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from tests.real_parts.migrated_sqlite import put_migrated
from tests.storage.schemas.later import COUNT, WITHOUT_WAY_BACK, use_later

from skyshelf.cli.main import main
from skyshelf.storage.metadata.sqlite.store import SqliteStore
from skyshelf.storage.open import METADATA_FILE, embedded_urls
from skyshelf.storage.upgrade import schema_at


def upgrade(data: Path, *options: str) -> Result:
    return CliRunner().invoke(main, ["admin", "upgrade", *options, "--data", str(data)])


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A store whose last upgrade can be undone, with losses."""
    (tmp_path / "migrations").mkdir()
    put_migrated(tmp_path / "data")
    use_later(tmp_path / "migrations", monkeypatch)
    SqliteStore(tmp_path / "data" / METADATA_FILE, migrate_to=WITHOUT_WAY_BACK).close()
    assert upgrade(tmp_path / "data").exit_code == 0
    assert version(tmp_path / "data") == COUNT
    return tmp_path / "data"


def version(data: Path) -> int:
    return schema_at(embedded_urls(data)[0]).plan().schema_version


def test_a_script_has_to_say_that_it_means_the_losses(data: Path) -> None:
    refused = upgrade(data, "--back")
    assert refused.exit_code != 0
    said = refused.stderr.splitlines()
    assert said[:3] == [
        f"{COUNT:04d} stars: lost with it: the stars.",
        f"{COUNT - 1:04d} reversed_names: lost with it: nothing.",
        f"{COUNT - 2:04d} notes: lost with it: the notes.",
    ]
    assert said[3].startswith(f"Changing the store {data}/metadata.db")
    assert said[4] == "skyshelf: this cannot be undone, and there is no terminal to ask: confirm with --yes"
    assert version(data) == COUNT


def test_with_yes_the_last_upgrade_is_undone(data: Path) -> None:
    undone = upgrade(data, "--back", "--yes")
    assert undone.exit_code == 0, undone.output
    assert undone.stdout.startswith(f"Undid {COUNT:04d} stars.\n")
    assert version(data) == WITHOUT_WAY_BACK


def test_where_there_is_no_way_back_nothing_is_asked_of_a_script(data: Path) -> None:
    assert upgrade(data, "--back", "--yes").exit_code == 0
    refused = upgrade(data, "--back")
    assert refused.exit_code == 1
    assert f"there is no way back from {WITHOUT_WAY_BACK:04d} note_length: restore the backup" in refused.stderr

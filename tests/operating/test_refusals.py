"""A start that is refused leaves everything as it was: nothing is made, upgraded or marked before it."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from tests.operating.test_looking import files_in
from tests.real_parts.migrated_sqlite import put_migrated
from tests.storage.schemas.later import use_later

from skyshelf.cli.main import main
from skyshelf.storage.first_look import refuse_other_half
from skyshelf.storage.open import METADATA_FILE, embedded_urls, open_stores

ADA = "ada@example.org"


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments, input="correct horse battery\n")


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A store with one file."""
    data, source = tmp_path / "data", tmp_path / "source"
    put_migrated(data)
    for half in open_stores(*embedded_urls(data)):
        half.close()
    source.mkdir()
    (source / "letter.txt").write_text("dear reader")
    names = ("--first-name", "Ada", "--last-name", "Byron", "--password-stdin")
    assert run("admin", "user", "add", ADA, *names, "--data", str(data)).exit_code == 0
    assert run("admin", "import", str(source), "--user", ADA, "--data", str(data)).exit_code == 0
    return data


def lose_the_database(data: Path) -> None:
    (data / METADATA_FILE).unlink()


def lose_the_blobs(data: Path) -> None:
    shutil.rmtree(data / "blobs")


def lose_the_database_and_the_mark_of_the_blobs(data: Path) -> None:
    lose_the_database(data)
    (data / "blobs" / "identity").unlink()


def take_the_blobs_of_another_store(data: Path) -> None:
    put_migrated(data.parent / "other")
    for half in open_stores(*embedded_urls(data.parent / "other")):
        half.close()
    shutil.rmtree(data / "blobs")
    shutil.copytree(data.parent / "other" / "blobs", data / "blobs")


@pytest.mark.parametrize("command", [("serve", "--port", "0"), ("admin", "init")], ids=" ".join)
@pytest.mark.parametrize(
    ("harm", "sentence"),
    [
        (lose_the_database, "The database is new or from before these blobs"),
        (lose_the_blobs, "1 are not among the blobs"),
        (lose_the_database_and_the_mark_of_the_blobs, "The database refers to no file contents, but there are blobs"),
        (take_the_blobs_of_another_store, "the blobs belong to the store"),
    ],
)
def test_halves_that_do_not_belong_together_stay_as_they_are(
    data: Path, command: tuple[str, ...], harm: Callable[[Path], None], sentence: str
) -> None:
    harm(data)
    before = files_in(data)
    refused = run(*command, "--data", str(data))
    assert refused.exit_code == 1
    assert sentence in refused.stderr
    assert "Nothing was changed" in refused.stderr
    assert files_in(data) == before


def test_halves_are_compared_before_a_database_is_upgraded(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    take_the_blobs_of_another_store(data)
    (tmp_path / "migrations").mkdir()
    use_later(tmp_path / "migrations", monkeypatch)
    before = files_in(data)
    refused = run("serve", "--data", str(data), "--port", "0")
    assert refused.exit_code == 1
    assert "the blobs belong to the store" in refused.stderr
    assert files_in(data) == before


def test_a_place_where_nothing_is_yet_and_halves_that_match_are_not_refused(data: Path, tmp_path: Path) -> None:
    refuse_other_half(*embedded_urls(data))
    refuse_other_half(*embedded_urls(tmp_path / "new"))
    assert not (tmp_path / "new").exists()

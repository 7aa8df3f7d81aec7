"""Every command says which store it opened, on standard error, and before it changes anything."""

from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from tests.real_parts import shared

from skyshelf.cli.admin.which_store import place_of
from skyshelf.cli.main import main as cli
from skyshelf.storage.identity import SETTING, read_identity
from skyshelf.storage.open import embedded_urls, open_metadata

ADA = "ada@example.org"


def admin(*arguments: str, stdin: str = "") -> Result:
    return CliRunner().invoke(cli, ["admin", *arguments], input=stdin)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    made = admin("init", "--data", str(tmp_path / "data"))
    assert made.stderr == f"Changing the store {tmp_path}/data/metadata.db, {tmp_path}/data/blobs\n"
    return tmp_path / "data"


def identity(data: Path) -> str:
    store = open_metadata(embedded_urls(data)[0])
    with store.read() as unit:
        found = read_identity(unit.settings.get(SETTING))
    store.close()
    assert found is not None
    return found.store[:8]


def test_commands_that_read_and_commands_that_change_name_folder_and_identity(data: Path) -> None:
    known = f", identity {identity(data)}\n"
    for command, line in (
        (["user", "ls", "--json"], f"Reading the store {data}/metadata.db{known}"),
        (["doctor"], f"Reading the store {data}/metadata.db, {data}/blobs{known}"),
        (["doctor", "--repair"], f"Changing the store {data}/metadata.db, {data}/blobs{known}"),
        (["settings", "set", "trash_days", "60"], f"Changing the store {data}/metadata.db{known}"),
        (["upgrade", "--check"], f"Reading the store {data}/metadata.db\n"),
        (
            ["backup", str(data.parent / "cuts"), "--unencrypted"],
            f"Reading the store {data}/metadata.db, {data}/blobs\n",
        ),
    ):
        result = admin(*command, "--data", str(data))
        assert (result.exit_code, result.stderr) == (0, line), command
        assert "the store /" not in result.stdout


def test_the_line_comes_before_the_question(data: Path) -> None:
    names = ("--first-name", "Ada", "--last-name", "Byron", "--password-stdin")
    assert admin("user", "add", ADA, *names, "--data", str(data), stdin="correct horse battery\n").exit_code == 0
    refused = admin("user", "delete", ADA, "--data", str(data), stdin="n\n")
    assert refused.exit_code != 0
    assert refused.output.startswith(f"Changing the store {data}/metadata.db")


def test_a_restore_names_the_new_store(data: Path, tmp_path: Path) -> None:
    assert admin("backup", str(tmp_path / "cuts"), "--data", str(data)).exit_code == 0
    restored = admin("restore", str(tmp_path / "cuts"), "--data", str(tmp_path / "new"))
    assert restored.exit_code == 0, restored.output
    assert restored.stderr == f"Changing the store {tmp_path}/new/metadata.db, {tmp_path}/new/blobs\n"


def test_no_password_and_no_key_is_part_of_a_place() -> None:
    assert place_of("postgresql://ada:secret@db.example.org:5433/drive?sslmode=require") == (
        "postgresql://db.example.org:5433/drive"
    )
    assert place_of("s3://bucket/drive?endpoint=https://key:secret@s3.example.org") == "s3://bucket/drive"


@pytest.mark.whole
def test_a_database_is_named_by_host_and_name() -> None:
    url = shared.postgres().unmigrated()
    assert admin("upgrade", "--metadata", url).exit_code == 0
    result = admin("user", "ls", "--metadata", url)
    assert result.exit_code == 0, result.output
    assert result.stderr.startswith(f"Reading the store {place_of(url)}")

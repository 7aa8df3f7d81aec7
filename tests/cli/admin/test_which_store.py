"""Every command says which store it opened, on standard error, and before it changes anything."""

import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import apsw
import pytest
from click.testing import CliRunner, Result
from tests.cli.command_tree import all_commands
from tests.real_parts import shared

from skyshelf.cli.admin.which_store import StoreCommand, place_of
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


def add_ada(data: Path) -> None:
    names = ("--first-name", "Ada", "--last-name", "Byron", "--password-stdin")
    assert admin("user", "add", ADA, *names, "--data", str(data), stdin="correct horse battery\n").exit_code == 0


def identity(data: Path) -> str:
    store = open_metadata(embedded_urls(data)[0])
    with store.read() as unit:
        found = read_identity(unit.settings.get(SETTING))
    store.close()
    assert found is not None
    return found.store[:8]


def test_commands_that_read_and_commands_that_change_name_folder_and_identity(data: Path) -> None:
    known = f", identity {identity(data)}, 0 objects\n"
    for command, line in (
        (["user", "ls", "--json"], f"Reading the store {data}/metadata.db{known}"),
        (["doctor"], f"Reading the store {data}/metadata.db, {data}/blobs{known}"),
        (["doctor", "--repair"], f"Changing the store {data}/metadata.db, {data}/blobs{known}"),
        (["settings", "set", "trash_days", "60"], f"Changing the store {data}/metadata.db{known}"),
        (["upgrade", "--check"], f"Reading the store {data}/metadata.db{known}"),
        (
            ["backup", str(data.parent / "cuts"), "--unencrypted"],
            f"Reading the store {data}/metadata.db, {data}/blobs{known}",
        ),
    ):
        result = admin(*command, "--data", str(data))
        assert (result.exit_code, result.stderr) == (0, line), command
        assert "the store /" not in result.stdout


def test_the_line_comes_before_the_question(data: Path) -> None:
    add_ada(data)
    refused = admin("user", "delete", ADA, "--data", str(data), stdin="n\n")
    assert refused.exit_code != 0
    assert refused.output.startswith(f"Changing the store {data}/metadata.db")


def test_the_line_has_the_number_of_files_and_folders_of_all_accounts(data: Path, tmp_path: Path) -> None:
    add_ada(data)
    (tmp_path / "source" / "letters").mkdir(parents=True)
    (tmp_path / "source" / "letters" / "one.txt").write_text("dear reader")
    assert admin("import", str(tmp_path / "source"), "--user", ADA, "--data", str(data)).exit_code == 0
    for command in (["user", "ls"], ["doctor"], ["upgrade", "--check"]):
        assert admin(*command, "--data", str(data)).stderr.endswith(", 2 objects\n"), command


def test_a_store_of_a_version_that_cannot_be_opened_is_still_named_with_its_identity(data: Path) -> None:
    known = f", identity {identity(data)}, 0 objects\n"
    connection = apsw.Connection(str(data / "metadata.db"))
    connection.execute("INSERT INTO schema_migrations (number, name, applied_at) VALUES (999, 'later', 0)").close()
    connection.close()
    refused = admin("upgrade", "--data", str(data))
    assert refused.exit_code == 1
    assert refused.stderr.startswith(f"Changing the store {data}/metadata.db\n")
    connection = apsw.Connection(str(data / "metadata.db"))
    connection.execute("DELETE FROM schema_migrations WHERE number = 999").close()
    connection.close()
    assert admin("upgrade", "--data", str(data)).stderr == f"Changing the store {data}/metadata.db{known}"


# On a terminal


def on_a_terminal(answer: str, *arguments: str) -> tuple[int, str]:
    """Run a command at a terminal, where somebody types an answer; its exit code, and all that it printed."""
    ours, theirs = pty.openpty()
    command = [sys.executable, "-c", "from skyshelf.cli.entry import main; main()", "admin", *arguments]
    with subprocess.Popen(command, stdin=theirs, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as running:
        os.write(ours, answer.encode())
        assert running.stdout is not None
        printed = running.stdout.read().decode()
    os.close(ours)
    os.close(theirs)
    return running.returncode, printed


def trash_days(data: Path) -> str:
    return next(line for line in admin("settings", "--data", str(data)).stdout.splitlines() if "trash_days" in line)


@pytest.mark.whole
def test_on_a_terminal_a_change_waits_for_a_yes(data: Path) -> None:
    change = ("settings", "set", "trash_days", "60", "--data", str(data))
    code, printed = on_a_terminal("n\n", *change)
    assert code == 1
    assert printed.startswith(f"Changing the store {data}/metadata.db, identity {identity(data)}, 0 objects\n")
    assert "Continue? [y/N]" in printed
    assert printed.endswith("skyshelf: cancelled; nothing was changed\n")
    assert "30 days" in trash_days(data)
    assert on_a_terminal("y\n", *change)[0] == 0
    assert "60 days" in trash_days(data)


@pytest.mark.whole
def test_yes_and_a_command_that_looks_or_adds_leave_the_question_out(data: Path) -> None:
    for arguments in (
        ("settings", "set", "trash_days", "60", "--yes"),
        ("settings", "show"),
        ("doctor",),
        ("banner", "add", "Maintenance", "We are offline on Sunday.", "--until", "7d"),
    ):
        code, printed = on_a_terminal("n\n", *arguments, "--data", str(data))
        assert (code, "Continue?" in printed) == (0, False), printed


def test_every_command_that_opens_a_store_declares_what_it_does_to_it() -> None:
    opening = {title: one for title, one in all_commands().items() if "data" in {option.name for option in one.params}}
    assert len(opening) > 30
    assert [title for title, one in opening.items() if not isinstance(one, StoreCommand) and title != "serve"] == []


def test_the_commands_that_do_not_ask_are_those_of_the_documentation() -> None:
    page = (Path(__file__).parents[3] / "docs" / "operating.md").read_text("utf-8")
    paragraph = page.partition("These only add something")[2].partition("\n\n")[0]
    documented = {f"admin {name}" for name in re.findall(r"`([a-z][a-z -]+)`", paragraph)}
    added = {
        title
        for title, one in all_commands().items()
        if isinstance(one, StoreCommand) and not one.looking and not one.asks
    }
    assert documented == added


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
    assert result.stderr == f"Reading the store {place_of(url)}, 0 objects\n"
    assert admin("upgrade", "--check", "--metadata", url).stderr == result.stderr

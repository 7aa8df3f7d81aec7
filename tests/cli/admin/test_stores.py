"""`skyshelf admin`: import, doctor, promotions and banners, in sentences for people and in JSON for scripts."""

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import apsw
import pytest
from argon2 import PasswordHasher
from click.testing import CliRunner, Result
from tests.cli.admin.test_admin import without_announcement
from tests.cli.typing_commands import Typist

from skyshelf.cli.admin.import_ import HARD_LINKS
from skyshelf.cli.main import main
from skyshelf.service.accounts import passwords
from skyshelf.storage.open import METADATA_FILE, embedded_urls, open_blobs, open_metadata
from skyshelf.wire.limits import TIME_MS_MAX

GIB = 1 << 30
ADA = "ada@example.org"


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder with an account."""
    monkeypatch.setattr(passwords, "_hasher", PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))
    folder = tmp_path / "data"
    metadata, blobs = embedded_urls(folder)
    open_metadata(metadata).close()
    open_blobs(blobs).close()
    names = ("--first-name", "Ada", "--last-name", "Byron", "--password-stdin")
    assert admin(folder, "user", "add", ADA, *names).exit_code == 0
    return folder


@pytest.fixture
def source(tmp_path: Path) -> Path:
    folder = tmp_path / "source"
    (folder / "letters").mkdir(parents=True)
    (folder / "letters" / "one.txt").write_text("dear reader")
    (folder / "two.txt").write_text("dear all")
    return folder


def admin(data: Path, *arguments: str) -> Result:
    return CliRunner().invoke(main, ["admin", *arguments, "--data", str(data)], input="correct horse battery\n")


def told(data: Path, *arguments: str) -> Any:
    """What --json prints of a command that succeeds."""
    result = admin(data, *arguments, "--json")
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def refusal(result: Result, exit_code: int = 1) -> str:
    assert result.exit_code == exit_code
    assert isinstance(result.exception, SystemExit)
    [line] = without_announcement(result.stderr)
    return line


def rows(data: Path, statement: str) -> list[Any]:
    connection = apsw.Connection(str(data / METADATA_FILE))
    try:
        return connection.execute(statement).fetchall()
    finally:
        connection.close()


def test_an_import_reports_what_was_imported_and_a_second_one_that_nothing_was(data: Path, source: Path) -> None:
    (source / "a link").symlink_to("two.txt")
    result = admin(data, "import", str(source), "--user", "ADA@example.org", "--into", "/Old")
    assert result.exit_code == 0
    summary, skipped, link = result.stdout.splitlines()
    assert (summary.split()[:3], summary.split(";")[1], skipped) == (["2", "files", "imported,"], " 19 B", "skipped: 1")
    assert link.startswith(f"  {source}/a link: ")
    again = told(data, "import", str(source), "--user", ADA, "--into", "/Old")
    assert (again["filesImported"], again["filesUnchanged"], again["skippedCount"]) == (0, 2, 1)
    assert again["stopped"] is None


def test_a_dry_run_says_would(data: Path, source: Path) -> None:
    result = admin(data, "import", str(source), "--user", ADA, "--dry-run")
    assert result.stdout.startswith("2 files would be imported")
    planned = told(data, "import", str(source), "--user", ADA, "--dry-run")
    assert (planned["dryRun"], planned["filesImported"], planned["foldersCreated"]) == (True, 2, 1)
    assert rows(data, "SELECT count(*) FROM objects") == [(1,)]


def test_hard_links_come_with_a_loud_sentence(data: Path, source: Path) -> None:
    result = admin(data, "import", str(source), "--user", ADA, "--link", "hard")
    assert result.exit_code == 0
    assert HARD_LINKS in result.stderr
    assert (source / "two.txt").stat().st_nlink == 2
    assert "2 files linked" in result.stdout


def test_a_full_quota_says_how_to_go_on(data: Path, source: Path) -> None:
    admin(data, "user", "set-quota", ADA, "10")
    result = admin(data, "import", str(source), "--user", ADA)
    assert "the quota is full" in refusal(result)
    assert "set-quota" in result.stderr
    assert "FAILED: 1" in result.stdout


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--user", "nobody@example.org"), "skyshelf admin user ls"),
        (("--user", ADA, "--into", "/a/../b"), "A name must not be . or .."),
        (("--user", ADA, "--blobs", "s3://?what=1"), "the URL of the blobs does not know what"),
    ],
)
def test_what_cannot_be_imported_is_reported_in_a_sentence(
    data: Path, source: Path, arguments: tuple[str, ...], sentence: str
) -> None:
    assert sentence in refusal(admin(data, "import", str(source), *arguments))


def test_the_store_is_no_source_and_a_missing_one_is_not_made(data: Path, source: Path, tmp_path: Path) -> None:
    assert str(data / "blobs") in refusal(admin(data, "import", str(data / "blobs"), "--user", ADA))
    empty = tmp_path / "empty"
    for command, exit_code in ((("import", str(source), "--user", ADA), 1), (("doctor",), 2)):
        said = refusal(admin(empty, *command), exit_code)
        assert str(empty) in said
        assert "--blobs" in said
    assert not empty.exists()


INTERRUPTED_IN_THE_MIDDLE = """
import os, signal, sys
from skyshelf.cli.main import main

read = 0

def watch(event, arguments):
    global read
    if event == "open" and str(arguments[0]).endswith(".txt"):
        read += 1
        if read == 6400:
            os.kill(os.getpid(), signal.SIGINT)

sys.addaudithook(watch)
main()
"""
"""The command line, which gets the signal of Ctrl-C when it opens the 6,400th file: three groups are under way at most,
so that the first one is in the drive by then."""


@pytest.mark.whole
def test_ctrl_c_ends_an_import_which_then_goes_on_where_it_was(data: Path, tmp_path: Path) -> None:
    many = tmp_path / "many"
    many.mkdir()
    for number in range(7000):
        (many / f"{number}.txt").write_bytes(b"%d" % number)
    command = ["admin", "import", str(many), "--user", ADA, "--data", str(data)]
    ended = subprocess.run(
        [sys.executable, "-c", INTERRUPTED_IN_THE_MIDDLE, *command],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert ended.returncode == 130, ended.stderr
    assert "Run the same command" in ended.stderr
    assert "Traceback" not in ended.stderr
    [(there,)] = rows(data, "SELECT count(*) FROM versions")
    assert 0 < there < 7000
    assert ended.stdout.startswith(f"{there:,} files imported")
    rest = told(data, "import", str(many), "--user", ADA)
    assert (rest["filesImported"], rest["filesUnchanged"]) == (7000 - there, there)


def test_what_is_imported_while_the_service_runs_is_there_at_once(typist: Typist) -> None:
    data = str(typist.person.server.process.data)
    typist.write("old/letters/one.txt", "dear reader")
    typist.write("old/two.txt", "dear all")
    typist.done("admin", "import", "old", "--user", typist.person.account.email, "--into", "/Old", "--data", data)
    assert typist.done("cat", "/Old/letters/one.txt") == "dear reader"
    assert typist.done("find", "two").strip().endswith("/Old/two.txt")
    assert json.loads(typist.done("admin", "doctor", "--json", "--data", data))["passed"] is True


def test_the_doctor_finds_nothing_finds_damage_and_repairs_it(data: Path, source: Path) -> None:
    admin(data, "import", str(source), "--user", ADA)
    sound = admin(data, "doctor", "--deep")
    assert sound.exit_code == 0
    assert sound.stdout.endswith("1 account, 4 objects, 2 versions, 2 blobs.\n")
    assert {line.split()[0] for line in sound.stdout.splitlines()[:-1]} == {"ok"}

    rows(data, "UPDATE account_counters SET document_used = 5")
    wrong = admin(data, "doctor")
    assert "--repair" in refusal(wrong)
    assert ["FAILED", "quota"] in [line.split()[:2] for line in wrong.stdout.splitlines()]
    assert f"the quota of {ADA} is wrong: document 5 instead of 19" in wrong.stdout
    document = json.loads(admin(data, "doctor", "--json").stdout)
    assert document["passed"] is False
    assert [one["check"] for one in document["checks"] if one["found"]] == ["quota"]

    mended = admin(data, "doctor", "--repair")
    assert mended.exit_code == 0
    assert "counted the quota of account" in mended.stdout
    assert told(data, "doctor")["passed"] is True


def test_damage_that_only_a_backup_can_fix_is_reported(data: Path, source: Path) -> None:
    admin(data, "import", str(source), "--user", ADA)
    for blob in (data / "blobs" / "blobs").rglob("*-*"):
        blob.unlink()
    result = admin(data, "doctor", "--repair")
    assert "(blobs)" in refusal(result)
    assert "--repair" not in refusal(result)
    assert "is missing; it belongs to version 1 of “two.txt”" in result.stdout


def test_a_user_is_shown_with_the_space_used(data: Path, source: Path) -> None:
    admin(data, "import", str(source), "--user", ADA)
    shown = told(data, "user", "show", ADA)
    assert (shown["emailId"], shown["usedSpace"], shown["documentUsed"], shown["photoUsed"]) == (ADA, 19, 19, 0)
    lines = dict(line.split("  ", 1) for line in admin(data, "user", "show", ADA).stdout.splitlines())
    assert lines["status"].strip() == "active"
    assert lines["used space"].strip() == "19 B"


def test_a_user_is_removed_after_a_time_of_grace_unless_it_is_kept(data: Path) -> None:
    asked = admin(data, "user", "delete", ADA)
    assert (asked.exit_code, "--yes" in asked.stderr) == (2, True)
    date = told(data, "user", "delete", ADA, "--yes")["deletionDate"]
    assert date > time.time() * 1000
    assert told(data, "user", "delete", ADA, "--yes")["deletionDate"] == date
    assert told(data, "user", "show", ADA)["deletionDate"] == date
    assert rows(data, "SELECT run_at FROM outbox WHERE kind = 'remove-account'") == [(date,)]
    assert admin(data, "user", "cancel-deletion", ADA).exit_code == 0
    assert "deletionDate" not in told(data, "user", "show", ADA)


def test_promotions_are_granted_listed_and_revoked(data: Path) -> None:
    assert told(data, "promotion", "ls") == []
    mine = told(data, "promotion", "add", "Welcome", "10GiB", "--user", ADA, "--until", "90d")
    everybodys = told(data, "promotion", "add", "For ever", "1GiB", "--all-users", "--until", "never")
    assert (mine["emailId"], mine["quota"], everybodys["emailId"]) == (ADA, 10 * GIB, None)
    assert everybodys["endDate"] == TIME_MS_MAX
    assert told(data, "user", "show", ADA)["promotionalSpace"] == 11 * GIB
    assert [one["name"] for one in told(data, "promotion", "ls", "--user", ADA)] == ["For ever", "Welcome"]
    assert "all users" in admin(data, "promotion", "ls").stdout
    assert told(data, "promotion", "delete", mine["promotionId"].lower()) == {"removed": mine["promotionId"].lower()}
    assert told(data, "user", "show", ADA)["promotionalSpace"] == GIB


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("promotion", "add", "x", "1GiB", "--until", "1d"), "--user EMAIL or --all-users"),
        (
            ("promotion", "add", "x", "1GiB", "--until", "1d", "--all-users", "--user", ADA),
            "--user EMAIL or --all-users",
        ),
        (("promotion", "add", " ", "1GiB", "--until", "1d", "--all-users"), "needs 1 to 255 printable characters"),
        (("promotion", "add", "x", "0", "--until", "1d", "--all-users"), "at least one byte"),
        (("promotion", "add", "x", "1", "--from", "2d", "--until", "1d", "--all-users"), "end must be after the start"),
        (("promotion", "add", "x", "1", "--until", "1d", "--user", "nobody@example.org"), "skyshelf admin user ls"),
        (("promotion", "delete", "nonsense"), "skyshelf admin promotion ls"),
        (("banner", "add", "x", "y", "--until", "1d", "--action-url", "javascript:1"), "such as https://"),
        (("banner", "add", "a\tb", "y", "--until", "1d"), "needs 1 to 255 printable characters"),
        (("banner", "delete", "0" * 32), "skyshelf admin banner ls"),
        (("banner", "edit", "0" * 32, "--title", "x"), "skyshelf admin banner ls"),
        (("banner", "edit", "0" * 32), "skyshelf admin banner edit --help"),
    ],
)
def test_what_makes_no_sense_is_refused_with_a_sentence(data: Path, arguments: tuple[str, ...], sentence: str) -> None:
    assert sentence in refusal(admin(data, *arguments))
    assert told(data, "promotion", "ls") == told(data, "banner", "ls") == []


def test_banners_are_put_up_edited_and_taken_down(data: Path) -> None:
    assert told(data, "banner", "ls") == []
    added = told(
        data, "banner", "add", "Maintenance", "On Sunday.", "--until", "7d", "--action-url", "https://example.org/news"
    )
    edited = told(data, "banner", "edit", added["cardId"], "--text", "On Monday.", "--action-url", "")
    assert edited == added | {"text": "On Monday.", "actionUrl": ""}
    assert told(data, "banner", "ls") == [edited]
    assert "Maintenance" in admin(data, "banner", "ls").stdout
    assert admin(data, "banner", "delete", added["cardId"]).exit_code == 0
    assert told(data, "banner", "ls") == []

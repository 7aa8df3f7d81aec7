"""Verification of history on the command line."""

from pathlib import Path

import pytest
from tests.cli.typing_commands import Typist

from skyshelf.cli.commands.verify_history import HistoryCheckRecord
from skyshelf.service.history.logs import log_now


@pytest.fixture
def at_home(typist: Typist) -> Typist:
    typist.environment["XDG_STATE_HOME"] = str(typist.home / "state")
    return typist


def changed(typist: Typist, name: str) -> None:
    typist.done("mkdir", name)
    log_now(typist.person.server.ctx, typist.person.account.account_id)


def test_each_head_continues_the_former_ones_and_heads_are_exported(at_home: Typist) -> None:
    changed(at_home, "/a")
    assert "This is the first head that this machine keeps" in at_home.done("verify-history")
    changed(at_home, "/b")
    text = at_home.done("verify-history", "--export", "heads.txt")
    assert "The log has 2 changes, from number 1 on" in text
    assert "It continues 1 earlier head." in text
    assert "Changes read now: 1, all of which are in the log. Records still kept: 1" in text
    exported = (at_home.desk / "heads.txt").read_text()
    assert exported.count("skyshelf-history/") == 2
    changed(at_home, "/c")
    found = at_home.record(HistoryCheckRecord, "verify-history", "--head", "heads.txt", "--all")
    assert (found.intact, found.problems, found.heads_verified, found.changes_verified) == (True, [], 4, 3)
    assert (found.records_verified, found.waiting, found.is_first) == (3, 0, False)


def test_a_history_that_does_not_fit_is_an_error_with_its_own_code(at_home: Typist, tmp_path: Path) -> None:
    changed(at_home, "/a")
    at_home.done("verify-history", "--export", "heads.txt")
    ctx = at_home.person.server.ctx
    # As after a restore of an older backup: the log begins again.
    account_id = at_home.person.account.account_id
    ctx.metadata.write(lambda unit: unit.repair.forget_feed(account_id))
    _cut_back(at_home, account_id)
    changed(at_home, "/b")
    ended = at_home.run("verify-history")
    assert ended.returncode == 14
    assert "The server shows another log than that of the head of" in ended.stdout
    assert "recorded no restore that would explain it" in ended.stdout
    assert "ask the server's operator" in ended.stderr
    assert "This is the first head" in at_home.done("verify-history", "--accept-restore")
    assert at_home.run("verify-history", "--head", "heads.txt").returncode == 14
    (at_home.desk / "other.txt").write_text("no head")
    code, sentence = at_home.refused("verify-history", "--head", "other.txt")
    assert code == 1
    assert "it has no head of a history" in sentence


def _cut_back(typist: Typist, account_id: int) -> None:
    import sqlite3

    database = sqlite3.connect(typist.person.server.process.data / "metadata.db", timeout=30)
    with database:
        for table in ("history_leaves", "history_tiles", "history_logs"):
            database.execute(f"DELETE FROM {table} WHERE account_id = ?", (account_id,))
    database.close()


def test_without_changes_there_is_nothing_to_verify_yet(at_home: Typist) -> None:
    assert "has not begun" in at_home.done("verify-history")
    code, sentence = at_home.refused("verify-history", "--export", "heads.txt")
    assert code == 1
    assert "no head to export yet" in sentence

"""What a store knows about its backups: who notes what, and how operators see it."""

import json
from pathlib import Path
from typing import Any

import pyrage
import pytest
from click.testing import CliRunner, Result
from msgspec.structs import replace
from tests.operating.shelves import Shelf, one_of_everything
from tests.operating.stacks import Stack
from tests.server.test_operators import local

from skyshelf.cli.main import main
from skyshelf.server.app import ServerSettings
from skyshelf.service.operator.backups import (
    BackupFailure,
    BackupRecord,
    backup_state,
    note_backup,
    note_failure,
)
from skyshelf.service.operator.health import server_health
from skyshelf.storage.identity import check_identity
from skyshelf.storage.metadata.read_only import ReadOnly, switch_on

HOUR_MS = 3_600_000


def _run(*arguments: str | Path, expecting: int = 0) -> Result:
    result = CliRunner().invoke(main, ["admin", *map(str, arguments)])
    assert result.exit_code == expecting, result.output
    return result


def _status(data: Path, *arguments: str, expecting: int = 0) -> Any:
    return json.loads(_run("backup-status", "--data", data, "--json", *arguments, expecting=expecting).stdout)


@pytest.fixture
def shelf(embedded: Stack) -> Shelf:
    shelf = one_of_everything(embedded).shelf
    check_identity(embedded.ctx.metadata, embedded.ctx.blobs)
    return shelf


@pytest.fixture
def data(shelf: Shelf, tmp_path: Path) -> Path:
    del shelf
    return tmp_path / "data"


def test_a_backup_notes_when_it_ended_and_how_large_it_is(embedded: Stack, data: Path, tmp_path: Path) -> None:
    before = server_health(embedded.ctx)
    assert (before.last_backup_date, before.backups.is_failing if before.backups else None) == (None, False)
    assert "no backup is known" in _run("backup-status", "--data", data, expecting=1).stderr
    _run("backup", tmp_path / "backup", "--data", data)
    found = _status(data)
    assert found["problem"] is None
    assert found["success"]["place"] == str(tmp_path / "backup")
    assert (found["success"]["size"] > 0, found["success"]["seconds"] > 0) == (True, True)
    assert (found["success"]["encrypted"], found["verified"], found["failure"]) == (False, None, None)
    after = server_health(embedded.ctx)
    assert after.last_backup_date == found["success"]["at"]
    assert after.backups is not None
    assert (after.backups.size, after.backups.is_encrypted) == (found["success"]["size"], False)
    shown = _run("backup-status", "--data", data).stdout
    assert "not encrypted" in shown
    assert "last verified: never" in shown


def test_a_failure_is_noted_beside_the_last_success_until_the_same_step_succeeds(data: Path, tmp_path: Path) -> None:
    destination = tmp_path / "backup"
    _run("backup", destination, "--data", data)
    good = _status(data)["success"]
    recipient = str(pyrage.x25519.Identity.generate().to_public())
    _run("backup", destination, "--data", data, "--recipient", recipient, expecting=2)
    found = _status(data, expecting=1)
    assert found["success"] == good
    assert found["failure"]["step"] == "backup"
    assert "is not encrypted" in found["failure"]["reason"]
    assert "is not encrypted" in found["problem"]
    # The same step elsewhere says nothing about this destination, and neither does another step.
    _run("backup", tmp_path / "other", "--data", data)
    _run("verify", destination, "--data", data)
    assert _status(data, expecting=1)["failure"]["resolvedAt"] is None
    _run("backup", destination, "--data", data)
    assert _status(data)["failure"]["resolvedAt"] is not None
    assert "it has worked since" in _run("backup-status", "--data", data).stdout


def test_the_last_failure_of_an_unused_destination_can_be_forgotten(embedded: Stack, data: Path) -> None:
    now = embedded.ctx.clock.now()
    note_backup(embedded.ctx, BackupRecord(now, place="/here"))
    note_failure(embedded.ctx, BackupFailure(now, "backup", "the disk is gone", "/there"))
    assert _status(data, expecting=1)["success"]["at"] == now
    assert _status(data, "--clear")["problem"] is None
    assert _status(data)["failure"]["reason"] == "the disk is gone"


def test_the_newest_success_counts_whoever_reports_last(embedded: Stack, data: Path) -> None:
    """Two machines back up one store, and the slower one began earlier."""
    now = embedded.ctx.clock.now()
    note_backup(embedded.ctx, BackupRecord(now, 5, 1.0, "/one"))
    note_backup(embedded.ctx, BackupRecord(now - HOUR_MS, 7, 2.0, "/two"))
    assert _status(data)["success"]["place"] == "/one"


def test_an_old_backup_is_a_problem(embedded: Stack, data: Path) -> None:
    note_backup(embedded.ctx, BackupRecord(embedded.ctx.clock.now() - 30 * HOUR_MS))
    assert "30 hours old" in _status(data, expecting=1)["problem"]
    assert _status(data, "--max-age", "2d")["problem"] is None
    assert _status(data, "--max-age", "forever")["problem"] is None


def test_how_old_a_backup_may_be_is_one_setting_for_commands_and_pages(
    embedded: Stack, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = embedded.ctx.clock.now()
    note_backup(embedded.ctx, BackupRecord(now - 30 * HOUR_MS))
    health = server_health(embedded.ctx).backups
    assert health is not None
    assert (health.is_overdue, health.is_failing) == (True, False)
    (tmp_path / "server.toml").write_text('backup-max-age = "2d"\n')
    monkeypatch.setenv("SKYSHELF_SERVE_CONFIG", str(tmp_path / "server.toml"))
    assert _status(data)["problem"] is None
    patient = replace(embedded.ctx, rules=replace(embedded.ctx.rules, backup_max_age=48 * HOUR_MS))
    health = server_health(patient).backups
    assert health is not None
    assert health.is_overdue is False


def test_the_note_of_the_first_release_is_still_understood(embedded: Stack, data: Path) -> None:
    now = embedded.ctx.clock.now()
    embedded.damage("INSERT INTO settings (name, value) VALUES ('backup.last', ?)", str(now).encode())
    assert _status(data)["success"]["at"] == now


def test_verifications_and_rehearsals_are_noted(data: Path, tmp_path: Path) -> None:
    destination = tmp_path / "backup"
    _run("backup", destination, "--data", data)
    _run("verify", destination, "--data", data, "--deep")
    found = _status(data)
    assert (found["verified"]["deep"], found["rehearsed"]) == (True, None)
    _run("verify", destination, "--data", data, "--rehearse", "--work", tmp_path)
    assert _status(data)["rehearsed"]["place"] == str(destination)


def test_damage_in_a_backup_is_a_failure(data: Path, tmp_path: Path) -> None:
    destination = tmp_path / "backup"
    _run("backup", destination, "--data", data)
    next((destination / "packs").iterdir()).unlink()
    _run("verify", destination, "--data", data, "--rehearse", expecting=1)
    found = _status(data, expecting=1)
    assert (found["failure"]["step"], found["verified"]) == ("verification", None)
    assert "1 object damaged or missing" in found["failure"]["reason"]


def test_a_restore_is_rehearsed_when_the_last_rehearsal_is_old_enough(data: Path, tmp_path: Path) -> None:
    destination = tmp_path / "backup"
    _run("backup", destination, "--data", data)
    weekly = ("verify", destination, "--data", data, "--rehearse-every", "7d", "--work", tmp_path)
    assert "the doctor found nothing" in _run(*weekly).stdout
    assert "the doctor" not in _run(*weekly).stdout
    at_once = ("verify", destination, "--data", data, "--rehearse-every", "0s", "--work", tmp_path)
    assert "the doctor found nothing" in _run(*at_once).stdout


def test_a_backup_that_cannot_be_opened_here_is_not_rehearsed_every_week(data: Path, tmp_path: Path) -> None:
    destination, recipient = tmp_path / "backup", str(pyrage.x25519.Identity.generate().to_public())
    _run("backup", destination, "--data", data, "--recipient", recipient)
    weekly = ("verify", destination, "--data", data, "--work", tmp_path)
    assert "needs --identity" in _run(*weekly, "--rehearse-every", "7d").stderr
    _run(*weekly, "--rehearse", expecting=2)
    assert _status(data, expecting=1)["failure"]["step"] == "rehearsal"


def test_a_machine_without_the_store_verifies_without_a_note(embedded: Stack, data: Path, tmp_path: Path) -> None:
    destination = tmp_path / "backup"
    _run("backup", destination, "--data", data)
    assert "not noted" not in _run("verify", destination, "--data", tmp_path / "nothing").stderr
    # Nor does another store note it, or that somebody mistyped a name.
    _run("verify", tmp_path / "mistyped", "--data", data, expecting=2)
    state = backup_state(embedded.ctx)
    assert (state.verified, state.failure) == (None, None)
    embedded.damage("UPDATE settings SET value = ? WHERE name = 'store.identity'", b'{"store":"other","generation":1}')
    embedded.damage("DELETE FROM settings WHERE name = 'backup.success'")
    _run("verify", destination, "--data", data)
    assert backup_state(embedded.ctx).verified is None


def test_a_backup_of_a_read_only_store_says_that_it_is_not_noted(embedded: Stack, data: Path, tmp_path: Path) -> None:
    switch_on(embedded.ctx.metadata, ReadOnly("for a move", 1))
    assert "not noted in the store" in _run("backup", tmp_path / "backup", "--data", data).stderr


def test_metrics_and_readiness_show_a_failure(embedded: Stack, data: Path, tmp_path: Path) -> None:
    destination = tmp_path / "backup"
    _run("backup", destination, "--data", data)
    _run("verify", destination, "--data", data, "--rehearse", "--work", tmp_path)
    metadata, blobs = embedded.urls
    with local(embedded.ctx, ServerSettings(metadata=metadata, blobs=blobs)) as client:
        assert "backups" not in client.get("/readyz").json()
        page = _figures(client.get("/metrics").text)
        assert page["skyshelf_backup_failing"] == 0
        for kind in ("success", "verified", "rehearsed"):
            assert page[f"skyshelf_backup_last_{kind}_timestamp_seconds"] > 0
        (destination / "cuts").rename(destination / "gone")
        _run("verify", destination, "--data", data, expecting=2)
        assert "backup-status" in client.get("/readyz").json()["backups"]
        page = _figures(client.get("/metrics").text)
        assert page["skyshelf_backup_failing"] == 1
        assert page["skyshelf_backup_last_failure_timestamp_seconds"] > 0


def _figures(page: str) -> dict[str, float]:
    lines = [line.split() for line in page.splitlines() if line.startswith("skyshelf_backup")]
    return {name: float(value) for name, value in lines}


@pytest.fixture
def configured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A server's file that names a recipient; its identity is beside it."""
    identity = pyrage.x25519.Identity.generate()
    (tmp_path / "key.txt").write_text(f"{identity}\n")
    file = tmp_path / "server.toml"
    file.write_text(f'backup-recipient = ["{identity.to_public()}"]\n')
    monkeypatch.setenv("SKYSHELF_SERVE_CONFIG", str(file))
    return file


def test_backups_are_encrypted_if_the_server_has_a_recipient(data: Path, tmp_path: Path, configured: Path) -> None:
    assert configured.exists()
    result = _run("backup", tmp_path / "backup", "--data", data)
    assert "not encrypted" not in result.stderr
    assert "encrypted" in _run("cuts", tmp_path / "backup").stdout
    _run("verify", tmp_path / "backup", "--data", data, "--identity", tmp_path / "key.txt", "--rehearse")
    plain = _run("backup", tmp_path / "plain", "--data", data, "--unencrypted")
    assert "Warning" not in plain.stderr
    assert "encrypted" not in _run("cuts", tmp_path / "plain").stdout
    # What is stored at a destination does not change its kind by a setting.
    refused = _run("backup", tmp_path / "plain", "--data", data, expecting=2)
    assert "--unencrypted" in refused.stderr


def test_recipients_of_the_command_take_precedence(data: Path, tmp_path: Path, configured: Path) -> None:
    assert configured.exists()
    other = pyrage.x25519.Identity.generate()
    (tmp_path / "other.txt").write_text(f"{other}\n")
    _run("backup", tmp_path / "backup", "--data", data, "--recipient", str(other.to_public()))
    _run("verify", tmp_path / "backup", "--identity", tmp_path / "other.txt", "--data", data, "--rehearse")
    _run("verify", tmp_path / "backup", "--identity", tmp_path / "key.txt", "--data", data, "--rehearse", expecting=2)


def test_an_unencrypted_backup_that_nobody_asked_for_is_written_with_a_warning(data: Path, tmp_path: Path) -> None:
    warned = _run("backup", tmp_path / "backup", "--data", data).stderr
    assert "Warning: this backup is not encrypted" in warned
    assert "Warning" not in _run("backup", tmp_path / "backup", "--data", data, "--unencrypted").stderr


def test_contradicting_and_unusable_recipients_are_refused(data: Path, tmp_path: Path, configured: Path) -> None:
    empty = tmp_path / "empty.txt"
    empty.write_text("# nobody\n")
    _run("backup", tmp_path / "backup", "--data", data, "--unencrypted", "--recipients-file", empty, expecting=2)
    # An empty file must not mean: without encryption.
    assert (
        "no recipients"
        in _run("backup", tmp_path / "backup", "--data", data, "--recipients-file", empty, expecting=2).stderr
    )
    configured.write_text('backup-recipient = ["bob"]\n')
    assert "not an age recipient" in _run("backup", tmp_path / "backup", "--data", data, expecting=2).stderr
    assert not (tmp_path / "backup").exists()

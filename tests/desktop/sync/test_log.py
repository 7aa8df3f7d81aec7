"""The log of a sync: it is bounded, survives kills and damage, and never stops a sync."""

from pathlib import Path

import pytest
from tests.desktop.sync.both_sides import TOP, run

from skyshelf.client.errors import LocalFileError
from skyshelf.client.sync_client import Client
from skyshelf.desktop.sync import log as module
from skyshelf.desktop.sync.actions import SyncEvent
from skyshelf.desktop.sync.log import LOG, SyncLog
from skyshelf.desktop.sync.rounds import SyncResult


def noted(log: SyncLog, *events: SyncEvent, failures: tuple[tuple[str, str], ...] = ()) -> None:
    def sync() -> SyncResult:
        for event in events:
            log.note(event)
        return SyncResult(failures=[(path, LocalFileError(reason)) for path, reason in failures])

    log.run(sync)


def uploads(*paths: str) -> tuple[SyncEvent, ...]:
    return tuple(SyncEvent(kind="upload", path=path) for path in paths)


def test_every_step_of_a_sync_is_in_it(client: Client, here: Path) -> None:
    (here / "deep").mkdir()
    (here / "deep/a.txt").write_text("one")
    (here / ".skyshelf-sync").mkdir()
    with SyncLog(here / ".skyshelf-sync") as log:
        events, _ = run(client, here)
        noted(log, *events)
        assert [(step.kind, step.path) for step in log.steps()] == [
            ("upload", "deep/a.txt"),
            ("create remote folder", "deep"),
        ]
        assert [step.path for step in log.steps("deep")] == ["deep/a.txt", "deep"]
        assert log.runs()[0].steps == 2
    assert client.get(f"{TOP}/deep/a.txt").size == 3


def test_the_oldest_steps_and_runs_are_dropped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "STEPS_MAX", 5)
    monkeypatch.setattr(module, "RUNS_MAX", 3)
    monkeypatch.setattr(module, "_SLACK", 0)
    with SyncLog(tmp_path) as log:
        for number in range(10):
            noted(log, *uploads(str(number)))
        assert [step.path for step in log.steps()] == ["9", "8", "7", "6", "5"]
        assert len(log.runs()) == 3


def test_runs_with_nothing_to_do_leave_one_trace(tmp_path: Path) -> None:
    with SyncLog(tmp_path) as log:
        noted(log, *uploads("a"))
        for _ in range(3):
            noted(log)
        assert [one.steps for one in log.runs()] == [0, 1]


def test_what_fails_again_is_noted_once_and_stays_a_failure(tmp_path: Path) -> None:
    failed = SyncEvent(kind="failed", path="a", reason="no")
    with SyncLog(tmp_path) as log:
        for _ in range(3):
            noted(log, failed, failures=(("a", "no"),))
        assert len(list(log.steps("a"))) == 1
        assert log.failures() == [("a", "no")]
        noted(log)
        assert log.failures() == []


def test_a_run_that_was_killed_has_no_end_and_one_that_fails_says_why(tmp_path: Path) -> None:
    def fails() -> SyncResult:
        raise LocalFileError("the disk is gone")

    with SyncLog(tmp_path) as log, pytest.raises(LocalFileError):
        log.run(fails)
    killed = SyncLog(tmp_path)
    killed._begin()
    killed.close()
    with SyncLog(tmp_path) as log:
        assert [(one.ended is None, one.stopped) for one in log.runs()] == [(True, None), (False, "the disk is gone")]


def test_a_damaged_log_is_set_aside_and_one_that_cannot_be_written_stops_nothing(tmp_path: Path) -> None:
    (tmp_path / LOG).write_bytes(b"no database" * 500)
    with SyncLog(tmp_path) as log:
        noted(log, *uploads("a"))
        assert len(list(log.steps())) == 1
    assert (tmp_path / f"former-{LOG}").exists()
    noted(log, *uploads("b"))  # it is closed


def test_names_are_followed_through_moves_of_folders_and_conflicts(tmp_path: Path) -> None:
    with SyncLog(tmp_path) as log:
        noted(
            log,
            *uploads("old/a.txt", "b.txt"),
            SyncEvent(kind="move local", path="old", to="new"),
            SyncEvent(kind="conflict", path="b.txt", to="b (conflict x).txt"),
        )
        assert [step.kind for step in log.steps("new/a.txt")] == ["move local", "upload"]
        assert [step.kind for step in log.steps("b (conflict x).txt")] == ["conflict", "upload"]
        assert [step.kind for step in log.steps("b.txt")] == ["conflict", "upload"]
        assert next(log.steps("new/other.txt")).kind == "move local"

"""`skyshelf sync status`, `log`, `pause`, `resume` and `forget`, and the names of commands as names of folders."""

import os
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta

import pytest
from tests.cli.typing_commands import SKYSHELF, Typist

from skyshelf.cli.base.records import ObjectRecord
from skyshelf.cli.commands.sync.state import SyncLogRecord, SyncStatusRecord


@contextmanager
def watching(typist: Typist, *options: str) -> Iterator["subprocess.Popen[str]"]:
    """A watch of `here`, and its documents."""
    process = subprocess.Popen(
        [SKYSHELF, "sync", "here", "/there", "--watch", "--jsonl", *options],
        cwd=typist.desk,
        env=typist.environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        yield process
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
    finally:
        process.kill()
        process.wait()


def until_state(typist: Typist, state: str) -> None:
    deadline = time.monotonic() + 60
    while typist.records(SyncStatusRecord, "sync", "status", "here")[0].state != state:
        assert time.monotonic() < deadline, f"it was never {state}"


def test_a_folder_with_the_name_of_a_command_is_written_with_a_dot(typist: Typist) -> None:
    typist.write("status/a.txt", "one")
    typist.done("sync", "./status", "/there")
    assert [one.path for one in typist.records(ObjectRecord, "ls", "-R", "--files", "/there")] == ["/there/a.txt"]
    assert typist.records(SyncStatusRecord, "sync", "status")[0].path == "/there"


def test_options_may_come_before_the_folder(typist: Typist) -> None:
    typist.write("here/a.txt", "one")
    assert "upload" in typist.done("sync", "--workers", "2", "here", "/there", "--dry-run")


def test_the_status_says_when_what_waits_and_what_failed(typist: Typist) -> None:
    typist.write("here/a.txt", "one")
    typist.write("here/b.txt", "two")
    typist.done("sync", "here", "/there", "--exclude", "*.tmp")
    (one,) = typist.records(SyncStatusRecord, "sync", "status")
    assert (one.folder, one.path, one.state) == (str(typist.desk / "here"), "/there", "idle")
    assert (one.waiting, one.conflicts, one.failures, one.last_steps, one.stopped) == (0, 0, [], 2, None)
    assert one.last_run is not None
    typist.write("here/a.txt", "an edit")
    typist.write("here/new.txt", "new")
    typist.write("here/left.tmp", "excluded")
    (typist.desk / "here/b.txt").unlink()
    assert typist.records(SyncStatusRecord, "sync", "status", "here")[0].waiting == 3
    assert typist.refused("sync", "here", "/there", "--max-delete", "0", "--exclude", "*.tmp")[0] == 7
    (one,) = typist.records(SyncStatusRecord, "sync", "status", "here")
    assert one.stopped is not None
    assert one.stopped.startswith("1 of 2 files would be deleted on the server")


@pytest.mark.skipif(os.name != "posix" or os.getuid() == 0, reason="root reads everything")
def test_the_status_names_what_could_not_be_synced(typist: Typist) -> None:
    typist.write("here/secret.txt", "one").chmod(0)
    typist.refused("sync", "here", "/there")
    (one,) = typist.records(SyncStatusRecord, "sync", "status", "here")
    assert [failure.path for failure in one.failures] == ["secret.txt"]


def test_a_folder_that_is_not_there_is_named_until_it_is_forgotten(typist: Typist) -> None:
    typist.write("here/a.txt", "one")
    typist.done("sync", "here", "/there")
    (typist.desk / "here").rename(typist.desk / "moved")
    assert [one.state for one in typist.records(SyncStatusRecord, "sync", "status")] == ["missing"]
    typist.done("sync", "forget", "here")
    assert typist.records(SyncStatusRecord, "sync", "status") == []
    assert typist.refused("sync", "forget", "here")[0] == 6
    assert "is not in a folder that is kept in sync" in typist.refused("sync", "status", ".")[1]


def test_the_log_follows_a_file_to_its_former_names(typist: Typist) -> None:
    typist.write("here/a.txt", "one")
    typist.write("here/other.txt", "other")
    typist.done("sync", "here", "/there")
    typist.done("rename", "/there/a.txt", "b.txt")
    typist.done("sync", "here", "/there")
    typist.done("rm", "/there/b.txt")
    typist.done("sync", "here", "/there")
    steps = typist.records(SyncLogRecord, "sync", "log", "here/b.txt")
    assert [(step.action, step.path, step.to) for step in steps] == [
        ("trash_local", "b.txt", None),
        ("move_local", "a.txt", "b.txt"),
        ("upload", "a.txt", None),
    ]
    assert steps[0].run > steps[1].run > steps[2].run
    assert len(typist.records(SyncLogRecord, "sync", "log", "here")) == 4
    assert len(typist.records(SyncLogRecord, "sync", "log", "here", "-n", "1")) == 1


def test_a_pause_keeps_a_sync_from_running_until_it_is_resumed(typist: Typist) -> None:
    typist.write("here/a.txt", "one")
    typist.done("sync", "here", "/there")
    typist.done("sync", "pause", "here")
    code, said = typist.refused("sync", "here", "/there")
    assert code == 7
    assert "skyshelf sync resume" in said
    assert typist.records(SyncStatusRecord, "sync", "status", "here")[0].state == "paused"
    typist.done("sync", "resume", "here")
    typist.done("sync", "here", "/there")
    typist.done("sync", "pause", "here", "--until", "2h")
    assert typist.records(SyncStatusRecord, "sync", "status", "here")[0].paused_until is not None


@pytest.mark.whole
def test_a_running_watch_heeds_a_pause(typist: Typist) -> None:
    typist.write("here/a.txt", "one")
    with watching(typist) as watch:
        assert watch.stdout is not None
        assert watch.stderr is not None
        assert "a.txt" in watch.stdout.readline()
        until_state(typist, "watching")
        typist.done("sync", "pause", "here")
        typist.write("here/b.txt", "two")
        while "is paused" not in watch.stderr.readline():
            pass
        assert [one.path for one in typist.records(ObjectRecord, "ls", "-R", "--files", "/there")] == ["/there/a.txt"]
        typist.done("sync", "resume", "here")
        assert "b.txt" in watch.stdout.readline()


def test_a_watch_outside_of_its_hours_waits(typist: Typist) -> None:
    typist.write("here/a.txt", "one")
    now = datetime.now(UTC)  # the command's time zone, too
    before, after = now - timedelta(hours=2), now - timedelta(hours=1)
    with watching(typist, "--between", f"{before:%H:%M}-{after:%H:%M}") as watch:
        assert watch.stderr is not None
        while "only" not in watch.stderr.readline():
            pass
    assert typist.records(ObjectRecord, "ls", "/") == []


def test_limits_and_hours_that_make_no_sense_are_refused(typist: Typist) -> None:
    typist.write("here/a.txt", "one")
    for wrong in (
        ("--limit-up", "fast"),
        ("--limit-down", "08:00,0"),
        ("--between", "22:00"),
        ("--between", "09:00-09:00"),
        ("--limit-rate", "2M", "--limit-up", "1M"),
    ):
        assert typist.refused("sync", "here", "/there", *wrong)[0] == 2, wrong

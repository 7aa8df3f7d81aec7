"""`skyshelf sync`: both directions, questions before mass deletions, kills, and a watch that Ctrl-C ends."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.cli.typing_commands import SKYSHELF, Typist

from skyshelf.cli.base.records import ObjectRecord
from skyshelf.cli.commands.sync.steps import SyncStepRecord


def remote(typist: Typist) -> set[str]:
    return {one.path or "" for one in typist.records(ObjectRecord, "ls", "-R", "--files", "/there")}


def local(typist: Typist) -> set[str]:
    here = typist.desk / "here"
    files = [path for path in here.rglob("*") if path.is_file()]
    return {f"/there/{path.relative_to(here)}" for path in files if path.relative_to(here).parts[0] != ".skyshelf-sync"}


def test_steps_are_printed_as_documents(typist: Typist) -> None:
    typist.write("here/a.txt", "one")
    (step,) = typist.records(SyncStepRecord, "sync", "run", "here", "/there", "--dry-run")
    assert (step.action, step.path, step.size_bytes) == ("upload", "a.txt", 3)
    (step,) = typist.records(SyncStepRecord, "sync", "here", "/there")
    assert step.action == "upload"
    assert typist.records(SyncStepRecord, "sync", "here", "/there") == []


def test_an_ignore_file_and_globs_leave_paths_alone(typist: Typist) -> None:
    typist.write("here/.skyshelfignore", "# builds\n*.o\nbuild/\n")
    for name in ("a.c", "a.o", "build/out", "keep.tmp"):
        typist.write(f"here/{name}", name)
    typist.done("sync", "here", "/there", "--exclude", "*.tmp")
    assert remote(typist) == {"/there/.skyshelfignore", "/there/a.c"}


def test_the_last_line_of_the_ignore_file_that_matches_decides(typist: Typist) -> None:
    typist.write("here/.skyshelfignore", "*.log\n!keep.log\nbuild/*\n!build/notes/\n\\!odd\n")
    for name in ("a.log", "keep.log", "build/out.o", "build/notes/a.txt", "deep/keep.log", "!odd", "other"):
        typist.write(f"here/{name}", name)
    typist.done("sync", "here", "/there")
    assert remote(typist) == {
        "/there/.skyshelfignore",
        *(f"/there/{name}" for name in ("keep.log", "build/notes/a.txt", "deep/keep.log", "other")),
    }


@pytest.mark.skipif(os.name != "posix", reason="the program is a script of a shell")
def test_edits_that_meet_are_shown_on_the_desktop_and_others_merged(typist: Typist) -> None:
    program = typist.write("programs/notify-send", f'#!/bin/sh\nprintf "%s\\n" "$@" >> "{typist.desk}/shown"\n')
    program.chmod(0o755)
    typist.environment["PATH"] = f"{program.parent}{os.pathsep}{typist.environment['PATH']}"
    lines = "one\ntwo\nthree\nfour\n"
    for name in ("a.txt", "b.txt"):
        typist.write(f"here/{name}", lines)
    typist.done("sync", "here", "/there")
    for name, mine, theirs in (("a.txt", "zero\n" + lines, lines + "five\n"), ("b.txt", "mine\n", "theirs\n")):
        typist.write(f"here/{name}", mine)
        typist.write(f"elsewhere/{name}", theirs)
        typist.done("put", f"elsewhere/{name}", "/there/")
    steps = typist.records(SyncStepRecord, "sync", "run", "here", "/there", "--merge-text", "--notify")
    assert {(step.action, step.path) for step in steps} >= {("merge", "a.txt"), ("conflict", "b.txt")}
    assert typist.done("cat", "/there/a.txt") == "zero\n" + lines + "five\n"
    shown = (typist.desk / "shown").read_text().splitlines()
    assert shown[-1] == "here: kept twice, because both sides changed it: b.txt"


def test_a_mass_deletion_asks_on_a_terminal(typist: Typist) -> None:
    for number in range(3):
        typist.write(f"here/{number}.txt", str(number))
    typist.done("sync", "here", "/there")
    for number in range(3):
        (typist.desk / "here" / f"{number}.txt").unlink()
    again = ("sync", "here", "/there", "--max-delete", "2")
    assert typist.refused(*again)[0] == 7
    code, shown = typist.in_terminal(*again, answers=(("Delete them?", "n\n"),))
    assert (code, len(remote(typist))) == (7, 3)
    assert "3 of 3 files would be deleted on the server" in shown
    assert typist.in_terminal(*again, answers=(("Delete them?", "y\n"),))[0] == 0
    assert remote(typist) == set()
    assert len(typist.records(ObjectRecord, "trash", "ls")) == 3


def test_a_sync_that_is_killed_again_and_again_ends_with_both_sides_the_same(typist: Typist) -> None:
    top = typist.drive.add_folder("there")
    for folder in typist.drive.add_folders(["0", "1", "other"], top):
        typist.drive.add_files([(f"from there {number}.bin", os.urandom(2_000)) for number in range(10)], folder)
    for number in range(30):
        typist.write(f"here/{number % 5}/{number}.bin", os.urandom(2_000))
    arguments = ["8", "0.05", "0.4", "7", "here/.skyshelf-sync", "--", "sync", "here", "/there", "--quiet"]
    killing = subprocess.run(
        [sys.executable, "-m", "tests.cli.killing", *arguments],
        cwd=typist.desk,
        env=typist.environment | {"PYTHONPATH": str(Path(__file__).parents[3])},
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    killed, failed = map(int, killing.stdout.split()[-2:])
    assert killed
    assert not failed
    typist.done("sync", "here", "/there")
    assert remote(typist) == local(typist)
    assert len(local(typist)) == 60


def test_a_watch_syncs_until_ctrl_c(typist: Typist) -> None:
    typist.write("here/a.txt", "one")
    watching = subprocess.Popen(
        [SKYSHELF, "sync", "here", "/there", "--watch", "--jsonl"],
        cwd=typist.desk,
        env=typist.environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert watching.stdout is not None
    try:
        assert '"upload"' in watching.stdout.readline()
        typist.write("here/b.txt", "two")
        assert "b.txt" in watching.stdout.readline()
        typist.write("elsewhere/c.txt", "three")
        typist.done("put", "elsewhere/c.txt", "/there/")
        assert '"download"' in watching.stdout.readline()
        watching.send_signal(signal.SIGINT)
        _, said = watching.communicate(timeout=60)
    finally:
        watching.kill()
    assert watching.returncode == 130
    assert "Traceback" not in said
    assert (typist.desk / "here/c.txt").read_text() == "three"
    deadline = time.monotonic() + 60
    while remote(typist) != local(typist):
        assert time.monotonic() < deadline

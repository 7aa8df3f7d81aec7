"""Rewinds on the command line."""

import time

from tests.cli.typing_commands import Typist

from skyshelf.cli.commands.history import HistoryRecord
from skyshelf.cli.commands.rewind import RewindRecord


def test_a_folder_is_rewound_after_a_plan_and_the_rewind_is_undone(typist: Typist) -> None:
    typist.done("mkdir", "/old")
    typist.done("mkdir", "/old/inner")
    (last, *_) = typist.records(HistoryRecord, "log", "-n", "1")
    assert last.date is not None
    time.sleep(0.01)
    typist.done("rename", "/old/inner", "renamed")
    typist.done("mkdir", "/old/new")
    typist.done("mkdir", "/beside")
    plan = typist.done("rewind", "/old", "--to", last.date, "--dry-run")
    assert "renamed  /old/inner/" in plan
    assert "trashed  /old/new/" in plan
    assert typist.done("ls", "/old") == "new/\nrenamed/\n"
    code, _ = typist.refused("rewind", "/old", "--to", last.date)
    assert code != 0, "there is no terminal to ask"
    [done] = typist.records(RewindRecord, "rewind", "/old", "--to", last.date, "--yes")
    assert (done.state, done.renamed, done.trashed, done.left) == ("done", 1, 1, 0)
    assert typist.done("ls", "/old") == "inner/\n"
    assert typist.done("ls") == "beside/\nold/\n"
    typist.done("rewind", "--undo")
    assert typist.done("ls", "/old") == "new/\nrenamed/\n"
    latest, first = typist.records(RewindRecord, "rewind", "--list")
    assert (latest.undo_of, first.state) == (first.rewind_key, "done")


def test_a_rewind_needs_a_moment_and_one_thing_to_do(typist: Typist) -> None:
    for arguments in ([], ["--undo", "--list"], ["--undo", "--to", "yesterday"], ["--cancel"], ["--undo"]):
        code, _ = typist.refused("rewind", *arguments)
        assert code != 0

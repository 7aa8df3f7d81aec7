"""What changed, and folders as they were."""

import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from tests.cli.typing_commands import Typist
from tests.client.serving import PASSWORD

from skyshelf.cli.base.params import parse_moment
from skyshelf.cli.commands.history import DifferenceRecord, HistoryDaysRecord, HistoryRecord


def test_the_log_shows_what_was_before_and_which_device_did_it(typist: Typist) -> None:
    typist.done("mkdir", "/Photos")
    typist.done("mkdir", "/Photos/2024")
    typist.done("rename", "/Photos", "Pictures")
    renamed, *_ = typist.records(HistoryRecord, "log")
    assert (renamed.kind, renamed.name, renamed.new_name, renamed.type) == ("renamed", "Photos", "Pictures", "folder")
    assert renamed.device_key
    assert [one.name for one in typist.records(HistoryRecord, "log", "/Pictures")] == ["2024"]
    assert len(typist.records(HistoryRecord, "log", "-n", "1")) == 1
    assert [one.kind for one in typist.records(HistoryRecord, "log", "--kind", "renamed")] == ["renamed"]
    assert "Photos → Pictures/" in typist.done("log")
    assert typist.records(HistoryRecord, "log", "--until", "yesterday") == []


def test_a_folder_is_listed_as_it_was(typist: Typist) -> None:
    typist.done("mkdir", "/old")
    typist.done("mkdir", "/old/inner")
    (last, *_) = typist.records(HistoryRecord, "log", "-n", "1")
    assert last.date is not None
    time.sleep(0.01)
    typist.done("rename", "/old", "new")
    assert typist.done("ls") == "new/\n"
    assert typist.done("ls", "--at", last.date) == "old/\n"
    assert typist.done("ls", "-R", "--at", last.date) == "/old/\n/old/inner/\n"
    assert typist.done("ls", "/old", "--at", last.date) == "inner/\n"
    code, _ = typist.refused("ls", "/new", "--at", last.date)
    assert code != 0


def test_differences_between_two_moments_name_old_and_new_paths(typist: Typist, tmp_path: Path) -> None:
    typist.done("mkdir", "/old", "/gone")
    (tmp_path / "a.txt").write_text("one")
    typist.done("put", str(tmp_path / "a.txt"), "/old")
    (last, *_) = typist.records(HistoryRecord, "log", "-n", "1")
    assert last.date is not None
    time.sleep(0.01)
    (tmp_path / "a.txt").write_text("three")
    typist.done("put", str(tmp_path / "a.txt"), "/old")
    typist.done("rename", "/old", "new")
    typist.done("rm", "/gone")
    typist.done("mkdir", "/came")
    found = {one.old_path or one.new_path: one for one in typist.records(DifferenceRecord, "diff", "--from", last.date)}
    assert {path: one.kinds for path, one in found.items()} == {
        "/old/a.txt": ["content"],
        "/old": ["renamed"],
        "/gone": ["removed"],
        "/came": ["added"],
    }
    changed = found["/old/a.txt"]
    assert (changed.new_path, changed.old_size_bytes, changed.new_size_bytes) == ("/new/a.txt", 3, 5)
    assert changed.device_key
    assert "/old/ → /new/" in typist.done("diff", "--from", last.date)
    assert [one.kinds for one in typist.records(DifferenceRecord, "diff", "/gone", "--from", last.date)] == [
        ["removed"]
    ]
    assert typist.records(DifferenceRecord, "diff", "--from", last.date, "--to", last.date) == []
    code, said = typist.refused("diff", "--from", "1h", "--to", "2h")
    assert code == 2
    assert "--to is before --from" in said

    typist.done("get", "/old", str(tmp_path / "then"), "--at", last.date)
    assert (tmp_path / "then" / "old" / "a.txt").read_text() == "one"
    assert typist.done("cat", "/old/a.txt", "--at", last.date) == "one"
    assert typist.done("ls", "/old/*.txt", "--at", last.date) == "a.txt\n"


NOW = datetime(2026, 11, 18, 12, 0).astimezone()  # a Wednesday


@pytest.mark.parametrize(
    ("text", "when"),
    [
        ("now", NOW),
        ("yesterday", NOW - timedelta(days=1)),
        ("2 hours ago", NOW - timedelta(hours=2)),
        ("an hour ago", NOW - timedelta(hours=1)),
        ("30 min ago", NOW - timedelta(minutes=30)),
        ("3 days ago", NOW - timedelta(days=3)),
        ("last week", NOW - timedelta(days=7)),
        ("2w", NOW - timedelta(weeks=2)),
        ("today", datetime(2026, 11, 18).astimezone()),
        ("Yesterday 14:30", datetime(2026, 11, 17, 14, 30).astimezone()),
        ("tuesday", datetime(2026, 11, 17).astimezone()),
        ("Wednesday at 13:00", datetime(2026, 11, 11, 13).astimezone()),
        ("last wednesday", datetime(2026, 11, 11).astimezone()),
        ("9:15", datetime(2026, 11, 18, 9, 15).astimezone()),
        ("23:00", datetime(2026, 11, 17, 23).astimezone()),
        ("2026-11-01", datetime(2026, 11, 1).astimezone()),
        ("2026-11-01 14:00", datetime(2026, 11, 1, 14).astimezone()),
        ("2026-11-01T14:00:00Z", datetime(2026, 11, 1, 14, tzinfo=UTC)),
    ],
)
def test_moments_are_named_as_people_say_them(text: str, when: datetime) -> None:
    assert parse_moment(text, NOW) == when.timestamp() * 1000


@pytest.mark.parametrize("text", ["", "soon", "25:00", "yesterday noon", "999999w ago", "2026-13-01", "９d"])
def test_what_is_no_moment_is_refused(text: str) -> None:
    assert parse_moment(text, NOW) is None


def test_history_is_kept_for_as_long_as_the_account_chooses(typist: Typist) -> None:
    typist.done("mkdir", "/a")
    first = typist.record(HistoryDaysRecord, "account", "history")
    assert (first.days, first.days_max, first.size_bytes) == (30, 30, 0)
    assert typist.refused("account", "history", "7", "--password-stdin", stdin=PASSWORD)[0] == 2, "nobody was asked"
    assert typist.refused("account", "history", "7", "--yes", "--password-stdin", stdin="wrong")[0] == 5
    assert "for 7 days" in typist.done("account", "history", "7", "--yes", "--password-stdin", stdin=PASSWORD)
    assert typist.record(HistoryDaysRecord, "account", "history", "9").days == 9, "more days take no password"
    assert typist.record(HistoryDaysRecord, "account", "history", "--default").days == 30
    assert typist.refused("account", "history", "7", "--forget")[0] == 2
    assert "a" in typist.done("log")
    typist.done("account", "history", "--forget", "--yes", "--password-stdin", stdin=PASSWORD)
    assert "/a" not in typist.done("log")

"""What changed, and folders as they were."""

import time

import pytest
from tests.cli.typing_commands import Typist

from skyshelf.cli.base.file_records import HistoryRecord
from skyshelf.cli.base.params import Time


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


@pytest.mark.parametrize(("text", "seconds"), [("yesterday", 86400), ("2 hours ago", 7200), ("3 days ago", 3 * 86400)])
def test_moments_are_named_as_people_say_them(text: str, seconds: int) -> None:
    assert abs(Time().convert(text, None, None) / 1000 - (time.time() - seconds)) < 60

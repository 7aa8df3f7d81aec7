"""Notifications on the desktop: only what somebody has to see, and no name is read by a shell or as markup."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from skyshelf.client.errors import LocalFileError, NetworkError
from skyshelf.desktop.sync import notifications
from skyshelf.desktop.sync.actions import SyncEvent
from skyshelf.desktop.sync.notifications import Notifications, show
from skyshelf.desktop.sync.rounds import SyncResult, TooManyDeletions

HOSTILE = "$(touch owned) `touch owned` <b>\"; touch owned' \u202e\n--icon=x"


@pytest.fixture
def shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], list[str]]:
    """Put a program of some name in the place of the system's, and return its arguments and our variables."""

    def shown(program: str) -> list[str]:
        programs, seen = tmp_path / program, tmp_path / f"{program}.seen"
        programs.mkdir()
        script = programs / program
        script.write_text(
            f'#!/bin/sh\nprintf "%s\\0" "$@" "title=$SKYSHELF_TITLE" "text=$SKYSHELF_TEXT" > {seen}\n', encoding="utf-8"
        )
        script.chmod(0o755)
        monkeypatch.setenv("PATH", str(programs))
        monkeypatch.chdir(tmp_path)
        assert show(HOSTILE)
        assert not (tmp_path / "owned").exists()
        return seen.read_text(encoding="utf-8").split("\0")[:-1]

    return shown


@pytest.mark.skipif(os.name != "posix", reason="the programs are scripts of a shell")
def test_names_are_arguments_without_markup_and_control_characters(shown: Callable[[str], list[str]]) -> None:
    text = HOSTILE.replace("\u202e", "\\u202e").replace("\n", "\\x0a")
    assert shown("osascript")[-4:-2] == ["Skyshelf", text]
    arguments = shown("notify-send")
    assert arguments[1:3] == ["--", "Skyshelf"]
    assert "&lt;b&gt;" in arguments[3]
    assert "<" not in arguments[3]
    powershell = shown("powershell")
    assert powershell[-1] == f"text={text}"
    assert "owned" not in "".join(powershell[:-1])


def test_a_system_without_notifications_and_a_program_that_fails_stop_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert not show("anything")
    failing = tmp_path / "notify-send"
    failing.write_text("#!/bin/sh\nexit 1\n")
    failing.chmod(0o755)
    assert not show("anything")


def test_conflicts_new_failures_and_questions_are_shown_once() -> None:
    told: list[str] = []
    notices = Notifications("Documents", told.append)

    def run(*failures: str, conflicts: tuple[str, ...] = (), error: Exception | None = None) -> list[str]:
        told.clear()

        def sync() -> SyncResult:
            for path in conflicts:
                notices.note(SyncEvent(kind="conflict", path=path))
            notices.note(SyncEvent(kind="upload", path="quiet"))
            if error is not None:
                raise error
            return SyncResult(failures=[(path, LocalFileError("no")) for path in failures])

        if error is None:
            notices.run(sync)
        else:
            with pytest.raises(type(error)):
                notices.run(sync)
        return list(told)

    assert run() == []
    assert run("a") == ["Documents: not synced: a"]
    assert run("a") == []
    assert run("a", "b") == ["Documents: not synced: b"]
    assert run(conflicts=("1", "2", "3", "4", "5")) == [
        "Documents: kept twice, because both sides changed it: 1, 2, 3 and 2 more"
    ]
    assert run(error=NetworkError("gone")) == []
    question = TooManyDeletions("9 of 9 files would be deleted here")
    assert run(error=question) == ["Documents is not synced: 9 of 9 files would be deleted here"]
    assert run(error=question) == []


def test_long_texts_are_cut() -> None:
    assert notifications._LENGTH_MAX < 1_000

"""Which files are executable: the same on both sides, as far as both keep that."""

import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.desktop.sync.both_sides import TOP, Put, in_index, keys, md5, remote_hashes, run, sync

from skyshelf.client.objects.outcomes import BatchResult, Outcome
from skyshelf.client.sync_client import Client
from skyshelf.desktop.sync import modes
from skyshelf.desktop.sync.local_side import LocalSide
from skyshelf.desktop.sync.local_tree import STATE_FOLDER
from skyshelf.wire.resources.changes import ServerEpoch


def make_executable(path: Path, is_executable: bool = True) -> None:
    path.chmod(0o755 if is_executable else 0o644)


def is_executable(path: Path) -> bool:
    return bool(path.stat().st_mode & stat.S_IXUSR)


def executables(client: Client) -> set[str]:
    return {found.path.strip("/") for found in client.walk(TOP) if found.object.is_executable}


@pytest.fixture
def second(client: Client, synced: Path, tmp_path: Path) -> Path:
    """Another computer, in sync, too."""
    folder = tmp_path / "second"
    folder.mkdir()
    sync(client, folder)
    return folder


def test_a_new_program_is_one_on_both_computers(client: Client, synced: Path, second: Path) -> None:
    (synced / "run").write_text("#!/bin/sh\n")
    make_executable(synced / "run")
    assert sync(client, synced) == ["upload run", "mode remote run"]
    assert executables(client) == {"run"}
    assert sync(client, second) == ["download run"]
    assert is_executable(second / "run")
    assert not is_executable(second / "a.txt")
    assert sync(client, synced) == sync(client, second) == []


def test_many_programs_are_transferred_together(client: Client, synced: Path, second: Path) -> None:
    for number in range(25):
        (synced / f"{number}.sh").write_text(f"{number}")
        make_executable(synced / f"{number}.sh", number % 2 == 0)
    sync(client, synced)
    wanted = {f"{number}.sh" for number in range(0, 25, 2)}
    assert executables(client) == wanted
    sync(client, second)
    assert {path.name for path in second.glob("*.sh") if is_executable(path)} == wanted
    assert sync(client, synced) == sync(client, second) == []


@pytest.mark.parametrize("wanted", [True, False])
def test_a_change_travels_without_a_version(client: Client, synced: Path, second: Path, wanted: bool) -> None:
    make_executable(synced / "deep/b.txt")
    assert sync(client, synced) == ["mode remote deep/b.txt"]
    assert sync(client, second) == ["mode local deep/b.txt"]
    assert is_executable(second / "deep/b.txt")
    if not wanted:
        make_executable(second / "deep/b.txt", False)
        assert sync(client, second) == ["mode remote deep/b.txt"]
        assert sync(client, synced) == ["mode local deep/b.txt"]
    assert is_executable(synced / "deep/b.txt") is wanted
    assert executables(client) == ({"deep/b.txt"} if wanted else set())
    assert client.get(keys(client)["deep/b.txt"]).version == 1
    assert sync(client, synced) == sync(client, second) == []


def test_a_changed_mode_does_not_read_the_file_again_later(client: Client, synced: Path, second: Path) -> None:
    make_executable(synced / "a.txt")
    sync(client, synced)
    sync(client, second)
    os.utime(second / "a.txt", ns=(10**18, 10**18))
    sync(client, second)
    read: list[str] = []
    assert sync(client, second, hashed=lambda path, _: read.append(path)) == []
    assert read == []


def test_what_is_executable_on_one_side_is_so_on_both_without_a_common_state(
    client: Client, synced: Path, second: Path
) -> None:
    make_executable(synced / "a.txt")
    sync(client, synced)
    in_index(second, "UPDATE entries SET is_executable = NULL")
    make_executable(second / "deep/b.txt")
    assert sync(client, second) == ["mode local a.txt", "mode remote deep/b.txt"]
    sync(client, synced)
    for folder in (synced, second):
        assert is_executable(folder / "a.txt")
        assert is_executable(folder / "deep/b.txt")


def test_a_first_sync_of_equal_folders_merges_modes(client: Client, synced: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    (copy / "deep").mkdir(parents=True)
    (copy / "a.txt").write_text("one")
    (copy / "deep/b.txt").write_text("two")
    make_executable(copy / "a.txt")
    assert sync(client, copy) == ["mode remote a.txt"]
    assert sync(client, copy) == []
    assert sync(client, synced) == ["mode local a.txt"]


def test_an_edit_by_another_app_leaves_a_program_one(client: Client, synced: Path, there: Put) -> None:
    make_executable(synced / "a.txt")
    sync(client, synced)
    there("a.txt", b"edited")
    assert sync(client, synced) == ["download a.txt"]
    assert is_executable(synced / "a.txt")
    assert sync(client, synced) == []


def test_a_file_that_another_app_made_again_is_a_program_again(client: Client, synced: Path, there: Put) -> None:
    make_executable(synced / "a.txt")
    sync(client, synced)
    client.move_to_trash([keys(client)["a.txt"]])
    there("a.txt", b"one")
    assert sync(client, synced) == ["mode remote a.txt"]
    assert is_executable(synced / "a.txt")


def test_an_edit_and_a_mode_of_two_computers_are_both_kept(client: Client, synced: Path, second: Path) -> None:
    make_executable(synced / "a.txt")
    sync(client, synced)
    (second / "a.txt").write_text("edited")
    assert sync(client, second) == ["upload a.txt", "mode local a.txt"]
    assert sync(client, synced) == ["download a.txt"]
    assert is_executable(synced / "a.txt")
    assert is_executable(second / "a.txt")
    assert (synced / "a.txt").read_text() == "edited"


def test_a_program_that_was_renamed_and_one_that_came_back_stay_programs(client: Client, synced: Path) -> None:
    make_executable(synced / "a.txt")
    sync(client, synced)
    (synced / "a.txt").rename(synced / "c.txt")
    sync(client, synced)
    key = keys(client)["c.txt"]
    client.move_to_trash([key])
    assert sync(client, synced) == ["trash local c.txt"]
    client.restore([key])
    sync(client, synced)
    assert executables(client) == {"c.txt"}
    assert is_executable(synced / "c.txt")


@pytest.mark.parametrize("bit", [stat.S_ISUID, stat.S_ISGID, stat.S_ISVTX])
def test_files_with_special_rights_are_left_alone(client: Client, synced: Path, bit: int) -> None:
    (synced / "a.txt").chmod(0o755 | bit)
    assert sync(client, synced) == []
    assert executables(client) == set()
    client.set_executable([keys(client)["a.txt"]])
    (synced / "a.txt").chmod(0o644 | bit)
    assert sync(client, synced) == []
    assert stat.S_IMODE((synced / "a.txt").stat().st_mode) == 0o644 | bit


@pytest.mark.parametrize(("before", "after"), [(0o600, 0o700), (0o640, 0o750), (0o444, 0o555)])
def test_those_who_may_read_a_program_may_run_it(client: Client, synced: Path, before: int, after: int) -> None:
    (synced / "a.txt").chmod(before)
    sync(client, synced)
    key = keys(client)["a.txt"]
    client.set_executable([key])
    sync(client, synced)
    assert stat.S_IMODE((synced / "a.txt").stat().st_mode) == after
    client.set_executable([key], False)
    sync(client, synced)
    assert stat.S_IMODE((synced / "a.txt").stat().st_mode) == before


def test_a_file_system_without_modes_changes_none(
    client: Client, synced: Path, second: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_executable(synced / "a.txt")
    sync(client, synced)
    # As on FAT: all files have one mode, whatever is asked for.
    monkeypatch.setattr(modes, "write_probe", lambda _: None)
    (second / STATE_FOLDER / "modes").chmod(0o755)
    monkeypatch.setattr("skyshelf.desktop.sync.local_side.write_probe", lambda _: None)
    make_executable(second / "deep/b.txt")
    assert sync(client, second) == []
    assert executables(client) == {"a.txt"}
    (second / "a.txt").write_text("edited")
    assert sync(client, second) == ["upload a.txt"]
    assert executables(client) == {"a.txt"}


def test_a_server_that_does_not_keep_modes_gets_none_and_takes_none(
    client: Client, synced: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_executable(synced / "a.txt")
    sync(client, synced)
    known = client.changes.epoch

    def older(cursor: str | None = None) -> ServerEpoch:
        found = known(cursor)
        return ServerEpoch(epoch=found.epoch, cursor=found.cursor, is_cursor_known=found.is_cursor_known)

    client.set_executable([keys(client)["a.txt"]], False)
    monkeypatch.setattr(client.changes, "epoch", older)
    make_executable(synced / "deep/b.txt")
    assert sync(client, synced) == []
    assert is_executable(synced / "a.txt")
    assert executables(client) == set()


def test_a_mode_that_the_server_does_not_take_is_a_failure(
    client: Client, synced: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_executable(synced / "a.txt")
    monkeypatch.setattr(
        client,
        "set_executable",
        lambda found, *_, **__: BatchResult(tuple(Outcome(key=one.key, ok=False, message="no") for one in found)),
    )
    events, result = run(client, synced)
    assert [(event.kind, event.path) for event in events] == [("failed", "a.txt")]
    assert [path for path, _ in result.failures] == ["a.txt"]
    monkeypatch.undo()
    assert sync(client, synced) == ["mode remote a.txt"]


def test_a_program_that_is_edited_before_it_becomes_one_is_no_loss(
    client: Client, synced: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    client.set_executable([keys(client)["a.txt"]])
    original: Callable[..., Any] = os.open

    def edit_first(path: Any, flags: int, *args: Any, **options: Any) -> int:
        if Path(path) == synced / "a.txt" and flags & os.O_NOFOLLOW and not (synced / "edited").exists():
            (synced / "edited").touch()
            (synced / "a.txt").write_text("edited now")
        return int(original(path, flags, *args, **options))

    monkeypatch.setattr(os, "open", edit_first)
    _, result = run(client, synced)
    assert result.failures == []
    monkeypatch.undo()
    sync(client, synced)
    assert remote_hashes(client)["a.txt"] == md5(b"edited now")
    assert is_executable(synced / "a.txt")


def test_a_link_in_place_of_a_program_is_not_followed(
    client: Client, synced: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    outside = tmp_path / "outside"
    outside.write_text("one")
    outside.chmod(0o644)
    client.set_executable([keys(client)["a.txt"]])
    original = LocalSide.set_executable

    def link_first(side: LocalSide, *args: Any) -> os.stat_result:
        (synced / "a.txt").unlink()
        (synced / "a.txt").symlink_to(outside)
        return original(side, *args)

    monkeypatch.setattr(LocalSide, "set_executable", link_first)
    run(client, synced)
    assert stat.S_IMODE(outside.stat().st_mode) == 0o644
    assert executables(client) == {"a.txt"}

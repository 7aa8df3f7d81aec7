"""What a bulk download replaces is kept for as long as the caller wants, and removed by its age alone."""

import asyncio
import os
from datetime import UTC, datetime, timedelta, tzinfo
from pathlib import Path

import pytest
from tests.client.downloading import client_of, files_below

from skyshelf.client.download.bulk import run as run_module
from skyshelf.client.download.bulk.replaced import FOREVER
from skyshelf.client.errors import ServerStateError
from skyshelf.client.local.names import REPLACED_FOLDER
from skyshelf.client.transfers import TransferSummary
from skyshelf.testing.server import TestAccount

pytest_plugins = ["skyshelf.testing.fixtures"]

QUARTER = timedelta(days=90)


def copy(
    account: TestAccount, destination: Path, *, keep: timedelta | None = QUARTER, overwrite: bool = False
) -> TransferSummary:
    async def work() -> TransferSummary:
        async with client_of(account.session) as client:
            return await client.download_all(destination, keep_replaced=keep, overwrite=overwrite)

    return asyncio.run(work())


def kept(destination: Path) -> list[tuple[str, bytes]]:
    """What was kept: the path below the folder of its run, and the content."""
    folder = destination / REPLACED_FOLDER
    found = files_below(folder) if folder.exists() else {}
    return sorted((path.partition("/")[2], content) for path, content in found.items())


def run_of(age: timedelta) -> str:
    return (datetime.now(UTC) - age).strftime("%Y-%m-%dT%H%M%SZ")


@pytest.fixture
def copied(skyshelf_account: TestAccount, tmp_path: Path) -> TestAccount:
    """An account with 12 files in three folders and at the top, and its copy."""
    for folder in [skyshelf_account.root_key, *skyshelf_account.add_folders(["one", "two", "three"])]:
        skyshelf_account.add_files([(f"{name}.txt", b"new " * 100 + name.encode()) for name in "abc"], folder)
    assert copy(skyshelf_account, tmp_path).ok
    return skyshelf_account


def test_a_server_with_older_contents_takes_nothing_from_the_copy(copied: TestAccount, tmp_path: Path) -> None:
    before = files_below(tmp_path)
    for name in "abc":
        copied.add_file(f"{name}.txt", b"old " + name.encode())
    folder = copied.add_folder("four")
    copied.add_file("d.txt", b"d", folder)
    summary = copy(copied, tmp_path)
    assert (summary.ok, summary.done, summary.replaced) == (True, 4, 3)
    assert (tmp_path / "a.txt").read_bytes() == b"old a"
    assert kept(tmp_path) == [(f"{name}.txt", before[f"{name}.txt"]) for name in "abc"]


def test_a_kept_file_has_the_path_that_it_had(copied: TestAccount, tmp_path: Path) -> None:
    before = files_below(tmp_path)
    for folder in copied.add_folders(["deep"]):
        copied.add_file("e.txt", b"first", copied.add_folder("deeper", folder))
    copy(copied, tmp_path)
    (tmp_path / "two" / "a.txt").write_bytes(b"my own words")
    (tmp_path / "deep" / "deeper" / "e.txt").write_bytes(b"mine too")
    summary = copy(copied, tmp_path, overwrite=True)
    assert (summary.ok, summary.done, summary.replaced) == (True, 2, 2)
    assert kept(tmp_path) == [("deep/deeper/e.txt", b"mine too"), ("two/a.txt", b"my own words")]
    assert (tmp_path / "two" / "a.txt").read_bytes() == before["two/a.txt"]


def test_two_runs_of_one_second_keep_both_contents(copied: TestAccount, tmp_path: Path) -> None:
    for content in (b"second", b"third", b"fourth"):
        copied.add_file("a.txt", content)
        assert copy(copied, tmp_path).replaced == 1
    assert kept(tmp_path) == [("a.txt", b"new " * 100 + b"a"), ("a.txt", b"second"), ("a.txt", b"third")]


def test_where_links_do_not_work_files_are_moved(
    copied: TestAccount, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_links(*_: object, **__: object) -> None:
        raise PermissionError(1, "no links here")

    monkeypatch.setattr(os, "link", no_links)
    copied.add_file("a.txt", b"second")
    assert copy(copied, tmp_path).replaced == 1
    assert kept(tmp_path) == [("a.txt", b"new " * 100 + b"a")]
    assert (tmp_path / "a.txt").read_bytes() == b"second"


def test_what_cannot_be_kept_is_not_replaced(copied: TestAccount, tmp_path: Path) -> None:
    (tmp_path / REPLACED_FOLDER).write_bytes(b"a file where the folder should be")
    before = files_below(tmp_path)
    copied.add_file("a.txt", b"second")
    summary = copy(copied, tmp_path)
    assert [failure.path for failure in summary.failed] == ["a.txt", REPLACED_FOLDER]
    assert files_below(tmp_path)["a.txt"] == before["a.txt"]


def test_a_link_in_the_place_of_the_kept_files_is_not_followed(copied: TestAccount, tmp_path: Path) -> None:
    outside = tmp_path / "elsewhere"
    (outside / run_of(2 * QUARTER)).mkdir(parents=True)
    destination = tmp_path / "copy"
    copy(copied, destination)
    (destination / REPLACED_FOLDER).symlink_to(outside)
    copied.add_file("a.txt", b"second")
    copy(copied, destination)
    assert (destination / "a.txt").read_bytes() != b"second"
    assert len(list(outside.iterdir())) == 1


def test_runs_are_removed_by_their_age_alone(copied: TestAccount, tmp_path: Path) -> None:
    folder = tmp_path / REPLACED_FOLDER
    names = [run_of(QUARTER + timedelta(days=1)), run_of(QUARTER - timedelta(days=1)), "2001-99-99T000000Z", "mine"]
    for name in names:
        (folder / name / "deep").mkdir(parents=True)
        (folder / name / "deep" / "a.txt").write_bytes(b"kept")
    assert copy(copied, tmp_path, keep=None).ok
    assert copy(copied, tmp_path, keep=FOREVER).ok
    assert sorted(path.name for path in folder.iterdir()) == sorted(names)
    assert copy(copied, tmp_path).ok
    assert sorted(path.name for path in folder.iterdir()) == sorted(names[1:])
    assert (folder / names[1] / "deep" / "a.txt").read_bytes() == b"kept"


@pytest.mark.parametrize(("changed", "is_stopped"), [(12, True), (9, False)])
def test_a_server_where_many_files_are_older_than_their_copies_ends_the_run(
    skyshelf_account: TestAccount, tmp_path: Path, changed: int, *, is_stopped: bool
) -> None:
    destination = tmp_path / "copy"

    def put(words: str, count: int, at: int) -> None:
        for number in range(count):
            path = tmp_path / f"{number}.txt"
            path.write_text(f"{words} {number}")
            os.utime(path, (at, at))

        async def work() -> None:
            async with client_of(skyshelf_account.session) as client:
                for number in range(count):
                    await client.upload(tmp_path / f"{number}.txt")

        asyncio.run(work())

    async def again() -> TransferSummary:
        async with client_of(skyshelf_account.session) as client:
            return await client.download_all(destination, stop_at_older=True)

    put("new", 12, 1_700_000_000)
    assert asyncio.run(again()).ok
    put("older", changed, 1_600_000_000)
    summary = asyncio.run(again())
    assert isinstance(summary.stopped_by, ServerStateError) is is_stopped
    assert (destination / "0.txt").read_text() == ("new 0" if is_stopped else "older 0")


@pytest.mark.parametrize("year", [1970, 2099])
def test_a_clock_that_is_wrong_for_one_run_removes_nothing(
    copied: TestAccount, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, year: int
) -> None:
    class WrongClock(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> "WrongClock":
            return cls(year, 1, 2, tzinfo=tz)

    copied.add_file("a.txt", b"other")
    assert copy(copied, tmp_path).replaced == 1
    copied.add_file("b.txt", b"other")
    with monkeypatch.context() as patching:
        patching.setattr(run_module, "datetime", WrongClock)
        assert copy(copied, tmp_path).replaced == 1
    assert copy(copied, tmp_path).ok
    assert [path for path, _ in kept(tmp_path)] == ["a.txt", "b.txt"]

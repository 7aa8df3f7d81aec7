"""A dry run of a bulk download: the same choice of files, and nothing written."""

import asyncio
from pathlib import Path

import pytest
from tests.client.downloading import client_of, files_below

from skyshelf.client.objects.remote_object import RemoteObject
from skyshelf.client.transfers import TransferEvent, TransferSummary
from skyshelf.testing.server import TestAccount

pytest_plugins = ["skyshelf.testing.fixtures"]


@pytest.fixture
def filled(skyshelf_account: TestAccount) -> TestAccount:
    photos = skyshelf_account.add_folder("Photos")
    year = skyshelf_account.add_folder("2024", photos)
    skyshelf_account.add_file("a.txt", b"a")
    skyshelf_account.add_file("b.jpg", b"b" * 1000, photos)
    skyshelf_account.add_file("c.jpg", b"c" * 3000, year)
    return skyshelf_account


def run(
    account: TestAccount, destination: Path, *, dry_run: bool, without: str | None = None
) -> tuple[TransferSummary, list[TransferEvent]]:
    events: list[TransferEvent] = []

    def chosen(path: str, _found: RemoteObject) -> bool:
        return path != without

    async def work() -> TransferSummary:
        async with client_of(account.session) as client:
            return await client.download_all(destination, dry_run=dry_run, select=chosen, progress=events.append)

    return asyncio.run(work()), events


def queued(events: list[TransferEvent]) -> set[str]:
    return {event.path for event in events if event.kind == "queued"}


def test_a_dry_run_lists_what_the_run_would_fetch_and_creates_nothing(filled: TestAccount, tmp_path: Path) -> None:
    destination = tmp_path / "copy"
    would, told = run(filled, destination, dry_run=True)
    assert not destination.exists()
    assert (would.queued, would.bytes_queued, would.done) == (3, 4001, 0)
    assert queued(told) == {"a.txt", "Photos/b.jpg", "Photos/2024/c.jpg"}
    does, heard = run(filled, destination, dry_run=False)
    assert (does.done, does.queued) == (3, 3)
    assert queued(heard) == queued(told)
    kinds = [event.kind for event in heard]
    assert max(number for number, kind in enumerate(kinds) if kind == "queued") < kinds.index("all_listed")


def test_a_dry_run_knows_what_is_there_and_leaves_it_alone(filled: TestAccount, tmp_path: Path) -> None:
    run(filled, tmp_path, dry_run=False)
    (tmp_path / "Photos" / "b.jpg").unlink()
    (tmp_path / "a.txt").write_text("mine")
    before = {path: path.stat().st_mtime_ns for path in sorted(tmp_path.rglob("*"))}
    would, told = run(filled, tmp_path, dry_run=True)
    assert {path: path.stat().st_mtime_ns for path in sorted(tmp_path.rglob("*"))} == before
    assert queued(told) == {"Photos/b.jpg"}
    assert would.skipped == 1
    assert [failure.path for failure in would.failed] == ["a.txt"]


def test_a_dry_run_into_an_empty_folder_leaves_it_empty(filled: TestAccount, tmp_path: Path) -> None:
    run(filled, tmp_path, dry_run=True)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("without", "left"),
    [
        ("Photos", {"a.txt"}),
        ("Photos/2024", {"a.txt", "Photos/b.jpg"}),
        ("Photos/2024/c.jpg", {"a.txt", "Photos/b.jpg"}),
        ("c.jpg", {"a.txt", "Photos/b.jpg", "Photos/2024/c.jpg"}),
    ],
)
def test_what_is_not_chosen_by_its_path_is_not_fetched(
    filled: TestAccount, tmp_path: Path, without: str, left: set[str]
) -> None:
    run(filled, tmp_path, dry_run=False, without=without)
    assert files_below(tmp_path).keys() == left


def test_a_folder_that_is_not_selected_is_not_listed(filled: TestAccount, tmp_path: Path) -> None:
    summary, _ = run(filled, tmp_path, dry_run=True, without="Photos")
    assert summary.folders == 1

"""Many deletions need a consent, which is valid for one run."""

from pathlib import Path

import pytest
from tests.desktop.sync.both_sides import TOP, remote_hashes, run, same, sync

from skyshelf.client.sync_client import Client
from skyshelf.desktop.sync.rounds import TooManyDeletions, TwoWaySync


def test_most_files_are_not_deleted_without_a_question(client: Client, here: Path) -> None:
    for number in range(12):
        (here / f"{number}.txt").write_text(str(number))
    sync(client, here)
    for number in range(11):
        (here / f"{number}.txt").unlink()
    (here / "new.txt").write_text("new")
    with pytest.raises(TooManyDeletions, match=r"11 of 12 files would be deleted on the server\. Nothing was changed"):
        run(client, here)
    assert len(remote_hashes(client)) == 12
    asked: list[str] = []

    def agree(sentence: str) -> bool:
        asked.append(sentence)
        return True

    sync(client, here, may_delete=agree)
    assert asked == ["11 of 12 files would be deleted on the server"]
    assert same(client, here)


def test_a_count_is_a_limit_too(client: Client, synced: Path) -> None:
    (synced / "a.txt").unlink()
    with pytest.raises(TooManyDeletions):
        run(client, synced, max_delete=0)


def write_all(here: Path, count: int) -> None:
    for number in range(count):
        (here / f"{number}.txt").write_text(str(number))


def delete_all(here: Path) -> None:
    for path in here.glob("*.txt"):
        path.unlink()


def test_a_small_folder_is_not_emptied_without_a_question(client: Client, synced: Path) -> None:
    """An empty folder may be a disk that is not mounted."""
    (synced / "a.txt").unlink()
    (synced / "deep/b.txt").unlink()
    with pytest.raises(TooManyDeletions, match="2 of 2 files would be deleted on the server"):
        run(client, synced)
    assert len(remote_hashes(client)) == 3
    sync(client, synced, may_delete=lambda _: True)
    assert remote_hashes(client) == {"deep": None}


def test_every_run_asks_again(client: Client, here: Path) -> None:
    """A watch is one process with many runs, and who agreed to one deletion has not agreed to the next one."""
    asked: list[str] = []

    def agree_once(sentence: str) -> bool:
        asked.append(sentence)
        return len(asked) == 1

    syncing = TwoWaySync(client, here, TOP, may_delete=agree_once)
    try:
        for _ in range(2):
            write_all(here, 12)
            syncing.run()
            delete_all(here)
            if not asked:
                syncing.run()
        with pytest.raises(TooManyDeletions, match="12 of 12"):
            syncing.run()
    finally:
        syncing.close()
    assert len(asked) == 2
    assert len(remote_hashes(client)) == 12


def test_a_consent_is_asked_for_once_in_a_run_of_several_rounds(client: Client, here: Path) -> None:
    write_all(here, 12)
    (here / "kept.md").write_text("kept")
    sync(client, here)
    delete_all(here)
    (here / "kept.md").rename(here / "moved.md")
    asked: list[str] = []

    def agree(sentence: str) -> bool:
        asked.append(sentence)
        return True

    sync(client, here, may_delete=agree)
    assert asked == ["12 of 13 files would be deleted on the server"]
    assert same(client, here)

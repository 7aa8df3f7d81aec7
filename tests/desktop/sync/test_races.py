"""Somebody else writes to the server between a plan and its uploads: both contents are kept, each under a name."""

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.desktop.sync.both_sides import TOP, Tree, hashes, local_tree, put, remote_hashes, run

from skyshelf.client.sync_client import Client
from skyshelf.desktop.sync.bulk import BULK_FROM
from skyshelf.desktop.sync.events import SyncEvent
from skyshelf.desktop.sync.rounds import TwoWaySync

SMALL, LARGE = 10, 5 << 20
"""Sent in one request, and in chunks."""


def once(work: Callable[[], None]) -> Callable[[], None]:
    waiting = [work]
    return lambda: waiting.pop()() if waiting else None


def conflicts(tree: Tree) -> list[bytes | None]:
    return [content for path, content in tree.items() if "(conflict " in path]


@pytest.mark.parametrize("size", [SMALL, LARGE])
def test_an_edit_in_the_moment_of_the_upload_is_a_conflict(
    client: Client, here: Path, tmp_path: Path, size: int
) -> None:
    (here / "a.txt").write_text("one")
    run(client, here)
    mine = b"mine " * (size // 5)
    (here / "a.txt").write_bytes(mine)
    # The content is hashed when the server's side has been read.
    race = once(lambda: put(client, tmp_path, "a.txt", b"theirs"))
    _, result = run(client, here, hashed=lambda _path, _done: race())
    assert result.failures == []
    tree = local_tree(here)
    assert (tree["a.txt"], conflicts(tree)) == (b"theirs", [mine])
    assert hashes(tree) == remote_hashes(client)
    versions = [one.version for one in client.versions.list(f"{TOP}/a.txt").obj_versions or []]
    assert versions == [2, 1], "nothing was put over their edit"


@pytest.mark.parametrize("count", [1, BULK_FROM])
def test_a_new_file_whose_name_is_taken_in_the_moment_of_the_upload_is_a_conflict(
    client: Client, here: Path, tmp_path: Path, count: int
) -> None:
    (here / "folder").mkdir()
    for number in range(count):
        (here / f"{number}.txt").write_text(f"mine {number}")
    race = once(lambda: put(client, tmp_path, "0.txt", b"theirs"))

    def report(event: SyncEvent) -> None:
        # Folders are created after the plan is made, and before files are sent.
        if event.kind == "create remote folder":
            race()

    syncing = TwoWaySync(client, here, TOP, report=report)
    try:
        assert syncing.run().failures == []
    finally:
        syncing.close()
    tree = local_tree(here)
    assert (tree["0.txt"], conflicts(tree)) == (b"theirs", [b"mine 0"])
    assert hashes(tree) == remote_hashes(client)
    assert [one.version for one in client.versions.list(f"{TOP}/0.txt").obj_versions or []] == [1]
    assert list(client.uploads.unfinished()) == []

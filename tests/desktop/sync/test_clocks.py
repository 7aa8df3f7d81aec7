"""Clocks that are wrong for a while: what is kept for some days is kept that long."""

import errno
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from tests.desktop.sync.both_sides import TOP, Put, in_local_trash, keys

from skyshelf.client.sync_client import Client
from skyshelf.desktop.sync.local_side import TRASH
from skyshelf.desktop.sync.rounds import TwoWaySync

NOW = datetime(2026, 11, 19, 12, tzinfo=UTC)
Sync = Callable[[datetime, datetime | None], None]


@pytest.fixture
def sync_at(client: Client, synced: Path, monkeypatch: pytest.MonkeyPatch) -> Sync:
    """A sync with the clocks of this computer and of the server."""

    def sync(here: datetime, there: datetime | None) -> None:
        monkeypatch.setattr(Client, "server_time", there)
        syncing = TwoWaySync(client, synced, TOP, now=here.astimezone)
        try:
            assert syncing.run().failures == []
        finally:
            syncing.close()

    return sync


@pytest.mark.parametrize("wrong", [datetime(1970, 1, 2, tzinfo=UTC), datetime(2099, 1, 1, tzinfo=UTC)])
@pytest.mark.parametrize("is_here", [True, False])
def test_a_clock_that_is_wrong_for_one_sync_empties_no_trash(
    client: Client, synced: Path, there: Put, sync_at: Sync, wrong: datetime, is_here: bool
) -> None:
    def sync_with_wrong_clock() -> None:
        sync_at(wrong, NOW) if is_here else sync_at(NOW, wrong)

    there("a.txt", b"edited there")
    sync_at(NOW, NOW)
    client.move_to_trash([keys(client)["deep/b.txt"]])
    sync_with_wrong_clock()
    sync_at(NOW + timedelta(minutes=1), NOW + timedelta(minutes=1))
    assert in_local_trash(synced) == {"a.txt": b"one", "deep/b.txt": b"two"}


def test_a_trash_that_cannot_be_read_stops_no_sync(
    client: Client, synced: Path, there: Put, sync_at: Sync, monkeypatch: pytest.MonkeyPatch
) -> None:
    listed = Path.iterdir

    def iterdir(path: Path) -> Iterator[Path]:
        if path.name == TRASH:
            raise OSError(errno.EIO, "Input/output error", str(path))
        return listed(path)

    there("a.txt", b"edited there")
    with monkeypatch.context() as patched:
        patched.setattr(Path, "iterdir", iterdir)
        sync_at(NOW, NOW)
    assert in_local_trash(synced) == {"a.txt": b"one"}


@pytest.mark.parametrize("has_clock", [True, False])
def test_the_trash_is_emptied_after_its_days(
    client: Client, synced: Path, there: Put, sync_at: Sync, has_clock: bool
) -> None:
    there("a.txt", b"edited there")
    sync_at(NOW, NOW if has_clock else None)
    for days, kept in ((30, {"a.txt": b"one"}), (32, {})):
        later = NOW + timedelta(days=days)
        sync_at(later, later if has_clock else None)
        assert in_local_trash(synced) == kept

"""A server that was restored, moved or went back to an older state: the sync stops, and later takes nothing."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.client.serving import ClientServer, begin_epoch
from tests.desktop.sync.both_sides import TOP, hashes, in_local_trash, local_tree, put, remote_hashes, run, sync
from tests.foreign.quirk import NO_QUIRK
from tests.foreign.server import foreign_server
from tests.releases.sample import run_admin

from skyshelf.client.errors import ServerStateError
from skyshelf.client.sync_client import Client
from skyshelf.desktop.sync.actions import SyncEvent
from skyshelf.desktop.sync.rounds import TwoWaySync
from skyshelf.testing.server import TestServer


class Rewindable:
    """A server whose data can be put back, as the snapshot of a machine or an old copy of the folder puts them back."""

    def __init__(self, server: TestServer) -> None:
        self.server = server
        self._saved = server.data.with_name("saved")
        self._port = int(server.url.rpartition(":")[2])

    def save(self) -> None:
        self.server.stop()
        shutil.rmtree(self._saved, ignore_errors=True)
        shutil.copytree(self.server.data, self._saved)
        self.server.start(self._port)

    def restore(self, cut: Path) -> None:
        """Start the server with a store that `skyshelf admin restore` makes of a backup."""
        self.server.stop()
        self.server.data = self.server.data.with_name("restored")
        run_admin("restore", str(cut), "--data", str(self.server.data))
        self.server.start(self._port)

    def put_back(self) -> None:
        self.server.stop()
        shutil.rmtree(self.server.data)
        shutil.copytree(self._saved, self.server.data)
        self.server.start(self._port)

    def begin_epoch(self) -> None:
        self.server.stop()
        run_admin("epoch", "begin", "--reason", "put back", "--data", str(self.server.data))
        self.server.start(self._port)


@pytest.fixture
def rewindable(tmp_path: Path) -> Iterator[Rewindable]:
    with TestServer(tmp_path / "data") as server:
        yield Rewindable(server)


@pytest.fixture
def owner(rewindable: Rewindable) -> Iterator[Client]:
    session = rewindable.server.add_account("ada@example.org").session
    with Client(
        session.server,
        auth_token=session.auth_token,
        user_id=session.user_id,
        device_key=session.device_key,
        retry_wait=0.01,
    ) as client:
        yield client


@pytest.mark.whole
def test_a_server_that_went_back_stops_the_sync_and_then_gets_what_is_newer_here(
    rewindable: Rewindable, owner: Client, here: Path
) -> None:
    (here / "deep").mkdir()
    for name in ("a.txt", "b.txt", "deep/c.txt", "deep/d.txt"):
        (here / name).write_text(f"old {name}")
    sync(owner, here)
    rewindable.save()
    for name in ("a.txt", "deep/c.txt"):
        (here / name).write_text(f"newer words in {name}")
    (here / "new").mkdir()
    (here / "new" / "e.txt").write_text("e")
    (here / "b.txt").rename(here / "new" / "b.txt")
    sync(owner, here)
    before = local_tree(here)
    rewindable.put_back()

    for _ in range(2):
        with pytest.raises(ServerStateError, match=r"gone back to an older state\. Nothing was changed.*--accept-"):
            run(owner, here, may_delete=lambda _: True)
    assert local_tree(here) == before
    dry = TwoWaySync(owner, here, TOP, dry_run=True, accept_server_state=True)
    kinds = {step.kind for step in dry.plan().steps}
    dry.close()
    assert not kinds & {"trash local", "trash remote"}
    assert "upload" in kinds

    done = sync(owner, here, accept_server_state=True)
    assert not [one for one in done if one.startswith(("trash", "conflict"))]
    after = local_tree(here)
    assert hashes(after) == remote_hashes(owner)
    assert before.items() <= after.items()
    assert in_local_trash(here) == {}
    assert sync(owner, here) == []
    # Consent is for one run.
    rewindable.put_back()
    with pytest.raises(ServerStateError):
        sync(owner, here)


@pytest.mark.whole
def test_what_both_sides_changed_after_the_server_went_back_is_kept_twice(
    rewindable: Rewindable, owner: Client, here: Path, tmp_path: Path
) -> None:
    (here / "a.txt").write_text("old")
    sync(owner, here)
    rewindable.save()
    (here / "a.txt").write_text("newer")
    sync(owner, here)
    rewindable.put_back()
    for words in ("somebody else's", "somebody else's, again"):
        (tmp_path / "a.txt").write_text(words)
        owner.upload(tmp_path / "a.txt", TOP)
    sync(owner, here, accept_server_state=True)
    assert set(local_tree(here).values()) == {b"newer", b"somebody else's, again"}
    assert hashes(local_tree(here)) == remote_hashes(owner)


def interrupt_after(client: Client, here: Path, done: str) -> None:
    """Run a sync that ends with Ctrl-C as soon as it has done something."""

    def report(event: SyncEvent) -> None:
        if f"{event.kind} {event.path}" == done:
            raise KeyboardInterrupt

    syncing = TwoWaySync(client, here, TOP, workers=1, report=report)
    with pytest.raises(KeyboardInterrupt):
        syncing.run()
    syncing.close()


@pytest.mark.whole
def test_an_upload_of_an_interrupted_sync_that_the_server_lost_is_not_taken_for_an_edit_there(
    rewindable: Rewindable, owner: Client, here: Path
) -> None:
    (here / "a.txt").write_text("old")
    sync(owner, here)
    rewindable.save()
    (here / "a.txt").write_text("newer words")
    interrupt_after(owner, here, "upload a.txt")
    rewindable.put_back()
    with pytest.raises(ServerStateError, match="1 of 1 files has gone back to older contents on the server"):
        sync(owner, here)
    assert local_tree(here) == {"a.txt": b"newer words"}
    assert sync(owner, here, accept_server_state=True) == ["upload a.txt"]
    assert hashes(local_tree(here)) == remote_hashes(owner)


@pytest.mark.whole
def test_an_upload_of_an_interrupted_sync_that_a_restored_server_lacks_is_not_taken_for_a_deletion_there(
    rewindable: Rewindable, owner: Client, here: Path
) -> None:
    (here / "a.txt").write_text("a")
    sync(owner, here)
    rewindable.save()
    (here / "b.txt").write_text("b")
    interrupt_after(owner, here, "upload b.txt")
    rewindable.put_back()
    rewindable.begin_epoch()
    assert sync(owner, here, accept_server_state=True) == ["upload b.txt"]
    assert hashes(local_tree(here)) == remote_hashes(owner)


@pytest.mark.whole
def test_later_edits_on_a_server_that_was_accepted_do_not_look_older(
    rewindable: Rewindable, owner: Client, here: Path, tmp_path: Path
) -> None:
    (here / "a.txt").write_text("1")
    sync(owner, here)
    rewindable.save()
    for words in ("12", "123", "1234"):
        (here / "a.txt").write_text(words)
        sync(owner, here)
    rewindable.put_back()
    assert sync(owner, here, accept_server_state=True) == ["upload a.txt"]
    put(owner, tmp_path, "a.txt", b"edited there")
    assert sync(owner, here) == ["download a.txt"]
    assert local_tree(here) == {"a.txt": b"edited there"}


@pytest.mark.whole
def test_a_program_stays_one_after_the_server_went_back(rewindable: Rewindable, owner: Client, here: Path) -> None:
    for name in ("run", "other.txt"):
        (here / name).write_text(name)
    sync(owner, here)
    rewindable.save()
    (here / "run").chmod(0o755)
    # It is moved in one round, and modes are set in the next.
    (here / "other.txt").rename(here / "renamed.txt")
    sync(owner, here)
    rewindable.put_back()
    assert "mode remote run" in sync(owner, here, accept_server_state=True)
    assert (here / "run").stat().st_mode & 0o111 == 0o111
    assert {found.path.strip("/") for found in owner.walk(TOP) if found.object.is_executable} == {"run"}


@pytest.mark.whole
def test_a_server_restored_from_a_backup_says_so_and_gets_what_is_newer_here(
    rewindable: Rewindable, owner: Client, here: Path, tmp_path: Path
) -> None:
    server, cut = rewindable.server, tmp_path / "cut"
    (here / "a.txt").write_text("old")
    sync(owner, here)
    run_admin("backup", str(cut), "--data", str(server.data))
    (here / "a.txt").write_text("newer words")
    (here / "b.txt").write_text("b")
    sync(owner, here)
    before = local_tree(here)
    rewindable.restore(cut)
    with pytest.raises(ServerStateError, match=r"The server was restored on \d{4}-\d\d-\d\d from a backup of \d{4}-"):
        sync(owner, here)
    assert local_tree(here) == before
    assert sorted(sync(owner, here, accept_server_state=True)) == ["upload a.txt", "upload b.txt"]
    assert local_tree(here) == before
    assert hashes(before) == remote_hashes(owner)


def test_a_moved_server_says_so_and_is_accepted_once(desktop_host: ClientServer, client: Client, here: Path) -> None:
    write = desktop_host.ctx.metadata.write
    (here / "a.txt").write_text("a")
    sync(client, here)
    write(begin_epoch)
    with pytest.raises(ServerStateError, match="The server has other data than before"):
        sync(client, here)
    assert sync(client, here, accept_server_state=True) == []
    assert sync(client, here) == []
    write(begin_epoch)
    with pytest.raises(ServerStateError):
        sync(client, here)
    assert sync(client, here, start_over=True) == []


def test_many_files_that_went_back_on_a_server_without_epochs_stop_the_sync(here: Path) -> None:
    with foreign_server() as server, Client(**server.settings, retry_wait=0.01, lag=0.0) as client:
        server.begin(NO_QUIRK)
        files = [entry for entry in server.drive.entries.values() if not entry.is_folder]
        for file in files:
            file.version = 3
        assert run(client, here, path="/")[1].failures == []
        before = local_tree(here)
        for file in files[:2]:
            file.content, file.version = b"older", 2
        files[2].content, files[2].version = b"edited", 4
        events, _ = run(client, here, path="/")
        assert sorted(event.kind for event in events) == ["download"] * 3
        before = local_tree(here)
        for file in files:
            file.content, file.version = b"very old", 1
        with pytest.raises(ServerStateError, match=r"5 of 5 files have gone back to older contents"):
            run(client, here, path="/")
        assert local_tree(here) == before

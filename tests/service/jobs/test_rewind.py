"""A script destroys most of an account, and a rewind brings it back, while somebody else works.

`--rewound-files 100000` is the size that was promised; it takes minutes.
"""

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
from tests.conformance.metadata.backends import BACKENDS
from tests.conformance.metadata.making import make_account, make_folder, new_file, put_file
from tests.real_parts import shared

from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.history.rewinds import rewind as status
from skyshelf.service.history.rewinds import start_rewind, undo_rewind
from skyshelf.service.jobs.runner import REWIND_JOBS, JobRunner
from skyshelf.storage.metadata.contracts.accounts import Account
from skyshelf.storage.metadata.contracts.tree import Rename, StoredObject, Trash, TreeChange
from skyshelf.storage.metadata.store import Unit
from skyshelf.storage.open import embedded_urls, open_blobs
from skyshelf.wire.resources.rewind import Rewind, RewindRequest

FOLDERS, AT_ONCE = 10, 500
SCRIPT, OWNER = f"{'5' * 32}/{'a' * 16}", f"{'6' * 32}/{'b' * 16}"
Tree = dict[str, tuple[str, str | None, bool]]


@pytest.fixture(params=list(BACKENDS))
def ctx(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[ServiceContext]:
    with BACKENDS[request.param](tmp_path, shared.postgres) as backend:
        metadata, blobs = backend.open(), open_blobs(embedded_urls(tmp_path / "blobs")[1])
        yield ServiceContext(metadata=metadata, blobs=blobs)
        metadata.close()
        blobs.close()


class Drive:
    """An account with folders full of files, and what happened to them."""

    def __init__(self, ctx: ServiceContext, files: int) -> None:
        self.ctx, self.store = ctx, ctx.metadata
        self.account = make_account(self.store)
        self.folders = [
            make_folder(self.store, self.account, self.account.root_key, f"folder {number}")
            for number in range(FOLDERS)
        ]
        self.files: list[StoredObject] = []
        for folder in self.folders:
            for start in range(0, files // FOLDERS, AT_ONCE):
                self._put(folder, range(start, min(start + AT_ONCE, files // FOLDERS)), "first")

    def _put(self, folder: StoredObject, numbers: range, words: str, actor: str = OWNER) -> None:
        new = [
            new_file(folder.object_key, f"{number}.txt", f"{words} {folder.name} {number}".encode())
            for number in numbers
        ]

        def work(unit: Unit) -> list[StoredObject]:
            unit.act_as(actor)
            put = unit.files.put_each(self.account.account_id, new, self.ctx.clock.now(), keep_versions=20)
            return [one.object for one in put if not isinstance(one, Exception)]

        stored = self.store.write(work)
        assert len(stored) == len(new)
        if words == "first":
            self.files += stored

    def _apply(self, actor: str, changes: Sequence[TreeChange], deleted: Sequence[str] = ()) -> None:
        account_id, now = self.account.account_id, self.ctx.clock.now()

        def acting(unit: Unit) -> None:
            unit.act_as(actor)
            unit.tree.apply(account_id, changes, now)
            unit.purge.mark_for_deletion(account_id, deleted, now)

        self.store.write(acting)

    def destroy(self) -> None:
        """Six of ten files: overwritten, renamed, or deleted for good. The owner renames one of ten others."""
        each = len(self.files) // FOLDERS
        for number, folder in enumerate(self.folders):
            mine = self.files[number * each : (number + 1) * each]
            self._put(folder, range(0, each // 5), "scrambled", SCRIPT)
            for start in range(each // 5, each * 6 // 10, AT_ONCE):
                some = mine[start : min(start + AT_ONCE, each * 6 // 10)]
                renamed, deleted = some[::2], [one.object_key for one in some[1::2]]
                changes = [Rename(one.object_key, f"{one.name}.locked") for one in renamed]
                self._apply(SCRIPT, [*changes, *(Trash(key) for key in deleted)], deleted)
            self._apply(OWNER, [Rename(one.object_key, f"mine {one.name}") for one in mine[-each // 10 :]])

    def tree(self) -> Tree:
        """Every path with its key, its content and its mark."""
        found: Tree = {}
        with self.store.read() as unit:
            for folder in self.folders:
                after: StoredObject | None = None
                while page := unit.tree.children(self.account.account_id, folder.object_key, after=after):
                    found |= {
                        f"{folder.name}/{one.name}": (one.object_key, one.sha256, one.is_favorite) for one in page
                    }
                    after = page[-1]
        return found

    @property
    def caller(self) -> Caller:
        return Caller(
            account_id=self.account.account_id,
            account_key=self.account.account_key,
            root_key=self.account.root_key,
            first_name="Ada",
            device_key=OWNER.partition("/")[0],
            session_hash=bytes(32),
        )


class Neighbour:
    """Somebody else, who uploads all the time."""

    def __init__(self, ctx: ServiceContext) -> None:
        self.ctx = ctx
        self.account: Account = make_account(ctx.metadata)
        self.uploads = 0
        self.longest = 0.0
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._work)

    def __enter__(self) -> "Neighbour":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stopping.set()
        self._thread.join()

    def _work(self) -> None:
        while not self._stopping.wait(0.01):
            began = time.monotonic()
            put_file(self.ctx.metadata, self.account, self.account.root_key, f"{self.uploads}.txt")
            self.longest = max(self.longest, time.monotonic() - began)
            self.uploads += 1


def run(ctx: ServiceContext, caller: Caller, started: Rewind) -> Rewind:
    """Run the jobs until a rewind has ended."""
    runner = JobRunner(ctx, jobs=REWIND_JOBS, tasks=(), poll_seconds=0.1)
    runner.start()
    try:
        while (found := status(ctx, caller, started.rewind_key or "")).state in {"planning", "running"}:
            time.sleep(0.01)
    finally:
        runner.stop()
    return found


@pytest.mark.parametrize("scope", ["account", "folder", "session"])
def test_what_a_script_destroyed_comes_back_while_somebody_else_works(
    ctx: ServiceContext, scope: str, request: pytest.FixtureRequest, record_property: Callable[[str, object], None]
) -> None:
    drive = Drive(ctx, request.config.getoption("--rewound-files"))
    before, at = drive.tree(), ctx.clock.now()
    while ctx.clock.now() <= at:
        time.sleep(0.001)
    drive.destroy()
    destroyed = drive.tree()
    assert sum(destroyed.get(path) == known for path, known in before.items()) <= len(before) * 4 // 10
    body = {
        "account": RewindRequest(to=at),
        "folder": RewindRequest(to=at, folder_key=drive.folders[3].object_key),
        "session": RewindRequest(to=at, session="a" * 16),
    }[scope]
    began = time.monotonic()
    with Neighbour(ctx) as neighbour:
        ended = run(ctx, drive.caller, start_rewind(ctx, drive.caller, body))
    assert (ended.state, ended.counts and ended.counts.left) == ("done", 0)
    record_property("seconds", time.monotonic() - began)
    record_property("longest wait of another account", neighbour.longest)
    assert neighbour.uploads
    inside = f"{drive.folders[3].name}/"
    expected = {
        "account": before,
        "folder": {path: known for path, known in before.items() if path.startswith(inside)}
        | {path: known for path, known in destroyed.items() if not path.startswith(inside)},
        # What the owner renamed keeps its new name.
        "session": {
            path: known for path, known in before.items() if f"{path.replace('/', '/mine ', 1)}" not in destroyed
        }
        | {path: known for path, known in destroyed.items() if "/mine " in path},
    }[scope]
    assert drive.tree() == expected
    undone = run(ctx, drive.caller, undo_rewind(ctx, drive.caller, ended.rewind_key or ""))
    assert (undone.state, undone.counts and undone.counts.left) == ("done", 0)
    assert drive.tree() == destroyed

"""Killed at any moment, a restore of a part goes on where it was: nothing is lost, and nothing comes twice."""

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.operating.backups import Backup, opened
from tests.operating.dying import run_until_killed
from tests.operating.dying_restore import HEALING, INTO_STORE, ROWS_ONLY, TO_FOLDER
from tests.operating.folders import Tree, drive
from tests.operating.shelves import Shelf, new_shelf
from tests.operating.stacks import Stack
from tests.operating.test_doctor import problems
from tests.operating.test_restore_account import files_in, run_json
from tests.real_parts.postgres import PostgresServer

from skyshelf.storage.identity import check_identity, compare_identities

pytestmark = pytest.mark.whole

TREE: Tree = {f"folder {number // 4}/{number}.txt": b"file %d" % number for number in range(12)}


def _killed(moment: str, *arguments: str) -> None:
    run_until_killed("restore", moment, "admin", *arguments)


@pytest.fixture
def shelf(stack: Stack) -> Shelf:
    shelf = new_shelf(stack)
    check_identity(stack.ctx.metadata, stack.ctx.blobs)
    folders = {name: shelf.folder(name).object_key for name in ("folder 0", "folder 1", "folder 2")}
    for path, content in TREE.items():
        folder, _, name = path.partition("/")
        assert content is not None
        shelf.file(name, content, folders[folder])
    return shelf


@pytest.fixture
def destination(shelf: Shelf, tmp_path: Path, bucket: Callable[[], str]) -> str:
    destination = str(tmp_path / "backup") if shelf.stack.name == "sqlite+disk" else bucket()
    Backup(shelf.stack, destination, tmp_path).take()
    return destination


def test_files_of_this_machine_are_whole_or_absent(shelf: Shelf, destination: str, tmp_path: Path) -> None:
    out = tmp_path / "out"
    asked = ("restore", destination, "--account", "ada@example.org", "--to", str(out), "--work", str(tmp_path))
    for moment in TO_FOLDER:
        _killed(moment, *asked)
        named = {path: content for path, content in files_in(out).items() if not path.endswith(".part")}
        assert named.items() <= TREE.items()
    written = run_json(*asked)
    assert (written["files"] + written["unchanged"], written["problems"]) == (len(TREE), [])
    assert files_in(out) == TREE


def test_files_in_a_store_come_once(shelf: Shelf, destination: str, tmp_path: Path) -> None:
    data = tmp_path / "another"
    run_json("init", "--data", str(data))
    where = ("--data", str(data))
    asked = ("restore", destination, "--account", "ada@example.org", "--recreate", "--work", str(tmp_path))
    for moment in INTO_STORE:
        _killed(moment, *asked, *where)
    came = run_json(*asked, *where)["summary"]
    assert came["filesImported"] + came["filesUnchanged"] == len(TREE)
    assert came["versionsAdded"] == 0
    assert came["filesUnchanged"] > 0
    out = tmp_path / "out"
    # What is in the store now, by way of another backup.
    run_json("backup", str(tmp_path / "second"), *where)
    run_json("restore", str(tmp_path / "second"), "--account", "ada@example.org", "--to", str(out))
    assert files_in(out) == TREE
    assert run_json("doctor", *where)["passed"]


def test_files_beside_live_ones_come_once(shelf: Shelf, destination: str, tmp_path: Path) -> None:
    asked = ("restore", destination, "--account", "ada@example.org", "--into", "/back", "--work", str(tmp_path))
    for moment in ("rows", "preparing", "sealed", "committed"):
        _killed(moment, *asked, *shelf.stack.options)
        assert TREE.items() <= drive(shelf).items()
        assert problems(shelf.stack.ctx) == {}
    assert run_json(*asked, *shelf.stack.options)["summary"]["versionsAdded"] == 0
    assert drive(shelf) == TREE | {f"back/{path}": content for path, content in TREE.items()}


def test_rows_come_over_their_blobs(
    shelf: Shelf, destination: str, tmp_path: Path, postgres_server: Callable[[], PostgresServer]
) -> None:
    in_file = shelf.stack.name == "sqlite+disk"
    rows = (tmp_path / "new.db").as_uri() if in_file else postgres_server().unmigrated()
    with shelf.stack.ctx.metadata.read() as unit:
        contents = unit.inspection.contents("", limit=100)
    for one in contents[:6]:
        shelf.stack.ctx.blobs.delete(one.location)
    kept = {blob.location for blob in shelf.stack.ctx.blobs.list()}
    urls = rows, shelf.stack.urls[1]
    asked = ("restore", destination, "--rows-only", "--metadata", urls[0], "--blobs", urls[1])
    for moment in ROWS_ONLY:
        _killed(moment, *asked, "--work", str(tmp_path))
        assert kept <= {blob.location for blob in shelf.stack.ctx.blobs.list()}
        if moment != "identity":
            # The former database, if it turns up, can still be used.
            compare_identities(shelf.stack.ctx.metadata, shelf.stack.ctx.blobs)
    restored = run_json(*asked, "--work", str(tmp_path))
    assert (restored["resumed"], restored["files"], restored["problems"]) == (True, len(TREE), [])
    with opened(shelf, *urls) as there:
        assert drive(there) == TREE
        assert problems(there.stack.ctx) == {}


def test_healing_goes_on(shelf: Shelf, destination: str, tmp_path: Path) -> None:
    with shelf.stack.ctx.metadata.read() as unit:
        contents = unit.inspection.contents("", limit=100)
    for one in contents[:6]:
        shelf.stack.ctx.blobs.delete(one.location)
    asked = ("restore", destination, "--heal", *shelf.stack.options)
    for moment in HEALING:
        _killed(moment, *asked)
    healed = run_json(*asked)
    assert (len(healed["healed"]) in {4, 5}, healed["notHealed"]) == (True, [])
    assert drive(shelf) == TREE

"""One account, or one file of it, comes out of a cut: as files of this machine, or into the same account beside what is
there. Nothing else is shown, touched or replaced."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyrage
import pytest
from click.testing import CliRunner, Result
from tests.operating.backups import Backup, fingerprint
from tests.operating.folders import drive
from tests.operating.shelves import Shelf, new_shelf
from tests.operating.stacks import Stack
from tests.operating.test_doctor import problems

from skyshelf.cli.main import main
from skyshelf.service.accounts.accounts import find_account
from skyshelf.storage.identity import check_identity

MODIFIED = 1_600_000_000_123


def run(*arguments: str | Path, expecting: int = 0) -> Result:
    result = CliRunner().invoke(main, ["admin", *map(str, arguments)])
    assert result.exit_code == expecting, result.output
    return result


def run_json(*arguments: str | Path, expecting: int = 0) -> Any:
    return json.loads(run(*arguments, "--json", expecting=expecting).stdout)


@pytest.fixture
def ada(stack: Stack) -> Shelf:
    shelf = new_shelf(stack)
    check_identity(stack.ctx.metadata, stack.ctx.blobs)
    photos = shelf.folder("Photos")
    trip = shelf.folder("Trip", photos.object_key)
    shelf.file("sea.jpg", b"the sea, not quite sharp", trip.object_key)
    shelf.file("sea.jpg", b"the sea", trip.object_key)
    shelf.file("hill.jpg", b"a hill", trip.object_key)
    shelf.folder("empty", photos.object_key)
    shelf.file("letter.txt", b"dear reader")
    shelf.file("large.bin", bytes(range(256)) * 6_000)
    shelf.trash(shelf.file("trashed.txt", b"not in the tree").object_key)
    return shelf


@pytest.fixture
def grace(stack: Stack, ada: Shelf) -> Shelf:
    shelf = new_shelf(stack, "grace@example.org")
    shelf.file("secret.txt", b"nobody else's business")
    return shelf


@pytest.fixture(params=["plain", "encrypted"])
def backup(
    request: pytest.FixtureRequest, stack: Stack, grace: Shelf, tmp_path: Path, bucket: Callable[[], str]
) -> Backup:
    """A backup of both, in a folder for files and in a bucket for a bucket."""
    destination = str(tmp_path / "backup") if stack.name == "sqlite+disk" else bucket()
    backup = Backup(stack, destination, tmp_path, encrypted=request.param == "encrypted")
    assert backup.take().damaged == []
    return backup


@pytest.fixture
def key(backup: Backup, tmp_path: Path) -> tuple[str, ...]:
    """The options that open the backup."""
    if not backup.encrypted:
        return ()
    (tmp_path / "key.txt").write_text(str(backup.identity))
    return ("--identity", str(tmp_path / "key.txt"))


def files_in(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


# Looking


def test_cuts_accounts_folders_and_versions_are_listed(backup: Backup, key: tuple[str, ...]) -> None:
    before = fingerprint(backup.folder) if backup.folder.exists() else {}
    (cut,) = run_json("restore", backup.destination, "--list")
    assert (cut["accounts"], cut["objects"]) == (2, 9)
    listed = run_json("restore", backup.destination, "--list", "--cut", cut["id"], *key)
    assert [one["emailId"] for one in listed["accounts"]] == ["ada@example.org", "grace@example.org"]
    assert [one["objects"] for one in listed["accounts"]] == [8, 1]

    asked = ("restore", backup.destination, "--list", "--account", "ada@example.org", *key)
    root = {one["name"]: one for one in run_json(*asked)["entries"]}
    assert root.keys() == {"Photos", "letter.txt", "large.bin"}
    assert (root["Photos"]["files"], root["Photos"]["size"]) == (2, len(b"the sea") + len(b"a hill"))
    versions = run_json(*asked, "--path", "/Photos/Trip/sea.jpg")["versions"]
    assert sorted(one["size"] for one in versions) == [len(b"the sea"), len(b"the sea, not quite sharp")]
    assert "hill.jpg" in run(*asked, "--path", "Photos/Trip").stdout
    assert "has no /Photos/Moon" in run(*asked, "--path", "/Photos/Moon", expecting=2).stderr
    assert "is a file" in run(*asked, "--path", "/letter.txt/more", expecting=2).stderr
    assert (fingerprint(backup.folder) if backup.folder.exists() else {}) == before


def test_an_account_that_is_not_in_the_cut_is_named(backup: Backup, key: tuple[str, ...], tmp_path: Path) -> None:
    asked = ("restore", backup.destination, "--account", "eve@example.org", *key)
    assert "has no account eve@example.org" in run(*asked, "--to", tmp_path / "out", expecting=2).stderr
    assert not (tmp_path / "out").exists()


# Into a folder of this machine


def test_an_account_becomes_plain_files_with_their_dates(
    backup: Backup, ada: Shelf, key: tuple[str, ...], tmp_path: Path
) -> None:
    out = tmp_path / "out"
    asked = ("restore", backup.destination, "--account", "ADA@example.org", "--to", str(out), *key)
    written = run_json(*asked)
    assert (written["files"], written["problems"]) == (4, [])
    assert files_in(out) == {path: content for path, content in drive(ada).items() if content is not None}
    assert (out / "Photos" / "empty").is_dir()
    with ada.stack.ctx.metadata.read() as unit:
        letter = unit.tree.child_named(ada.id, ada.account.root_key, "letter.txt")
    assert letter is not None
    assert (out / "letter.txt").stat().st_mtime_ns // 1_000_000 == letter.last_modified_at
    # Again: everything is there.
    again = run_json(*asked)
    assert (again["files"], again["unchanged"], again["problems"]) == (0, 4, [])


def test_a_path_becomes_plain_files(backup: Backup, key: tuple[str, ...], tmp_path: Path) -> None:
    asked = ("restore", backup.destination, "--account", "ada@example.org", *key)
    run(*asked, "--path", "/Photos/Trip", "--to", tmp_path / "trip")
    assert files_in(tmp_path / "trip") == {"sea.jpg": b"the sea", "hill.jpg": b"a hill"}
    run(*asked, "--path", "/letter.txt", "--to", tmp_path / "one")
    assert files_in(tmp_path / "one") == {"letter.txt": b"dear reader"}


def test_nothing_of_this_machine_is_replaced_and_no_link_is_followed(
    backup: Backup, key: tuple[str, ...], tmp_path: Path
) -> None:
    out, outside = tmp_path / "out", tmp_path / "outside"
    out.mkdir()
    outside.mkdir()
    (out / "letter.txt").write_bytes(b"my own letter")
    (out / "Photos").symlink_to(outside)
    asked = ("restore", backup.destination, "--account", "ada@example.org", "--to", str(out), *key)
    problems_found = run_json(*asked, expecting=1)["problems"]
    assert (out / "letter.txt").read_bytes() == b"my own letter"
    assert list(outside.iterdir()) == []
    assert any("letter.txt" in one and "already exists" in one for one in problems_found)
    assert any(one.startswith("Photos") for one in problems_found)
    assert (out / "large.bin").stat().st_size == 256 * 6_000


def test_names_that_lead_elsewhere_are_made_safe(embedded: Stack, tmp_path: Path) -> None:
    shelf, backup = new_shelf(embedded), Backup(embedded, str(tmp_path / "backup"), tmp_path)
    for number, name in enumerate(("..\\..\\up.txt", "con", "a:b", "same.txt", "SAME.txt", "\u202etxt.exe")):
        shelf.file(name, b"%d" % number)
    # Names that the service would refuse, as somebody who changes the rows of a backup would choose them.
    for number, name in enumerate(("..", "../../escaped.txt", "/etc/escaped.txt", "line\nbreak")):
        stored = shelf.file(f"hostile {number}", b"hostile %d" % number)
        embedded.damage("UPDATE objects SET name = ? WHERE object_key = ?", name, bytes.fromhex(stored.object_key))
    embedded.damage("UPDATE objects SET last_modified_at = ? WHERE name = ?", 2**62, "con")
    backup.take()
    out = tmp_path / "below" / "out"
    assert run_json("restore", backup.destination, "--account", "ada@example.org", "--to", out)["files"] == 10
    assert len(files_in(out)) == 10
    assert {path.parent for path in out.rglob("*")} == {out}
    assert not list(tmp_path.glob("**/escaped.txt"))
    came = run_json("restore", backup.destination, "--account", "ada@example.org", *embedded.options, expecting=1)
    assert (came["summary"]["filesImported"], came["summary"]["failedCount"]) == (6, 4)
    restored = [path for path in drive(shelf) if path.startswith("Restored ")]
    assert len(restored) == 6
    assert not [path for path in restored if ".." in path.removeprefix("Restored ") and "up.txt" not in path]


def test_damaged_contents_are_named_and_the_rest_is_written(embedded: Stack, tmp_path: Path) -> None:
    shelf, backup = new_shelf(embedded), Backup(embedded, str(tmp_path / "backup"), tmp_path)
    bad = shelf.file("bad.txt", b"as it was")
    gone = shelf.file("gone.txt", b"soon gone")
    shelf.file("good.txt", b"good")
    backup.take()
    for stored, harm in ((bad, lambda path: path.write_bytes(b"as it is!")), (gone, Path.unlink)):
        assert stored.sha256 is not None
        harm(backup.folder / "blobs" / stored.sha256[:2] / stored.sha256)
    asked = ("restore", backup.destination, "--account", "ada@example.org")
    written = run_json(*asked, "--to", tmp_path / "out", expecting=1)
    assert files_in(tmp_path / "out") == {"good.txt": b"good"}
    assert sorted(one.partition(":")[0] for one in written["problems"]) == ["bad.txt", "gone.txt"]
    came = run_json(*asked, *embedded.options, expecting=1)
    assert sorted(one["path"] for one in came["summary"]["failed"]) == ["bad.txt", "gone.txt"]
    restored = {path: content for path, content in drive(shelf).items() if path.startswith("Restored ")}
    assert list(restored.values()) == [b"good"]


def test_damaged_rows_are_refused(embedded: Stack, tmp_path: Path) -> None:
    shelf, backup = new_shelf(embedded), Backup(embedded, str(tmp_path / "backup"), tmp_path)
    shelf.file("one.txt", b"one")
    backup.take()
    pack = next((backup.folder / "packs").iterdir())
    pack.write_bytes(pack.read_bytes()[:-1] + b"?")
    asked = ("restore", backup.destination, "--account", "ada@example.org")
    for options in (("--list",), ("--to", str(tmp_path / "out")), embedded.options):
        assert "damaged" in run(*asked, *options, expecting=2).stderr
    assert not (tmp_path / "out").exists()
    assert drive(shelf) == {"one.txt": b"one"}


# Into the store


def test_files_come_back_beside_what_is_there(backup: Backup, ada: Shelf, grace: Shelf, key: tuple[str, ...]) -> None:
    stack = ada.stack
    as_it_was = drive(ada)
    with stack.ctx.metadata.read() as unit:
        letter = unit.tree.child_named(ada.id, ada.account.root_key, "letter.txt")
    assert letter is not None
    ada.give_up(letter.object_key)
    ada.file("newer.txt", b"newer")
    before, of_grace = drive(ada), drive(grace)
    used = _used(ada)

    asked = ("restore", backup.destination, "--account", "ada@example.org", *key, *stack.options)
    came = run_json(*asked)
    # With the one that was in the trash, which has been emptied since.
    assert (came["summary"]["filesImported"], came["summary"]["trashed"]) == (5, 1)
    top = came["into"].removeprefix("/")
    found = drive(ada)
    back = {path.removeprefix(f"{top}/"): content for path, content in found.items() if path.startswith(f"{top}/")}
    assert back == as_it_was
    assert {path: content for path, content in found.items() if not path.startswith(f"{top}/")} == before
    assert drive(grace) == of_grace
    more = b"the sea, not quite sharp" + b"not in the tree"
    assert _used(ada) == used + len(more) + sum(len(content) for content in as_it_was.values() if content)
    assert came["summary"]["versionsAdded"] == 1
    assert problems(stack.ctx) == {}
    # Again: everything is there.
    again = run_json(*asked)["summary"]
    assert (again["filesImported"], again["versionsAdded"], again["filesUnchanged"]) == (0, 0, 4)
    assert drive(ada) == found


def _used(shelf: Shelf) -> int:
    with shelf.stack.ctx.metadata.read() as unit:
        return unit.quotas.get(shelf.id, shelf.stack.clock.now()).used


def test_a_path_comes_back_into_a_folder_of_ones_choice(backup: Backup, ada: Shelf, key: tuple[str, ...]) -> None:
    asked = ("restore", backup.destination, "--account", "ada@example.org", *key, *ada.stack.options)
    run(*asked, "--path", "/Photos/Trip/sea.jpg", "--into", "/Photos/back")
    assert drive(ada)["Photos/back/Photos/Trip/sea.jpg"] == b"the sea"
    # What is there with other content is left as it is.
    sea = ("--path", "/Photos/Trip/sea.jpg", "--into", "/elsewhere")
    photos = ada.folder("Trip", ada.folder("Photos", ada.folder("elsewhere").object_key).object_key)
    ada.file("sea.jpg", b"another sea, and mine", photos.object_key)
    failed = run_json(*asked, *sea, expecting=1)["summary"]["failed"]
    assert [one["path"] for one in failed] == ["Photos/Trip/sea.jpg"]
    assert drive(ada)["elsewhere/Photos/Trip/sea.jpg"] == b"another sea, and mine"


def test_a_quota_that_is_full_ends_it_and_nothing_is_lost(backup: Backup, ada: Shelf, key: tuple[str, ...]) -> None:
    before = drive(ada)
    quota = _used(ada) + 30
    run("user", "set-quota", "ada@example.org", str(quota), *ada.stack.options[:4])
    asked = ("restore", backup.destination, "--account", "ada@example.org", *key, *ada.stack.options)
    assert "set-quota" in run(*asked, expecting=2).stderr
    assert before.items() <= drive(ada).items()
    run("user", "set-quota", "ada@example.org", "1GiB", *ada.stack.options[:4])
    assert run_json(*asked)["summary"]["failedCount"] == 0


@pytest.fixture
def without_ada(stack: Stack, tmp_path: Path) -> tuple[str, ...]:
    """Options of another store, which has never had Ada."""
    data = tmp_path / "another"
    run("init", "--data", data)
    return ("--data", str(data))


def test_an_account_that_no_longer_exists_comes_back_under_its_address(
    backup: Backup, ada: Shelf, key: tuple[str, ...], without_ada: tuple[str, ...], tmp_path: Path
) -> None:
    asked = ("restore", backup.destination, "--account", "ada@example.org", *key, *without_ada)
    assert "--recreate" in run(*asked, expecting=2).stderr
    came = run_json(*asked, "--recreate")
    # With the one in the trash.
    assert (came["isNewAccount"], came["into"], came["summary"]["filesImported"]) == (True, "/", 5)
    # An interrupted run goes on with the account that it has made.
    assert run_json(*asked, "--recreate")["summary"]["filesUnchanged"] == 4
    shown = run_json("user", "show", "ada@example.org", *without_ada)
    assert shown["userId"] == ada.account.account_key
    run("user", "show", "grace@example.org", *without_ada, expecting=1)
    run("doctor", *without_ada)


def test_another_persons_account_with_the_address_gets_nothing(
    backup: Backup, key: tuple[str, ...], without_ada: tuple[str, ...]
) -> None:
    name = ("--first-name", "Ada", "--last-name", "Other")
    run("user", "invite", "ada@example.org", *name, *without_ada)
    asked = ("restore", backup.destination, "--account", "ada@example.org", *key, *without_ada)
    for options in ((), ("--recreate",)):
        assert "another account now" in run(*asked, *options, expecting=2).stderr
    assert run_json("user", "show", "ada@example.org", *without_ada)["objects"] == 0


def test_recreating_an_account_that_exists_is_refused(backup: Backup, ada: Shelf, key: tuple[str, ...]) -> None:
    before = drive(ada)
    asked = ("restore", backup.destination, "--account", "ada@example.org", *key, *ada.stack.options)
    assert "leave out --recreate" in run(*asked, "--recreate", expecting=2).stderr
    assert drive(ada) == before


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("--list", "--heal"), "choose one"),
        (("--path", "/a"), "--account"),
        (("--to", "out"), "--account"),
        (("--account", "a@b", "--rows-only"), "leave out --account"),
        (("--account", "a@b", "--to", "out", "--into", "/x"), "choose one"),
        (("--account", "a@b", "--list", "--to", "out"), "restores nothing"),
        (("--deep",), "--heal"),
    ],
)
def test_options_that_contradict_each_other_are_refused(
    options: tuple[str, ...], sentence: str, tmp_path: Path
) -> None:
    result = CliRunner().invoke(main, ["admin", "restore", str(tmp_path), *options])
    assert result.exit_code == 2
    assert sentence in result.stderr


def test_an_encrypted_cut_needs_its_identity(embedded: Stack, tmp_path: Path) -> None:
    shelf = new_shelf(embedded)
    shelf.file("one.txt", b"one")
    backup = Backup(embedded, str(tmp_path / "backup"), tmp_path, encrypted=True)
    backup.take()
    (tmp_path / "other.txt").write_text(str(pyrage.x25519.Identity.generate()))
    asked = ("restore", backup.destination, "--account", "ada@example.org", "--list")
    assert "--identity" in run(*asked, expecting=2).stderr
    assert "none of the identities" in run(*asked, "--identity", tmp_path / "other.txt", expecting=2).stderr
    (tmp_path / "key.txt").write_text(str(backup.identity))
    assert "one.txt" in run(*asked, "--identity", tmp_path / "key.txt").stdout


def test_the_account_of_a_changed_address_is_still_the_same(embedded: Stack, tmp_path: Path) -> None:
    shelf, backup = new_shelf(embedded), Backup(embedded, str(tmp_path / "backup"), tmp_path)
    shelf.file("one.txt", b"one")
    backup.take()
    embedded.damage("UPDATE accounts SET email = ?, email_folded = ?", "byron@example.org", "byron@example.org")
    came = run_json("restore", backup.destination, "--account", "ada@example.org", *embedded.options)
    assert came["emailId"] == "byron@example.org"
    assert find_account(embedded.ctx, "byron@example.org").account_id == shelf.id
    assert len(drive(shelf)) == 2

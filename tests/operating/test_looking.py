"""Commands that only look change nothing: no row, no file, no folder, and no schema."""

import json
import os
import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import apsw
import pytest
from click.testing import CliRunner, Result
from tests.operating.shelves import new_shelf, one_of_everything
from tests.operating.stacks import Stack
from tests.real_parts.programs import root_alone

from skyshelf.cli.main import main
from skyshelf.storage.access import Access
from skyshelf.storage.errors import ReadOnly, StoreUnavailable
from skyshelf.storage.metadata.sql.migrate import newest
from skyshelf.storage.metadata.sqlite.store import SqliteStore
from skyshelf.storage.open import METADATA_FILE, embedded_urls, open_blobs, open_metadata, open_stores

LOOKS = (
    ("doctor",),
    ("doctor", "--deep", "--json"),
    ("user", "ls"),
    ("user", "show", "ada@example.org"),
    ("promotion", "ls"),
    ("banner", "ls"),
    ("brake", "ls"),
    ("quarantine", "ls"),
    ("settings", "show"),
    ("read-only", "status"),
    ("scrub", "status"),
    ("import", str(Path(__file__).parents[1] / "requirements"), "--user", "ada@example.org", "--dry-run"),
)


def _title(command: tuple[str, ...]) -> str:
    """Without paths of this machine."""
    return " ".join(word for word in command if not word.startswith("/"))


def admin(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["admin", *arguments])


def files_in(folder: Path) -> dict[str, tuple[int, int, bytes]]:
    """Everything about a folder that a command could change; the index of SQLite's log is no data."""
    return {
        str(path.relative_to(folder)): (
            path.stat().st_size,
            path.stat().st_mtime_ns,
            path.read_bytes() if path.is_file() and not path.name.endswith("-shm") else b"",
        )
        for path in [folder, *folder.rglob("*")]
        if not path.name.endswith("-shm")
    }


@pytest.fixture
def copy(embedded: Stack, tmp_path: Path) -> Path:
    """A copy of a store at rest, with one of everything, made by its server."""
    one_of_everything(embedded)
    embedded.ctx.metadata.close()
    embedded.ctx.blobs.close()
    shutil.copytree(tmp_path / "data", tmp_path / "copy")
    return tmp_path / "copy"


def older(folder: Path) -> Path:
    """Make a store as a server of the previous version left it."""
    with apsw.Connection(str(folder / METADATA_FILE)) as connection:
        connection.execute("DELETE FROM schema_migrations WHERE number = ?", (newest(),)).close()
    connection.close()
    return folder


def newer(folder: Path) -> Path:
    with apsw.Connection(str(folder / METADATA_FILE)) as connection:
        connection.execute("INSERT INTO schema_migrations VALUES (?, 'later', 0)", (newest() + 1,)).close()
    connection.close()
    return folder


@pytest.mark.parametrize("command", LOOKS, ids=_title)
def test_looking_at_a_store_changes_nothing(copy: Path, command: tuple[str, ...]) -> None:
    before = files_in(copy)
    looked = admin(*command, "--data", str(copy))
    assert looked.exit_code == 0, looked.output
    assert files_in(copy) == before


@pytest.mark.parametrize("command", [*LOOKS, ("user", "disable", "ada@example.org")], ids=_title)
@pytest.mark.parametrize("make", [older, newer])
def test_a_store_of_another_version_is_refused_and_stays_as_it_is(copy: Path, make, command: tuple[str, ...]) -> None:  # type: ignore[no-untyped-def]
    make(copy)
    before = files_in(copy)
    refused = admin(*command, "--data", str(copy))
    assert refused.exit_code == (2 if command[0] in {"doctor", "scrub"} else 1)
    assert "schema version" in refused.stderr
    assert ("skyshelf admin upgrade" if make is older else "install the Skyshelf that wrote it") in refused.stderr
    assert files_in(copy) == before


def test_a_copy_with_a_log_that_nobody_uses_is_read_with_it(embedded: Stack, tmp_path: Path) -> None:
    one_of_everything(embedded)
    copy = tmp_path / "copy"
    shutil.copytree(tmp_path / "data", copy, ignore=shutil.ignore_patterns("*-shm"))
    assert (copy / f"{METADATA_FILE}-wal").stat().st_size > 0
    before = files_in(copy)
    found = admin("doctor", "--deep", "--data", str(copy))
    assert found.exit_code == 0, found.output
    assert "1 account," in found.output
    assert files_in(copy) == before
    assert not (copy / f"{METADATA_FILE}-shm").exists()


def test_a_store_in_use_is_read_beside_its_server(stack: Stack) -> None:
    one_of_everything(stack)
    metadata, blobs = open_stores(*stack.urls, access=Access.LOOK)
    try:
        with metadata.read() as unit:
            accounts = len(unit.accounts.list(after_id=0, limit=10))
        new_shelf(stack, "later@example.org")
        with metadata.read() as unit:
            assert len(unit.accounts.list(after_id=0, limit=10)) == accounts + 1
        with pytest.raises(ReadOnly):
            metadata.write(lambda unit: unit.settings.set("anything", b"1"))
        with pytest.raises(ReadOnly):
            blobs.put([b"bytes"])
        with pytest.raises(ReadOnly), blobs.uploading("0" * 32) as upload:
            upload.append([b"bytes"], after=None)
        location = next(blobs.list()).location
        with pytest.raises(ReadOnly):
            blobs.delete(location)
    finally:
        metadata.close()
        blobs.close()


def test_a_file_that_comes_into_use_while_it_is_read_as_a_file_at_rest_is_no_longer_believed(copy: Path) -> None:
    looking = SqliteStore(copy / METADATA_FILE, access=Access.LOOK)
    server = SqliteStore(copy / METADATA_FILE)
    try:
        with server.read(), pytest.raises(StoreUnavailable, match="run the command again"), looking.read() as unit:
            unit.settings.get("anything")
    finally:
        looking.close()
        server.close()


def test_halves_without_an_identity_do_not_get_one_from_somebody_who_looks(copy: Path) -> None:
    (copy / "blobs" / "identity").unlink(missing_ok=True)
    with apsw.Connection(str(copy / METADATA_FILE)) as connection:
        connection.execute("DELETE FROM settings WHERE name = 'store.identity'").close()
    connection.close()
    assert admin("doctor", "--data", str(copy)).exit_code == 0
    assert not (copy / "blobs" / "identity").exists()


@pytest.fixture
def guest() -> Iterator[None]:
    """Somebody who may read and not write, as on a read-only medium."""
    root_alone()
    os.seteuid(54321)
    yield
    os.seteuid(0)


def let_everybody_read(folder: Path) -> None:
    closed = [parent for parent in folder.parents if parent.stat().st_mode & 0o005 != 0o005]
    for path in [*closed, folder, *folder.rglob("*")]:
        path.chmod(path.stat().st_mode | (0o555 if path.is_dir() else 0o444))


def test_somebody_who_may_only_read_can_look(copy: Path, request: pytest.FixtureRequest) -> None:
    let_everybody_read(copy)
    request.getfixturevalue("guest")
    assert admin("user", "ls", "--data", str(copy)).exit_code == 0
    looked = admin("doctor", "--deep", "--data", str(copy))
    assert looked.exit_code == 0, looked.output
    refused = admin("user", "disable", "ada@example.org", "--data", str(copy))
    assert refused.exit_code == 1
    assert "run the command as that user" in refused.stderr


def test_the_owner_of_a_folder_of_blobs_counts_as_well(
    embedded: Stack, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    let_everybody_read(tmp_path / "data")
    request.getfixturevalue("guest")
    elsewhere = ("--metadata", "postgresql://127.0.0.1:1/nothing", *embedded.options)
    refused = admin("import", "/tmp", "--user", "ada@example.org", *elsewhere)
    assert refused.exit_code == 1
    assert "belongs to the user root: run the command as that user" in refused.stderr


# Exit codes of the doctor


def outcome(*arguments: str) -> tuple[int, str]:
    result = admin("doctor", "--json", *arguments)
    return result.exit_code, json.loads(result.stdout)["outcome"]


def test_the_exit_code_tells_health_from_damage_and_from_no_check(stack: Stack, tmp_path: Path) -> None:
    everything = one_of_everything(stack)
    assert outcome(*stack.options) == (0, "well")
    stack.ctx.blobs.delete(everything.shelf.location(everything.letter))
    assert outcome(*stack.options) == (1, "damage")
    assert outcome(*stack.options, "--repair") == (1, "damage")
    assert outcome("--data", str(tmp_path / "nowhere")) == (2, "not checked")
    assert not (tmp_path / "nowhere").exists()
    assert admin("doctor", "--no-such-option").exit_code == 2


def test_what_is_not_a_store_of_ours_was_not_checked(copy: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    metadata, blobs = embedded_urls(other)
    for half in open_stores(metadata, blobs):
        half.close()
    assert outcome("--data", str(other)) == (0, "well")
    # Halves of two stores.
    assert outcome("--data", str(other), "--blobs", (copy / "blobs").as_uri()) == (2, "not checked")
    assert outcome("--metadata", "postgresql://127.0.0.1:1/nothing", "--data", str(copy)) == (2, "not checked")
    (other / METADATA_FILE).write_bytes(b"no database at all")
    assert outcome("--data", str(other)) == (2, "not checked")
    (other / METADATA_FILE).unlink()
    assert outcome("--data", str(other)) == (2, "not checked")
    assert not (other / METADATA_FILE).exists()


def test_a_damaged_database_file_is_damage_whichever_check_meets_it(copy: Path) -> None:
    path = copy / METADATA_FILE
    with apsw.Connection(str(path)) as connection:
        page = connection.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'versions'").get
        size = connection.pragma("page_size")
    connection.close()
    with path.open("r+b") as file:
        file.seek((page - 1) * size)
        file.write(b"\xff" * size)
    assert outcome("--data", str(copy)) == (1, "damage")


# What is in flight, and what a copy holds of it


def test_a_copy_made_during_uploads_is_well(embedded: Stack, tmp_path: Path) -> None:
    """Its rows are of one moment and its blobs of a later one: uploads have ended, and files have come."""
    everything = one_of_everything(embedded)
    unfinished = everything.shelf.upload("film.mp4", 100, b"a chunk")
    everything.shelf.file("new.txt", b"came after the rows were copied")
    data, copy = tmp_path / "data", tmp_path / "copy"
    copy.mkdir()
    source, target = apsw.Connection(str(data / METADATA_FILE)), apsw.Connection(str(copy / METADATA_FILE))
    target.backup("main", source, "main").step()
    source.close()
    target.close()
    embedded.ctx.blobs.discard(unfinished)
    everything.shelf.file("newer.txt", b"came after that")
    shutil.copytree(data / "blobs", copy / "blobs")
    long_ago = time.time() - 90 * 86400
    for blob in (copy / "blobs").rglob("*-*"):
        os.utime(blob, (long_ago, long_ago))
    looked = admin("doctor", "--deep", "--data", str(copy))
    assert looked.exit_code == 0, looked.output
    assert "“film.mp4”" in looked.output
    assert "its client starts over (no damage)" in looked.output
    # Without the folder of unfinished uploads, as docs/operating.md copies it.
    shutil.rmtree(copy / "blobs" / "uploads")
    assert admin("doctor", "--deep", "--data", str(copy)).exit_code == 0


def test_a_folder_that_is_missing_is_not_created_by_a_command_that_writes(tmp_path: Path) -> None:
    with pytest.raises(StoreUnavailable):
        open_metadata((tmp_path / "none" / METADATA_FILE).as_uri(), Access.WRITE)
    with pytest.raises(StoreUnavailable):
        open_blobs((tmp_path / "none" / "blobs").as_uri(), Access.WRITE)
    assert list(tmp_path.iterdir()) == []

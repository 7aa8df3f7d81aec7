"""A cut is served read-only: people list and download what they had, and nothing in the backup changes."""

import hashlib
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.cli.serving import Serving, run, serving
from tests.operating.backups import Backup, fingerprint
from tests.operating.shelves import Shelf, new_shelf
from tests.operating.stacks import Stack
from tests.real_parts import commands
from tests.server.api import PASSWORD

from skyshelf.storage.identity import check_identity

pytestmark = pytest.mark.whole

LARGE = bytes(range(256)) * 80_000


@pytest.fixture
def shelf(stack: Stack) -> Shelf:
    shelf = new_shelf(stack)
    check_identity(stack.ctx.metadata, stack.ctx.blobs)
    shelf.file("letter.txt", b"dear reader", shelf.folder("Letters").object_key)
    shelf.file("large.bin", LARGE)
    new_shelf(stack, "grace@example.org").file("secret.txt", b"nobody else's business")
    return shelf


class _Person:
    """Somebody who uses the command line."""

    def __init__(self, server: Serving, home: Path) -> None:
        self._environment = {"HOME": str(home), "XDG_CONFIG_HOME": str(home), "PATH": os.environ["PATH"]}
        self._environment["SKYSHELF_RETRIES"] = "0"
        self._home = home
        home.mkdir()
        self("login", "--server", f"http://127.0.0.1:{server.port}", "ada@example.org", "--password-stdin")

    def __call__(self, *arguments: str, expecting: int = 0) -> str:
        ended = commands.run(
            arguments, stdin=f"{PASSWORD}\n", environment=self._environment, folder=self._home, timeout=120
        )
        assert ended.returncode == expecting or expecting < 0 < ended.returncode, ended.stderr
        return ended.stdout + ended.stderr


@pytest.mark.parametrize("encrypted", [False, True], ids=["plain", "encrypted"])
def test_a_cut_is_browsed_and_changes_nothing(
    shelf: Shelf, tmp_path: Path, bucket: Callable[[], str], *, encrypted: bool
) -> None:
    in_folder = shelf.stack.name == "sqlite+disk"
    destination = str(tmp_path / "backup") if in_folder else bucket()
    backup = Backup(shelf.stack, destination, tmp_path, encrypted)
    backup.take()
    (tmp_path / "key.txt").write_text(str(backup.identity))
    shelf.file("since then.txt", b"newer than the cut")
    before = _stored(backup)
    options = ("--identity", str(tmp_path / "key.txt")) if encrypted else ()
    command = ("admin", "restore", destination, "--serve", "--work", str(tmp_path))
    with serving(*options, command=command) as server:
        ada = _Person(server, tmp_path / "home")
        listed = ada("ls", "/")
        assert "Letters" in listed
        assert "large.bin" in listed
        assert "since then" not in listed
        assert "secret" not in listed
        ada("get", "/Letters/letter.txt")
        ada("get", "/large.bin")
        assert (tmp_path / "home" / "letter.txt").read_bytes() == b"dear reader"
        assert hashlib.sha256((tmp_path / "home" / "large.bin").read_bytes()).digest() == hashlib.sha256(LARGE).digest()
        (tmp_path / "home" / "new.txt").write_text("new")
        assert "for viewing only" in ada("put", "new.txt", "/", expecting=-1)
        assert "is a backup of" in server.client.get("/readyz").text
        assert server.client.get("/").status_code == 200, "the web client"
        assert [path for path in tmp_path.glob("skyshelf-cut-*") if "-kept-" not in path.name]
        assert server.stop() == 0
    assert _stored(backup) == before
    left = [path for path in tmp_path.glob("skyshelf-cut-*") if "-kept-" not in path.name]
    assert not left, "the rows that logins were written to are gone when it ends"
    assert list(tmp_path.glob("skyshelf-cut-kept-*")) == [] or not encrypted


def _stored(backup: Backup) -> object:
    if backup.folder.is_dir():
        return fingerprint(backup.folder)
    with backup.place() as place:
        return {
            kept.name: hashlib.sha256(b"".join(place.read(kept.name, kept.size))).digest() for kept in place.list("")
        }


def test_damage_is_never_served(embedded: Stack, tmp_path: Path) -> None:
    shelf, backup = new_shelf(embedded), Backup(embedded, str(tmp_path / "backup"), tmp_path)
    bad = shelf.file("bad.txt", b"as it was")
    backup.take()
    assert bad.sha256 is not None
    (backup.folder / "blobs" / bad.sha256[:2] / bad.sha256).write_bytes(b"otherwise")
    with serving(command=("admin", "restore", backup.destination, "--serve", "--work", str(tmp_path))) as server:
        ada = _Person(server, tmp_path / "home")
        ada("get", "/bad.txt", expecting=-1)
        assert not (tmp_path / "home" / "bad.txt").exists()
    pack = next((backup.folder / "packs").iterdir())
    pack.write_bytes(pack.read_bytes()[:-1] + b"?")
    ended = run("admin", "restore", backup.destination, "--serve", "--port", "0")
    assert ended.returncode == 2
    assert "damaged" in ended.stderr

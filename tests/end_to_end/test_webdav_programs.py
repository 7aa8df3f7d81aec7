"""Programs of other people that speak WebDAV, on a real server over each stack."""

import hashlib
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from tests.real_parts.programs import program
from tests.real_parts.servers import Stack, embedded, scaled_out
from tests.server.api import new_account

from skyshelf.service.accounts import app_passwords
from skyshelf.storage.metadata.contracts.accounts import Account
from skyshelf.storage.metadata.contracts.sessions import AppScope

SUITES = {"basic": 16, "copymove": 13, "props": 30, "locks": 41, "http": 4}
SECONDS = 240


class Login:
    """An account of a stack, and how programs come in."""

    def __init__(self, stack: Stack, name: str) -> None:
        self.account: Account = new_account(stack.ctx, f"{name}@example.org")
        self.user = self.account.email
        self.password, _ = app_passwords.create(stack.ctx, self.account.account_id, name, AppScope())
        self.url = f"{stack.urls[0]}/dav/"


@pytest.fixture(scope="module", params=["sqlite+disk", "postgres+s3"])
def stack(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    folder = tmp_path_factory.mktemp("webdav")
    started = embedded(folder) if request.param == "sqlite+disk" else scaled_out(folder, instances=1)
    with started as stack:
        yield stack


def run(*command: str, folder: Path, stdin: str = "", **environment: str) -> str:
    """What a program prints; it must succeed."""
    ended = subprocess.run(
        command,
        cwd=folder,
        input=stdin,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
        env={**os.environ, "TZ": "UTC", "HOME": str(folder), **environment},
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended.stdout + ended.stderr


@pytest.mark.program("litmus")
def test_litmus_passes_all_of_its_suites(stack: Stack, tmp_path: Path) -> None:
    login = Login(stack, "litmus")
    said = run(program("litmus"), "-k", login.url, login.user, login.password, folder=tmp_path)
    passed = re.findall(r"summary for `(\w+)': of (\d+) tests run: (\d+) passed, 0 failed", said)
    assert {suite: int(ran) for suite, ran, _ in passed} == SUITES, said
    assert all(ran == right for _, ran, right in passed), said
    assert sum(SUITES.values()) == 104


@pytest.mark.program("cadaver")
def test_cadaver_arranges_files(stack: Stack, tmp_path: Path) -> None:
    login = Login(stack, "cadaver")
    host = login.url.removeprefix("http://").partition(":")[0]
    (tmp_path / ".netrc").write_text(f"machine {host}\nlogin {login.user}\npassword {login.password}\n")
    (tmp_path / ".netrc").chmod(0o600)
    (tmp_path / "über uns.txt").write_text("hello")
    commands = [
        "mkcol Reports",
        "put 'über uns.txt' Reports/one.txt",
        "copy Reports/one.txt Reports/two.txt",
        "move Reports/two.txt three.txt",
        "lock three.txt",
        "unlock three.txt",
        "propset three.txt colour blue",
        "propget three.txt colour",
        "get three.txt back.txt",
        "delete three.txt",
        "ls Reports",
        "rmcol Reports",
        "ls",
        "quit",
    ]
    said = run(program("cadaver"), login.url, folder=tmp_path, stdin="\n".join(commands) + "\n")
    assert "failed" not in said, said
    assert "blue" in said
    assert (tmp_path / "back.txt").read_text() == "hello"


def test_rclone_copies_syncs_and_checks(stack: Stack, tmp_path: Path) -> None:
    login = Login(stack, "rclone")
    source, target = tmp_path / "source", tmp_path / "target"
    (source / "deep" / "ü & x").mkdir(parents=True)
    for number in range(20):
        (source / "deep" / f"{number}.txt").write_text(str(number) * number)
    (source / "deep" / "ü & x" / "100% #1?.bin").write_bytes(os.urandom(300_000))
    os.utime(source / "deep" / "1.txt", (1_600_000_000, 1_600_000_000))
    rclone = str(Path(sys.executable).with_name("rclone"))
    secret = run(rclone, "obscure", login.password, folder=tmp_path).strip()
    remote = f":webdav,url='{login.url}',vendor=owncloud,user='{login.user}',pass='{secret}':"

    def does(*words: str) -> str:
        return run(rclone, "--config", "/dev/null", "--retries", "1", *words, folder=tmp_path)

    does("copy", str(source), remote)
    does("check", str(source), remote)
    assert "2020-09-13T12:26:40" in does(
        "lsf", "--format", "tp", "--time-format", "2006-01-02T15:04:05", f"{remote}deep"
    )
    (source / "deep" / "2.txt").unlink()
    (source / "deep" / "3.txt").write_text("changed")
    does("sync", str(source), remote)
    does("check", str(source), remote)
    does("copy", remote, str(target))
    assert _tree(target) == _tree(source)
    does("moveto", f"{remote}deep", f"{remote}elsewhere")
    does("purge", f"{remote}elsewhere")
    assert does("lsf", remote).strip() == ""


def test_rclone_bisync_keeps_two_folders_the_same(stack: Stack, tmp_path: Path) -> None:
    """Two computers, each with its folder, and the drive between them."""
    login = Login(stack, "bisync")
    rclone = str(Path(sys.executable).with_name("rclone"))
    secret = run(rclone, "obscure", login.password, folder=tmp_path).strip()

    def does(*words: str) -> str:
        return run(rclone, "--config", str(tmp_path / "rclone.conf"), "--retries", "1", *words, folder=tmp_path)

    options = (f"url={login.url}", "vendor=owncloud", f"user={login.user}", f"pass={secret}")
    does("config", "create", "drive", "webdav", *options)
    does("mkdir", "drive:Shared")
    one, two = tmp_path / "one", tmp_path / "two"

    def sync(folder: Path, *more: str) -> str:
        return does("bisync", str(folder), "drive:Shared", "--workdir", f"{folder}-work", *more)

    two.mkdir()
    (one / "ü & x").mkdir(parents=True)
    (one / "notes.txt").write_text("from the first")
    (one / "ü & x" / "100% #1?.txt").write_text("names")
    (one / "gone.txt").write_text("will be deleted")
    os.utime(one / "notes.txt", (1_600_000_000, 1_600_000_000))
    sync(one, "--resync")
    sync(two, "--resync")
    assert _tree(two) == _tree(one)
    assert int((two / "notes.txt").stat().st_mtime) == 1_600_000_000

    # A change and a deletion go back, and a new file comes.
    (two / "notes.txt").write_text("changed by the second")
    (two / "gone.txt").unlink()
    (one / "new.txt").write_text("new")
    sync(two)
    sync(one)
    sync(two)
    assert _tree(two) == _tree(one)
    assert (one / "notes.txt").read_text() == "changed by the second"
    assert "gone.txt" not in _tree(one)
    assert (two / "new.txt").read_text() == "new"

    # Both change the same file: both contents stay, on both sides.
    (one / "notes.txt").write_text("one's words")
    (two / "notes.txt").write_text("two's own words")
    sync(one)
    sync(two)
    sync(one)
    assert _tree(two) == _tree(one)
    assert {b"one's words", b"two's own words"} <= set(_tree(one).values())


@pytest.mark.program("mount.davfs")
def test_davfs2_mounts_the_drive_as_a_folder(stack: Stack, tmp_path: Path) -> None:
    """Where the machine lets this process mount; elsewhere the attempt says that it may not, and nothing else."""
    mount, login = program("mount.davfs"), Login(stack, "davfs")
    place = tmp_path / "drive"
    place.mkdir()
    tried = subprocess.run(
        [mount, "-o", f"uid={os.getuid()},gid={os.getgid()}", login.url, place],
        input=f"{login.user}\n{login.password}\n",
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    if tried.returncode != 0:
        assert re.search(r"permi|only root|fuse", tried.stderr), tried.stderr
        return
    try:
        (place / "folder").mkdir()
        (place / "folder" / "ü.txt").write_text("hello")
        (place / "folder" / "ü.txt").rename(place / "moved.txt")
        assert (place / "folder").is_dir()
        # Some sandboxes refuse listings below FUSE; what was looked up by name has been listed by davfs2 in any case.
        with suppress(OSError):
            assert {"folder", "moved.txt"} <= {path.name for path in place.iterdir()}
            assert list((place / "folder").iterdir()) == []
        assert (place / "moved.txt").read_text() == "hello"
    finally:
        subprocess.run(["umount", place], timeout=SECONDS, check=False, capture_output=True)
    with stack.ctx.metadata.read() as unit:
        stored = unit.tree.at_path(login.account.account_id, login.account.root_key, ["moved.txt"])
    assert stored is not None
    assert stored.md5 == hashlib.md5(b"hello").hexdigest()


def _tree(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}

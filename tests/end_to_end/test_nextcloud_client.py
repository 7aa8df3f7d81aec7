"""Nextcloud's own desktop client, from the command line, on a real server over each stack.

`--synced-files 10000 --synced-mebibytes 2048` is a long run.
"""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from tests.end_to_end.test_webdav_programs import Login, program, run
from tests.real_parts.servers import Stack, embedded, scaled_out

SECONDS = 240


@pytest.fixture(scope="module", params=["sqlite+disk", "postgres+s3"])
def stack(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    folder = tmp_path_factory.mktemp("nextcloud")
    started = embedded(folder) if request.param == "sqlite+disk" else scaled_out(folder, instances=2)
    with started as stack:
        yield stack


class Desk:
    """A computer with a folder that the client syncs."""

    def __init__(self, stack: Stack, login: Login, home: Path, instance: int = 0) -> None:
        self.folder = home / "files"
        self._home = home
        self.folder.mkdir(parents=True)
        self._command = [
            program("nextcloudcmd", "nextcloud-desktop-cmd"),
            "--non-interactive",
            *("-u", login.user, "-p", login.password),
            str(self.folder),
            stack.urls[instance % len(stack.urls)],
        ]
        self._environment = {
            **os.environ,
            "HOME": str(home),
            "XDG_RUNTIME_DIR": str(home),
            "QT_QPA_PLATFORM": "offscreen",
            "LC_ALL": "C.UTF-8",
        }

    def sync(self) -> None:
        said = self._home / "said.log"
        with said.open("wb") as log:
            ended = subprocess.run(
                self._command, stdout=log, stderr=log, env=self._environment, timeout=SECONDS, check=False
            )
        assert ended.returncode == 0, said.read_text(errors="replace")[-4000:]

    def sync_and_kill(self, after: str) -> None:
        """Kill the client when it has said something."""
        client = subprocess.Popen(
            self._command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=self._environment
        )
        assert client.stderr is not None
        for line in client.stderr:
            if after in line.decode(errors="replace"):
                break
        with suppress(ProcessLookupError):
            client.send_signal(signal.SIGKILL)
        client.stderr.close()
        client.wait(SECONDS)

    def write(self, path: str, content: bytes | str) -> None:
        file = self.folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content if isinstance(content, bytes) else content.encode())

    def tree(self) -> dict[str, bytes | None]:
        """What is in the folder, besides the client's own files."""
        found = (path for path in self.folder.rglob("*") if not path.name.startswith(".sync_"))
        return {
            str(path.relative_to(self.folder)): path.read_bytes() if path.is_file() else None for path in sorted(found)
        }


@pytest.fixture
def desks(stack: Stack, tmp_path: Path, request: pytest.FixtureRequest) -> tuple[Desk, Desk]:
    login = Login(stack, f"nc-{abs(hash(request.node.name)):x}")
    return Desk(stack, login, tmp_path / "one"), Desk(stack, login, tmp_path / "two", instance=1)


def test_two_computers_stay_the_same_in_both_directions(desks: tuple[Desk, Desk], pytestconfig: pytest.Config) -> None:
    one, two = desks
    for number in range(pytestconfig.getoption("--synced-files")):
        one.write(f"many/{number % 7}/{number}.txt", f"file {number}")
    one.write("ü & x/100% #1?.txt", "names")
    one.write("empty.txt", b"")
    large = os.urandom(1 << 20) * pytestconfig.getoption("--synced-mebibytes")
    one.write("large.bin", large)
    os.utime(one.folder / "empty.txt", (1_600_000_000, 1_600_000_000))
    one.sync()
    two.sync()
    assert two.tree() == one.tree()
    assert int((two.folder / "empty.txt").stat().st_mtime) == 1_600_000_000

    # Renames, moves, deletions and changes go back.
    (two.folder / "many" / "0").rename(two.folder / "renamed")
    (two.folder / "many" / "1" / "1.txt").rename(two.folder / "moved.txt")
    (two.folder / "many" / "2" / "2.txt").unlink()
    two.write("large.bin", large[: len(large) // 2] + b"changed")
    two.write("deep/er/new.txt", "new")
    two.sync()
    one.sync()
    assert one.tree() == two.tree()
    assert "renamed/0.txt" in one.tree()
    assert "many/2/2.txt" not in one.tree()


def test_a_conflict_keeps_both_files(desks: tuple[Desk, Desk]) -> None:
    one, two = desks
    one.write("notes.txt", "first")
    one.sync()
    two.sync()
    one.write("notes.txt", "changed by the first computer")
    two.write("notes.txt", "changed by the second one, too")
    one.sync()
    two.sync()
    contents = {content for content in two.tree().values() if content is not None}
    assert contents == {b"changed by the first computer", b"changed by the second one, too"}
    assert two.tree()["notes.txt"] == b"changed by the first computer"


def test_a_client_that_is_killed_goes_on_where_it_was(desks: tuple[Desk, Desk]) -> None:
    one, two = desks
    one.write("large.bin", os.urandom(30 << 20))
    for number in range(40):
        one.write(f"small/{number}.txt", str(number))
    # When it begins with the chunks of the large file, and with the small ones.
    for moment in ("/remote.php/dav/uploads/", "small/"):
        one.sync_and_kill(after=moment)
    one.sync()
    two.sync_and_kill(after="large.bin")
    two.sync()
    assert two.tree() == one.tree()


@pytest.mark.parametrize("vendor", ["nextcloud", "owncloud"])
def test_rclone_syncs_with_times_and_hashes(stack: Stack, tmp_path: Path, vendor: str) -> None:
    login = Login(stack, f"rclone-{vendor}")
    source = tmp_path / "source"
    (source / "deep").mkdir(parents=True)
    for number in range(10):
        (source / "deep" / f"ü {number}.txt").write_text(str(number) * 100)
    (source / "large.bin").write_bytes(os.urandom(12 << 20))
    os.utime(source / "large.bin", (1_600_000_000, 1_600_000_000))
    rclone = str(Path(sys.executable).with_name("rclone"))
    secret = run(rclone, "obscure", login.password, folder=tmp_path).strip()
    url = f"{stack.urls[0]}/remote.php/dav/files/{login.user}"
    chunks = ",nextcloud_chunk_size=5Mi" if vendor == "nextcloud" else ""
    remote = f":webdav,url='{url}',vendor={vendor},user='{login.user}',pass='{secret}'{chunks}:"

    def does(*words: str) -> str:
        return run(rclone, "--config", "/dev/null", "--retries", "1", *words, folder=tmp_path)

    does("copy", str(source), remote)
    does("check", str(source), remote)
    assert "2020-09-13" in does("lsf", "--format", "tp", "--time-format", "2006-01-02", remote)
    assert "There was nothing to transfer" in does("sync", "-v", str(source), remote)
    if vendor == "owncloud":
        assert "  large.bin" in does("hashsum", "md5", remote)
    (source / "large.bin").unlink()
    does("sync", str(source), remote)
    does("check", str(source), remote)

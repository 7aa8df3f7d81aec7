"""Nextcloud's own desktop client, from the command line, on a real server over each stack.

`--synced-files 10000 --synced-mebibytes 2048` is a long run.
"""

import hashlib
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from pathlib import Path

import httpx2
import pytest
from tests.end_to_end.test_webdav_programs import Login, run
from tests.real_parts.programs import program
from tests.real_parts.servers import Stack, embedded, scaled_out
from tests.releases.sample import run_admin

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
        self.seconds = SECONDS
        self._home = home
        self.folder.mkdir(parents=True)
        self._command = [
            program("nextcloudcmd"),
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
                self._command, stdout=log, stderr=log, env=self._environment, timeout=self.seconds, check=False
            )
        assert ended.returncode == 0, said.read_text(errors="replace")[-4000:]

    def sync_and_kill(self, after: str) -> None:
        """Kill the client when it has said something."""

        def kill(client: "subprocess.Popen[bytes]") -> None:
            with suppress(ProcessLookupError):
                client.send_signal(signal.SIGKILL)

        self.sync_until(after, kill)

    def sync_until(self, after: str, then: Callable[["subprocess.Popen[bytes]"], None]) -> None:
        """Do something when the client has said something; however it ends."""
        client = subprocess.Popen(
            self._command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=self._environment
        )
        assert client.stderr is not None
        for line in client.stderr:
            if after in line.decode(errors="replace"):
                then(client)
                break
        for _ in client.stderr:
            pass
        client.stderr.close()
        client.wait(self.seconds)

    def write_large(self, path: str, mebibytes: int) -> None:
        block = os.urandom(1 << 20)
        with (self.folder / path).open("wb") as file:
            for number in range(mebibytes):
                file.write(number.to_bytes(8) + block[8:])

    def write(self, path: str, content: bytes | str) -> None:
        file = self.folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content if isinstance(content, bytes) else content.encode())

    def tree(self) -> dict[str, bytes | None]:
        """What is in the folder, besides the client's own files; of a large file, its digest."""
        found = (path for path in self.folder.rglob("*") if not path.name.startswith(".sync_"))
        return {
            str(path.relative_to(self.folder)): _content(path) if path.is_file() else None for path in sorted(found)
        }


def _content(path: Path) -> bytes:
    if path.stat().st_size < 1 << 20:
        return path.read_bytes()
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").digest()


@pytest.fixture
def desks(stack: Stack, tmp_path: Path, request: pytest.FixtureRequest) -> tuple[Desk, Desk]:
    login = Login(stack, f"nc-{abs(hash(request.node.name)):x}")
    return Desk(stack, login, tmp_path / "one"), Desk(stack, login, tmp_path / "two", instance=1)


@pytest.mark.program("nextcloudcmd")
def test_two_computers_stay_the_same_in_both_directions(desks: tuple[Desk, Desk], pytestconfig: pytest.Config) -> None:
    one, two = desks
    files, mebibytes = pytestconfig.getoption("--synced-files"), pytestconfig.getoption("--synced-mebibytes")
    one.seconds = two.seconds = SECONDS + files // 5 + mebibytes
    for number in range(files):
        one.write(f"many/{number % 7}/{number}.txt", f"file {number}")
    one.write("ü & x/100% #1?.txt", "names")
    one.write("empty.txt", b"")
    one.write_large("large.bin", mebibytes)
    os.utime(one.folder / "empty.txt", (1_600_000_000, 1_600_000_000))
    one.sync()
    two.sync()
    assert two.tree() == one.tree()
    assert int((two.folder / "empty.txt").stat().st_mtime) == 1_600_000_000

    # Renames, moves, deletions and changes go back.
    (two.folder / "many" / "0").rename(two.folder / "renamed")
    (two.folder / "many" / "1" / "1.txt").rename(two.folder / "moved.txt")
    (two.folder / "many" / "2" / "2.txt").unlink()
    with (two.folder / "large.bin").open("r+b") as large:
        large.truncate(mebibytes * (1 << 20) // 2)
        large.seek(0, os.SEEK_END)
        large.write(b"changed")
    two.write("deep/er/new.txt", "new")
    two.sync()
    one.sync()
    assert one.tree() == two.tree()
    assert "renamed/0.txt" in one.tree()
    assert "many/2/2.txt" not in one.tree()


@pytest.mark.program("nextcloudcmd")
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


@pytest.mark.program("nextcloudcmd")
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


@pytest.mark.program("nextcloudcmd")
def test_a_server_that_is_killed_loses_nothing(stack: Stack, desks: tuple[Desk, Desk]) -> None:
    one, two = desks
    one.write_large("large.bin", 30)
    for number in range(40):
        one.write(f"small/{number}.txt", str(number))
    for moment in ("/remote.php/dav/uploads/", "small/"):
        one.sync_until(moment, lambda _: stack.crash())
    one.sync()
    two.sync_until("large.bin", lambda _: stack.crash())
    two.sync()
    assert two.tree() == one.tree()
    assert len(two.tree()) == 42


@pytest.mark.whole
@pytest.mark.program("nextcloudcmd")
def test_nothing_that_is_newer_on_a_computer_is_lost_when_a_server_was_put_back(tmp_path: Path) -> None:
    """Database and blobs go back together, as with a snapshot of the machine, and the operator says so."""
    with embedded(tmp_path) as stack:
        (server,) = stack.servers
        desk = Desk(stack, Login(stack, "put-back"), tmp_path / "home")
        desk.write("edited.txt", "first")
        desk.write("deep/same.txt", "same")
        desk.sync()
        stack.stop(server)
        shutil.copytree(server.data, tmp_path / "snapshot")
        stack.restart()
        desk.write("edited.txt", "edited after the snapshot")
        desk.write("deep/new.txt", "new after the snapshot")
        desk.sync()
        before = desk.tree()
        stack.stop(server)
        shutil.rmtree(server.data)
        shutil.copytree(tmp_path / "snapshot", server.data)
        run_admin("epoch", "begin", "--reason", "put back the snapshot", "--data", str(server.data))
        stack.restart()
        for _ in range(2):
            desk.sync()
        # The client keeps both contents of a file, and uploads what the server lacks.
        assert set(desk.tree().values()) == {*before.values(), b"first"}
        assert desk.tree()["deep/new.txt"] == b"new after the snapshot"


def test_chunks_are_sent_several_at_once_in_any_order_to_any_instance(stack: Stack) -> None:
    login = Login(stack, "at-once")
    chunks = [os.urandom(200_000 + number) for number in range(12)]
    base = f"/remote.php/dav/uploads/{login.user}/at-once"
    with ExitStack() as clients:
        ends = [
            clients.enter_context(httpx2.Client(base_url=url, auth=(login.user, login.password), timeout=SECONDS))
            for url in stack.urls
        ]
        assert ends[0].request("MKCOL", base).status_code == 201

        def send(number: int) -> int:
            # Some of them twice, as after a lost response.
            end = ends[number % len(ends)]
            answers = [end.put(f"{base}/{number + 1}", content=chunks[number]) for _ in range(1 + number % 2)]
            return max(answer.status_code for answer in answers)

        with ThreadPoolExecutor(5) as pool:
            assert set(pool.map(send, reversed(range(len(chunks))))) == {201}
        destination = f"{ends[0].base_url}/remote.php/dav/files/{login.user}/large.bin"
        moved = ends[0].request("MOVE", f"{base}/.file", headers={"Destination": destination})
        assert moved.status_code == 201, moved.text
        read = ends[-1].get(f"/remote.php/dav/files/{login.user}/large.bin")
    assert read.content == b"".join(chunks)
    with stack.ctx.metadata.read() as unit:
        assert unit.uploads.page(login.account.account_id, limit=100) == []
        assert unit.quotas.get(login.account.account_id, stack.ctx.clock.now()).reserved == 0


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

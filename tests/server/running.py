"""A real server process over a folder, and a logged-in client that reaches it over the network."""

import os
import re
import signal
import socket
import ssl
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import cast

import httpx2
from tests.real_parts import commands
from tests.real_parts.readable import is_readable
from tests.server.api import Api, logged_in
from tests.server.in_process import TestClient

from skyshelf.service.context import ServiceContext
from skyshelf.storage.metadata.contracts.accounts import Account
from skyshelf.storage.open import embedded_urls, open_blobs, open_metadata

# Generous: a busy machine starts slowly, and a server that does not start says so by ending.
START_SECONDS = 120


_UNVERIFIED = ssl.create_default_context()
_UNVERIFIED.check_hostname, _UNVERIFIED.verify_mode = False, ssl.CERT_NONE


class RunningServer:
    """`skyshelf serve` on a port of its own, as often as it is started.

    Several workers are those of the installed program: they share figures by a library that is reported so before it is
    imported, and a forked command has imported it.
    """

    def __init__(self, data: Path, *options: str, descriptors: int | None = None, program: Path | None = None) -> None:
        self.data = data
        self.program = program
        """The `skyshelf` to start, of another version for example; None for the one that is tested."""
        self._options = options
        self._descriptors = descriptors
        self._process: commands.Command | None = None
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port: int = probe.getsockname()[1]

    def add_options(self, *options: str) -> None:
        """For the next start, such as those that depend on the port."""
        self._options += options

    @property
    def url(self) -> str:
        return f"http{'s' if '--tls-cert' in self._options else ''}://127.0.0.1:{self.port}"

    @property
    def log(self) -> Path:
        return self.data.with_suffix(".log")

    def logged(self, pattern: str) -> re.Match[str]:
        """Wait until the log has what a pattern finds: requests are answered before the log says so."""
        deadline = time.monotonic() + START_SECONDS
        while (found := re.search(pattern, self.log.read_text(), re.MULTILINE)) is None:
            assert time.monotonic() < deadline, self.log.read_text()
            time.sleep(0.02)
        return found

    def start(self) -> None:
        with self.log.open("ab") as log, Path(os.devnull).open("rb") as nothing:
            # A session of its own: the process that watches and the one that works are killed together.
            self._process = commands.start(
                ("serve", "--data", str(self.data), "--port", str(self.port), *self._options),
                (nothing.fileno(), log.fileno(), log.fileno()),
                os.environ,
                Path.cwd(),
                own_session=True,
                installed="--workers" in self._options,
                program=self.program,
                descriptors=self._descriptors,
            )
        deadline = time.monotonic() + START_SECONDS
        while not self._answers():
            assert self._process.poll() is None, self.log.read_text()
            assert time.monotonic() < deadline, self.log.read_text()
            time.sleep(0.02)

    def is_listening(self) -> bool:
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    def kill(self) -> None:
        """Kill it like a power cut: nothing gets to clean up."""
        self._end(signal.SIGKILL)

    def stop(self) -> int:
        """Stop it like an operator; return its exit code."""
        assert self._process is not None
        self._process.send(signal.SIGTERM)
        return self._process.wait(START_SECONDS)

    def memory(self) -> int:
        """The largest resident memory of its processes so far, in bytes."""
        return max(_peak(pid) for pid in self.processes())

    def processes(self) -> list[int]:
        """The ids of its processes: the supervisor, the workers and theirs."""
        assert self._process is not None
        return _family(self._process.process_id)

    def close(self) -> None:
        if self._process is not None and self._process.poll() is None:
            self._end(signal.SIGKILL)

    def _end(self, how: signal.Signals) -> None:
        """And wait for all of them: the port is free for the next start when the last one is gone."""
        assert self._process is not None
        with _watched(_group(self._process.process_id)) as group:
            self._process.send(how, to_all=True)
            for process in group:
                # A descriptor of a process can be read when the process has ended, and its files are closed.
                assert is_readable(process, START_SECONDS), "a process outlived its end"
        self._process.wait(START_SECONDS)

    def _answers(self) -> bool:
        if not self.is_listening():  # much cheaper to ask
            return False
        try:
            return httpx2.get(f"{self.url}/security/users", verify=_UNVERIFIED).status_code == 400
        except httpx2.TransportError:
            return False


def _group(leader: int) -> list[int]:
    """The processes of a group."""
    found = []
    for place in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # of one that has just ended
            _, _, group = (place / "stat").read_text().rpartition(")")[2].split()[:3]
            if int(group) == leader:
                found.append(int(place.name))
    return found


@contextmanager
def _watched(pids: list[int]) -> Iterator[list[int]]:
    """A descriptor of every process that still is there."""
    with ExitStack() as ending:
        watched = []
        for pid in pids:
            with suppress(ProcessLookupError):
                watched.append(os.pidfd_open(pid))
                ending.callback(os.close, watched[-1])
        yield watched


def _family(pid: int) -> list[int]:
    # Any thread may have started a child.
    children: list[str] = []
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        with suppress(OSError):  # of a thread or process that has just ended
            children += task.read_text().split()
    return [pid, *(one for child in children for one in _family(int(child)))]


def _peak(pid: int) -> int:
    lines: list[str] = []
    with suppress(OSError):  # it has just ended
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM:")), 0)


@contextmanager
def opened(data: Path) -> Iterator[ServiceContext]:
    """Open the same stores in this process, to look at what the server has done."""
    metadata, blobs = embedded_urls(data)
    ctx = ServiceContext(metadata=open_metadata(metadata), blobs=open_blobs(blobs))
    try:
        yield ctx
    finally:
        ctx.metadata.close()
        ctx.blobs.close()


@contextmanager
def over_the_network(server: RunningServer, ctx: ServiceContext, account: Account) -> Iterator[Api]:
    with httpx2.Client(base_url=server.url, timeout=60) as client:
        # The client of tests in process is one of httpx2 too, and nothing else of it is used here.
        yield logged_in(cast("TestClient", client), ctx, account)

"""A server process that is measured: how long until it answers, and how much memory it takes."""

import contextlib
import http.client
import os
import signal
import socket
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

START_SECONDS = 60
MB = 1_000_000
WATCHED_SECONDS = 0.02
_SCHEDULED = 2  # CPUCLOCK_SCHED of the kernel: nanoseconds, where /proc/PID/stat counts ticks
_TICKS = os.sysconf("SC_CLK_TCK")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


class Peak:
    """In MB."""

    most = 0.0


class ServerProcess:
    """One command that listens on a port of this machine."""

    def __init__(
        self, command: Sequence[str], port: int, *, ready: str = "/", env: Mapping[str, str] | None = None
    ) -> None:
        self.port = port
        self.command = command
        self._ready = ready
        self._env = {**os.environ, **(env or {})}
        self._process: subprocess.Popen[bytes] | None = None
        self._log = tempfile.TemporaryFile()  # noqa: SIM115 - as long as the process

    def start(self) -> float:
        """Start it; the seconds until its first answer, whatever that is."""
        began = time.perf_counter()
        self._process = subprocess.Popen(
            self.command, stdout=self._log, stderr=self._log, env=self._env, start_new_session=True
        )
        while not self._answers():
            if self._process.poll() is not None or time.perf_counter() - began > START_SECONDS:
                self._log.seek(0)
                raise RuntimeError(f"{self.command[0]} did not start: {self._log.read()[-2000:].decode()}")
            time.sleep(0.002)
        return time.perf_counter() - began

    def stop(self) -> None:
        if self._process is None:
            return
        # The whole group: some leave children behind.
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGTERM)
        try:
            self._process.wait(20)
        except subprocess.TimeoutExpired:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
        self._process = None

    def memory(self) -> float:
        """What its processes take right now, shared pages counted once, in MB."""
        return sum(kilobytes(pid, "smaps_rollup", "Pss:") for pid in self.family()) * 1024 / MB

    def peak(self) -> float:
        """The largest resident memory of its largest process so far, in MB."""
        return max(kilobytes(pid, "status", "VmHWM:") for pid in self.family()) * 1024 / MB

    @contextlib.contextmanager
    def watching(self) -> "Iterator[Peak]":
        """The most private memory of its processes while the block runs: without mapped files."""
        peak, is_over = Peak(), threading.Event()

        def watch() -> None:
            while not is_over.wait(WATCHED_SECONDS):
                peak.most = max(peak.most, sum(kilobytes(pid, "status", "RssAnon:") for pid in family) * 1024 / MB)

        family = self.family()
        watcher = threading.Thread(target=watch)
        watcher.start()
        try:
            yield peak
        finally:
            is_over.set()
            watcher.join()

    def cpu_seconds(self) -> float:
        """What its processes have used so far."""
        assert self._process is not None
        return cpu_seconds_of(self._process.pid)

    def _answers(self) -> bool:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=5)
        try:
            connection.request("GET", self._ready)
            connection.getresponse().read()
        except (OSError, http.client.HTTPException):
            return False
        finally:
            connection.close()
        return True

    def family(self) -> list[int]:
        """Its processes."""
        assert self._process is not None
        return family_of(self._process.pid)


def cpu_seconds_of(pid: int) -> float:
    """What a process and those it has started have used so far."""
    return sum(map(_cpu_seconds, family_of(pid)))


def family_of(pid: int) -> list[int]:
    """Return a process and those it has started."""
    try:
        # Any of its threads may have started some.
        children = [
            child for thread in Path(f"/proc/{pid}/task").glob("*/children") for child in thread.read_text().split()
        ]
    except (FileNotFoundError, ProcessLookupError):
        return []
    return [pid, *(one for child in children for one in family_of(int(child)))]


def _cpu_seconds(pid: int) -> float:
    """User and system time, by the clock that Linux has for each process; with that of children that have ended."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return time.clock_gettime((~pid << 3) | _SCHEDULED) + (int(fields[13]) + int(fields[14])) / _TICKS
    except OSError:
        return 0.0


def kilobytes(pid: int, file: str, field: str) -> int:
    try:
        lines = Path(f"/proc/{pid}/{file}").read_text().splitlines()
    except (FileNotFoundError, ProcessLookupError):
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith(field)), 0)

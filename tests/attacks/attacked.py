"""A server under attack, and whether others noticed: their answers, their times, its memory, its store."""

import contextlib
import json
import math
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, cast

import httpx2
from tests.attacks import bystander
from tests.server.api import Api, logged_in, new_account
from tests.server.in_process import TestClient
from tests.server.running import RunningServer

from skyshelf.service.context import ServiceContext
from skyshelf.service.doctor import run_checks
from skyshelf.service.doctor.check import CheckRun

SOURCE = "127.0.0.66"
"""Where the attacker's connections come from: not a trusted proxy, and not the bystander's address."""
MEMORY_MAX = 500 * 1000 * 1000
SECONDS_MAX = 2.0
"""What freezes a server does so for much longer; what takes a second here is a machine with other work."""
QUIET_FACTOR = 3
PROBES = 100
PATIENCE = 120
FIGURES = ("before", "under attack", "at another server", "memory")
"""What a test notes about an attack: the 99th percentile of another user's calls in seconds, and the most bytes."""
_ATTACKED, _CONTROL = "attacked", "control"


class Attacked:
    """A fresh server process over fresh stores; another server of the same kind, unattacked, is the measure."""

    def __init__(
        self,
        server: RunningServer,
        ctx: ServiceContext,
        control: Api,
        until: ExitStack,
        note: Callable[[str, object], None],
    ) -> None:
        self.server = server
        self.ctx = ctx
        self._control = control
        self._note = note
        self._until = until
        self._accounts = 0
        self.most_memory = 0

    @property
    def port(self) -> int:
        return self.server.port

    def account(self, *, source: str = SOURCE, quota: int | None = None, timeout: float = 60) -> Api:
        """A new account, logged in from that address."""
        self._accounts += 1
        account = new_account(self.ctx, f"attacker{self._accounts}@example.org", quota=quota)
        # An attacker would turn the alarm off that pauses devices.
        self.ctx.metadata.write(lambda unit: unit.alarms.set_limit(account.account_id, 0))
        return logged_in(cast("TestClient", self.client(source, timeout=timeout)), self.ctx, account)

    def client(self, source: str = SOURCE, *, timeout: float = 60) -> httpx2.Client:
        """An HTTP client whose connections come from that address."""
        transport = httpx2.HTTPTransport(local_address=source, limits=httpx2.Limits(max_connections=None))
        return self._until.enter_context(httpx2.Client(base_url=self.server.url, transport=transport, timeout=timeout))

    def connect(self, source: str = SOURCE, *, timeout: float = 60) -> socket.socket:
        """A raw connection, closed after the test."""
        raw = socket.create_connection(("127.0.0.1", self.port), timeout, source_address=(source, 0))
        self._until.callback(raw.close)
        return raw

    @contextmanager
    def while_others_work(self, *, probes: int = PROBES) -> Iterator[None]:
        """Attack in the block. It lasts until another user has made so many calls; all must have been answered well,
        and in time. Afterwards the memory was bounded all along, and the store is sound."""
        with self._bystander() as seen, self._watching_memory():
            seen.wait_for(probes // 2)
            quiet = seen.take()
            yield
            seen.wait_for(probes)
            during = seen.take()
        quickly = max(SECONDS_MAX, QUIET_FACTOR * max(quiet.slowest(_ATTACKED), during.slowest(_CONTROL)))
        measured = (quiet.slowest(_ATTACKED), during.slowest(_ATTACKED), during.slowest(_CONTROL), self.most_memory)
        for name, figure in zip(FIGURES, measured, strict=True):
            self._note(name, figure)
        assert not during.wrong, during.wrong[:5]
        assert during.slowest(_ATTACKED) <= quickly, (
            f"p99 {during.slowest(_ATTACKED):.2f} s under attack, {quiet.slowest(_ATTACKED):.2f} s before, "
            f"{during.slowest(_CONTROL):.2f} s of an unattacked server meanwhile"
        )
        assert self.most_memory <= MEMORY_MAX, f"{self.most_memory / 1e6:.0f} MB"
        self.assert_sound()

    def assert_sound(self) -> None:
        """What `skyshelf admin doctor --deep` checks."""
        unsound = [result for result in run_checks(self.ctx, CheckRun(deep=True)) if not result.passed]
        assert unsound == []

    @contextmanager
    def _bystander(self) -> Iterator["Seen"]:
        targets = {_ATTACKED: _target(self.account(source=bystander.SOURCE)), _CONTROL: _target(self._control)}
        process = subprocess.Popen(
            [sys.executable, "-I", bystander.__file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        assert process.stdin is not None
        assert process.stdout is not None
        seen = Seen()
        reading = threading.Thread(target=seen.read, args=(process.stdout,))
        reading.start()
        try:
            process.stdin.write(json.dumps(targets) + "\n")
            process.stdin.flush()
            yield seen
        finally:
            process.stdin.close()
            process.wait(PATIENCE)
            reading.join()
            process.stdout.close()

    @contextmanager
    def _watching_memory(self) -> Iterator[None]:
        """Note the most memory that all processes of the server take together."""
        over = threading.Event()

        def watch() -> None:
            while not over.wait(0.1):
                self.most_memory = max(self.most_memory, sum(map(_resident, self.server.processes())))

        watching = threading.Thread(target=watch)
        watching.start()
        try:
            yield
        finally:
            over.set()
            watching.join()


class Seen:
    """What the bystander reported."""

    def __init__(self, lines: list[dict[str, Any]] | None = None) -> None:
        self._lines = lines or []
        self._more = threading.Condition()

    def read(self, report: Iterator[str]) -> None:
        for line in report:
            with self._more:
                self._lines.append(json.loads(line))
                self._more.notify_all()

    def wait_for(self, probes: int) -> None:
        with self._more:
            done = self._more.wait_for(lambda: len(self._of(_ATTACKED)) >= probes, PATIENCE)
        assert done, f"{len(self._of(_ATTACKED))} of {probes} calls of another user were answered in {PATIENCE} s"

    def take(self) -> "Seen":
        """All since the last time."""
        with self._more:
            lines, self._lines = self._lines, []
        return Seen(lines)

    @property
    def wrong(self) -> list[dict[str, Any]]:
        return [line for line in self._lines if line["wrong"]]

    def slowest(self, target: str) -> float:
        """The 99th percentile in seconds."""
        seconds = sorted(line["seconds"] for line in self._of(target))
        return float(seconds[math.ceil(0.99 * len(seconds)) - 1]) if seconds else 0.0

    def _of(self, target: str) -> list[dict[str, Any]]:
        return [line for line in self._lines if line["target"] == target]


def _target(api: Api) -> dict[str, Any]:
    port = httpx2.URL(str(api.client.base_url)).port
    return {"port": port, "headers": dict(api.headers), "root": api.root_key}


def _resident(pid: int) -> int:
    with contextlib.suppress(OSError):  # it has just ended
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    return 0


def eventually(holds: Any, seconds: float = 30) -> None:
    """Wait until it holds."""
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline, "it does not become so"
        time.sleep(0.02)

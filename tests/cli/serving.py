"""A real server process, started the way people start it."""

import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2

SKYSHELF = str(Path(sys.executable).parent / "skyshelf")
START_SECONDS = 60


def run(*arguments: str, stdin: str = "", timeout: float = 60) -> subprocess.CompletedProcess[str]:
    """A command that ends by itself."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("SKYSHELF_")}
    return subprocess.run(
        [SKYSHELF, *arguments],
        input=stdin,
        capture_output=True,
        text=True,
        timeout=timeout,
        env=environment,
        check=False,
    )


class Serving:
    """A server that answers. Its output is read all the time, so that it never waits for us."""

    def __init__(self, *arguments: str, scheme: str = "http", stdin: int = subprocess.DEVNULL) -> None:
        self.process = subprocess.Popen(
            [SKYSHELF, "serve", "--port", "0", *arguments],
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={name: value for name, value in os.environ.items() if not name.startswith("SKYSHELF_")},
        )
        self.out: list[str] = []
        self.err: list[str] = []
        self._readers = [
            threading.Thread(target=_read, args=(stream, lines))
            for stream, lines in ((self.process.stdout, self.out), (self.process.stderr, self.err))
        ]
        for reader in self._readers:
            reader.start()
        self.scheme = scheme
        self.port = self._wait_for_port()
        self.client = httpx2.Client(base_url=f"{scheme}://127.0.0.1:{self.port}", verify=False, timeout=30)
        self._wait_until_up()

    @property
    def greeting(self) -> str:
        return "".join(self.out)

    @property
    def log(self) -> str:
        return "".join(self.err)

    def stop(self, how: signal.Signals = signal.SIGTERM, *, within: float = 60) -> int:
        """Ask it to end; the exit code."""
        self.client.close()
        if self.process.poll() is None:
            self.process.send_signal(how)
        try:
            return self.process.wait(timeout=within)
        finally:
            self._let_go()

    def _let_go(self) -> None:
        """Whatever happened, leave no process and no open file behind."""
        for pid in (*self.descendants(), self.process.pid) if self.process.poll() is None else ():
            os.kill(pid, signal.SIGKILL)
        self.process.wait()
        for reader in self._readers:
            reader.join()
        for stream in (self.process.stdout, self.process.stderr):
            assert stream is not None
            stream.close()

    def descendants(self) -> list[int]:
        """The processes below it."""
        return _children(self.process.pid)

    def _wait_for_port(self) -> int:
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline and self.process.poll() is None:
            found = re.search(r"listening on +\S+:(\d+)", self.greeting)
            if found:
                return int(found[1])
            time.sleep(0.01)
        self._let_go()
        raise AssertionError(f"it did not start: {self.greeting} {self.log}")

    def _wait_until_up(self) -> None:
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline:
            try:
                self.client.get("/healthz")
            except httpx2.TransportError:
                time.sleep(0.02)
            else:
                return
        self.client.close()
        self._let_go()
        raise AssertionError(f"it does not answer: {self.log}")


@contextmanager
def serving(*arguments: str, **how: Any) -> Iterator[Serving]:
    """A server for the length of a block; a test that stops it itself has the exit code."""
    server = Serving(*arguments, **how)
    try:
        yield server
    finally:
        if server.process.returncode is None:
            server.stop()


def make_certificate(folder: Path, name: str) -> tuple[Path, Path]:
    """A new certificate for a name, and its key; they replace those that are there."""
    cert, key = folder / "cert.pem", folder / "key.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
         "-subj", f"/CN={name}", "-keyout", str(key), "-out", str(cert)],
        check=True,
        capture_output=True,
    )  # fmt: skip
    return cert, key


def _read(stream: Any, lines: list[str]) -> None:
    for line in iter(stream.readline, ""):
        lines.append(line)


def _children(pid: int) -> list[int]:
    try:
        found = [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except FileNotFoundError:
        return []
    return [one for child in found for one in (child, *_children(child))]

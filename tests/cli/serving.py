"""A real server process, started the way people start it."""

import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx2
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from tests.real_parts import commands

SKYSHELF = str(Path(sys.executable).parent / "skyshelf")
START_SECONDS = 60


def run(*arguments: str, stdin: str = "", installed: bool = False) -> subprocess.CompletedProcess[str]:
    """A command that ends by itself; as people start it, or forked, which costs less."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("SKYSHELF_")}
    return commands.run(arguments, stdin=stdin, environment=environment, folder=Path.cwd(), installed=installed)


class Serving:
    """A server that answers. Its output is read all the time, so that it never waits for us."""

    def __init__(
        self,
        *arguments: str,
        scheme: str = "http",
        stdin: int = subprocess.DEVNULL,
        command: Sequence[str] = ("serve",),
    ) -> None:
        self.process = subprocess.Popen(
            [SKYSHELF, *command, "--port", "0", *arguments],
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


def make_certificate(folder: Path, name: str, *, password: bytes | None = None) -> tuple[Path, Path]:
    """Write a new certificate for a name, and its key; they replace those that are there."""
    secret, now = ec.generate_private_key(ec.SECP256R1()), datetime.now(UTC)
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    signed = (
        x509.CertificateBuilder(subject, subject, secret.public_key(), x509.random_serial_number())
        .not_valid_before(now)
        .not_valid_after(now + timedelta(days=2))
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(secret, hashes.SHA256())
    )
    locked = serialization.BestAvailableEncryption(password) if password else serialization.NoEncryption()
    pem = serialization.Encoding.PEM
    cert, key = folder / "cert.pem", folder / "key.pem"
    cert.write_bytes(signed.public_bytes(pem))
    key.write_bytes(secret.private_bytes(pem, serialization.PrivateFormat.PKCS8, locked))
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

"""A shell that a test types into, as a person would: one session, in which every command has to succeed."""

import os
import queue
import signal
import subprocess
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

_MARK = "-- the block has ended --"


class Shell:
    """A shell with its own session; what it leaves in the background goes on."""

    def __init__(self, environment: Mapping[str, str], folder: Path) -> None:
        self._process = subprocess.Popen(
            ["bash", "--norc"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=environment,
            cwd=folder,
            text=True,
            start_new_session=True,
        )
        self._block = folder / "block.sh"
        self._said: queue.Queue[str | None] = queue.Queue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        self._type("set -euo pipefail")

    def run(self, block: str, seconds: float = 600) -> str:
        """What the block says; AssertionError if one of its commands fails."""
        self._block.write_text(block)
        # Its commands read nothing of what is typed next.
        self._type(f". {self._block} </dev/null; echo; echo '{_MARK}'")
        said: list[str] = []
        until = time.monotonic() + seconds
        while True:
            try:
                line = self._said.get(timeout=max(0.0, until - time.monotonic()))
            except queue.Empty:
                raise AssertionError(f"did not end in {seconds} s:\n{block}\n{''.join(said)}") from None
            assert line is not None, f"failed:\n{block}\n{''.join(said)}"
            if line.rstrip("\n") == _MARK:
                return "".join(said)
            said.append(line)

    def close(self) -> None:
        if self._process.poll() is None:
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with suppress(BrokenPipeError):
                    pipe.close()

    def _type(self, line: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._said.put(line)
        self._said.put(None)

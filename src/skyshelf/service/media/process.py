"""The parent's handle of a media worker process: started on demand, killed when it is too slow."""

import os
import select
import subprocess
import sys
import time
from contextlib import suppress

from skyshelf.service.media import protocol

START_SECONDS = 60
# A worker taken over by a hostile file should find no secrets of the server in its environment.
_ENVIRONMENT = ("PATH", "HOME", "LANG", "LC_", "TZ", "TMPDIR", "PYTHON", "LD_LIBRARY_PATH", "VIRTUAL_ENV")
# Every thread of an allocating library would reserve its own address space.
_FEW_THREADS = {"MALLOC_ARENA_MAX": "2", "OMP_NUM_THREADS": "1"}


class MediaUnavailable(Exception):
    """No worker can be started, or the pool is closed; the file is not at fault."""


class WorkerProcess:
    """Belongs to one thread; others only call `kill`."""

    def __init__(self, *, wall_seconds: float | None = None) -> None:
        self._wall_seconds = wall_seconds
        self._process: subprocess.Popen[bytes] | None = None
        self._is_closed = False

    def run(self, job: protocol.Job) -> protocol.MediaResult | None:
        """Run a job; None if the worker died or took too long."""
        process = self._started()
        assert process.stdin is not None
        seconds = self._wall_seconds or protocol.limits_of(heavy=job.heavy).wall_seconds
        try:
            process.stdin.write(protocol.encode(job))
            process.stdin.flush()
            done = self._result(process, time.monotonic() + seconds)
        except (OSError, ValueError):
            done = None
        if done is None or done.retire:
            self.stop()
        if self._is_closed:
            raise MediaUnavailable
        return done

    @property
    def pid(self) -> int | None:
        return None if self._process is None else self._process.pid

    def kill(self) -> None:
        """End it for good, from any thread: a thread that waits for a result gets MediaUnavailable."""
        self._is_closed = True
        process = self._process
        if process is not None:
            process.kill()

    def stop(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()
        process.wait()

    def _started(self) -> subprocess.Popen[bytes]:
        if self._process is not None and self._process.poll() is not None:
            self.stop()
        if self._is_closed:
            raise MediaUnavailable
        if self._process is None:
            self._process = self._start()
        return self._process

    def _start(self) -> subprocess.Popen[bytes]:
        kept = {name: value for name, value in os.environ.items() if name.startswith(_ENVIRONMENT)}
        try:
            process = subprocess.Popen(
                [sys.executable, "-m", "skyshelf.service.media.worker"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                close_fds=True,
                bufsize=0,
                env=kept | _FEW_THREADS,
            )
        except OSError as problem:
            raise MediaUnavailable from problem
        if _read(process, len(protocol.READY), time.monotonic() + START_SECONDS) != protocol.READY:
            self._process = process
            self.stop()
            raise MediaUnavailable
        return process

    def _result(self, process: subprocess.Popen[bytes], deadline: float) -> protocol.MediaResult | None:
        head = _read(process, protocol.LENGTH.size, deadline)
        if head is None:
            return None
        (length,) = protocol.LENGTH.unpack(head)
        body = _read(process, length, deadline) if length <= protocol.LARGEST_MESSAGE else None
        return None if body is None else protocol.read_done(body)


def _read(process: subprocess.Popen[bytes], length: int, deadline: float) -> bytes | None:
    """Read that many bytes from the worker; None if it exits first or the time is over."""
    assert process.stdout is not None
    pipe = process.stdout.fileno()
    # Not select(), which supports only descriptors below 1024.
    readable = select.poll()
    readable.register(pipe, select.POLLIN)
    pieces: list[bytes] = []
    while length:
        left = deadline - time.monotonic()
        if left <= 0 or not readable.poll(left * 1000):
            return None
        piece = os.read(pipe, length)
        if not piece:
            return None
        pieces.append(piece)
        length -= len(piece)
    return b"".join(pieces)

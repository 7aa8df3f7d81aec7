"""The pool of media worker processes: started on demand, replaced when one dies or is too slow."""

import os
import queue
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from skyshelf.service.media.protocol import Job, MediaResult, read_done, receive, send

SECONDS = 20
IDLE_SECONDS = 120


class Workers:
    """A few processes that take turns. Any thread may submit a job; it waits while all are busy."""

    def __init__(self, count: int | None = None, *, seconds: float = SECONDS) -> None:
        self._seconds = seconds
        self._free: queue.LifoQueue[_Worker] = queue.LifoQueue()
        self._closed = False
        for _ in range(count or max(1, min(4, os.cpu_count() or 1))):
            self._free.put(_Worker())

    def run(self, job: Job) -> MediaResult | None:
        """The result; None when the worker crashed or took too long."""
        with self._worker() as worker:
            return worker.run(job, self._seconds)

    def close(self) -> None:
        self._closed = True
        while True:
            try:
                self._free.get_nowait().stop()
            except queue.Empty:
                return

    @contextmanager
    def _worker(self) -> Iterator["_Worker"]:
        worker = self._free.get()
        try:
            yield worker
        finally:
            if self._closed:
                worker.stop()
            self._free.put(worker)


class _Worker:
    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._retire: threading.Timer | None = None
        self._lock = threading.Lock()

    def run(self, job: Job, seconds: float) -> MediaResult | None:
        with self._lock:
            self._keep()
            process = self._started()
            assert process.stdin is not None
            assert process.stdout is not None
            overdue = threading.Timer(seconds, process.kill)
            overdue.start()
            try:
                send(process.stdin, job)
                answer = receive(process.stdout)
                done = read_done(answer) if answer is not None else None
            except (OSError, ValueError):
                done = None
            finally:
                overdue.cancel()
            if done is None:
                self._end()
                return None
            self._retire_later()
            return done

    def stop(self) -> None:
        with self._lock:
            self._keep()
            self._end()

    def _started(self) -> subprocess.Popen[bytes]:
        if self._process is not None and self._process.poll() is not None:
            self._end()
        if self._process is None:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "skyshelf.service.media.worker"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                close_fds=True,
            )
        return self._process

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()
        process.wait()

    def _retire_later(self) -> None:
        """Stop an idle worker after a while, so that an idle server uses little memory."""
        self._retire = threading.Timer(IDLE_SECONDS, self.stop)
        self._retire.daemon = True
        self._retire.start()

    def _keep(self) -> None:
        if self._retire is not None:
            self._retire.cancel()
            self._retire = None

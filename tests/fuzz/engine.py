"""The fuzzer: mutates known inputs, keeps those that reach new lines, and reports what fails or is slow.

Coverage-guided fuzzers for Python are native programs for few of its versions; this one needs Python alone.
"""

import faulthandler
import hashlib
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from random import Random
from types import FrameType

import msgspec
from tests.fuzz.coverage import Coverage, Line
from tests.fuzz.mutations import Mutator

BYTES_MAX = 16 * 1024
"""The longest input; requests have no longer heads."""
SLOW_SECONDS = 0.5
"""Processor time that an input of that length may take."""
_HANG_SECONDS = 60
_REARM_SECONDS = 10


Run = Callable[[bytes], None]
"""Reads foreign bytes; raises for an input that breaks a promise."""


class Target(msgspec.Struct, frozen=True, kw_only=True):
    """Something that reads foreign bytes, and what it needs around it while it runs."""

    name: str
    about: str
    opened: Callable[[], AbstractContextManager[Run]]
    seeds: Sequence[bytes]
    tokens: Sequence[bytes] = ()
    is_measured: bool = True
    """Whether the lines it reaches, and its processor time, can be seen from here: not of another process."""


class Failed(Exception):
    """An input that breaks a promise."""

    def __init__(self, data: bytes, reason: str) -> None:
        super().__init__(reason)
        self.data = data
        self.reason = reason


class Report(msgspec.Struct):
    """What a run has done."""

    inputs: int = 0
    corpus: int = 0
    lines: int = 0


class Fuzzer:
    """Fuzzes one target; its corpus is a folder with one file per input."""

    def __init__(self, target: Target, run: Run, folder: Path, *, seed: int) -> None:
        self._target = target
        self._one = run
        self._folder = folder
        self._coverage = Coverage()
        self._known = [*target.seeds, *(file.read_bytes() for file in sorted(folder.glob("*")) if file.is_file())]
        self._reached: set[Line] = set()
        self._mutator = Mutator(Random(seed), target.tokens, BYTES_MAX)
        self._armed = 0.0
        self.report = Report()

    def run(self, *, seconds: float | None = None, inputs: int | None = None, keep: bool) -> Report:
        """First all known inputs, then new ones until the time or the number of inputs is over.

        `keep` writes inputs that reach new lines into the folder. Raises Failed.
        """
        until = time.monotonic() + seconds if seconds is not None else None
        with _alarms():
            for data in self._known:
                self._reached |= self._checked(data)
            most = None if inputs is None else self.report.inputs + inputs
            while (until is None or time.monotonic() < until) and (most is None or self.report.inputs < most):
                data = self._mutator.new(self._known)
                lines = self._checked(data)
                if lines - self._reached:
                    self._reached |= lines
                    self._known.append(data)
                    if keep:
                        _write(self._folder, data)
        self.report.corpus, self.report.lines = len(self._known), len(self._reached)
        return self.report

    def prune(self) -> int:
        """Delete inputs of the folder that reach no line that the others do not; the number that stays."""
        reached: set[Line] = set()
        with _alarms():
            for data in self._target.seeds:
                reached |= self._checked(data)
            files = sorted(self._folder.glob("*"), key=lambda file: (file.stat().st_size, file.name))
            for file in files:
                lines = self._checked(file.read_bytes())
                if self._target.is_measured and not lines - reached:
                    file.unlink()
                reached |= lines
        return len(list(self._folder.glob("*")))

    def smallest(self, failed: Failed) -> Failed:
        """Find a shorter input with the same failure, by leaving out pieces."""
        piece = max(1, len(failed.data) // 2)
        while True:
            at = 0
            while at < len(failed.data):
                shorter = self._failure(failed.data[:at] + failed.data[at + piece :])
                if shorter is not None and shorter.reason == failed.reason:
                    failed = shorter
                else:
                    at += piece
            if piece == 1:
                return failed
            piece //= 2

    def _failure(self, data: bytes) -> Failed | None:
        with _alarms():
            try:
                self._checked(data)
            except Failed as failed:
                return failed
        return None

    def _checked(self, data: bytes) -> set[Line]:
        """Run the target; the lines that it reached."""
        self.report.inputs += 1
        self._arm()
        if not self._target.is_measured:
            self._run(data)
            return set()
        began = time.process_time()
        with self._coverage.collecting():
            self._run(data)
        if time.process_time() - began > SLOW_SECONDS:
            # Collecting lines is slow: only the time without it counts.
            began = time.process_time()
            self._run(data)
            if time.process_time() - began > SLOW_SECONDS:
                raise Failed(data, f"slow: more than {SLOW_SECONDS} s of processor time")
        return self._coverage.take()

    def _run(self, data: bytes) -> None:
        signal.alarm(_HANG_SECONDS)
        try:
            self._one(data)
        except Exception as wrong:
            raise Failed(data, f"{type(wrong).__name__}: {wrong}"[:500]) from wrong
        finally:
            signal.alarm(0)

    def _arm(self) -> None:
        """Where native code hangs, no handler runs: then this ends the program with a stack trace."""
        if time.monotonic() - self._armed > _REARM_SECONDS:
            self._armed = time.monotonic()
            faulthandler.dump_traceback_later(2 * _HANG_SECONDS, exit=True)


def save_failure(folder: Path, failed: Failed) -> Path:
    """Write the input of a failure to a file."""
    return _write(folder, failed.data)


def _write(folder: Path, data: bytes) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / hashlib.sha256(data).hexdigest()[:16]
    file.write_bytes(data)
    return file


@contextmanager
def _alarms() -> Iterator[None]:
    """A target that hangs in Python is interrupted."""

    def ring(_signal: int, _frame: FrameType | None) -> None:
        raise TimeoutError(f"no answer in {_HANG_SECONDS} s")

    before = signal.signal(signal.SIGALRM, ring)
    try:
        yield
    finally:
        signal.signal(signal.SIGALRM, before)
        with suppress(ValueError):
            faulthandler.cancel_dump_traceback_later()

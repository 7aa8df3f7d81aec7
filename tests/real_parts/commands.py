"""Commands of the command line as processes that cost little: forked from one that has imported everything already.

For tests that look at what a command does. Those that look at how it starts ask for the installed program.
"""

import atexit
import functools
import json
import os
import selectors
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Mapping
from contextlib import suppress
from io import FileIO
from pathlib import Path

from tests.real_parts import command_forker, loop_faults
from tests.real_parts.command_forker import Order
from tests.real_parts.readable import is_readable

SKYSHELF = str(Path(sys.executable).with_name("skyshelf"))


class Command:
    """A process that was forked for one command."""

    def __init__(self, reports: FileIO) -> None:
        self._reports = reports
        self.process_id = int.from_bytes(reports.read(4), "little")
        self._code: int | None = None
        self._lock = threading.Lock()
        """Several threads may wait, and one of them reads the report."""
        assert self.process_id, "the process that forks commands is gone; what it said is above"

    def poll(self) -> int | None:
        """Its exit code, or None while it runs."""
        try:
            return self.wait(0)
        except TimeoutError:
            return None

    def wait(self, timeout: float | None = None) -> int:
        """Its exit code, or the negative number of the signal that ended it."""
        if self._code is None and not self._has_reported(timeout):
            raise TimeoutError(f"process {self.process_id} still runs after {timeout} s")
        with self._lock:
            if self._code is None:
                with self._reports:
                    self._code = os.waitstatus_to_exitcode(int.from_bytes(self._reports.read(4), "little"))
            return self._code

    def _has_reported(self, timeout: float | None) -> bool:
        try:
            return is_readable(self._reports.fileno(), timeout)
        except ValueError:  # another thread has read the report, and closed it
            return True

    def send(self, sent: signal.Signals, *, to_all: bool = False) -> None:
        """A signal to the process, or to all of the group that one with a session of its own has."""
        with suppress(ProcessLookupError):  # it has just ended by itself
            (os.killpg if to_all else os.kill)(self.process_id, sent)


def start(
    arguments: tuple[str, ...],
    streams: tuple[int, int, int],
    environment: Mapping[str, str],
    folder: Path,
    *,
    own_session: bool = False,
    has_terminal: bool = False,
    installed: bool = False,
    program: Path | None = None,
    descriptors: int | None = None,
    module: str | None = None,
) -> Command:
    """Start a command, or the main of a module of the tests, on open files; the caller closes its copies of them.

    The program is the installed one, or one of another version; otherwise the command is forked.
    """
    order = Order(
        arguments=list(arguments),
        environment=dict(environment),
        folder=str(folder),
        own_session=own_session,
        has_terminal=has_terminal,
        program=str(program or SKYSHELF) if installed or program else None,
        descriptors=descriptors,
        module=module,
    )
    reading, writing = os.pipe()
    try:
        socket.send_fds(_forker(), [json.dumps(order).encode()], [*streams, writing])
    finally:
        os.close(writing)
    return Command(FileIO(reading))


def run(
    arguments: tuple[str, ...],
    *,
    stdin: str,
    environment: Mapping[str, str],
    folder: Path,
    installed: bool = False,
    module: str | None = None,
    timeout: float = 60,
) -> subprocess.CompletedProcess[str]:
    """Run a command, or the main of a module of the tests, in pipes until it ends, as `subprocess.run` does."""
    theirs_in, ours_in = os.pipe()
    ours_out, theirs_out = os.pipe()
    ours_err, theirs_err = os.pipe()
    try:
        streams = (theirs_in, theirs_out, theirs_err)
        command = start(arguments, streams, environment, folder, installed=installed, module=module)
    finally:
        for theirs in (theirs_in, theirs_out, theirs_err):
            os.close(theirs)
    try:
        out, err = _conversation(ours_in, stdin.encode(), (ours_out, ours_err), timeout)
    except TimeoutError:
        command.send(signal.SIGKILL)
        command.wait()
        raise
    return subprocess.CompletedProcess(arguments, command.wait(), _as_text(out), _as_text(err))


def _conversation(entry: int, given: bytes, exits: tuple[int, int], timeout: float) -> list[bytes]:
    """Write and read until both exits end; everything is closed then."""
    said = {exit_: bytearray() for exit_ in exits}
    open_files = {entry, *exits}
    os.set_blocking(entry, False)

    def close(file: int) -> None:
        waiting.unregister(file)
        os.close(file)
        open_files.discard(file)

    try:
        with selectors.DefaultSelector() as waiting:
            waiting.register(entry, selectors.EVENT_WRITE)
            for exit_ in exits:
                waiting.register(exit_, selectors.EVENT_READ)
            while open_files & set(exits):
                ready = waiting.select(timeout)
                if not ready:
                    raise TimeoutError(f"the command says nothing for {timeout} s, after: {said}")
                for key, _ in ready:
                    if key.fd != entry:
                        piece = os.read(key.fd, 65536)
                        said[key.fd] += piece
                        if not piece:
                            close(key.fd)
                        continue
                    try:
                        given = given[os.write(entry, given[:65536]) :] if given else given
                    except BrokenPipeError:
                        given = b""  # it ended without having read everything, as it may
                    if not given:
                        close(entry)
    finally:
        for file in open_files:
            os.close(file)
    return [bytes(said[exit_]) for exit_ in exits]


def _as_text(said: bytes) -> str:
    return said.decode().replace("\r\n", "\n").replace("\r", "\n")


@functools.cache
def _forker() -> socket.socket:
    """The other end of the one process of this test run that forks commands."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with theirs:
        process = subprocess.Popen(
            [sys.executable, "-I", command_forker.__file__, str(loop_faults.FILE)], stdin=theirs.fileno()
        )

    def end() -> None:
        ours.close()
        process.wait()

    atexit.register(end)
    return ours

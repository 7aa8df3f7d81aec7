"""A process that has imported the whole command line once, and forks for every command that it is asked to run.

What runs is a process with arguments, environment, folder and open files of its own, as a shell would start it; only
the reading of modules, which costs more than most commands do, is already done. `tests.real_parts.commands` talks to it
over the socket that is its standard input, and it ends when the other side does.
"""

import atexit
import fcntl
import gc
import json
import os
import pkgutil
import resource
import select
import signal
import socket
import sys
import tempfile
import termios
import threading
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import NoReturn, TypedDict

LARGEST_ORDER = 1 << 20
STANDARD_STREAMS = (0, 1, 2)


class Order(TypedDict):
    """A command to run; with it come its three streams, and where to report its process id and how it ended."""

    arguments: list[str]
    environment: dict[str, str]
    folder: str
    own_session: bool
    """Apart from the signals that those who run the tests send to everything, and with a group of its own to kill."""
    has_terminal: bool
    """Whether its streams are a terminal, which then is that of its session."""
    program: str | None
    """A program to run in its place, for those who want to see it start."""
    descriptors: int | None
    """How many descriptors it may have, if not as many as this process."""
    module: str | None
    """A module of the tests, whose `main` runs in its place."""


def main() -> None:
    orders = socket.socket(fileno=os.dup(0))
    _import_everything()
    _watch_loop(Path(sys.argv[1]))
    # What is there now stays: looking through it for garbage would copy its memory into every command.
    gc.collect()
    gc.freeze()
    running: dict[int, int] = {}
    with orders:
        ended, signal_end = os.pipe()
        os.set_blocking(signal_end, False)
        signal.set_wakeup_fd(signal_end)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        while True:
            ready, _, _ = select.select([orders.fileno(), ended], [], [])
            if ended in ready:
                os.read(ended, 4096)
                _tell_what_ended(running)
            if orders.fileno() not in ready:
                continue
            order, files, _, _ = socket.recv_fds(orders, LARGEST_ORDER, 4)
            if not order:
                return
            *streams, reports = files
            started = os.fork()
            if started == 0:
                break
            for stream in streams:
                os.close(stream)
            running[started] = reports
            os.write(reports, started.to_bytes(4, "little"))
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    for file in (ended, signal_end, reports, *running.values()):
        os.close(file)
    _become(json.loads(order), streams)


def _import_everything() -> None:
    import skyshelf

    for module in pkgutil.walk_packages(skyshelf.__path__, "skyshelf."):
        # The library of the Model Context Protocol is large, and commands that need it are rare.
        if not module.name.startswith(("skyshelf.agent.mcp", "skyshelf.testing")):
            import_module(module.name)
    threads = list(Path("/proc/self/task").iterdir())
    assert len(threads) == 1, "a module starts threads when it is imported, and what forks must have none"


def _watch_loop(file: Path) -> None:
    """Write faults of the event loop of servers to a file, which the tests read."""
    sys.path.insert(0, str(Path(__file__).parents[2]))
    import_module("tests.real_parts.loop_faults").watch(file)
    sys.path.pop(0)


def _tell_what_ended(running: dict[int, int]) -> None:
    while running:
        process_id, status = os.waitpid(-1, os.WNOHANG)
        if process_id == 0:
            return
        reports = running.pop(process_id)
        with suppress(BrokenPipeError):  # of somebody who no longer waits for it
            os.write(reports, status.to_bytes(4, "little"))
        os.close(reports)


def _become(order: Order, streams: list[int]) -> None:
    """Be the command, in the process that was forked for it."""
    if order["own_session"] or order["has_terminal"]:
        os.setsid()
    if order["has_terminal"]:
        fcntl.ioctl(streams[0], termios.TIOCSCTTY)
    for standard, stream in zip(STANDARD_STREAMS, streams, strict=True):
        os.dup2(stream, standard)
    for stream in streams:
        os.close(stream)
    os.chdir(order["folder"])
    if order["descriptors"] is not None:
        resource.setrlimit(resource.RLIMIT_NOFILE, (order["descriptors"], order["descriptors"]))
    if order["program"] is not None:
        os.execve(order["program"], [order["program"], *order["arguments"]], order["environment"])
    # Anew, because they are made for what the files behind them are: a terminal, or not.
    sys.stdin = os.fdopen(0, encoding="utf-8", errors=sys.stdin.errors, closefd=False)
    sys.stdout = os.fdopen(1, "w", encoding="utf-8", errors=sys.stdout.errors, closefd=False)
    sys.stderr = os.fdopen(2, "w", encoding="utf-8", errors="backslashreplace", buffering=1, closefd=False)
    os.environ.clear()
    os.environ.update(order["environment"])
    time.tzset()
    tempfile.tempdir = None
    if order["module"] is not None:
        sys.path.insert(0, str(Path(__file__).parents[2]))
        command = import_module(order["module"]).main
    else:
        command = import_module("skyshelf.cli.main").main
    sys.argv = ["skyshelf", *order["arguments"]]
    _end(_exit_code(command))


def _exit_code(command: Callable[[], str | int | None]) -> int:
    """How a command ends that was called as the installed script calls it."""
    try:
        sys.exit(command())
    except SystemExit as end:
        if end.code is None or isinstance(end.code, int):
            return end.code or 0
        print(end.code, file=sys.stderr)
        return 1
    except BaseException:  # noqa: BLE001 - whatever it is, this is where the interpreter would show it
        traceback.print_exc()
        return 1


def _end(code: int) -> NoReturn:
    """End as the interpreter does, without its taking apart of every module: that would cost more than the command."""
    for thread in threading.enumerate():
        if thread is not threading.current_thread() and not thread.daemon:
            thread.join()
    atexit._run_exitfuncs()
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        code = 120
    os._exit(code)


if __name__ == "__main__":
    main()

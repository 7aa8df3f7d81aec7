"""What must happen when a process forks or ends while clients are in use.

A forked child shares its parent's sockets and event loops, and must neither use nor close them. At the end of the
process, OpenSSL frees its global state while daemon threads still run; one that is inside OpenSSL at that moment
crashes the process with a segmentation fault. `in_openssl` keeps them out: the interpreter waits for threads inside
it, and refuses those that come later.
"""

import atexit
import os
import ssl
import threading
import time
import weakref
from collections.abc import Callable
from typing import Any, Final, Protocol

_WAIT_SECONDS: Final = 10.0
"""How long the end of the process waits for threads inside OpenSSL; each call takes milliseconds."""


class Forkable(Protocol):
    """Something that holds sockets, threads or event loops."""

    def reset_after_fork(self) -> object:
        """Let go of everything that belongs to the parent, without closing it; returns what was let go."""
        ...


_forkable: Final["weakref.WeakSet[Any]"] = weakref.WeakSet()
# Objects of the parent stay referenced here: collecting them would close what the parent still uses.
_of_the_parent: Final[list[object]] = []


def reset_in_children(one: Forkable) -> None:
    """Call its `reset_after_fork` in every forked child, for as long as it lives."""
    _forkable.add(one)


def _after_fork() -> None:
    _inside.clear()
    _of_the_parent.extend([one.reset_after_fork() for one in list(_forkable)])


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


# Threads inside OpenSSL, and callbacks that run before it is closed to daemon threads.
_inside: Final[set[int]] = set()
_is_ending = False
_endings: Final[list[Callable[[], None]]] = []


def call_at_end(ending: Callable[[], None]) -> None:
    """Call it at the end of the process, before OpenSSL is closed to daemon threads."""
    _endings.append(ending)


class in_openssl:  # noqa: N801 - reads as a phrase: with in_openssl():
    """Marks a call into OpenSSL that releases the GIL; raises ssl.SSLError where the process is ending."""

    __slots__ = ("_thread",)

    def __enter__(self) -> None:
        self._thread = threading.get_ident()
        # Registered first, checked second: the end of the process sets the flag first, and waits for `_inside` second.
        _inside.add(self._thread)
        if _is_ending and threading.current_thread().daemon:
            _inside.discard(self._thread)
            raise ssl.SSLError("the program is ending")

    def __exit__(self, *_: object) -> None:
        _inside.discard(self._thread)


class GuardedTls(ssl.SSLObject):
    """TLS of a connection, whose calls into OpenSSL are known to the end of the process."""

    def do_handshake(self) -> None:
        with in_openssl():
            super().do_handshake()

    def read(self, len: int = 1024, buffer: Any = None) -> Any:  # noqa: A002 - the name in the base class
        with in_openssl():
            return super().read(len, buffer)

    def write(self, data: Any) -> int:
        with in_openssl():
            return super().write(data)

    def unwrap(self) -> None:
        with in_openssl():
            super().unwrap()


@atexit.register
def _at_end() -> None:
    global _is_ending  # noqa: PLW0603 - the process ends once
    try:
        for ending in _endings:
            ending()
    finally:
        _is_ending = True
    me, until = threading.get_ident(), time.monotonic() + _WAIT_SECONDS
    while _inside - {me} and time.monotonic() < until:
        time.sleep(0.0005)

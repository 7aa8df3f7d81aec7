"""Hearing of a stop while requests are still under way."""

import asyncio
import signal
import threading
from collections.abc import Callable
from types import FrameType


def when_told_to_stop(told: Callable[[], None]) -> None:
    """Call `told` on this event loop when the process is told to stop, besides whatever else that sets off.

    The HTTP server waits for the requests that are under way before it tells the application, and a stream has no end
    of its own. Its handlers are the event loop's, which hears of signals by another way: nothing is taken from it.
    Outside of the main thread, as in tests, nobody can listen for signals.
    """
    if threading.current_thread() is not threading.main_thread():
        return
    loop = asyncio.get_running_loop()

    def heard(_signal: int, _frame: FrameType | None) -> None:
        loop.call_soon_threadsafe(told)

    for one in (signal.SIGTERM, signal.SIGINT):
        # Only where the event loop handles it: a program that does not, keeps what it has.
        if signal.getsignal(one) not in (signal.SIG_DFL, signal.SIG_IGN, signal.default_int_handler, None):
            signal.signal(one, heard)

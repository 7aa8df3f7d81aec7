"""Notices when the event loop is held: while one callback runs, every other request of the worker waits.

The loop ticks twenty times a second, and a thread looks at the ticks as often, so requests pay nothing. While a tick is
late, the thread takes the stack of the loop, and the request in it; how long the hold was is counted by the tick.
"""

import asyncio
import logging
import sys
import threading
import time
import traceback
from bisect import bisect_left
from typing import Final

from skyshelf.server.observability.counts import SECONDS, WorkerCounts

_log = logging.getLogger("skyshelf.server")

HELD_SECONDS: Final = 0.1
"""The longest that a callback may take without being logged and counted."""
_TICK_SECONDS: Final = 0.05
_LOGGED_SECONDS: Final = 10
"""A hold that takes longer is logged before its end."""
_FRAMES_MAX: Final = 25


class LoopWatchdog:
    """Watches the event loop that it is started on."""

    def __init__(self, counts: WorkerCounts) -> None:
        self._counts = counts
        self._due = 0.0
        self._ran = 0.0
        """Processor time of the loop's thread at the last tick."""
        self._hold = dict[str, float]()
        """How long the last hold was, and what it took of the processor: little, if the machine was overloaded."""
        self._holds = 0
        self._ended = threading.Event()
        self._timer: asyncio.TimerHandle | None = None

    def start(self) -> None:
        self._due = time.monotonic()
        self._tick(asyncio.get_running_loop())
        threading.Thread(target=self._watch, args=(threading.get_ident(),), name="loop-watchdog", daemon=True).start()

    def end(self) -> None:
        self._ended.set()
        if self._timer is not None:
            self._timer.cancel()

    def _tick(self, loop: asyncio.AbstractEventLoop) -> None:
        now, ran = time.monotonic(), time.thread_time()
        late = now - self._due
        if late > HELD_SECONDS:
            self._hold = {"ms": _ms(late), "cpu_ms": _ms(ran - self._ran)}
            self._holds += 1
            self._counts.loop_holds.durations[bisect_left(SECONDS, late)] += 1
            self._counts.loop_holds.seconds += late
        self._due, self._ran = now + _TICK_SECONDS, ran
        self._timer = loop.call_later(_TICK_SECONDS, self._tick, loop)

    def _watch(self, thread: int) -> None:
        logged = 0
        while not self._ended.wait(_TICK_SECONDS):
            due, found = self._due, dict[str, object]()
            if time.monotonic() - due > HELD_SECONDS:
                found = _found_on(thread)
                while self._due == due and time.monotonic() - due < _LOGGED_SECONDS:
                    self._ended.wait(_TICK_SECONDS)
            elif self._holds == logged:
                continue
            hold = {"ms": _ms(time.monotonic() - due)} if self._due == due else self._hold
            fields = {"event": "loop held", **hold, **found}
            _log.warning("the event loop was held", extra={"fields": fields})
            while self._due == due and not self._ended.wait(_TICK_SECONDS):
                pass
            logged = self._holds


def _ms(seconds: float) -> float:
    return round(seconds * 1000, 1)


def _found_on(thread: int) -> dict[str, object]:
    """Return what the thread does: the operation whose request is in its stack, and the stack from the outside in."""
    innermost = frame = sys._current_frames().get(thread)
    call = None
    while frame is not None and call is None:
        call = getattr(getattr(frame.f_locals.get("request"), "operation", None), "name", None)
        frame = frame.f_back
    lines = traceback.extract_stack(innermost)[-_FRAMES_MAX:]
    return {"call": call or "-", "stack": [f"{line.filename}:{line.lineno} {line.name}" for line in lines]}

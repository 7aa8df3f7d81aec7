"""The log of slow calls: one line for each, with what it spent its time on.

The time that a client takes to send its body, or to read the response, does not count: a slow line is no slow call.
"""

import logging
from typing import Final

from starlette.types import Scope

from skyshelf.storage.watching import Parts

_log = logging.getLogger("skyshelf.slow")
_WAIT_BY_DESIGN: Final = frozenset({"change_stream"})


class SlowCalls:
    """Logs calls that took at least so many seconds; 0 for none."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds or float("inf")

    def note(
        self, scope: Scope, request_id: str, name: str, status: int, *, seconds: float, parts: Parts | None = None
    ) -> None:
        if seconds < self._seconds:
            return
        parts = parts or Parts()
        own = seconds - parts.client
        if own < self._seconds or name in _WAIT_BY_DESIGN:
            return
        known = parts.waiting + parts.database + parts.blobs
        trace = {"trace_id": parts.trace_id} if parts.trace_id else {}
        _log.warning(
            "slow call",
            extra={
                "fields": {
                    "event": "slow call",
                    "request_id": request_id,
                    "call": name,
                    "method": scope["method"],
                    "status": status,
                    "ms": _ms(own),
                    "waiting_ms": _ms(parts.waiting),
                    "database_ms": _ms(parts.database),
                    "blobs_ms": _ms(parts.blobs),
                    # Parts can overlap: a response is streamed while the next piece is read.
                    "other_ms": _ms(max(0.0, own - known)),
                    "client_ms": _ms(parts.client),
                    "user": scope.get("user_id", "-"),
                    **trace,
                }
            },
        )


def _ms(seconds: float) -> float:
    return round(seconds * 1000, 1)

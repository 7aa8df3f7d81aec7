"""Messages to the service manager (systemd): ready, reloading, stopping, and that the service is alive.

Without a manager that asks for them, nothing is sent.
"""

import os
import socket
import time
from collections.abc import Mapping
from contextlib import suppress
from typing import Final

_PINGS_PER_WATCHDOG: Final = 3


class ServiceManager:
    """Where the messages go, if anywhere."""

    def __init__(self, environment: Mapping[str, str] = os.environ) -> None:
        self._address = environment.get("NOTIFY_SOCKET", "")
        pid = environment.get("WATCHDOG_PID", "")
        micros = environment.get("WATCHDOG_USEC", "")
        is_ours = not pid or pid == str(os.getpid())
        self.ping_seconds = int(micros) / 1e6 / _PINGS_PER_WATCHDOG if micros.isdigit() and is_ours else None
        """How often it wants to hear that the service is alive; None for never."""

    def ready(self) -> None:
        self._send("READY=1", "STATUS=Serving.")

    def reloading(self) -> None:
        """New settings are read; ready() says that they hold."""
        self._send("RELOADING=1", f"MONOTONIC_USEC={time.clock_gettime_ns(time.CLOCK_MONOTONIC) // 1000}")

    def stopping(self) -> None:
        self._send("STOPPING=1", "STATUS=Finishing the requests that are in progress.")

    def alive(self) -> None:
        self._send("WATCHDOG=1")

    def _send(self, *lines: str) -> None:
        if not self._address:
            return
        # An abstract socket begins with a NUL, which the environment cannot hold.
        address = f"\0{self._address[1:]}" if self._address.startswith("@") else self._address
        with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
            manager.connect(address)
            manager.sendall("\n".join(lines).encode())

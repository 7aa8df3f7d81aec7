"""The worker processes: the configured number, replaced when they fail, and stopped in an orderly way.

SIGHUP replaces all of them with new ones, which read the settings again: the sockets stay open, and an old one
finishes the requests that it has begun. In a terminal, SIGHUP means that it was closed, and ends the service.

SIGTERM stops the service in this order, and a second signal shortens every step:

1. for the stop delay, everything is served, /readyz answers 503, and every response asks for another connection
2. nobody can connect from now on; who is already connected is accepted, and the sockets are closed
3. streams of changes end, and requests in progress may take until the end of the drain
"""

import asyncio
import contextlib
import logging
import logging.config
import multiprocessing
import os
import signal
import socket
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from importlib.util import find_spec
from multiprocessing.connection import Connection as Pipe
from multiprocessing.connection import wait
from types import FrameType
from typing import Any, Final

from skyshelf.server.app import SkyshelfApp
from skyshelf.server.connections.traffic import connection_limit
from skyshelf.server.serving import orders as signals
from skyshelf.server.serving.listener import ConnectionSettings, Listener, first_of
from skyshelf.server.serving.orders import Orders, Stopping
from skyshelf.storage.errors import StoreInUse
from skyshelf.storage.host_lease import BEAT_SECONDS

_log = logging.getLogger("skyshelf.server")

_STOP_SIGNALS: Final = (signal.SIGTERM, signal.SIGINT)
# A worker that fails immediately is restarted only after a pause.
_RESPAWN_SECONDS: Final = 1.0
_READY_SECONDS: Final = 60.0
_PINGS_PER_WATCHDOG: Final = 3
_CONNECTING_SECONDS: Final = 0.05
"""How long a connection may take to complete that began before new ones were ignored."""
_CLEANUP_SECONDS: Final = 2.0
"""How long a worker may take to end its jobs and close its stores."""
Load = Callable[[], SkyshelfApp]
"""Creates a worker's application."""


class ServiceManager:
    """Gets messages: ready, reloading, stopping, and signs of life. Without one (systemd) that asks, none are sent."""

    def __init__(self, environment: Mapping[str, str] = os.environ) -> None:
        self._address = environment.get("NOTIFY_SOCKET", "")
        pid = environment.get("WATCHDOG_PID", "")
        micros = environment.get("WATCHDOG_USEC", "")
        is_ours = not pid or pid == str(os.getpid())
        self.ping_seconds = int(micros) / 1e6 / _PINGS_PER_WATCHDOG if micros.isdigit() and is_ours else None
        """Seconds between signs of life; None if none are expected."""

    def ready(self) -> None:
        self._send("READY=1", "STATUS=Serving.")

    def reloading(self) -> None:
        """Announce that new settings are being read; ready() announces that they are in effect."""
        self._send("RELOADING=1", f"MONOTONIC_USEC={time.clock_gettime_ns(time.CLOCK_MONOTONIC) // 1000}")

    def stopping(self, seconds: float) -> None:
        """Announce the end, and how long it may take: more than the manager's own limit, perhaps."""
        micros = round(seconds * 1e6)
        self._send("STOPPING=1", f"EXTEND_TIMEOUT_USEC={micros}", "STATUS=Finishing the requests that are in progress.")

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


class Workers:
    """The processes that serve the sockets."""

    def __init__(
        self,
        load: Load,
        sockets: list[socket.socket],
        *,
        count: int,
        stopping: Stopping,
        log_config: dict[str, Any],
        reload: Callable[[], Load] | None = None,
        manager: ServiceManager | None = None,
        settings: ConnectionSettings | None = None,
        renew: Callable[[], None] | None = None,
    ) -> None:
        self._load = load
        self._settings = settings or ConnectionSettings()
        self._reload = reload
        self._manager = manager or ServiceManager({})
        self._renew = renew
        self._sockets = sockets
        self._count = count
        self._stopping = stopping
        self._log_config = log_config
        self._context = multiprocessing.get_context("fork")
        self._processes: list[Any] = []
        self._leaving: list[Any] = []
        self._readies: list[Pipe] = []
        self._stops = 0
        self._must_reload = False

    def run(self, started: Callable[[], None]) -> None:
        """Run until a signal arrives; `started` is called when the first worker is ready."""
        logging.config.dictConfig(self._log_config)
        woken, wake = self._context.Pipe(duplex=False)
        handlers = {number: signal.signal(number, self._on_signal(wake, stops=True)) for number in _STOP_SIGNALS}
        on_hangup = self._on_signal(wake, stops=self._reload is None)
        handlers[signal.SIGHUP] = signal.signal(signal.SIGHUP, on_hangup)
        try:
            for _ in range(self._count):
                self._start()
            is_ready = False
            while not self._is_stopping:
                # A signal may have arrived while workers were replaced.
                sources = self._next_sources(woken, 0 if self._must_reload else self._manager.ping_seconds)
                # Every message is read: an unread one would keep its source ready for ever.
                ready = [one for one in sources if self._says_ready(one)]
                if ready and not is_ready and not self._is_stopping:
                    is_ready = True
                    started()
                    self._manager.ready()
                if self._must_reload and not self._is_stopping:
                    self._must_reload = False
                    self._manager.reloading()
                    self._replace_all(woken)
                    self._manager.ready()
                if not self._is_stopping:
                    self._replace_failed()
                    self._manager.alive()
        finally:
            self._end(woken)
            for number, handler in handlers.items():
                signal.signal(number, handler)

    @property
    def _is_stopping(self) -> bool:
        return self._stops > 0

    @property
    def _is_hurried(self) -> bool:
        """Whether a second signal has asked for the end at once."""
        return self._stops > 1

    def _on_signal(self, wake: Pipe, *, stops: bool) -> Callable[[int, FrameType | None], None]:
        def note(_signal: int, _frame: FrameType | None) -> None:
            if stops:
                self._stops += 1
            else:
                self._must_reload = True
            with contextlib.suppress(OSError):
                wake.send_bytes(b"1")

        return note

    def _next_sources(self, woken: Pipe, seconds: float | None = None) -> list[Any]:
        """Wait for events, and return their sources: a signal, a worker that is ready, or one that has ended.

        The lease on the stores is renewed before, and it may end the wait.
        """
        seconds = self._renewed(seconds)
        processes = [*self._processes, *self._leaving]
        sources = wait([woken, *self._readies, *(process.sentinel for process in processes)], seconds)
        if woken in sources:
            woken.recv_bytes()
        return sources

    def _renewed(self, seconds: float | None) -> float | None:
        """Renew the lease on the stores, and return how many of the seconds may pass until the next time.

        Once another machine has the stores, what is in progress must not write to them: StoreInUse.
        """
        if self._renew is None:
            return seconds
        try:
            self._renew()
        except StoreInUse:
            for process in (*self._processes, *self._leaving):
                process.kill()
            raise
        return BEAT_SECONDS if seconds is None else min(seconds, BEAT_SECONDS)

    def _start(self) -> None:
        ready, tell = self._context.Pipe(duplex=False)
        process = self._context.Process(
            target=_work,
            args=(self._load, self._sockets, tell, self._stopping.drain_seconds, self._settings),
            name="skyshelf-worker",
        )
        process.start()
        tell.close()
        self._processes.append(process)
        self._readies.append(ready)

    def _says_ready(self, source: object) -> bool:
        """Return whether a worker reports that it serves; one that has failed ends without a report."""
        if not isinstance(source, Pipe) or source not in self._readies:
            return False
        self._readies.remove(source)
        try:
            source.recv_bytes()
        except EOFError:
            return False
        finally:
            source.close()
        return True

    def _replace_all(self, woken: Pipe) -> None:
        """Replace the workers with new ones; if those fail to serve, the old ones go on."""
        assert self._reload is not None
        try:
            load = self._reload()
        except Exception as problem:  # noqa: BLE001 - a mistake in the settings must not end the service
            _log.error("the settings were not reloaded: %s", problem)
            return
        before, previous = self._processes, self._load
        self._processes, self._load = [], load
        for _ in range(self._count):
            self._start()
        if self._become_ready(woken):
            for process in before:
                signals.give(process, signals.RETIRE)
            self._leaving += before
            _log.info("reloaded: %d new worker processes serve", len(self._processes))
            return
        for process in self._processes:
            process.kill()
            process.join()
        self._processes, self._load = before, previous
        if not self._is_stopping:
            _log.error("the new worker processes failed: the old ones go on with the old settings")

    def _become_ready(self, woken: Pipe) -> bool:
        """Return whether all new workers serve within the time limit."""
        until, ready = time.monotonic() + _READY_SECONDS, 0
        while not self._is_stopping and ready < self._count and time.monotonic() < until:
            sources = self._next_sources(woken, until - time.monotonic())
            ready += sum(self._says_ready(one) for one in sources)
            if not all(process.is_alive() for process in self._processes):
                return False
        return ready == self._count

    def _replace_failed(self) -> None:
        self._leaving = [process for process in self._leaving if process.is_alive()]
        failed = [process for process in self._processes if not process.is_alive()]
        for process in failed:
            process.join()
            self._processes.remove(process)
            _log.error("a worker process ended with code %s: another one takes its place", process.exitcode)
        if failed:
            time.sleep(_RESPAWN_SECONDS)
        for _ in failed:
            if not self._is_stopping:
                self._start()

    def _end(self, woken: Pipe) -> None:
        processes = [*self._processes, *self._leaving]
        delay = self._stopping.delay_seconds if self._is_stopping else 0.0
        limit = self._stopping.drain_seconds + _CLEANUP_SECONDS
        self._manager.stopping(delay + limit + _CLEANUP_SECONDS)
        if delay and not self._is_hurried:
            _log.info("stopping: everything is served for %g more seconds, while /readyz answers 503", delay)
            for process in processes:
                signals.give(process, signals.ANNOUNCE)
            self._wait(woken, processes, delay)
        self._stopping.close_door()
        if not self._is_hurried:
            time.sleep(_CONNECTING_SECONDS)
        for one in self._sockets:
            one.close()
        for process in processes:
            process.terminate()
        self._wait(woken, processes, limit)
        if self._is_hurried:
            for process in processes:
                signals.give(process, signals.HURRY)
            self._wait(woken, processes, _CLEANUP_SECONDS, always=True)
        for process in processes:
            if process.is_alive():
                process.kill()
            process.join()

    def _wait(self, woken: Pipe, processes: list[Any], seconds: float, *, always: bool = False) -> None:
        """Wait for some seconds or until all processes have ended; not at all once somebody is in a hurry."""
        until = time.monotonic() + seconds
        while (always or not self._is_hurried) and (running := [one for one in processes if one.is_alive()]):
            left = until - time.monotonic()
            if left <= 0:
                return
            pause = left if self._manager.ping_seconds is None else min(left, self._manager.ping_seconds)
            if woken in wait([woken, *(process.sentinel for process in running)], self._renewed(pause)):
                woken.recv_bytes()
            self._manager.alive()


def _work(
    load: Load, sockets: list[socket.socket], tell: Pipe, drain_seconds: float, settings: ConnectionSettings
) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    # The terminal sends its signals to all processes: the supervisor decides.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    factory = None
    if find_spec("uvloop"):
        import uvloop

        factory = uvloop.new_event_loop
    with asyncio.Runner(loop_factory=factory) as runner:
        runner.run(_serve(load(), sockets, tell, drain_seconds, settings))


async def _serve(
    app: SkyshelfApp, sockets: list[socket.socket], tell: Pipe, drain_seconds: float, settings: ConnectionSettings
) -> None:
    orders = Orders()
    async with app.lifespan():
        listener = Listener(app, sockets, connections_max=connection_limit(settings.connections), settings=settings)
        listener.start()
        app.guard.start(listener.open_sockets)
        tell.send_bytes(b"1")
        tell.close()
        await orders.any()
        if orders.announced.is_set():
            app.health.is_stopping = listener.is_leaving = True
            await orders.stopped.wait()
        elif not orders.stopped.is_set():
            listener.leave_sockets()
            app.change_streams.end()
            await first_of(listener.all_gone(), orders.stopped.wait(), seconds=drain_seconds)
        app.change_streams.end()
        await listener.stop(drain_seconds, orders.hurried)

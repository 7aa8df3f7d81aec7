"""Where a request can be answered: what carries it, what runs it, and what happened since it was asked before.

This is the only module of these tests that knows how the server is put together.
"""

import asyncio
import threading
from collections.abc import Awaitable, Callable, Iterator
from contextlib import ExitStack, contextmanager
from enum import Enum
from hashlib import shake_256
from itertools import count
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeVar, cast

import httpx2
import uvloop
from tests.cli.serving import make_certificate
from tests.parity.transports import Asgi, Socket
from tests.real_parts import shared
from tests.real_parts.migrated_sqlite import put_migrated
from tests.server.api import HeldClock, new_account
from tests.server.identities import OFFERED

from skyshelf.server.api.table import HANDLERS
from skyshelf.server.app import ServerSettings, SkyshelfApp, app_for
from skyshelf.server.serving.listener import ConnectionSettings, Listener, TlsFiles
from skyshelf.server.serving.sockets import listen, port_of
from skyshelf.service.context import ServiceContext
from skyshelf.service.process.mail_settings import mail_settings
from skyshelf.storage.metadata.contracts.tree import NewFolder, Rename
from skyshelf.storage.metadata.store import MetadataStore
from skyshelf.storage.open import embedded_urls, open_blobs, open_metadata

T = TypeVar("T")
PATIENCE = 60
"""Seconds to wait for anything on a busy machine."""
CLIENT = "127.0.0.1"
HOST = "testserver"


class Place(NamedTuple):
    """How an application is run."""

    transport: str
    """asgi or http1, and +tls where the client came over TLS."""
    answer_on: Literal["loop", "thread"]
    store: str = "sqlite"
    """sqlite or postgres."""

    @property
    def reference(self) -> "Place":
        """What its answers are compared with."""
        return self._replace(transport=self.transport.replace("http1", "asgi"), answer_on="thread")

    @property
    def listens(self) -> bool:
        return self.transport.startswith("http1")

    @property
    def is_encrypted(self) -> bool:
        return self.transport.endswith("+tls")

    def __str__(self) -> str:
        return "-".join(self)


PLACES = {
    "sqlite": [Place("asgi", "loop"), Place("http1", "loop"), Place("http1", "thread")],
    "sqlite over tls": [Place("http1+tls", "loop")],
    "postgres": [Place(transport, "loop", "postgres") for transport in ("asgi", "http1")],
}
"""By store; each is compared with its reference."""


REMEMBERED = frozenset(name for name, handler in HANDLERS.items() if handler.remembered_ms)
"""Endpoints whose answers are remembered."""


class Moment(Enum):
    """When a question is asked: what reads is asked at all of these, one after the other."""

    FIRST = "first"
    AGAIN = "again"
    """Its answer may have been remembered."""
    AFTER_FOREIGN_COMMIT = "after a foreign commit"
    """Another process has changed another account."""
    AFTER_OWN_COMMIT = "after an own commit"
    """Another process has changed the account."""


class Mine(NamedTuple):
    """What a commit of the caller's own account changes."""

    account_id: int
    object_key: str


class SeededRandomness:
    """Gives every place the same bytes for the same step, however many an earlier step has used."""

    def __init__(self) -> None:
        self._step = "start"
        self._draws = count()

    def begin(self, step: str) -> None:
        self._step, self._draws = step, count()

    def bytes(self, size: int) -> bytes:
        return shake_256(f"{self._step} {next(self._draws)}".encode()).digest(size)


class WatchedStore:
    """A metadata store that counts in which threads it is read."""

    def __init__(self, store: Any) -> None:
        self._store = store
        self._loop_thread = 0
        self._on_loop = self._in_threads = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    @property
    def reads(self) -> tuple[int, int]:
        """How often it was read on the event loop, and in threads."""
        return self._on_loop, self._in_threads

    def watch_loop(self) -> None:
        """Take the current thread for that of the event loop."""
        self._loop_thread = threading.get_ident()

    def read(self) -> Any:
        if threading.get_ident() == self._loop_thread:
            self._on_loop += 1
        else:
            self._in_threads += 1
        return self._store.read()


class Served:
    """A running application, its stores, and a client that reaches it."""

    def __init__(self, place: Place, settings: ServerSettings, connections: ConnectionSettings | None) -> None:
        """Listens with those settings, if there are any."""
        self.place = place
        self.clock = HeldClock()
        self.randomness = SeededRandomness()
        self.store = WatchedStore(open_metadata(settings.metadata))
        self.ctx = ServiceContext(
            metadata=cast("MetadataStore", self.store),
            blobs=open_blobs(settings.blobs),
            clock=self.clock,
            randomness=self.randomness,
            rules=settings.rules,
            mail=settings.mail,
            providers=OFFERED,
            instance=bytes(8),
        )
        # Of another process, as far as the application can tell.
        self._elsewhere = open_metadata(settings.metadata)
        self._stranger = new_account(self.ctx, "stranger@example.org")
        self._commits = count(1)
        self._running = _Running(app_for(self.ctx, settings), self.store, connections)
        transport: httpx2.BaseTransport = (
            Socket(self._running.port)
            if place.listens
            else Asgi(self._running.app, self._running.run, client=(CLIENT, 50_000))
        )
        origin = f"{'https' if place.is_encrypted else 'http'}://{HOST}"
        self.client = httpx2.Client(transport=transport, base_url=origin, timeout=PATIENCE)

    def come_to(self, moment: Moment, mine: Mine) -> None:
        """Let happen what makes it that moment for the caller."""
        if moment is Moment.AFTER_FOREIGN_COMMIT:
            new = NewFolder(
                object_key=self.ctx.new_key(), parent_key=self._stranger.root_key, name=f"{next(self._commits)}"
            )
            now = self.clock.now()
            self._elsewhere.write(lambda unit: unit.tree.add_folder(self._stranger.account_id, new, now))
        elif moment is Moment.AFTER_OWN_COMMIT:
            renamed = Rename(mine.object_key, f"renamed {next(self._commits)}.png")
            self._elsewhere.write(lambda unit: unit.tree.apply(mine.account_id, [renamed], self.clock.now()))

    def close(self) -> None:
        self.client.close()
        self._running.stop()
        self._elsewhere.close()


class _Running:
    """The application on an event loop in its own thread, behind our HTTP server if it listens."""

    def __init__(self, app: SkyshelfApp, store: WatchedStore, connections: ConnectionSettings | None) -> None:
        self.app = app
        self.port = 0
        self._loop = uvloop.new_event_loop()
        self._stopping = asyncio.Event()
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._loop.run_until_complete, args=(self._serve(store, connections),))
        self._thread.start()
        assert self._ready.wait(PATIENCE)

    async def _serve(self, store: WatchedStore, connections: ConnectionSettings | None) -> None:
        store.watch_loop()
        async with self.app.lifespan():
            listener = None
            if connections is not None:
                sockets = listen(CLIENT, 0, 16)
                self.port = port_of(sockets[0]) or 0
                listener = Listener(self.app, sockets, connections_max=16, settings=connections)
                listener.start()
            self._ready.set()
            await self._stopping.wait()
            if listener is not None:
                await listener.stop(PATIENCE)

    def run(self, work: Callable[[], Awaitable[T]]) -> T:
        async def awaited() -> T:
            return await work()

        return asyncio.run_coroutine_threadsafe(awaited(), self._loop).result(PATIENCE)

    def stop(self) -> None:
        self._loop.call_soon_threadsafe(self._stopping.set)
        self._thread.join(PATIENCE)
        assert not self._thread.is_alive()
        self._loop.close()


@contextmanager
def served(place: Place, folder: Path) -> Iterator[Served]:
    """An application with empty stores, run in that place."""
    folder.mkdir()
    with ExitStack() as ending:
        metadata, blobs = embedded_urls(folder)
        if place.store == "postgres":
            metadata = ending.enter_context(shared.postgres().large_database())
        else:
            put_migrated(folder)
        settings = ServerSettings(
            metadata=metadata,
            blobs=blobs,
            # Nobody listens there, and nothing is sent: the application runs without background jobs.
            mail=mail_settings(
                "smtp://localhost:1", sender=None, password=None, public_url="https://drive.example.org"
            ),
            trusted_proxies=(),
            metrics_readers=(CLIENT,),
            answer_on=place.answer_on,
        )
        tls = TlsFiles(*make_certificate(folder, HOST)) if place.is_encrypted else None
        running = Served(place, settings, ConnectionSettings(tls=tls) if place.listens else None)
        ending.callback(running.close)
        yield running

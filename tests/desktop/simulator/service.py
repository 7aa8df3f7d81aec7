"""The server of the simulation: the whole application in this process, without sockets, on one event loop for all.

Requests are answered one after the other, and keys and times come from the seed: so a seed always runs alike.
"""

import asyncio
import selectors
import shutil
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from concurrent.futures import Future
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from contextvars import copy_context
from hashlib import shake_256
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import unquote, urlsplit

import pytest
from starlette.types import Message, Scope
from tests.client.serving import PASSWORD, Settings, begin_epoch
from tests.desktop.simulator.moments import Killed
from tests.real_parts.migrated_sqlite import put_migrated

from skyshelf.client.http.messages import PIECE_BYTES, BufferedResponse, PlannedRequest
from skyshelf.server.app import ServerSettings, app_for
from skyshelf.server.pipeline import threads
from skyshelf.server.pipeline.threads import CallThreads
from skyshelf.service.accounts import accounts, sessions
from skyshelf.service.context import ServiceContext
from skyshelf.storage.identity import SETTING, check_identity
from skyshelf.storage.metadata.sqlite.group_commit import GroupCommit
from skyshelf.storage.metadata.store import Unit
from skyshelf.storage.open import METADATA_FILE, embedded_urls, open_blobs, open_metadata
from skyshelf.wire.resources.credentials import LoginRequest

_CONTENTS = """
    SELECT md5 FROM objects WHERE account_id = :account_id AND status <> 'P'
    UNION SELECT md5 FROM versions WHERE account_id = :account_id
"""
_CURRENT = """
    WITH RECURSIVE here (object_key) AS (
        SELECT object_key FROM objects WHERE account_id = :account_id AND parent_key IS NULL
        UNION ALL SELECT o.object_key FROM objects o JOIN here ON o.parent_key = here.object_key
        WHERE o.account_id = :account_id AND o.status = 'A'
    )
    SELECT o.md5 FROM objects o JOIN here ON o.object_key = here.object_key WHERE o.account_id = :account_id
"""
URL = "http://localhost"
T = TypeVar("T")


class Clock:
    """The server's clock: it moves with every look at it, so no two changes have the same time."""

    def __init__(self) -> None:
        self._now = 1_777_800_000_000

    def now(self) -> int:
        self._now += 1
        return self._now


class Randomness:
    """Bytes that follow from the seed."""

    def __init__(self) -> None:
        self._seed, self._draws = "", 0

    def begin(self, seed: int) -> None:
        self._seed, self._draws = f"{seed}", 0

    def bytes(self, size: int) -> bytes:
        self._draws += 1
        return shake_256(f"{self._seed} {self._draws}".encode()).digest(size)


class Service:
    """Its stores in a folder, and how requests reach it."""

    def __init__(self, folder: Path, loop: asyncio.AbstractEventLoop) -> None:
        self.loop = loop
        self.randomness = Randomness()
        self._clock = Clock()
        self._data = folder / "data"
        self._saved = folder / "saved.db"
        self.has_saved = False
        put_migrated(self._data)
        self._start()
        self._identity = check_identity(self.ctx.metadata, self.ctx.blobs)

    def begin(self, seed: int, *, has_epochs: bool) -> Settings:
        """Return the session of a fresh account; without epochs, it is a server of somebody else."""
        self.randomness.begin(seed)
        self.has_saved = False
        identity = self._identity

        def mark(unit: Unit) -> None:
            unit.settings.store(SETTING, identity) if has_epochs else unit.settings.delete(SETTING)

        self.ctx.metadata.write(mark)
        email = f"person{seed}-{self._clock.now()}@example.org"
        account = accounts.add_account(self.ctx, email, "Ada", "Byron", PASSWORD)
        self._account_id = account.account_id
        login = sessions.login(self.ctx, LoginRequest(email_id=email, password=PASSWORD), "127.0.0.1")
        assert login.auth_token is not None
        assert login.device_key is not None
        return Settings(server=URL, auth_token=login.auth_token, user_id=login.user_id, device_key=login.device_key)

    def _start(self) -> None:
        metadata, blobs = embedded_urls(self._data)
        settings = ServerSettings(metadata=metadata, blobs=blobs)
        self.ctx = ServiceContext(
            metadata=open_metadata(metadata),
            blobs=open_blobs(blobs),
            clock=self._clock,
            randomness=self.randomness,
            rules=settings.rules,
        )
        self._app = app_for(self.ctx, settings)
        self._running = AsyncExitStack()
        self._lock = asyncio.Lock()
        self.loop.run_until_complete(self._running.enter_async_context(self._app.lifespan()))

    def close(self) -> None:
        self.loop.run_until_complete(self._running.aclose())

    def save(self) -> None:
        """Copy the data, as a snapshot of the machine does; contents are never deleted."""
        self.close()
        shutil.copyfile(self._data / METADATA_FILE, self._saved)
        self.has_saved = True
        self._start()

    def put_back(self, *, new_epoch: bool) -> None:
        """Put the copy back, as an operator does by hand, or by a restore that begins an epoch."""
        self.close()
        shutil.copyfile(self._saved, self._data / METADATA_FILE)
        self._start()
        if new_epoch:
            self.ctx.metadata.write(begin_epoch)

    def contents(self) -> set[str]:
        """Return the MD5 of every content that the account has: current ones, versions and those in the trash."""
        return self._hashes(_CONTENTS)

    def current(self) -> set[str]:
        """Return the MD5 of every file that can be seen."""
        return self._hashes(_CURRENT)

    def _hashes(self, statement: str) -> set[str]:
        with self.ctx.metadata.read() as unit:
            rows = unit.sql.all(statement, {"account_id": self._account_id})
        return {bytes(row[0]).hex() for row in rows if row[0] is not None}

    async def answer(self, request: PlannedRequest) -> BufferedResponse:
        """Answer a request, even if nobody waits for the answer by then."""
        return await asyncio.shield(self.loop.create_task(self._answered(request), name="service"))

    async def _answered(self, request: PlannedRequest) -> BufferedResponse:
        async with self._lock:
            return await self._asked(request)

    async def _asked(self, request: PlannedRequest) -> BufferedResponse:
        bodies = [request.body or b""]
        sent: list[Message] = []

        async def receive() -> Message:
            if not bodies:
                await asyncio.Event().wait()
            return {"type": "http.request", "body": bodies.pop(), "more_body": False}

        async def send(message: Message) -> None:
            sent.append(message)

        await self._app(_scope(request), receive, send)
        headers = {name.decode().lower(): value.decode() for name, value in sent[0]["headers"]}
        body = b"" if request.method == "HEAD" else b"".join(one.get("body", b"") for one in sent[1:])
        return BufferedResponse(sent[0]["status"], headers, body)


def _scope(request: PlannedRequest) -> Scope:
    parts = urlsplit(request.url)
    headers = {"host": parts.netloc, "content-length": str(len(request.body or b"")), **request.headers}
    return {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.4"},
        "http_version": "1.1",
        "method": request.method,
        "scheme": parts.scheme,
        "path": unquote(parts.path),
        "raw_path": parts.path.encode(),
        "query_string": parts.query.encode(),
        "root_path": "",
        "headers": [(name.lower().encode(), value.encode()) for name, value in headers.items()],
        "client": ("127.0.0.1", 50_000),
        "server": (parts.hostname, 80),
        "extensions": {},
    }


class Streamed(AbstractAsyncContextManager["Streamed"]):
    """A response that arrives piece by piece."""

    def __init__(self, transport: "Direct", request: PlannedRequest) -> None:
        self._transport = transport
        self._request = request
        self.status = 0
        self.headers: Mapping[str, str] = {}

    async def __aenter__(self) -> "Streamed":
        self._response = await self._transport.send(self._request)
        self.status, self.headers = self._response.status, self._response.headers
        return self

    async def __aexit__(self, *_: object) -> None:
        pass

    async def pieces(self, size: int = PIECE_BYTES) -> AsyncIterator[bytes | bytearray]:
        body = self._response.body
        for start in range(0, len(body), size):
            yield body[start : start + size]

    async def whole(self) -> BufferedResponse:
        return self._response


class Direct:
    """A transport without a network."""

    def __init__(self, service: Service) -> None:
        self.service = service

    async def send(self, request: PlannedRequest) -> BufferedResponse:
        return await self.service.answer(request)

    def stream(self, request: PlannedRequest) -> Streamed:
        return Streamed(self, request)

    async def close(self) -> None:
        pass


class _Unasked(selectors.DefaultSelector):
    """Asks the system for events only if the loop has nothing else to do."""

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        """Return what is ready; nothing where the loop would not wait for it."""
        return [] if timeout == 0 else super().select(timeout)


class OneThread(asyncio.SelectorEventLoop):
    """A loop on which the work of clients needs no thread while `is_inline`: it is done at once, in a fixed order."""

    is_inline = False

    def __init__(self) -> None:
        super().__init__(_Unasked())

    def run_in_executor(self, executor: Any, func: Any, *args: Any) -> Any:  # type: ignore[override]
        """Do the work here and now."""
        return done_at_once(func, *args) if self.is_inline else super().run_in_executor(executor, func, *args)


def done_at_once(work: Callable[..., Any], *arguments: Any) -> "asyncio.Future[Any]":
    """Return a future that is done; only errors of the process itself are raised here."""
    future = asyncio.get_running_loop().create_future()
    try:
        future.set_result(work(*arguments))
    except Exception as error:  # noqa: BLE001 - whoever awaits it gets it
        future.set_exception(error)
    return future


async def _called(_: CallThreads, work: Callable[[], T]) -> T:
    return copy_context().run(work)


async def _in_pool(_: object, work: Callable[[], T], lease: Any) -> T:
    try:
        return work()
    finally:
        if lease is not None:
            lease.release()


def _committed(commit: Any, waiting: Any) -> None:
    commit._run_group([waiting])


def without_threads(patch: pytest.MonkeyPatch) -> None:
    """Let the server answer in the one thread that there is: on a busy machine, others cost more than the answers."""
    patch.setattr(CallThreads, "run", _called)
    patch.setattr(threads, "_in_pool", _in_pool)
    patch.setattr(GroupCommit, "_put", _committed)


class NoPool:
    """Takes the place of a pool of threads."""

    def __init__(self, *_: Any, **__: Any) -> None:
        pass

    def submit(self, work: Callable[..., T], *arguments: Any) -> Future[T]:
        """Do the work here and now."""
        future: Future[T] = Future()
        future.set_result(work(*arguments))
        return future

    def shutdown(self, **_: Any) -> None:
        pass


class SharedLoop:
    """Takes the place of a client's own thread: everything runs on the one loop, as long as somebody waits for it."""

    loop: OneThread

    def __init__(self, **_: Any) -> None:
        self.is_closed = False

    def run(self, work: Any) -> Any:
        """Return the result; after an error, nothing that it began goes on, except for what the server does."""
        before = asyncio.all_tasks(self.loop)
        self.loop.is_inline = True
        try:
            return self.loop.run_until_complete(work)
        except BaseExceptionGroup as errors:
            raise errors if errors.subgroup(Killed) is None else Killed from None
        finally:
            self.loop.is_inline = False
            if begun := asyncio.all_tasks(self.loop) - before:
                self.loop.run_until_complete(self._ended(begun))

    async def _ended(self, begun: set[asyncio.Task[Any]]) -> None:
        answers = {task for task in begun if task.get_name() == "service"}
        for task in begun - answers:
            task.cancel()
        await asyncio.gather(*begun, return_exceptions=True)

    def iterate(self, items: AsyncIterator[T]) -> Iterator[T]:
        async def everything() -> list[T]:
            return [item async for item in items]

        yield from self.run(everything())

    def close(self) -> None:
        self.is_closed = True

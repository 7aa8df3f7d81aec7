"""The version of a database in PostgreSQL: which transactions a reader of this moment sees.

It is a snapshot (`pg_current_snapshot`): the transactions that have ended, and those that run. Readers with equal
snapshots see the same rows:

- Whatever changes rows has a transaction id, and an ended transaction stays as it ended, committed or not.
- A transaction is absent from a snapshot as long as it runs, and present in every one that is taken after its commit
  was acknowledged, to whichever instance. So a snapshot from before a commit is never equal to one from after it.
- Ids grow. They could only be given out twice where a server takes over that has lost the last transactions, or is put
  back to an earlier moment; so the start of the server is part of the version, and so is the connection.

Transactions that fail, and those of other databases of the server, make a new version too: what was remembered is then
read again, and is never wrong.

One question is asked at a time, for everybody who waits at that moment: who comes later waits for the next one, since a
commit may have been acknowledged in between.
"""

import asyncio
import contextlib
from typing import Final

import psycopg
from psycopg import pq

ANSWER_SECONDS: Final = 1.0
"""How long an answer may take before the connection is taken for lost."""
RETRY_SECONDS: Final = 1.0
_CONNECT_SECONDS: Final = 5
_NAME: Final = b"skyshelf_version"
_PREPARE: Final = "PREPARE skyshelf_version AS SELECT pg_current_snapshot(), pg_postmaster_start_time()"
_Waiting = asyncio.Future[object | None]


class PostgresVersions:
    """Reads versions on the event loop that came first, with a separate connection; any other loop gets none."""

    def __init__(self, url: str, name: str) -> None:
        self._url = url
        self._name = name
        self._loop: asyncio.AbstractEventLoop | None = None
        self._connection: psycopg.AsyncConnection[object] | None = None
        self._connecting: asyncio.Task[None] | None = None
        self._retry_at = 0.0
        self._number = 0
        self._waiting: list[_Waiting] = []
        self._asked: list[_Waiting] = []
        self._asked_at = 0.0
        self._found: object | None = None
        self._is_watched = False
        self._is_scheduled = False
        self._is_closed = False

    async def open(self) -> None:
        """Connect, if the database can be reached; otherwise later."""
        self._connect_later()
        if self._connecting is not None:
            await asyncio.shield(self._connecting)

    async def close(self) -> None:
        self._is_closed = True
        connecting = self._connecting
        if connecting is not None:
            connecting.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await connecting
        if self._loop is asyncio.get_running_loop():
            self._lose()
        elif self._loop is not None:
            with contextlib.suppress(RuntimeError):  # it is closed
                self._loop.call_soon_threadsafe(self._lose)

    async def read(self) -> object | None:
        """The version of a moment after this call; None where it cannot be read at present."""
        if self._connection is None or self._loop is not asyncio.get_running_loop():
            self._connect_later()
            return None
        waiting: _Waiting = self._loop.create_future()
        self._waiting.append(waiting)
        if not self._asked and not self._is_scheduled:
            # After everything else that this turn of the event loop has to do: it may bring more who wait.
            self._is_scheduled = True
            self._loop.call_soon(self._ask)
        return await waiting

    def _connect_later(self) -> None:
        loop = asyncio.get_running_loop()
        if self._is_closed or self._connection is not None or self._connecting is not None:
            return
        if loop is self._loop and loop.time() < self._retry_at:
            return
        self._loop = loop
        self._connecting = loop.create_task(self._connect())

    async def _connect(self) -> None:
        assert self._loop is not None
        try:
            connection = await psycopg.AsyncConnection.connect(
                self._url, autocommit=True, application_name=self._name, connect_timeout=_CONNECT_SECONDS
            )
            try:
                await connection.execute(_PREPARE)
            except BaseException:
                await connection.close()
                raise
        except (psycopg.Error, OSError):
            # The routes meet the same problem, and report it.
            self._retry_at = self._loop.time() + RETRY_SECONDS
            return
        finally:
            self._connecting = None
        self._connection = connection
        self._number += 1
        self._loop.add_reader(connection.pgconn.socket, self._on_readable)

    def _ask(self) -> None:
        self._is_scheduled = False
        if self._connection is None or self._asked or not self._waiting:
            return
        assert self._loop is not None
        self._asked, self._waiting, self._found = self._waiting, [], None
        self._asked_at = self._loop.time()
        try:
            self._connection.pgconn.send_query_prepared(_NAME, None, result_format=pq.Format.BINARY)
            # A few bytes on a connection that has nothing else to send: they fit.
            if self._connection.pgconn.flush():
                self._lose()
        except psycopg.Error:
            self._lose()
            return
        if not self._is_watched:
            self._is_watched = True
            self._loop.call_later(ANSWER_SECONDS, self._watch)

    def _on_readable(self) -> None:
        if self._connection is None:
            return
        pgconn = self._connection.pgconn
        try:
            pgconn.consume_input()
            while not pgconn.is_busy():
                result = pgconn.get_result()
                if result is None:
                    break
                if result.status != pq.ExecStatus.TUPLES_OK:
                    self._lose()
                    return
                self._found = self._number, result.get_value(0, 0), result.get_value(0, 1)
            else:
                return
        except psycopg.Error:
            self._lose()
            return
        if self._asked:
            asked, self._asked = self._asked, []
            _resolve(asked, self._found)
            self._ask()

    def _watch(self) -> None:
        """Give up a connection that does not answer; look again while questions are asked."""
        assert self._loop is not None
        self._is_watched = False
        if self._connection is None:
            return
        left = self._asked_at + ANSWER_SECONDS - self._loop.time()
        if self._asked and left <= 0:
            self._lose()
        elif left > 0:
            self._is_watched = True
            self._loop.call_later(left, self._watch)

    def _lose(self) -> None:
        """Let go of the connection; all who wait get no version."""
        connection, self._connection = self._connection, None
        if connection is not None:
            assert self._loop is not None
            with contextlib.suppress(psycopg.Error, OSError, ValueError, RuntimeError):
                self._loop.remove_reader(connection.pgconn.socket)
            connection.pgconn.finish()
            self._retry_at = self._loop.time()
        waiting, self._asked, self._waiting = self._asked + self._waiting, [], []
        _resolve(waiting, None)


def _resolve(waiting: list[_Waiting], version: object | None) -> None:
    for one in waiting:
        if not one.done():  # cancelled
            one.set_result(version)

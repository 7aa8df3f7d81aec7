"""A connection of an event loop: questions go out together, once per turn of the loop, as prepared statements.

One batch is under way at a time. Questions that come before its end wait for the next one, so an answer is never of a
moment before the question. A question that fails has no answer, and neither have those after it in the batch; without a
connection, or without an answer in time, none has one. The caller then reads by other means.
"""

import asyncio
import contextlib
from collections import deque
from collections.abc import Sequence
from typing import Final

import psycopg
from psycopg import pq

ANSWER_SECONDS: Final = 1.0
"""How long an answer may take before the connection is taken for lost."""
RETRY_SECONDS: Final = 1.0
BATCH_MAX: Final = 64
STATEMENTS_MAX: Final = 64
_CONNECT_SECONDS: Final = 5
# It never writes, whatever a statement says.
_READ_ONLY: Final = "SET default_transaction_read_only = on"


class Question:
    """A statement with its values, and everybody who waits for its result."""

    __slots__ = ("is_sent", "result", "statement", "types", "values", "waiting")

    def __init__(self, statement: bytes, types: tuple[int, ...] = (), values: Sequence[bytes | None] = ()) -> None:
        self.statement = statement
        self.types = types
        self.values = values
        self.waiting: list[asyncio.Future[pq.abc.PGresult | None]] = []
        self.result: pq.abc.PGresult | None = None
        self.is_sent = False


class LoopConnection:
    """Belongs to the event loop that came first; any other loop gets no answers."""

    def __init__(self, url: str, name: str) -> None:
        self._url = url
        self._name = name
        self._loop: asyncio.AbstractEventLoop | None = None
        self._connection: psycopg.AsyncConnection[object] | None = None
        self._connecting: asyncio.Task[None] | None = None
        self._retry_at = 0.0
        self.number = 0
        """Number of the connection; a new connection after a lost one has the next number."""
        self._prepared: dict[tuple[bytes, tuple[int, ...]], bytes] = {}
        self._new: list[tuple[bytes, tuple[int, ...]]] = []
        """What the batch under way prepares."""
        self._names = 0
        self._waiting: deque[Question] = deque()
        self._asked: list[Question] = []
        self._expected: deque[Question | None] = deque()
        """Whose result comes next; None for that of a preparation."""
        self._has_failed = False
        self._asked_at = 0.0
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

    async def ask(self, question: Question) -> pq.abc.PGresult | None:
        """Return the result, of a moment after this call; a question that was not sent yet may be asked by several."""
        loop = self._loop
        if self._connection is None or loop is not asyncio.get_running_loop():
            self._connect_later()
            return None
        waiting: asyncio.Future[pq.abc.PGresult | None] = loop.create_future()
        if not question.waiting:
            self._waiting.append(question)
        question.waiting.append(waiting)
        if not self._asked and not self._is_scheduled:
            # After everything else that this turn of the event loop has to do: it may bring more who ask.
            self._is_scheduled = True
            loop.call_soon(self._send)
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
                self._url,
                autocommit=True,
                application_name=self._name,
                client_encoding="utf8",
                connect_timeout=_CONNECT_SECONDS,
            )
            try:
                await connection.execute(_READ_ONLY)
                connection.pgconn.enter_pipeline_mode()
            except BaseException:
                await connection.close()
                raise
        except (psycopg.Error, OSError):
            # The routes will hit and report the same problem.
            self._retry_at = self._loop.time() + RETRY_SECONDS
            return
        finally:
            self._connecting = None
        self._connection = connection
        self._prepared, self._new = {}, []
        self.number += 1
        self._loop.add_reader(connection.pgconn.socket, self._on_readable)

    def _send(self) -> None:
        self._is_scheduled = False
        if self._connection is None or self._asked or not self._waiting:
            return
        assert self._loop is not None
        pgconn = self._connection.pgconn
        self._asked_at, self._has_failed, self._new = self._loop.time(), False, []
        try:
            while self._waiting and len(self._asked) < BATCH_MAX:
                question = self._waiting.popleft()
                question.is_sent = True
                self._asked.append(question)
                self._send_one(pgconn, question)
            pgconn.pipeline_sync()
            # A few bytes on a connection that has nothing else to send: they fit.
            if pgconn.flush():
                self._lose()
                return
        except psycopg.Error:
            self._lose()
            return
        if not self._is_watched:
            self._is_watched = True
            self._loop.call_later(ANSWER_SECONDS, self._watch)

    def _send_one(self, pgconn: pq.abc.PGconn, question: Question) -> None:
        key = question.statement, question.types
        name = self._prepared.get(key)
        if name is None:
            if len(self._prepared) >= STATEMENTS_MAX:
                return
            self._names += 1
            name = self._prepared[key] = b"skyshelf_%d" % self._names
            self._new.append(key)
            pgconn.send_prepare(name, question.statement, question.types)
            self._expected.append(None)
        formats = [pq.Format.BINARY] * len(question.types)
        pgconn.send_query_prepared(name, question.values, formats, result_format=pq.Format.BINARY)
        self._expected.append(question)

    def _on_readable(self) -> None:
        if self._connection is None:
            return None
        pgconn = self._connection.pgconn
        try:
            pgconn.consume_input()
            was_none = False
            while not pgconn.is_busy():
                result = pgconn.get_result()
                if result is None:
                    if was_none:
                        return None
                elif result.status == pq.ExecStatus.PIPELINE_SYNC:
                    return self._end_batch()
                elif not self._take(result):
                    return self._lose()
                was_none = result is None
        except psycopg.Error:
            self._lose()

    def _take(self, result: pq.abc.PGresult) -> bool:
        """Note whose result it is; False where it is nobody's, as the goodbye of a server."""
        if not self._expected:
            return False
        question = self._expected.popleft()
        if result.status == pq.ExecStatus.TUPLES_OK and question is not None:
            question.result = result
        elif result.status != pq.ExecStatus.COMMAND_OK:
            self._has_failed = True
        return True

    def _end_batch(self) -> None:
        if self._has_failed:
            # Which of them were prepared is not known; the next ones get other names.
            for key in self._new:
                self._prepared.pop(key, None)
        asked, self._asked = self._asked, []
        self._expected.clear()
        _resolve(asked)
        self._send()

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
        """Let go of the connection; all who wait get nothing."""
        connection, self._connection = self._connection, None
        if connection is not None:
            assert self._loop is not None
            with contextlib.suppress(psycopg.Error, OSError, ValueError, RuntimeError):
                self._loop.remove_reader(connection.pgconn.socket)
            connection.pgconn.finish()
            self._retry_at = self._loop.time()
        waiting, self._asked = [*self._asked, *self._waiting], []
        self._waiting.clear()
        self._expected.clear()
        for question in waiting:
            question.result = None
        _resolve(waiting)


def _resolve(questions: Sequence[Question]) -> None:
    for question in questions:
        for one in question.waiting:
            if not one.done():  # cancelled
                one.set_result(question.result)

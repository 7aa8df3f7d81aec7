"""What an event loop reads of a database in PostgreSQL: its version, and the rows of short queries.

The version is a snapshot (`pg_current_snapshot`): the transactions that have ended, and those that run. Readers with
equal snapshots see the same rows:

- Whatever changes rows has a transaction id, and an ended transaction stays as it ended, committed or not.
- A transaction is absent from a snapshot as long as it runs, and present in every one that is taken after its commit
  was acknowledged, to whichever instance. So a snapshot from before a commit is never equal to one from after it.
- Ids grow. They could only be given out twice where a server takes over that has lost the last transactions, or is put
  back to an earlier moment; so the start of the server is part of the version, and so is the connection.

Transactions that fail, and those of other databases of the server, make a new version too: what was remembered is then
read again, and is never wrong.

One question for the version is asked at a time, for everybody who waits at that moment: who comes later waits for the
next one, since a commit may have been acknowledged in between.
"""

import struct
import time
from contextlib import suppress
from typing import Any, Final

from psycopg.adapt import Transformer

from skyshelf.storage.metadata.postgres.dialect import numbered
from skyshelf.storage.metadata.postgres.loop_connection import LoopConnection, Question
from skyshelf.storage.metadata.replay import MissingRows
from skyshelf.storage.metadata.sql.statements import Row
from skyshelf.storage.metadata.store import StoreVersion
from skyshelf.storage.watching import store_calls

VALUES_BYTES_MAX: Final = 4096
_VERSION: Final = b"SELECT pg_current_snapshot(), pg_postmaster_start_time() AS skyshelf_version"
_integer: Final = struct.Struct(">q").pack


class PostgresVersions:
    """Reads on the event loop that came first, with a separate connection; any other loop gets nothing."""

    def __init__(self, url: str, name: str) -> None:
        self._connection = LoopConnection(url, name)
        self._question = Question(_VERSION)
        self._result: object | None = None
        self._version: StoreVersion | None = None
        self._loader = Transformer()

    async def open(self) -> None:
        """Connect, if the database can be reached; otherwise later."""
        await self._connection.open()

    async def close(self) -> None:
        await self._connection.close()

    async def read(self) -> StoreVersion | None:
        """The version of a moment after this call; None where it cannot be read at present."""
        if self._question.is_sent:
            self._question = Question(_VERSION)
        result = await self._connection.ask(self._question)
        if result is not None and result is not self._result:
            # One for all who waited.
            self._result = result
            server = self._connection.number, result.get_value(0, 1)
            self._version = StoreVersion(server, result.get_value(0, 0))
        return None if result is None else self._version

    async def rows(self, missing: MissingRows) -> list[Row] | None:
        """The rows of a moment after this call; None where they cannot be read this way, or not at present."""
        statement, names = numbered(missing.text)
        written = [_written(missing.params[name]) for name in names]
        values = [value for _, value in written]
        if any(kind < 0 for kind, _ in written) or sum(map(len, filter(None, values))) > VALUES_BYTES_MAX:
            return None
        began = time.perf_counter()
        result = await self._connection.ask(Question(statement, tuple([kind for kind, _ in written]), values))
        if result is None:
            return None
        store_calls.add("database", "read", began)
        self._loader.set_pgresult(result)
        return self._loader.load_rows(0, result.ntuples, tuple)


def _written(value: Any) -> tuple[int, bytes | None]:
    """The number of the value's type, and its bytes, as the server reads them; -1 for a type that threads are for."""
    if value is None:
        return 0, None
    if type(value) is bytes:
        return 17, value
    if type(value) is int and -(2**63) <= value < 2**63:
        return 20, _integer(value)
    if type(value) is str and "\0" not in value:
        with suppress(UnicodeEncodeError):
            return 25, value.encode()
    return -1, None

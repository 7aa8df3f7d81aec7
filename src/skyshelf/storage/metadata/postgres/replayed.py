"""Statements of a function that is replayed: their rows are known already, or are asked for (metadata/replay.py)."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Never

from skyshelf.storage.metadata.postgres.dialect import PostgresSql
from skyshelf.storage.metadata.replay import NotReplayed, Replay
from skyshelf.storage.metadata.sql.statements import Params, Row

_NOTHING: Params = {}


class ReplayedSql(PostgresSql):
    """Queries alone: whatever changes rows is refused."""

    def __init__(self, replay: Replay) -> None:
        self._replay = replay
        self.actor = ""

    def all(self, text: str, params: Params = _NOTHING, /) -> list[Row]:
        return self._replay.rows(text, params)

    def one(self, text: str, params: Params = _NOTHING, /) -> Row | None:
        rows = self._replay.rows(text, params)
        return rows[0] if rows else None

    def run(self, text: str, params: Params = _NOTHING, /) -> Never:  # noqa: ARG002
        raise NotReplayed

    def run_many(self, text: str, params: Sequence[Params], /) -> Never:  # noqa: ARG002
        raise NotReplayed

    def insert_many(self, text: str, params: Sequence[Params], /) -> Never:  # noqa: ARG002
        raise NotReplayed

    def insert_returning(self, text: str, params: Sequence[Params], /) -> Never:  # noqa: ARG002
        raise NotReplayed

    @contextmanager
    def together(self) -> Iterator[None]:
        yield

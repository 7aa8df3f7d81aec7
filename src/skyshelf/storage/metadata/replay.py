"""Reads of an event loop from a store that is asked over a network, by functions that expect their rows at once.

Such a function is run until it needs rows that are not there; it is then run again from its beginning, once they are.
It has to be one that only reads, and that may begin again. Nothing of this is seen by the function.
"""

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final, TypeVar

T = TypeVar("T")
_TIME: Final = "now"
_Found = tuple[dict[str, Any], list[tuple[Any, ...]]]


class MissingRows(BaseException):
    """The rows that a function needs to go on. No handler of errors in between may take it for one."""

    def __init__(self, text: str, params: Mapping[str, Any]) -> None:
        super().__init__(text)
        self.text = text
        self.params = params


class NotReplayed(Exception):
    """Only a thread can do this: it writes, or its rows have to be of one moment."""


class Replay:
    """The rows that one function has asked for so far."""

    def __init__(self) -> None:
        self._rows: dict[str, list[_Found]] = {}
        self._taken: dict[str, int] = {}

    def run(self, work: Callable[[], T]) -> T:
        """Run it with the rows that are there; MissingRows if they are not enough."""
        self._taken.clear()
        with _running(self):
            return work()

    def add(self, missing: MissingRows, rows: list[tuple[Any, ...]]) -> None:
        self._rows.setdefault(missing.text, []).append((_keys_in(missing.params), rows))

    def rows(self, text: str, params: Mapping[str, Any]) -> list[tuple[Any, ...]]:
        """Return rows of the same statement, in the order of the requests; the time of day may differ."""
        taken = self._taken.get(text, 0)
        known = self._rows.get(text, ())
        if taken == len(known):
            raise MissingRows(text, params)
        self._taken[text] = taken + 1
        keys, rows = known[taken]
        if keys != _keys_in(params):
            raise NotReplayed
        return rows


def _keys_in(params: Mapping[str, Any]) -> dict[str, Any]:
    """Return what says which rows are meant: everything but the time of day, which a second run reads again."""
    return {name: value for name, value in params.items() if name != _TIME}


class _Current(threading.local):
    replay: Replay | None = None


_current = _Current()


def current_replay() -> Replay | None:
    """Return the replay of the function that this thread runs, if any."""
    return _current.replay


def refuse_in_replay() -> None:
    """NotReplayed in a function that is replayed."""
    if _current.replay is not None:
        raise NotReplayed


@contextmanager
def _running(replay: Replay) -> Iterator[None]:
    _current.replay = replay
    try:
        yield
    finally:
        _current.replay = None

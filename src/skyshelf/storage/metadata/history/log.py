"""The log of an account's changes, which proves that none was altered later: leaves, hashes and a signed head."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol

import msgspec

from skyshelf.wire.proofs.leaves import Body


class Log(NamedTuple):
    """A log that has begun. The newest change of the account may not be in it yet."""

    log_key: str
    start: int
    size: int
    head: str

    @property
    def next(self) -> int:
        """The first change that is not in it."""
        return self.start + self.size


class LoggedChange(NamedTuple):
    """A change as a leaf has it."""

    seq: int
    at: int
    body: Body


class Growth(msgspec.Struct, frozen=True, kw_only=True):
    """What is added to a log of a certain size, in one step. The states are those after the changes, in order."""

    log: Log
    """The log as it was: of size 0 if it begins."""
    size: int
    """The new one."""
    head: str
    key_id: str
    """The key that signed the head: it must still be in use."""
    tiles: Mapping[int, bytes]
    states: Sequence[bytes | None]


class HistoryLog(Protocol):
    """Nothing here changes an object, or waits for the writers of an account."""

    def get(self, account_id: int) -> Log | None:
        """The log; None where it has not begun."""

    def behind(self, *, after: int, limit: int) -> list[int]:
        """Accounts with changes that are not in their log, by number."""

    def beginning(self, account_id: int) -> int | None:
        """The change that a log would begin with: the oldest whose record is kept. None where there is none."""

    def changes(self, account_id: int, first: int, limit: int) -> list[LoggedChange]:
        """Changes from a number on, with their objects as they were after them. One statement, of one moment."""

    def tiles(self, account_id: int, places: Sequence[int]) -> dict[int, bytes]:
        """Tiles by their places. One statement."""

    def grow(self, account_id: int, growth: Growth) -> bool:
        """Add to a log; false if something else was added to it since, or the key was replaced."""

    def records(self, account_id: int, first: int, last: int) -> list[LoggedChange]:
        """Those of some changes whose records are kept, exactly as they were added."""


class HistoryKey(msgspec.Struct, frozen=True, kw_only=True):
    """A key that signs heads; retired_at is 0 for the one in use, and the others' private keys are gone."""

    number: int
    key_id: str
    public: bytes
    private: bytes | None = None
    created_at: int
    retired_at: int = 0
    signature: bytes = b""
    """By the key before it; empty for the first."""

    def __repr__(self) -> str:
        return f"HistoryKey(number={self.number}, key_id={self.key_id!r})"


class HistoryKeys(Protocol):
    def all(self) -> list[HistoryKey]:
        """Every key there was, oldest first, without private keys."""

    def current(self) -> HistoryKey | None:
        """The key in use, with its private key; None before there is one."""

    def add(self, key: HistoryKey) -> bool:
        """Use a key from now on, and destroy the private key of the former; false if another came before it."""

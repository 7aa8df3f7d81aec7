"""What a check is, and what it finds."""

from collections.abc import Callable, Iterator
from typing import TypeVar

import msgspec

from skyshelf.service.context import ServiceContext
from skyshelf.storage.metadata.contracts.inspection import Walked, WalkPosition

T = TypeVar("T")
PAGE = 1000
MOST = PAGE + 1
"""One more than a check reports at a time, so that it shows when there are more."""


class Finding(msgspec.Struct, frozen=True):
    """Something that is wrong, in a sentence."""

    sentence: str
    repair: Callable[[ServiceContext], str | None] | None = None
    """Repairs it and returns what it did, or None where that proved impossible.

    It checks again first, because others may have written in between. Without this function only a backup helps.
    """
    is_damage: bool = True
    """False for what loses nothing: bytes without a row, or unfinished uploads in a copy of a store."""


def nobody(_done: int, _size: int) -> None:
    """Nobody wants to hear of the progress."""


class CheckRun(msgspec.Struct, frozen=True):
    """The operator's options."""

    deep: bool = False
    threads: int = 8
    is_in_use: bool = True
    """Whether a server uses the store. A store at rest may be a copy that was made during uploads: its rows and its
    bytes are of two moments."""
    progress: Callable[[int, int], None] = nobody
    """Hears of steps that take long: how many items were checked, and how many bytes they have."""


class Check(msgspec.Struct, frozen=True):
    """One property of a sound store. `find` yields what violates it; its memory stays flat however much that is."""

    name: str
    description: str
    find: Callable[[ServiceContext, CheckRun], Iterator[Finding]]


def walk(step: Callable[[WalkPosition | None], Walked[T]]) -> Iterator[T]:
    """Everything that a paged inspection finds."""
    after: WalkPosition | None = None
    while True:
        walked = step(after)
        yield from walked.found
        if walked.next is None:
            return
        after = walked.next

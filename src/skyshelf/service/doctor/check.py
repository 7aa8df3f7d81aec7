"""Checks of the doctor, and their findings."""

from collections.abc import Callable, Iterator
from operator import methodcaller
from typing import TypeVar

import msgspec

from skyshelf.service.context import ServiceContext
from skyshelf.storage.metadata.contracts.inspection import WalkPosition
from skyshelf.storage.metadata.contracts.tree import Page

T = TypeVar("T")
PAGE = 1000
MOST = PAGE + 1
"""One more than a check reports at a time, to see whether there are more."""


class Finding(msgspec.Struct, frozen=True):
    """Something that is wrong, as a sentence."""

    sentence: str
    repair: Callable[[ServiceContext], str | None] | None = None
    """Repairs it and returns what it did, or None if that proved impossible.

    It checks again first, because others may have written in between. Without this function only a backup helps.
    """
    is_damage: bool = True
    """False if nothing is lost: bytes without a row, or unfinished uploads in a copy of a store."""


def nobody(_done: int, _size: int) -> None:
    """Ignore progress."""


class CheckRun(msgspec.Struct, frozen=True):
    """The operator's options."""

    deep: bool = False
    threads: int = 8
    is_in_use: bool = True
    """Whether a server uses the store. A store at rest may be a copy made during uploads, with rows and bytes from
    different moments."""
    progress: Callable[[int, int], None] = nobody
    """Called during long steps with the number of checked items and their bytes."""


class Check(msgspec.Struct, frozen=True):
    """One property of a sound store. `find` yields violations; its memory stays flat however many there are."""

    name: str
    description: str
    find: Callable[[ServiceContext, CheckRun], Iterator[Finding]]


def repaired(call: methodcaller, done: str, otherwise: str | None = None) -> Callable[[ServiceContext], str | None]:
    """Return a repair that is one call of `unit.repair`, in a write; `otherwise` is for a call that was in vain."""
    return lambda ctx: done if ctx.metadata.write(lambda unit: call(unit.repair)) else otherwise


def walk(step: Callable[[WalkPosition | None], Page[T, WalkPosition]]) -> Iterator[T]:
    """Yield everything that a paged inspection finds."""
    after: WalkPosition | None = None
    while True:
        walked = step(after)
        yield from walked.found
        if walked.next is None:
            return
        after = walked.next

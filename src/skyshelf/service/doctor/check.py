"""What a promise is to the doctor, and what it finds where one is broken."""

from collections.abc import Callable, Iterator
from typing import TypeVar

import msgspec

from skyshelf.service.context import ServiceContext
from skyshelf.storage.metadata.contracts.inspection import Place, Walked

T = TypeVar("T")
PAGE = 1000
MOST = PAGE + 1
"""One more than are told of one promise at a time, so that it shows when there are more."""


class Finding(msgspec.Struct, frozen=True):
    """Something that is not as it should be, in a sentence."""

    sentence: str
    mend: Callable[[ServiceContext], str | None] | None = None
    """Puts it right and says what it did; None where that proved impossible. Where there is no such function, nobody
    can put it right but a backup. It looks again by itself: others may have written meanwhile."""


class CheckRun(msgspec.Struct, frozen=True):
    """What the operator asked for."""

    deep: bool = False
    threads: int = 8


class Check(msgspec.Struct, frozen=True):
    """One promise of the store. look gives what breaks it, as it is found; memory stays flat however much that is."""

    name: str
    says: str
    look: Callable[[ServiceContext, CheckRun], Iterator[Finding]]


def walk(step: Callable[[Place | None], Walked[T]]) -> Iterator[T]:
    """Everything that a walk finds, page by page."""
    after: Place | None = None
    while True:
        walked = step(after)
        yield from walked.found
        if walked.next is None:
            return
        after = walked.next

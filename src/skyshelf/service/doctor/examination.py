"""One visit of the doctor: every promise in turn, and what is broken mended if that is wanted."""

from collections.abc import Iterator, Sequence
from itertools import islice

import msgspec

from skyshelf.service.doctor.promise import PAGE, Finding, Promise, Visit
from skyshelf.service.doctor.promises import PROMISES
from skyshelf.service.house import House

KEPT = PAGE
"""So many findings of one promise are told and mended at a time, so that memory stays flat whatever is broken."""


class Trouble(msgspec.Struct, frozen=True, rename="camel"):
    """Something that was wrong, and what became of it."""

    sentence: str
    mended: str | None = None


class Result(msgspec.Struct, rename="camel"):
    """What is known of one promise. troubles holds the first of them; wrong and mended count all."""

    promise: str
    says: str
    wrong: int = 0
    mended: int = 0
    more: bool = False
    """Whether there may be more that nobody has looked at: then run it again."""
    troubles: list[Trouble] = []

    @property
    def holds(self) -> bool:
        return self.wrong == self.mended and not self.more


def examine(
    house: House, visit: Visit, *, repair: bool = False, promises: Sequence[Promise] = PROMISES
) -> Iterator[Result]:
    """Look at every promise, one after the other; each result comes when it is known."""
    for promise in promises:
        yield _examined(house, visit, promise, repair=repair)


def _examined(house: House, visit: Visit, promise: Promise, *, repair: bool) -> Result:
    result = Result(promise.name, promise.says)
    while True:
        looking = promise.look(house, visit)
        found = list(islice(looking, KEPT))
        result.more = next(looking, None) is not None
        # Closed before anything is mended: a look may hold a moment of the store open.
        looking.close()  # type: ignore[attr-defined]
        mended = [_treated(house, result, one, repair=repair) for one in found]
        # Another round only where this one got somewhere: what cannot be mended would be found for ever.
        if not (result.more and all(mended)):
            return result


def _treated(house: House, result: Result, finding: Finding, *, repair: bool) -> bool:
    done = finding.mend(house) if repair and finding.mend is not None else None
    result.wrong += 1
    result.mended += done is not None
    if len(result.troubles) < KEPT:
        result.troubles.append(Trouble(finding.sentence, done))
    return done is not None

"""What can go wrong between a client and a server, how often, and what did.

Whether a request fails, and how, depends on the seed, on the request, and on how often the same request was made:
not on the order in which requests of several workers happen to arrive. The same seed gives the same faults.
"""

import random
from collections import Counter
from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from msgspec import Struct

from skyshelf.testing.pages import is_content, is_listing, parameter


class Fault(StrEnum):
    """One way to fail; the value is what the log says."""

    RESET = "reset before the request was passed on"
    LOSE_ANSWER = "reset after the request was done"
    CUT = "connection closed in the middle of the answer"
    ERROR = "answered with a 5xx"
    THROTTLE = "answered with 429"
    DELAY = "answered late"
    STALL = "answer that stops and never goes on"
    CORRUPT = "bytes changed"
    SHORTEN = "fewer bytes, and a length that agrees with them"
    LENGTHEN = "more bytes, and a length that agrees with them"
    IGNORE_RANGE = "whole content where a range was asked for"
    WRONG_RANGE = "another range than the one that was asked for"
    REDIRECT = "sent elsewhere"
    REPEAT_PAGE = "the page before, once more"
    SHORT_PAGE = "a page in the middle that lacks its end"
    DUPLICATES = "a page that lists some objects twice"


_ANY: Final = (Fault.RESET, Fault.LOSE_ANSWER, Fault.CUT, Fault.ERROR, Fault.THROTTLE, Fault.DELAY)
CONTENT_FAULTS: Final = (
    *_ANY,
    Fault.STALL,
    Fault.CORRUPT,
    Fault.SHORTEN,
    Fault.LENGTHEN,
    Fault.IGNORE_RANGE,
    Fault.WRONG_RANGE,
)
LISTING_FAULTS: Final = (*_ANY, Fault.CORRUPT, Fault.REPEAT_PAGE, Fault.SHORT_PAGE, Fault.DUPLICATES)
_FIRST_PAGE_FAULTS: Final = tuple(one for one in LISTING_FAULTS if one is not Fault.REPEAT_PAGE)
_OF_RANGES: Final = frozenset({Fault.IGNORE_RANGE, Fault.WRONG_RANGE})
OTHER_FAULTS: Final = (*_ANY, Fault.CORRUPT)

# What a client cannot mend by asking again needs its own tests; `every_fault` leaves it out unless it is named.
_NOT_BY_CHANCE: Final = frozenset({Fault.REDIRECT})


class FaultPlan(Struct, frozen=True, kw_only=True):
    """How often each fault happens to a request that it fits, as a share from 0 to 1.

    Where several faults fit, one is chosen first, each equally likely, and then happens with its share. `only` spares
    every request whose path and query do not contain it.
    """

    rates: Mapping[Fault, float] = {}
    seed: int = 0
    only: str = ""
    delay_seconds: float = 0.02
    stall_seconds: float = 1.0
    retry_after: str | None = "0"


class FaultRecord(Struct, frozen=True, kw_only=True):
    """A fault that happened."""

    fault: Fault
    method: str
    target: str


def faults_for(target: str, wanted_range: str = "") -> tuple[Fault, ...]:
    """The faults that fit a request, by its path, its page, and the range that it asks for."""
    if is_content(target):
        return CONTENT_FAULTS if wanted_range else tuple(one for one in CONTENT_FAULTS if one not in _OF_RANGES)
    if is_listing(target):
        return LISTING_FAULTS if parameter(target, "page", 0) else _FIRST_PAGE_FAULTS
    return OTHER_FAULTS


def every_fault(share: float = 0.2, *, seed: int = 0, without: frozenset[Fault] = frozenset()) -> FaultPlan:
    """A plan in which that share of all requests fails, in every way that fits, each equally often."""
    left_out = _NOT_BY_CHANCE | without
    return FaultPlan(rates={fault: share for fault in Fault if fault not in left_out}, seed=seed)


class FaultDice:
    """Draws the fault of each request."""

    def __init__(self, plan: FaultPlan) -> None:
        self.plan = plan
        self._times: Counter[str] = Counter()

    def draw(self, method: str, target: str, wanted_range: str = "") -> tuple[Fault | None, random.Random]:
        """The fault, or None, and dice for its details."""
        request = f"{method} {target} {wanted_range}"
        self._times[request] += 1
        dice = random.Random(f"{self.plan.seed} {request} {self._times[request]}")  # noqa: S311 - not a secret
        fitting = [fault for fault in faults_for(target, wanted_range) if self.plan.rates.get(fault)]
        if self.plan.rates.get(Fault.REDIRECT):
            fitting.append(Fault.REDIRECT)
        if not fitting or self.plan.only not in target:
            return None, dice
        fault = dice.choice(fitting)
        return (fault if dice.random() < self.plan.rates[fault] else None), dice

"""Faults that a `FaultProxy` can inject: which, how often, and a record of those that happened; tampered listings.

Whether and how a request fails depends on the seed, the request, and how often the same request was made before, but
not on the order in which concurrent requests arrive. The same seed always gives the same faults.
"""

import random
import re
from collections import Counter
from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Final
from urllib.parse import parse_qsl, urlencode, urlsplit

from msgspec import Struct, json

HOSTILE_NAMES: Final = (
    "..",
    ".",
    "../../outside.txt",
    "..\\..\\outside.txt",
    "/etc/outside",
    "C:\\outside.txt",
    "a\x00b.txt",
    "line\nbreak.txt",
    "photo\u202egpj.exe",
    "CON",
    "aux.txt",
    "ends with dot.",
    "ends with blank ",
    "stream:name.txt",
    "\u200b",
    "caf\u00e9.txt",
    "cafe\u0301.txt",
    "CAFÉ.TXT",
    "same.txt",
    "same.txt",
    "SAME.txt",
    "long" * 100 + ".txt",
    "long" * 100 + "er.txt",
    ".skyshelf-backup",
    "name.part",
)
"""Names that a foreign server may send although Skyshelf would refuse them, or that collide on some file systems."""


def is_content(target: str) -> bool:
    """Whether a request is for file content."""
    return target.startswith(("/download/", "/x/v1/contents"))


def is_listing(target: str) -> bool:
    """Whether the response to a request is a page of objects."""
    path = urlsplit(target).path
    return path in {"/nms/metadata", "/nms/trash"} or path.startswith("/nms/metadata/defaultview/")


def with_parameters(target: str, change: Mapping[str, str]) -> str:
    """The target with some query parameters replaced."""
    parts = urlsplit(target)
    query = dict(parse_qsl(parts.query, keep_blank_values=True)) | dict(change)
    return f"{parts.path}?{urlencode(query)}"


def parameter(target: str, name: str, default: int) -> int:
    """A numeric query parameter."""
    text = dict(parse_qsl(urlsplit(target).query)).get(name, "")
    return int(text) if re.fullmatch(r"[0-9]+", text) else default


class Page:
    """A page of a listing that can be tampered with."""

    def __init__(self, body: bytes) -> None:
        self._content: dict[str, Any] = json.decode(body)
        self.objects: list[dict[str, Any]] = self._content.get("objects") or []

    def rename(self, renames: Mapping[str, str]) -> None:
        """Rename objects, by key."""
        for found in self.objects:
            if found.get("objectKey") in renames:
                found["objectName"] = renames[found["objectKey"]]

    def shorten(self, rng: random.Random) -> None:
        """Drop the end of the page, leaving at least one object."""
        self.objects = self.objects[: rng.randint(1, max(1, len(self.objects) - 1))]

    def duplicate(self, rng: random.Random) -> None:
        """List some objects twice."""
        duplicates = rng.sample(self.objects, min(3, len(self.objects)))
        self.objects = self.objects + duplicates

    def encode(self) -> bytes:
        """The page as JSON."""
        return json.encode(self._content | {"objects": self.objects})


class Fault(StrEnum):
    """A kind of failure; the value describes it."""

    RESET = "connection reset before the request is forwarded"
    LOSE_RESPONSE = "connection reset after the server has handled the request"
    CUT = "connection closed in the middle of the response"
    ERROR = "5xx response"
    THROTTLE = "429 response"
    DELAY = "delayed response"
    STALL = "response that stalls"
    CORRUPT = "corrupted bytes"
    SHORTEN = "missing bytes, with a matching Content-Length"
    LENGTHEN = "surplus bytes, with a matching Content-Length"
    IGNORE_RANGE = "whole content for a range request"
    WRONG_RANGE = "another range than requested"
    REDIRECT = "redirect to another host"
    REPEAT_PAGE = "the previous page again"
    SHORT_PAGE = "a page that is not the last, without its end"
    DUPLICATES = "a page with duplicate objects"


_ANY: Final = (Fault.RESET, Fault.LOSE_RESPONSE, Fault.CUT, Fault.ERROR, Fault.THROTTLE, Fault.DELAY)
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
_FIRST_PAGE_FAULTS: Final = tuple(fault for fault in LISTING_FAULTS if fault is not Fault.REPEAT_PAGE)
_RANGE_FAULTS: Final = frozenset({Fault.IGNORE_RANGE, Fault.WRONG_RANGE})
OTHER_FAULTS: Final = (*_ANY, Fault.CORRUPT)

# Retrying does not help against these, so `every_fault` leaves them out; test them explicitly.
_NOT_RETRYABLE: Final = frozenset({Fault.REDIRECT})


class FaultPlan(Struct, frozen=True, kw_only=True):
    """How often each fault happens, as a rate from 0 to 1.

    A fault only happens to requests it applies to (see `faults_for`). If several apply, one is picked at random and
    then happens at its rate. `only` restricts faults to requests whose path and query contain it. `delay_seconds` and
    `stall_seconds` are the lengths of DELAY and STALL; `retry_after` is the header of THROTTLE, None to omit it.

    `once` is a schedule instead of odds: each of its faults is certain to happen to the first attempt of a request that
    it applies to, one per request, in this order.

        FaultPlan(rates={Fault.CORRUPT: 1.0}, only="/download/")  # corrupts every download
        FaultPlan(once=(Fault.RESET, Fault.CUT))  # resets one request, cuts off the response to another
    """

    rates: Mapping[Fault, float] = {}
    once: tuple[Fault, ...] = ()
    seed: int = 0
    only: str = ""
    delay_seconds: float = 0.02
    stall_seconds: float = 1.0
    retry_after: str | None = "0"


class FaultRecord(Struct, frozen=True, kw_only=True):
    """A fault that happened, and the request it happened to."""

    fault: Fault
    method: str
    target: str


def faults_for(target: str, requested_range: str = "") -> tuple[Fault, ...]:
    """The faults that apply to a request, by its path, its page and its Range header."""
    if is_content(target):
        return (
            CONTENT_FAULTS
            if requested_range
            else tuple(fault for fault in CONTENT_FAULTS if fault not in _RANGE_FAULTS)
        )
    if is_listing(target):
        return LISTING_FAULTS if parameter(target, "page", 0) else _FIRST_PAGE_FAULTS
    return OTHER_FAULTS


def every_fault(rate: float = 0.2, *, seed: int = 0, without: frozenset[Fault] = frozenset()) -> FaultPlan:
    """A plan in which this share of all requests fails, with every applicable fault equally likely.

    `without` leaves faults out. Faults that no retry can overcome are always left out.
    """
    excluded = _NOT_RETRYABLE | without
    return FaultPlan(rates={fault: rate for fault in Fault if fault not in excluded}, seed=seed)


class FaultSampler:
    """Picks the fault of each request, reproducibly."""

    def __init__(self, plan: FaultPlan) -> None:
        self.plan = plan
        self._seen: Counter[str] = Counter()
        self._due = list(plan.once)

    def draw(self, method: str, target: str, requested_range: str = "") -> tuple[Fault | None, random.Random]:
        """The fault or None, and a random generator for the fault's details."""
        request = f"{method} {target} {requested_range}"
        self._seen[request] += 1
        rng = random.Random(f"{self.plan.seed} {request} {self._seen[request]}")  # noqa: S311 - not a secret
        fitting = faults_for(target, requested_range)
        due = next((fault for fault in self._due if fault in fitting), None)
        if due is not None and self._seen[request] == 1 and self.plan.only in target:
            self._due.remove(due)
            return due, rng
        applicable = [fault for fault in fitting if self.plan.rates.get(fault)]
        if self.plan.rates.get(Fault.REDIRECT):
            applicable.append(Fault.REDIRECT)
        if not applicable or self.plan.only not in target:
            return None, rng
        fault = rng.choice(applicable)
        return (fault if rng.random() < self.plan.rates[fault] else None), rng

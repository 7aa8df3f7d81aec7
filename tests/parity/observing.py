"""Everything that can be seen of a request: its answer, its line in the log, its audit events and what was counted."""

import logging
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import httpx2
import msgspec
from tests.parity.places import PATIENCE, Mine, Moment, Place, Served, served

from skyshelf.server.observability.logs import ACCESS_LOGGER
from skyshelf.storage.metadata.audit_events import AuditFilter

Line = dict[str, Any]
Counters = dict[str, float]

_OF_THE_MOMENT = frozenset({"request_id", "ms"})
# A server adds these to whatever the application answers, except the id, by which the line in the log was found.
_OF_THE_CONNECTION = frozenset({"date", "connection", "transfer-encoding", "x-request-id"})
# How much the stores and the processor had to do is where places differ by design. Jobs are counted for the whole
# process, and none of these applications runs any: what is there was left by another test.
_OF_THE_WORK = ("skyshelf_store_", "skyshelf_process_", "skyshelf_job_", "skyshelf_loop_hold_")
_OWN_REQUESTS = 'endpoint="metrics"}'


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """What a client and an operator see of one request."""

    status: int
    headers: list[tuple[str, str]]
    body: bytes
    line: Line


class Observation(msgspec.Struct, frozen=True, kw_only=True):
    """One step: its answers, at each moment at which it was asked, and the audit events that it left behind."""

    answers: dict[str, Answer]
    events: list[dict[str, Any]]


class Step(NamedTuple):
    """A request to be made, with a name that no other step of the scenario has."""

    name: str
    send: Callable[[], httpx2.Response]
    mine: Mine
    moments: tuple[Moment, ...] = (Moment.FIRST,)
    statuses: Collection[int] = range(100, 500)
    """Those that the first answer may have."""


Scenario = Callable[[Served], Iterator[Step]]
"""Prepares each step and yields it."""


class Observed(NamedTuple):
    """What was seen of a scenario in a place."""

    steps: dict[str, Observation]
    counters: Counters
    reads: dict[tuple[str, Moment], tuple[int, int]]
    """How often the metadata was read on the event loop, and in threads."""


def observe(place: Place, folder: Path, scenario: Scenario) -> Observed:
    """Run the scenario there, with empty stores."""
    steps: dict[str, Observation] = {}
    reads: dict[tuple[str, Moment], tuple[int, int]] = {}
    with served(place, folder) as running, access_lines() as lines:
        observer = Observer(running, lines)
        coming = scenario(running)
        running.randomness.begin("the first step")
        for step in coming:
            assert step.name not in steps, step.name
            answers = {}
            for moment in step.moments:
                running.randomness.begin(f"{step.name} {moment.value}")
                running.come_to(moment, step.mine)
                before = running.store.reads
                answers[moment.value] = answer = observer.answer(step.send)
                after = running.store.reads
                reads[step.name, moment] = after[0] - before[0], after[1] - before[1]
                assert moment is not Moment.FIRST or answer.status in step.statuses, (step.name, answer)
            steps[step.name] = observer.observation(answers)
            running.clock.advance(1)
            running.randomness.begin(f"after {step.name}")
        return Observed(steps, observer.counters(), reads)


class Observer:
    """Makes requests of an application and notes what can be seen of them."""

    def __init__(self, served: Served, lines: list[Line]) -> None:
        self._served = served
        self._lines = lines
        self._last_event = 0
        self._events()

    def answer(self, send: Callable[[], httpx2.Response]) -> Answer:
        response = send()
        headers = sorted((name.lower(), value) for name, value in response.headers.multi_items())
        return Answer(
            status=response.status_code,
            headers=[(name, value) for name, value in headers if name not in _OF_THE_CONNECTION],
            body=response.content,
            line=self._line(response.headers["x-request-id"]),
        )

    def observation(self, answers: dict[str, Answer]) -> Observation:
        """The answers, with what has been recorded since the last observation."""
        return Observation(answers=answers, events=self._events())

    def _line(self, request_id: str) -> Line:
        """The only line about a request; over a network it may be logged after the client has its answer."""
        until = time.monotonic() + PATIENCE
        while not (found := [line for line in self._lines if line["request_id"] == request_id]):
            assert time.monotonic() < until, "nothing was logged"
            time.sleep(0.0005)
        self._lines.clear()
        (line,) = found
        return {name: value for name, value in line.items() if name not in _OF_THE_MOMENT}

    def _events(self) -> list[dict[str, Any]]:
        ctx = self._served.ctx
        ctx.trail.flush(ctx.metadata, end_window=True)
        with ctx.metadata.read() as unit:
            found = unit.audit.after(AuditFilter(), limit=10_000, after_id=self._last_event)
        self._last_event = found[-1].event_id if found else self._last_event
        return [{**msgspec.structs.asdict(event), "event_id": 0} for event in found]

    def counters(self) -> Counters:
        """All that was counted since the application started, by name and labels."""
        counters: Counters = {}
        for line in self._served.client.get("/metrics").text.splitlines():
            sample, _, value = line.rpartition(" ")
            name, _, labels = sample.partition("{")
            is_counter = name.endswith(("_total", "_count")) and not name.startswith(("#", *_OF_THE_WORK))
            if is_counter and labels != _OWN_REQUESTS:
                counters[sample] = float(value)
        return counters


def differences(found: Any, expected: Any, where: str = "") -> Iterator[str]:
    """Each value in which two observations differ, with the way to it."""
    if isinstance(found, msgspec.Struct):
        found, expected = msgspec.structs.asdict(found), msgspec.structs.asdict(expected)
    if isinstance(found, dict) and found.keys() == expected.keys():
        for name, value in found.items():
            yield from differences(value, expected[name], f"{where} {name}")
    elif isinstance(found, list) and where.endswith(" headers"):
        yield from differences({"more": set(found) - set(expected)}, {"more": set(expected) - set(found)}, where)
    elif found != expected:
        pair = repr(found), repr(expected)
        same = next((at for at, (one, other) in enumerate(zip(*pair, strict=False)) if one != other), 0)
        yield f"{where}: {pair[0][max(0, same - 60) :][:200]} instead of {pair[1][max(0, same - 60) :][:200]}"


@contextmanager
def access_lines() -> Iterator[list[Line]]:
    """The lines of the access log, as they are logged."""
    lines: list[Line] = []
    handler = logging.Handler()
    handler.emit = lambda record: lines.append(record.fields)  # type: ignore[method-assign,attr-defined]
    logger = logging.getLogger(ACCESS_LOGGER)
    level, propagates = logger.level, logger.propagate
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    logger.propagate = False
    try:
        yield lines
    finally:
        logger.removeHandler(handler)
        logger.setLevel(level)
        logger.propagate = propagates

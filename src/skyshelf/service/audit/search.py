"""Reading the audit trail, for operators: filtered, page by page, and as it grows."""

import ipaddress
from collections.abc import Callable, Iterator, Sequence
from typing import Final

import msgspec

from skyshelf.service.audit.kinds import expanded
from skyshelf.service.context import ServiceContext
from skyshelf.storage.metadata.audit_events import AuditFilter, RecordedEvent

PAGE: Final = 500
LOOK_BACK: Final = 1000
"""How many numbers before the last one are looked at again: on a database server they can become visible late."""


class Wanted(msgspec.Struct, frozen=True, kw_only=True):
    """Which events an operator asks for."""

    account_key: str = ""
    kinds: Sequence[str] = ()
    """Kinds and groups."""
    address: str = ""
    """An address, or a network."""
    since: int = 0
    until: int = 0


class BadAddress(Exception):
    """Neither an address nor a network."""


def newest_events(ctx: ServiceContext, wanted: Wanted, limit: int) -> list[RecordedEvent]:
    """The last events that match, the newest first."""
    chosen, matches = _filter(wanted)
    found: list[RecordedEvent] = []
    before = 0
    while len(found) < limit:
        with ctx.metadata.read() as unit:
            page = unit.audit.newest(chosen, limit=PAGE, before_id=before)
        found += [event for event in page if matches(event)]
        if len(page) < PAGE:
            break
        before = page[-1].event_id
    return found[:limit]


def all_events(ctx: ServiceContext, wanted: Wanted) -> Iterator[RecordedEvent]:
    """Every event that matches, the oldest first, page by page."""
    chosen, matches = _filter(wanted)
    after = 0
    while True:
        with ctx.metadata.read() as unit:
            page = unit.audit.after(chosen, limit=PAGE, after_id=after)
        yield from filter(matches, page)
        if len(page) < PAGE:
            return
        after = page[-1].event_id


class Following:
    """New events, each once."""

    def __init__(self, ctx: ServiceContext, wanted: Wanted) -> None:
        self._ctx = ctx
        self._filter, self._matches = _filter(wanted)
        with ctx.metadata.read() as unit:
            self._last = unit.audit.last_id()
            recent = unit.audit.after(AuditFilter(), limit=LOOK_BACK, after_id=max(0, self._last - LOOK_BACK))
        self._seen = {event.event_id for event in recent}

    def new(self) -> list[RecordedEvent]:
        """Those that were added since the last call, in the order of their numbers."""
        found: list[RecordedEvent] = []
        after = max(0, self._last - LOOK_BACK)
        with self._ctx.metadata.read() as unit:
            last = unit.audit.last_id()
        while True:
            with self._ctx.metadata.read() as unit:
                page = unit.audit.after(self._filter, limit=PAGE, after_id=after)
            found += [event for event in page if event.event_id not in self._seen]
            if len(page) < PAGE:
                break
            after = page[-1].event_id
        self._last = max([self._last, last, *(event.event_id for event in found[-1:])])
        self._seen |= {event.event_id for event in found}
        self._seen = {number for number in self._seen if number > self._last - LOOK_BACK}
        return [event for event in found if self._matches(event)]


def _filter(wanted: Wanted) -> tuple[AuditFilter, Callable[[RecordedEvent], bool]]:
    """What the store filters, and what is left to filter here: networks."""
    address, network = "", None
    if wanted.address:
        try:
            network = ipaddress.ip_network(wanted.address, strict=False)
        except ValueError as wrong:
            raise BadAddress(f"{wanted.address} is neither an address nor a network such as 192.0.2.0/24") from wrong
        if network.num_addresses == 1:
            address, network = str(network.network_address), None
    chosen = AuditFilter(
        account_key=wanted.account_key,
        kinds=expanded(wanted.kinds),
        address=address,
        since=wanted.since,
        until=wanted.until,
    )

    def matches(event: RecordedEvent) -> bool:
        if network is None:
            return True
        try:
            return ipaddress.ip_address(event.address) in network
        except ValueError:
            return False

    return chosen, matches

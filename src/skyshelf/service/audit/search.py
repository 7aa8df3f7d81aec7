"""Reading the audit trail: for operators, filtered, page by page and as it grows; for users, their own events.

Users see nobody else: not the address of an operator who changed something, nor that of a visitor with a link. The
address of a failed login is shown, because it may be the owner's own, or the only sign of an attack.
"""

import ipaddress
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Final, Literal

import msgspec

from skyshelf.service.audit.kinds import BY_ANYBODY, BY_VISITORS, HIDDEN, SENTENCES, UnknownKind, expanded
from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.errors import ServiceError, codes
from skyshelf.storage.metadata.audit_events import AuditFilter, RecordedEvent
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire.cursors import encode_cursor, number_cursor
from skyshelf.wire.resources.account import AccountEvent, AccountEvents, AccountEventsQuery

PAGE: Final = 500
LOOK_BACK: Final = 1000
"""How many numbers before the last one are read again: on a database server they can become visible late."""
# The first of these details is shown to the owner; all others are for operators.
_SUBJECTS: Final = ("names", "name", "app", "guest", "email", "provider", "device", "reason")


class EventQuery(msgspec.Struct, frozen=True, kw_only=True):
    account_key: str = ""
    kinds: Sequence[str] = ()
    """Kinds and groups."""
    address: str = ""
    """An address, or a network."""
    since: int = 0
    until: int = 0


class BadAddress(Exception):
    """Neither an address nor a network."""


def newest_events(ctx: ServiceContext, wanted: EventQuery, limit: int) -> list[RecordedEvent]:
    """Return the last events that match, newest first."""
    chosen, matches = _filter(wanted)
    found = _pages(ctx, lambda unit, before: unit.audit.newest(chosen, limit=PAGE, before_id=before))
    return list(islice(filter(matches, found), limit))


def all_events(ctx: ServiceContext, wanted: EventQuery) -> Iterator[RecordedEvent]:
    """Yield every event that matches, oldest first, page by page."""
    chosen, matches = _filter(wanted)
    return filter(matches, _pages(ctx, lambda unit, after: unit.audit.after(chosen, limit=PAGE, after_id=after)))


def _pages(
    ctx: ServiceContext, read: Callable[[Unit, int], list[RecordedEvent]], start: int = 0
) -> Iterator[RecordedEvent]:
    """Yield events page by page, each read with the number of the last event before it."""
    while True:
        with ctx.metadata.read() as unit:
            page = read(unit, start)
        yield from page
        if len(page) < PAGE:
            return
        start = page[-1].event_id


class EventFollower:
    """New events, each once."""

    def __init__(self, ctx: ServiceContext, wanted: EventQuery) -> None:
        self._ctx = ctx
        self._filter, self._matches = _filter(wanted)
        with ctx.metadata.read() as unit:
            self._last = unit.audit.last_id()
            recent = unit.audit.after(AuditFilter(), limit=LOOK_BACK, after_id=max(0, self._last - LOOK_BACK))
        self._seen = {event.event_id for event in recent}

    def new(self) -> list[RecordedEvent]:
        """Return the events added since the last call, in the order of their numbers."""
        with self._ctx.metadata.read() as unit:
            last = unit.audit.last_id()
        pages = _pages(
            self._ctx,
            lambda unit, after: unit.audit.after(self._filter, limit=PAGE, after_id=after),
            max(0, self._last - LOOK_BACK),
        )
        found = [event for event in pages if event.event_id not in self._seen]
        self._last = max([self._last, last, *(event.event_id for event in found[-1:])])
        self._seen |= {event.event_id for event in found}
        self._seen = {number for number in self._seen if number > self._last - LOOK_BACK}
        return [event for event in found if self._matches(event)]


def _filter(wanted: EventQuery) -> tuple[AuditFilter, Callable[[RecordedEvent], bool]]:
    """Return the filter for the store, and the check that is left to do here: networks."""
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


def own_events(ctx: ServiceContext, caller: Caller, query: AccountEventsQuery) -> AccountEvents:
    """Return a page of the account's events, newest first."""
    try:
        kinds = expanded([query.kind]) if query.kind else []
    except UnknownKind as unknown:
        raise ServiceError(codes.INVALID_REQUEST, f"Unknown kind of events: {unknown}") from unknown
    wanted = AuditFilter(account_key=caller.account_key, kinds=kinds, other_than=HIDDEN)
    before = number_cursor(query.cursor)[0] if query.cursor else 0
    with ctx.metadata.read() as unit:
        found = unit.audit.newest(wanted, limit=query.limit + 1, before_id=before)
    page = found[: query.limit]
    more = len(found) > len(page)
    return AccountEvents(
        events=[event_of(one) for one in page],
        next_cursor=encode_cursor(page[-1].event_id, caller.account_key) if more else None,
    )


def event_of(one: RecordedEvent) -> AccountEvent:
    """Return an event as its account's owner may see it."""
    by = _by(one)
    is_own = by in {"you", "somebody"}
    return AccountEvent(
        date=one.at,
        kind=one.kind,
        text=SENTENCES.get(one.kind, one.kind),
        by=by,
        address=(one.address or None) if is_own else None,
        device_key=(one.device_key or None) if is_own else None,
        device_name=(one.device_name or None) if is_own else None,
        object_key=one.object_key or None,
        share_key=one.link_key or None,
        times=one.times,
        subject=next((_text(one.details[name]) for name in _SUBJECTS if one.details.get(name)), None),
    )


def _by(one: RecordedEvent) -> Literal["you", "somebody", "operator", "visitor"]:
    if one.kind in BY_VISITORS:
        return "visitor"
    if one.actor:
        return "operator"
    return "somebody" if one.kind in BY_ANYBODY else "you"


def _text(value: str | int | list[str]) -> str:
    return ", ".join(value) if isinstance(value, list) else str(value)

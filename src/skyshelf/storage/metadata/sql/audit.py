"""The audit trail in SQL."""

from collections.abc import Sequence

import msgspec

from skyshelf.storage.metadata.audit_events import AuditEvent, AuditFilter, Details, RecordedEvent
from skyshelf.storage.metadata.sql.held import EVENT_NOT_HELD
from skyshelf.storage.metadata.sql.statements import Params, Row, Scalar, SqlNoun, Value, key_text, raw, sweep

_KEPT = ("kind", "actor", "address", "device_key", "object_key", "link_key", "times")
_COLUMNS = (
    f"e.event_id, e.happened_at, e.account_key, e.details, coalesce(a.email, ''), coalesce(d.device_name, ''),"
    f" {', '.join(f'e.{name}' for name in _KEPT)}"
)
_FROM = (
    "FROM audit_events e LEFT JOIN accounts a ON a.account_key = e.account_key"
    " LEFT JOIN devices d ON d.account_id = a.account_id AND d.device_key = e.device_key"
)
_ADD = (
    "INSERT INTO audit_events (happened_at, kind, account_key, actor, address, device_key, object_key, link_key,"
    " times, details) VALUES (:at, :kind,"
    " coalesce(:account_key, (SELECT a.account_key FROM accounts a WHERE a.account_id = :account_id)), :actor,"
    " :address, :device_key, :object_key, :link_key, :times, :details)"
)
_encode = msgspec.json.Encoder().encode


class SqlAudit(SqlNoun):
    """Events are added and, when they are old, deleted; none is ever changed."""

    def add(self, events: Sequence[AuditEvent]) -> None:
        """One statement, or one for each event of a few."""
        if len(events) == 1:
            self._sql.run(_ADD, _params(events[0]))
        elif events:
            self._sql.run_many(_ADD, [_params(event) for event in events])

    def newest(self, wanted: AuditFilter, *, limit: int, before_id: int = 0) -> list[RecordedEvent]:
        """Return the last ones first; those before an event, if it is given. One statement."""
        conditions, params = _matching(wanted)
        if before_id:
            conditions.append("e.event_id < :before")
            params["before"] = before_id
        return self._page(conditions, {**params, "limit": limit}, "DESC")

    def after(self, wanted: AuditFilter, *, limit: int, after_id: int) -> list[RecordedEvent]:
        """Return the events added after an event, in order, in one statement.

        On a database server an event with a lower number may become visible later, so who follows looks back a little.
        """
        conditions, params = _matching(wanted)
        return self._page(["e.event_id > :after", *conditions], {**params, "after": after_id, "limit": limit}, "ASC")

    def _page(self, conditions: Sequence[str], params: Params, order: str) -> list[RecordedEvent]:
        where = f"WHERE {' AND '.join(conditions)} " if conditions else ""
        rows = self._sql.all(f"SELECT {_COLUMNS} {_FROM} {where}ORDER BY e.event_id {order} LIMIT :limit", params)
        return [_event(row) for row in rows]

    def last_id(self) -> int:
        """Return the number of the last event; 0 without one. One statement."""
        return self._sql.number("SELECT coalesce(max(event_id), 0) FROM audit_events")

    def sweep(self, before: int, limit: int) -> int:
        """Delete up to limit of the oldest events from before that time; return how many."""
        old, oldest_by = f"happened_at < :before AND {EVENT_NOT_HELD}", "happened_at"
        return sweep(self._sql, "audit_events", "event_id", old=old, oldest_by=oldest_by, before=before, limit=limit)

    def trim(self, kept: int, limit: int) -> int:
        """Delete up to limit of the oldest events of the accounts that have the most, if there are more than so many in
        all; return how many. So nobody's events push out another's. Those of held accounts stay, and do not count."""
        first = self._sql.number("SELECT coalesce(min(event_id), 0) FROM audit_events")
        beyond = self.last_id() + 1 - first - kept
        if beyond > 0:  # numbers may have gaps
            beyond = self._sql.number(f"SELECT count(*) FROM audit_events WHERE {EVENT_NOT_HELD}") - kept
        if beyond <= 0:
            return 0
        counts = self._sql.all(
            f"SELECT account_key, count(*) FROM audit_events WHERE {EVENT_NOT_HELD} GROUP BY account_key"
            " ORDER BY count(*) DESC, account_key"
        )
        gone, wanted = 0, min(limit, beyond)
        level = _level([events for _, events in counts], wanted)
        for account_key, events in counts:
            some = min(wanted - gone, events - level)
            if some <= 0:
                break
            old = "account_key IS NULL" if account_key is None else "account_key = :account"
            owner: dict[str, Scalar] = {} if account_key is None else {"account": account_key}
            gone += sweep(self._sql, "audit_events", "event_id", old=old, oldest_by="event_id", limit=some, **owner)
        return gone


def _level(counts: Sequence[int], wanted: int) -> int:
    """Return how much each may keep so that so much goes from those that have the most, given in that order."""
    total = 0
    for number, (count, following) in enumerate(zip(counts, [*counts[1:], 0], strict=True), 1):
        total += count
        level = max(0, total - wanted) // number
        if level >= following:
            return level
    return 0


def _params(event: AuditEvent) -> Params:
    # Names can hold anything; a database's text holds neither NUL nor half a character, and JSON escapes both.
    details = _encode(event.details).decode() if event.details else ""
    account_key = raw(event.account_key) if event.account_key else None
    return {**msgspec.structs.asdict(event), "account_key": account_key, "details": details}


def _matching(wanted: AuditFilter) -> tuple[list[str], dict[str, Value]]:
    conditions: dict[str, tuple[str, Value]] = {
        "account_key": ("e.account_key = :account_key", raw(wanted.account_key)),
        "kinds": ("e.kind = ANY(:kinds)", list(wanted.kinds)),
        "other_than": ("NOT e.kind = ANY(:other_than)", list(wanted.other_than)),
        "address": ("e.address = :address", wanted.address),
        "since": ("e.happened_at >= :since", wanted.since),
        "until": ("e.happened_at < :until", wanted.until),
    }
    given = {name: condition for name, condition in conditions.items() if getattr(wanted, name)}
    return [text for text, _ in given.values()], {name: value for name, (_, value) in given.items()}


def _event(row: Row) -> RecordedEvent:
    event_id, at, account_key, details, email, device_name, *kept = row
    return RecordedEvent(
        event_id=event_id,
        at=at,
        account_key="" if account_key is None else key_text(account_key),
        details=msgspec.json.decode(details, type=Details) if details else {},
        email=email,
        device_name=device_name,
        **dict(zip(_KEPT, kept, strict=True)),
    )

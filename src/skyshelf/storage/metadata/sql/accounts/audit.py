"""The audit trail in SQL."""

from collections.abc import Sequence

import msgspec

from skyshelf.storage.metadata.audit_events import AuditEvent, AuditFilter, Details, RecordedEvent
from skyshelf.storage.metadata.sql.statements import Params, Row, Sql, Value, key_text, raw, sweep

_COLUMNS = (
    "e.event_id, e.happened_at, e.kind, e.account_key, e.actor, e.address, e.device_key, e.object_key, e.link_key,"
    " e.times, e.details, coalesce(a.email, ''), coalesce(d.device_name, '')"
)
_FROM = (
    "FROM audit_events e LEFT JOIN accounts a ON a.account_key = e.account_key"
    " LEFT JOIN devices d ON d.account_id = a.account_id AND d.device_key = e.device_key"
)
_ADD = (
    "INSERT INTO audit_events (happened_at, kind, account_key, actor, address, device_key, object_key, link_key,"
    " times, details) VALUES (:at, :kind,"
    " coalesce(:account_key, (SELECT a.account_key FROM accounts a WHERE a.account_id = :account)), :actor, :address,"
    " :device, :object, :link, :times, :details)"
)
_encode = msgspec.json.Encoder().encode


class SqlAudit:
    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    def add(self, events: Sequence[AuditEvent]) -> None:
        if len(events) == 1:
            self._sql.run(_ADD, _params(events[0]))
        elif events:
            self._sql.run_many(_ADD, [_params(event) for event in events])

    def newest(self, wanted: AuditFilter, *, limit: int, before_id: int = 0) -> list[RecordedEvent]:
        conditions, params = _matching(wanted)
        if before_id:
            conditions.append("e.event_id < :before")
            params["before"] = before_id
        return self._page(conditions, {**params, "limit": limit}, "DESC")

    def after(self, wanted: AuditFilter, *, limit: int, after_id: int) -> list[RecordedEvent]:
        conditions, params = _matching(wanted)
        return self._page(["e.event_id > :after", *conditions], {**params, "after": after_id, "limit": limit}, "ASC")

    def _page(self, conditions: Sequence[str], params: Params, order: str) -> list[RecordedEvent]:
        where = f"WHERE {' AND '.join(conditions)} " if conditions else ""
        rows = self._sql.all(f"SELECT {_COLUMNS} {_FROM} {where}ORDER BY e.event_id {order} LIMIT :limit", params)
        return [_event(row) for row in rows]

    def last_id(self) -> int:
        row = self._sql.one("SELECT coalesce(max(event_id), 0) FROM audit_events")
        assert row is not None
        return int(row[0])

    def sweep(self, before: int, limit: int) -> int:
        params = {"before": before, "limit": limit}
        return sweep(
            self._sql,
            "audit_events",
            "event_id",
            old="happened_at < :before",
            oldest_by="happened_at",
            params=params,
        )

    def trim(self, kept: int, limit: int) -> int:
        # Numbers may have gaps: then a few more are kept than asked for.
        params = {"up_to": self.last_id() - kept, "limit": limit}
        return sweep(
            self._sql, "audit_events", "event_id", old="event_id <= :up_to", oldest_by="event_id", params=params
        )


def _params(event: AuditEvent) -> Params:
    return {
        "at": event.at,
        "kind": event.kind,
        "account_key": raw(event.account_key) if event.account_key else None,
        "account": event.account_id,
        "actor": event.actor,
        "address": event.address,
        "device": event.device_key,
        "object": event.object_key,
        "link": event.link_key,
        "times": event.times,
        "details": _storable(event.details),
    }


def _storable(details: Details) -> str:
    """Names can hold anything; a database's text holds neither NUL nor half a character, and JSON escapes both."""
    return _encode(details).decode() if details else ""


def _matching(wanted: AuditFilter) -> tuple[list[str], dict[str, Value]]:
    conditions: list[str] = []
    params: dict[str, Value] = {}
    if wanted.account_key:
        conditions.append("e.account_key = :account_key")
        params["account_key"] = raw(wanted.account_key)
    if wanted.kinds:
        conditions.append("e.kind = ANY(:kinds)")
        params["kinds"] = list(wanted.kinds)
    if wanted.address:
        conditions.append("e.address = :address")
        params["address"] = wanted.address
    if wanted.since:
        conditions.append("e.happened_at >= :since")
        params["since"] = wanted.since
    if wanted.until:
        conditions.append("e.happened_at < :until")
        params["until"] = wanted.until
    return conditions, params


def _event(row: Row) -> RecordedEvent:
    details = msgspec.json.decode(row[10], type=Details) if row[10] else {}
    account_key = "" if row[3] is None else key_text(row[3])
    return RecordedEvent(*(*row[:3], account_key, *row[4:10], details, *row[11:]))

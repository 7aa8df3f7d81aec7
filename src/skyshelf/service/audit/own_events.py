"""What happened in the caller's own account: where it was logged in, what was shared, deleted or changed.

Nobody sees anybody else: not the address of an operator who changed something, nor that of a visitor with a link. The
address of a failed login is shown, because it may be the owner's own, or the only sign of an attack.
"""

from typing import Final, Literal

from skyshelf.service.audit.kinds import BY_ANYBODY, BY_VISITORS, SENTENCES, UnknownKind, expanded
from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.errors import ServiceError
from skyshelf.storage.metadata.audit_events import AuditFilter, RecordedEvent
from skyshelf.wire import error_codes as codes
from skyshelf.wire.cursors import encode_cursor, number_cursor
from skyshelf.wire.resources.account_events import AccountEvent, AccountEvents, AccountEventsQuery

# Of the details, the first of these is for the owner; all others are for operators.
_SUBJECTS: Final = ("names", "name", "app", "guest", "email", "provider", "device")


def own_events(ctx: ServiceContext, caller: Caller, query: AccountEventsQuery) -> AccountEvents:
    """A page of the account's events, newest first."""
    try:
        kinds = expanded([query.kind]) if query.kind else []
    except UnknownKind as unknown:
        raise ServiceError(codes.INVALID_REQUEST, f"Unknown kind of events: {unknown}") from unknown
    wanted = AuditFilter(account_key=caller.account_key, kinds=kinds)
    before = number_cursor(query.cursor)[0] if query.cursor else 0
    with ctx.metadata.read() as unit:
        found = unit.audit.newest(wanted, limit=query.limit + 1, before_id=before)
    page = found[: query.limit]
    more = len(found) > len(page)
    return AccountEvents(
        events=[_wire(one) for one in page],
        next_cursor=encode_cursor(page[-1].event_id, caller.account_key) if more else None,
    )


def _wire(one: RecordedEvent) -> AccountEvent:
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

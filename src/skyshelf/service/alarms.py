"""Alarms: what paused devices did, and the decisions of their owner.

Counting, and the refusal of what a paused device tries, happen in the transactions of the changes (storage/metadata/
alarms), so every way into an account passes them: the interface, WebDAV, apps and agents.
"""

from collections.abc import Callable
from typing import Final, TypeVar

from skyshelf.service.accounts.passkeys.confirmation import change_confirmed
from skyshelf.service.audit import kinds
from skyshelf.service.audit.events import new_event, recorded
from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.errors import ServiceError
from skyshelf.storage.errors import Missing
from skyshelf.storage.metadata.alarms.contract import ALLOWED, ENDED, AlarmRule
from skyshelf.storage.metadata.alarms.contract import Alarm as StoredAlarm
from skyshelf.storage.metadata.audit_events import AuditEvent
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire import error_codes as codes
from skyshelf.wire.resources.passkeys import ConfirmationRequest
from skyshelf.wire.resources.safety.alarms import Alarm, AlarmChoice, AlarmList, AlarmSettings, AllowRequest

T = TypeVar("T")
_HOUR: Final = 60 * 60 * 1000


def alarms(ctx: ServiceContext, caller: Caller) -> AlarmList:
    """The latest alarms of the account, newest first."""
    with ctx.metadata.snapshot() as unit:
        found = unit.alarms.of_account(caller.account_id)
        is_paused = unit.alarms.is_paused(caller.account_id, caller.device_key)
        names, apps = {}, set()
        if found:
            names = {device.device_key: device.device_name for device in unit.devices.of_account(caller.account_id)}
            apps = {one.device.device_key for one in unit.app_passwords.of_account(caller.account_id)}
    return AlarmList(
        alarms=[_wire(one, caller, names.get(one.device_key), is_app=one.device_key in apps) for one in found],
        is_paused=is_paused,
    )


def _wire(one: StoredAlarm, caller: Caller, name: str | None, *, is_app: bool) -> Alarm:
    return Alarm(
        device_key=one.device_key,
        device_name=name,
        is_app_password=is_app,
        is_current=one.device_key == caller.device_key,
        raised_date=one.raised_at,
        since_date=one.since,
        deleted=one.deleted,
        overwritten=one.overwritten,
        moved=one.moved,
        scrambled=one.scrambled,
        state=one.state,
        decided_date=one.decided_at or None,
    )


def allow(
    ctx: ServiceContext, caller: Caller, device_key: str, request: AllowRequest, *, address: str, origin: str
) -> AlarmList:
    """Let a paused device go on. One who is paused cannot decide that with the session alone."""
    now = ctx.clock.now()
    until = now + request.hours * _HOUR

    def work(unit: Unit) -> None:
        unit.alarms.decide(caller.account_id, device_key, ALLOWED, now, by=caller.device_key, allowed_until=until)

    with ctx.metadata.read() as unit:
        needs_more = device_key == caller.device_key or unit.alarms.is_paused(caller.account_id, caller.device_key)
    event = new_event(ctx, kinds.ALARM_ALLOWED, caller, device=device_key, hours=request.hours)
    given = request.confirmation if needs_more else None
    _decide(ctx, caller, work, event, given, needs_more=needs_more, address=address, origin=origin)
    return alarms(ctx, caller)


def end(ctx: ServiceContext, caller: Caller, device_key: str) -> AlarmList:
    """Log out a paused device; the password of an app is revoked, so it cannot come back."""
    now = ctx.clock.now()

    def work(unit: Unit) -> None:
        unit.alarms.decide(caller.account_id, device_key, ENDED, now, by=caller.device_key)
        apps = unit.app_passwords.of_account(caller.account_id)
        if any(one.device.device_key == device_key for one in apps):
            unit.devices.remove(caller.account_id, device_key)
        else:
            unit.sessions.revoke(caller.account_id, device_key)

    event = new_event(ctx, kinds.ALARM_ENDED, caller, device=device_key)
    _found(lambda: recorded(ctx, work, event))
    return alarms(ctx, caller)


def settings(ctx: ServiceContext, caller: Caller) -> AlarmSettings:
    """The limit that holds for the account."""
    with ctx.metadata.read() as unit:
        return _settings(unit.alarms.rule(caller.account_id))


def set_limit(ctx: ServiceContext, caller: Caller, request: AlarmChoice, address: str, origin: str) -> AlarmSettings:
    """Choose a limit. Who could turn the alarm off with a session alone would do so before anything else."""
    with ctx.metadata.read() as unit:
        before = unit.alarms.rule(caller.account_id)
        is_paused = unit.alarms.is_paused(caller.account_id, caller.device_key)
    is_stricter = request.limit is not None and 0 < request.limit <= (before.limit or request.limit)
    needs_more = is_paused or not is_stricter
    chosen = "default" if request.limit is None else request.limit
    event = new_event(ctx, kinds.ALARM_LIMIT_CHANGED, caller, limit=chosen)

    def work(unit: Unit) -> None:
        unit.alarms.set_limit(caller.account_id, request.limit)

    given = request.confirmation if needs_more else None
    _decide(ctx, caller, work, event, given, needs_more=needs_more, address=address, origin=origin)
    return settings(ctx, caller)


def _settings(rule: AlarmRule) -> AlarmSettings:
    return AlarmSettings(limit=rule.limit, is_own=rule.own is not None)


def _decide(
    ctx: ServiceContext,
    caller: Caller,
    work: Callable[[Unit], None],
    event: AuditEvent,
    given: ConfirmationRequest | None,
    *,
    needs_more: bool,
    address: str,
    origin: str,
) -> None:
    if not needs_more:
        _found(lambda: recorded(ctx, work, event))
    else:
        _found(lambda: change_confirmed(ctx, caller, given, work, event, address=address, origin=origin))


def _found(decide: Callable[[], T]) -> T:
    try:
        return decide()
    except Missing as missing:
        raise ServiceError(codes.DEVICE_NOT_FOUND, "This device is not paused") from missing

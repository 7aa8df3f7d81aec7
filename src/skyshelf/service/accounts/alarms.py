"""Alarms: what paused devices did, and the decisions of their owner.

Changes are counted, and those of paused devices refused, in the transactions of the changes (storage/metadata/alarms),
so every protocol passes through them: the interface, WebDAV, apps and agents.
"""

from typing import Final

from skyshelf.service.accounts.passkeys.confirmation import change_confirmed
from skyshelf.service.audit import kinds, new_event, recorded
from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.errors import codes, missing_as
from skyshelf.service.pages import projected
from skyshelf.service.process.reservations import lowers_limit
from skyshelf.storage.metadata.alarms import ALLOWED, ENDED
from skyshelf.storage.metadata.alarms import Alarm as StoredAlarm
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire.resources.history import Alarm, AlarmChoice, AlarmList, AlarmSettings, AllowRequest

_HOUR: Final = 60 * 60 * 1000
_NOT_PAUSED: Final = "This device is not paused"


def alarms(ctx: ServiceContext, caller: Caller) -> AlarmList:
    """List the latest alarms of the account, newest first."""
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
    return projected(
        Alarm,
        one,
        device_name=name,
        is_app_password=is_app,
        is_current=one.device_key == caller.device_key,
        since_date=one.since,
        decided_date=one.decided_at or None,
    )


def allow(
    ctx: ServiceContext, caller: Caller, device_key: str, request: AllowRequest, *, address: str, origin: str
) -> AlarmList:
    """Let a paused device go on. A paused device cannot decide that with its session alone."""
    now = ctx.clock.now()
    until = now + request.hours * _HOUR

    with ctx.metadata.read() as unit:
        needs_more = device_key == caller.device_key or unit.alarms.is_paused(caller.account_id, caller.device_key)
    event = new_event(ctx, kinds.ALARM_ALLOWED, caller, device=device_key, hours=request.hours)

    def work(unit: Unit) -> None:
        unit.alarms.decide(caller.account_id, device_key, ALLOWED, now, by=caller.device_key, allowed_until=until)

    with missing_as(codes.DEVICE_NOT_FOUND, message=_NOT_PAUSED):
        given = request.confirmation
        change_confirmed(ctx, caller, given, work, event, address=address, origin=origin, is_needed=needs_more)
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
    with missing_as(codes.DEVICE_NOT_FOUND, message=_NOT_PAUSED):
        recorded(ctx, work, event)
    return alarms(ctx, caller)


def settings(ctx: ServiceContext, caller: Caller) -> AlarmSettings:
    """Return the limit in force for the account."""
    with ctx.metadata.read() as unit:
        rule = unit.alarms.rule(caller.account_id)
    return AlarmSettings(limit=rule.limit, is_own=rule.own is not None)


def set_limit(ctx: ServiceContext, caller: Caller, request: AlarmChoice, address: str, origin: str) -> AlarmSettings:
    """Choose a limit. An attacker with a session would turn the alarm off first, so raising it needs confirmation."""
    with ctx.metadata.read() as unit:
        before = unit.alarms.rule(caller.account_id)
        is_paused = unit.alarms.is_paused(caller.account_id, caller.device_key)
    is_stricter = request.limit is not None and request.limit > 0 and lowers_limit(request.limit, before.limit)
    if not is_stricter:
        ctx.reservations.disk.check()
    needs_more = is_paused or not is_stricter
    chosen = "default" if request.limit is None else request.limit
    event = new_event(ctx, kinds.ALARM_LIMIT_CHANGED, caller, limit=chosen)

    def work(unit: Unit) -> bool:
        is_other = unit.alarms.rule(caller.account_id).own != request.limit
        if is_other:
            unit.alarms.set_limit(caller.account_id, request.limit)
        return is_other

    change_confirmed(
        ctx,
        caller,
        request.confirmation,
        work,
        event,
        address=address,
        origin=origin,
        is_needed=needs_more,
    )
    return settings(ctx, caller)

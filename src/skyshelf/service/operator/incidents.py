"""Mail to operators: a backup that failed or is overdue, and alarms that wait; one message each, one when it is over.

A job looks every few minutes, on one instance at a time. What they report is stored with them, in one commit.
"""

from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from skyshelf.service.context import ServiceContext
from skyshelf.service.jobs.maintenance import HOUR, MINUTE, PeriodicTask
from skyshelf.service.mail.incidents import Incident, Incidents, incidents_in, store_incidents
from skyshelf.service.mail.outgoing import put_mail
from skyshelf.service.operator.backups import state_in
from skyshelf.service.process.mail_settings import MessageKind
from skyshelf.storage.metadata.store import Unit

_OPERATORS_MAX: Final = 100
_BETWEEN_ALARMS: Final = HOUR
"""Between two messages about paused devices: anybody with an account can have devices paused."""


def tell_operators(ctx: ServiceContext) -> Iterator[None]:
    """Enqueue a message to each operator about what has begun or ended since the last look."""
    if ctx.mail is None or not ctx.mail.tells_operators:
        return
    now, max_age = ctx.clock.now(), ctx.rules.backup_max_age

    with ctx.metadata.read() as unit:
        known = incidents_in(unit)
        if _looked(unit, known, now, max_age) == (known, []):
            return

    def work(unit: Unit) -> None:
        found, messages = _looked(unit, incidents_in(unit), now, max_age)
        store_incidents(unit, found)
        for email in unit.operators.addresses(_OPERATORS_MAX):
            for kind in messages:
                put_mail(unit, kind, "en", email, now)

    ctx.metadata.write(work)
    ctx.job_notifier.notify()
    yield


def _looked(unit: Unit, known: Incidents, now: int, max_age: int | None) -> tuple[Incidents, list[MessageKind]]:
    """Return what is known now, and the messages about what is new in it."""
    messages: list[MessageKind] = []
    backup = _backup_problem(unit, now, max_age)
    if backup is None and known.backup is not None:
        messages.append("backup-well")
        known = replace(known, backup=None)
    elif backup is not None and known.backup is None:
        messages.append(backup.kind)
        known = replace(known, backup=backup)
    newest = unit.operators.alarms(limit=1, only_open=True)
    if not newest and known.devices is not None:
        messages.append("devices-decided")
        known = replace(known, devices=None)
    elif newest and now - known.devices_told_at >= _BETWEEN_ALARMS:
        raised_at = newest[0].alarm.raised_at
        if known.devices is None or raised_at > known.devices.since:
            messages.append("devices-paused")
            known = replace(known, devices=Incident("devices-paused", raised_at), devices_told_at=now)
    return known, messages


def _backup_problem(unit: Unit, now: int, max_age: int | None) -> Incident | None:
    state = state_in(unit)
    if state.is_failing and state.failure is not None:
        return Incident("backup-failed", state.failure.at)
    if state.success is not None and state.is_overdue(now, max_age):
        return Incident("backup-overdue", state.success.at)
    return None


TELL_OPERATORS: Final = PeriodicTask(
    "tell-operators", 5 * MINUTE, tell_operators, lambda _unit: True, deletes_by_age=False
)

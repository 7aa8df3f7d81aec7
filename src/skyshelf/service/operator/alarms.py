"""Alarms of all accounts, as operators see them: whose device is paused, since when, and how much it did.

They never show which files those were: a person's file names are no operator's business, and deciding takes none.
"""

from skyshelf.service.context import ServiceContext
from skyshelf.service.pages import projected
from skyshelf.wire.resources.operators import AlarmsQuery, ManagedAlarm, ManagedAlarms


def list_alarms(ctx: ServiceContext, query: AlarmsQuery) -> ManagedAlarms:
    """List the alarms that wait for a decision, or the latest ones of all; newest first."""
    with ctx.metadata.read() as unit:
        found = unit.operators.alarms(limit=query.limit, only_open=not query.decided)
    return ManagedAlarms(
        alarms=[
            projected(
                ManagedAlarm,
                one.alarm,
                user_id=one.account_key,
                email_id=one.email,
                device_name=one.device_name or None,
                platform_type=one.platform_type or None,
                raised_date=one.alarm.raised_at,
                since_date=one.alarm.since,
                decided_date=one.alarm.decided_at or None,
            )
            for one in found
        ]
    )

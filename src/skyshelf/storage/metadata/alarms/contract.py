"""Alarms: devices that wait until their owner has looked at what they did."""

from collections.abc import Sequence
from typing import Final, Protocol

import msgspec

OPEN: Final = "open"
ALLOWED: Final = "allowed"
ENDED: Final = "ended"

RAISED: Final = "alarm.raised"
"""The event of the audit trail; it is recorded in the transaction that raises the alarm."""
TELL_OWNER: Final = "tell-owner"
"""The job that a raised alarm puts into the outbox, in the same transaction; its subject is the account's number."""
LIMIT_SETTING: Final = "alarm_limit"
"""The operator's limit, in the settings of the store."""


class Alarm(msgspec.Struct, frozen=True, kw_only=True):
    """A device has done too much in too short a time. Its number is that of the change which was too much."""

    number: int
    device_key: str
    raised_at: int
    since: int
    """When the device began with what was counted."""
    deleted: int
    overwritten: int
    moved: int
    scrambled: int
    state: str
    decided_at: int = 0
    decided_by: str = ""
    """The device that the decision came from."""


class AlarmRule(msgspec.Struct, frozen=True):
    limit: int
    """How many points raise an alarm; 0 for never."""
    own: int | None
    """The account's own choice; None where the operator's holds."""


class Alarms(Protocol):
    """Changes that delete, replace, rename or move are counted by device, in the transaction that makes them. A device
    that reaches the limit raises an alarm, and what it tries next of these is SessionPaused, until that is decided."""

    def of_account(self, account_id: int) -> Sequence[Alarm]:
        """The latest alarms, newest first."""

    def decide(
        self, account_id: int, device_key: str, state: str, now: int, *, by: str, allowed_until: int = 0
    ) -> Alarm:
        """End the pause of a device; until the given time, nothing of it counts. Missing where it is not paused."""

    def is_paused(self, account_id: int, device_key: str) -> bool:
        """Whether a device waits for a decision."""

    def refuse_paused(self, account_id: int) -> None:
        """SessionPaused if the device that acts in this unit waits for a decision; holds the account."""

    def rule(self, account_id: int) -> AlarmRule:
        """The limit that holds for an account."""

    def set_limit(self, account_id: int, limit: int | None) -> None:
        """The account's own limit, 0 for none, or None for the operator's."""

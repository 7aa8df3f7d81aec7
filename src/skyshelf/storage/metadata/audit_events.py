"""The audit trail: what happened, when, from where and by whom."""

from collections.abc import Sequence
from typing import Protocol

import msgspec

Details = dict[str, str | int | list[str]]


class AuditEvent(msgspec.Struct, frozen=True, kw_only=True):
    """An event to be added. It never holds a secret."""

    kind: str
    at: int
    account_id: int = 0
    """Whose account it is about; 0 for nobody's, or where the key is given."""
    account_key: str = ""
    actor: str = ""
    """Who acted, where it was not the account itself: the key of an operator's account, or `command:` and a user."""
    address: str = ""
    device_key: str = ""
    object_key: str = ""
    link_key: str = ""
    times: int = 1
    """How often it happened, where repetitions are counted instead of kept."""
    details: Details = {}


class RecordedEvent(msgspec.Struct, frozen=True):
    """An event as it was kept, with what is still known about the account and the device."""

    event_id: int
    at: int
    kind: str
    account_key: str
    actor: str
    address: str
    device_key: str
    object_key: str
    link_key: str
    times: int
    details: Details
    email: str
    device_name: str


class AuditFilter(msgspec.Struct, frozen=True, kw_only=True):
    """Which events; a field that is empty leaves nothing out."""

    account_key: str = ""
    kinds: Sequence[str] = ()
    address: str = ""
    since: int = 0
    until: int = 0
    """Before this time; 0 for no end."""


class Audit(Protocol):
    """Events are added and, when they are old, deleted; none is ever changed."""

    def add(self, events: Sequence[AuditEvent]) -> None:
        """One statement, or one for each event of a few."""

    def newest(self, wanted: AuditFilter, *, limit: int, before_id: int = 0) -> list[RecordedEvent]:
        """The last ones first; those before an event, if it is given. One statement."""

    def after(self, wanted: AuditFilter, *, limit: int, after_id: int) -> list[RecordedEvent]:
        """Those that were added after an event, in order. One statement.

        On a database server an event with a lower number may become visible later, so who follows looks back a little.
        """

    def last_id(self) -> int:
        """The number of the last event; 0 without one. One statement."""

    def sweep(self, before: int, limit: int) -> int:
        """Delete up to limit of the oldest events from before that time; how many went."""

    def trim(self, kept: int, limit: int) -> int:
        """Delete up to limit of the oldest events beyond the newest so many; how many went."""

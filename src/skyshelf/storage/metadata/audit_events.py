"""The audit trail: what happened, when, from where and by whom."""

from collections.abc import Sequence

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


class RecordedEvent(AuditEvent, frozen=True, kw_only=True):
    """An event as it was kept, with what is still known about the account and the device."""

    event_id: int
    email: str
    device_name: str


class AuditFilter(msgspec.Struct, frozen=True, kw_only=True):
    """Which events; a field that is empty leaves nothing out."""

    account_key: str = ""
    kinds: Sequence[str] = ()
    other_than: Sequence[str] = ()
    """Kinds that are left out."""
    address: str = ""
    since: int = 0
    until: int = 0
    """Before this time; 0 for no end."""

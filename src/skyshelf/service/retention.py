"""Retention: how long, or how much, the service keeps of what is no longer current.

The values are in the metadata store, so all instances agree. A value that keeps less takes effect after a day: until
then a slip can be corrected, and nothing has gone.
"""

import logging
from collections.abc import Callable, Mapping
from typing import Final, Literal

import msgspec

from skyshelf.service.audit import kinds
from skyshelf.service.audit.events import new_event, recorded
from skyshelf.service.context import ServiceContext
from skyshelf.service.setting_changes import SettingChange
from skyshelf.storage.metadata.alarms.contract import LIMIT_SETTING
from skyshelf.storage.metadata.contracts.expiry import Due
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire.limits import (
    ALARM_LIMIT_DEFAULT,
    ALARM_LIMIT_MAX,
    AUDIT_KEPT_DAYS,
    CHANGES_KEPT_DAYS,
    HISTORY_KEPT_DAYS,
    TRASH_RETENTION_DAYS,
    UPLOAD_LIFETIME_MS,
    VERSIONS_KEPT,
)

_log = logging.getLogger("skyshelf.background")
_DAY: Final = 24 * 60 * 60 * 1000
DELAY_MS: Final = _DAY
_SETTING: Final = "retention"


class Setting(msgspec.Struct, frozen=True, kw_only=True):
    """A value that the operator can choose, within bounds."""

    name: str
    default: int
    minimum: int
    maximum: int
    unit: str
    sentence: str
    due: Callable[[Unit, int, int], Due] | None = None
    """How much goes with that value: due(unit, value, now)."""
    goes: str = ""
    """What that counts, and when it goes."""


SETTINGS: Final = (
    Setting(
        name="trash_days",
        default=TRASH_RETENTION_DAYS,
        minimum=1,
        maximum=3650,
        unit="days",
        sentence="What is in the trash longer is deleted.",
        due=lambda unit, value, now: unit.expiry.trash(now - value * _DAY),
        goes="objects in the trash, with all that is below folders",
    ),
    Setting(
        name="versions_kept",
        default=VERSIONS_KEPT,
        minimum=1,
        maximum=1000,
        unit="versions",
        sentence="Older versions of a file are deleted when it changes.",
        due=lambda unit, value, _now: unit.expiry.versions(value),
        goes="versions, each when its file changes next",
    ),
    Setting(
        name="changes_days",
        default=CHANGES_KEPT_DAYS,
        minimum=7,
        maximum=3650,
        unit="days",
        sentence="Clients that were away longer list everything again.",
        due=lambda unit, value, now: unit.expiry.changes(now - value * _DAY),
        goes="entries of change feeds",
    ),
    Setting(
        name="history_days",
        default=HISTORY_KEPT_DAYS,
        minimum=0,
        maximum=3650,
        unit="days",
        sentence="For this long, accounts can look back; they may choose less themselves.",
        due=lambda unit, value, now: unit.expiry.history(now - value * _DAY),
        goes="contents of deleted files and versions that history keeps",
    ),
    Setting(
        name="alarm_limit",
        default=ALARM_LIMIT_DEFAULT,
        minimum=0,
        maximum=ALARM_LIMIT_MAX,
        unit="points",
        sentence="A device that deletes, replaces or moves more within ten minutes is paused; 0 pauses none.",
    ),
    Setting(
        name="upload_days",
        default=UPLOAD_LIFETIME_MS // _DAY,
        minimum=1,
        maximum=90,
        unit="days",
        sentence="Unfinished uploads that have not advanced for longer are discarded.",
        due=lambda unit, value, now: unit.expiry.uploads(now - value * _DAY),
        goes="unfinished uploads",
    ),
    Setting(
        name="quarantine_days",
        default=7,
        minimum=1,
        maximum=365,
        unit="days",
        sentence="Contents that no file refers to are deleted for good after this time.",
        due=lambda unit, value, now: unit.expiry.quarantine(now - value * _DAY),
        goes="contents in quarantine",
    ),
    Setting(
        name="quarantine_gib",
        default=1024,
        minimum=1,
        maximum=1024 * 1024,
        unit="GiB",
        sentence="Of contents that users deleted, the oldest leave the quarantine earlier beyond this size.",
        due=lambda unit, value, _now: unit.expiry.quarantine_beyond(value << 30),
        goes="contents that users deleted",
    ),
    Setting(
        name="audit_days",
        default=AUDIT_KEPT_DAYS,
        minimum=1,
        maximum=3650,
        unit="days",
        sentence="Older events of the audit trail are deleted.",
        due=lambda unit, value, now: unit.expiry.audit(now - value * _DAY),
        goes="events of the audit trail",
    ),
    Setting(
        name="scrub_days",
        default=30,
        minimum=1,
        maximum=365,
        unit="days",
        sentence="Every stored content is read and compared with its hash once in this time.",
    ),
)
BY_NAME: Final = {setting.name: setting for setting in SETTINGS}


class Retention(msgspec.Struct, frozen=True, kw_only=True):
    """The values that hold now; a field for each of SETTINGS."""

    trash_days: int = BY_NAME["trash_days"].default
    versions_kept: int = BY_NAME["versions_kept"].default
    changes_days: int = BY_NAME["changes_days"].default
    history_days: int = BY_NAME["history_days"].default
    alarm_limit: int = BY_NAME["alarm_limit"].default
    upload_days: int = BY_NAME["upload_days"].default
    quarantine_days: int = BY_NAME["quarantine_days"].default
    quarantine_gib: int = BY_NAME["quarantine_gib"].default
    audit_days: int = BY_NAME["audit_days"].default
    scrub_days: int = BY_NAME["scrub_days"].default


Source = Literal["default", "stored"]


class Effective(msgspec.Struct, frozen=True, kw_only=True):
    """A setting with its value now and where that comes from, and the value that follows later, if any."""

    setting: Setting
    value: int
    source: Source
    later: int | None = None
    later_at: int | None = None


class UnknownSetting(Exception):
    """There is no setting of that name."""


class OutOfBounds(Exception):
    """The value is too small or too large."""


_DEFAULTS: Final = Retention()


def retention(ctx: ServiceContext) -> Retention:
    """The values that hold now, without a query: load_retention has read them a moment ago."""
    stored = ctx.known_settings.retention
    if not stored:
        return _DEFAULTS
    now = ctx.clock.now()
    return Retention(**{name: change.at(now) for name, change in stored.items() if name in BY_NAME})


def load_retention(ctx: ServiceContext) -> Retention:
    """Read the stored values; every process does so at its start and every few seconds."""
    with ctx.metadata.read() as unit:
        stored = _stored(unit)
    known = ctx.known_settings
    if known.is_loaded:
        _log_changes(known.retention, stored)
    known.retention, known.is_loaded = stored, True
    return retention(ctx)


def _log_changes(known: Mapping[str, SettingChange], stored: Mapping[str, SettingChange]) -> None:
    for name, change in stored.items():
        if known.get(name) != change:
            later = ", a day after it was set" if change.from_at > change.set_at else ""
            _log.warning("an operator changed %s from %d to %d%s", name, change.before, change.value, later)
    for name in known.keys() - stored.keys():
        _log.warning("an operator changed %s back to its default", name)


# For operators


def effective_settings(ctx: ServiceContext) -> list[Effective]:
    """All settings with their values now."""
    load_retention(ctx)
    now, stored = ctx.clock.now(), ctx.known_settings.retention
    return [_effective(setting, stored.get(setting.name), now) for setting in SETTINGS]


def set_retention(ctx: ServiceContext, name: str, value: int | None) -> tuple[Effective, Due | None]:
    """Choose a value, or None for the default. One that keeps less takes effect after a day; then the second result is
    how much would go if it did so now."""
    setting = BY_NAME.get(name)
    if setting is None:
        raise UnknownSetting(f"there is no setting {name}: the settings are {', '.join(BY_NAME)}")
    wanted = setting.default if value is None else value
    if not setting.minimum <= wanted <= setting.maximum:
        raise OutOfBounds(f"{name} is {setting.minimum} to {setting.maximum} {setting.unit}, not {wanted}")
    now = ctx.clock.now()

    def work(unit: Unit) -> SettingChange | None:
        stored = _stored(unit)
        known = stored.pop(name, None)
        before = setting.default if known is None else known.at(now)
        keeps_less = wanted < before and setting.due is not None
        change = SettingChange(value=wanted, before=before, from_at=now + DELAY_MS if keeps_less else now, set_at=now)
        if value is not None or keeps_less:
            stored[name] = change
        unit.settings.set(_SETTING, msgspec.json.encode(stored))
        if name == LIMIT_SETTING:
            # Read in the transactions that count.
            unit.settings.set(LIMIT_SETTING, str(wanted).encode())
        return stored.get(name)

    change = recorded(ctx, work, new_event(ctx, kinds.SETTING_CHANGED, setting=name, value=wanted))
    with ctx.metadata.read() as unit:
        ctx.known_settings.retention = _stored(unit)
    due = None
    if change is not None and change.from_at > now and setting.due is not None:
        with ctx.metadata.read() as unit:
            due = setting.due(unit, wanted, now)
    return _effective(setting, change, now), due


def store_retention(ctx: ServiceContext, chosen: Mapping[str, int]) -> None:
    """Store values that were chosen elsewhere, where they differ from the stored ones; each process may do so."""
    for name, value in chosen.items():
        known = ctx.known_settings.retention.get(name)
        if value != (BY_NAME[name].default if known is None else known.value):
            set_retention(ctx, name, value)


def _effective(setting: Setting, change: SettingChange | None, now: int) -> Effective:
    value = setting.default if change is None else change.at(now)
    is_later = change is not None and change.from_at > now
    return Effective(
        setting=setting,
        value=value,
        source="default" if value == setting.default else "stored",
        later=change.value if change is not None and is_later else None,
        later_at=change.from_at if change is not None and is_later else None,
    )


def _stored(unit: Unit) -> dict[str, SettingChange]:
    kept = unit.settings.get(_SETTING)
    return msgspec.json.decode(kept, type=dict[str, SettingChange]) if kept else {}

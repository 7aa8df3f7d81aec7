"""Retention: how long, or how much, the service keeps of what is no longer current.

The values are in the metadata store, so all instances agree. A value that keeps less takes effect after a day: until
then a mistake can be corrected, and nothing is lost.
"""

import logging
from collections.abc import Callable, Mapping
from typing import Final, Literal

import msgspec

from skyshelf.service.audit import kinds, new_event, recorded
from skyshelf.service.context import ServiceContext, SettingChange
from skyshelf.storage.metadata.alarms import LIMIT_SETTING
from skyshelf.storage.metadata.contracts.jobs import Due
from skyshelf.storage.metadata.history.contract import HistoryBounds
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire import limits

_log = logging.getLogger("skyshelf.background")
_DAY: Final = 24 * 60 * 60 * 1000
DELAY_MS: Final = _DAY
_SETTING: Final = "retention"


class Retention(msgspec.Struct, frozen=True, kw_only=True):
    """The values in force; those of a new service by default."""

    trash_days: int = limits.TRASH_RETENTION_DAYS
    versions_kept: int = limits.VERSIONS_KEPT
    changes_days: int = limits.CHANGES_KEPT_DAYS
    history_days: int = limits.HISTORY_KEPT_DAYS
    alarm_limit: int = limits.ALARM_LIMIT_DEFAULT
    upload_days: int = limits.UPLOAD_LIFETIME_MS // _DAY
    quarantine_days: int = 7
    quarantine_gib: int = 1024
    audit_days: int = limits.AUDIT_KEPT_DAYS
    scrub_days: int = 30


_DEFAULTS: Final = Retention()


class Setting(msgspec.Struct, frozen=True, kw_only=True):
    """A value that the operator can choose, within bounds; a field of Retention."""

    name: str
    minimum: int = 1
    maximum: int = 3650
    unit: str = "days"
    sentence: str
    due: Callable[[Unit, int, int], Due] | None = None
    """Counts what would be deleted with that value: due(unit, value, now)."""
    goes: str = ""
    """What `due` counts, and when it is deleted."""

    @property
    def default(self) -> int:
        return int(getattr(_DEFAULTS, self.name))


SETTINGS: Final = (
    Setting(
        name="trash_days",
        sentence="Objects that are in the trash for longer are deleted.",
        due=lambda unit, value, now: unit.expiry.trash(now - value * _DAY),
        goes="objects in the trash, with all that is below folders",
    ),
    Setting(
        name="versions_kept",
        maximum=1000,
        unit="versions",
        sentence="Older versions of a file are deleted when it changes.",
        due=lambda unit, value, _now: unit.expiry.versions(value),
        goes="versions, each when its file changes next",
    ),
    Setting(
        name="changes_days",
        minimum=7,
        sentence="Clients that were away for longer list everything again.",
        due=lambda unit, value, now: unit.expiry.changes(now - value * _DAY),
        goes="entries of change feeds",
    ),
    Setting(
        name="history_days",
        minimum=0,
        sentence="How far back accounts can look; they may choose less.",
        due=lambda unit, value, now: unit.expiry.history(now - value * _DAY),
        goes="contents of deleted files and versions that history keeps",
    ),
    Setting(
        name="alarm_limit",
        minimum=0,
        maximum=limits.ALARM_LIMIT_MAX,
        unit="points",
        sentence="A device that deletes, replaces or moves more within ten minutes is paused; 0 pauses none.",
    ),
    Setting(
        name="upload_days",
        maximum=90,
        sentence="Unfinished uploads that have not advanced for longer are discarded.",
        due=lambda unit, value, now: unit.expiry.uploads(now - value * _DAY),
        goes="unfinished uploads",
    ),
    Setting(
        name="quarantine_days",
        maximum=365,
        sentence="Contents that no file refers to are deleted for good after this time.",
        due=lambda unit, value, now: unit.expiry.quarantine(now - value * _DAY),
        goes="contents in quarantine",
    ),
    Setting(
        name="quarantine_gib",
        maximum=1024 * 1024,
        unit="GiB",
        sentence="Above this size, the oldest deleted content leaves quarantine early.",
        due=lambda unit, value, _now: unit.expiry.quarantine_beyond(value << 30),
        goes="contents that users deleted",
    ),
    Setting(
        name="audit_days",
        sentence="Older events of the audit trail are deleted.",
        due=lambda unit, value, now: unit.expiry.audit(now - value * _DAY),
        goes="events of the audit trail",
    ),
    Setting(
        name="scrub_days",
        maximum=365,
        sentence="Every stored content is read and compared with its hash once in this time.",
    ),
)
BY_NAME: Final = {setting.name: setting for setting in SETTINGS}


Source = Literal["default", "stored"]


class EffectiveSetting(msgspec.Struct, frozen=True, kw_only=True):
    """A setting with its current value and its source, and the value that will follow, if any."""

    setting: Setting
    value: int
    source: Source
    later: int | None = None
    later_at: int | None = None


class RefusedSetting(Exception):
    """There is no setting with that name, or the value is too small or too large."""


def retention(ctx: ServiceContext) -> Retention:
    """Return the values in force, without a query: load_retention has read them a moment ago."""
    stored = ctx.known_settings.retention
    if not stored:
        return _DEFAULTS
    now = ctx.clock.now()
    return Retention(**{name: change.at(now) for name, change in stored.items() if name in BY_NAME})


def load_retention(ctx: ServiceContext) -> Retention:
    """Read the stored values; every process does so when it starts and every few seconds."""
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


def effective_settings(ctx: ServiceContext) -> list[EffectiveSetting]:
    load_retention(ctx)
    now, stored = ctx.clock.now(), ctx.known_settings.retention
    return [_effective(setting, stored.get(setting.name), now) for setting in SETTINGS]


def set_retention(ctx: ServiceContext, name: str, value: int | None) -> tuple[EffectiveSetting, Due | None]:
    """Choose a value, or None for the default. One that keeps less takes effect after a day; the second result is then
    how much would be deleted if it took effect now."""
    setting = BY_NAME.get(name)
    if setting is None:
        raise RefusedSetting(f"there is no setting {name}: the settings are {', '.join(BY_NAME)}")
    wanted = setting.default if value is None else value
    if not setting.minimum <= wanted <= setting.maximum:
        raise RefusedSetting(f"{name} is {setting.minimum} to {setting.maximum} {setting.unit}, not {wanted}")
    now = ctx.clock.now()

    def work(unit: Unit) -> SettingChange | None:
        stored = _stored(unit)
        known = stored.pop(name, None)
        before = setting.default if known is None else known.at(now)
        keeps_less = wanted < before and setting.due is not None
        change = SettingChange(value=wanted, before=before, from_at=now + DELAY_MS if keeps_less else now, set_at=now)
        if value is not None or keeps_less:
            stored[name] = change
        unit.settings.store(_SETTING, stored)
        if name == LIMIT_SETTING:
            # Read by the transactions that count changes.
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
    """Store values that were chosen elsewhere, if they differ from the stored ones; any process may do so."""
    for name, value in chosen.items():
        known = ctx.known_settings.retention.get(name)
        if value != (BY_NAME[name].default if known is None else known.value):
            set_retention(ctx, name, value)


def _effective(setting: Setting, change: SettingChange | None, now: int) -> EffectiveSetting:
    value = setting.default if change is None else change.at(now)
    source: Source = "default" if value == setting.default else "stored"
    if change is None or change.from_at <= now:
        return EffectiveSetting(setting=setting, value=value, source=source)
    return EffectiveSetting(setting=setting, value=value, source=source, later=change.value, later_at=change.from_at)


def _stored(unit: Unit) -> dict[str, SettingChange]:
    return unit.settings.load(_SETTING, dict[str, SettingChange]) or {}


def history_days(ctx: ServiceContext, bounds: HistoryBounds) -> int:
    """Return how long an account's history is kept: its own choice, but never more than the operator's."""
    most = retention(ctx).history_days
    return most if bounds.days is None else min(bounds.days, most)

"""What is counted of each device, minute by minute, and the alarm that is raised when that is too much.

The counts of an account are a few bytes in the row that every writer locks and updates anyway, so they cost no
statement, are exact with any number of processes, and are bounded.
"""

from collections.abc import Mapping
from copy import copy
from typing import Final, NamedTuple, TypeAlias

import msgspec

from skyshelf.wire import limits

# Signs: what the changes of a call are to this rule.
DELETED: Final = "deleted"
REPLACED: Final = "replaced"
"""Deleted, where an encrypted copy may have taken its place: a folder, or a file of a known type."""
BELOW: Final = "below"
"""In a folder that was deleted, after the first hundred objects."""
PURGED: Final = "purged"
EMPTIED: Final = "emptied"
"""The trash was emptied, or a folder deleted from it."""
OVERWRITTEN: Final = "overwritten"
EDITED: Final = "edited"
"""Overwritten with content that fits the type."""
MOVED: Final = "moved"
SCRAMBLED: Final = "scrambled"
SEALED: Final = "sealed"
"""A new file that looks like the encrypted copy of another."""
MARKED: Final = "marked"
ASIDE: Final = "aside"
"""Moved to the trash by a rewind that the device started: it counts when the trash is emptied."""

_MINUTE: Final = 60_000
_DAY: Final = 24 * 60 * _MINUTE
_DEVICES_MAX: Final = 50
_LAYOUT: Final = 1
_DEVICE_KEY_LENGTH: Final = 36
_QUARTERS: Final = 4
"""Points are counted in quarters."""
_SIGNS: Final = (
    DELETED, REPLACED, PURGED, BELOW, EMPTIED, OVERWRITTEN, EDITED, MOVED, SCRAMBLED, SEALED, MARKED, ASIDE,
)  # fmt: skip


class Counts(msgspec.Struct, array_like=True):
    """What a device has done in a minute, or in all minutes that count."""

    points: int = 0
    """In quarters."""
    deleted: int = 0
    overwritten: int = 0
    moved: int = 0
    scrambled: int = 0
    marked: int = 0
    """Favourites and tags: they lose nothing, so only thousands of them count."""
    large: int = 0
    """Calls of which only the first hundred deleted objects counted."""
    trashed: int = 0
    """Objects moved to the trash since it was last emptied."""
    sealed: int = 0
    """New files that look like encrypted copies, without those whose originals were deleted."""
    aside: int = 0
    """Objects that rewinds moved to the trash since it was last emptied."""

    def add(self, other: "Counts") -> None:
        for name in self.__struct_fields__:
            setattr(self, name, getattr(self, name) + getattr(other, name))


_Counted: TypeAlias = list[tuple[int, Counts]]
"""The counts of each minute, or of each quarter of a day, after the time of the first of them."""


class Device(msgspec.Struct, array_like=True):
    """A device that has done something of that kind lately, is paused, or was allowed to go on."""

    device_key: str
    since: int
    """When what is counted began: the first of it that no ten quiet minutes followed."""
    minutes: _Counted
    alarm: int = 0
    """The number of the alarm that pauses it; 0 for none."""
    allowed_until: int = 0
    quarters: _Counted = []
    """Counts of each quarter of the last day."""
    renamed: str = ""
    """The name that it last gave to a file."""

    def standing(self, now: int) -> "Standing":
        """Return what counts, without what is too old, or what a clock that went back has left in the future."""
        self.minutes = [one for one in self.minutes if now - limits.ALARM_MINUTES * _MINUTE < one[0] <= now + _MINUTE]
        self.quarters = [one for one in self.quarters if now - _DAY < one[0] <= now + _MINUTE]
        return Standing(_total(self.minutes), _total(self.quarters))


def _total(counted: _Counted) -> Counts:
    total = Counts()
    for _, counts in counted:
        total.add(counts)
    total.points += _QUARTERS * total.marked // limits.ALARM_MARKED_PER_POINT
    return total


class Standing(NamedTuple):
    """What counts of a device."""

    lately: Counts
    day: Counts

    def judged(self, call: Mapping[str, int]) -> Counts:
        """Return what a call counts, by its signs and how often it has each."""
        deleted, replaced, purged, below, emptied, overwritten, edited, moved, scrambled, sealed, marked, aside = (
            call.get(sign, 0) for sign in _SIGNS
        )
        copied = min(max(0, self.day.sealed), replaced)
        plain = deleted + replaced + purged - copied
        is_large = plain > limits.ALARM_CALL_POINTS_MAX and self.lately.large < limits.ALARM_LARGE_CALLS
        trashed = deleted + replaced + below
        gone = max(0, self.lately.trashed + trashed) if emptied else 0
        aside_gone = max(0, self.day.aside + aside) if emptied else 0
        capped = min(plain, limits.ALARM_CALL_POINTS_MAX) if is_large else plain
        return Counts(
            points=_QUARTERS * limits.ALARM_SCRAMBLED_POINTS * (scrambled + copied)
            + _QUARTERS * (capped + emptied + gone + aside_gone + overwritten)
            + edited
            + min(moved, limits.ALARM_CALL_POINTS_MAX),
            deleted=plain + copied + below + emptied,
            overwritten=overwritten + edited,
            moved=moved,
            scrambled=scrambled,
            marked=marked,
            large=int(is_large),
            trashed=trashed - gone - purged,
            sealed=sealed - copied,
            aside=aside - aside_gone,
        )

    def reaches(self, limit: int, further: int = 0) -> bool:
        """Return whether that, and further quarters, are enough for an alarm, in ten minutes or in a day."""
        points = max(self.lately.points + further, (self.day.points + further) // limits.ALARM_DAY_FACTOR)
        return 0 < limit * _QUARTERS <= points


class Watch(msgspec.Struct, array_like=True):
    """All of an account, as it is stored."""

    layout: int = _LAYOUT
    limit: int | None = None
    """The account's own limit of points; 0 turns the alarm off, None is the operator's."""
    devices: list[Device] = []

    def device(self, device_key: str) -> Device | None:
        return next((one for one in self.devices if one.device_key == device_key), None)


_decoder: Final = msgspec.msgpack.Decoder(Watch)
_encoder: Final = msgspec.msgpack.Encoder()


def decode_watch(stored: bytes | None) -> Watch:
    if not stored:
        return Watch(devices=[])
    watch = _decoder.decode(stored)
    assert watch.layout == _LAYOUT, "a newer server has counted here"
    return watch


def encode_watch(watch: Watch) -> bytes | None:
    return _encoder.encode(watch) if watch.devices or watch.limit is not None else None


def device_in(actor: str) -> str | None:
    """Return the device of an actor; None for the service itself, and for visitors with a link."""
    device_key, slash, _ = actor.partition("/")
    return device_key if slash and len(device_key) == _DEVICE_KEY_LENGTH else None


def is_paused(stored: bytes | None, device_key: str | None) -> bool:
    """Return whether that device waits for a decision."""
    if not stored or device_key is None:
        return False
    device = decode_watch(stored).device(device_key)
    return device is not None and device.alarm > 0


def counted(watch: Watch, device_key: str, call: Mapping[str, int], now: int) -> Device:
    """Add what a device has just done."""
    watch.devices = [one for one in watch.devices if _is_recent(one, now)]
    device = watch.device(device_key)
    if device is None:
        device = Device(device_key, now, [], quarters=[])
        _make_room(watch)
        watch.devices.append(device)
    counts = device.standing(now).judged(call)
    if not device.minutes:
        device.since = now
    for kept, length in ((device.minutes, _MINUTE), (device.quarters, _DAY // 4)):
        if kept and kept[-1][0] // length == now // length:
            kept[-1][1].add(counts)
        else:
            kept.append((now, copy(counts)))
    return device


def _is_recent(device: Device, now: int) -> bool:
    return device.alarm > 0 or device.allowed_until > now or now - _last_seen(device) < _DAY


def _make_room(watch: Watch) -> None:
    """Forget who was quiet for longest, and devices that are paused last."""
    idle = [one for one in watch.devices if not one.alarm]
    if len(idle) >= _DEVICES_MAX or len(watch.devices) >= limits.DEVICES_MAX + _DEVICES_MAX:
        watch.devices.remove(min(idle or watch.devices, key=_last_seen))


def _last_seen(device: Device) -> int:
    return max((one[0] for one in (*device.minutes, *device.quarters)), default=0)


_ALIKE: Final = 4
_SHORT: Final = 8


def is_unlike(name: str, new_name: str) -> bool:
    """Return whether a new name has nothing in common with another, as random names have not."""
    one, other = (each.rpartition(".")[0].casefold() or each.casefold() for each in (name, new_name))
    parts = {one[at : at + _ALIKE] for at in range(len(one) - _ALIKE + 1)}
    return len(other) >= _SHORT and not any(other[at : at + _ALIKE] in parts for at in range(len(other) - _ALIKE + 1))


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
    """A device has done too much in too short a time. Its number is that of the change which was too much, or
    a higher one."""

    number: int
    device_key: str
    raised_at: int
    since: int
    """When the device began with what was counted."""
    deleted: int
    overwritten: int
    moved: int
    scrambled: int
    marked: int
    """Changed favourites and tags."""
    state: str
    decided_at: int = 0
    decided_by: str = ""
    """The device that the decision came from."""


class AlarmRule(msgspec.Struct, frozen=True):
    limit: int
    """How many points raise an alarm; 0 for never."""
    own: int | None
    """The account's own choice; None where the operator's holds."""

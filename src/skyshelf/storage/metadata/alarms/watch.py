"""What is counted of each device, minute by minute, and when that is too much.

The counts of an account are a few bytes in the row that every writer locks and updates anyway, so they cost no
statement, are exact with any number of processes, and are bounded.
"""

from collections.abc import Iterable
from typing import Final

import msgspec

from skyshelf.wire.limits import ALARM_CALL_POINTS_MAX, ALARM_MINUTES, ALARM_SCRAMBLED_POINTS, DEVICES_MAX

DELETED: Final = "deleted"
OVERWRITTEN: Final = "overwritten"
MOVED: Final = "moved"
SCRAMBLED: Final = "scrambled"

_MINUTE: Final = 60_000
_DEVICES_MAX: Final = 50
_LAYOUT: Final = 1
_DEVICE_KEY_LENGTH: Final = 36


class Counts(msgspec.Struct, array_like=True):
    """What a device has done in a minute, or in all minutes that count."""

    points: int = 0
    deleted: int = 0
    overwritten: int = 0
    moved: int = 0
    scrambled: int = 0

    def add(self, other: "Counts") -> None:
        self.points += other.points
        self.deleted += other.deleted
        self.overwritten += other.overwritten
        self.moved += other.moved
        self.scrambled += other.scrambled


class Device(msgspec.Struct, array_like=True):
    """A device that has done something of that kind lately, is paused, or was allowed to go on."""

    device_key: str
    since: int
    """When what is counted began: the first of it that no ten quiet minutes followed."""
    minutes: list[tuple[int, Counts]]
    alarm: int = 0
    """The number of the alarm that pauses it; 0 for none."""
    allowed_until: int = 0

    def total(self) -> Counts:
        total = Counts()
        for _, counts in self.minutes:
            total.add(counts)
        return total


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
    """The device of an actor; None for the service itself, and for visitors with a link."""
    device_key, slash, _ = actor.partition("/")
    return device_key if slash and len(device_key) == _DEVICE_KEY_LENGTH else None


def is_paused(stored: bytes | None, actor: str) -> bool:
    """Whether the device of that actor waits for a decision."""
    device_key = device_in(actor) if stored else None
    if device_key is None:
        return False
    device = decode_watch(stored).device(device_key)
    return device is not None and device.alarm > 0


def counts_of(signs: Iterable[str]) -> Counts:
    """What one call has done. Of a call that deletes, renames or moves many, only the first hundred count."""
    counts = Counts()
    for sign in signs:
        setattr(counts, sign, getattr(counts, sign) + 1)
    plain = min(counts.deleted + counts.moved, ALARM_CALL_POINTS_MAX)
    scrambled = min(counts.scrambled, ALARM_CALL_POINTS_MAX) * ALARM_SCRAMBLED_POINTS
    counts.points = plain + counts.overwritten + scrambled
    return counts


def counted(watch: Watch, device_key: str, counts: Counts, now: int) -> Device:
    """Add what a device has just done; the device with all that counts now."""
    watch.devices = [one for one in watch.devices if _is_recent(one, now)]
    device = watch.device(device_key)
    if device is None:
        device = Device(device_key, now, [])
        _make_room(watch)
        watch.devices.append(device)
    oldest = now - ALARM_MINUTES * _MINUTE
    # What a clock that went back has left in the future does not count either.
    device.minutes = [one for one in device.minutes if oldest < one[0] <= now + _MINUTE]
    if not device.minutes:
        device.since = now
    if device.minutes and device.minutes[-1][0] // _MINUTE == now // _MINUTE:
        device.minutes[-1][1].add(counts)
    else:
        device.minutes.append((now, counts))
    return device


def _is_recent(device: Device, now: int) -> bool:
    if device.alarm or device.allowed_until > now:
        return True
    return bool(device.minutes) and now - device.minutes[-1][0] < ALARM_MINUTES * _MINUTE


def _make_room(watch: Watch) -> None:
    """Forget who was quiet for longest, and devices that are paused last."""
    idle = [one for one in watch.devices if not one.alarm]
    if len(idle) >= _DEVICES_MAX or len(watch.devices) >= DEVICES_MAX + _DEVICES_MAX:
        watch.devices.remove(min(idle or watch.devices, key=lambda one: one.minutes[-1][0] if one.minutes else 0))

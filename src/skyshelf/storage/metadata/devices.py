"""Devices: what an account logs in from."""

from typing import Protocol

import msgspec


class NewDevice(msgspec.Struct, frozen=True, kw_only=True):
    device_key: str
    device_name: str
    platform_type: str
    device_type: str = "W"


class Device(msgspec.Struct, frozen=True):
    account_id: int
    device_key: str
    device_name: str
    device_type: str
    platform_type: str
    created_at: int
    last_seen_at: int


class Devices(Protocol):
    """A device belongs to one account: the same key in two accounts is two devices.

    Keys come in one spelling (lower-case UUIDs); storage compares them as they are.
    """

    def register(self, account_id: int, device: NewDevice, now: int) -> Device:
        """Add a device, or register one again: it keeps the date it was added, and its session and nonces end."""

    def of_account(self, account_id: int) -> list[Device]:
        """All of them, the one added first at the front."""

    def remove(self, account_id: int, device_key: str) -> bool:
        """Forget a device, its session and its nonces; false when the account has no such device."""

    def sweep(self, seen_before: int, limit: int) -> int:
        """Forget up to limit devices that have no session and were not seen since that time; how many went."""

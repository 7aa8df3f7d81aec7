"""Sessions: who is logged in, on which device, until when."""

from typing import Protocol

import msgspec

from skyshelf.storage.metadata.contracts.accounts import Device


class NewSession(msgspec.Struct, frozen=True, kw_only=True):
    secret_hash: bytes
    """A digest of the token's secret; the secret itself never comes here."""
    device_key: str
    expires_at: int


class Session(msgspec.Struct, frozen=True):
    """A live session, with what every request needs to know of its account."""

    secret_hash: bytes
    account_id: int
    account_key: str
    root_key: str
    account_status: str
    first_name: str
    device_key: str
    created_at: int
    last_used_at: int
    expires_at: int


class DeviceSession(msgspec.Struct, frozen=True):
    """A live session as its owner sees it in a list."""

    device: Device
    secret_hash: bytes
    created_at: int
    last_used_at: int
    expires_at: int


class Sessions(Protocol):
    """A device has one session at most. A session that ends takes its nonces along."""

    def open(self, account_id: int, session: NewSession, now: int) -> None:
        """Let a registered device in; the session it had ends. Missing when the device is not registered."""

    def find(self, secret_hash: bytes, now: int) -> Session | None:
        """The session of that secret, if it has not expired and its account is active. One statement."""

    def touch(self, secret_hash: bytes, now: int, *, expires_at: int = 0) -> None:
        """Note that the session and its device are in use, and let it last until expires_at at least.

        Times only move forward.
        """

    def close(self, secret_hash: bytes) -> bool:
        """End the session of that secret; false when there is none."""

    def revoke(self, account_id: int, device_key: str) -> bool:
        """End the session of a device; false when the account has no such session."""

    def revoke_others(self, account_id: int, keep: bytes) -> int:
        """End every session of the account but the one with that secret_hash; how many ended."""

    def revoke_all(self, account_id: int) -> int:
        """End every session of the account; how many ended."""

    def of_account(self, account_id: int, now: int) -> list[DeviceSession]:
        """The sessions that have not expired, the one used last at the front."""

    def sweep(self, now: int, limit: int) -> int:
        """Forget up to limit expired sessions; how many went."""


# Nonces: short-lived keys to an account's downloads, given out by a session.


class NonceOwner(msgspec.Struct, frozen=True):
    """Whose downloads a nonce opens."""

    account_id: int
    account_key: str
    root_key: str
    first_name: str
    device_key: str
    expires_at: int


class Nonces(Protocol):
    """Only digests of nonces come here. A nonce never outlives the session that asked for it."""

    def add(self, nonce_hash: bytes, account_id: int, secret_hash: bytes, expires_at: int) -> None:
        """Missing when the account has no session with that secret_hash."""

    def find(self, nonce_hash: bytes, now: int) -> NonceOwner | None:
        """Its owner, while neither the nonce nor its session has expired and the account is active. One statement."""

    def sweep(self, now: int, limit: int) -> int:
        """Forget up to limit expired nonces; how many went."""

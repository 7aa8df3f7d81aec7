"""Nonces: short-lived keys to an account's downloads, given out by a session."""

from typing import Protocol

import msgspec


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
        """Missing when the account has no session of that secret_hash (any more)."""

    def find(self, nonce_hash: bytes, now: int) -> NonceOwner | None:
        """Its owner, while neither the nonce nor its session has expired and the account is active. One statement."""

    def sweep(self, now: int, limit: int) -> int:
        """Forget up to limit expired nonces; how many went."""

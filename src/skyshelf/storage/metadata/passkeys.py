"""Passkeys: the public keys that log an account in."""

from collections.abc import Sequence
from typing import Protocol

import msgspec


class NewPasskey(msgspec.Struct, frozen=True, kw_only=True):
    """A passkey to be added."""

    passkey_key: str
    credential_id: bytes
    public_key: bytes
    """As the authenticator encodes it (COSE), with the model of the authenticator and the credential's id."""
    sign_count: int
    host: str
    """The host that it works for."""
    name: str
    transports: str
    """How a browser reaches it, separated by spaces."""
    is_discoverable: bool
    """Whether it identifies its account, so its owner types no address."""
    is_verifying: bool
    """Whether it has ever verified who uses it."""
    can_be_backed_up: bool
    is_backed_up: bool


class Passkey(NewPasskey, frozen=True, kw_only=True):
    account_id: int
    created_at: int
    last_used_at: int
    """0 before the first use."""

    @property
    def replaces_password(self) -> bool:
        return self.is_discoverable and self.is_verifying


class PasskeyUse(msgspec.Struct, frozen=True, kw_only=True):
    """What a passkey has reported with a signature."""

    sign_count: int
    is_verifying: bool
    is_backed_up: bool


class Passkeys(Protocol):
    """No credential belongs to two accounts. Whatever counts once counts once, on however many instances."""

    def add(self, account_id: int, passkey: NewPasskey, now: int) -> bool:
        """False if the credential is known already, whosever it is. LimitReached where there are too many."""

    def of_account(self, account_id: int) -> list[Passkey]:
        """All of an account, the newest first. One statement."""

    def find(self, credential_id: bytes) -> Passkey | None:
        """The passkey with that id, of whatever account. One statement."""

    def rename(self, account_id: int, passkey_key: str, name: str) -> bool:
        """False where the account has no such passkey."""

    def remove(self, account_id: int, passkey_key: str) -> bool:
        """False where the account has no such passkey."""

    def remove_all(self, account_id: int) -> int:
        """How many there were."""

    def counts(self, account_ids: Sequence[int]) -> dict[int, int]:
        """How many passkeys those of the accounts have that have any. One statement."""

    def use(self, account_id: int, passkey_key: str, use: PasskeyUse, now: int) -> bool:
        """Note a signature. False if the passkey is gone, or its counter is not beyond that of an earlier signature;
        counters that are always zero count nothing."""

"""Identities: who an account's owner is at a provider of OpenID Connect, and which sessions came from there."""

from collections.abc import Sequence
from typing import Protocol

import msgspec


class Identity(msgspec.Struct, frozen=True):
    """Issuer and subject name one person for good; the email address is what the provider said last."""

    issuer: str
    subject: str
    account_id: int
    email: str
    created_at: int
    last_used_at: int


class NewIdentity(msgspec.Struct, frozen=True, kw_only=True):
    issuer: str
    subject: str
    email: str


class SessionOrigin(msgspec.Struct, frozen=True):
    """The login at a provider that opened a session."""

    issuer: str
    subject: str
    sid: str
    """The provider's name of its own session; empty where it gave none."""


class Identities(Protocol):
    """An account has at most one identity of an issuer, and an identity belongs to one account."""

    def find(self, issuer: str, subject: str) -> Identity | None:
        """One statement."""

    def of_account(self, account_id: int) -> list[Identity]:
        """All of an account, the oldest first."""

    def linked_among(self, account_ids: Sequence[int]) -> set[int]:
        """Those of the accounts that have an identity. One statement."""

    def add(self, account_id: int, identity: NewIdentity, now: int) -> bool:
        """Link it; false where it belongs to an account, or the account has another one of that issuer.

        LimitReached where the account has too many.
        """

    def used(self, issuer: str, subject: str, email: str, now: int) -> None:
        """Note a login, and the address that the provider gave."""

    def remove(self, account_id: int, issuer: str) -> bool:
        """Unlink the account's identity of that issuer; false where it has none. Sessions go on."""

    # Sessions

    def put_origin(self, account_id: int, secret_hash: bytes, origin: SessionOrigin) -> None:
        """The open session with that secret_hash came from there. It is forgotten when the session ends."""

    def origin_of(self, secret_hash: bytes) -> SessionOrigin | None:
        """Where a session came from; None where a password opened it. One statement."""

    def end_sessions(self, issuer: str, *, subject: str = "", sid: str = "") -> dict[int, int]:
        """End the sessions that came from this subject, from this session of the provider, or, with both, from both.

        How many ended, by account. Nothing ends where neither is given.
        """


class SpentTokens(Protocol):
    """What counts once, however many try at the same moment and on however many instances. Only digests come here."""

    def spend(self, token_hash: bytes, expires_at: int) -> bool:
        """Use it up; false where it was used before. After expires_at it may be forgotten."""

    def sweep(self, now: int, limit: int) -> int:
        """Forget up to limit tokens that have expired; how many went."""

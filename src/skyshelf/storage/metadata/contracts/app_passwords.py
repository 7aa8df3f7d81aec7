"""App passwords: what lets one app into an account, and how far."""

from typing import Protocol

import msgspec

from skyshelf.storage.metadata.contracts.accounts import Device
from skyshelf.storage.metadata.contracts.sessions import Session


class AppScope(msgspec.Struct, frozen=True, kw_only=True):
    """What an app may do."""

    folder_key: str | None = None
    """The only folder that it sees, with what is below; None for the whole drive."""
    can_write: bool = True
    webdav_only: bool = False


class AppPassword(msgspec.Struct, frozen=True):
    """An app password as its owner sees it in a list."""

    device: Device
    scope: AppScope
    created_at: int
    last_used_at: int


class AppSession(msgspec.Struct, frozen=True):
    """An app password that was presented, with what every request needs to know."""

    session: Session
    email: str
    scope: AppScope


class AppPasswords(Protocol):
    """An app password is a session that Sessions has opened before; it ends with that session."""

    def add(self, account_id: int, secret_hash: bytes, scope: AppScope) -> None:
        """Make the open session with that secret_hash one of an app. LimitReached where there are too many."""

    def find(self, secret_hash: bytes, now: int) -> AppSession | None:
        """The app of that secret, while its account is active. One statement."""

    def of_account(self, account_id: int) -> list[AppPassword]:
        """All of an account, the newest first."""

"""Accounts: who may come in."""

from typing import Protocol

import msgspec

ACTIVE = "A"
DISABLED = "D"


class NewAccount(msgspec.Struct, frozen=True, kw_only=True):
    account_key: str
    root_key: str
    email: str
    first_name: str
    last_name: str
    password_hash: str
    default_space: int
    paid_space: int = 0
    mobile_number: str = ""


class Account(msgspec.Struct, frozen=True):
    account_id: int
    account_key: str
    root_key: str
    email: str
    first_name: str
    last_name: str
    password_hash: str
    status: str
    auth_provider_id: int
    mobile_number: str
    is_mobile_verified: bool
    is_email_verified: bool
    default_space: int
    paid_space: int
    created_at: int
    updated_at: int


class Accounts(Protocol):
    def add(self, account: NewAccount, now: int) -> Account:
        """Open an account with its root folder and its counters at zero, all or nothing.

        EmailTaken when an account has that address, in whatever case.
        """

    def by_key(self, account_key: str) -> Account:
        """AccountMissing when there is none."""

    def by_email(self, email: str) -> Account:
        """Case does not count. AccountMissing when there is none."""

    def by_id(self, account_id: int) -> Account:
        """AccountMissing when there is none."""

    def list(self, *, after_id: int = 0, limit: int = 1000) -> list[Account]:
        """By account_id, those after the given one."""

    def count(self) -> int:
        """How many accounts there are, disabled ones included."""

    def set_password(self, account_id: int, password_hash: str, now: int) -> None: ...

    def set_status(self, account_id: int, status: str, now: int) -> None: ...

    def set_space(self, account_id: int, *, default_space: int, paid_space: int, now: int) -> None:
        """Change what the account may hold. Less than it holds is allowed: it then cannot add anything."""

    def set_names(self, account_id: int, *, first_name: str, last_name: str, now: int) -> None: ...

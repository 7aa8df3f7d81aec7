"""Accounts: who may come in."""

from collections.abc import Sequence
from typing import Protocol

import msgspec

ACTIVE = "A"
DISABLED = "D"
GOING = "G"
"""Its time is over, and it is being removed: nothing holds that up."""


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
    delete_at: int
    """When it goes for good; 0 for an account that stays. Until then its links and what it has on boards are hidden."""
    is_operator: bool = False
    """Whether it may manage the server (operators.py)."""


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

    def set_status(self, account_id: int, status: str, now: int) -> None:
        """Let the account in, or keep it out; AccountMissing where it is GOING."""

    def set_space(self, account_id: int, *, default_space: int, paid_space: int, now: int) -> None:
        """Change what the account may hold. Less than it holds is allowed: it then cannot add anything."""

    def set_names(self, account_id: int, *, first_name: str, last_name: str, now: int) -> None: ...

    def set_deletion(self, account_id: int, delete_at: int, now: int) -> None:
        """Say when the account goes for good, or, with 0, that it stays; AccountMissing where it is GOING."""

    def close_due(self, account_id: int, now: int) -> bool:
        """Whether the time of the account is over; then it is GOING from now on.

        Of this and of set_deletion at the same moment, one comes first, and the other sees it.
        """

    def remove_some(self, account_id: int, limit: int, now: int) -> bool:
        """Remove an account that is GOING, with everything that it has; true while something of it is left.

        Each call is one small transaction, so others work in between and a crash loses nothing. Content is
        dereferenced, and boards pass on or go, as by leaving them; words on boards go too. Any other account
        stays as it is, and one that is not there is gone already.
        """


# Devices: what an account logs in from.


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
        """Add a device, or register one again: its session and nonces end. It keeps the date it was added, and a name
        from rename."""

    def of_account(self, account_id: int) -> list[Device]:
        """All of them, the one added first at the front."""

    def rename(self, account_id: int, device_key: str, name: str) -> bool:
        """Give a device a name that it keeps when it is registered again; false when the account has no such device."""

    def remove(self, account_id: int, device_key: str) -> bool:
        """Forget a device, its session and its nonces; false when the account has no such device."""

    def sweep(self, seen_before: int, limit: int) -> int:
        """Forget up to limit devices that have no session and were not seen since that time; how many went."""


# Second factors: what an account asks for besides its password.


class SecondFactor(msgspec.Struct, frozen=True):
    salt: bytes
    """With the server's secret, it makes what the authenticator knows."""
    begun_at: int
    confirmed_at: int
    """0 until the first code was right: before that, nobody is asked for one."""
    last_step: int
    """The newest step of time whose code was taken."""
    codes_left: int
    """How many recovery codes are left."""

    @property
    def is_on(self) -> bool:
        return self.confirmed_at > 0

    @property
    def has_app(self) -> bool:
        """Whether an app has ever given a code; a passkey has turned the factor on without one."""
        return self.last_step > 0


class SecondFactors(Protocol):
    """An account has one at most. Recovery codes come here as digests only.

    Whatever counts once counts once, however many try at the same moment and on however many instances.
    """

    def of_account(self, account_id: int) -> SecondFactor | None:
        """None where nothing was ever begun. One statement."""

    def on_among(self, account_ids: Sequence[int]) -> set[int]:
        """Those of the accounts that have one which is on. One statement."""

    def begin(self, account_id: int, salt: bytes, now: int) -> bool:
        """Start over; an earlier one that was never confirmed is forgotten. False if a second factor is already on."""

    def confirm(self, account_id: int, salt: bytes, step: int, now: int) -> bool:
        """Turn on the factor begun with that salt, by the code of that step; false if another one is pending.

        Step 0 is none: no app has given a code."""

    def use_step(self, account_id: int, salt: bytes, step: int) -> bool:
        """Take the code of a step, once; false where it, or the code of a later step, was taken already."""

    def replace_codes(self, account_id: int, hashes: Sequence[bytes]) -> None:
        """These are the recovery codes from now on. Missing where nothing was begun."""

    def use_code(self, account_id: int, code_hash: bytes) -> bool:
        """Use up a recovery code of a factor that is on; false if the code does not exist or was used."""

    def remove(self, account_id: int) -> bool:
        """Forget the factor and its codes; false where nothing was begun."""


# Throttles: repeated failures lock a login, for longer each time.

# 2**40 times any pause is longer than every longest pause; larger powers would only cost.
_MOST_DOUBLINGS = 40


class ThrottleRule(msgspec.Struct, frozen=True, kw_only=True):
    """How forgiving a bucket is. All times are milliseconds."""

    free_failures: int
    """As many failures cost nothing."""
    first_pause: int
    """How long the first failure beyond them closes the bucket; each further one closes it twice as long."""
    longest_pause: int
    memory: int
    """After this long without a failure, counting starts from zero."""

    def pause_after(self, failures: int) -> int:
        """How long the bucket closes at that many failures in a row."""
        beyond = failures - self.free_failures
        if beyond <= 0:
            return 0
        return min(self.longest_pause, self.first_pause << min(beyond - 1, _MOST_DOUBLINGS))


class Throttles(Protocol):
    """Buckets are digests of what is throttled (an account, an address), never the thing itself.

    Every count is exact, however many fail at once and on however many instances.
    """

    def failed(self, bucket: bytes, now: int, rule: ThrottleRule) -> int:
        """Count a failure; the time until which the bucket is closed, 0 when it is open."""

    def admit(self, bucket: bytes, now: int, rule: ThrottleRule) -> int:
        """Count an attempt as a failure before it is checked, so many at once cannot slip through together.

        0 means: proceed, and call succeeded if it was right. Otherwise the bucket is closed until the time
        that is returned, and nothing was counted.
        """

    def closed_until(self, buckets: Sequence[bytes], now: int) -> int:
        """The time at which the last of the buckets opens again; 0 when all are open."""

    def succeeded(self, bucket: bytes) -> None:
        """Forget the failures of a bucket."""

    def sweep(self, failed_before: int, limit: int) -> int:
        """Forget up to limit buckets that last failed before that time and had opened by then; how many went."""

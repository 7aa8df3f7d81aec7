"""Accounts: who may come in, from which devices, and what they may hold; what operators see of them and announce."""

import msgspec

from skyshelf.storage.errors import LimitReached, QuotaExceeded
from skyshelf.storage.metadata.alarms import Alarm
from skyshelf.wire.limits import HISTORY_TIMES_QUOTA
from skyshelf.wire.sizes import format_size

CATEGORIES = ("document", "photo", "video", "audio")


class Quota(msgspec.Struct, frozen=True):
    """The space that an account may use, uses, and has reserved for uploads in progress."""

    default_space: int
    paid_space: int
    promotional_space: int
    document_used: int
    photo_used: int
    video_used: int
    audio_used: int
    reserved: int
    objects: int = 0
    history_used: int = 0
    """Contents that nothing but history keeps. They count only beyond HISTORY_TIMES_QUOTA times the quota."""
    held_at: int = 0
    """When a legal hold began, which keeps history for longer than its owner sees it; 0 without one."""
    hidden_history: int = 0
    """How much of history_used a hold alone keeps. It does not count, or a hold would end what its owner can add."""

    @property
    def allocated(self) -> int:
        return self.default_space + self.paid_space + self.promotional_space

    @property
    def used(self) -> int:
        return self.document_used + self.photo_used + self.video_used + self.audio_used

    @property
    def free(self) -> int:
        """Room for new bytes; never negative."""
        return max(0, self.allocated - self.used - self.reserved - self._history_beyond(self.history_used))

    def refusal(self, size: int, *, freed: int = 0) -> QuotaExceeded | None:
        """Return why new content does not fit while an older version frees some bytes for history; None if it does."""
        left = self.allocated - self.used - self.reserved + freed - size
        if left < 0:
            return QuotaExceeded(f"{size} more bytes do not fit into {self.allocated}, of which {self.used} are used")
        if size and left < self._history_beyond(self.history_used + freed):
            return LimitReached(
                f"History keeps {format_size(self.history_used - self.hidden_history)} of deleted contents, "
                f"{HISTORY_TIMES_QUOTA} times your quota: forget history, or keep it for fewer days, to add files again"
            )
        return None

    def _history_beyond(self, kept: int) -> int:
        return max(0, kept - self.hidden_history - HISTORY_TIMES_QUOTA * self.allocated)


class Promotion(msgspec.Struct, frozen=True, kw_only=True):
    """Space added to the quota from start_at until before end_at; without an account, for everybody."""

    promotion_key: str
    account_id: int | None = None
    name: str
    space: int
    start_at: int
    end_at: int


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


class Account(NewAccount, frozen=True, kw_only=True):
    account_id: int
    status: str
    auth_provider_id: int
    is_mobile_verified: bool
    is_email_verified: bool
    created_at: int
    updated_at: int
    delete_at: int
    """When it goes for good; 0 for an account that stays. Until then its links and what it has on boards are hidden."""
    is_operator: bool = False
    """Whether it may manage the server (operators.py)."""


class NewDevice(msgspec.Struct, frozen=True, kw_only=True):
    device_key: str
    device_name: str
    platform_type: str
    device_type: str = "W"


class Device(NewDevice, frozen=True, kw_only=True):
    account_id: int
    created_at: int
    last_seen_at: int


class SecondFactor(msgspec.Struct, frozen=True):
    """What an account asks for besides its password."""

    salt: bytes
    """With the server's secret, it makes what the authenticator knows."""
    begun_at: int
    confirmed_at: int
    """0 until the first code was right: before that, nobody is asked for one."""
    last_step: int
    """The newest step of time whose code was taken."""
    codes_left: int
    """How many recovery codes are left."""
    generation: int = 1
    """The generation of the server's secret that makes what the authenticator knows."""
    codes_generation: int = 1
    """The generation that hides the recovery codes."""
    mask: bytes | None = None
    """The difference of the derived key and the one that an older authenticator knows."""

    @property
    def is_on(self) -> bool:
        return self.confirmed_at > 0

    @property
    def has_app(self) -> bool:
        """Whether an app has ever given a code; a passkey has turned the factor on without one."""
        return self.last_step > 0


# 2**40 times any pause is longer than every longest pause; larger powers would only cost.
_MOST_DOUBLINGS = 40


class ThrottleRule(msgspec.Struct, frozen=True, kw_only=True):
    """How forgiving a bucket is: repeated failures lock a login, for longer each time. All times are milliseconds."""

    free_failures: int
    """Number of failures without a penalty."""
    first_pause: int
    """How long the first failure beyond them closes the bucket; each further one closes it twice as long."""
    longest_pause: int
    memory: int
    """After this long without a failure, counting starts from zero."""

    def pause_after(self, failures: int) -> int:
        """Return how long the bucket closes at that many failures in a row."""
        beyond = failures - self.free_failures
        if beyond <= 0:
            return 0
        return min(self.longest_pause, self.first_pause << min(beyond - 1, _MOST_DOUBLINGS))


class AccountOverview(msgspec.Struct, frozen=True):
    """An account as an operator sees it in a list."""

    account: Account
    quota: Quota
    has_second_factor: bool
    passkeys: int
    last_seen_at: int
    """When one of its devices was in use last; 0 if nobody ever logged in."""
    link_expires_at: int
    """Until when a one-time link sets its password; 0 without one."""


class QuotaTotals(msgspec.Struct, frozen=True):
    """All accounts together; promotions are not counted."""

    accounts: int
    used: int
    allocated: int
    full: int
    """Accounts that have used nine tenths of their quota, or more."""


class RaisedAlarm(msgspec.Struct, frozen=True):
    """An alarm of an account, and the device that raised it; the device's names are empty once it is forgotten."""

    account_key: str
    email: str
    device_name: str
    platform_type: str
    alarm: Alarm


class OpenSession(msgspec.Struct, frozen=True):
    """A session that has not expired, and whose it is."""

    account_key: str
    device: Device
    email: str
    first_name: str
    last_name: str
    secret_hash: bytes
    created_at: int
    last_used_at: int
    expires_at: int


class Banner(msgspec.Struct, frozen=True, kw_only=True):
    """An announcement of the operator to all users, shown from start_at on, and no longer at end_at."""

    banner_key: str
    title: str
    text: str
    image_url: str = ""
    action_url: str = ""
    start_at: int
    end_at: int

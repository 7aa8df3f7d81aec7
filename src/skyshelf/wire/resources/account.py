"""The account: profile, quota, devices, promotions, settings, download nonces, changes to it, its events, and
banners.

No request shows its secrets in a log or a traceback.
"""

from typing import Annotated, Literal

from msgspec import Meta

from skyshelf.wire.cursors import CursorQuery
from skyshelf.wire.limits import GIB, TOKEN_CHARS_MAX
from skyshelf.wire.models import AnswerModel, Label, Password, QueryModel, RequestModel, hiding
from skyshelf.wire.resources.credentials import DeviceKey


class Quota(AnswerModel, frozen=True, kw_only=True):
    """The account's quota and usage in bytes."""

    allocated_space: int | None = None
    used_space: int | None = None
    total_allocated_quota: int | None = None
    total_used_quota: int | None = None
    document_usage: int | None = None
    photo_usage: int | None = None
    video_usage: int | None = None
    audio_usage: int | None = None
    paid_plan_quota: int | None = None
    default_storage_space: int | None = None
    total_promotional_quota: int | None = None

    @property
    def allocated_bytes(self) -> int:
        """The quota in bytes."""
        total = self.total_allocated_quota
        return (self.allocated_space or 0) if total is None else total

    @property
    def used_bytes(self) -> int:
        """The usage in bytes."""
        total = self.total_used_quota
        return (self.used_space or 0) if total is None else total

    @property
    def allocated_gb(self) -> float:
        """The quota in GiB."""
        return self.allocated_bytes / GIB

    @property
    def used_gb(self) -> float:
        """The usage in GiB."""
        return self.used_bytes / GIB

    @property
    def used_percent(self) -> float:
        """The used share of the quota; an account without a quota counts as full."""
        return 100 * self.used_bytes / self.allocated_bytes if self.allocated_bytes > 0 else 100.0


class Device(AnswerModel, frozen=True, kw_only=True):
    """A registered device; `deviceKey` is a UUID."""

    device_key: str | None = None
    device_name: str | None = None
    device_type: str | None = None
    platform_type: str | None = None


class UserProfile(AnswerModel, frozen=True, kw_only=True):
    """The logged-in user."""

    user_id: str
    auth_provider_id: int | None = None
    email_id: str | None = None
    first_name: str | None = None
    last_name: str | None = None
    status: str | None = None
    root_folder_key: str | None = None
    is_mobile_num_verified: bool | None = None
    is_email_id_verified: bool | None = None
    mobile_number: str | None = None
    quota: Quota | None = None
    devices: list[Device] | None = None
    deletion_date: int | None = None
    is_operator: bool | None = None
    has_password: bool | None = None
    """False if the account can only be opened through login providers."""

    @property
    def display_name(self) -> str:
        """First and last name, as far as known."""
        return " ".join(name for name in (self.first_name, self.last_name) if name)


class Promotion(AnswerModel, frozen=True, kw_only=True):
    """Additional storage for a period."""

    promotion_id: str | None = None
    name: str | None = None
    quota: int | None = None
    start_date: int | None = None
    end_date: int | None = None


class Promotions(AnswerModel, frozen=True, kw_only=True):
    """Active and expired storage promotions."""

    active_promotions: list[Promotion] | None = None
    expired_promotions: list[Promotion] | None = None


class AppSettingsQuery(QueryModel, frozen=True, kw_only=True):
    """The kind of client that asks for settings."""

    os: Literal["web"] = "web"


class BackupPolicy(AnswerModel, frozen=True, kw_only=True):
    """What a phone backs up."""

    photos: bool | None = None
    videos: bool | None = None
    audio: bool | None = None
    documents: bool | None = None
    contacts: bool | None = None
    over_wifi_only: bool | None = None


class AppSettings(AnswerModel, frozen=True, kw_only=True):
    """The server's settings for clients."""

    max_file_size: int | None = None
    chunk_size: int | None = None
    backup: BackupPolicy | None = None
    trash_retention_days: int | None = None
    versions_kept: int | None = None


class CookieNonceRequest(RequestModel, frozen=True, kw_only=True):
    """The session's JWT, which is exchanged for a nonce."""

    jwt: Annotated[str, Meta(min_length=1, max_length=TOKEN_CHARS_MAX)]

    __repr__ = hiding("jwt")


class CookieNonce(AnswerModel, frozen=True, kw_only=True):
    """A nonce that authorises downloads for a short time."""

    nonce: str | None = None

    __repr__ = hiding("nonce")


# Changes to one's own account.


class PasswordChangeRequest(RequestModel, frozen=True, kw_only=True):
    """The current password, and a new one of at least 8 characters."""

    old_password: Password
    new_password: Password

    __repr__ = hiding()


class EndedSessions(AnswerModel, frozen=True, kw_only=True):
    """The number of other sessions that ended."""

    ended_sessions: int | None = None


class ProfileEditRequest(RequestModel, frozen=True, kw_only=True):
    """The user's names; absent fields stay unchanged."""

    first_name: Label | None = None
    last_name: Label | None = None


class OwnDevice(AnswerModel, frozen=True, kw_only=True):
    """One of the account's devices. It has at most one session; without one, the session's dates are absent."""

    device_key: str
    device_name: str | None = None
    device_type: str | None = None
    platform_type: str | None = None
    created_date: int | None = None
    last_seen_date: int | None = None
    is_logged_in: bool | None = None
    is_current: bool | None = None
    login_date: int | None = None
    session_end_date: int | None = None
    is_app_password: bool | None = None
    """Whether the device is an app that logs in with an app password."""


class OwnDevices(AnswerModel, frozen=True, kw_only=True):
    """Every device of the account, most recently seen first."""

    devices: list[OwnDevice] | None = None


class DeviceRequest(RequestModel, frozen=True, kw_only=True):
    """The device to log out."""

    device_key: DeviceKey


class DeviceNameRequest(RequestModel, frozen=True, kw_only=True):
    """A name for a device, which it keeps when it logs in again."""

    device_name: Label


class AccountDeletionRequest(RequestModel, frozen=True, kw_only=True):
    """The password: an open session alone cannot delete the account."""

    password: Password

    __repr__ = hiding()


class AccountDeletion(AnswerModel, frozen=True, kw_only=True):
    """When the account will be deleted permanently."""

    deletion_date: int | None = None


# What happened in the account.

EventKind = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=64,
        pattern=r"^[a-z.-]+$",
        description="A kind such as `login.failed`, or a group such as `login`",
    ),
]


class AccountEventsQuery(CursorQuery, frozen=True, kw_only=True):
    """A page of the events, newest first, optionally of one kind or group."""

    kind: EventKind | None = None


class AccountEvent(AnswerModel, frozen=True, kw_only=True):
    """Something that happened in the account.

    `by` is `you`, `somebody` (who failed to log in), `operator` or `visitor`. Address and device are present only for
    the first two.
    """

    kind: str
    date: int | None = None
    text: str | None = None
    """A sentence about the kind."""
    by: str | None = None
    address: str | None = None
    device_key: str | None = None
    device_name: str | None = None
    object_key: str | None = None
    share_key: str | None = None
    times: int | None = None
    """How often it happened; repeated events are combined."""
    subject: str | None = None
    """What it is about: the names of objects, of an app, of a guest, or an address that was invited."""


class AccountEvents(AnswerModel, frozen=True, kw_only=True):
    """A page of events; without `nextCursor` it is the last one."""

    events: list[AccountEvent] | None = None
    next_cursor: str | None = None


# Promotional banners, which the operator manages.


class BannerCard(AnswerModel, frozen=True, kw_only=True):
    """A banner and the period in which it is shown."""

    card_id: str | None = None
    title: str | None = None
    text: str | None = None
    image_url: str | None = None
    action_url: str | None = None
    start_date: int | None = None
    end_date: int | None = None


class BannerList(AnswerModel, frozen=True, kw_only=True):
    """The banners to show now."""

    cards: list[BannerCard] | None = None

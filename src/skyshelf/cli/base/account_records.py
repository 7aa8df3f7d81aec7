"""Records of the account: who is logged in, devices, address book and notices.

These are what `--json` prints: stable field names, RFC 3339 times in UTC, null where the server gives no value.
"""

from msgspec import Struct

from skyshelf.cli.base.file_records import CopiesRecord, ObjectRecord, OldVersionsRecord


class UsageRecord(Struct, frozen=True, kw_only=True):
    """Bytes used per kind of file."""

    documents: int
    photos: int
    videos: int
    audio: int


class DeviceRecord(Struct, frozen=True, kw_only=True):
    """A registered device."""

    device_key: str | None
    name: str | None
    platform: str | None


class AccountRecord(Struct, frozen=True, kw_only=True):
    """The account that is logged in, and its storage in bytes; null where the server gives no value."""

    user_id: str
    name: str
    email: str | None
    root_folder_key: str | None
    allocated_bytes: int | None
    used_bytes: int | None
    usage: UsageRecord
    devices: list[DeviceRecord]
    deletes: str | None


class StorageRecord(Struct, frozen=True, kw_only=True):
    """What takes up space: sums by kind, and the first of each list, the largest first."""

    used_bytes: int
    quota_bytes: int
    photos_bytes: int
    videos_bytes: int
    audio_bytes: int
    documents_bytes: int
    old_versions_bytes: int
    trash_bytes: int
    is_estimate: bool
    largest: list[ObjectRecord]
    duplicates: list[CopiesRecord]
    old_versions: list[OldVersionsRecord]


class EventRecord(Struct, frozen=True, kw_only=True):
    """Something that happened in the account; null where it is not known, or not yours to know."""

    date: str | None
    kind: str
    text: str | None
    by: str | None
    address: str | None
    device_key: str | None
    device_name: str | None
    object_key: str | None
    share_key: str | None
    subject: str | None
    times: int


class OwnDeviceRecord(Struct, frozen=True, kw_only=True):
    """A device of the account, and whether it is logged in."""

    device_key: str
    name: str | None
    platform: str | None
    is_logged_in: bool
    is_this_one: bool
    added: str | None
    last_seen: str | None


class SecondFactorRecord(Struct, frozen=True, kw_only=True):
    """Whether logins require a code; `since` and `recovery_codes_left` are null if they do not."""

    is_on: bool
    since: str | None
    recovery_codes_left: int | None


class RecoveryCodesRecord(Struct, frozen=True, kw_only=True):
    """Codes that replace a lost authenticator; each works once."""

    recovery_codes: list[str]


class AppPasswordRecord(Struct, frozen=True, kw_only=True):
    """What lets one app in; `folder_key` is null if it sees the whole drive, `folder_name` if the folder is gone."""

    device_key: str
    name: str | None
    can_write: bool
    folder_key: str | None
    folder_name: str | None
    webdav_only: bool
    created: str | None
    last_used: str | None


class AlarmRecord(Struct, frozen=True, kw_only=True):
    """A device that did unusually much; `state` is `open` while it is paused, then `allowed` or `ended`."""

    device_key: str | None
    device_name: str | None
    is_this_one: bool
    state: str | None
    raised: str | None
    since: str | None
    deleted: int
    overwritten: int
    moved: int
    scrambled: int


class AlarmLimitRecord(Struct, frozen=True, kw_only=True):
    """The limit at which a device is paused, 0 if none is."""

    limit: int
    is_own: bool


class HistoryDaysRecord(Struct, frozen=True, kw_only=True):
    """For how many days history is kept, the most that the server allows, its oldest moment and what it takes."""

    days: int
    days_max: int
    oldest: str | None
    size_bytes: int


class PasskeyRecord(Struct, frozen=True, kw_only=True):
    """A passkey of the account; it works for `host` alone."""

    passkey_key: str
    name: str | None
    host: str | None
    replaces_password: bool
    is_backed_up: bool
    transports: list[str]
    created: str | None
    last_used: str | None


class MadeAppPasswordRecord(Struct, frozen=True, kw_only=True):
    """A new app password, which is not shown again, and where to use it."""

    device_key: str
    password: str
    user_name: str | None
    webdav_url: str | None


class DeletionRecord(Struct, frozen=True, kw_only=True):
    """When the account will be deleted permanently."""

    deletes: str | None


class ProfileRecord(Struct, frozen=True, kw_only=True):
    """A login stored on this machine."""

    profile: str
    server: str | None
    user_id: str | None
    is_default: bool
    is_logged_in: bool


class PromotionRecord(Struct, frozen=True, kw_only=True):
    """Extra storage for a limited time."""

    promotion_id: str | None
    name: str | None
    quota_bytes: int | None
    starts: str | None
    ends: str | None
    is_active: bool


class BannerRecord(Struct, frozen=True, kw_only=True):
    """An announcement."""

    card_id: str | None
    title: str | None
    text: str | None
    action_url: str | None


class ContactRecord(Struct, frozen=True, kw_only=True):
    """A person in the address book."""

    contact_id: str | None
    name: str | None
    emails: list[str]
    phones: list[str]


class EmailRecord(Struct, frozen=True, kw_only=True):
    """An email address in the address book."""

    email: str | None
    name: str | None


class UnreadCardRecord(Struct, frozen=True, kw_only=True):
    """A card that could not be read, and why."""

    card: int | None
    message: str | None


class ImportRecord(Struct, frozen=True, kw_only=True):
    """The result of importing a vCard file; cards are numbered from 1."""

    imported: int
    unread: list[UnreadCardRecord]

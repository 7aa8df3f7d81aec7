"""What a client reads when it starts: the account's profile, and the server's settings."""

from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.retention import retention
from skyshelf.storage.metadata.contracts.accounts import Device as StoredDevice
from skyshelf.storage.metadata.contracts.quota import Quota as StoredQuota
from skyshelf.wire.resources.account import AppSettings, BackupPolicy, Device, Quota, UserProfile


def app_settings(ctx: ServiceContext) -> AppSettings:
    """The server's limits, and what phones should back up."""
    rules, kept = ctx.rules, retention(ctx)
    return AppSettings(
        max_file_size=rules.max_file_size,
        chunk_size=rules.chunk_size,
        backup=BackupPolicy(photos=True, videos=True, audio=True, documents=True, contacts=True, over_wifi_only=True),
        trash_retention_days=kept.trash_days,
        versions_kept=kept.versions_kept,
    )


def profile(ctx: ServiceContext, caller: Caller) -> UserProfile:
    """Who the caller is, what the account may store and stores, and its devices."""
    now = ctx.clock.now()
    with ctx.metadata.read() as unit:
        account = unit.accounts.by_id(caller.account_id)
        quota = unit.quotas.get(caller.account_id, now)
        devices = unit.devices.of_account(caller.account_id)
    return UserProfile(
        user_id=account.account_key,
        auth_provider_id=account.auth_provider_id,
        email_id=account.email,
        first_name=account.first_name,
        last_name=account.last_name,
        status=account.status,
        root_folder_key=account.root_key,
        is_mobile_num_verified=account.is_mobile_verified,
        is_email_id_verified=account.is_email_verified,
        mobile_number=masked(account.mobile_number),
        quota=wire_quota(quota),
        devices=[wire_device(device) for device in devices],
        deletion_date=account.delete_at or None,
        is_operator=account.is_operator or None,
        has_password=None if account.password_hash else False,
    )


def wire_quota(quota: StoredQuota) -> Quota:
    return Quota(
        allocated_space=quota.allocated,
        used_space=quota.used,
        total_allocated_quota=quota.allocated,
        total_used_quota=quota.used,
        document_usage=quota.document_used,
        photo_usage=quota.photo_used,
        video_usage=quota.video_used,
        audio_usage=quota.audio_used,
        paid_plan_quota=quota.paid_space,
        default_storage_space=quota.default_space,
        total_promotional_quota=quota.promotional_space,
    )


def wire_device(device: StoredDevice) -> Device:
    return Device(
        device_key=device.device_key,
        device_name=device.device_name,
        device_type=device.device_type,
        platform_type=device.platform_type,
    )


def masked(mobile_number: str) -> str:
    """The number with all but the last four characters hidden; a short one is hidden completely."""
    shown = mobile_number[-4:] if len(mobile_number) > 7 else ""
    return "*" * (len(mobile_number) - len(shown)) + shown

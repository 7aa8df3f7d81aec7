"""A user's own account: profile, password, names, devices and sessions, and what a client reads when it starts.

Deletion is scheduled with the password, cancelled at any time, and carried out after a grace period. Once scheduled,
the account's links and its files on boards are hidden from others. The owner can use the account as before, and decide
to keep it. The removal itself is a background job (jobs/maintenance.py) and cannot be undone.
"""

from typing import Final
from uuid import UUID

from skyshelf.service.accounts import login_throttle
from skyshelf.service.accounts.accounts import check_not_last, clean_label, clean_person_name
from skyshelf.service.accounts.passwords import check_new_password, hash_password, matches
from skyshelf.service.audit import Owner, kinds, new_event, recorded
from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.errors import ServiceError, codes
from skyshelf.service.pages import projected
from skyshelf.service.retention import retention
from skyshelf.storage.metadata.contracts.accounts import Account
from skyshelf.storage.metadata.contracts.accounts import Device as StoredDevice
from skyshelf.storage.metadata.contracts.accounts import Quota as StoredQuota
from skyshelf.storage.metadata.contracts.sessions import DeviceSession
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire.resources import account as wire

FRESH_LOGIN_MS: Final = 15 * 60 * 1000
REMOVE_ACCOUNT: Final = "remove-account"
_DAY: Final = 24 * 60 * 60 * 1000


def change_password(
    ctx: ServiceContext, caller: Caller, request: wire.PasswordChangeRequest, address: str
) -> wire.EndedSessions:
    """Change the password. All other sessions and an open link end, since one of them may be the reason; this session
    stays."""
    check_new_password(request.new_password)
    account, buckets = verify_password(ctx, caller, request.old_password, address)
    hashed, now = hash_password(request.new_password), ctx.clock.now()

    def work(unit: Unit) -> int:
        accept_password(unit, account, buckets)
        unit.accounts.set_password(caller.account_id, hashed, now)
        unit.password_links.revoke(caller.account_id)
        return unit.sessions.revoke_others(caller.account_id, caller.session_hash)

    return wire.EndedSessions(ended_sessions=recorded(ctx, work, new_event(ctx, kinds.PASSWORD_CHANGED, caller)))


def attempt(ctx: ServiceContext, caller: Caller, address: str) -> tuple[Account, login_throttle.LoginBuckets]:
    """Return the caller's account, and the buckets of an attempt to confirm something in this session."""
    with ctx.metadata.read() as unit:
        account = unit.accounts.by_id(caller.account_id)
    return account, login_throttle.LoginBuckets(account.email, address, caller.device_key)


def check_password_throttle(ctx: ServiceContext, caller: Caller, address: str) -> None:
    """Throttled if `verify_password` would refuse any password."""
    _, buckets = attempt(ctx, caller, address)
    login_throttle.check(ctx, buckets)


def verify_password(
    ctx: ServiceContext, caller: Caller, password: str, address: str
) -> tuple[Account, login_throttle.LoginBuckets]:
    """Return the caller's account if the password is right; attempts are throttled like logins."""
    account, buckets = attempt(ctx, caller, address)
    if not account.password_hash:
        _check_fresh_login(ctx, caller)
        return account, buckets
    login_throttle.admit(ctx, buckets)
    if not matches(password, account.password_hash):
        login_throttle.failed(ctx, buckets, new_event(ctx, kinds.PASSWORD_FAILED, caller, address=address))
        raise ServiceError(codes.PASSWORD_WRONG)
    return account, buckets


def _check_fresh_login(ctx: ServiceContext, caller: Caller) -> None:
    """A user without a password proves their identity by a recent login through a provider."""
    now = ctx.clock.now()
    with ctx.metadata.read() as unit:
        session = unit.sessions.find(caller.session_hash, now)
        origin = unit.identities.origin_of(caller.session_hash)
    if session is None or origin is None or now - session.created_at > FRESH_LOGIN_MS:
        raise ServiceError(codes.LOGIN_TOO_OLD)


def confirm_password(ctx: ServiceContext, caller: Caller, password: str, address: str) -> None:
    """ServiceError unless the caller's own password is right: for changes that need more than an open session."""
    account, buckets = verify_password(ctx, caller, password, address)
    ctx.metadata.write(lambda unit: accept_password(unit, account, buckets))


def accept_password(unit: Unit, account: Account, buckets: login_throttle.LoginBuckets) -> None:
    """Accept a verified password; ServiceError if it was changed while it was being verified."""
    if unit.accounts.by_id(account.account_id).password_hash != account.password_hash:
        raise ServiceError(codes.PASSWORD_WRONG)
    login_throttle.succeeded(unit, buckets)


def edit_profile(ctx: ServiceContext, caller: Caller, request: wire.ProfileEditRequest) -> wire.UserProfile:
    """Change the names that others see; an absent field stays as it is."""
    now = ctx.clock.now()
    first = None if request.first_name is None else clean_person_name(request.first_name, "first")
    last = None if request.last_name is None else clean_person_name(request.last_name, "last")

    def work(unit: Unit) -> None:
        account = unit.accounts.by_id(caller.account_id)
        unit.accounts.set_names(
            caller.account_id, first_name=first or account.first_name, last_name=last or account.last_name, now=now
        )

    ctx.metadata.write(work)
    return profile(ctx, caller)


def own_devices(ctx: ServiceContext, caller: Caller) -> wire.OwnDevices:
    """List the account's devices with their sessions, most recently seen first."""
    with ctx.metadata.snapshot() as unit:
        devices = unit.devices.of_account(caller.account_id)
        sessions = unit.sessions.of_account(caller.account_id, ctx.clock.now())
        apps = {one.device.device_key for one in unit.app_passwords.of_account(caller.account_id)}
    by_device = {session.device.device_key: session for session in sessions}
    found = [
        _own_device(device, by_device.get(device.device_key), caller, is_app=device.device_key in apps)
        for device in devices
    ]
    return wire.OwnDevices(devices=sorted(found, key=lambda device: device.last_seen_date or 0, reverse=True))


def _own_device(device: StoredDevice, session: DeviceSession | None, caller: Caller, *, is_app: bool) -> wire.OwnDevice:
    return projected(
        wire.OwnDevice,
        device,
        is_logged_in=session is not None,
        is_current=device.device_key == caller.device_key,
        login_date=session.created_at if session else None,
        # An app password lasts until it is revoked.
        session_end_date=session.expires_at if session and not is_app else None,
        is_app_password=is_app,
    )


def end_session(ctx: ServiceContext, caller: Caller, request: wire.DeviceRequest) -> None:
    """Log out a device; its token and its nonces stop working at once."""
    key = str(UUID(request.device_key))
    event = new_event(ctx, kinds.SESSIONS_ENDED, caller, device=key)
    if not recorded(ctx, lambda unit: unit.sessions.revoke(caller.account_id, key), event):
        raise ServiceError(codes.DEVICE_NOT_FOUND, "No such device, or it is not logged in")


def end_other_sessions(ctx: ServiceContext, caller: Caller) -> wire.EndedSessions:
    """Log out every device but the calling one."""
    event = new_event(ctx, kinds.SESSIONS_ENDED, caller)

    def work(unit: Unit) -> int:
        ended = unit.sessions.revoke_others(caller.account_id, caller.session_hash)
        if ended:
            unit.audit.add([event])
        return ended

    return wire.EndedSessions(ended_sessions=ctx.metadata.write(work))


def rename_device(ctx: ServiceContext, caller: Caller, device_key: str, request: wire.DeviceNameRequest) -> None:
    """Name a device; it keeps the name when it logs in again."""
    name = clean_label(request.device_name, "A name")
    if not ctx.metadata.write(lambda unit: unit.devices.rename(caller.account_id, device_key, name)):
        raise ServiceError(codes.DEVICE_NOT_FOUND)


def remove_device(ctx: ServiceContext, caller: Caller, device_key: str) -> None:
    """Forget a device and log it out."""
    event = new_event(ctx, kinds.DEVICE_REMOVED, caller, device=device_key)
    if not recorded(ctx, lambda unit: unit.devices.remove(caller.account_id, device_key), event):
        raise ServiceError(codes.DEVICE_NOT_FOUND)


def app_settings(ctx: ServiceContext) -> wire.AppSettings:
    """Return the server's limits, and what phones should back up."""
    rules, kept = ctx.rules, retention(ctx)
    return wire.AppSettings(
        max_file_size=rules.max_file_size,
        chunk_size=rules.chunk_size,
        backup=wire.BackupPolicy(
            photos=True, videos=True, audio=True, documents=True, contacts=True, over_wifi_only=True
        ),
        trash_retention_days=kept.trash_days,
        versions_kept=kept.versions_kept,
    )


def profile(ctx: ServiceContext, caller: Caller) -> wire.UserProfile:
    """Return the caller's profile: names, quota and use, and devices."""
    now = ctx.clock.now()
    with ctx.metadata.read() as unit:
        account = unit.accounts.by_id(caller.account_id)
        quota = unit.quotas.get(caller.account_id, now)
        # A caller that may do less than the owner sees no other devices.
        devices = unit.devices.of_account(caller.account_id) if caller.leave is None else []
    return projected(
        wire.UserProfile,
        account,
        user_id=account.account_key,
        email_id=account.email,
        root_folder_key=caller.root_key,
        is_mobile_num_verified=account.is_mobile_verified,
        is_email_id_verified=account.is_email_verified,
        mobile_number=masked(account.mobile_number),
        quota=wire_quota(quota),
        devices=[projected(wire.Device, device) for device in devices],
        deletion_date=account.delete_at or None,
        is_operator=account.is_operator or None,
        has_password=None if account.password_hash else False,
    )


def wire_quota(quota: StoredQuota) -> wire.Quota:
    return wire.Quota(
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


def masked(mobile_number: str) -> str:
    """Hide all but the last four characters of a number; a short one is hidden completely."""
    shown = mobile_number[-4:] if len(mobile_number) > 7 else ""
    return "*" * (len(mobile_number) - len(shown)) + shown


# Deletion


def delete_account(
    ctx: ServiceContext, caller: Caller, request: wire.AccountDeletionRequest, address: str
) -> wire.AccountDeletion:
    """Schedule the deletion of the caller's account and end its other sessions. A date that is already set stays."""
    account, buckets = verify_password(ctx, caller, request.password, address)
    now = ctx.clock.now()

    def work(unit: Unit) -> int:
        accept_password(unit, account, buckets)
        unit.sessions.revoke_others(caller.account_id, caller.session_hash)
        return _schedule(unit, ctx, account, now)

    event = new_event(ctx, kinds.DELETION_SCHEDULED, caller)
    return wire.AccountDeletion(deletion_date=recorded(ctx, work, event))


def cancel_deletion(ctx: ServiceContext, owner: Owner) -> None:
    """Cancel the deletion of the caller's account, or of one that an operator names; nothing if none is scheduled."""
    now = ctx.clock.now()
    event = new_event(ctx, kinds.DELETION_CANCELLED, owner)

    def work(unit: Unit) -> bool:
        is_scheduled = unit.accounts.by_id(owner.account_id).delete_at > 0
        unit.accounts.set_deletion(owner.account_id, 0, now)
        return is_scheduled

    recorded(ctx, work, event)


def schedule_deletion(ctx: ServiceContext, account: Account) -> int:
    """Schedule the deletion for the operator; returns the date. A date that is set stays; a held account is refused."""
    now = ctx.clock.now()
    event = new_event(ctx, kinds.DELETION_SCHEDULED, account)

    def work(unit: Unit) -> int:
        if unit.holds.get(account.account_id) is not None:
            raise ServiceError(codes.ACCOUNT_HELD)
        return _schedule(unit, ctx, account, now)

    return recorded(ctx, work, event)


def _schedule(unit: Unit, ctx: ServiceContext, account: Account, now: int) -> int:
    if unit.accounts.count() > 1:
        check_not_last(unit, account.account_id)
    date = unit.accounts.by_id(account.account_id).delete_at or now + ctx.rules.account_grace_days * _DAY
    unit.accounts.set_deletion(account.account_id, date, now)
    unit.outbox.put(REMOVE_ACCOUNT, str(account.account_id), b"", date)
    return date

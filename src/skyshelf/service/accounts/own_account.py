"""A user's own account: changing password and names, devices and sessions."""

import unicodedata
from typing import Final
from uuid import UUID

from skyshelf.service.accounts import login_throttle, profile
from skyshelf.service.accounts.accounts import clean_person_name
from skyshelf.service.accounts.passwords import check_new_password, hash_password, matches
from skyshelf.service.audit import kinds
from skyshelf.service.audit.events import new_event, recorded
from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.errors import ServiceError
from skyshelf.storage.metadata.contracts.accounts import Account, Device
from skyshelf.storage.metadata.contracts.sessions import DeviceSession
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire import error_codes as codes
from skyshelf.wire.limits import LABEL_CHARS_MAX
from skyshelf.wire.resources.account import (
    DeviceNameRequest,
    DeviceRequest,
    EndedSessions,
    OwnDevice,
    OwnDevices,
    PasswordChangeRequest,
    ProfileEditRequest,
    UserProfile,
)

FRESH_LOGIN_MS: Final = 15 * 60 * 1000


def change_password(ctx: ServiceContext, caller: Caller, request: PasswordChangeRequest, address: str) -> EndedSessions:
    """Change the password. All other sessions end, since one of them may be the reason; this one stays."""
    check_new_password(request.new_password)
    account, buckets = verify_password(ctx, caller, request.old_password, address)
    hashed, now = hash_password(request.new_password), ctx.clock.now()

    def work(unit: Unit) -> int:
        check_password_unchanged(unit, account)
        unit.accounts.set_password(caller.account_id, hashed, now)
        login_throttle.succeeded(unit, buckets)
        return unit.sessions.revoke_others(caller.account_id, caller.session_hash)

    return EndedSessions(ended_sessions=recorded(ctx, work, new_event(ctx, kinds.PASSWORD_CHANGED, caller)))


def check_password_throttle(ctx: ServiceContext, caller: Caller, address: str) -> None:
    """Throttled if `verify_password` would refuse whatever the password is."""
    with ctx.metadata.read() as unit:
        account = unit.accounts.by_id(caller.account_id)
    login_throttle.check(ctx, login_throttle.LoginBuckets(account.email, address, caller.device_key))


def verify_password(
    ctx: ServiceContext, caller: Caller, password: str, address: str
) -> tuple[Account, login_throttle.LoginBuckets]:
    """The caller's account if the password is right; attempts are throttled like logins."""
    with ctx.metadata.read() as unit:
        account = unit.accounts.by_id(caller.account_id)
    buckets = login_throttle.LoginBuckets(account.email, address, caller.device_key)
    if not account.password_hash:
        _check_fresh_login(ctx, caller)
        return account, buckets
    login_throttle.admit(ctx, buckets)
    if not matches(password, account.password_hash):
        login_throttle.failed(ctx, buckets, new_event(ctx, kinds.PASSWORD_FAILED, caller, address=address))
        raise ServiceError(codes.PASSWORD_WRONG)
    return account, buckets


def _check_fresh_login(ctx: ServiceContext, caller: Caller) -> None:
    """Somebody without a password shows who they are by a login through a provider, a moment ago."""
    now = ctx.clock.now()
    with ctx.metadata.read() as unit:
        session = unit.sessions.find(caller.session_hash, now)
        origin = unit.identities.origin_of(caller.session_hash)
    if session is None or origin is None or now - session.created_at > FRESH_LOGIN_MS:
        raise ServiceError(codes.LOGIN_TOO_OLD)


def confirm_password(ctx: ServiceContext, caller: Caller, password: str, address: str) -> None:
    """ServiceError unless the caller's own password is right: for acts that need more than an open session."""
    account, buckets = verify_password(ctx, caller, password, address)

    def work(unit: Unit) -> None:
        check_password_unchanged(unit, account)
        login_throttle.succeeded(unit, buckets)

    ctx.metadata.write(work)


def check_password_unchanged(unit: Unit, account: Account) -> None:
    """ServiceError if the password was changed while it was verified."""
    if unit.accounts.by_id(account.account_id).password_hash != account.password_hash:
        raise ServiceError(codes.PASSWORD_WRONG)


def edit_profile(ctx: ServiceContext, caller: Caller, request: ProfileEditRequest) -> UserProfile:
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
    return profile.profile(ctx, caller)


def own_devices(ctx: ServiceContext, caller: Caller) -> OwnDevices:
    """Every device of the account with its session, if it has one; most recently seen first."""
    with ctx.metadata.snapshot() as unit:
        devices = unit.devices.of_account(caller.account_id)
        sessions = unit.sessions.of_account(caller.account_id, ctx.clock.now())
        apps = {one.device.device_key for one in unit.app_passwords.of_account(caller.account_id)}
    by_device = {session.device.device_key: session for session in sessions}
    found = [
        _wire_device(device, by_device.get(device.device_key), caller, is_app=device.device_key in apps)
        for device in devices
    ]
    return OwnDevices(devices=sorted(found, key=lambda device: device.last_seen_date or 0, reverse=True))


def _wire_device(device: Device, session: DeviceSession | None, caller: Caller, *, is_app: bool) -> OwnDevice:
    return OwnDevice(
        device_key=device.device_key,
        device_name=device.device_name,
        device_type=device.device_type,
        platform_type=device.platform_type,
        created_date=device.created_at,
        last_seen_date=device.last_seen_at,
        is_logged_in=session is not None,
        is_current=device.device_key == caller.device_key,
        login_date=session.created_at if session else None,
        # An app password lasts until it is revoked.
        session_end_date=session.expires_at if session and not is_app else None,
        is_app_password=is_app,
    )


def end_session(ctx: ServiceContext, caller: Caller, request: DeviceRequest) -> None:
    """Log out a device; its token and its nonces stop working at once."""
    key = str(UUID(request.device_key))
    event = new_event(ctx, kinds.SESSIONS_ENDED, caller, device=key)
    if not recorded(ctx, lambda unit: unit.sessions.revoke(caller.account_id, key), event):
        raise ServiceError(codes.DEVICE_NOT_FOUND, "No such device, or it is not logged in")


def end_other_sessions(ctx: ServiceContext, caller: Caller) -> EndedSessions:
    """Log out every device but the calling one."""
    event = new_event(ctx, kinds.SESSIONS_ENDED, caller)
    ended = recorded(ctx, lambda unit: unit.sessions.revoke_others(caller.account_id, caller.session_hash), event)
    return EndedSessions(ended_sessions=ended)


def rename_device(ctx: ServiceContext, caller: Caller, device_key: str, request: DeviceNameRequest) -> None:
    """Name a device; it keeps the name when it logs in again."""
    name = clean_device_name(request.device_name)
    if not ctx.metadata.write(lambda unit: unit.devices.rename(caller.account_id, device_key, name)):
        raise ServiceError(codes.DEVICE_NOT_FOUND)


def clean_device_name(name: str) -> str:
    cleaned = unicodedata.normalize("NFC", name.strip())
    if not cleaned or len(cleaned) > LABEL_CHARS_MAX or not cleaned.isprintable():
        raise ServiceError(codes.INVALID_REQUEST, f"A name needs 1 to {LABEL_CHARS_MAX} printable characters")
    return cleaned


def remove_device(ctx: ServiceContext, caller: Caller, device_key: str) -> None:
    """Forget a device and log it out."""
    event = new_event(ctx, kinds.DEVICE_REMOVED, caller, device=device_key)
    if not recorded(ctx, lambda unit: unit.devices.remove(caller.account_id, device_key), event):
        raise ServiceError(codes.DEVICE_NOT_FOUND)

"""App passwords: for programs that know an address and a password alone, such as WebDAV clients.

An app password is long and random, so a fast keyed hash hides it, and nobody can guess one. It opens files and nothing
else: no call that changes the account accepts it, and so it cannot weaken a second factor. It is a session of a device
with the password's name, and ends as any session does.
"""

import hmac
import re
from collections.abc import Callable, Mapping
from typing import Final, Protocol
from uuid import UUID

import msgspec

from skyshelf.service.accounts import login_throttle
from skyshelf.service.accounts.accounts import normalize_email
from skyshelf.service.accounts.own_account import clean_device_name
from skyshelf.service.accounts.passkeys.confirmation import confirmed
from skyshelf.service.accounts.sessions import TOUCHED_EVERY, caller_of
from skyshelf.service.audit import kinds
from skyshelf.service.audit.events import new_event, recorded
from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.errors import ServiceError
from skyshelf.service.secrets import get_or_create_secret
from skyshelf.storage.errors import StorageError
from skyshelf.storage.metadata.audit_events import AuditEvent
from skyshelf.storage.metadata.contracts.accounts import NewDevice
from skyshelf.storage.metadata.contracts.app_passwords import AppPassword as StoredAppPassword
from skyshelf.storage.metadata.contracts.app_passwords import AppScope, AppSession
from skyshelf.storage.metadata.contracts.sessions import NewSession
from skyshelf.storage.metadata.contracts.tree import StoredObject
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire import error_codes as codes
from skyshelf.wire.resources.app_passwords import AppPassword, AppPasswords, MadeAppPassword, NewAppPassword

SETTING: Final = "app_passwords.key"
PLATFORM: Final = "App password"
_ALPHABET: Final = "abcdefghijkmnpqrstuvwxyz23456789"
_GROUPS, _GROUP_CHARS = 5, 5
_SEPARATORS: Final = re.compile(r"[\s-]+")
_PLAIN: Final = re.compile(f"[{_ALPHABET}]{{{_GROUPS * _GROUP_CHARS}}}")
NEVER: Final = 253_402_300_799_000
"""The end of the year 9999: an app password lasts until it is revoked."""


class App(msgspec.Struct, frozen=True):
    """An app that has shown its password, and what it may do; the caller's root is all that it sees."""

    caller: Caller
    scope: AppScope
    touched_until: int
    """When its use has to be noted again."""
    email: str = ""
    """The account's address, by which such apps know it."""


def new_password(ctx: ServiceContext) -> str:
    """125 random bits that people can type from a screen into a phone."""
    return spelled(ctx.randomness.bytes(_GROUPS * _GROUP_CHARS))


def spelled(random: bytes) -> str:
    """Random bytes as an app password."""
    letters = [_ALPHABET[byte % 32] for byte in random[: _GROUPS * _GROUP_CHARS]]
    return "-".join("".join(letters[at : at + _GROUP_CHARS]) for at in range(0, len(letters), _GROUP_CHARS))


def add_app(
    unit: Unit, account_id: int, *, name: str, device_key: str, hashed: bytes, scope: AppScope, now: int
) -> None:
    """The rows of a new app password."""
    device = NewDevice(device_key=device_key, device_name=name, platform_type=PLATFORM)
    unit.devices.register(account_id, device, now)
    unit.sessions.open(account_id, NewSession(secret_hash=hashed, device_key=device_key, expires_at=NEVER), now)
    unit.app_passwords.add(account_id, hashed, scope)


def new_device_key(ctx: ServiceContext) -> str:
    return str(UUID(bytes=ctx.randomness.bytes(16), version=4))


class Recorder(Protocol):
    def __call__(self, work: Callable[[Unit], None], event: AuditEvent, /) -> None:
        """Run a write with its event, in one transaction."""


def create(
    ctx: ServiceContext, account_id: int, name: str, scope: AppScope, record: Recorder | None = None
) -> tuple[str, str]:
    """A new app password, which cannot be shown again, and the key by which it is listed.

    `record` may use up, in the same transaction, what the caller has confirmed it with.
    """
    password, device_key, now = new_password(ctx), new_device_key(ctx), ctx.clock.now()
    hashed = hash_of(get_or_create_secret(ctx, SETTING), password)
    assert hashed is not None

    def work(unit: Unit) -> None:
        if scope.folder_key is not None:
            unit.tree.visible_folder(account_id, scope.folder_key)
        add_app(unit, account_id, name=name, device_key=device_key, hashed=hashed, scope=scope, now=now)

    event = new_event(ctx, kinds.APP_ADDED, account_id=account_id, app=name, device=device_key)
    if record is None:
        recorded(ctx, work, event)
    else:
        record(work, event)
    return password, device_key


def add(ctx: ServiceContext, caller: Caller, request: NewAppPassword, address: str, origin: str) -> MadeAppPassword:
    """Make an app password for who has what a login takes."""
    name = clean_device_name(request.name)
    if request.folder_key is not None:
        # Before the password: what is refused for another reason must not count as a wrong one.
        with ctx.metadata.read() as unit:
            unit.tree.visible_folder(caller.account_id, request.folder_key)
    confirmation = confirmed(ctx, caller, request, address, origin)
    scope = AppScope(folder_key=request.folder_key, can_write=request.can_write, webdav_only=request.webdav_only)
    password, device_key = create(ctx, caller.account_id, name, scope, confirmation.change)
    return MadeAppPassword(
        device_key=device_key, password=password, user_name=confirmation.account.email, webdav_url=f"{origin}/dav/"
    )


def listed(ctx: ServiceContext, caller: Caller) -> AppPasswords:
    """All app passwords of the account, the newest first."""
    with ctx.metadata.snapshot() as unit:
        found = unit.app_passwords.of_account(caller.account_id)
        keys = [one.scope.folder_key for one in found if one.scope.folder_key is not None]
        folders = unit.tree.visible_many(caller.account_id, keys) if keys else {}
    return AppPasswords(app_passwords=[_wire(one, folders) for one in found])


def _wire(one: StoredAppPassword, folders: Mapping[str, StoredObject]) -> AppPassword:
    folder = folders.get(one.scope.folder_key or "")
    return AppPassword(
        device_key=one.device.device_key,
        name=one.device.device_name,
        can_write=one.scope.can_write,
        folder_key=one.scope.folder_key,
        folder_name=None if folder is None else folder.name,
        webdav_only=one.scope.webdav_only,
        created_date=one.created_at,
        last_used_date=one.last_used_at if one.last_used_at > one.created_at else None,
    )


def revoke(ctx: ServiceContext, caller: Caller, device_key: str) -> None:
    """Revoke an app password, and forget its device."""

    def work(unit: Unit) -> bool:
        mine = unit.app_passwords.of_account(caller.account_id)
        is_known = any(one.device.device_key == device_key for one in mine)
        return is_known and unit.devices.remove(caller.account_id, device_key)

    if not recorded(ctx, work, new_event(ctx, kinds.APP_REVOKED, caller, device=device_key)):
        raise ServiceError(codes.DEVICE_NOT_FOUND, "No such app password: it may have been revoked")


def hash_of(key: bytes, password: str) -> bytes | None:
    """The digest of an app password, as people copy it; None for what is certainly none."""
    plain = _SEPARATORS.sub("", password).lower() if len(password) <= 100 else ""
    # Keyed, so that it never equals the digest of a session's token.
    return hmac.digest(key, plain.encode(), "sha256") if _PLAIN.fullmatch(plain) else None


def by_password(ctx: ServiceContext, email: str, password: str, address: str) -> App:
    """The app that has this password. Wrong ones are throttled like logins, with separate buckets: a phone that
    keeps trying a revoked password must not lock its owner out of the web client."""
    now = ctx.clock.now()
    found = _find(ctx, email, password, now)
    if found is None:
        buckets = login_throttle.AppBuckets(normalize_email(email), address)
        login_throttle.admit(ctx, buckets)
        login_throttle.failed(ctx, buckets, new_event(ctx, kinds.APP_FAILED, address=address))
        raise ServiceError(codes.APP_PASSWORD_REFUSED)
    used_at = found.session.last_used_at
    if _has_to_be_noted(found, now):
        used_at = now
        _touch(ctx, found.session.secret_hash, now)
    return _app_of(found, used_at)


def without_a_write(ctx: ServiceContext, email: str, password: str) -> App | None:
    """The same for the event loop of an embedded store; None where `by_password` has to decide: a wrong password is
    throttled, and a use may have to be noted."""
    now = ctx.clock.now()
    found = _find(ctx, email, password, now)
    if found is None or _has_to_be_noted(found, now):
        return None
    return _app_of(found, found.session.last_used_at)


def _find(ctx: ServiceContext, email: str, password: str, now: int) -> AppSession | None:
    with ctx.metadata.read() as unit:
        key = unit.settings.get(SETTING)
        hashed = hash_of(key, password) if key is not None else None
        found = None if hashed is None else unit.app_passwords.find(hashed, now)
    if found is None or normalize_email(found.email).casefold() != normalize_email(email).casefold():
        return None
    return found


def _has_to_be_noted(found: AppSession, now: int) -> bool:
    """The first use is noted at once, so that people see that the app has come in."""
    used_at, created_at = found.session.last_used_at, found.session.created_at
    return now - used_at >= TOUCHED_EVERY or used_at == created_at < now


def _app_of(found: AppSession, used_at: int) -> App:
    caller, scope = caller_of(found.session), found.scope
    if scope.folder_key is not None:
        caller = msgspec.structs.replace(caller, root_key=scope.folder_key)
    return App(caller, scope, used_at + TOUCHED_EVERY, found.email)


def _touch(ctx: ServiceContext, hashed: bytes, now: int) -> None:
    # A store that cannot be written to right now can still serve reads.
    try:
        ctx.metadata.write(lambda unit: unit.sessions.touch(hashed, now))
    except StorageError:
        return

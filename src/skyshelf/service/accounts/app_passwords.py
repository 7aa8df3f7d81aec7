"""App passwords: for programs that support only an address and a password, such as WebDAV clients.

An app password is long and random, so it cannot be guessed, and a fast keyed hash is enough to hide it. It gives access
to files only: no call that changes the account accepts it, so it cannot weaken a second factor. It is a session of a
device with the password's name, and ends like any session.
"""

import hmac
import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from typing import Final

import msgspec

from skyshelf.service.accounts import login_codes, login_throttle, sessions
from skyshelf.service.accounts.accounts import clean_label, normalize_email, same_address
from skyshelf.service.accounts.passkeys.confirmation import confirmed
from skyshelf.service.audit import kinds, new_event, recorded
from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.errors import ServiceError, codes
from skyshelf.service.pages import projected
from skyshelf.service.secret_table import APP_PASSWORDS
from skyshelf.service.secrets import to_base64url
from skyshelf.storage.errors import StorageError
from skyshelf.storage.metadata.audit_events import AuditEvent
from skyshelf.storage.metadata.contracts.accounts import ACTIVE, NewDevice
from skyshelf.storage.metadata.contracts.leave import Leave
from skyshelf.storage.metadata.contracts.sessions import AppPassword as StoredAppPassword
from skyshelf.storage.metadata.contracts.sessions import AppScope, AppSession, NewSession
from skyshelf.storage.metadata.contracts.tree import StoredObject
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire.leave import ALL_KINDS, READING
from skyshelf.wire.limits import GRANT_MINUTES
from skyshelf.wire.resources.credentials import AppPassword, AppPasswords, MadeAppPassword, NewAppPassword
from skyshelf.wire.text import replace_invisible

SETTING: Final = APP_PASSWORDS
PLATFORM: Final = "App password"
_ALPHABET: Final = "abcdefghijkmnpqrstuvwxyz23456789"
_GROUPS, _GROUP_CHARS = 5, 5
_SEPARATORS: Final = re.compile(r"[\s-]+")
_PLAIN: Final = re.compile(f"[{_ALPHABET}]{{{_GROUPS * _GROUP_CHARS}}}")
NEVER: Final = 253_402_300_799_000
"""The end of the year 9999: an app password lasts until it is revoked."""


class App(msgspec.Struct, frozen=True):
    """An app that has presented its password, and its permissions. It sees nothing outside the caller's root."""

    caller: Caller
    scope: AppScope
    touched_until: int
    """When its use has to be recorded again, or it expires."""
    email: str = ""
    """The account's address, by which such apps know it."""


def new_password(ctx: ServiceContext) -> str:
    """Return 125 random bits in a form that people can type from a screen into a phone."""
    return spelled(ctx.randomness.bytes(_GROUPS * _GROUP_CHARS))


def spelled(random: bytes) -> str:
    letters = [_ALPHABET[byte % 32] for byte in random[: _GROUPS * _GROUP_CHARS]]
    return "-".join("".join(letters[at : at + _GROUP_CHARS]) for at in range(0, len(letters), _GROUP_CHARS))


def add_app(
    unit: Unit,
    account_id: int,
    *,
    name: str,
    device_key: str,
    hashed: bytes,
    generation: int,
    scope: AppScope,
    now: int,
    expires_at: int = NEVER,
) -> None:
    device = NewDevice(device_key=device_key, device_name=name, platform_type=PLATFORM)
    unit.devices.register(account_id, device, now)
    unit.sessions.open(account_id, NewSession(secret_hash=hashed, device_key=device_key, expires_at=expires_at), now)
    unit.app_passwords.add(account_id, hashed, scope, generation=generation)


Recorder = Callable[[Callable[[Unit], None], AuditEvent], None]
"""Runs a write with its event, in one transaction."""


def create(
    ctx: ServiceContext,
    account_id: int,
    name: str,
    scope: AppScope,
    record: Recorder | None = None,
    *,
    expires_at: int = NEVER,
) -> tuple[str, str]:
    """Create an app password; returns it, which cannot be shown again, and the key by which it is listed.

    `record` may use up, in the same transaction, whatever the caller confirmed the request with.
    """
    password, device_key, now = new_password(ctx), ctx.new_uuid(), ctx.clock.now()
    secret = ctx.generations(SETTING)
    hashed = hash_of(secret.value, password)
    assert hashed is not None

    def work(unit: Unit) -> None:
        if scope.folder_key is not None:
            unit.tree.visible_folder(account_id, scope.folder_key)
        add_app(
            unit,
            account_id,
            name=name,
            device_key=device_key,
            hashed=hashed,
            generation=secret.current,
            scope=scope,
            now=now,
            expires_at=expires_at,
        )

    event = new_event(ctx, kinds.APP_ADDED, account_id=account_id, app=name, device=device_key)
    (record or partial(recorded, ctx))(work, event)
    return password, device_key


def add(ctx: ServiceContext, caller: Caller, request: NewAppPassword, address: str, origin: str) -> MadeAppPassword:
    """Create an app password for a caller who confirms it with what a login requires."""
    name = clean_label(request.name, "A name")
    if request.folder_key is not None:
        # Checked before the password: a refusal for another reason must not count as a wrong password.
        with ctx.metadata.read() as unit:
            unit.tree.visible_folder(caller.account_id, request.folder_key)
    expires_at = request.expires_date or NEVER
    if expires_at <= ctx.clock.now():
        raise ServiceError(codes.INVALID_REQUEST, "expiresDate is in the past")
    confirmation = confirmed(ctx, caller, request, address, origin)
    scope = AppScope(folder_key=request.folder_key, can_write=request.can_write, webdav_only=request.webdav_only)
    password, device_key = create(ctx, caller.account_id, name, scope, confirmation.change, expires_at=expires_at)
    return MadeAppPassword(
        device_key=device_key, password=password, user_name=confirmation.account.email, webdav_url=f"{origin}/dav/"
    )


def listed(ctx: ServiceContext, caller: Caller) -> AppPasswords:
    """List the account's app passwords, newest first."""
    with ctx.metadata.snapshot() as unit:
        now = ctx.clock.now()
        found = [one for one in unit.app_passwords.of_account(caller.account_id) if one.expires_at > now]
        keys = [one.scope.folder_key for one in found if one.scope.folder_key is not None]
        folders = unit.tree.visible_many(caller.account_id, keys) if keys else {}
    return AppPasswords(app_passwords=[_wire(one, folders) for one in found])


def _wire(one: StoredAppPassword, folders: Mapping[str, StoredObject]) -> AppPassword:
    folder = folders.get(one.scope.folder_key or "")
    return projected(
        AppPassword,
        one.scope,
        device_key=one.device.device_key,
        name=one.device.device_name,
        folder_name=None if folder is None else folder.name,
        expires_date=None if one.expires_at >= NEVER else one.expires_at,
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
    """Return the digest of an app password in any spelling; None for a text that cannot be one."""
    plain = _SEPARATORS.sub("", password).lower() if len(password) <= 100 else ""
    # Keyed, so that it never equals the digest of a session's token.
    return hmac.digest(key, plain.encode(), "sha256") if _PLAIN.fullmatch(plain) else None


def by_password(ctx: ServiceContext, email: str, password: str, address: str) -> App:
    """Return the app with this password. Wrong ones are throttled like logins, with separate buckets: a phone that
    keeps trying a revoked password must not lock its owner out of the web client."""
    now = ctx.clock.now()
    found = _find(ctx, email, password, now) or _moved(ctx, email, password, now)
    if found is None:
        buckets = login_throttle.app_buckets(normalize_email(email), address)
        login_throttle.admit(ctx, buckets)
        login_throttle.failed(ctx, buckets, new_event(ctx, kinds.APP_FAILED, address=address))
        raise ServiceError(codes.APP_PASSWORD_REFUSED)
    used_at = found.session.last_used_at
    if _has_to_be_noted(found, now):
        used_at = now
        # A store that cannot be written to right now can still serve reads.
        with suppress(StorageError):
            ctx.metadata.write(lambda unit: unit.sessions.touch(found.session.secret_hash, now))
    return _app_of(found, used_at)


def without_a_write(ctx: ServiceContext, email: str, password: str) -> App | None:
    """Return the app without writing, for the event loop of an embedded store; None where `by_password` has to decide,
    because a wrong password is throttled and a use may have to be recorded."""
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
    return found if found is not None and same_address(found.email, email) else None


def _moved(ctx: ServiceContext, email: str, password: str, now: int) -> AppSession | None:
    """Return the app whose password was stored with an earlier secret, and store it with the one in use."""
    with ctx.metadata.read() as unit:
        secret = unit.secrets.get(SETTING)
        if secret is None or not secret.former:
            return None
        hashes = {number: hash_of(key, password) for number, key in secret.former.items()}
        found = next(
            (one for hashed in hashes.values() if hashed and (one := unit.app_passwords.find(hashed, now))), None
        )
    new_hash = hash_of(secret.value, password)
    if found is None or new_hash is None or not same_address(found.email, email):
        return None
    account_id, old_hash = found.session.account_id, found.session.secret_hash
    # A store that cannot be written to right now can still serve reads.
    with suppress(StorageError):
        ctx.metadata.write(lambda unit: unit.app_passwords.move(account_id, old_hash, new_hash, secret.current))
        return _find(ctx, email, password, now)
    return found


def _has_to_be_noted(found: AppSession, now: int) -> bool:
    """Whether to record this use. The first one is recorded at once, so people see that the app is connected."""
    used_at, created_at = found.session.last_used_at, found.session.created_at
    return now - used_at >= sessions.TOUCHED_EVERY or used_at == created_at < now


def _app_of(found: AppSession, used_at: int) -> App:
    caller, scope = sessions.caller_of(found.session), found.scope
    leave = leave_of(scope)
    if leave is not None:
        root_key = scope.folder_key or caller.root_key
        caller = msgspec.structs.replace(caller, root_key=root_key, leave=leave)
    until = min(used_at + sessions.TOUCHED_EVERY, found.session.expires_at)
    return App(caller, scope, until, found.email)


def leave_of(scope: AppScope) -> Leave | None:
    """Return what an app may do; None if that is everything that apps can do."""
    leave = Leave(
        kinds=ALL_KINDS if scope.can_write else READING,
        folders=() if scope.folder_key is None else (scope.folder_key,),
        webdav_only=scope.webdav_only,
    )
    return None if leave == Leave() else leave


# Grants: an app begins, a person agrees in a browser, and the app collects a password.
#
# The app keeps a poll token; the browser's address contains only a value derived from it. The password is derived from
# that value and a secret of the server, so nothing is stored before somebody agrees, and no password is stored at all.

_MINUTE: Final = 60 * 1000
_TOKEN: Final = re.compile(r"([0-9a-f]{8,12})-[A-Za-z0-9_-]{16,64}")
_NAME_CHARS: Final = 60
_PURPOSE_FLOW, _PURPOSE_PASSWORD = b"flow ", b"password "


class AppCredentials(msgspec.Struct, frozen=True):
    email: str
    password: str


def begin_grant(ctx: ServiceContext) -> tuple[str, str]:
    """Return a poll token for the app, and the flow's name for the browser."""
    random = to_base64url(ctx.randomness.bytes(33))
    token = f"{ctx.clock.now():x}-{random}"
    return token, _flow_of(ctx, token)


def check_grant(ctx: ServiceContext, flow: str) -> None:
    """GRANT_ENDED unless this is a flow that has not expired."""
    form = _TOKEN.fullmatch(flow)
    age = ctx.clock.now() - int(form[1], 16) if form else -1
    if not 0 <= age < GRANT_MINUTES * _MINUTE:
        raise ServiceError(codes.GRANT_ENDED)


def agree(
    ctx: ServiceContext, flow: str, *, email: str, password: str, code: str | None, name: str, address: str
) -> None:
    """Create the flow's app password. It requires what a login requires, and is throttled like one."""
    check_grant(ctx, flow)
    found, buckets = sessions.attempt(ctx, email, None, address)
    account = sessions.check_password(ctx, found, password, buckets, address)
    given = None
    with ctx.metadata.read() as unit:
        is_required = login_codes.is_required(unit, account.account_id)
    if is_required:
        if not code:
            raise ServiceError(codes.SECOND_FACTOR_REQUIRED)
        given = login_codes.admit(ctx, account, code, buckets)
    secret = ctx.generations(SETTING)
    hashed = _hash_of(secret.value, flow)
    now, device_key = ctx.clock.now(), ctx.new_uuid()

    def work(unit: Unit) -> None:
        current = unit.accounts.by_id(account.account_id)
        if current.password_hash != account.password_hash or current.status != ACTIVE:
            raise ServiceError(codes.LOGIN_REFUSED)
        if login_codes.is_required(unit, account.account_id) and (given is None or not given.accept(unit)):
            raise ServiceError(codes.LOGIN_CODE_REFUSED)
        if unit.app_passwords.find(hashed, now) is not None:
            raise ServiceError(codes.GRANT_ENDED)
        add_app(
            unit,
            account.account_id,
            name=app_name(name),
            device_key=device_key,
            hashed=hashed,
            generation=secret.current,
            scope=AppScope(),
            now=now,
        )
        login_throttle.succeeded(unit, buckets)

    try:
        recorded(ctx, work, new_event(ctx, kinds.APP_ADDED, account, app=app_name(name), device=device_key))
    except ServiceError as error:
        if error.error is codes.LOGIN_CODE_REFUSED:
            login_throttle.failed(ctx, buckets, new_event(ctx, kinds.FACTOR_FAILED, account, address=address))
        raise


def collect(ctx: ServiceContext, token: str) -> AppCredentials | None:
    """Return the password, once; None until somebody has agreed."""
    check_grant(ctx, token)
    flow, key = _flow_of(ctx, token), ctx.secret(SETTING)
    hashed, now = _hash_of(key, flow), ctx.clock.now()
    with ctx.metadata.read() as unit:
        if unit.app_passwords.find(hashed, now) is None:
            return None

    def work(unit: Unit) -> AppCredentials | None:
        found = unit.app_passwords.find(hashed, now)
        # Once it has been used or collected, nobody gets it again.
        if found is None or found.session.last_used_at > found.session.created_at:
            return None
        unit.sessions.touch(hashed, max(now, found.session.created_at + 1))
        return AppCredentials(found.email, _password_of(key, flow))

    return ctx.metadata.write(work)


def app_name(given: str) -> str:
    """Return an app's own name, cleaned for a list."""
    plain = " ".join(replace_invisible(given, lambda _: " ").split())
    return plain[:_NAME_CHARS].strip() or "App"


def _flow_of(ctx: ServiceContext, token: str) -> str:
    mac = hmac.digest(ctx.secret(SETTING), _PURPOSE_FLOW + token.encode(), "sha256")
    return f"{token.partition('-')[0]}-{to_base64url(mac[:24])}"


def _password_of(key: bytes, flow: str) -> str:
    return spelled(hmac.digest(key, _PURPOSE_PASSWORD + flow.encode(), "sha256"))


def _hash_of(key: bytes, flow: str) -> bytes:
    hashed = hash_of(key, _password_of(key, flow))
    assert hashed is not None
    return hashed

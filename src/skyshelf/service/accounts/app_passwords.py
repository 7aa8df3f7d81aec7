"""App passwords: for programs that know an address and a password alone, such as WebDAV clients.

An app password is long and random, so a fast keyed hash hides it, and nobody can guess one. It opens files and nothing
else: no call that changes the account accepts it, and so it cannot weaken a second factor. It is a session of a device
with the password's name, and ends as any session does.
"""

import hmac
import re
from typing import Final
from uuid import UUID

import msgspec

from skyshelf.service.accounts import login_throttle
from skyshelf.service.accounts.accounts import normalize_email
from skyshelf.service.accounts.sessions import TOUCHED_EVERY, caller_of
from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.errors import ServiceError
from skyshelf.service.secrets import get_or_create_secret
from skyshelf.storage.errors import StorageError
from skyshelf.storage.metadata.contracts.accounts import NewDevice
from skyshelf.storage.metadata.contracts.app_passwords import AppScope, AppSession
from skyshelf.storage.metadata.contracts.sessions import NewSession
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire import error_codes as codes

SETTING: Final = "app_passwords.key"
PLATFORM: Final = "App password"
_ALPHABET: Final = "abcdefghijkmnpqrstuvwxyz23456789"
_GROUPS, _GROUP_CHARS = 5, 5
_SEPARATORS: Final = re.compile(r"[\s-]+")
_PLAIN: Final = re.compile(f"[{_ALPHABET}]{{{_GROUPS * _GROUP_CHARS}}}")
_NEVER: Final = 253_402_300_799_000
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
    unit.sessions.open(account_id, NewSession(secret_hash=hashed, device_key=device_key, expires_at=_NEVER), now)
    unit.app_passwords.add(account_id, hashed, scope)


def new_device_key(ctx: ServiceContext) -> str:
    return str(UUID(bytes=ctx.randomness.bytes(16), version=4))


def create(ctx: ServiceContext, account_id: int, name: str, scope: AppScope) -> tuple[str, str]:
    """A new app password, which cannot be shown again, and the key by which it is listed."""
    password, device_key, now = new_password(ctx), new_device_key(ctx), ctx.clock.now()
    hashed = hash_of(get_or_create_secret(ctx, SETTING), password)
    assert hashed is not None
    ctx.metadata.write(
        lambda unit: add_app(unit, account_id, name=name, device_key=device_key, hashed=hashed, scope=scope, now=now)
    )
    return password, device_key


def hash_of(key: bytes, password: str) -> bytes | None:
    """The digest of an app password, as people copy it; None for what is certainly none."""
    plain = _SEPARATORS.sub("", password).lower() if len(password) <= 100 else ""
    # Keyed, so that it never equals the digest of a session's token.
    return hmac.digest(key, plain.encode(), "sha256") if _PLAIN.fullmatch(plain) else None


def by_password(ctx: ServiceContext, email: str, password: str, address: str) -> App:
    """The app that has this password. Wrong ones are throttled like logins, with buckets of their own: a phone that
    keeps trying a revoked password must not lock its owner out of the web client."""
    now, found = ctx.clock.now(), None
    with ctx.metadata.read() as unit:
        key = unit.settings.get(SETTING)
        hashed = hash_of(key, password) if key is not None else None
        if hashed is not None:
            found = unit.app_passwords.find(hashed, now)
    given = normalize_email(email)
    if found is None or normalize_email(found.email).casefold() != given.casefold():
        buckets = login_throttle.AppBuckets(given, address)
        login_throttle.admit(ctx, buckets)
        login_throttle.failed(ctx, buckets)
        raise ServiceError(codes.APP_PASSWORD_REFUSED)
    return _app_of(ctx, found, now)


def _app_of(ctx: ServiceContext, found: AppSession, now: int) -> App:
    session, scope = found.session, found.scope
    used_at = session.last_used_at
    if now - used_at >= TOUCHED_EVERY:
        used_at = now
        _touch(ctx, session.secret_hash, now)
    caller = caller_of(session)
    if scope.folder_key is not None:
        caller = msgspec.structs.replace(caller, root_key=scope.folder_key)
    return App(caller, scope, used_at + TOUCHED_EVERY, found.email)


def _touch(ctx: ServiceContext, hashed: bytes, now: int) -> None:
    # A store that cannot be written to right now can still serve reads.
    try:
        ctx.metadata.write(lambda unit: unit.sessions.touch(hashed, now))
    except StorageError:
        return

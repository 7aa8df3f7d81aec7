"""Sessions: logging in and out, and finding the caller by a token or a nonce."""

import hashlib
import hmac
from collections.abc import Callable
from contextlib import nullcontext, suppress
from uuid import UUID

import msgspec

from skyshelf.service.accounts import download_nonces, login_codes, login_throttle
from skyshelf.service.accounts.accounts import normalize_email
from skyshelf.service.accounts.passwords import hash_password, matches, needs_rehash
from skyshelf.service.accounts.session_tokens import (
    SECRET_BYTES,
    hash_of_secret,
    make_refresh_token,
    make_token,
    secret_in,
    secret_in_refresh,
)
from skyshelf.service.audit import kinds
from skyshelf.service.audit.events import new_event, recorded
from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.errors import ServiceError, Throttled
from skyshelf.service.networks import network_of
from skyshelf.storage.errors import AccountMissing, StorageError
from skyshelf.storage.metadata.contracts.accounts import ACTIVE, Account, NewDevice
from skyshelf.storage.metadata.contracts.sessions import NewSession, Session
from skyshelf.storage.metadata.read_only import even_while_read_only
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire import error_codes as codes
from skyshelf.wire.resources.other_clients import RefreshRequest
from skyshelf.wire.resources.session import LoginAnswer, LoginRequest, LogoutRequest, ProviderLoginRequest

_DAY = 24 * 60 * 60 * 1000
# A write per request would cost more than the request, and nobody needs the last use to the minute.
TOUCHED_EVERY = 5 * 60 * 1000
RENEWED_GRACE = 60 * 1000
"""How long the token before a renewal keeps working: requests that are under way still carry it."""
DEVICE_NAME_DEFAULT = "Browser"
PLATFORM_DEFAULT = "Web"

# Logging in and out


def check_login_throttle(ctx: ServiceContext, request: LoginRequest, address: str) -> None:
    """Throttled if a login would be refused whatever the password is."""
    account, buckets = _attempt(ctx, request, address)
    try:
        login_throttle.check(ctx, buckets)
    except Throttled:
        event = new_event(ctx, kinds.LOGIN_THROTTLED, account, address=address, device_key="")
        ctx.trail.note(ctx.metadata, event, f"failures {network_of(address)}")
        raise


def login(ctx: ServiceContext, request: LoginRequest, address: str) -> LoginAnswer:
    """Open a session. An unknown address and a wrong password give the same response after the same work."""
    account, buckets = _attempt(ctx, request, address)
    login_throttle.admit(ctx, buckets)
    is_match = matches(request.password, account.password_hash if account else None)
    if account is None or not is_match or account.status != ACTIVE:
        # The address of an unknown account is not kept: people type passwords there.
        event = new_event(ctx, kinds.LOGIN_FAILED, account, address=address, device_key=buckets.device_key)
        login_throttle.failed(ctx, buckets, event)
        raise ServiceError(codes.LOGIN_REFUSED)
    given = _given_code(ctx, account, request, buckets)
    fresh_hash = hash_password(request.password) if needs_rehash(account.password_hash) else None

    def accept(unit: Unit, current: Account) -> None:
        if current.password_hash != account.password_hash or current.status != ACTIVE:
            # The account was disabled, or its password changed, while the password was verified.
            raise ServiceError(codes.LOGIN_REFUSED)
        if login_codes.is_required(unit, account.account_id):
            if given is None:
                # The second factor was turned on while the password was verified.
                raise ServiceError(codes.SECOND_FACTOR_REQUIRED)
            if not given.accept(unit):
                raise ServiceError(codes.LOGIN_CODE_REFUSED)
        if fresh_hash is not None:
            unit.accounts.set_password(account.account_id, fresh_hash, ctx.clock.now())
        login_throttle.succeeded(unit, buckets)

    # A recovery code must never count twice.
    must_last = given is not None and given.is_for_recovery
    opening = Opening(account=account, device=device_of(ctx, request), accept=accept, must_last=must_last)
    try:
        return open_session(ctx, opening, address)
    except ServiceError as error:
        if error.error is codes.LOGIN_CODE_REFUSED:
            event = new_event(ctx, kinds.FACTOR_FAILED, account, address=address, device_key=buckets.device_key)
            login_throttle.failed(ctx, buckets, event)
        raise


def _attempt(
    ctx: ServiceContext, request: LoginRequest, address: str
) -> tuple[Account | None, login_throttle.LoginBuckets]:
    """The account of a login, if it exists, and what the attempt counts against."""
    device_key = str(UUID(request.device_key)) if request.device_key else None
    email = normalize_email(request.email_id)
    account, devices = _find_account(ctx, email)
    known_device = device_key if device_key in devices else None
    return account, login_throttle.LoginBuckets(email, address, known_device)


def _given_code(
    ctx: ServiceContext, account: Account, request: LoginRequest, buckets: login_throttle.LoginBuckets
) -> login_codes.GivenCode | None:
    """The code of a login with the right password; None where the account has no second factor.

    Only here may a login learn that a code is missing: with a wrong password it must not.
    """
    with ctx.metadata.read() as unit:
        if not login_codes.is_required(unit, account.account_id):
            return None
    if request.code is None:
        raise ServiceError(codes.SECOND_FACTOR_REQUIRED)
    return login_codes.admit(ctx, account, request.code, buckets)


def _find_account(ctx: ServiceContext, email: str) -> tuple[Account | None, set[str]]:
    """The account with that address, if it exists, and the keys of its devices."""
    account = None
    with ctx.metadata.read() as unit:
        with suppress(AccountMissing):
            account = unit.accounts.by_email(email)
        # Queried without an account as well, so that both cases cost the same statements.
        devices = unit.devices.of_account(account.account_id if account else 0)
    return account, {device.device_key for device in devices}


def device_of(ctx: ServiceContext, request: LoginRequest | ProviderLoginRequest) -> NewDevice:
    """The device that a login names, or a new one."""
    return NewDevice(
        device_key=str(UUID(request.device_key)) if request.device_key else _new_device_key(ctx),
        device_name=request.device_name or DEVICE_NAME_DEFAULT,
        platform_type=request.platform_type or PLATFORM_DEFAULT,
    )


def _new_device_key(ctx: ServiceContext) -> str:
    return str(UUID(bytes=ctx.randomness.bytes(16), version=4))


class Opening(msgspec.Struct, frozen=True, kw_only=True):
    """A session that is about to be opened."""

    account: Account
    device: NewDevice
    accept: Callable[[Unit, Account], None]
    """Checks, in the transaction of the session, all that it needs; it gets the account as it is then."""
    by: str = ""
    """What opens it, where that is no password."""
    opened: Callable[[Unit, bytes], None] | None = None
    """Adds what belongs to the session with this digest."""
    must_last: bool = False
    """Whether it must not be opened in read-only mode, where it may be lost."""


def open_session(ctx: ServiceContext, opening: Opening, address: str) -> LoginAnswer:
    """Open a session of a device, which ends the one that it had."""
    account, device = opening.account, opening.device
    now, identity, secret = ctx.clock.now(), ctx.new_key(), ctx.randomness.bytes(SECRET_BYTES)
    proposed_key = ctx.randomness.bytes(32)
    session_hash = hash_of_secret(secret)
    session = NewSession(secret_hash=session_hash, device_key=device.device_key, expires_at=_expiry(ctx, now))
    event = new_event(
        ctx,
        kinds.LOGIN,
        account,
        address=address,
        device_key=device.device_key,
        device=device.device_name,
        by=opening.by or None,
    )

    def work(unit: Unit) -> bytes:
        opening.accept(unit, unit.accounts.by_id(account.account_id))
        unit.devices.register(account.account_id, device, now)
        unit.sessions.open(account.account_id, session, now)
        if opening.opened is not None:
            opening.opened(unit, session_hash)
        return download_nonces.signing_key(unit, proposed_key)

    # A login works in read-only mode, although its session may be lost.
    with nullcontext() if opening.must_last else even_while_read_only():
        key = recorded(ctx, work, event)
    return LoginAnswer(
        user_id=account.account_key,
        device_key=device.device_key,
        root_folder_key=account.root_key,
        auth_token=make_token(identity, secret),
        jwt=download_nonces.make_jwt(key, account.account_key, session_hash, now),
        refresh_token=make_refresh_token(identity, secret),
        expires_in=_lifetime(ctx) // 1000,
    )


# Renewing


def refresh(ctx: ServiceContext, request: RefreshRequest) -> LoginAnswer:
    """Replace a session by a new one of the same device; the old token keeps working for a minute.

    The new secret follows from the old one, so a repeated call gets the same answer, and the old token leads to the
    new session without being stored.
    """
    secret = secret_in_refresh(request.refresh_token)
    if secret is None:
        raise ServiceError(codes.SESSION_INVALID)
    now, identity, old_hash = ctx.clock.now(), ctx.new_key(), hashlib.sha256(secret).digest()

    def work(unit: Unit) -> tuple[Session, bytes, bytes]:
        key = unit.settings.get(download_nonces.SIGNING_KEY)
        if key is None:
            # The first login makes it, so there is no session either; without it, a secret could be derived by anybody.
            raise ServiceError(codes.SESSION_INVALID)
        renewed = _renewed_secret(key, secret)
        new_hash = hash_of_secret(renewed)
        session = unit.sessions.find(old_hash, now)
        if session is None:
            done = _renewed_session(unit, secret, now)
            if done is None:
                raise ServiceError(codes.SESSION_INVALID)
            return done, renewed, key
        came_from = unit.identities.origin_of(old_hash)
        opened = NewSession(secret_hash=new_hash, device_key=session.device_key, expires_at=_expiry(ctx, now))
        unit.sessions.open(session.account_id, opened, now)
        if came_from is not None:
            unit.identities.put_origin(session.account_id, new_hash, came_from)
        return session, renewed, key

    # As a login, it works in read-only mode.
    with even_while_read_only():
        session, renewed, key = ctx.metadata.write(work)
    return LoginAnswer(
        user_id=session.account_key,
        device_key=session.device_key,
        root_folder_key=session.root_key,
        auth_token=make_token(identity, renewed),
        jwt=download_nonces.make_jwt(key, session.account_key, hash_of_secret(renewed), now),
        refresh_token=make_refresh_token(identity, renewed),
        expires_in=_lifetime(ctx) // 1000,
    )


def _renewed_secret(key: bytes, secret: bytes) -> bytes:
    """The secret that follows another; only who knows both that one and the server's key can compute it."""
    return hmac.digest(key, b"renewed" + secret, hashlib.sha256)


def _renewed_session(unit: Unit, secret: bytes, now: int) -> Session | None:
    """The session that replaced the one of this secret, within the minute after that."""
    key = unit.settings.get(download_nonces.SIGNING_KEY)
    found = unit.sessions.find(hash_of_secret(_renewed_secret(key, secret)), now) if key else None
    return found if found is not None and now - found.created_at <= RENEWED_GRACE else None


def current(ctx: ServiceContext, caller: Caller) -> LoginAnswer:
    """The calling session, without its token, which is not stored."""
    now = ctx.clock.now()
    with ctx.metadata.read() as unit:
        jwt = download_nonces.renewed_jwt(unit, caller.account_key, caller.session_hash, now)
    return LoginAnswer(
        user_id=caller.account_key, device_key=caller.device_key, root_folder_key=caller.root_key, jwt=jwt
    )


def logout(ctx: ServiceContext, caller: Caller, request: LogoutRequest) -> None:
    """End the calling session, all sessions, or that of another device; tokens and nonces stop working at once."""
    other = str(UUID(request.device_key)) if request.device_key else caller.device_key
    if request.revokes_all:
        event = new_event(ctx, kinds.LOGOUT, caller, devices="all")
        recorded(ctx, lambda unit: unit.sessions.revoke_all(caller.account_id), event)
    elif other == caller.device_key:
        recorded(ctx, lambda unit: unit.sessions.close(caller.session_hash), new_event(ctx, kinds.LOGOUT, caller))
    elif not recorded(
        ctx,
        lambda unit: unit.sessions.revoke(caller.account_id, other),
        new_event(ctx, kinds.SESSIONS_ENDED, caller, device=other),
    ):
        raise ServiceError(codes.DEVICE_NOT_FOUND, "No such device, or it is not logged in")


def by_token(ctx: ServiceContext, *, authorization: str, user_id: str, device_key: str) -> Caller:
    """The caller with these three headers; every mistake in them gives the same error."""
    secret = secret_in(authorization)
    if secret is None:
        raise ServiceError(codes.SESSION_INVALID)
    now = ctx.clock.now()
    with ctx.metadata.read() as unit:
        session = unit.sessions.find(hashlib.sha256(secret).digest(), now)
        if session is None:
            session = _renewed_session(unit, secret, now)
    if session is None or not is_of(session, user_id, device_key):
        raise ServiceError(codes.SESSION_INVALID)
    if now - session.last_used_at >= TOUCHED_EVERY:
        _touch(ctx, session, now)
    return caller_of(session)


def is_of(session: Session, user_id: str, device_key: str) -> bool:
    """Whether the session is that of this user and device."""
    return session.account_key == user_id.upper() and session.device_key == device_key.lower()


def caller_of(session: Session) -> Caller:
    return Caller(
        account_id=session.account_id,
        account_key=session.account_key,
        root_key=session.root_key,
        first_name=session.first_name,
        device_key=session.device_key,
        session_hash=session.secret_hash,
    )


def _touch(ctx: ServiceContext, session: Session, now: int) -> None:
    expires_at = _expiry(ctx, now)
    # A store that cannot be written to right now can still serve reads.
    with suppress(StorageError):
        ctx.metadata.write(lambda unit: unit.sessions.touch(session.secret_hash, now, expires_at=expires_at))


def by_nonce(ctx: ServiceContext, nonces: list[str]) -> Caller:
    """The caller whose downloads one of these nonces authorises."""
    now = ctx.clock.now()
    with ctx.metadata.read() as unit:
        for nonce in nonces:
            owner = unit.nonces.find(download_nonces.nonce_hash(nonce), now)
            if owner is not None:
                return Caller(
                    account_id=owner.account_id,
                    account_key=owner.account_key,
                    root_key=owner.root_key,
                    first_name=owner.first_name,
                    device_key=owner.device_key,
                    session_hash=b"",
                )
    raise ServiceError(codes.SESSION_INVALID)


def _expiry(ctx: ServiceContext, now: int) -> int:
    return now + _lifetime(ctx)


def _lifetime(ctx: ServiceContext) -> int:
    return ctx.rules.session_days * _DAY

"""Sessions: logging in and out, and finding the caller by a token or a nonce."""

import hashlib
import hmac
from contextlib import suppress
from uuid import UUID

from skyshelf.service.accounts import download_nonces, login_codes, login_throttle
from skyshelf.service.accounts.accounts import normalize_email
from skyshelf.service.accounts.passkeys import second_step
from skyshelf.service.accounts.passwords import hash_password, matches, needs_rehash
from skyshelf.service.accounts.session_opening import Opening, device_of, expiry, lifetime, open_session
from skyshelf.service.accounts.session_tokens import (
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
from skyshelf.storage.metadata.contracts.accounts import ACTIVE, Account
from skyshelf.storage.metadata.contracts.sessions import NewSession, Session
from skyshelf.storage.metadata.read_only import even_while_read_only
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire import error_codes as codes
from skyshelf.wire.resources.other_clients import RefreshRequest
from skyshelf.wire.resources.session import LoginAnswer, LoginRequest, LogoutRequest

# A write per request would cost more than the request, and nobody needs the last use to the minute.
TOUCHED_EVERY = 5 * 60 * 1000
RENEWED_GRACE = 60 * 1000
"""How long the token before a renewal keeps working: requests that are under way still carry it."""

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


def login(ctx: ServiceContext, request: LoginRequest, address: str, origin: str = "") -> LoginAnswer:
    """Open a session. An unknown address and a wrong password give the same response after the same work."""
    account, buckets = _attempt(ctx, request, address)
    login_throttle.admit(ctx, buckets)
    is_match = matches(request.password, account.password_hash if account else None)
    if account is None or not is_match or account.status != ACTIVE:
        # The address of an unknown account is not kept: people type passwords there.
        event = new_event(ctx, kinds.LOGIN_FAILED, account, address=address, device_key=buckets.device_key)
        login_throttle.failed(ctx, buckets, event)
        raise ServiceError(codes.LOGIN_REFUSED)
    given = _given_proof(ctx, account, request, buckets, address=address, origin=origin)
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
                raise ServiceError(given.own_refusal or codes.LOGIN_CODE_REFUSED)
        if fresh_hash is not None:
            unit.accounts.set_password(account.account_id, fresh_hash, ctx.clock.now())
        login_throttle.succeeded(unit, buckets)

    # A recovery code must never count twice.
    must_last = given is not None and given.is_for_recovery
    opening = Opening(account=account, device=device_of(ctx, request), accept=accept, must_last=must_last)
    try:
        return open_session(ctx, opening, address)
    except ServiceError as error:
        if error.error in (codes.LOGIN_CODE_REFUSED, codes.PASSKEY_REFUSED):
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


def _given_proof(
    ctx: ServiceContext,
    account: Account,
    request: LoginRequest,
    buckets: login_throttle.LoginBuckets,
    *,
    address: str,
    origin: str,
) -> login_codes.GivenProof | None:
    """The code or passkey of a login with the right password; None where the account has no second factor.

    Only here may a login learn that a code is missing: with a wrong password it must not.
    """
    with ctx.metadata.read() as unit:
        if not login_codes.is_required(unit, account.account_id):
            return None
    return second_step.given_proof(ctx, account, request, buckets, address=address, origin=origin)


def _find_account(ctx: ServiceContext, email: str) -> tuple[Account | None, set[str]]:
    """The account with that address, if it exists, and the keys of its devices."""
    account = None
    with ctx.metadata.read() as unit:
        with suppress(AccountMissing):
            account = unit.accounts.by_email(email)
        # Queried without an account as well, so that both cases cost the same statements.
        devices = unit.devices.of_account(account.account_id if account else 0)
    return account, {device.device_key for device in devices}


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
        opened = NewSession(secret_hash=new_hash, device_key=session.device_key, expires_at=expiry(ctx, now))
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
        expires_in=lifetime(ctx) // 1000,
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
    expires_at = expiry(ctx, now)
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

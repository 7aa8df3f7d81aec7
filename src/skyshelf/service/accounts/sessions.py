"""Sessions: logging in and out, and finding the caller by a token or a nonce."""

import hashlib
import hmac
from contextlib import suppress
from typing import NamedTuple
from uuid import UUID

from msgspec.structs import asdict

from skyshelf.service.accounts import login_codes, login_throttle, session_opening
from skyshelf.service.accounts.accounts import normalize_email
from skyshelf.service.accounts.passkeys.assertions import given_proof
from skyshelf.service.accounts.passwords import hash_password, matches, needs_rehash
from skyshelf.service.audit import kinds, new_event, recorded
from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.errors import ServiceError, Throttled, codes
from skyshelf.service.networks import network_of
from skyshelf.storage.errors import AccountMissing, StorageError
from skyshelf.storage.metadata.contracts.accounts import ACTIVE, Account
from skyshelf.storage.metadata.contracts.sessions import NewSession, Session
from skyshelf.storage.metadata.read_only import even_while_read_only
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire.resources.credentials import LoginAnswer, LoginRequest, LogoutRequest
from skyshelf.wire.resources.other_clients import RefreshAnswer, RefreshRequest

# A write per request would cost more than the request, and nobody needs the last use to the minute.
TOUCHED_EVERY = 5 * 60 * 1000
RENEWED_GRACE = 60 * 1000
"""How long a token keeps working after its renewal: requests in flight still carry it."""

# Logging in and out


def check_login_throttle(ctx: ServiceContext, request: LoginRequest, address: str) -> None:
    """Throttled if a login would be refused with any password."""
    account, buckets = attempt(ctx, request.email_id, request.device_key, address)
    try:
        login_throttle.check(ctx, buckets)
    except Throttled:
        event = new_event(ctx, kinds.LOGIN_THROTTLED, account, address=address, device_key="")
        ctx.trail.note(ctx.metadata, event, f"failures {network_of(address)}")
        raise


def login(ctx: ServiceContext, request: LoginRequest, address: str, origin: str = "") -> LoginAnswer:
    """Open a session. An unknown address and a wrong password give the same response after the same work."""
    account, buckets = attempt(ctx, request.email_id, request.device_key, address)
    account = check_password(ctx, account, request.password, buckets, address)
    given: login_codes.Proof | None = None
    with ctx.metadata.read() as unit:
        is_required = login_codes.is_required(unit, account.account_id)
    if is_required:
        # Only here may a login learn that a code is missing; with a wrong password it must not.
        given = given_proof(ctx, account, request, buckets, address=address, origin=origin)
    fresh_hash = hash_password(request.password) if needs_rehash(account.password_hash) else None

    def accept(unit: Unit, current: Account) -> None:
        if current.password_hash != account.password_hash or current.status != ACTIVE:
            # The account was disabled, or its password changed, while the password was verified.
            raise ServiceError(codes.LOGIN_REFUSED)
        login_codes.accept_proof(unit, account.account_id, given)
        if fresh_hash is not None:
            unit.accounts.set_password(account.account_id, fresh_hash, ctx.clock.now())
        login_throttle.succeeded(unit, buckets)

    # A recovery code must never count twice.
    must_last = given is not None and given.is_for_recovery
    opening = session_opening.Opening(
        account=account,
        device=session_opening.device_of(ctx, request),
        buckets=buckets,
        accept=accept,
        must_last=must_last,
    )
    return session_opening.open_session(ctx, opening, address)


def check_password(
    ctx: ServiceContext, account: Account | None, password: str, buckets: login_throttle.LoginBuckets, address: str
) -> Account:
    """Return the account if the password opens it. An unknown address takes as long as a wrong password."""
    login_throttle.admit(ctx, buckets)
    is_match = matches(password, account.password_hash if account else None)
    if account is None or not is_match or account.status != ACTIVE:
        # An unknown address is not recorded: people sometimes type their password there.
        event = new_event(ctx, kinds.LOGIN_FAILED, account, address=address, device_key=buckets.device_key)
        login_throttle.failed(ctx, buckets, event)
        raise ServiceError(codes.LOGIN_REFUSED)
    return account


def attempt(
    ctx: ServiceContext, email: str, device_key: str | None, address: str
) -> tuple[Account | None, login_throttle.LoginBuckets]:
    """Return the account of a login, if it exists, and the buckets of the attempt."""
    email, device_key = normalize_email(email), str(UUID(device_key)) if device_key else None
    account = None
    with ctx.metadata.read() as unit:
        with suppress(AccountMissing):
            account = unit.accounts.by_email(email)
        # Queried without an account as well, so both cases run the same statements.
        devices = unit.devices.of_account(account.account_id if account else 0)
    known_device = device_key if any(device.device_key == device_key for device in devices) else None
    return account, login_throttle.LoginBuckets(email, address, known_device)


# Renewing


def refresh(ctx: ServiceContext, request: RefreshRequest) -> RefreshAnswer:
    """Replace a session by a new one of the same device; the old token keeps working for a minute.

    The new secret is derived from the old one, so a repeated call gets the same answer, and the old token leads to the
    new session without being stored.
    """
    secret = session_opening.secret_in_refresh(request.refresh_token)
    if secret is None:
        raise ServiceError(codes.SESSION_INVALID)
    now, old_hash = ctx.clock.now(), hashlib.sha256(secret).digest()

    def work(unit: Unit) -> tuple[Session, bytes, bytes]:
        key = unit.settings.get(session_opening.SIGNING_KEY)
        if key is None:
            # The first login creates it, so there is no session either; without it, anybody could derive a secret.
            raise ServiceError(codes.SESSION_INVALID)
        renewed = _renewed_secret(key, secret)
        new_hash = session_opening.hash_of_secret(renewed)
        session = unit.sessions.find(old_hash, now)
        if session is None:
            done = _renewed_session(unit, secret, now)
            if done is None:
                raise ServiceError(codes.SESSION_INVALID)
            return done, renewed, key
        came_from = unit.identities.origin_of(old_hash)
        opened = NewSession(
            secret_hash=new_hash, device_key=session.device_key, expires_at=session_opening.expiry(ctx, now)
        )
        unit.sessions.open(session.account_id, opened, now)
        if came_from is not None:
            unit.identities.put_origin(session.account_id, new_hash, came_from)
        return session, renewed, key

    # Like a login, this works in read-only mode.
    with even_while_read_only():
        session, renewed, key = ctx.metadata.write(work)
    opened = session_opening.login_answer(ctx, session, renewed, device_key=session.device_key, key=key, now=now)
    return RefreshAnswer(**asdict(opened), access_token=opened.auth_token)


def _renewed_secret(key: bytes, secret: bytes) -> bytes:
    """Derive the secret that follows another; it takes both that one and the server's key."""
    return hmac.digest(key, b"renewed" + secret, hashlib.sha256)


def _renewed_session(unit: Unit, secret: bytes, now: int) -> Session | None:
    """Return the session that replaced the one of this secret, if that happened within the last minute."""
    key = unit.settings.get(session_opening.SIGNING_KEY)
    found = unit.sessions.find(session_opening.hash_of_secret(_renewed_secret(key, secret)), now) if key else None
    return found if found is not None and now - found.created_at <= RENEWED_GRACE else None


def current(ctx: ServiceContext, caller: Caller) -> LoginAnswer:
    """Describe the calling session, without its token, which is not stored."""
    with ctx.metadata.read() as unit:
        key = unit.settings.get(session_opening.SIGNING_KEY)
    jwt = session_opening.make_jwt(key, caller.account_key, caller.session_hash, ctx.clock.now()) if key else None
    return LoginAnswer(
        user_id=caller.account_key, device_key=caller.device_key, root_folder_key=caller.root_key, jwt=jwt
    )


def logout(ctx: ServiceContext, caller: Caller, request: LogoutRequest) -> None:
    """End the calling session, all sessions, or another device's; tokens and nonces stop working at once."""
    other = str(UUID(request.device_key)) if request.device_key else caller.device_key
    if request.revokes_all or other != caller.device_key:
        with ctx.metadata.read() as unit:
            if unit.alarms.is_paused(caller.account_id, caller.device_key):
                raise ServiceError(codes.SESSION_PAUSED)
    if request.revokes_all:
        event = new_event(ctx, kinds.LOGOUT, caller, devices="all")
        recorded(ctx, lambda unit: unit.sessions.revoke_all(caller.account_id), event)
    elif other == caller.device_key:
        recorded(ctx, lambda unit: unit.sessions.close(caller.session_hash), new_event(ctx, kinds.LOGOUT, caller))
    else:
        event = new_event(ctx, kinds.SESSIONS_ENDED, caller, device=other)
        if not recorded(ctx, lambda unit: unit.sessions.revoke(caller.account_id, other), event):
            raise ServiceError(codes.DEVICE_NOT_FOUND, "No such device, or it is not logged in")


def by_token(ctx: ServiceContext, *, authorization: str, user_id: str, device_key: str) -> Caller:
    """Return the caller with these three headers; every mistake in them gives the same error."""
    secret = session_opening.secret_in(authorization)
    if secret is None:
        raise ServiceError(codes.SESSION_INVALID)
    now = ctx.clock.now()
    with ctx.metadata.read() as unit:
        session = unit.sessions.find(hashlib.sha256(secret).digest(), now)
        if session is None:
            session = _renewed_session(unit, secret, now)
    if session is None or not _is_of(session, user_id, device_key):
        raise ServiceError(codes.SESSION_INVALID)
    if now - session.last_used_at >= TOUCHED_EVERY:
        # A store that cannot be written to right now can still serve reads.
        with suppress(StorageError):
            ctx.metadata.write(
                lambda unit: unit.sessions.touch(session.secret_hash, now, expires_at=session_opening.expiry(ctx, now))
            )
    return caller_of(session)


class FoundSession(NamedTuple):
    """A caller, and until when nothing has to be written for the session."""

    caller: Caller
    until: int


def without_a_write(ctx: ServiceContext, *, authorization: str, user_id: str, device_key: str) -> FoundSession | None:
    """The caller with these three headers; None where `by_token` has to decide, as when a use has to be recorded."""
    secret, now = session_opening.secret_in(authorization), ctx.clock.now()
    if secret is None:
        return None
    with ctx.metadata.read() as unit:
        session = unit.sessions.find(hashlib.sha256(secret).digest(), now)
    if session is None or not _is_of(session, user_id, device_key):
        return None
    until = min(session.expires_at, session.last_used_at + TOUCHED_EVERY)
    return FoundSession(caller_of(session), until) if now < until else None


def _is_of(session: Session, user_id: str, device_key: str) -> bool:
    return session.account_key == user_id.upper() and session.device_key == device_key.lower()


def caller_of(session: Session) -> Caller:
    return Caller.of(session, device_key=session.device_key, session_hash=session.secret_hash)


def by_nonce(ctx: ServiceContext, nonces: list[str]) -> Caller:
    """Return the caller whose downloads one of these nonces authorises."""
    now = ctx.clock.now()
    with ctx.metadata.read() as unit:
        for nonce in nonces:
            owner = unit.nonces.find(session_opening.nonce_hash(nonce), now)
            if owner is not None:
                return Caller.of(owner, device_key=owner.device_key)
    raise ServiceError(codes.SESSION_INVALID)

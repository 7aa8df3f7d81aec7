"""Opening a session for somebody who has authenticated: with a password, a passkey, or through a provider.

A session token is base64 of `<identity>#ATK#<secret>`. Only a digest of the secret is stored. A session's JWT is
exchanged for download nonces: short-lived keys that authorise downloads by cookie.
"""

import base64
import binascii
import hashlib
from collections.abc import Callable
from contextlib import nullcontext
from typing import Final
from uuid import UUID

import msgspec

from skyshelf.service.accounts import login_throttle
from skyshelf.service.audit import kinds, new_event, recorded
from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.errors import ServiceError, codes, missing_as
from skyshelf.service.secret_table import SESSION_TOKENS
from skyshelf.service.secrets import is_same
from skyshelf.storage.metadata.contracts.accounts import Account, NewDevice
from skyshelf.storage.metadata.contracts.sessions import NewSession, Session
from skyshelf.storage.metadata.read_only import even_while_read_only
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire.limits import NONCE_LIFETIME_MS, TOKEN_CHARS_MAX
from skyshelf.wire.resources.account import CookieNonce, CookieNonceRequest
from skyshelf.wire.resources.credentials import DeviceLoginRequest, LoginAnswer

_DAY: Final = 24 * 60 * 60 * 1000
_SEPARATOR = b"#ATK#"
_REFRESH_SEPARATOR = b"#RTK#"
_SCHEME = "basic "
SECRET_BYTES = 32


def device_of(ctx: ServiceContext, request: DeviceLoginRequest) -> NewDevice:
    """Return the device that a login names, or a new one."""
    return NewDevice(
        device_key=str(UUID(request.device_key)) if request.device_key else ctx.new_uuid(),
        device_name=request.device_name or "Browser",
        platform_type=request.platform_type or "Web",
    )


class Opening(msgspec.Struct, frozen=True, kw_only=True):
    """A session that is about to be opened."""

    account: Account
    device: NewDevice
    buckets: login_throttle.Buckets
    accept: Callable[[Unit, Account], None]
    """Checks all requirements in the transaction of the session; it gets the account as it is then."""
    by: str = ""
    """How the user authenticated, if not with a password."""
    failure: str = kinds.FACTOR_FAILED
    """The kind of event if the second factor, or the passkey, is refused; that counts against the buckets."""
    opened: Callable[[Unit, bytes], None] | None = None
    """Adds rows that belong to the session with this digest."""
    must_last: bool = False
    """Whether to refuse it in read-only mode, where it may be lost."""


def open_session(ctx: ServiceContext, opening: Opening, address: str) -> LoginAnswer:
    """Open a session of a device; the device's previous session ends."""
    account, device = opening.account, opening.device
    now, secret = ctx.clock.now(), ctx.randomness.bytes(SECRET_BYTES)
    proposed_key = ctx.randomness.bytes(32)
    session_hash = hash_of_secret(secret)
    session = NewSession(secret_hash=session_hash, device_key=device.device_key, expires_at=expiry(ctx, now))
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
        # All instances sign with the same key: the first proposal wins.
        return unit.settings.get(SIGNING_KEY) or unit.settings.set_once(SIGNING_KEY, proposed_key)

    # A login works in read-only mode, although its session may be lost.
    try:
        with nullcontext() if opening.must_last else even_while_read_only():
            key = recorded(ctx, work, event)
    except ServiceError as error:
        if error.error in (codes.LOGIN_CODE_REFUSED, codes.PASSKEY_REFUSED):
            buckets = opening.buckets
            failure = new_event(ctx, opening.failure, account, address=address, device_key=buckets.device_key)
            login_throttle.failed(ctx, buckets, failure)
        raise
    return login_answer(ctx, account, secret, device_key=device.device_key, key=key, now=now)


def login_answer(
    ctx: ServiceContext, owner: Account | Session, secret: bytes, *, device_key: str, key: bytes, now: int
) -> LoginAnswer:
    """Describe a new session with its tokens: one that follows `Basic `, and one that renews the session.

    Both hold the same secret: either one could keep the session in use. The identity is new at every login and never
    compared.
    """
    identity = ctx.new_key().encode()
    return LoginAnswer(
        user_id=owner.account_key,
        device_key=device_key,
        root_folder_key=owner.root_key,
        auth_token=base64.b64encode(identity + _SEPARATOR + secret.hex().encode()).decode(),
        jwt=make_jwt(key, owner.account_key, hash_of_secret(secret), now),
        refresh_token=base64.b64encode(identity + _REFRESH_SEPARATOR + secret.hex().encode()).decode(),
        expires_in=ctx.rules.session_days * _DAY // 1000,
    )


def expiry(ctx: ServiceContext, now: int) -> int:
    """Return when a session that is used now will expire."""
    return now + ctx.rules.session_days * _DAY


def hash_of_secret(secret: bytes) -> bytes:
    """Return the digest by which a session is found. The secret is random, so a plain digest hides it."""
    return hashlib.sha256(secret.hex().encode()).digest()


def secret_in(authorization: str) -> bytes | None:
    """Return the secret in an Authorization header, as text; None if it holds no session token.

    Some clients encode the token once more, because the scheme is called Basic.
    """
    if len(authorization) > TOKEN_CHARS_MAX or authorization[: len(_SCHEME)].lower() != _SCHEME:
        return None
    token = authorization[len(_SCHEME) :].strip()
    return _secret_of(token, _SEPARATOR) or _secret_of(_decoded(token).decode("latin-1"), _SEPARATOR)


def secret_in_refresh(token: str) -> bytes | None:
    """Return the secret in a token that renews a session, as text; None if it is not one."""
    return _secret_of(token, _REFRESH_SEPARATOR)


def _secret_of(token: str, separator: bytes) -> bytes | None:
    identity, found, secret = _decoded(token).partition(separator)
    return secret if identity and found and secret else None


def _decoded(token: str) -> bytes:
    """Decode base64; empty if it is not valid."""
    try:
        return base64.b64decode(token.encode("ascii"), validate=True)
    except (UnicodeEncodeError, binascii.Error, ValueError):
        return b""


# Download nonces

SIGNING_KEY: Final = SESSION_TOKENS
_ALGORITHM = "HS256"
# A JWT that this server issues for another purpose has another audience and is rejected here.
_AUDIENCE = "download-nonce"


def make_jwt(key: bytes, account_key: str, session_hash: bytes, now: int) -> str:
    """Sign a session's JWT. It has no expiry: it is valid for as long as the session."""
    # Imported here because only logins need it, and the server should start quickly.
    from joserfc import jwt
    from joserfc.jwk import OctKey

    claims = {"sub": account_key, "sid": _session_mark(session_hash), "aud": _AUDIENCE, "iat": now // 1000}
    return jwt.encode({"alg": _ALGORITHM}, claims, OctKey.import_key(key))


def nonce_for(ctx: ServiceContext, caller: Caller, request: CookieNonceRequest) -> CookieNonce:
    """Create a nonce for the calling session; the JWT must come from the same login."""
    nonce = ctx.new_uuid()
    expires_at = ctx.clock.now() + NONCE_LIFETIME_MS
    with ctx.metadata.read() as unit:
        key = unit.settings.get(SIGNING_KEY)
    if key is None or not _is_jwt_of(request.jwt, key, caller):
        raise ServiceError(codes.JWT_REFUSED)
    # A nonce lives for minutes, and downloads work in read-only mode.
    with missing_as(codes.SESSION_INVALID), even_while_read_only():
        ctx.metadata.write(
            lambda unit: unit.nonces.add(nonce_hash(nonce), caller.account_id, caller.session_hash, expires_at)
        )
    return CookieNonce(nonce=nonce)


def nonce_hash(nonce: str) -> bytes:
    return hashlib.sha256(nonce.encode("utf-8", "surrogatepass")).digest()


def _is_jwt_of(token: str, key: bytes, caller: Caller) -> bool:
    from joserfc import jwt
    from joserfc.errors import JoseError
    from joserfc.jwk import OctKey

    try:
        claims = jwt.decode(token, OctKey.import_key(key), algorithms=[_ALGORITHM]).claims
    except (JoseError, ValueError):
        return False
    is_same_session = is_same(str(claims.get("sid")), _session_mark(caller.session_hash))
    return is_same_session and claims.get("aud") == _AUDIENCE and claims.get("sub") == caller.account_key


def _session_mark(session_hash: bytes) -> str:
    """Identifies a session without revealing the digest that it is stored under."""
    return hashlib.sha256(b"jwt" + session_hash).hexdigest()[:32]

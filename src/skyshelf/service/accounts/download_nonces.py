"""Download nonces: a session's JWT is exchanged for a short-lived key that authorises downloads by cookie."""

import hashlib
import hmac
from uuid import UUID

from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.errors import ServiceError
from skyshelf.storage.errors import Missing
from skyshelf.storage.metadata.read_only import even_while_read_only
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire import error_codes as codes
from skyshelf.wire.limits import NONCE_LIFETIME_MS
from skyshelf.wire.resources.account import CookieNonce, CookieNonceRequest

SIGNING_KEY = "jwt-signing-key"
_ALGORITHM = "HS256"
# A JWT that this server issues for another purpose has another audience and is rejected here.
_AUDIENCE = "download-nonce"


def signing_key(unit: Unit, proposal: bytes) -> bytes:
    """The key that all instances sign with; the first proposal wins."""
    return unit.settings.get(SIGNING_KEY) or unit.settings.set_once(SIGNING_KEY, proposal)


def make_jwt(key: bytes, account_key: str, session_hash: bytes, now: int) -> str:
    """A session's JWT. It has no expiry: it is valid for as long as the session."""
    import jwt  # here, because only logins need it and the server should start quickly

    claims = {"sub": account_key, "sid": _session_mark(session_hash), "aud": _AUDIENCE, "iat": now // 1000}
    return jwt.encode(claims, key, _ALGORITHM)


def renewed_jwt(unit: Unit, account_key: str, session_hash: bytes, now: int) -> str | None:
    """A new JWT for an open session; None before the first login."""
    key = unit.settings.get(SIGNING_KEY)
    return make_jwt(key, account_key, session_hash, now) if key else None


def nonce_for(ctx: ServiceContext, caller: Caller, request: CookieNonceRequest) -> CookieNonce:
    """A nonce for the calling session; the JWT must come from the same login."""
    nonce = str(UUID(bytes=ctx.randomness.bytes(16), version=4))
    expires_at = ctx.clock.now() + NONCE_LIFETIME_MS
    with ctx.metadata.read() as unit:
        key = unit.settings.get(SIGNING_KEY)
    if key is None or not _is_jwt_of(request.jwt, key, caller):
        raise ServiceError(codes.JWT_REFUSED)
    try:
        # A nonce lives for minutes, and downloads work in read-only mode.
        with even_while_read_only():
            ctx.metadata.write(
                lambda unit: unit.nonces.add(nonce_hash(nonce), caller.account_id, caller.session_hash, expires_at)
            )
    except Missing as ended:
        raise ServiceError(codes.SESSION_INVALID) from ended
    return CookieNonce(nonce=nonce)


def nonce_hash(nonce: str) -> bytes:
    return hashlib.sha256(nonce.encode("utf-8", "surrogatepass")).digest()


def _is_jwt_of(token: str, key: bytes, caller: Caller) -> bool:
    import jwt

    try:
        claims = jwt.decode(
            token,
            key,
            algorithms=[_ALGORITHM],
            audience=_AUDIENCE,
            options={"require": ["sub", "sid", "aud"], "verify_iat": False},
        )
    except (jwt.InvalidTokenError, UnicodeError, ValueError):
        return False
    session, account = str(claims["sid"]), str(claims["sub"])
    is_same_session = hmac.compare_digest(session.encode(), _session_mark(caller.session_hash).encode())
    return is_same_session and account == caller.account_key


def _session_mark(session_hash: bytes) -> str:
    """Identifies a session without revealing the digest that it is stored under."""
    return hashlib.sha256(b"jwt" + session_hash).hexdigest()[:32]

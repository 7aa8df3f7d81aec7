"""Cookie nonces: a JWT of the session is exchanged for a key that opens downloads for a short while."""

import hashlib
import hmac
from uuid import UUID

from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.errors import ServiceError
from skyshelf.storage.errors import Missing
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire import error_codes as codes
from skyshelf.wire.limits import NONCE_LIFETIME_MS
from skyshelf.wire.resources.account import CookieNonce, CookieNonceRequest

_SIGNING_KEY = "jwt-signing-key"
_ALGORITHM = "HS256"
# A JWT of ours for any other purpose would have another audience, and would be refused here.
_AUDIENCE = "download-nonce"


def signing_key(unit: Unit, proposal: bytes) -> bytes:
    """The key that all instances sign with; the first one proposed stays."""
    return unit.settings.get(_SIGNING_KEY) or unit.settings.set_once(_SIGNING_KEY, proposal)


def make_jwt(key: bytes, account_key: str, session_hash: bytes, now: int) -> str:
    """The JWT of a session. It has no end of its own: it is worth something only while its session lives."""
    import jwt  # here, because a server has to be up quickly and needs it only when somebody logs in

    claims = {"sub": account_key, "sid": _session_mark(session_hash), "aud": _AUDIENCE, "iat": now // 1000}
    return jwt.encode(claims, key, _ALGORITHM)


def jwt_again(unit: Unit, account_key: str, session_hash: bytes, now: int) -> str | None:
    """A JWT for a session that is open already."""
    key = unit.settings.get(_SIGNING_KEY)
    return make_jwt(key, account_key, session_hash, now) if key else None


def nonce_for(ctx: ServiceContext, caller: Caller, request: CookieNonceRequest) -> CookieNonce:
    """A nonce for the session that calls; its JWT must be the one that the same login gave out."""
    nonce = str(UUID(bytes=ctx.randomness.bytes(16), version=4))
    expires_at = ctx.clock.now() + NONCE_LIFETIME_MS
    with ctx.metadata.read() as unit:
        key = unit.settings.get(_SIGNING_KEY)
    if key is None or not _belongs(request.jwt, key, caller):
        raise ServiceError(codes.JWT_REFUSED)
    try:
        ctx.metadata.write(
            lambda unit: unit.nonces.add(nonce_hash(nonce), caller.account_id, caller.session_hash, expires_at)
        )
    except Missing as ended_meanwhile:
        raise ServiceError(codes.SESSION_INVALID) from ended_meanwhile
    return CookieNonce(nonce=nonce)


def nonce_hash(nonce: str) -> bytes:
    return hashlib.sha256(nonce.encode("utf-8", "surrogatepass")).digest()


def _belongs(token: str, key: bytes, caller: Caller) -> bool:
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
    is_ours = hmac.compare_digest(session.encode(), _session_mark(caller.session_hash).encode())
    return is_ours and account == caller.account_key


def _session_mark(session_hash: bytes) -> str:
    """Names a session without telling the digest that it is stored under."""
    return hashlib.sha256(b"jwt" + session_hash).hexdigest()[:32]

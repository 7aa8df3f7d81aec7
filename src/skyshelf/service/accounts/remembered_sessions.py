"""A session that was looked up, and for how long that holds: until anything at all is committed."""

import hashlib

import msgspec

from skyshelf.service.accounts.session_tokens import secret_in
from skyshelf.service.accounts.sessions import TOUCHED_EVERY, caller_of, is_of
from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.errors import ServiceError
from skyshelf.wire import error_codes as codes


class RememberedSession(msgspec.Struct, frozen=True):
    caller: Caller
    version: object
    """That of the store when the session was looked up."""
    since: int
    until: int
    """When it expires, or its use has to be noted."""

    def holds(self, version: object, now: int) -> bool:
        return self.version == version and self.since <= now < self.until


def look_up(
    ctx: ServiceContext, version: object, *, authorization: str, user_id: str, device_key: str
) -> RememberedSession:
    """The session with these three headers; the version was read before.

    SESSION_INVALID also for what `sessions.by_token` alone can decide, such as a session whose use has to be noted.
    """
    now, secret = ctx.clock.now(), secret_in(authorization)
    if secret is None:
        raise ServiceError(codes.SESSION_INVALID)
    with ctx.metadata.read() as unit:
        session = unit.sessions.find(hashlib.sha256(secret).digest(), now)
    if session is None or not is_of(session, user_id, device_key):
        raise ServiceError(codes.SESSION_INVALID)
    until = min(session.expires_at, session.last_used_at + TOUCHED_EVERY)
    if now >= until:
        raise ServiceError(codes.SESSION_INVALID)
    return RememberedSession(caller_of(session), version, now, until)

"""Back-channel logout: a provider ends the sessions that came from it."""

import hashlib
import logging
from typing import Final

from skyshelf.service.accounts import login_throttle
from skyshelf.service.audit import kinds
from skyshelf.service.audit.events import new_event
from skyshelf.service.context import ServiceContext
from skyshelf.service.errors import ServiceError
from skyshelf.service.identity.logins import party_of
from skyshelf.service.oidc.errors import OidcError, TokenRefused
from skyshelf.storage.metadata.read_only import even_while_read_only
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire import error_codes as codes

_log = logging.getLogger("skyshelf.identity")
_UNUSABLE: Final = "This is no logout token that can be accepted"


def log_out(ctx: ServiceContext, provider_id: str, token: str, address: str) -> int:
    """End the sessions that the token names; how many there were. A token counts once."""
    party = party_of(ctx, provider_id)
    buckets = login_throttle.ProviderBuckets(provider_id, address)
    login_throttle.check(ctx, buckets)
    try:
        named = party.logout_token(token)
    except TokenRefused as refused:
        _log.warning("refused a logout by %s: %s", provider_id, refused)
        ctx.provider_counts.add(provider_id, "logout-refused")
        login_throttle.failed(ctx, buckets)
        raise ServiceError(codes.INVALID_REQUEST, _UNUSABLE) from None
    except OidcError as unavailable:
        _log.error("a logout by %s failed: %s", provider_id, unavailable)
        raise ServiceError(codes.PROVIDER_UNAVAILABLE) from None
    issuer = party.provider.issuer
    digest = hashlib.sha256(f"logout {issuer} {named.token_id}".encode()).digest()

    def work(unit: Unit) -> int | None:
        if not unit.spent_tokens.spend(digest, named.expires_at * 1000):
            return None
        ended = unit.identities.end_sessions(issuer, subject=named.subject, sid=named.sid)
        unit.audit.add(
            [
                new_event(
                    ctx,
                    kinds.LOGOUT_BY_PROVIDER,
                    account_id=account_id,
                    address=address,
                    device_key="",
                    times=count,
                    provider=provider_id,
                )
                for account_id, count in ended.items()
            ]
        )
        return sum(ended.values())

    # A provider keeps people out in read-only mode, too.
    with even_while_read_only():
        ended = ctx.metadata.write(work)
    if ended is None:
        _log.warning("refused a logout by %s: the token was used before", provider_id)
        raise ServiceError(codes.INVALID_REQUEST, _UNUSABLE)
    ctx.provider_counts.add(provider_id, "logout")
    return ended

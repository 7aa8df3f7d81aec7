"""The password gate of shares: a visitor who enters the password gets a proof that keeps the share open."""

import base64
import hmac

from skyshelf.service.accounts.login_throttle import LoginBuckets, admit, check, failed, succeeded
from skyshelf.service.accounts.passwords import matches
from skyshelf.service.audit import kinds
from skyshelf.service.audit.events import new_event
from skyshelf.service.context import ServiceContext
from skyshelf.service.sharing.links import share_secret
from skyshelf.storage.metadata.contracts.shares import Share
from skyshelf.storage.metadata.read_only import even_while_read_only


def is_open(ctx: ServiceContext, share: Share, proof: str) -> bool:
    """Whether the share has no password, or the visitor has a valid proof."""
    if not share.password_hash:
        return True
    return hmac.compare_digest(proof.encode("utf-8", "surrogatepass"), _proof(ctx, share).encode())


def check_throttle(ctx: ServiceContext, share: Share, address: str) -> None:
    """Throttled if `unlock` would refuse whatever the password is."""
    check(ctx, _buckets(share, address))


def unlock(ctx: ServiceContext, share: Share, password: str, address: str) -> str | None:
    """The proof for the visitor's browser; None for a wrong password. Throttled like logins."""
    buckets = _buckets(share, address)
    admit(ctx, buckets)
    if not matches(password, share.password_hash):
        event = new_event(
            ctx, kinds.LINK_FAILED, account_id=share.account_id, address=address, link_key=share.share_key
        )
        failed(ctx, buckets, event)
        return None
    with even_while_read_only():
        ctx.metadata.write(lambda unit: succeeded(unit, buckets))
    return _proof(ctx, share)


def _buckets(share: Share, address: str) -> LoginBuckets:
    # Every email address has an @, so this bucket never belongs to an account.
    return LoginBuckets(f"share {share.share_key}", address, None)


def _proof(ctx: ServiceContext, share: Share) -> str:
    """Valid for this share and this password only: after a password change everybody is asked again."""
    mac = hmac.digest(share_secret(ctx), f"proof {share.share_key} {share.password_hash}".encode(), "sha256")
    return base64.urlsafe_b64encode(mac).decode()

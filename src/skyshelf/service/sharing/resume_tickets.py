"""Resume tickets: the right to resume a download that has been counted.

A link can be limited to a number of downloads. Resuming an interrupted download must not cost another one, and range
requests must not bypass the limit. So each download comes with a ticket for that content, which allows range requests
past the first byte for a day. Without a ticket, every response is complete and counts.
"""

import hmac

from skyshelf.service.context import ServiceContext
from skyshelf.service.files.downloads import Original
from skyshelf.service.sharing.links import share_secret
from skyshelf.storage.metadata.contracts.shares import Share

LIFETIME_MS = 24 * 60 * 60 * 1000


def issue_ticket(ctx: ServiceContext, share: Share, object_key: str, original: Original) -> str:
    """A ticket for a download that begins now, for the visitor's browser to keep."""
    until = ctx.clock.now() + LIFETIME_MS
    return f"{until}.{_signature(ctx, share, object_key, original, until)}"


def is_valid(ctx: ServiceContext, share: Share, object_key: str, original: Original, ticket: str) -> bool:
    """Whether the ticket is for this content and has not expired."""
    until, _, signature = ticket.partition(".")
    if not (until.isascii() and until.isdigit() and len(until) < 16 and int(until) > ctx.clock.now()):
        return False
    expected = _signature(ctx, share, object_key, original, int(until))
    return hmac.compare_digest(signature.encode("utf-8", "surrogatepass"), expected.encode())


def _signature(ctx: ServiceContext, share: Share, object_key: str, original: Original, until: int) -> str:
    text = f"ticket {share.share_key} {object_key.upper()} {original.md5} {until}"
    return hmac.digest(share_secret(ctx), text.encode(), "sha256").hex()

"""Tickets: the right to the rest of a download that was counted already.

A link can be good for a number of downloads. A download that breaks off shall not cost another one when it goes on, and
parts shall not be a way around the number. So whoever takes a download gets a ticket for that content, and with it, for
a day, what comes after its first byte; without a ticket there are no parts, and each answer is whole and counts.
"""

import hmac

from skyshelf.service.context import ServiceContext
from skyshelf.service.files.downloads import Original
from skyshelf.service.sharing.links import share_secret
from skyshelf.storage.metadata.contracts.shares import Share

LIFETIME_MS = 24 * 60 * 60 * 1000


def issue_ticket(ctx: ServiceContext, share: Share, object_key: str, original: Original) -> str:
    """What a visitor's browser keeps of a download that begins now."""
    until = ctx.clock.now() + LIFETIME_MS
    return f"{until}.{_mark(ctx, share, object_key, original, until)}"


def is_valid(ctx: ServiceContext, share: Share, object_key: str, original: Original, ticket: str) -> bool:
    """Whether the ticket is for this content and its time is not over."""
    until, _, mark = ticket.partition(".")
    if not (until.isascii() and until.isdigit() and len(until) < 16 and int(until) > ctx.clock.now()):
        return False
    expected = _mark(ctx, share, object_key, original, int(until))
    return hmac.compare_digest(mark.encode("utf-8", "surrogatepass"), expected.encode())


def _mark(ctx: ServiceContext, share: Share, object_key: str, original: Original, until: int) -> str:
    told = f"ticket {share.share_key} {object_key.upper()} {original.md5} {until}"
    return hmac.digest(share_secret(ctx), told.encode(), "sha256").hex()

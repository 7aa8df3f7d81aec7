"""Share links: creating, finding and opening them, and counting visits and downloads.

A token is not stored. It is derived from the share's key and a secret that all instances share, so the owner can see
the link again; the store keeps only the digest by which a visitor's token is found.
"""

import base64
import hmac
from collections.abc import Callable
from contextlib import suppress

from msgspec.structs import replace

from skyshelf.service.accounts.login_throttle import LoginBuckets, admit, check, failed, succeeded
from skyshelf.service.accounts.passwords import matches
from skyshelf.service.audit import about_keys, kinds, new_event, recorded
from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.errors import ServiceError, codes
from skyshelf.service.files.downloads import Original
from skyshelf.service.secret_table import SHARE_LINKS
from skyshelf.service.secrets import derived_token, is_same, token_hash
from skyshelf.storage.errors import StorageError, StoreFull
from skyshelf.storage.metadata.audit_events import AuditEvent
from skyshelf.storage.metadata.contracts.secrets import Generations
from skyshelf.storage.metadata.contracts.shares import NewShare, Share
from skyshelf.storage.metadata.read_only import even_while_read_only
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire.limits import TOKEN_CHARS_MAX
from skyshelf.wire.resources.shares import ShareLink, ShareRequest


def create_share(ctx: ServiceContext, caller: Caller, request: ShareRequest, origin: str) -> ShareLink:
    """Create a link to visible objects, in the given order."""
    share = add_share(ctx, caller, new_share(ctx, request.share_name, [one.object_key for one in request.objects]))
    return ShareLink(share_url=url_of(origin, token_of(ctx.generations(SHARE_LINKS), share)))


def add_share(
    ctx: ServiceContext, caller: Caller, new: NewShare, check: Callable[[Unit, Share], object] | None = None
) -> Share:
    """Store a new link, which `check` may still refuse; ObjectMissing if the caller cannot see one of the objects."""
    now = ctx.clock.now()
    event = new_event(ctx, kinds.SHARED, caller, link_key=new.share_key, name=new.name, board=new.board_key)
    if new.object_keys:
        event = replace(about_keys(event, new.object_keys), times=1)

    def work(unit: Unit) -> Share:
        share = unit.shares.add(caller.account_id, new, now)
        if check is not None:
            check(unit, share)
        return share

    return recorded(ctx, work, event, by=caller)


def new_share(ctx: ServiceContext, name: str, object_keys: list[str]) -> NewShare:
    """Build a link to objects with a new key and token, without limits."""
    share_key = ctx.new_key()
    secret = ctx.generations(SHARE_LINKS)
    token = token_hash(token_with(secret.value, share_key))
    return NewShare(
        share_key=share_key, token_hash=token, name=name, object_keys=object_keys, generation=secret.current
    )


def find_share(ctx: ServiceContext, token: str) -> Share:
    """Return the live share with that token; SHARE_NOT_FOUND if it is revoked, expired or used up."""
    share = find_used_up_share(ctx, token)
    if is_used_up(share):
        raise ServiceError(codes.SHARE_NOT_FOUND)
    return share


def find_used_up_share(ctx: ServiceContext, token: str) -> Share:
    """Return the share with that token, even if it is used up: its last download may still be resumed."""
    if not 0 < len(token) <= TOKEN_CHARS_MAX:
        raise ServiceError(codes.SHARE_NOT_FOUND)
    with ctx.metadata.read() as unit:
        share = unit.shares.by_token(token_hash(token), ctx.clock.now())
    if share is None:
        raise ServiceError(codes.SHARE_NOT_FOUND)
    return share


def is_used_up(share: Share) -> bool:
    return 0 < share.download_limit <= share.downloads


def is_live(share: Share, now: int) -> bool:
    """Whether the link works for visitors, provided that its objects exist."""
    is_dead = share.board_key is not None and share.board_name is None
    return not is_dead and not is_used_up(share) and (share.expires_at == 0 or share.expires_at > now)


def count_visit(ctx: ServiceContext, share: Share) -> None:
    """Count a visit. A store that cannot be written to must not lock visitors out."""
    now, events = ctx.clock.now(), _first_only(ctx, _event_of(ctx, kinds.LINK_VISIT, share))
    with suppress(StorageError):
        recorded(ctx, lambda unit: unit.shares.count_visit(share.share_key, now), *events)


def take_download(ctx: ServiceContext, share: Share, object_key: str = "") -> None:
    """Count a download of an object, or of everything; SHARE_NOT_FOUND when the limit is reached.

    A store that cannot be written to must not lock visitors out; but a limited share allows no downloads until they
    can be counted.
    """
    now, event = ctx.clock.now(), _event_of(ctx, kinds.LINK_DOWNLOAD, share, object_key)
    if share.download_limit == 0 and ctx.mode.now(ctx.metadata) is not None:
        ctx.trail.note(ctx.metadata, event, share.share_key)
        return
    events = _first_only(ctx, event)
    try:
        is_taken = recorded(ctx, lambda unit: unit.shares.take_download(share.share_key, now), *events)
    except StoreFull:
        if share.download_limit:
            raise
        ctx.trail.note(ctx.metadata, event, share.share_key)
        return
    if not is_taken:
        raise ServiceError(codes.SHARE_NOT_FOUND)


def note_view(ctx: ServiceContext, share: Share, object_key: str) -> None:
    """Record that a visitor viewed a file in the browser; it does not count as a download."""
    ctx.trail.note(ctx.metadata, _event_of(ctx, kinds.LINK_VIEW, share, object_key), share.share_key)


def _event_of(ctx: ServiceContext, kind: str, share: Share, object_key: str = "") -> AuditEvent:
    return new_event(
        ctx, kind, account_id=share.account_id, link_key=share.share_key, object_key=object_key, name=share.name
    )


def _first_only(ctx: ServiceContext, event: AuditEvent) -> list[AuditEvent]:
    """Return the event, unless it repeats others, which are only counted."""
    return [event] if ctx.trail.is_first(ctx.metadata, event, event.link_key) else []


def token_of(secret: Generations, share: Share) -> str:
    """Return the token of a link, which the secret of its generation derives; empty if that was destroyed."""
    value = secret.values.get(share.generation)
    return "" if value is None else token_with(value, share.share_key)


def token_with(secret: bytes, share_key: str) -> str:
    return derived_token(secret, "token", share_key)


def url_of(origin: str, token: str) -> str:
    return f"{origin}/l/?u={token}"


# Access: the password that opens a share, and tickets that resume a download. A visitor who enters the password gets a
# proof that keeps the share open. Resuming an interrupted download must not cost another one of a limited number, and
# range requests must not bypass the limit. So each download comes with a ticket for that content, which allows range
# requests past the first byte for a day. Without a ticket, every response is complete and counts.

TICKET_LIFETIME_MS = 24 * 60 * 60 * 1000


def is_open(ctx: ServiceContext, share: Share, proof: str) -> bool:
    """Whether the share has no password, or the visitor has a valid proof."""
    return not share.password_hash or is_same(proof, _proof(ctx, share))


def check_throttle(ctx: ServiceContext, share: Share, address: str) -> None:
    """Throttled if `unlock` would refuse any password."""
    check(ctx, _buckets(share, address))


def unlock(ctx: ServiceContext, share: Share, password: str, address: str) -> str | None:
    """Return the proof for the visitor's browser; None for a wrong password. Throttled like logins."""
    buckets, key = _buckets(share, address), share.share_key
    admit(ctx, buckets)
    if not matches(password, share.password_hash):
        event = new_event(ctx, kinds.LINK_FAILED, account_id=share.account_id, address=address, link_key=key)
        failed(ctx, buckets, event)
        return None
    with even_while_read_only():
        ctx.metadata.write(lambda unit: succeeded(unit, buckets))
    return _proof(ctx, share)


def _buckets(share: Share, address: str) -> LoginBuckets:
    # Every email address has an @, so this bucket never belongs to an account.
    return LoginBuckets(f"share {share.share_key}", address, None)


def _proof(ctx: ServiceContext, share: Share) -> str:
    """Derive a proof that is valid for this share and password: after a change, visitors are asked again."""
    mac = hmac.digest(ctx.secret(SHARE_LINKS), f"proof {share.share_key} {share.password_hash}".encode(), "sha256")
    return base64.urlsafe_b64encode(mac).decode()


def issue_ticket(ctx: ServiceContext, share: Share, object_key: str, original: Original) -> str:
    """Issue a ticket for a download that begins now, for the visitor's browser to keep."""
    until = ctx.clock.now() + TICKET_LIFETIME_MS
    return f"{until}.{_signature(ctx, share, object_key, original, until)}"


def is_valid_ticket(ctx: ServiceContext, share: Share, object_key: str, original: Original, ticket: str) -> bool:
    """Whether the ticket is for this content and has not expired."""
    until, _, signature = ticket.partition(".")
    if not (until.isascii() and until.isdigit() and len(until) < 16 and int(until) > ctx.clock.now()):
        return False
    return is_same(signature, _signature(ctx, share, object_key, original, int(until)))


def _signature(ctx: ServiceContext, share: Share, object_key: str, original: Original, until: int) -> str:
    text = f"ticket {share.share_key} {object_key.upper()} {original.md5} {until}"
    return hmac.digest(ctx.secret(SHARE_LINKS), text.encode(), "sha256").hex()

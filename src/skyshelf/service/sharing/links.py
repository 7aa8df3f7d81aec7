"""Share links: creating them, finding a share by its token, and counting visits and downloads.

A token is not stored. It is derived from the share's key and a secret that all instances share, so the owner can see
the link again; the store keeps only the digest by which a visitor's token is found.
"""

from contextlib import suppress

from msgspec.structs import replace

from skyshelf.service.audit import kinds
from skyshelf.service.audit.events import about_keys, new_event, recorded
from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.errors import ServiceError
from skyshelf.service.secrets import derived_token, get_or_create_secret, token_hash
from skyshelf.storage.errors import StorageError
from skyshelf.storage.metadata.audit_events import AuditEvent
from skyshelf.storage.metadata.contracts.shares import NewShare, Share
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire import error_codes as codes
from skyshelf.wire.limits import TOKEN_CHARS_MAX
from skyshelf.wire.resources.shares import ShareLink, ShareRequest

_SECRET = "share-token-secret"  # noqa: S105 - the name of the setting


def create_share(ctx: ServiceContext, caller: Caller, request: ShareRequest, origin: str) -> ShareLink:
    """Create a link to visible objects, in the given order."""
    share = add_share(ctx, caller, request.share_name, [shared.object_key for shared in request.objects])
    return ShareLink(share_url=url_of(origin, token_of(share_secret(ctx), share.share_key)))


def add_share(ctx: ServiceContext, caller: Caller, name: str, object_keys: list[str]) -> Share:
    """Store a new link; ObjectMissing when the caller cannot see one of the objects."""
    new, now = new_share(ctx, name, object_keys), ctx.clock.now()

    def work(unit: Unit) -> Share:
        unit.act_as(caller.actor)
        return unit.shares.add(caller.account_id, new, now)

    return recorded(ctx, work, shared(ctx, caller, new))


def shared(ctx: ServiceContext, caller: Caller, new: NewShare) -> AuditEvent:
    """The event of a new link."""
    event = new_event(ctx, kinds.SHARED, caller, link_key=new.share_key, name=new.name, album=new.board_key)
    return replace(about_keys(event, new.object_keys), times=1) if new.object_keys else event


def new_share(ctx: ServiceContext, name: str, object_keys: list[str]) -> NewShare:
    """A link to objects with its own key and token, without limits."""
    share_key = ctx.new_key()
    token = token_hash(token_of(share_secret(ctx), share_key))
    return NewShare(share_key=share_key, token_hash=token, name=name, object_keys=object_keys)


def find_share(ctx: ServiceContext, token: str) -> Share:
    """The live share with that token; SHARE_NOT_FOUND for one that is revoked, expired or used up."""
    share = find_used_up_share(ctx, token)
    if is_used_up(share):
        raise ServiceError(codes.SHARE_NOT_FOUND)
    return share


def find_used_up_share(ctx: ServiceContext, token: str) -> Share:
    """As find_share, but including a share that is used up: its last download may still be resumed."""
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
    """Count a visit. A store that cannot be written to right now must not lock visitors out."""
    now, events = ctx.clock.now(), _first_only(ctx, _event_of(ctx, kinds.LINK_VISIT, share))
    with suppress(StorageError):
        recorded(ctx, lambda unit: unit.shares.count_visit(share.share_key, now), *events)


def take_download(ctx: ServiceContext, share: Share, object_key: str = "") -> None:
    """Count a download of an object, or of everything; SHARE_NOT_FOUND when the limit is reached."""
    now, event = ctx.clock.now(), _event_of(ctx, kinds.LINK_DOWNLOAD, share, object_key)
    if share.download_limit == 0 and ctx.mode.now(ctx.metadata) is not None:
        # Not counted in read-only mode; where a count limits the downloads, there are none until it can be written.
        ctx.trail.note(ctx.metadata, event, share.share_key)
        return
    events = _first_only(ctx, event)
    if not recorded(ctx, lambda unit: unit.shares.take_download(share.share_key, now), *events):
        raise ServiceError(codes.SHARE_NOT_FOUND)


def note_view(ctx: ServiceContext, share: Share, object_key: str) -> None:
    """A visitor looks at a file in the browser: no download that counts, and yet recorded."""
    ctx.trail.note(ctx.metadata, _event_of(ctx, kinds.LINK_VIEW, share, object_key), share.share_key)


def _event_of(ctx: ServiceContext, kind: str, share: Share, object_key: str = "") -> AuditEvent:
    return new_event(
        ctx, kind, account_id=share.account_id, link_key=share.share_key, object_key=object_key, name=share.name
    )


def _first_only(ctx: ServiceContext, event: AuditEvent) -> list[AuditEvent]:
    """The event, if it is not one of many of the same kind, which are counted."""
    return [event] if ctx.trail.is_first(ctx.metadata, event, event.link_key) else []


def share_secret(ctx: ServiceContext) -> bytes:
    """The secret from which tokens are derived."""
    return get_or_create_secret(ctx, _SECRET)


def token_of(secret: bytes, share_key: str) -> str:
    """The token in a share's URL."""
    return derived_token(secret, "token", share_key)


def url_of(origin: str, token: str) -> str:
    return f"{origin}/l/?u={token}"

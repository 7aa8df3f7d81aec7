"""Managing one's own share links: listing, creating, editing and revoking them."""

import re

from skyshelf.service.accounts.passwords import check_new_password, hash_password
from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.errors import ServiceError
from skyshelf.service.sharing.links import add_share, is_live, share_secret, token_of, url_of
from skyshelf.storage.errors import Missing
from skyshelf.storage.metadata.contracts.shares import Share, ShareEdit
from skyshelf.storage.metadata.contracts.tree import StoredObject
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire import error_codes as codes
from skyshelf.wire.limits import SHARE_NAMES_SHOWN
from skyshelf.wire.resources.objects import ObjectType
from skyshelf.wire.resources.shares import (
    NewShareRequest,
    OwnShare,
    OwnShares,
    SharedName,
    ShareEditRequest,
    SharesQuery,
)

_CURSOR = re.compile(r"([0-9]{1,15})-([0-9A-F]{32})", re.ASCII)


def own_shares(ctx: ServiceContext, caller: Caller, query: SharesQuery, origin: str) -> OwnShares:
    """A page of the caller's links, newest first."""
    after = None if query.cursor is None else _place_of(query.cursor)
    with ctx.metadata.read() as unit:
        found = unit.shares.page(caller.account_id, limit=query.limit + 1, after=after)
        page = found[: query.limit]
        visible = _visible_objects(unit, caller, page)
    secret, now = share_secret(ctx), ctx.clock.now()
    return OwnShares(
        shares=[_wire_share(share, visible, secret, origin, now) for share in page],
        next_cursor=f"{page[-1].created_at}-{page[-1].share_key}" if len(found) > len(page) else None,
    )


def own_share(ctx: ServiceContext, caller: Caller, share_key: str, origin: str) -> OwnShare:
    """One of the caller's links."""
    try:
        with ctx.metadata.read() as unit:
            share = unit.shares.get(caller.account_id, share_key)
            visible = _visible_objects(unit, caller, [share])
    except Missing as missing:
        raise ServiceError(codes.SHARE_NOT_FOUND) from missing
    return _wire_share(share, visible, share_secret(ctx), origin, ctx.clock.now())


def create_own_share(ctx: ServiceContext, caller: Caller, request: NewShareRequest, origin: str) -> OwnShare:
    """Create a link together with its limits."""
    share = add_share(
        ctx,
        caller,
        request.share_name,
        request.object_keys,
        expires_at=request.expiry_date or 0,
        password_hash=_hash_of(request.password) or "",
        download_limit=request.max_downloads or 0,
    )
    return own_share(ctx, caller, share.share_key, origin)


def edit_share(ctx: ServiceContext, caller: Caller, share_key: str, request: ShareEditRequest, origin: str) -> OwnShare:
    """Change a link's name and limits. After a password change visitors are asked again; the counters continue."""
    edit = ShareEdit(
        name=request.share_name,
        expires_at=request.expiry_date,
        password_hash=_hash_of(request.password),
        download_limit=request.max_downloads,
    )
    try:
        ctx.metadata.write(lambda unit: unit.shares.edit(caller.account_id, share_key, edit))
    except Missing as missing:
        raise ServiceError(codes.SHARE_NOT_FOUND) from missing
    return own_share(ctx, caller, share_key, origin)


def revoke_share(ctx: ServiceContext, caller: Caller, share_key: str) -> None:
    """Revoke a link for good."""
    now = ctx.clock.now()
    if not ctx.metadata.write(lambda unit: unit.shares.revoke(caller.account_id, share_key, now)):
        raise ServiceError(codes.SHARE_NOT_FOUND)


def _hash_of(password: str | None) -> str | None:
    """The hash to store: None for no change, and empty for no password."""
    if not password:
        return password
    check_new_password(password)
    return hash_password(password)


def _place_of(cursor: str) -> tuple[int, str]:
    parts = _CURSOR.fullmatch(cursor)
    if parts is None:
        raise ServiceError(codes.BAD_CURSOR)
    return int(parts[1]), parts[2]


def _visible_objects(unit: Unit, caller: Caller, shares: list[Share]) -> dict[str, StoredObject]:
    """The objects whose names the list shows, as far as they are visible."""
    keys = [key for share in shares for key in share.object_keys[:SHARE_NAMES_SHOWN]]
    return unit.tree.visible_many(caller.account_id, list(dict.fromkeys(keys)))


def _wire_share(share: Share, visible: dict[str, StoredObject], secret: bytes, origin: str, now: int) -> OwnShare:
    return OwnShare(
        share_key=share.share_key,
        share_name=share.name,
        share_url=url_of(origin, token_of(secret, share.share_key)),
        is_live=is_live(share, now),
        created_date=share.created_at,
        expiry_date=share.expires_at or None,
        has_password=bool(share.password_hash),
        max_downloads=share.download_limit or None,
        downloads=share.downloads,
        visits=share.visits,
        last_visit_date=share.last_visit_at or None,
        object_keys=share.object_keys,
        objects=[_named(visible[key]) for key in share.object_keys[:SHARE_NAMES_SHOWN] if key in visible],
    )


def _named(stored: StoredObject) -> SharedName:
    kind = ObjectType.FOLDER if stored.is_folder else ObjectType.FILE
    return SharedName(object_key=stored.object_key, object_name=stored.name, object_type=kind.value)

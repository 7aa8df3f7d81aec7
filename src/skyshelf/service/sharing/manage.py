"""Managing one's own share links: listing, creating, editing and revoking them."""

import re
from typing import Final

from msgspec.structs import replace

from skyshelf.service.accounts.passwords import check_new_password, hash_password
from skyshelf.service.audit import kinds
from skyshelf.service.audit.events import new_event, recorded
from skyshelf.service.boards.permissions import OWNERS, check_board_role, lock_board
from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.errors import ServiceError
from skyshelf.service.sharing.links import is_live, new_share, share_secret, shared, token_of, url_of
from skyshelf.storage.errors import Missing, NotAFolder
from skyshelf.storage.metadata.contracts.shares import ADD, LOOK, SEND, NewShare, Rights, Share, ShareEdit
from skyshelf.storage.metadata.contracts.tree import StoredObject
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire import error_codes as codes
from skyshelf.wire.limits import SHARE_NAMES_SHOWN
from skyshelf.wire.resources.objects import ObjectType
from skyshelf.wire.resources.shares import (
    GuestFile,
    GuestFiles,
    NewBoardShareRequest,
    NewShareRequest,
    OwnShare,
    OwnShares,
    SharedName,
    ShareEditRequest,
    SharesQuery,
)

_RIGHTS: Final[dict[str, Rights]] = {"view": LOOK, "add": ADD, "send": SEND}
_RIGHTS_ON_THE_WIRE: Final = {stored: wire for wire, stored in _RIGHTS.items()}
_GUEST_FILES_SHOWN: Final = 1000
_CURSOR = re.compile(r"([0-9]{1,15})-([0-9A-F]{32})", re.ASCII)


def own_shares(ctx: ServiceContext, caller: Caller, query: SharesQuery, origin: str) -> OwnShares:
    """A page of the caller's links, newest first."""
    with ctx.metadata.read() as unit:
        return _shares_page(ctx, unit, caller, query, origin)


def board_shares(ctx: ServiceContext, caller: Caller, board_key: str, query: SharesQuery, origin: str) -> OwnShares:
    """A page of the caller's public links to a board, newest first; only an owner has some."""
    with ctx.metadata.read() as unit:
        check_board_role(unit, caller, board_key)
        return _shares_page(ctx, unit, caller, query, origin, board_key=board_key)


def board_guest_files(ctx: ServiceContext, caller: Caller, board_key: str) -> GuestFiles:
    """Who added which files to a board without an account; every member may know, as every visitor does."""
    with ctx.metadata.read() as unit:
        check_board_role(unit, caller, board_key)
        found = unit.shares.guest_files_on_board(board_key, limit=_GUEST_FILES_SHOWN)
    return GuestFiles(
        guest_files=[
            GuestFile(object_key=one.object_key, guest_name=one.guest_name, added_date=one.added_at) for one in found
        ]
    )


def _shares_page(
    ctx: ServiceContext, unit: Unit, caller: Caller, query: SharesQuery, origin: str, *, board_key: str | None = None
) -> OwnShares:
    after = None if query.cursor is None else _place_of(query.cursor)
    found = unit.shares.page(caller.account_id, limit=query.limit + 1, after=after, board_key=board_key)
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
    now, new = ctx.clock.now(), _limited(new_share(ctx, request.share_name, request.object_keys), request)

    def work(unit: Unit) -> Share:
        unit.act_as(caller.actor)
        share = unit.shares.add(caller.account_id, new, now)
        if share.rights == SEND and not unit.tree.visible(caller.account_id, share.object_keys[0]).is_folder:
            raise NotAFolder("files are sent into a folder")
        return share

    return own_share(ctx, caller, recorded(ctx, work, shared(ctx, caller, new)).share_key, origin)


def create_board_share(
    ctx: ServiceContext, caller: Caller, board_key: str, request: NewBoardShareRequest, origin: str
) -> OwnShare:
    """Create a public link to a board, which only its owner can."""
    now = ctx.clock.now()
    new = replace(_limited(new_share(ctx, request.share_name, []), request), board_key=board_key)

    def work(unit: Unit) -> Share:
        unit.act_as(caller.actor)
        try:
            # The account is locked before the board, as everywhere.
            share = unit.shares.add(caller.account_id, new, now)
        except Missing as missing:
            raise ServiceError(codes.BOARD_NOT_FOUND) from missing
        lock_board(unit, caller, board_key, OWNERS)
        return share

    return own_share(ctx, caller, recorded(ctx, work, shared(ctx, caller, new)).share_key, origin)


def _limited(new: NewShare, request: NewShareRequest | NewBoardShareRequest) -> NewShare:
    return replace(
        new,
        rights=_RIGHTS[request.rights or "view"],
        expires_at=request.expiry_date or 0,
        password_hash=_hash_of(request.password) or "",
        download_limit=request.max_downloads or 0,
        upload_limit=request.max_uploads or 0,
        upload_bytes=request.max_upload_bytes or 0,
    )


def edit_share(ctx: ServiceContext, caller: Caller, share_key: str, request: ShareEditRequest, origin: str) -> OwnShare:
    """Change a link's name and limits. After a password change visitors are asked again; the counters continue."""
    edit = ShareEdit(
        name=request.share_name,
        expires_at=request.expiry_date,
        password_hash=_hash_of(request.password),
        download_limit=request.max_downloads,
        rights=None if request.rights is None else _RIGHTS[request.rights],
        upload_limit=request.max_uploads,
        upload_bytes=request.max_upload_bytes,
    )

    def work(unit: Unit) -> None:
        share = unit.shares.edit(caller.account_id, share_key, edit)
        if edit.rights is not None and share.board_key is None:
            raise ServiceError(codes.INVALID_REQUEST, "Only the rights of a link to a board can change")

    changed = [name for name in request.__struct_fields__ if getattr(request, name) is not None]
    try:
        recorded(ctx, work, new_event(ctx, kinds.SHARE_EDITED, caller, link_key=share_key, changed=changed))
    except Missing as missing:
        raise ServiceError(codes.SHARE_NOT_FOUND) from missing
    return own_share(ctx, caller, share_key, origin)


def revoke_share(ctx: ServiceContext, caller: Caller, share_key: str) -> None:
    """Revoke a link for good."""
    now = ctx.clock.now()
    event = new_event(ctx, kinds.SHARE_REVOKED, caller, link_key=share_key)

    def work(unit: Unit) -> bool:
        unit.act_as(caller.actor)
        return unit.shares.revoke(caller.account_id, share_key, now)

    if not recorded(ctx, work, event):
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
        rights=_RIGHTS_ON_THE_WIRE[share.rights],
        is_live=is_live(share, now),
        created_date=share.created_at,
        expiry_date=share.expires_at or None,
        has_password=bool(share.password_hash),
        max_downloads=share.download_limit or None,
        downloads=share.downloads,
        visits=share.visits,
        last_visit_date=share.last_visit_at or None,
        max_uploads=share.upload_limit or None,
        max_upload_bytes=share.upload_bytes or None,
        uploads=None if share.rights == LOOK else share.uploads,
        board_key=share.board_key,
        board_name=share.board_name,
        object_keys=share.object_keys,
        objects=[_named(visible[key]) for key in share.object_keys[:SHARE_NAMES_SHOWN] if key in visible],
    )


def _named(stored: StoredObject) -> SharedName:
    kind = ObjectType.FOLDER if stored.is_folder else ObjectType.FILE
    return SharedName(object_key=stored.object_key, object_name=stored.name, object_type=kind.value)

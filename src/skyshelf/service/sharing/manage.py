"""Managing one's own share links: listing, creating, editing and revoking them."""

from typing import Final

from msgspec.structs import replace

from skyshelf.service.accounts.passwords import check_new_password, hash_password
from skyshelf.service.audit import kinds, new_event, recorded
from skyshelf.service.boards.boards import OWNERS, check_board_role, lock_board
from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.errors import ServiceError, codes, missing_as
from skyshelf.service.pages import projected
from skyshelf.service.process.reservations import lowers_limit
from skyshelf.service.secret_table import SHARE_LINKS
from skyshelf.service.sharing.links import add_share, is_live, new_share, token_of, url_of
from skyshelf.storage.errors import NotAFolder
from skyshelf.storage.metadata.contracts.secrets import Generations
from skyshelf.storage.metadata.contracts.shares import ADD, LOOK, SEND, NewShare, Rights, Share, ShareEdit
from skyshelf.storage.metadata.contracts.tree import StoredObject
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire.cursors import encode_cursor, number_cursor
from skyshelf.wire.limits import SHARE_NAMES_SHOWN
from skyshelf.wire.resources import shares as wire
from skyshelf.wire.resources.objects import ObjectType

_RIGHTS: Final[dict[str, Rights]] = {"view": LOOK, "add": ADD, "send": SEND}
_RIGHTS_ON_THE_WIRE: Final = {stored: wire for wire, stored in _RIGHTS.items()}
_GUEST_FILES_SHOWN: Final = 1000


def own_shares(ctx: ServiceContext, caller: Caller, query: wire.SharesQuery, origin: str) -> wire.OwnShares:
    """Return a page of the caller's links, newest first."""
    with ctx.metadata.read() as unit:
        return _shares_page(ctx, unit, caller, query, origin)


def board_shares(
    ctx: ServiceContext, caller: Caller, board_key: str, query: wire.SharesQuery, origin: str
) -> wire.OwnShares:
    """Return a page of the caller's public links to a board, newest first; only owners have any."""
    with ctx.metadata.read() as unit:
        check_board_role(unit, caller, board_key)
        return _shares_page(ctx, unit, caller, query, origin, board_key=board_key)


def board_guest_files(ctx: ServiceContext, caller: Caller, board_key: str) -> wire.GuestFiles:
    """List who added which files to a board without an account; members may know this, like every visitor."""
    with ctx.metadata.read() as unit:
        check_board_role(unit, caller, board_key)
        found = unit.shares.guest_files_on_board(board_key, limit=_GUEST_FILES_SHOWN)
    return wire.GuestFiles(guest_files=[projected(wire.GuestFile, one) for one in found])


def _shares_page(
    ctx: ServiceContext,
    unit: Unit,
    caller: Caller,
    query: wire.SharesQuery,
    origin: str,
    *,
    board_key: str | None = None,
) -> wire.OwnShares:
    after = None if query.cursor is None else number_cursor(query.cursor)
    found = unit.shares.page(caller.account_id, limit=query.limit + 1, after=after, board_key=board_key)
    page = found[: query.limit]
    visible = _visible_objects(unit, caller, page)
    secret, now = ctx.generations(SHARE_LINKS), ctx.clock.now()
    return wire.OwnShares(
        shares=[_wire_share(share, visible, secret, origin, now) for share in page],
        next_cursor=encode_cursor(page[-1].created_at, page[-1].share_key) if len(found) > len(page) else None,
    )


def own_share(ctx: ServiceContext, caller: Caller, share_key: str, origin: str) -> wire.OwnShare:
    with missing_as(codes.SHARE_NOT_FOUND), ctx.metadata.read() as unit:
        share = unit.shares.get(caller.account_id, share_key)
        visible = _visible_objects(unit, caller, [share])
    return _wire_share(share, visible, ctx.generations(SHARE_LINKS), origin, ctx.clock.now())


def create_own_share(ctx: ServiceContext, caller: Caller, request: wire.NewShareRequest, origin: str) -> wire.OwnShare:
    """Create a link together with its limits."""
    new = _limited(new_share(ctx, request.share_name, request.object_keys), request)

    def check(unit: Unit, share: Share) -> None:
        if share.rights == SEND and not unit.tree.visible(caller.account_id, share.object_keys[0]).is_folder:
            raise NotAFolder("files are sent into a folder")

    return own_share(ctx, caller, add_share(ctx, caller, new, check).share_key, origin)


def create_board_share(
    ctx: ServiceContext, caller: Caller, board_key: str, request: wire.NewBoardShareRequest, origin: str
) -> wire.OwnShare:
    """Create a public link to a board; only its owner can."""
    new = replace(_limited(new_share(ctx, request.share_name, []), request), board_key=board_key)
    with missing_as(codes.BOARD_NOT_FOUND):
        # The account is locked before the board, as everywhere.
        share = add_share(ctx, caller, new, lambda unit, _: lock_board(unit, caller, board_key, OWNERS))
    return own_share(ctx, caller, share.share_key, origin)


def _limited(new: NewShare, request: wire.NewShareRequest | wire.NewBoardShareRequest) -> NewShare:
    return replace(
        new,
        rights=_RIGHTS[request.rights or "view"],
        expires_at=request.expiry_date or 0,
        password_hash=_hash_of(request.password) or "",
        download_limit=request.max_downloads or 0,
        upload_limit=request.max_uploads or 0,
        upload_bytes=request.max_upload_bytes or 0,
    )


def edit_share(
    ctx: ServiceContext, caller: Caller, share_key: str, request: wire.ShareEditRequest, origin: str
) -> wire.OwnShare:
    """Change a link's name and limits. After a password change visitors are asked again; the counters continue.

    While the disk is at its reserve, an edit may only lower what visitors can do.
    """
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
        disk = ctx.reservations.disk
        if not disk.has_space() and not _lowers(edit, unit.shares.get(caller.account_id, share_key)):
            disk.check()
        share = unit.shares.edit(caller.account_id, share_key, edit)
        if edit.rights is not None and share.board_key is None:
            raise ServiceError(codes.INVALID_REQUEST, "Only the rights of a link to an album can change")

    changed = [name for name in request.__struct_fields__ if getattr(request, name) is not None]
    with missing_as(codes.SHARE_NOT_FOUND):
        recorded(ctx, work, new_event(ctx, kinds.SHARE_EDITED, caller, link_key=share_key, changed=changed))
    return own_share(ctx, caller, share_key, origin)


def _lowers(edit: ShareEdit, share: Share) -> bool:
    """Whether visitors can do no more after an edit than before."""
    return (
        edit.name in (None, share.name)
        and edit.rights in (None, LOOK, share.rights)
        and (edit.password_hash != "" or share.password_hash == "")
        and all(
            new is None or lowers_limit(new, before)
            for new, before in (
                (edit.expires_at, share.expires_at),
                (edit.download_limit, share.download_limit),
                (edit.upload_limit, share.upload_limit),
                (edit.upload_bytes, share.upload_bytes),
            )
        )
    )


def revoke_share(ctx: ServiceContext, caller: Caller, share_key: str) -> None:
    """Revoke a link for good."""
    now = ctx.clock.now()
    event = new_event(ctx, kinds.SHARE_REVOKED, caller, link_key=share_key)
    if not recorded(ctx, lambda unit: unit.shares.revoke(caller.account_id, share_key, now), event, by=caller):
        raise ServiceError(codes.SHARE_NOT_FOUND)


def _hash_of(password: str | None) -> str | None:
    """Return the hash to store: None for no change, and empty for no password."""
    if not password:
        return password
    check_new_password(password)
    return hash_password(password)


def _visible_objects(unit: Unit, caller: Caller, shares: list[Share]) -> dict[str, StoredObject]:
    """Return the visible objects whose names the list shows."""
    keys = [key for share in shares for key in share.object_keys[:SHARE_NAMES_SHOWN]]
    return unit.tree.visible_many(caller.account_id, list(dict.fromkeys(keys)))


def _wire_share(
    share: Share, visible: dict[str, StoredObject], secret: Generations, origin: str, now: int
) -> wire.OwnShare:
    return projected(
        wire.OwnShare,
        share,
        share_name=share.name,
        share_url=url_of(origin, token_of(secret, share)),
        rights=_RIGHTS_ON_THE_WIRE[share.rights],
        is_live=is_live(share, now),
        expiry_date=share.expires_at or None,
        has_password=bool(share.password_hash),
        max_downloads=share.download_limit or None,
        last_visit_date=share.last_visit_at or None,
        max_uploads=share.upload_limit or None,
        max_upload_bytes=share.upload_bytes or None,
        uploads=None if share.rights == LOOK else share.uploads,
        objects=[
            wire.SharedName(
                object_key=key,
                object_name=visible[key].name,
                object_type=(ObjectType.FOLDER if visible[key].is_folder else ObjectType.FILE).value,
            )
            for key in share.object_keys[:SHARE_NAMES_SHOWN]
            if key in visible
        ],
    )

"""Invitations to boards: by email address, which need not belong to an account, or by link.

A link's token is not stored. It is derived from the link's key and a secret that all instances share, so the owner
can see the link again; the store keeps only the digest by which a token is found.
"""

from hashlib import sha256
from typing import Final

from msgspec.structs import replace

from skyshelf.service.audit import kinds, new_event
from skyshelf.service.boards.boards import OWNERS, as_owner, check_board_role, wire_board
from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.errors import ServiceError, codes, missing_as
from skyshelf.service.pages import after_number, cursor_after, projected
from skyshelf.service.secret_table import ALBUM_LINKS
from skyshelf.service.secrets import derived_token, token_hash
from skyshelf.storage.errors import KeptOut, Missing
from skyshelf.storage.metadata.contracts import boards as stored
from skyshelf.storage.metadata.contracts.secrets import Generations
from skyshelf.storage.metadata.contracts.tree import PageCursor
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire.cursors import CursorQuery
from skyshelf.wire.limits import INVITATION_DAYS, TIME_MS_MAX
from skyshelf.wire.resources import boards as wire

_PURPOSE: Final = "board link"
_LIFETIME_MS: Final = INVITATION_DAYS * 86_400_000


def invite_to_board(
    ctx: ServiceContext, caller: Caller, board_key: str, request: wire.InvitationRequest
) -> wire.BoardInvitation:
    """Invite an address, or renew its invitation. No account is looked up, so nothing can reveal one."""
    now = ctx.clock.now()
    expires_at = _expiry(request.expires_date, now)
    new = stored.Invitation(email=request.email_id, role=request.member_type, created_at=now, expires_at=expires_at)
    event = new_event(ctx, kinds.BOARD_INVITED, caller, board=board_key, email=new.email, role=new.role)
    as_owner(
        ctx, caller, board_key, lambda unit: unit.board_invitations.invite(caller.account_id, board_key, new), event
    )
    return _wire_invitation(board_key, new)


def board_invitations(ctx: ServiceContext, caller: Caller, board_key: str, origin: str) -> wire.BoardInvitations:
    """List the board's pending invitations and links."""
    now = ctx.clock.now()
    with ctx.metadata.read() as unit:
        check_board_role(unit, caller, board_key, OWNERS)
        # Only the first link creates the secret.
        secret = unit.secrets.get(ALBUM_LINKS)
        invitations = unit.board_invitations.of_board(caller.account_id, board_key, now)
        links = unit.board_invitations.links(caller.account_id, board_key, now)
    return wire.BoardInvitations(
        invitations=[_wire_invitation(board_key, invitation) for invitation in invitations],
        links=[_wire_link(link, secret, origin) for link in links],
    )


def revoke_invitation(ctx: ServiceContext, caller: Caller, board_key: str, invitation_key: str) -> None:
    now = ctx.clock.now()

    def work(unit: Unit) -> None:
        invited = unit.board_invitations.of_board(caller.account_id, board_key, now)
        by_key = {_invitation_key(board_key, one.email): one.email for one in invited}
        try:
            email = by_key[invitation_key]
            unit.board_invitations.revoke(caller.account_id, board_key, email, now)
        except (KeyError, Missing) as missing:
            raise ServiceError(codes.INVITATION_NOT_FOUND) from missing

    as_owner(ctx, caller, board_key, work, new_event(ctx, kinds.BOARD_REVOKED, caller, board=board_key))


def create_link(
    ctx: ServiceContext, caller: Caller, board_key: str, request: wire.LinkRequest, origin: str
) -> wire.BoardLink:
    """Create a link with which anybody can join the board."""
    now, link_key, secret = ctx.clock.now(), ctx.new_key(), ctx.generations(ALBUM_LINKS)
    new = stored.NewLink(
        link_key=link_key,
        token_hash=token_hash(link_token(secret.value, link_key)),
        generation=secret.current,
        role=request.member_type,
        expires_at=_expiry(request.expires_date, now),
    )
    event = new_event(ctx, kinds.BOARD_LINK, caller, board=board_key, link_key=link_key, role=request.member_type)
    link = as_owner(
        ctx,
        caller,
        board_key,
        lambda unit: unit.board_invitations.add_link(caller.account_id, board_key, new, now),
        event,
    )
    return _wire_link(link, secret, origin)


def revoke_link(ctx: ServiceContext, caller: Caller, board_key: str, link_key: str) -> None:
    """Revoke a link; members who joined by it stay."""
    now = ctx.clock.now()

    def work(unit: Unit) -> None:
        unit.board_invitations.revoke_link(caller.account_id, board_key, link_key, now)

    event = new_event(ctx, kinds.BOARD_REVOKED, caller, board=board_key, link_key=link_key)
    with missing_as(codes.INVITATION_NOT_FOUND):
        as_owner(ctx, caller, board_key, work, event)


def received_invitations(ctx: ServiceContext, caller: Caller, query: CursorQuery) -> wire.ReceivedInvitations:
    """List the caller's invitations, newest first."""
    after = after_number(query.cursor)
    with ctx.metadata.read() as unit:
        found = unit.board_invitations.received(caller.account_id, ctx.clock.now(), limit=query.limit, after=after)
    places = [PageCursor(one.created_at, one.board_key) for one in found]
    return wire.ReceivedInvitations(
        invitations=[projected(wire.ReceivedInvitation, one, member_type=one.role) for one in found],
        next_cursor=cursor_after(places, query.limit),
    )


def accept_invitation(ctx: ServiceContext, caller: Caller, request: wire.Acceptance) -> wire.Board:
    """Join a board by an invitation or a link; returns the board."""
    now, account_id = ctx.clock.now(), caller.account_id
    event = new_event(ctx, kinds.BOARD_JOINED, caller)

    def work(unit: Unit) -> stored.Board:
        try:
            if request.token is not None:
                board_key = unit.board_invitations.accept_link(account_id, token_hash(request.token), now)
            else:
                assert request.board_key is not None
                board_key = request.board_key
                unit.board_invitations.accept(account_id, board_key, now)
        except KeptOut as removed:
            raise ServiceError(codes.REMOVED_FROM_BOARD) from removed
        except Missing as missing:
            raise ServiceError(codes.INVITATION_NOT_FOUND) from missing
        unit.audit.add([replace(event, details={"board": board_key})])
        return unit.boards.get(account_id, board_key)

    return wire_board(ctx.metadata.write(work))


def decline_invitation(ctx: ServiceContext, caller: Caller, request: wire.Declining) -> None:
    now = ctx.clock.now()
    with missing_as(codes.INVITATION_NOT_FOUND):
        ctx.metadata.write(lambda unit: unit.board_invitations.decline(caller.account_id, request.board_key, now))


def _expiry(requested: int | None, now: int) -> int:
    if requested is not None and requested <= now:
        raise ServiceError(codes.INVALID_REQUEST, "expiresDate must be in the future")
    return min(now + _LIFETIME_MS, TIME_MS_MAX) if requested is None else requested


def _invitation_key(board_key: str, email: str) -> str:
    """Derive an invitation's key. A board invites an address once, so both identify it; no URL contains an address."""
    return sha256(f"{board_key} {email.casefold()}".encode()).hexdigest()[:32].upper()


def _wire_invitation(board_key: str, invitation: stored.Invitation) -> wire.BoardInvitation:
    return projected(
        wire.BoardInvitation,
        invitation,
        invitation_key=_invitation_key(board_key, invitation.email),
        email_id=invitation.email,
        member_type=invitation.role,
    )


def link_token(secret: bytes, link_key: str) -> str:
    return derived_token(secret, _PURPOSE, link_key)


def _wire_link(link: stored.Link, secret: Generations | None, origin: str) -> wire.BoardLink:
    value = secret and secret.values.get(link.generation)
    token = link_token(value, link.link_key) if value else ""
    return projected(
        wire.BoardLink,
        link,
        # After the #: browsers do not send that part, so no log contains the token.
        link_url=f"{origin}/#invitation={token}",
        token=token,
        member_type=link.role,
    )

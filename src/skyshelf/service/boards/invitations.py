"""Invitations to boards: by an address, which need not be anybody's, or by a link.

A link's token is not stored. It is derived from the key of the link by a secret that all instances agree on, so that
the owner can be shown the link again; the store keeps only the digest by which a token is found.
"""

from hashlib import sha256
from typing import Final

from skyshelf.service.boards.boards import wire_board
from skyshelf.service.boards.permissions import OWNERS, check_board_role, lock_board
from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.errors import ServiceError
from skyshelf.service.pages import after_number, cursor_after
from skyshelf.service.secrets import derived_token, get_or_create_secret, token_hash
from skyshelf.storage.errors import Missing
from skyshelf.storage.metadata.contracts import boards as stored
from skyshelf.storage.metadata.contracts.boards import Board as StoredBoard
from skyshelf.storage.metadata.contracts.tree import Place
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire import error_codes as codes
from skyshelf.wire.cursors import CursorQuery
from skyshelf.wire.limits import INVITATION_DAYS, TIME_MS_MAX
from skyshelf.wire.resources.boards import (
    Acceptance,
    Board,
    BoardInvitation,
    BoardInvitations,
    BoardLink,
    Declining,
    InvitationRequest,
    LinkRequest,
    ReceivedInvitation,
    ReceivedInvitations,
)

_SECRET: Final = "board-link-secret"  # noqa: S105 - the name of the setting
_LIFETIME_MS: Final = INVITATION_DAYS * 86_400_000


def invite_to_board(ctx: ServiceContext, caller: Caller, board_key: str, request: InvitationRequest) -> BoardInvitation:
    """Invite an address, or invite it anew. Nothing here looks for an account: so nothing can tell of one."""
    now = ctx.clock.now()
    new = stored.Invitation(
        email=request.email_id,
        role=request.member_type,
        created_at=now,
        expires_at=_end(request.expires_date, now),
    )

    def work(unit: Unit) -> None:
        lock_board(unit, caller, board_key, OWNERS)
        unit.board_invitations.invite(caller.account_id, board_key, new)

    ctx.metadata.write(work)
    return _shown(board_key, new)


def board_invitations(ctx: ServiceContext, caller: Caller, board_key: str, origin: str) -> BoardInvitations:
    """Who is invited and has not answered, and the links."""
    now = ctx.clock.now()
    with ctx.metadata.read() as unit:
        check_board_role(unit, caller, board_key, OWNERS)
        # The first link made the secret; to look makes nothing.
        secret = unit.settings.get(_SECRET) or b""
        invitations = unit.board_invitations.of_board(caller.account_id, board_key, now)
        links = unit.board_invitations.links(caller.account_id, board_key, now)
    return BoardInvitations(
        invitations=[_shown(board_key, one) for one in invitations],
        links=[_shown_link(one, secret, origin) for one in links],
    )


def revoke_invitation(ctx: ServiceContext, caller: Caller, board_key: str, invitation_key: str) -> None:
    """Take an invitation back."""
    now = ctx.clock.now()

    def work(unit: Unit) -> None:
        lock_board(unit, caller, board_key, OWNERS)
        invited = unit.board_invitations.of_board(caller.account_id, board_key, now)
        by_key = {_invitation_key(board_key, one.email): one.email for one in invited}
        try:
            email = by_key[invitation_key]
            unit.board_invitations.revoke(caller.account_id, board_key, email, now)
        except (KeyError, Missing) as missing:
            raise ServiceError(codes.INVITATION_NOT_FOUND) from missing

    ctx.metadata.write(work)


def create_link(ctx: ServiceContext, caller: Caller, board_key: str, request: LinkRequest, origin: str) -> BoardLink:
    """A link that brings whoever has it onto the board."""
    now, link_key, secret = ctx.clock.now(), ctx.new_key(), get_or_create_secret(ctx, _SECRET)
    new = stored.NewLink(
        link_key=link_key,
        token_hash=token_hash(_token(secret, link_key)),
        role=request.member_type,
        expires_at=_end(request.expires_date, now),
    )

    def work(unit: Unit) -> stored.Link:
        lock_board(unit, caller, board_key, OWNERS)
        return unit.board_invitations.add_link(caller.account_id, board_key, new, now)

    return _shown_link(ctx.metadata.write(work), secret, origin)


def revoke_link(ctx: ServiceContext, caller: Caller, board_key: str, link_key: str) -> None:
    """Take a link back; who came by it stays."""
    now = ctx.clock.now()

    def work(unit: Unit) -> None:
        lock_board(unit, caller, board_key, OWNERS)
        try:
            unit.board_invitations.revoke_link(caller.account_id, board_key, link_key, now)
        except Missing as missing:
            raise ServiceError(codes.INVITATION_NOT_FOUND) from missing

    ctx.metadata.write(work)


def received_invitations(ctx: ServiceContext, caller: Caller, query: CursorQuery) -> ReceivedInvitations:
    """The boards that the caller is invited to, newest first."""
    after = after_number(query.cursor)
    with ctx.metadata.read() as unit:
        found = unit.board_invitations.received(caller.account_id, ctx.clock.now(), limit=query.limit, after=after)
    places = [Place(one.created_at, one.board_key) for one in found]
    return ReceivedInvitations(
        invitations=[
            ReceivedInvitation(
                board_key=one.board_key,
                board_name=one.board_name,
                owner_name=one.owner_name,
                member_type=one.role,
                created_date=one.created_at,
                expires_date=one.expires_at,
            )
            for one in found
        ],
        next_cursor=cursor_after(places, query.limit),
    )


def accept_invitation(ctx: ServiceContext, caller: Caller, request: Acceptance) -> Board:
    """Join a board that the caller is invited to, or has a link to; the board as members see it."""
    now, account_id = ctx.clock.now(), caller.account_id

    def work(unit: Unit) -> StoredBoard:
        try:
            if request.token is not None:
                board_key = unit.board_invitations.accept_link(account_id, token_hash(request.token), now)
            else:
                assert request.board_key is not None
                board_key = request.board_key
                unit.board_invitations.accept(account_id, board_key, now)
        except Missing as missing:
            raise ServiceError(codes.INVITATION_NOT_FOUND) from missing
        return unit.boards.get(account_id, board_key)

    return wire_board(ctx.metadata.write(work))


def decline_invitation(ctx: ServiceContext, caller: Caller, request: Declining) -> None:
    """Not join a board."""
    now = ctx.clock.now()

    def work(unit: Unit) -> None:
        try:
            unit.board_invitations.decline(caller.account_id, request.board_key, now)
        except Missing as missing:
            raise ServiceError(codes.INVITATION_NOT_FOUND) from missing

    ctx.metadata.write(work)


def _end(asked: int | None, now: int) -> int:
    if asked is not None and asked <= now:
        raise ServiceError(codes.INVALID_REQUEST, "expiresDate must be in the future")
    return min(now + _LIFETIME_MS, TIME_MS_MAX) if asked is None else asked


def _token(secret: bytes, link_key: str) -> str:
    return derived_token(secret, "board link", link_key)


def _invitation_key(board_key: str, email: str) -> str:
    """A board invites an address once: so an invitation is named by both, and no path has an address in it."""
    return sha256(f"{board_key} {email.casefold()}".encode()).hexdigest()[:32].upper()


def _shown(board_key: str, invitation: stored.Invitation) -> BoardInvitation:
    return BoardInvitation(
        invitation_key=_invitation_key(board_key, invitation.email),
        email_id=invitation.email,
        member_type=invitation.role,
        created_date=invitation.created_at,
        expires_date=invitation.expires_at,
    )


def _shown_link(link: stored.Link, secret: bytes, origin: str) -> BoardLink:
    token = _token(secret, link.link_key)
    return BoardLink(
        link_key=link.link_key,
        # Behind the #: browsers keep that part to themselves, so that no log on the way holds the token.
        link_url=f"{origin}/#invitation={token}",
        token=token,
        member_type=link.role,
        created_date=link.created_at,
        expires_date=link.expires_at,
    )

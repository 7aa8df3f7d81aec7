"""The people of a board: members, invitations, links with which others join, and comments."""

from collections.abc import AsyncIterator
from functools import partial
from typing import Final, Literal

from skyshelf.client.api.calls import Calls
from skyshelf.client.engine.requests import checked
from skyshelf.client.errors import ObjectNotFoundError
from skyshelf.client.objects.listing import PAGE_SIZE
from skyshelf.client.objects.lookup import PathResolver
from skyshelf.client.objects.remote_object import Target
from skyshelf.wire.cursors import CursorQuery
from skyshelf.wire.endpoints import boards as endpoints
from skyshelf.wire.error_codes import INVITATION_NOT_FOUND
from skyshelf.wire.keys import is_key
from skyshelf.wire.resources import boards as models
from skyshelf.wire.resources.boards import (
    Acceptance,
    Board,
    BoardComment,
    BoardInvitation,
    BoardInvitations,
    BoardLink,
    BoardMember,
    GivenMemberType,
    ReceivedInvitation,
)

_LINK_MARK: Final = "#invitation="


class BoardMemberCalls(Calls):
    """Methods of `client.boards` for members and invitations."""

    async def members(self, board_key: str) -> list[BoardMember]:
        """List a board's members.

        Args:
            board_key: The board.
        """
        roster = await self._call(endpoints.BOARD_MEMBERS, keys={"board_key": board_key})
        return roster.board_members or []

    async def set_role(self, board_key: str, user_id: str, role: Literal["O", "M", "V"]) -> list[BoardMember]:
        """Change a member's role.

        Args:
            board_key: A board that you own.
            user_id: The member.
            role: `M` for an editor, `V` for a viewer, `O` to hand the board over.

        Returns:
            The members with their roles.
        """
        body = checked(models.MemberChange, member_type=role)
        keys = {"board_key": board_key, "user_id": user_id}
        roster = await self._call(endpoints.SET_BOARD_ROLE, body=body, keys=keys)
        return roster.board_members or []

    async def remove_member(self, board_key: str, user_id: str) -> None:
        """Remove somebody from a board, with their files.

        Args:
            board_key: A board that you own.
            user_id: The member.
        """
        await self._remove(endpoints.REMOVE_BOARD_MEMBER, keys={"board_key": board_key, "user_id": user_id})

    async def invite(
        self, board_key: str, email: str, *, role: GivenMemberType = "M", expires: int | None = None
    ) -> BoardInvitation:
        """Invite somebody to a board.

        No email is sent, and the response is the same whether or not an account has the address.

        Args:
            board_key: A board that you own.
            email: Whom to invite.
            role: `M` for an editor, `V` for a viewer.
            expires: When the invitation expires, in epoch milliseconds; None for 30 days.

        Returns:
            The invitation with its key.
        """
        body = checked(models.InvitationRequest, email_id=email, member_type=role, expires_date=expires)
        return await self._call(endpoints.INVITE_TO_BOARD, body=body, keys={"board_key": board_key})

    async def invitations(self, board_key: str) -> BoardInvitations:
        """Get a board's open invitations and its links.

        Args:
            board_key: A board that you own.
        """
        return await self._call(endpoints.BOARD_INVITATIONS, keys={"board_key": board_key})

    async def revoke_invitation(self, board_key: str, invitation: str) -> None:
        """Revoke an invitation.

        Args:
            board_key: A board that you own.
            invitation: The invitation's key, or the email address that is invited.

        Raises:
            ObjectNotFoundError: There is no such invitation.
        """
        keys = {"board_key": board_key, "invitation_key": await self._invitation_key(board_key, invitation)}
        await self._remove(endpoints.REVOKE_BOARD_INVITATION, keys=keys)

    async def create_link(
        self, board_key: str, *, role: GivenMemberType = "M", expires: int | None = None
    ) -> BoardLink:
        """Create a link with which anybody who has an account can join a board.

        Args:
            board_key: A board that you own.
            role: `M` for editors, `V` for viewers.
            expires: When the link expires, in epoch milliseconds; None for 30 days.
        """
        body = checked(models.LinkRequest, member_type=role, expires_date=expires)
        keys = {"board_key": board_key}
        unknown = "look at the board's links, and revoke one that you do not know"
        return await self._call(endpoints.CREATE_BOARD_LINK, body=body, keys=keys, unknown=unknown)

    async def revoke_link(self, board_key: str, link_key: str) -> None:
        """Revoke a link; those who joined with it stay.

        Args:
            board_key: A board that you own.
            link_key: The link, as `invitations` lists it.
        """
        await self._remove(endpoints.REVOKE_BOARD_LINK, keys={"board_key": board_key, "link_key": link_key})

    def received_invitations(self, *, page_size: int = PAGE_SIZE) -> AsyncIterator[ReceivedInvitation]:
        """List the boards that you are invited to, newest first.

        Args:
            page_size: How many invitations one request asks for.
        """
        return self._by_cursor(
            endpoints.RECEIVED_INVITATIONS, lambda page: page.invitations, partial(CursorQuery, limit=page_size)
        )

    async def accept(self, invitation: str) -> Board:
        """Join a board.

        Args:
            invitation: The key of a board that you are invited to, or a link to a board.
        """
        token = invitation.rpartition(_LINK_MARK)[2]
        body = checked(Acceptance, board_key=invitation) if is_key(invitation) else checked(Acceptance, token=token)
        return await self._call(endpoints.ACCEPT_INVITATION, body=body)

    async def decline(self, board_key: str) -> None:
        """Decline an invitation.

        Args:
            board_key: A board that you are invited to.
        """
        await self._remove(endpoints.DECLINE_INVITATION, body=checked(models.Declining, board_key=board_key))

    async def _invitation_key(self, board_key: str, invitation: str) -> str:
        """Return an invitation's key; an email address is looked up among the board's invitations."""
        if is_key(invitation):
            return invitation
        for sent in (await self.invitations(board_key)).invitations or ():
            if (sent.email_id or "").casefold() == invitation.casefold():
                return sent.invitation_key
        raise ObjectNotFoundError(INVITATION_NOT_FOUND.message, status=404, code=INVITATION_NOT_FOUND.code)


class BoardCommentCalls(Calls):
    """Methods of `client.boards` for comments."""

    def comments(self, board_key: str, *, page_size: int = PAGE_SIZE) -> AsyncIterator[BoardComment]:
        """List a board's comments, newest first.

        Args:
            board_key: The board.
            page_size: How many comments one request asks for.
        """
        return self._by_cursor(
            endpoints.BOARD_COMMENTS,
            lambda page: page.comments,
            partial(CursorQuery, limit=page_size),
            keys={"board_key": board_key},
        )

    async def add_comment(self, board_key: str, text: str, *, about: Target | None = None) -> BoardComment:
        """Comment on a board, or on a file on it.

        Args:
            board_key: The board.
            text: The comment.
            about: The file: an object, a key or a path; None for the board as a whole.
        """
        key = None if about is None else await PathResolver(self._engine).key(about)
        body = checked(models.CommentCreation, text=text, object_key=key)
        keys = {"board_key": board_key}
        unknown = "look at the board's comments before you send it again"
        return await self._call(endpoints.ADD_BOARD_COMMENT, body=body, keys=keys, unknown=unknown)

    async def edit_comment(self, board_key: str, comment_key: str, text: str) -> BoardComment:
        """Edit one of your comments.

        Args:
            board_key: The board.
            comment_key: The comment.
            text: The new text.
        """
        body = checked(models.CommentEditing, text=text)
        keys = {"board_key": board_key, "comment_key": comment_key}
        return await self._call(endpoints.EDIT_BOARD_COMMENT, body=body, keys=keys)

    async def remove_comment(self, board_key: str, comment_key: str) -> None:
        """Remove a comment: your own, or, as the board's owner, anybody's.

        Args:
            board_key: The board.
            comment_key: The comment.
        """
        await self._remove(endpoints.REMOVE_BOARD_COMMENT, keys={"board_key": board_key, "comment_key": comment_key})

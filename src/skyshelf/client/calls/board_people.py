"""Boards with people on them: files, invitations, roles and comments."""

from collections.abc import AsyncIterator, Iterable
from functools import partial
from pathlib import Path

from skyshelf.client import boards, paths, uploads
from skyshelf.client.beyond import beyond
from skyshelf.client.calls.base import Calls
from skyshelf.client.listings import PAGE_SIZE
from skyshelf.client.objects import RemoteObject, Target
from skyshelf.client.outcomes import BatchResult
from skyshelf.client.requests import built
from skyshelf.client.uploads import Progress, UploadOptions
from skyshelf.wire.endpoints import board_members as member_endpoints
from skyshelf.wire.endpoints import boards as board_endpoints
from skyshelf.wire.resources.boards import (
    Board,
    BoardComment,
    BoardCover,
    BoardEditing,
    BoardInvitation,
    BoardInvitations,
    BoardLink,
    BoardMember,
    BoardMembers,
    CommentCreation,
    CommentEditing,
    Declining,
    Done,
    GivenMemberType,
    InvitationRequest,
    LinkRequest,
    MemberChange,
    ReceivedInvitation,
)


class BoardPeopleCalls(Calls):
    """Boards with people on them: files, invitations, roles and comments."""

    async def add_to_board(self, board_key: str, targets: Iterable[Target]) -> BatchResult:
        """Show files of your own on a board; they stay yours, and where they are."""
        resolver = paths.PathResolver(self._engine)
        keys = [await resolver.key(target) for target in targets]
        return await boards.change_objects(self._engine, board_endpoints.ADD_TO_BOARD, board_key, keys)

    async def remove_from_board(self, board_key: str, targets: Iterable[Target]) -> BatchResult:
        """Take files off a board: your own, or, as its owner, anybody's, as the board listed them."""
        resolver = paths.PathResolver(self._engine)
        keys = [await resolver.key(target) for target in targets]
        return await boards.change_objects(self._engine, board_endpoints.REMOVE_FROM_BOARD, board_key, keys)

    async def upload_to_board(
        self,
        board_key: str,
        path: Path | str,
        folder: Target | None = None,
        *,
        name: str | None = None,
        options: UploadOptions | None = None,
        progress: Progress | None = None,
    ) -> RemoteObject:
        """Upload a file and show it on a board, in one step; without a folder it lies in `Boards/<name>`."""
        key = None if folder is None else await paths.PathResolver(self._engine).folder_key(folder)
        return await uploads.upload_file(
            self._engine, Path(path), key, board_key=board_key, name=name, options=options, progress=progress
        )

    async def edit_board(self, board_key: str, *, name: str | None = None, description: str | None = None) -> Board:
        """Change what a board is called or what is said about it; None leaves it as it is."""
        body = built(partial(BoardEditing, board_name=name, board_description=description))
        board: Board = await boards.change(self._engine, board_endpoints.EDIT_BOARD, Board, board_key, body)
        return board

    async def delete_board(self, board_key: str) -> None:
        """End a board for everybody; the files stay with their owners."""
        await boards.remove(self._engine, board_endpoints.DELETE_BOARD, board_key=board_key)

    async def set_board_cover(self, board_key: str, target: Target | None) -> Board:
        """Choose the file that stands for a board, among those that it shows; None for none."""
        key = None if target is None else await paths.PathResolver(self._engine).key(target)
        body = built(partial(BoardCover, object_key=key))
        board: Board = await boards.change(self._engine, board_endpoints.SET_BOARD_COVER, Board, board_key, body)
        return board

    async def invite_to_board(
        self, board_key: str, email: str, *, role: GivenMemberType = "M", expires: int | None = None
    ) -> BoardInvitation:
        """Invite somebody as an editor (`M`) or a viewer (`V`); nothing tells whether an account has the address.

        `expires` is a time in epoch milliseconds.
        """
        body = built(partial(InvitationRequest, email_id=email, member_type=role, expires_date=expires))
        invitation: BoardInvitation = await boards.change(
            self._engine, member_endpoints.INVITE_TO_BOARD, BoardInvitation, board_key, body
        )
        return invitation

    async def board_invitations(self, board_key: str) -> BoardInvitations:
        """Who is invited to a board of yours and has not answered, and the links to it."""
        found: BoardInvitations = await boards.change(
            self._engine, member_endpoints.BOARD_INVITATIONS, BoardInvitations, board_key
        )
        return found

    async def revoke_board_invitation(self, board_key: str, invitation: str) -> None:
        """Take an invitation back, by its key or by the address that is invited."""
        key = await boards.invitation_key(self._engine, board_key, invitation)
        await boards.remove(
            self._engine, member_endpoints.REVOKE_BOARD_INVITATION, board_key=board_key, invitation_key=key
        )

    async def create_board_link(
        self, board_key: str, *, role: GivenMemberType = "M", expires: int | None = None
    ) -> BoardLink:
        """Make a link that brings whoever has it onto a board."""
        body = built(partial(LinkRequest, member_type=role, expires_date=expires))
        link: BoardLink = await boards.change(
            self._engine, member_endpoints.CREATE_BOARD_LINK, BoardLink, board_key, body
        )
        return link

    async def revoke_board_link(self, board_key: str, link_key: str) -> None:
        """Take a link back; who came by it stays."""
        await boards.remove(self._engine, member_endpoints.REVOKE_BOARD_LINK, board_key=board_key, link_key=link_key)

    async def received_invitations(self, *, page_size: int = PAGE_SIZE) -> AsyncIterator[ReceivedInvitation]:
        """The boards that you are invited to, newest first."""
        async for found in boards.received_invitations(self._engine, page_size):
            yield found

    async def accept_invitation(self, invitation: str) -> Board:
        """Join a board: by its key where you are invited, else by a link to it."""
        return await boards.accept(self._engine, invitation)

    async def decline_invitation(self, board_key: str) -> None:
        """Not join a board."""
        body = built(partial(Declining, board_key=board_key))
        with beyond(boards.WHAT):
            await self._engine.call(member_endpoints.DECLINE_INVITATION, Done, body=body)

    async def set_board_role(self, board_key: str, user_id: str, role: str) -> list[BoardMember]:
        """Make a member an editor (`M`), a viewer (`V`) or the owner (`O`); the roster as it is then."""
        body = built(partial(MemberChange, member_type=role))  # type: ignore[arg-type]
        answer: BoardMembers = await boards.change(
            self._engine, member_endpoints.SET_BOARD_ROLE, BoardMembers, board_key, body, user_id=user_id
        )
        return answer.board_members or []

    async def remove_board_member(self, board_key: str, user_id: str) -> None:
        """Take somebody off a board, and their files with them."""
        await boards.remove(self._engine, member_endpoints.REMOVE_BOARD_MEMBER, board_key=board_key, user_id=user_id)

    async def board_comments(self, board_key: str, *, page_size: int = PAGE_SIZE) -> AsyncIterator[BoardComment]:
        """What people say about a board, newest first."""
        async for found in boards.comments(self._engine, board_key, page_size):
            yield found

    async def add_board_comment(self, board_key: str, text: str, *, about: Target | None = None) -> BoardComment:
        """Say something about a board, or about a file on it."""
        key = None if about is None else await paths.PathResolver(self._engine).key(about)
        body = built(partial(CommentCreation, text=text, object_key=key))
        comment: BoardComment = await boards.change(
            self._engine, member_endpoints.ADD_BOARD_COMMENT, BoardComment, board_key, body
        )
        return comment

    async def edit_board_comment(self, board_key: str, comment_key: str, text: str) -> BoardComment:
        """Say it otherwise; only what you said yourself."""
        body = built(partial(CommentEditing, text=text))
        comment: BoardComment = await boards.change(
            self._engine, member_endpoints.EDIT_BOARD_COMMENT, BoardComment, board_key, body, comment_key=comment_key
        )
        return comment

    async def remove_board_comment(self, board_key: str, comment_key: str) -> None:
        """Remove a comment: your own, or, as the owner of the board, anybody's."""
        await boards.remove(
            self._engine, member_endpoints.REMOVE_BOARD_COMMENT, board_key=board_key, comment_key=comment_key
        )

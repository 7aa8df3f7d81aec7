"""Boards: files that several people see."""

from collections.abc import AsyncIterator, Iterable
from functools import partial
from pathlib import Path
from typing import Final, Literal

from skyshelf.client.api.calls import Calls
from skyshelf.client.engine.requests import build_request_model
from skyshelf.client.errors import ObjectNotFoundError
from skyshelf.client.objects.batch import change_in_parts
from skyshelf.client.objects.listing import PAGE_SIZE
from skyshelf.client.objects.lookup import PathResolver
from skyshelf.client.objects.outcomes import BatchResult, OnError, TolerantAnswer
from skyshelf.client.objects.remote_object import RemoteObject, Target
from skyshelf.client.upload.file import Progress, UploadOptions, upload_file
from skyshelf.wire.cursors import CursorQuery
from skyshelf.wire.endpoint import Endpoint
from skyshelf.wire.endpoints import board_members as members
from skyshelf.wire.endpoints import boards as endpoints
from skyshelf.wire.error_codes import INVITATION_NOT_FOUND
from skyshelf.wire.keys import is_key
from skyshelf.wire.limits import BOARD_DETAILS_LIMIT_DEFAULT
from skyshelf.wire.resources.boards import (
    Acceptance,
    Board,
    BoardActivity,
    BoardComment,
    BoardComments,
    BoardContributor,
    BoardContributors,
    BoardContributorsQuery,
    BoardCover,
    BoardCreation,
    BoardDetails,
    BoardDetailsQuery,
    BoardEditing,
    BoardEvent,
    BoardInvitation,
    BoardInvitations,
    BoardLink,
    BoardList,
    BoardListQuery,
    BoardMember,
    BoardMembers,
    BoardObject,
    BoardObjectsRequest,
    CommentCreation,
    CommentEditing,
    Declining,
    GivenMemberType,
    InvitationRequest,
    LinkRequest,
    MemberChange,
    ReceivedInvitation,
    ReceivedInvitations,
)
from skyshelf.wire.resources.objects import ObjectSort

_FEATURE: Final = "change boards; it only shows them"
_LINK_MARK: Final = "#invitation="


class AsyncBoards(Calls):
    """Boards: files that several people see.

    All but `list`, `get`, `create`, `members` and `leave` is an extension: see `NotOfferedError`. Roles are `O` for
    the owner, `M` for editors and `V` for viewers.

    Example:
        ```python
        board = client.boards.create("Summer")
        client.boards.add_files(board.board_key, ["/Photos/beach.jpg"])
        client.boards.invite(board.board_key, "grace@example.org", role="V")
        ```
    """

    async def get(self, board_key: str, *, sort: ObjectSort = "-lastModifiedDate") -> BoardDetails:
        """Get a board with everything on it.

        Args:
            board_key: The board.
            sort: The order of its files.
        """
        boards: list[Board] = []

        async def fetch(number: int) -> list[BoardObject]:
            query = BoardDetailsQuery(page=number, limit=BOARD_DETAILS_LIMIT_DEFAULT, sort=sort)
            details = await self._call(
                endpoints.BOARD_DETAILS, BoardDetails, query=query, keys={"board_key": board_key}
            )
            if details.board is not None and not boards:
                boards.append(details.board)
            return details.objects or []

        listed = self._by_page(fetch, lambda found: found.object_key, BOARD_DETAILS_LIMIT_DEFAULT)
        objects = [found async for found in listed]
        return BoardDetails(board=boards[0] if boards else None, objects=objects)

    async def create(self, name: str, description: str | None = None) -> Board:
        """Create a board.

        Args:
            name: Its name.
            description: What it is about.
        """
        body = build_request_model(partial(BoardCreation, board_name=name, board_description=description))
        # Names are not unique, and the interface shows no date of creation: only what was there before tells a new
        # board from an older one.
        known = {board.board_key async for board in self.list()}

        async def find() -> Board | None:
            made = [board async for board in self.list() if board.board_key not in known and board.board_name == name]
            return made[-1] if made else None

        return await self._engine.once_only(
            lambda: self._call(endpoints.CREATE_BOARD, Board, body=body), lambda: self._engine.listed_at_last(find)
        )

    async def edit(self, board_key: str, *, name: str | None = None, description: str | None = None) -> Board:
        """Change a board's name or description.

        Args:
            board_key: The board.
            name: The new name; None keeps the current one.
            description: The new description; None keeps the current one.
        """
        body = build_request_model(partial(BoardEditing, board_name=name, board_description=description))
        return await self._call(endpoints.EDIT_BOARD, Board, feature=_FEATURE, body=body, keys={"board_key": board_key})

    async def set_cover(self, board_key: str, target: Target | None) -> Board:
        """Choose the picture that stands for a board.

        Args:
            board_key: The board.
            target: A file on the board; None for no cover.
        """
        key = None if target is None else await PathResolver(self._engine).key(target)
        body = build_request_model(partial(BoardCover, object_key=key))
        return await self._call(
            endpoints.SET_BOARD_COVER, Board, feature=_FEATURE, body=body, keys={"board_key": board_key}
        )

    async def delete(self, board_key: str) -> None:
        """Delete a board for all its members; the files stay with their owners.

        Args:
            board_key: A board that you own.
        """
        await self._remove(endpoints.DELETE_BOARD, feature=_FEATURE, keys={"board_key": board_key})

    async def leave(self, board_key: str) -> None:
        """Leave a board.

        Args:
            board_key: A board that you are a member of.
        """
        await self._remove(endpoints.LEAVE_BOARD, body=[], keys={"board_key": board_key})

    async def add_files(self, board_key: str, targets: Iterable[Target], *, on_error: OnError = "raise") -> BatchResult:
        """Show files of yours on a board; they stay yours, and stay in their folders.

        Args:
            board_key: The board.
            targets: Files: objects, keys or paths.
            on_error: `return` to get rejections as outcomes.

        Returns:
            One outcome per file.

        Raises:
            UnprocessedError: The server rejected a file; the error has all outcomes.
        """
        return (await self._change_files(endpoints.ADD_TO_BOARD, board_key, targets)).settled(on_error)

    async def remove_files(
        self, board_key: str, targets: Iterable[Target], *, on_error: OnError = "raise"
    ) -> BatchResult:
        """Take files off a board: your own, or, as its owner, anybody's.

        Args:
            board_key: The board.
            targets: Files: objects, keys or paths.
            on_error: `return` to get rejections as outcomes.

        Returns:
            One outcome per file.

        Raises:
            UnprocessedError: The server rejected a file; the error has all outcomes.
        """
        return (await self._change_files(endpoints.REMOVE_FROM_BOARD, board_key, targets)).settled(on_error)

    async def upload(
        self,
        board_key: str,
        path: Path | str,
        folder: Target | None = None,
        *,
        name: str | None = None,
        options: UploadOptions | None = None,
        progress: Progress | None = None,
    ) -> RemoteObject:
        """Upload a file and show it on a board, in one step.

        Args:
            board_key: The board.
            path: The local file.
            folder: Where the file is stored; by default in `/Boards`, in a folder with the board's name.
            name: The file's name on the server; by default its local name.
            options: Chunk size and other settings.
            progress: Called with the bytes sent so far, and the total.

        Returns:
            The uploaded file.
        """
        key = None if folder is None else await PathResolver(self._engine).folder_key(folder)
        return await upload_file(
            self._engine, Path(path), key, board_key=board_key, name=name, options=options, progress=progress
        )

    async def members(self, board_key: str) -> list[BoardMember]:
        """List a board's members.

        Args:
            board_key: The board.
        """
        roster = await self._call(endpoints.BOARD_MEMBERS, BoardMembers, keys={"board_key": board_key})
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
        body = build_request_model(partial(MemberChange, member_type=role))
        keys = {"board_key": board_key, "user_id": user_id}
        roster = await self._call(members.SET_BOARD_ROLE, BoardMembers, feature=_FEATURE, body=body, keys=keys)
        return roster.board_members or []

    async def remove_member(self, board_key: str, user_id: str) -> None:
        """Remove somebody from a board, with their files.

        Args:
            board_key: A board that you own.
            user_id: The member.
        """
        keys = {"board_key": board_key, "user_id": user_id}
        await self._remove(members.REMOVE_BOARD_MEMBER, feature=_FEATURE, keys=keys)

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
        body = build_request_model(partial(InvitationRequest, email_id=email, member_type=role, expires_date=expires))
        keys = {"board_key": board_key}
        return await self._call(members.INVITE_TO_BOARD, BoardInvitation, feature=_FEATURE, body=body, keys=keys)

    async def invitations(self, board_key: str) -> BoardInvitations:
        """Get a board's open invitations and its links.

        Args:
            board_key: A board that you own.
        """
        keys = {"board_key": board_key}
        return await self._call(members.BOARD_INVITATIONS, BoardInvitations, feature=_FEATURE, keys=keys)

    async def revoke_invitation(self, board_key: str, invitation: str) -> None:
        """Revoke an invitation.

        Args:
            board_key: A board that you own.
            invitation: The invitation's key, or the email address that is invited.

        Raises:
            ObjectNotFoundError: There is no such invitation.
        """
        keys = {"board_key": board_key, "invitation_key": await self._invitation_key(board_key, invitation)}
        await self._remove(members.REVOKE_BOARD_INVITATION, feature=_FEATURE, keys=keys)

    async def create_link(
        self, board_key: str, *, role: GivenMemberType = "M", expires: int | None = None
    ) -> BoardLink:
        """Create a link with which anybody who has an account can join a board.

        Args:
            board_key: A board that you own.
            role: `M` for editors, `V` for viewers.
            expires: When the link expires, in epoch milliseconds; None for 30 days.
        """
        body = build_request_model(partial(LinkRequest, member_type=role, expires_date=expires))
        keys = {"board_key": board_key}
        unknown = "look at `boards.invitations`, and revoke a link there that you do not know"
        return await self._call(
            members.CREATE_BOARD_LINK, BoardLink, feature=_FEATURE, body=body, keys=keys, unknown=unknown
        )

    async def revoke_link(self, board_key: str, link_key: str) -> None:
        """Revoke a link; those who joined with it stay.

        Args:
            board_key: A board that you own.
            link_key: The link, as `invitations` lists it.
        """
        keys = {"board_key": board_key, "link_key": link_key}
        await self._remove(members.REVOKE_BOARD_LINK, feature=_FEATURE, keys=keys)

    def received_invitations(self, *, page_size: int = PAGE_SIZE) -> AsyncIterator[ReceivedInvitation]:
        """List the boards that you are invited to, newest first.

        Args:
            page_size: How many invitations one request asks for.
        """
        return self._by_cursor(
            members.RECEIVED_INVITATIONS,
            ReceivedInvitations,
            lambda page: page.invitations,
            lambda cursor: CursorQuery(cursor=cursor, limit=page_size),
            feature=_FEATURE,
        )

    async def accept(self, invitation: str) -> Board:
        """Join a board.

        Args:
            invitation: The key of a board that you are invited to, or a link to a board.
        """
        token = invitation.rpartition(_LINK_MARK)[2]
        accept = partial(Acceptance, board_key=invitation) if is_key(invitation) else partial(Acceptance, token=token)
        body = build_request_model(accept)
        return await self._call(members.ACCEPT_INVITATION, Board, feature=_FEATURE, body=body)

    async def decline(self, board_key: str) -> None:
        """Decline an invitation.

        Args:
            board_key: A board that you are invited to.
        """
        body = build_request_model(partial(Declining, board_key=board_key))
        await self._remove(members.DECLINE_INVITATION, feature=_FEATURE, body=body)

    def comments(self, board_key: str, *, page_size: int = PAGE_SIZE) -> AsyncIterator[BoardComment]:
        """List a board's comments, newest first.

        Args:
            board_key: The board.
            page_size: How many comments one request asks for.
        """
        return self._by_cursor(
            members.BOARD_COMMENTS,
            BoardComments,
            lambda page: page.comments,
            lambda cursor: CursorQuery(cursor=cursor, limit=page_size),
            feature=_FEATURE,
            keys={"board_key": board_key},
        )

    async def activity(self, board_key: str) -> list[BoardEvent]:
        """Who joined and left a board, and who added and removed files, newest first; the last 200 events.

        Args:
            board_key: The board.
        """
        keys = {"board_key": board_key}
        return (await self._call(members.BOARD_ACTIVITY, BoardActivity, feature=_FEATURE, keys=keys)).events or []

    async def contributors(self, board_key: str, targets: Iterable[Target]) -> list[BoardContributor]:
        """Who added files to a board, and when; files that are not on the board are left out.

        Args:
            board_key: The board.
            targets: Objects, keys or paths, at most 200.
        """
        found = await PathResolver(self._engine).keys(targets)
        query = build_request_model(partial(BoardContributorsQuery, object_keys=",".join(found)))
        keys = {"board_key": board_key}
        answer = await self._call(
            members.BOARD_CONTRIBUTORS, BoardContributors, feature=_FEATURE, query=query, keys=keys
        )
        return answer.contributors or []

    async def add_comment(self, board_key: str, text: str, *, about: Target | None = None) -> BoardComment:
        """Comment on a board, or on a file on it.

        Args:
            board_key: The board.
            text: The comment.
            about: The file: an object, a key or a path; None for the board as a whole.
        """
        key = None if about is None else await PathResolver(self._engine).key(about)
        body = build_request_model(partial(CommentCreation, text=text, object_key=key))
        keys = {"board_key": board_key}
        unknown = "look at the board's comments before you send it again"
        return await self._call(
            members.ADD_BOARD_COMMENT, BoardComment, feature=_FEATURE, body=body, keys=keys, unknown=unknown
        )

    async def edit_comment(self, board_key: str, comment_key: str, text: str) -> BoardComment:
        """Edit a comment of yours.

        Args:
            board_key: The board.
            comment_key: The comment.
            text: The new text.
        """
        body = build_request_model(partial(CommentEditing, text=text))
        keys = {"board_key": board_key, "comment_key": comment_key}
        return await self._call(members.EDIT_BOARD_COMMENT, BoardComment, feature=_FEATURE, body=body, keys=keys)

    async def remove_comment(self, board_key: str, comment_key: str) -> None:
        """Remove a comment: your own, or, as the board's owner, anybody's.

        Args:
            board_key: The board.
            comment_key: The comment.
        """
        keys = {"board_key": board_key, "comment_key": comment_key}
        await self._remove(members.REMOVE_BOARD_COMMENT, feature=_FEATURE, keys=keys)

    async def _change_files(self, endpoint: Endpoint, board_key: str, targets: Iterable[Target]) -> BatchResult:
        async def change(keys: list[str]) -> TolerantAnswer:
            body = BoardObjectsRequest(object_keys=keys)
            return await self._call(
                endpoint, TolerantAnswer, feature=_FEATURE, body=body, keys={"board_key": board_key}
            )

        return await change_in_parts(await PathResolver(self._engine).keys(targets), change)

    async def _invitation_key(self, board_key: str, invitation: str) -> str:
        """An invitation's key; an email address is searched among the board's invitations."""
        if is_key(invitation):
            return invitation
        for sent in (await self.invitations(board_key)).invitations or ():
            if (sent.email_id or "").casefold() == invitation.casefold():
                return sent.invitation_key
        raise ObjectNotFoundError(INVITATION_NOT_FOUND.message, status=404, code=INVITATION_NOT_FOUND.code)

    def list(self, *, page_size: int = PAGE_SIZE) -> AsyncIterator[Board]:
        """List the boards that you are a member of.

        Args:
            page_size: How many boards one request asks for.
        """

        async def fetch(number: int) -> _Boards:
            query = BoardListQuery(page=number, limit=page_size)
            return (await self._call(endpoints.BOARD_LIST, BoardList, query=query)).boards or []

        return self._by_page(fetch, lambda board: board.board_key, page_size)


_Boards = list[Board]

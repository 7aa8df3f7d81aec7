"""Boards: files that several people see."""

from collections.abc import AsyncIterator, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from skyshelf.client.api import Calls, feeds
from skyshelf.client.engine.capabilities import beyond
from skyshelf.client.engine.engine import Engine
from skyshelf.client.engine.pagination import walk
from skyshelf.client.engine.requests import build_request_model
from skyshelf.client.errors import ObjectNotFoundError, RequestFailedError
from skyshelf.client.objects import lookup
from skyshelf.client.objects.listing import PAGE_SIZE
from skyshelf.client.objects.outcomes import BatchResult, Outcome, TolerantAnswer, read_outcomes, unanswered
from skyshelf.client.objects.remote_object import RemoteObject, Target
from skyshelf.client.upload import file
from skyshelf.client.upload.file import Progress, UploadOptions
from skyshelf.wire.cursors import CursorQuery
from skyshelf.wire.endpoint import Endpoint
from skyshelf.wire.endpoints import board_members as member_endpoints
from skyshelf.wire.endpoints import boards as board_endpoints
from skyshelf.wire.endpoints.board_members import (
    ACCEPT_INVITATION,
    BOARD_COMMENTS,
    BOARD_INVITATIONS,
    RECEIVED_INVITATIONS,
)
from skyshelf.wire.endpoints.boards import BOARD_MEMBERS, CREATE_BOARD, LEAVE_BOARD
from skyshelf.wire.error_codes import INVITATION_NOT_FOUND
from skyshelf.wire.keys import is_key
from skyshelf.wire.limits import BATCH_ENTRIES_MAX
from skyshelf.wire.resources.boards import (
    Acceptance,
    Board,
    BoardComment,
    BoardComments,
    BoardCover,
    BoardCreation,
    BoardDetails,
    BoardEditing,
    BoardInvitation,
    BoardInvitations,
    BoardLink,
    BoardMember,
    BoardMembers,
    BoardObjectsRequest,
    CommentCreation,
    CommentEditing,
    Declining,
    Done,
    GivenMemberType,
    InvitationRequest,
    LinkRequest,
    MemberChange,
    ReceivedInvitation,
    ReceivedInvitations,
)
from skyshelf.wire.resources.objects import ObjectSort


class BoardCalls(Calls):
    """Boards: files that several people see."""

    async def boards(self, *, page_size: int = PAGE_SIZE) -> AsyncIterator[Board]:
        """The boards that the user is a member of."""
        async for found in feeds.boards(self._engine, page_size):
            yield found

    async def create_board(self, name: str, description: str | None = None) -> Board:
        """Make a board."""
        body = BoardCreation(board_name=name, board_description=description)
        return await self._engine.call(CREATE_BOARD, Board, body=body)

    async def board(self, board_key: str, *, sort: ObjectSort = "-lastModifiedDate") -> BoardDetails:
        """A board and all that is on it."""
        return await feeds.board(self._engine, board_key, sort)

    async def board_members(self, board_key: str) -> list[BoardMember]:
        """The roster of a board."""
        answer = await self._engine.call(BOARD_MEMBERS, BoardMembers, keys={"board_key": board_key})
        return answer.board_members or []

    async def leave_board(self, board_key: str) -> None:
        """Leave a board."""
        await self._engine.send(self._engine.plan(LEAVE_BOARD, body=[], keys={"board_key": board_key}))


# Boards: what people put on them, who is on them, and what they say. All of it is beyond the interface.

WHAT = "boards that can be changed: it only shows them"
_MARK = "#invitation="


async def change(
    engine: Engine, endpoint: Endpoint, model: Any, board_key: str, body: object = None, **further_keys: str
) -> Any:
    """One call about a board, or about something on it."""
    with beyond(WHAT):
        return await engine.call(endpoint, model, body=body, keys={"board_key": board_key, **further_keys})


async def remove(engine: Engine, endpoint: Endpoint, **keys: str) -> None:
    """End a board, or something on it."""
    with beyond(WHAT):
        await engine.send(engine.plan(endpoint, keys=keys))


async def invitation_key(engine: Engine, board_key: str, invitation: str) -> str:
    """The key of an invitation; of an address it is looked for among the invitations to the board."""
    if is_key(invitation):
        return invitation
    sent: BoardInvitations = await change(engine, BOARD_INVITATIONS, BoardInvitations, board_key)
    for one in sent.invitations or ():
        if (one.email_id or "").casefold() == invitation.casefold():
            return one.invitation_key
    raise ObjectNotFoundError(INVITATION_NOT_FOUND.message, status=404, code=INVITATION_NOT_FOUND.code)


async def change_objects(engine: Engine, endpoint: Endpoint, board_key: str, keys: Sequence[str]) -> BatchResult:
    """Put files on a board, or take them off; what became of each."""
    unique = list(dict.fromkeys(keys))
    outcomes: list[Outcome] = []
    for start in range(0, len(unique), BATCH_ENTRIES_MAX):
        part = unique[start : start + BATCH_ENTRIES_MAX]
        try:
            answer = await change(engine, endpoint, TolerantAnswer, board_key, BoardObjectsRequest(object_keys=part))
        except RequestFailedError as error:
            if not start:
                raise
            return BatchResult((*outcomes, *unanswered(unique[start:], error)))
        outcomes += read_outcomes(part, answer)
    return BatchResult(tuple(outcomes))


async def received_invitations(engine: Engine, page_size: int) -> AsyncIterator[ReceivedInvitation]:
    """The boards that the user is invited to, newest first."""

    async def fetch(cursor: str | None) -> tuple[Iterable[ReceivedInvitation], str | None]:
        query = CursorQuery(cursor=cursor, limit=page_size)
        with beyond(WHAT):
            page = await engine.call(RECEIVED_INVITATIONS, ReceivedInvitations, query=query)
        return page.invitations or (), page.next_cursor

    async for found in walk(fetch):
        yield found


async def accept(engine: Engine, invitation: str) -> Board:
    """Join a board: by its key where the user is invited, else by a link or the token in one."""
    token = invitation.rpartition(_MARK)[2]
    make = partial(Acceptance, board_key=invitation) if is_key(invitation) else partial(Acceptance, token=token)
    with beyond(WHAT):
        return await engine.call(ACCEPT_INVITATION, Board, body=build_request_model(make))


async def comments(engine: Engine, board_key: str, page_size: int) -> AsyncIterator[BoardComment]:
    """What people say, newest first."""

    async def fetch(cursor: str | None) -> tuple[Iterable[BoardComment], str | None]:
        query = CursorQuery(cursor=cursor, limit=page_size)
        with beyond(WHAT):
            page = await engine.call(BOARD_COMMENTS, BoardComments, query=query, keys={"board_key": board_key})
        return page.comments or (), page.next_cursor

    async for found in walk(fetch):
        yield found


# Boards with people on them: files, invitations, roles and comments.


class BoardPeopleCalls(Calls):
    """Boards with people on them: files, invitations, roles and comments."""

    async def add_to_board(self, board_key: str, targets: Iterable[Target]) -> BatchResult:
        """Show files of your own on a board; they stay yours, and where they are."""
        resolver = lookup.PathResolver(self._engine)
        keys = [await resolver.key(target) for target in targets]
        return await change_objects(self._engine, board_endpoints.ADD_TO_BOARD, board_key, keys)

    async def remove_from_board(self, board_key: str, targets: Iterable[Target]) -> BatchResult:
        """Take files off a board: your own, or, as its owner, anybody's, as the board listed them."""
        resolver = lookup.PathResolver(self._engine)
        keys = [await resolver.key(target) for target in targets]
        return await change_objects(self._engine, board_endpoints.REMOVE_FROM_BOARD, board_key, keys)

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
        key = None if folder is None else await lookup.PathResolver(self._engine).folder_key(folder)
        return await file.upload_file(
            self._engine, Path(path), key, board_key=board_key, name=name, options=options, progress=progress
        )

    async def edit_board(self, board_key: str, *, name: str | None = None, description: str | None = None) -> Board:
        """Change what a board is called or what is said about it; None leaves it as it is."""
        body = build_request_model(partial(BoardEditing, board_name=name, board_description=description))
        board: Board = await change(self._engine, board_endpoints.EDIT_BOARD, Board, board_key, body)
        return board

    async def delete_board(self, board_key: str) -> None:
        """End a board for everybody; the files stay with their owners."""
        await remove(self._engine, board_endpoints.DELETE_BOARD, board_key=board_key)

    async def set_board_cover(self, board_key: str, target: Target | None) -> Board:
        """Choose the file that stands for a board, among those that it shows; None for none."""
        key = None if target is None else await lookup.PathResolver(self._engine).key(target)
        body = build_request_model(partial(BoardCover, object_key=key))
        board: Board = await change(self._engine, board_endpoints.SET_BOARD_COVER, Board, board_key, body)
        return board

    async def invite_to_board(
        self, board_key: str, email: str, *, role: GivenMemberType = "M", expires: int | None = None
    ) -> BoardInvitation:
        """Invite somebody as an editor (`M`) or a viewer (`V`); nothing tells whether an account has the address.

        `expires` is a time in epoch milliseconds.
        """
        body = build_request_model(partial(InvitationRequest, email_id=email, member_type=role, expires_date=expires))
        invitation: BoardInvitation = await change(
            self._engine, member_endpoints.INVITE_TO_BOARD, BoardInvitation, board_key, body
        )
        return invitation

    async def board_invitations(self, board_key: str) -> BoardInvitations:
        """Who is invited to a board of yours and has not answered, and the links to it."""
        found: BoardInvitations = await change(
            self._engine, member_endpoints.BOARD_INVITATIONS, BoardInvitations, board_key
        )
        return found

    async def revoke_board_invitation(self, board_key: str, invitation: str) -> None:
        """Take an invitation back, by its key or by the address that is invited."""
        key = await invitation_key(self._engine, board_key, invitation)
        await remove(self._engine, member_endpoints.REVOKE_BOARD_INVITATION, board_key=board_key, invitation_key=key)

    async def create_board_link(
        self, board_key: str, *, role: GivenMemberType = "M", expires: int | None = None
    ) -> BoardLink:
        """Make a link that brings whoever has it onto a board."""
        body = build_request_model(partial(LinkRequest, member_type=role, expires_date=expires))
        link: BoardLink = await change(self._engine, member_endpoints.CREATE_BOARD_LINK, BoardLink, board_key, body)
        return link

    async def revoke_board_link(self, board_key: str, link_key: str) -> None:
        """Take a link back; who came by it stays."""
        await remove(self._engine, member_endpoints.REVOKE_BOARD_LINK, board_key=board_key, link_key=link_key)

    async def received_invitations(self, *, page_size: int = PAGE_SIZE) -> AsyncIterator[ReceivedInvitation]:
        """The boards that you are invited to, newest first."""
        async for found in received_invitations(self._engine, page_size):
            yield found

    async def accept_invitation(self, invitation: str) -> Board:
        """Join a board: by its key where you are invited, else by a link to it."""
        return await accept(self._engine, invitation)

    async def decline_invitation(self, board_key: str) -> None:
        """Not join a board."""
        body = build_request_model(partial(Declining, board_key=board_key))
        with beyond(WHAT):
            await self._engine.call(member_endpoints.DECLINE_INVITATION, Done, body=body)

    async def set_board_role(self, board_key: str, user_id: str, role: str) -> list[BoardMember]:
        """Make a member an editor (`M`), a viewer (`V`) or the owner (`O`); the roster as it is then."""
        body = build_request_model(partial(MemberChange, member_type=role))  # type: ignore[arg-type]
        answer: BoardMembers = await change(
            self._engine, member_endpoints.SET_BOARD_ROLE, BoardMembers, board_key, body, user_id=user_id
        )
        return answer.board_members or []

    async def remove_board_member(self, board_key: str, user_id: str) -> None:
        """Take somebody off a board, and their files with them."""
        await remove(self._engine, member_endpoints.REMOVE_BOARD_MEMBER, board_key=board_key, user_id=user_id)

    async def board_comments(self, board_key: str, *, page_size: int = PAGE_SIZE) -> AsyncIterator[BoardComment]:
        """What people say about a board, newest first."""
        async for found in comments(self._engine, board_key, page_size):
            yield found

    async def add_board_comment(self, board_key: str, text: str, *, about: Target | None = None) -> BoardComment:
        """Say something about a board, or about a file on it."""
        key = None if about is None else await lookup.PathResolver(self._engine).key(about)
        body = build_request_model(partial(CommentCreation, text=text, object_key=key))
        comment: BoardComment = await change(
            self._engine, member_endpoints.ADD_BOARD_COMMENT, BoardComment, board_key, body
        )
        return comment

    async def edit_board_comment(self, board_key: str, comment_key: str, text: str) -> BoardComment:
        """Say it otherwise; only what you said yourself."""
        body = build_request_model(partial(CommentEditing, text=text))
        comment: BoardComment = await change(
            self._engine, member_endpoints.EDIT_BOARD_COMMENT, BoardComment, board_key, body, comment_key=comment_key
        )
        return comment

    async def remove_board_comment(self, board_key: str, comment_key: str) -> None:
        """Remove a comment: your own, or, as the owner of the board, anybody's."""
        await remove(self._engine, member_endpoints.REMOVE_BOARD_COMMENT, board_key=board_key, comment_key=comment_key)

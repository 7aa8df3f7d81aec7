"""Boards: what people put on them, who is on them, and what they say. All of it is beyond the interface."""

from collections.abc import AsyncIterator, Iterable, Sequence
from functools import partial
from typing import Any

from skyshelf.client.beyond import beyond
from skyshelf.client.cursors import walk
from skyshelf.client.engine import Engine
from skyshelf.client.errors import ObjectNotFoundError, RequestFailedError
from skyshelf.client.outcomes import BatchResult, Outcome, TolerantAnswer, read_outcomes, unanswered
from skyshelf.client.requests import built
from skyshelf.wire.cursors import CursorQuery
from skyshelf.wire.endpoint import Endpoint
from skyshelf.wire.endpoints.board_members import (
    ACCEPT_INVITATION,
    BOARD_COMMENTS,
    BOARD_INVITATIONS,
    RECEIVED_INVITATIONS,
)
from skyshelf.wire.error_codes import INVITATION_NOT_FOUND
from skyshelf.wire.keys import is_key
from skyshelf.wire.limits import BATCH_ENTRIES_MAX
from skyshelf.wire.resources.boards import (
    Acceptance,
    Board,
    BoardComment,
    BoardComments,
    BoardInvitations,
    BoardObjectsRequest,
    ReceivedInvitation,
    ReceivedInvitations,
)

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
        return await engine.call(ACCEPT_INVITATION, Board, body=built(make))


async def comments(engine: Engine, board_key: str, page_size: int) -> AsyncIterator[BoardComment]:
    """What people say, newest first."""

    async def fetch(cursor: str | None) -> tuple[Iterable[BoardComment], str | None]:
        query = CursorQuery(cursor=cursor, limit=page_size)
        with beyond(WHAT):
            page = await engine.call(BOARD_COMMENTS, BoardComments, query=query, keys={"board_key": board_key})
        return page.comments or (), page.next_cursor

    async for found in walk(fetch):
        yield found

"""Boards: files that several people see."""

from collections.abc import AsyncIterator

from skyshelf.client import (
    feeds,
)
from skyshelf.client.calls.base import Calls
from skyshelf.client.listings import PAGE_SIZE
from skyshelf.wire.endpoints.boards import BOARD_MEMBERS, CREATE_BOARD, LEAVE_BOARD
from skyshelf.wire.resources.boards import Board, BoardCreation, BoardDetails, BoardMember, BoardMembers
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

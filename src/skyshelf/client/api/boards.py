"""Boards: files that several people see."""

from collections.abc import AsyncIterator, Iterable
from pathlib import Path
from typing import Any

from skyshelf.client.api.board_members import BoardCommentCalls, BoardMemberCalls
from skyshelf.client.engine.requests import checked
from skyshelf.client.objects.batch import change_in_parts
from skyshelf.client.objects.listing import PAGE_SIZE
from skyshelf.client.objects.lookup import PathResolver
from skyshelf.client.objects.outcomes import BatchResult, OnError, TolerantAnswer
from skyshelf.client.objects.remote_object import RemoteObject, Target
from skyshelf.client.upload.file import Progress, UploadOptions, upload_file
from skyshelf.wire.endpoint import JsonEndpoint
from skyshelf.wire.endpoints import boards as endpoints
from skyshelf.wire.limits import BOARD_DETAILS_LIMIT_DEFAULT
from skyshelf.wire.resources import boards as models
from skyshelf.wire.resources.boards import Board, BoardContributor, BoardDetails, BoardEvent
from skyshelf.wire.resources.downloads import FileKeysQuery
from skyshelf.wire.resources.objects import ObjectSort


class AsyncBoards(BoardMemberCalls, BoardCommentCalls):
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

    _feature = "change boards; it only shows them"

    async def get(self, board_key: str, *, sort: ObjectSort = "-lastModifiedDate") -> BoardDetails:
        """Get a board with everything on it.

        Args:
            board_key: The board.
            sort: The order of its files.
        """
        boards: list[Board] = []

        async def fetch(number: int) -> list[models.BoardObject]:
            query = models.BoardDetailsQuery(page=number, limit=BOARD_DETAILS_LIMIT_DEFAULT, sort=sort)
            details = await self._call(endpoints.BOARD_DETAILS, query=query, keys={"board_key": board_key})
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
            description: What the board is about.
        """
        body = checked(models.BoardCreation, board_name=name, board_description=description)
        # Names are not unique, and the interface shows no creation date: only the boards that existed before tell a
        # new board from an older one.
        known = {board.board_key async for board in self.list()}

        async def find() -> Board | None:
            made = [board async for board in self.list() if board.board_key not in known and board.board_name == name]
            return made[-1] if made else None

        return await self._engine.once_only(
            lambda: self._call(endpoints.CREATE_BOARD, body=body), lambda: self._engine.listed_at_last(find)
        )

    async def edit(self, board_key: str, *, name: str | None = None, description: str | None = None) -> Board:
        """Change a board's name or description.

        Args:
            board_key: The board.
            name: The new name; None keeps the current one.
            description: The new description; None keeps the current one.
        """
        body = checked(models.BoardEditing, board_name=name, board_description=description)
        return await self._call(endpoints.EDIT_BOARD, body=body, keys={"board_key": board_key})

    async def set_cover(self, board_key: str, target: Target | None) -> Board:
        """Choose the picture that stands for a board.

        Args:
            board_key: The board.
            target: A file on the board; None for no cover.
        """
        key = None if target is None else await PathResolver(self._engine).key(target)
        body = checked(models.BoardCover, object_key=key)
        return await self._call(endpoints.SET_BOARD_COVER, body=body, keys={"board_key": board_key})

    async def delete(self, board_key: str) -> None:
        """Delete a board for all its members; the files stay with their owners.

        Args:
            board_key: A board that you own.
        """
        await self._remove(endpoints.DELETE_BOARD, keys={"board_key": board_key})

    async def leave(self, board_key: str) -> None:
        """Leave a board.

        Args:
            board_key: A board that you are a member of.
        """
        await self._remove(endpoints.LEAVE_BOARD, body=[], keys={"board_key": board_key})

    async def add_files(self, board_key: str, targets: Iterable[Target], *, on_error: OnError = "raise") -> BatchResult:
        """Show your own files on a board; they remain yours, and stay in their folders.

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

    async def activity(self, board_key: str) -> list[BoardEvent]:
        """List who joined and left a board, and who added and removed files, newest first; the last 200 events.

        Args:
            board_key: The board.
        """
        return (await self._call(endpoints.BOARD_ACTIVITY, keys={"board_key": board_key})).events or []

    async def contributors(self, board_key: str, targets: Iterable[Target]) -> list[BoardContributor]:
        """List who added files to a board, and when; files that are not on the board are left out.

        Args:
            board_key: The board.
            targets: Objects, keys or paths, at most 200.
        """
        found = await PathResolver(self._engine).keys(targets)
        query = checked(FileKeysQuery, object_keys=",".join(found))
        keys = {"board_key": board_key}
        answer = await self._call(endpoints.BOARD_CONTRIBUTORS, query=query, keys=keys)
        return answer.contributors or []

    async def _change_files(
        self, endpoint: JsonEndpoint[Any], board_key: str, targets: Iterable[Target]
    ) -> BatchResult:
        async def change(keys: list[str]) -> TolerantAnswer:
            body = models.BoardObjectsRequest(object_keys=keys)
            return await self._call(endpoint.read_as(TolerantAnswer), body=body, keys={"board_key": board_key})

        return await change_in_parts(await PathResolver(self._engine).keys(targets), change)

    def list(self, *, page_size: int = PAGE_SIZE) -> AsyncIterator[Board]:
        """List the boards that you are a member of.

        Args:
            page_size: How many boards one request asks for.
        """

        async def fetch(number: int) -> _Boards:
            query = models.BoardListQuery(page=number, limit=page_size)
            return (await self._call(endpoints.BOARD_LIST, query=query)).boards or []

        return self._by_page(fetch, lambda board: board.board_key, page_size)


_Boards = list[Board]

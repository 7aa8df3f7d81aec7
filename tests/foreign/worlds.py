"""An account with the same content on either server, and what is true of it, whatever a client was told."""

import os
from pathlib import Path
from typing import Any, Protocol

from tests.foreign.drive import BOARD, MODIFIED, ROOT, USER, Drive
from tests.foreign.server import ForeignServer

from skyshelf.client.async_client import AsyncClient

HELLO = b"hello, world"
BIG = bytes(range(251)) * 1200


class World(Protocol):
    """The truth about an account, past the client under test."""

    client: AsyncClient
    place: Path
    board: str
    is_ours: bool
    environment: dict[str, str]
    """The variables of a process with the same session."""

    async def key(self, path: str) -> str: ...

    async def names(self, path: str = "/") -> set[str]: ...

    async def trashed(self) -> dict[str, str]:
        """Names in the trash, with their keys."""

    async def is_favorite(self, path: str) -> bool: ...

    async def links(self) -> int: ...

    async def boards(self) -> set[str]: ...


class ForeignWorld:
    """The account of the foreign server, read from its memory."""

    is_ours = False
    board = BOARD

    def __init__(self, server: ForeignServer, client: AsyncClient, place: Path) -> None:
        self.client = client
        self.place = place
        self.environment = server.environment
        self._drive: Drive = server.drive

    async def key(self, path: str) -> str:
        return self._drive.named(*path.strip("/").split("/")).key if path.strip("/") else ROOT

    async def names(self, path: str = "/") -> set[str]:
        parent = await self.key(path)
        return {
            one.now.name for one in self._drive.entries.values() if (one.now.parent, one.now.status) == (parent, "A")
        }

    async def trashed(self) -> dict[str, str]:
        return {one.now.name: one.key for one in self._drive.entries.values() if one.now.status == "T"}

    async def is_favorite(self, path: str) -> bool:
        return self._drive.named(*path.strip("/").split("/")).now.favorite

    async def links(self) -> int:
        return len(self._drive.links)

    async def boards(self) -> set[str]:
        return {board["boardName"] for board in self._drive.boards.values() if USER in board["members"]}


class OwnWorld:
    """An account of our server, read by a client of its own."""

    is_ours = True

    def __init__(
        self, client: AsyncClient, witness: AsyncClient, place: Path, board: str, environment: dict[str, str]
    ) -> None:
        self.client = client
        self.place = place
        self.board = board
        self.environment = environment
        self._witness = witness

    async def key(self, path: str) -> str:
        return (await self._witness.get(path)).key if path.strip("/") else await self._witness.root_key()

    async def names(self, path: str = "/") -> set[str]:
        return {one.name async for one in self._witness.list_folder(path if path.strip("/") else None)}

    async def trashed(self) -> dict[str, str]:
        return {one.name: one.key async for one in self._witness.trash.list()}

    async def is_favorite(self, path: str) -> bool:
        return bool((await self._witness.get(path)).is_favorite)

    async def links(self) -> int:
        return len([one async for one in self._witness.shares.list()])

    async def boards(self) -> set[str]:
        return {str(one.board_name) async for one in self._witness.boards.list()}


async def fill_own(client: AsyncClient, place: Path, picture: bytes) -> str:
    """Put the content of the foreign account into one of ours; returns the key of its board."""
    place.mkdir()

    async def put(name: str, content: bytes, folder: str | None = None) -> Any:
        (place / name).write_bytes(content)
        os.utime(place / name, ns=(MODIFIED * 1_000_000, MODIFIED * 1_000_000))
        return await client.upload(place / name, folder)

    await client.create_path("/Documents")
    await client.create_path("/Photos/2024")
    await put("report.txt", b"a report", "/Documents")
    beach = await put("beach.jpg", picture, "/Photos")
    await put("deep.txt", b"far below", "/Photos/2024")
    await put("hello.txt", HELLO)
    await put("big.bin", BIG)
    old = await put("old.txt", b"old")
    await client.move_to_trash([old])
    board = await client.boards.create("Summer")
    await client.boards.add_files(str(board.board_key), [beach])
    cards = (
        f"BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Person {n:02d}\r\nEMAIL:c{n}@example.org\r\nEND:VCARD\r\n" for n in range(35)
    )
    await client.contacts.import_vcards("".join(cards))
    await client.tags.add("sea", [beach])
    return str(board.board_key)

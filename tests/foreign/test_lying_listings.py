"""A listing that is none, or another one, is an error for everything that people use, and never a folder with less."""

import asyncio
import errno
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from tests.foreign.commands import CommandFailed, Shell
from tests.foreign.drive import ROOT, Drive
from tests.foreign.faults import PAGE, OneFolder
from tests.foreign.messages import Reply
from tests.foreign.quirk import Quirk
from tests.foreign.quirks import QUIRKS
from tests.foreign.server import ForeignServer
from tests.foreign.tool_calls import ToolFailed, Tools
from tests.foreign.worlds import ForeignWorld

from skyshelf.client.async_client import AsyncClient
from skyshelf.client.errors import UnexpectedAnswerError
from skyshelf.client.sync_client import Client
from skyshelf.desktop.filesystem import SkyshelfFileSystem
from skyshelf.desktop.mount.operations import DriveOperations
from skyshelf.desktop.sync.local_tree import STATE_FOLDER
from skyshelf.wire.client_errors import EXIT_UNEXPECTED, EXIT_USAGE

FOLDER = "/Photos"


def shown(server: ForeignServer, *path: str) -> dict[str, Any]:
    return server.interface.shown(server.drive.named(*path))


def whole(server: ForeignServer) -> bytes:
    """The listing as it should be."""
    return json.dumps({"objects": [shown(server, "Photos", "2024"), shown(server, "Photos", "beach.jpg")]}).encode()


LIES: dict[str, Callable[[ForeignServer], Reply]] = {
    "null": lambda _: Reply(200, b"null"),
    "a null list": lambda _: Reply(200, {"objects": None}),
    "no list": lambda _: Reply(200, {"objects": {}}),
    "a bare list": lambda _: Reply(200, []),
    "an empty object": lambda _: Reply(200, {}),
    "an empty body": lambda _: Reply(200),
    "no content": lambda _: Reply(204),
    "an error": lambda _: Reply(200, {"code": "X1", "message": "bad"}),
    "a web page": lambda _: PAGE,
    "a part": lambda server: Reply(206, whole(server)),
    "accepted": lambda _: Reply(202, {}),
    "half of its bytes": lambda server: Reply(200, whole(server)[:-20]),
    "the list twice": lambda server: Reply(200, whole(server)[:-1] + b', "objects": []}'),
    "the list twice, the first one empty": lambda server: Reply(200, b'{"objects": [], ' + whole(server)[1:]),
    "a null among the objects": lambda server: Reply(200, {"objects": [None, shown(server, "Photos", "2024")]}),
    "nothing but a null": lambda _: Reply(200, {"objects": [None]}),
    "a text among the objects": lambda server: Reply(200, {"objects": ["beach.jpg", shown(server, "Photos", "2024")]}),
    "an object that is no object": lambda _: Reply(200, {"objects": [{}]}),
    "the root instead": lambda server: Reply(200, {"objects": [shown(server, "hello.txt"), shown(server, "big.bin")]}),
    "another folder": lambda server: Reply(200, {"objects": [shown(server, "Documents", "report.txt")]}),
}
"""Replies instead of the listing of one folder."""


class Side:
    """A way to look at the folder, on a computer whose copies were made before the lie."""

    def __init__(self, server: ForeignServer, client: AsyncClient, place: Path) -> None:
        self.server = server
        self.client = client
        self.shell = Shell(ForeignWorld(server, client, place))
        self.place = place

    def settings(self) -> dict[str, Any]:
        return {**self.server.settings, "retry_wait": 0.001, "lag": 0.0}


async def by_async_sdk(side: Side) -> None:
    with pytest.raises(UnexpectedAnswerError):
        [one async for one in side.client.list_folder(FOLDER)]
    with pytest.raises(UnexpectedAnswerError):
        [one async for one in side.client.walk()]


async def by_sync_sdk(side: Side) -> None:
    def look() -> None:
        with Client(**side.settings()) as client, pytest.raises(UnexpectedAnswerError):
            list(client.list_folder(FOLDER))

    await asyncio.to_thread(look)


async def by_command(side: Side) -> None:
    for command in (("ls", FOLDER), ("tree", "/"), ("du", "/"), ("get", FOLDER, str(side.place / "got"))):
        with pytest.raises(CommandFailed):
            await side.shell(*command)


async def by_bridge(side: Side) -> None:
    with pytest.raises(ToolFailed, match="ServerError"):
        await Tools(side.shell.world)("list_files", folder_key=side.server.drive.named("Photos").key)


async def by_mount(side: Side) -> None:
    def look() -> None:
        with Client(**side.settings()) as client:
            drive = DriveOperations(client, ROOT, side.place, cache_bytes=1 << 20)
            for call in (lambda: list(drive.readdir(FOLDER)), lambda: drive.getattr(f"{FOLDER}/beach.jpg")):
                with pytest.raises(OSError, match=r"response|folder") as raised:
                    call()
                assert raised.value.errno == errno.EIO
            # A folder whose content is not known is not empty.
            with pytest.raises(OSError, match=r"response|folder"):
                drive.rmdir(FOLDER)
            drive.close()

    await asyncio.to_thread(look)
    assert side.server.drive.named("Photos").now.status == "A"


async def by_file_system(side: Side) -> None:
    def look() -> None:
        files = SkyshelfFileSystem(side.server.url, **_session(side), skip_instance_cache=True)
        try:
            for call in (files.ls, files.find, files.du):
                with pytest.raises(OSError, match=r"response|folder"):
                    call(FOLDER)
        finally:
            files.close()

    await asyncio.to_thread(look)


def _session(side: Side) -> dict[str, Any]:
    return {name: value for name, value in side.settings().items() if name != "server"}


LOOKING: dict[str, Callable[[Side], Awaitable[None]]] = {
    "async SDK": by_async_sdk,
    "sync SDK": by_sync_sdk,
    "command line": by_command,
    "bridge": by_bridge,
    "mount": by_mount,
    "fsspec": by_file_system,
}


@pytest.mark.parametrize("lie", LIES)
@pytest.mark.parametrize("name", LOOKING)
async def test_a_lie_about_a_folder_is_an_error(foreign: ForeignServer, tmp_path: Path, name: str, lie: str) -> None:
    foreign.begin(QUIRKS["none"])
    async with AsyncClient(**foreign.settings, retry_wait=0.001) as client:
        foreign.quirk = OneFolder(foreign.drive.named("Photos").key, LIES[lie](foreign))
        await LOOKING[name](Side(foreign, client, tmp_path))


def files(folder: Path) -> dict[str, bytes]:
    return {
        str(one.relative_to(folder)): one.read_bytes()
        for one in folder.rglob("*")
        if one.is_file() and not one.relative_to(folder).parts[0].startswith((STATE_FOLDER, ".skyshelf"))
    }


@pytest.mark.parametrize("lie", LIES)
async def test_a_lie_about_a_folder_changes_no_copy(foreign: ForeignServer, tmp_path: Path, lie: str) -> None:
    """Sync and backup fail, and both are whole again with the next answer."""
    foreign.begin(QUIRKS["none"])
    copies = {"sync": tmp_path / "synced", "backup": tmp_path / "kept"}
    copies["sync"].mkdir()
    commands = {"sync": ("sync", str(copies["sync"]), "/"), "backup": ("backup", str(copies["backup"]))}
    async with AsyncClient(**foreign.settings, retry_wait=0.001) as client:
        shell = Side(foreign, client, tmp_path).shell
        for command in commands.values():
            await shell(*command)
        before = {name: files(copy) for name, copy in copies.items()}
        asked = len([one for one in foreign.asked if one.is_write])
        foreign.quirk = OneFolder(foreign.drive.named("Photos").key, LIES[lie](foreign))
        for command in commands.values():
            with pytest.raises(CommandFailed) as failed:
                await shell(*command)
            assert not str(failed.value).startswith((f"exit {EXIT_USAGE}:", f"exit {EXIT_UNEXPECTED}:"))
        assert {name: files(copy) for name, copy in copies.items()} == before
        assert len([one for one in foreign.asked if one.is_write]) == asked, "nothing was changed on the server either"
        foreign.quirk = QUIRKS["none"]
        for command in commands.values():
            await shell(*command)
        assert {name: files(copy) for name, copy in copies.items()} == before


class Renders(Quirk):
    """Shows the objects of one folder with other fields."""

    def __init__(self, folder_key: str, **fields: Any) -> None:
        self._folder_key = folder_key
        self._fields = fields

    def render(self, shown: dict[str, Any]) -> dict[str, Any]:
        return {**shown, **self._fields} if shown["parentObjectKey"] == self._folder_key else shown


@pytest.mark.parametrize(
    "fields",
    [
        {"objectName": None},
        {"objectName": ""},
        {"objectName": {"en": "beach"}},
        {"objectKey": None},
        {"objectKey": ""},
        {"objectKey": ["A" * 32]},
        {"objectKey": ROOT},
    ],
    ids=str,
)
async def test_an_item_without_its_key_or_name_is_not_taken_for_another_one_by_a_sync(
    foreign: ForeignServer, tmp_path: Path, fields: dict[str, Any]
) -> None:
    foreign.begin(QUIRKS["none"])
    here = tmp_path / "here"
    here.mkdir()
    async with AsyncClient(**foreign.settings, retry_wait=0.001) as client:
        shell = Side(foreign, client, tmp_path).shell
        await shell("sync", str(here), "/")
        before = files(here)
        quirk = Renders(foreign.drive.named("Photos").key, **fields)
        foreign.quirk, foreign.interface = quirk, type(foreign.interface)(foreign.drive, foreign.url, quirk.render)
        with pytest.raises(CommandFailed, match="the server"):
            await shell("sync", str(here), "/")
        assert files(here) == before


def moved_twice(drive: Drive) -> None:
    """List a file of the top folder in another one, too."""
    twin = drive.add("hello.txt", b"hello, world", drive.named("Photos").key)
    twin.key = drive.named("hello.txt").key
    drive.settle()


async def test_a_file_in_two_folders_stops_a_sync(foreign: ForeignServer, tmp_path: Path) -> None:
    foreign.begin(QUIRKS["none"])
    here = tmp_path / "here"
    here.mkdir()
    async with AsyncClient(**foreign.settings, retry_wait=0.001) as client:
        shell = Side(foreign, client, tmp_path).shell
        await shell("sync", str(here), "/")
        before = files(here)
        moved_twice(foreign.drive)
        with pytest.raises(CommandFailed, match="in more than one folder"):
            await shell("sync", str(here), "/")
        assert files(here) == before

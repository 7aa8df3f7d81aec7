"""Every tool of the agent bridge as an operation: its envelope is checked like the result of a client."""

from collections.abc import Awaitable, Callable
from typing import Any

from tests.foreign.operations import FILES, Operation, check
from tests.foreign.worlds import BIG, World

from skyshelf.agent.dispatcher import Dispatcher
from skyshelf.agent.download_root import DownloadRoot
from skyshelf.agent.errors import INTERNAL_ERROR
from skyshelf.client.errors import SkyshelfError


class ToolFailed(SkyshelfError):
    """An envelope that names an error."""

    def __init__(self, type_: str, message: str) -> None:
        super().__init__(f"{type_}: {message}")
        self.reported = type_
        # An envelope has no place for a code but its sentence.
        self.code = "KEPT" if type_ == "InvalidRequestError" else None


class Tools:
    """The bridge of a world."""

    def __init__(self, world: World) -> None:
        self.world = world
        self._root = world.place / "downloads"
        self._root.mkdir()
        self._dispatcher = Dispatcher(client=world.client, downloads=DownloadRoot(self._root), environment={})

    async def __call__(self, tool: str, **arguments: object) -> Any:
        """The result of a call; an error of the bridge that has no name is no error of the client's family."""
        envelope: Any = await self._dispatcher.call({"tool": tool, "arguments": arguments})
        if envelope["ok"]:
            check(envelope.keys() <= {"ok", "result", "count"}, envelope)
            return envelope["result"]
        type_, message = envelope["error"]["type"], envelope["error"]["message"]
        if type_ == INTERNAL_ERROR:
            raise RuntimeError(message)
        raise ToolFailed(type_, message)


TOOL_CALLS: dict[str, Operation] = {}


def tool(*concerns: str) -> Callable[[Callable[[Tools], Awaitable[None]]], Callable[[Tools], Awaitable[None]]]:
    def add(run: Callable[[Tools], Awaitable[None]]) -> Callable[[Tools], Awaitable[None]]:
        async def operation(world: World) -> None:
            await run(Tools(world))

        name = f"tool {run.__name__}"
        TOOL_CALLS[name] = Operation(name, operation, frozenset(concerns))
        return run

    return add


def names(objects: list[dict[str, Any]]) -> set[str]:
    return {one["name"] for one in objects}


@tool()
async def account_info(call: Tools) -> None:
    found = await call("account_info")
    check(found["name"] == "Ada Byron" and found["quota"]["allocated_bytes"] > 0, found)


@tool()
async def list_files(call: Tools) -> None:
    found = await call("list_files", folder_key=await call.world.key("/Photos"))
    check(names(found) == {"2024", "beach.jpg"}, found)


@tool()
async def search_files(call: Tools) -> None:
    found = await call("search_files", query="deep")
    check(names(found) == {"deep.txt"}, found)


@tool("downloads")
async def download_file(call: Tools) -> None:
    key = await call.world.key("/big.bin")
    path = call.world.place / "downloads" / "copy.bin"
    try:
        done = await call("download_file", object_key=key, destination="copy.bin", confirm=True)
    except Exception:
        check(not path.exists(), "a file exists after an error")
        raise
    check(done["verified"] is True and path.read_bytes() == BIG, done)


@tool("downloads")
async def download_all(call: Tools) -> None:
    await call("download_all", destination_dir="all", confirm=True)
    found = {one.name for one in (call.world.place / "downloads" / "all").rglob("*") if one.is_file()}
    check(found >= FILES, found)


@tool("writes")
async def create_folder(call: Tools) -> None:
    made = await call("create_folder", name="New")
    check(made["object_key"].upper() == await call.world.key("/New"), made)


@tool("writes", "batches")
async def move_to_trash(call: Tools) -> None:
    await call("move_to_trash", object_keys=[await call.world.key("/hello.txt")], confirm=True)
    check("hello.txt" in await call.world.trashed())


@tool("writes", "batches")
async def restore_from_trash(call: Tools) -> None:
    await call("restore_from_trash", object_keys=[(await call.world.trashed())["old.txt"]], confirm=True)
    check("old.txt" in await call.world.names())


@tool("trash")
async def list_trash(call: Tools) -> None:
    found = await call("list_trash", limit=10)
    there = await call.world.trashed()
    check(len(found) == min(10, len(there)) and names(found) <= set(there), found)


@tool("writes", "links")
async def share_link(call: Tools) -> None:
    made = await call("share_link", object_keys=[await call.world.key("/hello.txt")], confirm=True)
    check("?u=" in str(made) and await call.world.links() == 1, made)


@tool("writes", "batches")
async def rename_object(call: Tools) -> None:
    made = await call("rename_object", object_key=await call.world.key("/hello.txt"), new_name="bye.txt")
    check(made["name"] == "bye.txt" and "bye.txt" in await call.world.names(), made)


@tool("writes", "batches")
async def set_favorite(call: Tools) -> None:
    await call("set_favorite", object_keys=[await call.world.key("/hello.txt")])
    check(await call.world.is_favorite("/hello.txt"))


@tool()
async def version_history(call: Tools) -> None:
    found = await call("version_history", object_key=await call.world.key("/hello.txt"))
    check(len(found) == 1, found)


@tool()
async def recent_activity(call: Tools) -> None:
    found = await call("recent_activity")
    check(names(found) >= FILES - {"report.txt"}, found)


@tool()
async def list_boards(call: Tools) -> None:
    found = await call("list_boards")
    check(len(found) == 1 and "Summer" in str(found), found)


@tool()
async def get_contacts(call: Tools) -> None:
    found = await call("get_contacts")
    check(len(found) == 35, len(found))

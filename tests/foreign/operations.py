"""What people do with the SDK. Each operation checks its own result against the truth, and raises if it is wrong."""

import warnings
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from tests.foreign.drive import MODIFIED
from tests.foreign.worlds import BIG, HELLO, World

Item = TypeVar("Item")

FILES = {"report.txt", "beach.jpg", "deep.txt", "hello.txt", "big.bin"}
STRANGE = {"twin.txt", "strange"}
"""Names that quirks add to the account."""


@dataclass(frozen=True)
class Operation:
    """`concerns` says which requests it makes, beside the reading ones."""

    name: str
    run: Callable[[World], Awaitable[None]]
    concerns: frozenset[str]


OPERATIONS: dict[str, Operation] = {}


def operation(*concerns: str) -> Callable[[Callable[[World], Awaitable[None]]], Callable[[World], Awaitable[None]]]:
    def add(run: Callable[[World], Awaitable[None]]) -> Callable[[World], Awaitable[None]]:
        name = run.__name__.removesuffix("_")
        OPERATIONS[name] = Operation(name, run, frozenset(concerns))
        return run

    return add


async def all_of(items: AsyncIterator[Item]) -> list[Item]:
    return [one async for one in items]


def check(right: object, wrong: object = "") -> None:
    """An assertion that says that a result is wrong although the client called it a success."""
    assert right, f"wrong result: {wrong}"


# Account


@operation()
async def profile(world: World) -> None:
    found = await world.client.account.profile()
    check((found.first_name, found.last_name) == ("Ada", "Byron"), found)


@operation()
async def quota(world: World) -> None:
    found = await world.client.account.quota()
    check((found.total_allocated_quota or 0) > (found.total_used_quota or 0) > 0, found)


@operation()
async def devices(world: World) -> None:
    check(len(await world.client.account.devices()) >= 1)


@operation()
async def promotions(world: World) -> None:
    await world.client.account.promotions()


@operation()
async def app_settings(world: World) -> None:
    check((await world.client.server_info.app_settings()).backup is not None)


@operation()
async def banners(world: World) -> None:
    check(world.is_ours or len(await world.client.server_info.banners()) == 1)


@operation()
async def supported_documents(world: World) -> None:
    check((await world.client.server_info.supported_documents()).view)


# Listings


@operation()
async def list_folder(world: World) -> None:
    found = [one.name for one in await all_of(world.client.list_folder())]
    check(set(found) - STRANGE == {"Documents", "Photos", "hello.txt", "big.bin"}, found)
    check(len(set(found)) == len(found) or "twin.txt" in found, found)


@operation()
async def list_by_key(world: World) -> None:
    found = await all_of(world.client.list_folder(await world.key("/Photos")))
    check({one.name: one.is_folder for one in found} == {"2024": True, "beach.jpg": False}, found)


@operation()
async def walk(world: World) -> None:
    found = {one.path for one in await all_of(world.client.walk())}
    check({"/Photos/2024/deep.txt", "/Documents/report.txt", "/hello.txt"} <= found, found)
    check(len(found - {f"/{name}" for name in STRANGE}) == 8, found)


@operation()
async def get_by_path(world: World) -> None:
    found = await world.client.get("/Photos/2024/deep.txt")
    check((found.name, found.is_file, found.size) == ("deep.txt", True, 9), found)


@operation()
async def get_by_key(world: World) -> None:
    key = await world.key("/Photos/2024/deep.txt")
    found = await world.client.get(key)
    check((found.name, found.key.upper()) == ("deep.txt", key), found)


@operation()
async def get_many(world: World) -> None:
    found = await world.client.get_many(["/hello.txt", "/Photos"])
    check([one.name for one in found] == ["hello.txt", "Photos"], found)


@operation()
async def search(world: World) -> None:
    found = [one.path for one in await all_of(world.client.search("deep"))]
    check(found == ["/Photos/2024/deep.txt"], found)


@operation()
async def search_by_extension(world: World) -> None:
    found = {one.path for one in await all_of(world.client.search(extension="txt"))} - {"/twin.txt"}
    check(found == {"/hello.txt", "/Documents/report.txt", "/Photos/2024/deep.txt"}, found)


# Feeds


@operation()
async def recent(world: World) -> None:
    found = await world.client.recent()
    pictures = [one.object_name for one in found.objects_imgs or ()]
    check("beach.jpg" in pictures, found)


@operation()
async def memories(world: World) -> None:
    check(world.is_ours or len(await all_of(world.client.memories())) == 1)


@operation()
async def uploaded_by_app(world: World) -> None:
    check(await all_of(world.client.uploaded_by_app()) == [])


@operation()
async def shared_objects(world: World) -> None:
    check(await all_of(world.client.shares.objects()) == [])


@operation()
async def recent_tags(world: World) -> None:
    check([one.tag_name for one in await world.client.tags.recent()] == ["sea"])


@operation()
async def tags_of(world: World) -> None:
    check([one.tag_name for one in await world.client.tags.of("/Photos/beach.jpg")] == ["sea"])


@operation()
async def versions(world: World) -> None:
    found = await world.client.versions.list("/hello.txt")
    check([one.version for one in found.obj_versions or ()] == [1], found)


@operation("trash")
async def list_trash(world: World) -> None:
    there = await world.trashed()
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        found = {one.name for one in await all_of(world.client.trash.list())}
    check(said or len(there) <= 2000, "a listing without an end, and not a word about it")
    check(found <= set(there) and len(found) >= min(len(there), 2000), len(found))


# Changes


@operation("writes")
async def create_folder(world: World) -> None:
    made = await world.client.create_folder("New", "/Photos")
    check((made.name, made.is_folder) == ("New", True), made)
    check(made.key.upper() == await world.key("/Photos/New"), made)


@operation("writes")
async def create_folder_twice(world: World) -> None:
    first = await world.client.create_folder("New", exist_ok=True)
    second = await world.client.create_folder("New", exist_ok=True)
    check(first.key == second.key == await world.key("/New"), (first, second))


@operation("writes")
async def create_path(world: World) -> None:
    await world.client.create_path("/Photos/New/inner")
    made = await world.client.create_path("/Photos/New/inner")
    check(made.key.upper() == await world.key("/Photos/New/inner"), made)
    check(await world.names("/Photos") == {"New", "2024", "beach.jpg"})


@operation("writes", "batches")
async def work_in_a_new_folder(world: World) -> None:
    made = await world.client.create_folder("New")
    await world.client.move(["/hello.txt"], "/New")
    await world.client.rename(await world.key("/New/hello.txt"), "moved.txt", parent=made)
    check(await world.names("/New") == {"moved.txt"})


@operation("writes", "batches")
async def set_favorite(world: World) -> None:
    await world.client.set_favorite(["/hello.txt", "/Photos"])
    check(await world.is_favorite("/hello.txt") and await world.is_favorite("/Photos"))


@operation("writes", "batches")
async def unset_favorite(world: World) -> None:
    key = await world.key("/hello.txt")
    await world.client.set_favorite([key])
    await world.client.set_favorite([key], False)
    check(not await world.is_favorite("/hello.txt"))


@operation("writes", "batches")
async def rename(world: World) -> None:
    made = await world.client.rename("/hello.txt", "bye.txt")
    check(made.name == "bye.txt", made)
    check({"bye.txt"} <= await world.names() and "hello.txt" not in await world.names())


@operation("writes", "batches")
async def rename_many(world: World) -> None:
    await world.client.rename_many([("/hello.txt", "bye.txt"), ("/Documents", "Papers")])
    check({"bye.txt", "Papers"} <= await world.names())


@operation("writes", "batches")
async def move(world: World) -> None:
    await world.client.move(["/hello.txt", "/Documents"], "/Photos")
    check({"hello.txt", "Documents"} <= await world.names("/Photos"))


@operation("writes", "batches")
async def move_to_trash(world: World) -> None:
    await world.client.move_to_trash(["/hello.txt"])
    check("hello.txt" in await world.trashed())


@operation("writes", "batches")
async def trash_and_restore(world: World) -> None:
    key = await world.key("/hello.txt")
    await world.client.move_to_trash([key])
    await world.client.restore([key])
    check("hello.txt" in await world.names())


@operation("writes", "batches")
async def restore(world: World) -> None:
    await world.client.restore([(await world.trashed())["old.txt"]])
    check("old.txt" in await world.names())


@operation("writes", "links")
async def share(world: World) -> None:
    link = await world.client.shares.create(["/hello.txt", "/Photos"])
    check("?u=" in link.url and link.token and await world.links() == 1, link)


# Boards


@operation()
async def list_boards(world: World) -> None:
    check([one.board_name for one in await all_of(world.client.boards.list())] == ["Summer"])


@operation()
async def board(world: World) -> None:
    found = await world.client.boards.get(world.board)
    check(found.board is not None and found.board.board_name == "Summer", found)
    check([one.object_name for one in found.objects or ()] == ["beach.jpg"], found)


@operation()
async def board_members(world: World) -> None:
    found = await world.client.boards.members(world.board)
    check(found[0].first_name == "Ada" and len(found) == (1 if world.is_ours else 2), found)


@operation("writes")
async def create_board(world: World) -> None:
    made = await world.client.boards.create("Winter")
    check(made.board_name == "Winter" and made.board_key, made)
    check(await world.boards() == {"Summer", "Winter"})


@operation("writes")
async def leave_board(world: World) -> None:
    await world.client.boards.leave(world.board)
    check(await world.boards() == set())


# Contacts


@operation()
async def contacts(world: World) -> None:
    found = await all_of(world.client.contacts.list())
    check(len({one.display_name for one in found}) == len(found) == 35, len(found))


@operation()
async def emails(world: World) -> None:
    found = await all_of(world.client.contacts.emails())
    check(len({one.email_id for one in found}) == len(found) == 35, len(found))


# Downloads


def _is_whole(path: Path, content: bytes) -> None:
    check(path.read_bytes() == content, path)
    check(round(path.stat().st_mtime * 1000) == MODIFIED, path.stat().st_mtime)
    check([one.name for one in path.parent.iterdir()] == [path.name], list(path.parent.iterdir()))


def _nothing_was_made(path: Path) -> None:
    check(not path.exists(), f"{path.name} exists after an error")


async def _download(world: World, target: Any, content: bytes) -> None:
    path = world.place / "one" / "file"
    path.parent.mkdir()
    try:
        done = await world.client.download(target, path)
    except Exception:
        _nothing_was_made(path)
        raise
    check(done.verified, "called verified without a hash" if done.verified else "not verified")
    _is_whole(path, content)


@operation("downloads")
async def download_by_path(world: World) -> None:
    await _download(world, "/hello.txt", HELLO)


@operation("downloads")
async def download_by_key(world: World) -> None:
    await _download(world, await world.key("/big.bin"), BIG)


@operation("downloads")
async def download_below(world: World) -> None:
    await _download(world, await world.key("/Photos/2024/deep.txt"), b"far below")


@operation("downloads")
async def download_object(world: World) -> None:
    await _download(world, await world.client.get("/big.bin"), BIG)


@operation("downloads")
async def download_all(world: World) -> None:
    done = await world.client.download_all(world.place / "all")
    done.raise_for_failures()
    found = {one.name for one in (world.place / "all").rglob("*") if one.is_file() and not one.name.startswith(".")}
    check(found >= FILES, found)
    check((world.place / "all" / "big.bin").read_bytes() == BIG)


@operation()
async def thumbnail(world: World) -> None:
    found = await world.client.thumbnail("/Photos/beach.jpg")
    check(found.startswith((b"\xff\xd8\xff", b"RIFF")), found[:20])

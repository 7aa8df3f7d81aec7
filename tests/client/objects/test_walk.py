"""Walking a tree: both kinds of a folder in one request, where the server is one of ours."""

from pathlib import Path

from tests.client.serving import Person

from skyshelf.client.async_client import AsyncClient
from skyshelf.client.http.messages import BufferedResponse, PlannedRequest
from skyshelf.client.http.transport import HttpTransport
from skyshelf.service.context import ServiceContext
from skyshelf.storage.metadata.contracts.tree import NewFolder
from skyshelf.storage.metadata.store import Unit

FOLDERS = 24


class _Counting(HttpTransport):
    """Counts the listings that were asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.listings: list[str] = []

    async def send(self, request: PlannedRequest) -> BufferedResponse:
        if request.path == "/nms/metadata":
            self.listings.append(request.url)
        return await super().send(request)


def _fill(person: Person, folders: list[str], below: list[str]) -> None:
    """Folders in the root, each with the same folders in it."""
    ctx: ServiceContext = person.server.ctx

    def add(unit: Unit, name: str, parent: str) -> str:
        new = NewFolder(object_key=ctx.new_key(), parent_key=parent, name=name)
        return unit.tree.add_folder(person.account.account_id, new, ctx.clock.now()).object_key

    def work(unit: Unit) -> None:
        for name in folders:
            parent = add(unit, name, person.account.root_key)
            for child in below:
                add(unit, child, parent)

    ctx.metadata.write(work)


async def test_a_large_walk_takes_one_request_per_folder_and_finds_the_same(person: Person) -> None:
    names = [f"folder {number:02}" for number in range(FOLDERS)]
    _fill(person, names, ["b", "a"])
    counting = _Counting()
    async with AsyncClient(**person.settings, transport=counting) as client:
        found = [one.path async for one in client.walk(window=1)]
    below = [f"/{name}/{child}" for name in names for child in ("a", "b")]
    assert found == [*(f"/{name}" for name in names), *below]
    # The root by kind, before the server was known; every other folder at once.
    assert len(counting.listings) == 2 + FOLDERS + 2 * FOLDERS
    assert sum("type=" in url for url in counting.listings) == 2


async def test_folders_come_first_and_small_pages_change_nothing(person: Person, tmp_path: Path) -> None:
    names = [f"folder {number:02}" for number in range(FOLDERS)]
    _fill(person, names, ["b", "z"])
    async with AsyncClient(**person.settings) as client:
        for name in ("a", "c"):
            (tmp_path / name).write_text(name)
            await client.upload(tmp_path / name, "/folder 07")
    async with AsyncClient(**person.settings) as client:
        found = [one.path async for one in client.walk()]
    assert [path for path in found if path.startswith("/folder 07/")] == [
        f"/folder 07/{name}" for name in ("b", "z", "a", "c")
    ]
    async with AsyncClient(**person.settings) as client:
        assert [one.path async for one in client.walk(page_size=3)] == found

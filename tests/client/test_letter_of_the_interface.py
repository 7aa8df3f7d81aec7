"""What the text says about clients, seen by a server that was written from the text alone."""

import warnings
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from typing import Any, cast

import pytest
from tests.foreign.drive import USER
from tests.foreign.messages import Asked, Reply
from tests.foreign.quirk import NO_QUIRK, Quirk
from tests.foreign.server import ForeignServer, foreign_server
from tests.foreign.shapes import ManyTrashed

import skyshelf.client
from skyshelf.agent.dispatcher import Dispatcher
from skyshelf.client.async_client import AsyncClient
from skyshelf.client.errors import (
    IncompleteListingWarning,
    InvalidRequestError,
    RateLimitError,
    ServerError,
    SkyshelfError,
)
from skyshelf.client.objects.outcomes import BatchResult, UnprocessedError


@pytest.fixture(scope="module")
def server() -> Iterator[ForeignServer]:
    with foreign_server() as server:
        yield server


@pytest.fixture
async def client(server: ForeignServer) -> AsyncIterator[AsyncClient]:
    server.begin(NO_QUIRK)
    async with AsyncClient(**server.settings, retry_wait=0.001, retry_after_max=0.01, lag=0.01) as client:
        yield client


def listings(server: ForeignServer) -> list[tuple[str, str, str]]:
    return [
        (one.query["folderKey"], one.query["type"], one.query["page"])
        for one in server.asked
        if one.path == "/nms/metadata"
    ]


@pytest.mark.parametrize("search", [True, False])
async def test_a_walk_lists_each_folder_once_per_kind(client: AsyncClient, server: ForeignServer, search: bool) -> None:
    found = [one.path async for one in (client.search("", walk=True) if search else client.walk())]
    assert len(found) == 8
    # The root and three folders, folders and files of each.
    assert len(listings(server)) == len(set(listings(server))) == 8
    assert {page for _, _, page in listings(server)} == {"0"}


class Rejecting(Quirk):
    """Rejects the second entry of every batch."""

    def changed(self, asked: Asked, reply: Reply) -> Reply:
        if asked.path not in {"/nms/metadata/1.0", "/nms/metadata/restore"}:
            return reply
        done, (last, *_) = reply.body["objects"][:-1], reply.body["objects"][::-1]
        key = (last.get("object") or last)["objectKey"]
        rejected = [{"object": {"objectKey": key, "errorCode": "E1"}}]
        return Reply(200, {**reply.body, "objects": done, "unprocessed": rejected})


Batch = Callable[[AsyncClient, Any], Awaitable[BatchResult]]
BATCHES: dict[str, Batch] = {
    "trash": lambda client, on: client.move_to_trash(["/hello.txt", "/big.bin"], **on),
    "set_favorite": lambda client, on: client.set_favorite(["/hello.txt", "/big.bin"], **on),
    "move": lambda client, on: client.move(["/hello.txt", "/big.bin"], "/Photos", **on),
    "rename_many": lambda client, on: client.rename_many([("/hello.txt", "a"), ("/big.bin", "b")], **on),
}


@pytest.mark.parametrize("name", BATCHES)
async def test_a_silent_rejection_is_an_error_with_all_outcomes(server: ForeignServer, name: str) -> None:
    server.begin(Rejecting())
    async with AsyncClient(**server.settings) as client:
        with pytest.raises(UnprocessedError) as caught:
            await BATCHES[name](client, {})
        assert isinstance(caught.value, InvalidRequestError)
        assert [one.ok for one in caught.value.outcomes] == [True, False]
        assert caught.value.code == "E1"
        server.begin(Rejecting())
    async with AsyncClient(**server.settings) as client:
        result = await BATCHES[name](client, {"on_error": "return"})
        assert not result
        assert [one.ok for one in result] == [True, False]


async def test_restoring_reports_a_rejection_the_same_way(server: ForeignServer) -> None:
    server.begin(Rejecting())
    async with AsyncClient(**server.settings) as client:
        (old,) = [one async for one in client.trash.list()]
        with pytest.raises(UnprocessedError):
            await client.restore([old])
        server.begin(Rejecting())
        assert not await client.restore([old], on_error="return")


async def test_a_trash_without_pages_is_listed_as_far_as_it_goes(server: ForeignServer) -> None:
    server.begin(ManyTrashed())
    async with AsyncClient(**server.settings) as client:
        with pytest.warns(IncompleteListingWarning, match="may be more") as caught:
            found = [one.key async for one in client.trash.list()]
        assert len(caught) == 1
        assert len(found) == len(set(found)) >= 2000
        sentences: list[str] = []
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            ten = [one async for one in client.trash.list(page_size=10, on_incomplete=sentences.append)]
        assert len(ten) >= 2000
        assert len(sentences) == 1
        shown = await Dispatcher(client=client).call({"tool": "list_trash", "arguments": {"limit": 10}})
        assert shown["ok"] is True
        assert len(shown["result"]) == 10  # type: ignore[arg-type]
        # Nobody knows how many there are.
        assert "count" not in shown


class Ordered(ManyTrashed):
    """A long trash on a server that sorts: both ends of the list meet."""

    def changed(self, asked: Asked, reply: Reply) -> Reply:
        if asked.path != "/nms/trash" or "sort" not in asked.query:
            return reply
        whole = [one.shown() if hasattr(one, "shown") else one for one in self.whole]
        ordered = sorted(whole, key=lambda one: one["objectName"], reverse=asked.query["sort"].startswith("-"))
        return Reply(200, {**reply.body, "objects": ordered[:2000]})

    def prepare(self, drive: Any, interface: Any) -> None:
        super().prepare(drive, interface)
        self.whole = [
            {"objectKey": one.key, "objectName": one.now.name, "objectType": "FE"}
            for one in drive.entries.values()
            if one.now.status == "T"
        ]


async def test_both_ends_of_a_trash_make_a_whole_where_they_meet(server: ForeignServer) -> None:
    server.begin(Ordered())
    async with AsyncClient(**server.settings) as client:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert len({one.key async for one in client.trash.list()}) == 2101


BAD_CALLS: dict[str, Callable[[AsyncClient], Awaitable[object]]] = {
    "contacts": lambda client: anext(aiter(client.contacts.list(changed_after="bad"))),
    "board": lambda client: client.boards.get(""),
    "members": lambda client: client.boards.members("."),
    "leave": lambda client: client.boards.leave(".."),
    "create board": lambda client: client.boards.create(""),
    "versions": lambda client: client.versions.list(""),
    "get": lambda client: client.get("not a key"),
    "create folder": lambda client: client.create_folder(""),
    "rename": lambda client: client.rename("/hello.txt", "a/b"),
    "link": lambda client: client.shares.create(["?"]),
    "edit link": lambda client: client.shares.edit("x"),
    "thumbnail": lambda client: client.thumbnail(".."),
    "header": lambda client: client.thumbnail("/hello.txt", accept="a\r\nX-Other: b"),
    "download": lambda client: client.download("", "/nowhere"),
    "device": lambda client: client.account.end_session("?"),
    "tags": lambda client: client.tags.of(""),
    "comment": lambda client: client.boards.remove_comment("", ""),
    "page": lambda client: client.page("/", limit=-1),
    "chunk": lambda client: anext(aiter(client.contacts.list(chunk_size=0))),
}


@pytest.mark.parametrize("name", BAD_CALLS)
async def test_every_error_is_of_the_one_family(client: AsyncClient, name: str) -> None:
    with pytest.raises(SkyshelfError):
        await BAD_CALLS[name](client)


class Always(Quirk):
    """Give one call the same answer every time."""

    def __init__(self, path: str, reply: Reply) -> None:
        self._path = path
        self._reply = reply

    def instead(self, asked: Asked) -> Reply | None:
        return self._reply if asked.path == self._path else None


@pytest.mark.parametrize("path", ["/nms/folders", "/share/ulinks", "/boards", "/nms/metadata/1.0"])
async def test_server_faults_and_throttling_are_retried_on_every_call(server: ForeignServer, path: str) -> None:
    calls: dict[str, Callable[[AsyncClient], Awaitable[object]]] = {
        "/nms/folders": lambda client: client.create_folder("New"),
        "/share/ulinks": lambda client: client.shares.create(["/hello.txt"]),
        "/boards": lambda client: client.boards.create("New"),
        "/nms/metadata/1.0": lambda client: client.set_favorite(["/hello.txt"]),
    }
    kinds: tuple[tuple[int, type[SkyshelfError]], ...] = ((500, ServerError), (429, RateLimitError))
    for status, kind in kinds:
        server.begin(Always(path, Reply(status, b"", {"Retry-After": "600"})))
        async with AsyncClient(**server.settings, retry_wait=0.001, retry_after_max=0.01, lag=0.01) as client:
            with pytest.raises(kind):
                await calls[path](client)
        assert [one.path for one in server.asked].count(path) == 4


async def test_leaving_a_board_is_retried_too(server: ForeignServer, client: AsyncClient) -> None:
    (board,) = [one async for one in client.boards.list()]
    path = f"/invites/boards/{board.board_key}/unjoin"
    server.begin(Always(path, Reply(503)))
    with pytest.raises(ServerError):
        await client.boards.leave(board.board_key)
    assert [one.path for one in server.asked].count(path) == 4


async def test_contacts_come_in_chunks_of_thirty_unless_told(client: AsyncClient, server: ForeignServer) -> None:
    assert len([one async for one in client.contacts.list()]) == 35
    chunks = [one.headers["x-chunk-size"] for one in server.asked if one.path == "/amiko/cab/contacts"]
    assert set(chunks) == {"30"}


async def test_the_names_of_the_text_are_attributes(client: AsyncClient) -> None:
    found = await client.get("/hello.txt")
    assert (found.object_key, found.object_name, found.size_in_bytes) == (found.key, found.name, found.size)
    assert (found.status, found.object_type, found.parent_object_key) == ("A", "FE", found.parent_key)
    assert (found.is_hidden, found.is_locked, found.is_readonly) == (False, False, False)
    assert found.hash == found.md5
    for name in (
        *("version", "url", "mime_type", "mime_sub_type", "image_transcode_url", "source_name"),
        "source_folder",
    ):
        assert getattr(found, name) == (getattr(found.wire, name) or ("" if name == "source_folder" else None))
    assert (found.file_created_date, found.last_modified_date) == (found.created_ms, found.modified_ms)
    (board,) = [one async for one in client.boards.list()]
    assert board.description == board.board_description
    link = await client.shares.create([found])
    assert (link.object_keys, link.nonce) == ([found.key], link.token)


async def test_results_of_tools_name_owners_and_times_as_the_text_does(client: AsyncClient) -> None:
    dispatcher = Dispatcher(client=client)
    account = await dispatcher.call({"tool": "account_info", "arguments": {}})
    assert account["result"]["user_id"] == USER  # type: ignore[index]
    boards = await dispatcher.call({"tool": "list_boards", "arguments": {}})
    board = boards["result"][0]  # type: ignore[index]
    assert board["owner_user_id"] == USER
    assert "created_date" in board
    assert isinstance(board["last_modified_date"], int)


def test_a_star_import_brings_the_client() -> None:
    names: dict[str, object] = {}
    exec("from skyshelf.client import *", names)
    assert {"Client", "AsyncClient", "SkyshelfError", "RemoteObject"} <= names.keys()
    assert set(cast("list[str]", skyshelf.client.__all__)) <= names.keys()

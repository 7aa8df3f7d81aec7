"""Servers that lead from page to page by `nextLink`: what follows is listed, or the listing is an error."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from tests.client.foreign import Answering, Asked, Foreign, Reply, foreign_server
from tests.client.test_foreign_servers import DEVICE, TOKEN, drive, key, shown

from skyshelf.client.async_client import AsyncClient
from skyshelf.client.errors import BrokenListingError

FILES = [shown(number) for number in range(9)]
KEYS = [key(number) for number in range(9)]
Connect = Callable[[Answering], tuple[Foreign, AsyncClient]]


def linking(path: str, size: int = 3, **differing: Any) -> Answering:
    """Pages with links, on a server that does not know `page`, or answers it with `beyond`."""

    def answering(asked: Asked) -> Reply:
        if asked.query.get("type") == "w":
            return Reply(200, {"objects": []})
        start = int(asked.query.get("cursor", "0"))
        if "beyond" in differing and asked.query.get("page", "0") != "0":
            return Reply(200, {"objects": differing["beyond"]})
        links = {"nextLink": differing.get("link", f"{path}?type=f&cursor={start + size}")}
        return Reply(200, {"objects": FILES[start : start + size], **(links if start + size < len(FILES) else {})})

    return answering


@pytest.fixture
def connect() -> Iterator[Connect]:
    with ExitStack() as opened:

        def start(answering: Answering) -> tuple[Foreign, AsyncClient]:
            server = opened.enter_context(foreign_server(answering))
            session: dict[str, Any] = {"auth_token": TOKEN, "user_id": "U", "device_key": DEVICE}
            return server, AsyncClient(server.url, **session, retry_wait=0.001)

        yield start


@pytest.mark.parametrize("size", [1, 3, 8])
@pytest.mark.parametrize("differing", [{}, {"beyond": []}], ids=["page is ignored", "no page but the first"])
async def test_a_folder_is_listed_to_its_end_by_links(connect: Connect, size: int, differing: dict[str, Any]) -> None:
    _, client = connect(drive(metadata=linking("/nms/metadata", size, **differing)))
    async with client:
        assert [one.key async for one in client.list_folder()] == KEYS
        assert [one.object.key async for one in client.walk()] == KEYS


async def test_the_view_without_pages_is_listed_to_its_end_by_links(connect: Connect) -> None:
    _, client = connect(drive(v1=linking("/nms/metadata/defaultview/myfiles/v1")))
    async with client:
        assert [one.key async for one in client.list_folder()] == KEYS


async def test_the_trash_and_what_is_shared_are_listed_to_their_end_by_links(connect: Connect) -> None:
    _, client = connect(drive(trash=linking("/nms/trash"), byme=linking("/nms/collshare/byme")))
    async with client:
        assert [one.key async for one in client.trash.list()] == KEYS
        assert [one.key async for one in client.trash.list(page_size=3)] == KEYS
        assert [one.key async for one in client.shares.objects()] == KEYS


async def test_a_server_that_knows_numbers_is_asked_by_them(connect: Connect) -> None:
    def numbered(asked: Asked) -> Reply:
        start = 3 * int(asked.query["page"]) if asked.query["type"] == "f" else 9
        link = {"nextLink": "/nms/metadata?cursor=not-followed"} if start + 3 < len(FILES) else {}
        return Reply(200, {"objects": FILES[start : start + 3], **link})

    server, client = connect(drive(metadata=numbered))
    async with client:
        found = [one.key async for one in client.list_folder(kind="f", page_size=3)]
    assert found == KEYS
    assert [one.query["page"] for one in server.asked if one.path == "/nms/metadata"] == ["0", "1", "2", "3"]


@pytest.mark.parametrize(
    "link",
    ["http://127.0.0.1:1/nms/metadata", "//elsewhere.example/nms", "https:///nms", "http://[", "?a=\r\nX: y\x00"],
)
async def test_a_link_to_another_server_is_an_error_and_is_not_followed(connect: Connect, link: str) -> None:
    _, client = connect(drive(metadata=linking("/nms/metadata", link=link)))
    async with client:
        with pytest.raises(BrokenListingError, match="next page"):
            _ = [one async for one in client.list_folder()]


async def test_a_link_in_a_circle_is_an_error(connect: Connect) -> None:
    _, client = connect(drive(metadata=linking("/nms/metadata", link="/nms/metadata?type=f&cursor=0")))
    async with client:
        with pytest.raises(BrokenListingError):
            _ = [one async for one in client.list_folder()]

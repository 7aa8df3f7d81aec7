"""Search where the server can, and where it cannot: the same hits."""

import asyncio
import itertools
from collections.abc import AsyncIterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.client.serving import Person

from skyshelf.client.async_client import AsyncClient
from skyshelf.client.requests import PlannedRequest, WholeAnswer
from skyshelf.client.transport import Transport
from skyshelf.wire.limits import SEARCH_QUERY_CHARS_MAX

_numbers = itertools.count()
ALPHABET = "abAB éÉß.-1かが漢字İ한"


class Counting:
    """Which paths a client asks for."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, missing: str = "") -> None:
        self.paths: list[str] = []
        send = Transport.send

        async def counted(transport: Transport, request: PlannedRequest) -> WholeAnswer:
            self.paths.append(request.path)
            if missing and request.path.startswith(missing):
                return WholeAnswer(404, {}, b"<html>there is nothing here</html>")
            return await send(transport, request)

        monkeypatch.setattr(Transport, "send", counted)


async def paths(found: AsyncIterator[Any]) -> list[str]:
    return [one.path async for one in found]


async def test_a_search_asks_the_server_once_and_walks_nothing(
    client: AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = await client.create_folder("Photos")
    deeper = await client.create_folder("Summer", folder)
    await client.create_folder("Beach", deeper)
    asked = Counting(monkeypatch)
    assert await paths(client.search("béach")) == ["/Photos/Summer/Beach"]
    assert await paths(client.search("BEACH", folder=folder)) == ["/Summer/Beach"]
    assert "/nms/metadata" not in asked.paths
    assert asked.paths.count("/x/v1/search") == 2


async def test_a_server_that_cannot_search_is_walked_through_and_not_asked_again(
    client: AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = await client.create_folder("Photos")
    await client.create_folder("Beach", folder)
    asked = Counting(monkeypatch, missing="/x/v1/search")
    for _ in range(2):
        assert await paths(client.search("beach")) == ["/Photos/Beach"]
    assert asked.paths.count("/x/v1/search") == 1


async def test_options_hold_on_the_server_as_they_do_in_a_walk(client: AsyncClient) -> None:
    folder = await client.create_folder("Note folder")
    await client.create_folder("a note", folder)
    await client.create_folder("NOTE", folder)

    async def both(query: str, **options: Any) -> list[str]:
        asked = await paths(client.search(query, **options))
        walked = await paths(client.search(query, walk=True, **options))
        assert sorted(asked) == sorted(walked)
        return sorted(asked)

    assert await both("note") == ["/Note folder", "/Note folder/NOTE", "/Note folder/a note"]
    assert await both("note", case_sensitive=True) == ["/Note folder/a note"]
    assert await both("note", folders=False) == []
    assert await both("note", extension="txt") == []
    assert await both("", folder="/Note folder") == ["/NOTE", "/a note"]
    assert len(await paths(client.search("note", limit=2))) == 2
    assert await paths(client.search("note", limit=0)) == []


async def test_what_no_server_can_be_asked_is_searched_by_a_walk(
    client: AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    await client.create_folder("a")
    asked = Counting(monkeypatch)
    assert await paths(client.search("x" * (SEARCH_QUERY_CHARS_MAX + 1))) == []
    assert await paths(client.search("\0")) == []
    assert "/x/v1/search" not in asked.paths


@settings(
    max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
@given(data=st.data())
def test_a_walk_and_the_server_find_the_same_whatever_the_names(person: Person, data: st.DataObject) -> None:
    names = st.text(ALPHABET, min_size=1, max_size=6).map(lambda name: name.strip(" .") or "a")

    async def compare() -> None:
        async with AsyncClient(**person.settings, retry_wait=0.01) as client:
            top = await client.create_folder(f"tree {next(_numbers)}")
            folders = [top]
            for name in data.draw(st.lists(names, max_size=6, unique_by=str.casefold)):
                folders.append(await client.create_folder(name, data.draw(st.sampled_from(folders))))
            for query in data.draw(st.lists(st.text(ALPHABET, max_size=4), min_size=1, max_size=4)):
                for case_sensitive in (False, True):
                    asked = await paths(client.search(query, folder=top, case_sensitive=case_sensitive))
                    walked = await paths(client.search(query, folder=top, case_sensitive=case_sensitive, walk=True))
                    assert sorted(asked) == sorted(walked), query

    asyncio.run(compare())

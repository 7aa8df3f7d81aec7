"""Search where the server can, and where it cannot: the same hits."""

import asyncio
import itertools
import os
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.client.serving import Person
from tests.examples import examples

from skyshelf.client.async_client import AsyncClient
from skyshelf.client.http.messages import BufferedResponse, PlannedRequest
from skyshelf.client.http.transport import HttpTransport
from skyshelf.testing.server import TestAccount, TestSession
from skyshelf.wire.limits import SEARCH_QUERY_CHARS_MAX

_numbers = itertools.count()
ALPHABET = "abAB éÉß.-1かが漢字İ한"


class Counting:
    """Which paths a client asks for."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, missing: str = "") -> None:
        self.paths: list[str] = []
        send = HttpTransport.send

        async def counted(transport: HttpTransport, request: PlannedRequest) -> BufferedResponse:
            self.paths.append(request.path)
            if missing and request.path.startswith(missing):
                return BufferedResponse(404, {}, b"<html>there is nothing here</html>")
            return await send(transport, request)

        monkeypatch.setattr(HttpTransport, "send", counted)


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


async def test_conditions_are_the_servers_and_a_limit_counts_what_fits(
    client: AsyncClient, person: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    drive = TestAccount(person.server.ctx, person.account, TestSession(**person.settings))
    drive.add_files((f"note {number}.txt", b"x" * number) for number in range(5))
    await client.set_favorite(["/note 2.txt", "/note 4.txt"])
    asked = Counting(monkeypatch)
    assert await paths(client.search("note", larger_than=1, favorites=True, limit=1)) == ["/note 4.txt"]
    assert sorted(await paths(client.search("note", larger_than=2))) == ["/note 3.txt", "/note 4.txt"]
    assert await paths(client.search("", modified_after=2**42)) == []
    assert asked.paths.count("/x/v1/search") == 3
    assert "/nms/metadata" not in asked.paths
    limits: list[dict[str, Any]] = [{"larger_than": 2**60}, {"modified_after": 2**60}]
    for beyond in limits:
        assert await paths(client.search("note", **beyond)) == [], "no server is asked for what is beyond its limits"
    assert asked.paths.count("/x/v1/search") == 3


@settings(
    max_examples=examples(5),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(data=st.data())
def test_a_walk_and_the_server_find_the_same_whatever_the_conditions(
    person: Person, tmp_path: Path, data: st.DataObject
) -> None:
    times = st.sampled_from([0, 1, 999, 1_000, 1_700_000_000_000])
    sizes = st.integers(0, 3)

    async def compare() -> None:
        async with AsyncClient(**person.settings, retry_wait=0.01) as client:
            top = await client.create_folder(f"tree {next(_numbers)}")
            files = []
            for number, (size, ending) in enumerate(
                data.draw(st.lists(st.tuples(sizes, st.sampled_from(["txt", "JPG", ""])), max_size=6))
            ):
                local = tmp_path / f"{number}.{ending}"
                local.write_bytes(b"x" * size)
                modified = data.draw(times) * 1_000_000
                os.utime(local, ns=(modified, modified))
                files.append((await client.upload(local, top)).key)
            below = await client.create_folder("below.txt", top)
            for one in data.draw(st.lists(st.sampled_from([below.key, *files]), unique=True)):
                await client.set_favorite([one])
            for _ in range(3):
                options: dict[str, Any] = data.draw(
                    st.fixed_dictionaries(
                        {"folder": st.just(top)},
                        optional={
                            "extension": st.sampled_from(["txt", ".jpg"]),
                            "larger_than": st.integers(-1, 3),
                            "modified_after": times,
                            "favorites": st.booleans(),
                            "folders": st.booleans(),
                        },
                    )
                )
                asked = await paths(client.search("", **options))
                assert sorted(asked) == sorted(await paths(client.search("", walk=True, **options))), options

    asyncio.run(compare())


@settings(
    max_examples=examples(5),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
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

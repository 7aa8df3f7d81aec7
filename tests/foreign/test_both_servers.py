"""The whole client, all tools and the commands, on a server of others and on ours, with the same results."""

import io
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import cast

import pytest
from argon2 import PasswordHasher
from PIL import Image
from tests.client.facade import AsyncFacade
from tests.client.serving import ClientServer, client_server
from tests.foreign.commands import COMMANDS
from tests.foreign.operations import OPERATIONS, Operation
from tests.foreign.quirk import NO_QUIRK
from tests.foreign.server import ForeignServer
from tests.foreign.tool_calls import TOOL_CALLS
from tests.foreign.worlds import ForeignWorld, OwnWorld, World, fill_own

from skyshelf.agent.registry import TOOLS
from skyshelf.client.async_client import AsyncClient
from skyshelf.client.sync_client import Client
from skyshelf.service.accounts import passwords


@pytest.fixture(scope="module")
def ours(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ClientServer]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(passwords, "_hasher", PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))
        with client_server(tmp_path_factory.mktemp("server")) as server:
            yield server


def picture() -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (8, 8), "teal").save(out, "JPEG")
    return out.getvalue()


@asynccontextmanager
async def own_world(server: ClientServer, place: Path) -> AsyncIterator[OwnWorld]:
    person = server.person()
    environment = {f"SKYSHELF_{name.upper()}": str(value) for name, value in person.settings.items()}
    async with AsyncClient(**person.settings, retry_wait=0.01) as client, AsyncClient(**person.settings) as witness:
        board = await fill_own(witness, place / "to upload", picture())
        yield OwnWorld(client, witness, place, board, environment)


@asynccontextmanager
async def foreign_world(server: ForeignServer, place: Path) -> AsyncIterator[World]:
    server.begin(NO_QUIRK)
    async with AsyncClient(**server.settings, retry_wait=0.01) as client:
        yield ForeignWorld(server, client, place)
    assert server.offences == []


async def run_synchronously(world: World, operation: Operation) -> None:
    """Run an operation with the synchronous client behind the same methods."""
    settings = {name.removeprefix("SKYSHELF_").lower(): value for name, value in world.environment.items()}
    with Client(**settings, retry_wait=0.01) as client:  # type: ignore[arg-type]
        world.client = cast("AsyncClient", AsyncFacade(client))
        await operation.run(world)


READING = [one.name for one in (*OPERATIONS.values(), *TOOL_CALLS.values(), *COMMANDS.values()) if not one.concerns]
CHANGING = [one.name for one in (*OPERATIONS.values(), *TOOL_CALLS.values(), *COMMANDS.values()) if one.concerns]
EVERYTHING = {**OPERATIONS, **TOOL_CALLS, **COMMANDS}


async def test_whoever_reads_sees_the_same_on_our_server(
    ours: ClientServer, tmp_path: Path, subtests: pytest.Subtests
) -> None:
    async with own_world(ours, tmp_path) as world:
        asynchronous = world.client
        for number, name in enumerate(READING):
            world.place = tmp_path / str(number)
            world.place.mkdir()
            with subtests.test(name):
                await EVERYTHING[name].run(world)
            if name in OPERATIONS:
                with subtests.test(f"{name}, synchronously"):
                    await run_synchronously(world, EVERYTHING[name])
                world.client = asynchronous


@pytest.mark.parametrize("name", CHANGING)
async def test_whoever_changes_something_has_changed_it_on_our_server(
    ours: ClientServer, tmp_path: Path, name: str
) -> None:
    async with own_world(ours, tmp_path) as world:
        await EVERYTHING[name].run(world)


@pytest.mark.parametrize("name", list(OPERATIONS))
async def test_the_synchronous_client_does_the_same_on_a_server_of_others(
    foreign: ForeignServer, tmp_path: Path, name: str
) -> None:
    async with foreign_world(foreign, tmp_path) as world:
        await run_synchronously(world, OPERATIONS[name])


def test_every_tool_is_among_them() -> None:
    assert {f"tool {name}" for name in TOOLS} == set(TOOL_CALLS)

"""Objects by their keys: one question each where the server can tell, and one walk for all of them elsewhere."""

from pathlib import Path

import pytest
from tests.client.foreign import foreign_server
from tests.client.serving import Person
from tests.client.test_foreign_servers import ROOT, drive, key, listing, shown

from skyshelf.client.async_client import AsyncClient
from skyshelf.client.errors import ObjectNotFoundError
from skyshelf.client.objects.own_writes import ASKED_MAX
from skyshelf.testing.proxy import FaultProxy
from skyshelf.wire.resources.objects import CloudObject


async def test_a_server_that_can_is_asked_once_for_each_key(person: Person, tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"a")
    with FaultProxy(person.server.url) as proxy:
        settings = person.settings
        settings["server"] = proxy.url
        async with AsyncClient(**settings) as client:
            made = [await client.upload(tmp_path / "a", name=f"{number}.txt") for number in range(5)]
            folder = await client.create_folder("elsewhere")
            await client.move([made[0]], folder)
            before = proxy.requests
            # Also where the known parent is no longer the parent.
            hint = CloudObject(object_key=made[0].key, parent_object_key=made[0].parent_key)
            found = await client.get_many([hint, *(each.key.lower() for each in made[1:])])
            assert proxy.requests - before == 5
            assert [each.key for each in found] == [each.key for each in made]
            assert found[0].parent_key == folder.key
            # What was found that way can be changed, as what a listing shows can.
            assert (await client.rename(found[1], "new.txt")).name == "new.txt"
            with pytest.raises(ObjectNotFoundError):
                await client.get_many([made[0].key, "0" * 32])
            await client.move_to_trash([made[2]])
            with pytest.raises(ObjectNotFoundError):
                await client.get(made[2].key)


async def test_without_the_extension_the_tree_is_walked_and_the_server_is_not_asked_again() -> None:
    files = [shown(number) for number in range(ASKED_MAX + 1)]
    with foreign_server(drive(v1=listing(files))) as server:
        async with AsyncClient(server.url, auth_token="T", user_id="U", device_key="D") as client:
            for _ in range(2):
                found = await client.get_many([key(3), key(1)])
                assert [each.key for each in found] == [key(3), key(1)]
            assert [path for path in server.paths() if "/x/v1/" in path] == [f"GET /x/v1/objects/{key(1).upper()}"]
            hint = CloudObject(object_key=key(7), parent_object_key=ROOT)
            assert [each.key for each in await client.get_many([hint])] == [key(7)]


async def test_many_keys_are_walked_for_at_once() -> None:
    files = [shown(number) for number in range(ASKED_MAX + 1)]
    with foreign_server(drive(v1=listing(files))) as server:
        async with AsyncClient(server.url, auth_token="T", user_id="U", device_key="D") as client:
            found = await client.get_many([key(number) for number in range(ASKED_MAX + 1)])
        assert len(found) == ASKED_MAX + 1
        assert not [path for path in server.paths() if "/x/v1/" in path]

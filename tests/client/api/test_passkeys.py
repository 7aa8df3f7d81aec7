"""Passkeys by the SDK: listed, renamed and removed."""

import pytest
from tests.client.serving import PASSWORD, Person
from tests.conformance.metadata.making import a_passkey

from skyshelf.client import AsyncClient, ForbiddenError, ObjectNotFoundError


def put(person: Person, name: str) -> str:
    """A passkey as a browser has added it; its key."""
    ctx, new = person.server.ctx, a_passkey(name=name)
    assert ctx.metadata.write(lambda unit: unit.passkeys.add(person.account.account_id, new, ctx.clock.now()))
    return new.passkey_key


async def test_passkeys_are_listed_renamed_and_removed(client: AsyncClient, person: Person) -> None:
    assert await client.passkeys.list() == []
    key = put(person, "Laptop")
    [shown] = await client.passkeys.list()
    assert (shown.passkey_key, shown.name, shown.host) == (key, "Laptop", "drive.example.org")
    await client.passkeys.rename(key, "Kitchen")
    assert (await client.passkeys.list())[0].name == "Kitchen"
    with pytest.raises(ForbiddenError):
        await client.passkeys.remove(key, "not this one")
    await client.passkeys.remove(key, PASSWORD)
    assert await client.passkeys.list() == []
    with pytest.raises(ObjectNotFoundError):
        await client.passkeys.rename(key, "Gone")

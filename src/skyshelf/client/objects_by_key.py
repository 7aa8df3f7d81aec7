"""Objects by their keys alone, from a server that can tell them; others have to be walked through."""

import asyncio
from collections.abc import Collection
from typing import Final

from msgspec import Raw, Struct

from skyshelf.client.beyond import is_absent
from skyshelf.client.engine import Engine
from skyshelf.client.errors import ObjectNotFoundError, RequestFailedError
from skyshelf.client.objects import RemoteObject, remote_object
from skyshelf.client.requests import decode
from skyshelf.wire.endpoints.objects import OBJECT_PLACE

ASKED_MAX: Final = 200
"""Keys that are asked for one by one; for more of them a walk may be less work."""

_AT_ONCE: Final = 8
_MISSING: Final = "objects by key are missing"


class _Place(Struct):
    """An answer; the object as it was sent."""

    object: Raw


async def objects_by_key(engine: Engine, keys: Collection[str]) -> dict[str, RemoteObject] | None:
    """Those of the objects that are there, by their keys; None where the server cannot be asked."""
    if engine.learned.get(_MISSING) or len(keys) > ASKED_MAX:
        return None
    room = asyncio.Semaphore(_AT_ONCE)

    async def asked(key: str) -> RemoteObject | None:
        request = engine.plan(OBJECT_PLACE, keys={"object_key": key})
        async with room:
            try:
                answer = await engine.send(request)
            except ObjectNotFoundError as error:
                if is_absent(error):
                    raise
                return None
        return remote_object(decode(_Place, answer.body, request).object).kept()

    try:
        # One alone first: a server that does not know the call is asked once.
        first, *others = keys
        found = [await asked(first), *await asyncio.gather(*map(asked, others))]
    except RequestFailedError as error:
        if not is_absent(error):
            raise
        engine.learned[_MISSING] = True
        return None
    return {key: each for key, each in zip(keys, found, strict=True) if each is not None}

"""Objects by their keys alone, from a server that can look them up."""

import asyncio
from collections.abc import Collection
from typing import Final

from msgspec import Raw, Struct

from skyshelf.client.engine.capabilities import is_absent
from skyshelf.client.engine.engine import Engine
from skyshelf.client.engine.requests import decode
from skyshelf.client.errors import ObjectNotFoundError, RequestFailedError
from skyshelf.client.http.messages import BufferedResponse
from skyshelf.client.objects.remote_object import RemoteObject, remote_object
from skyshelf.wire.endpoints.objects import OBJECT_LOCATION

ASKED_MAX: Final = 200
"""Keys that are requested one by one; for more of them a walk may be less work."""

_AT_ONCE: Final = 8


class _Location(Struct):
    """A response with the object as it was sent."""

    object: Raw


async def objects_by_key(engine: Engine, keys: Collection[str]) -> dict[str, RemoteObject] | None:
    """The existing objects among those keys; None where the server cannot look up keys."""
    endpoint = engine.capabilities.objects_by_key
    if endpoint.is_abandoned or len(keys) > ASKED_MAX:
        return None
    slots = asyncio.Semaphore(_AT_ONCE)

    async def fetch(key: str) -> RemoteObject | None:
        request = endpoint.planned(engine.plan(OBJECT_LOCATION, keys={"object_key": key}))

        def read(response: BufferedResponse) -> RemoteObject:
            return remote_object(decode(_Location, response.body, request).object).detached_copy()

        async with slots:
            try:
                return await engine.read(request, read)
            except ObjectNotFoundError as error:
                if is_absent(error):
                    raise
                return None

    try:
        # One first: a server without this endpoint is asked only once.
        first, *others = keys
        with endpoint.probe():
            found = [await fetch(first), *await asyncio.gather(*map(fetch, others))]
    except RequestFailedError:
        # Whatever the reason: listings answer the same question, and report what is really wrong.
        return None
    return {key: each for key, each in zip(keys, found, strict=True) if each is not None}


async def learn_extensions(engine: Engine, known_key: str) -> None:
    """Find out whether the server has our extensions, by a key that is known to exist; one request, once per client."""
    capabilities = engine.capabilities
    if not capabilities.has_extensions and not capabilities.objects_by_key.failures:
        await objects_by_key(engine, [known_key])

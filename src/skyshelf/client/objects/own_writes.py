"""Single objects by their keys, and listings corrected by what this client has just written.

Where a listing differs from what was written, either it lags or somebody else has changed the object since. A server
that can look up keys knows which; on others, the own write counts for the few seconds that a listing may lag.
"""

import asyncio
from collections.abc import Collection, Iterable
from typing import Final

from msgspec import Raw, Struct

from skyshelf.client.engine.capabilities import is_absent
from skyshelf.client.engine.engine import Engine
from skyshelf.client.engine.requests import decode
from skyshelf.client.errors import ObjectNotFoundError, RequestFailedError, UnexpectedAnswerError
from skyshelf.client.http.messages import BufferedResponse
from skyshelf.client.objects.remote_object import RemoteObject, remote_object
from skyshelf.wire.endpoints.objects import OBJECT_LOCATION
from skyshelf.wire.resources.objects import CloudObject, ObjectStatus

ASKED_MAX: Final = 200
"""Maximum number of keys that are requested one by one; for more, a walk may be less work."""

_AT_ONCE: Final = 8


class _Location(Struct):
    """A response with the object as it was sent."""

    object: Raw


async def objects_by_key(engine: Engine, keys: Collection[str]) -> dict[str, RemoteObject] | None:
    """Return the existing objects among those keys; None where the server cannot look up keys."""
    endpoint = engine.capabilities.objects_by_key
    if endpoint.is_abandoned or len(keys) > ASKED_MAX:
        return None
    slots = asyncio.Semaphore(_AT_ONCE)

    async def fetch(key: str) -> RemoteObject | None:
        request = endpoint.planned(engine.plan(OBJECT_LOCATION, keys={"object_key": key}))

        def read(response: BufferedResponse) -> RemoteObject:
            found = remote_object(decode(_Location, response.body, request).object).detached_copy()
            if found.key.upper() != key.upper():
                raise UnexpectedAnswerError(f"the server sent another object than {key}, which was requested")
            return found

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
        # Whatever the reason, listings find the same objects, and report what is really wrong.
        return None
    return {key: each for key, each in zip(keys, found, strict=True) if each is not None}


async def learn_extensions(engine: Engine, known_key: str) -> None:
    """Find out whether the server has our extensions, by a key that is known to exist; one request, once per client."""
    capabilities = engine.capabilities
    if not capabilities.has_extensions and not capabilities.objects_by_key.failures:
        await objects_by_key(engine, [known_key])


async def corrected(engine: Engine, found: list[RemoteObject], folder_key: str) -> list[RemoteObject]:
    """Return a page of a folder with the last state of its objects, without those that were moved or trashed."""
    written = engine.written
    doubtful = {one.key for one in found if not written.confirm(one, folder_key, same=_is_same)}
    if not doubtful:
        return found
    await _settle(engine, doubtful)
    page = []
    for one in found:
        if one.key in doubtful and not written.confirm(one, folder_key, same=_is_same):
            state = written.state_in(one.key, folder_key)
            if state is not None:
                page.append(state)
        else:
            page.append(one)
    return page


async def not_listed_yet(
    engine: Engine, listed: Iterable[str], folder_key: str, *, folders: bool
) -> list[RemoteObject]:
    """Return the objects of a folder that were just written and that a complete listing does not show."""
    known = set(listed)
    missing = engine.written.missing(known, folder_key, folders=folders)
    if missing:
        await _settle(engine, {one.key for one in missing})
        missing = engine.written.missing(known, folder_key, folders=folders)
    return missing


async def trashed_but_not_listed(engine: Engine, listed: Iterable[str]) -> list[RemoteObject]:
    """Return the objects that were just trashed and that the trash does not show."""
    known = {key.upper() for key in listed}
    missing = [key for key in engine.written.trashed() if key not in known]
    if missing:
        await _settle(engine, missing)
    return [found for key, found in engine.written.trashed().items() if key not in known]


async def without_restored(engine: Engine, page: list[RemoteObject]) -> list[RemoteObject]:
    """Return a page of the trash without the objects that were just restored."""
    restored = [one.key for one in page if engine.written.is_restored(one.key)]
    if not restored:
        return page
    await _settle(engine, restored)
    return [one for one in page if not engine.written.is_restored(one.key)]


async def in_feed(engine: Engine, shown: list[CloudObject] | None) -> list[CloudObject] | None:
    """Return the objects of a feed with the last state of those that were just written, without trashed ones."""
    written = engine.written
    doubtful = [one.object_key for one in shown or () if written.state(one.object_key) is not None]
    if not shown or not doubtful:
        return shown
    await _settle(engine, doubtful)
    trashed = written.trashed()
    feed = []
    for one in shown:
        state: RemoteObject | None = written.state(one.object_key)
        if one.object_key.upper() not in trashed:
            feed.append(one if state is None else state.wire)
    return feed


async def _settle(engine: Engine, keys: Iterable[str]) -> None:
    """Ask a server that can look up keys for the state of objects, and remember that instead."""
    asked = sorted(keys)
    found = await objects_by_key(engine, asked)
    if found is None:
        return
    trashed = engine.written.trashed()
    for key in asked:
        now = found.get(key)
        if now is not None and now.status != ObjectStatus.TRASHED:
            engine.written.put(now, now.parent_key)
        elif key.upper() not in trashed:
            engine.written.forget(key)


def _is_same(written: RemoteObject, listed: RemoteObject) -> bool:
    return (written.name, written.is_favorite) == (listed.name, listed.is_favorite)

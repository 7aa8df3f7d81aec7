"""Listings corrected by what this client has just written, where the server does not show it yet.

Where listing and memory differ, either the listing lags or somebody else has changed the object since. A server that
can look up keys knows; on any other one, memory counts for the few seconds that a listing may lag.
"""

from collections.abc import Iterable

from skyshelf.client.engine.engine import Engine
from skyshelf.client.objects.by_key import objects_by_key
from skyshelf.client.objects.remote_object import RemoteObject
from skyshelf.wire.resources.objects import CloudObject, ObjectStatus


async def corrected(engine: Engine, found: list[RemoteObject], folder_key: str) -> list[RemoteObject]:
    """A page of a folder with the last state of its objects; what was moved away or trashed is left out."""
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
    """The objects of a folder that were just written and that a complete listing does not show."""
    known = set(listed)
    missing = engine.written.missing(known, folder_key, folders=folders)
    if missing:
        await _settle(engine, {one.key for one in missing})
        missing = engine.written.missing(known, folder_key, folders=folders)
    return missing


async def trashed_but_not_listed(engine: Engine, listed: Iterable[str]) -> list[RemoteObject]:
    """The objects that were just trashed and that the trash does not show."""
    known = {key.upper() for key in listed}
    missing = [key for key in engine.written.trashed() if key not in known]
    if missing:
        await _settle(engine, missing)
    return [found for key, found in engine.written.trashed().items() if key not in known]


async def without_restored(engine: Engine, page: list[RemoteObject]) -> list[RemoteObject]:
    """A page of the trash without the objects that were just restored."""
    restored = [one.key for one in page if engine.written.is_restored(one.key)]
    if not restored:
        return page
    await _settle(engine, restored)
    return [one for one in page if not engine.written.is_restored(one.key)]


async def in_feed(engine: Engine, shown: list[CloudObject] | None) -> list[CloudObject] | None:
    """The objects of a feed with the last state of those that were just written; what was trashed is left out."""
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

"""Undoing what an agent session has changed with one rewind on the server."""

from typing import Final

from skyshelf.client.async_client import AsyncClient
from skyshelf.client.errors import NotOfferedError
from skyshelf.wire.resources.history import HistoryEntry
from skyshelf.wire.resources.past.rewind import Rewind

_RUNNING: Final = frozenset({"planning", "running"})


async def rewound_session(client: AsyncClient, session: str) -> Rewind | None:
    """The rewind of a session, once it has ended; None if the server has no history of the session.

    A rewind of an earlier call whose answer was lost is waited for, instead of starting a second one.
    """
    try:
        newest = oldest = None
        async for entry in client.history.entries(session_id=session):
            newest, oldest = newest or entry, entry
        if newest is None or oldest is None:
            return None
        known = _earlier(await client.rewinds.list(), session, newest)
    except NotOfferedError:
        return None
    if known is None:
        known = await client.rewinds.start(to_number=(oldest.number or 1) - 1, session_id=session)
    return await client.rewinds.wait(known.rewind_key or "")


def _earlier(rewinds: list[Rewind], session: str, newest: HistoryEntry) -> Rewind | None:
    """A rewind of the session that runs, or has undone its newest change; not one that was itself undone."""
    undone = {one.undo_of for one in rewinds}
    for one in rewinds:
        is_whole = one.state in _RUNNING or (one.state == "done" and (one.created_date or 0) >= (newest.date or 0))
        if one.session_id == session and is_whole and one.rewind_key not in undone:
            return one
    return None

"""Undoes a session on the server, by rewinds of what the session changed there."""

from collections.abc import Set
from typing import Any, Final

from msgspec import Struct

from skyshelf.agent.errors import CANNOT_UNDO, ToolRefusal
from skyshelf.client.async_client import AsyncClient
from skyshelf.client.errors import ConflictError, InvalidRequestError, NotOfferedError
from skyshelf.wire.error_codes import HISTORY_NOT_KEPT, REWIND_RUNNING
from skyshelf.wire.resources.rewind import PROBLEMS, Rewind
from skyshelf.wire.sizes import format_size

_RUNNING: Final = frozenset({"planning", "running"})
_ATTEMPTS: Final = 5
_CLOCKS_DIFFER_MS: Final = 24 * 3600 * 1000
"""How far apart the clocks of this machine and the server may be."""


class Rewound(Struct, frozen=True, kw_only=True):
    """A rewind that is done: how many objects it changed, and why it left others, by their keys.

    What was changed before `since`, in epoch milliseconds, history does not have.
    """

    rewind_key: str
    changed: int
    problems: dict[str, str]
    since: int


class _Changes(Struct, frozen=True):
    """What to rewind of a session, and when the session changed something last, if history has that."""

    scope: dict[str, Any]
    newest_date: int | None = None


async def rewind_session(client: AsyncClient, session: str, *, left: Set[str], linked: int | None) -> Rewound | None:
    """Undo what a session has changed; None if the server has no history of it.

    A rewind that was started before is waited for and counts, unless it was undone: its answer may have been lost.
    Where it left objects, another one is started once one of them could go back now. `linked` is the local time of a
    link that the session may have made: such a link alone is no change in history, and a rewind closes it all the same.
    """
    try:
        changes = await _changes(client, session, linked)
        if changes is None:
            return None
        known = _earlier(await client.rewinds.list(), session, changes)
        if known is not None and left and known.state == "done" and await _can_continue(client, changes, left):
            known = None
        ended = await _ended(client, session, changes, known)
        since = (await client.history.settings()).oldest_date or 0
    except NotOfferedError:
        return None
    except InvalidRequestError as error:
        if error.code == HISTORY_NOT_KEPT.code:
            return None
        raise
    problems = {
        (one.object_key or "").upper(): PROBLEMS.get(one.problem or "", "it could not be undone")
        async for one in client.rewinds.problems(ended.rewind_key or "")
    }
    return Rewound(rewind_key=ended.rewind_key or "", changed=ended.total or 0, problems=problems, since=since)


async def _changes(client: AsyncClient, session: str, linked: int | None) -> _Changes | None:
    newest = oldest = None
    async for entry in client.history.entries(session_id=session):
        newest, oldest = newest or entry, entry
    if newest is not None and oldest is not None:
        scope: dict[str, Any] = {"to_number": (oldest.number or 1) - 1}
        return _Changes({**scope, "session_id": session}, newest.date or 0)
    if linked is None:
        return None
    since = max((await client.history.settings()).oldest_date or 0, linked - _CLOCKS_DIFFER_MS)
    return _Changes({"to": since, "session_id": session})


async def _can_continue(client: AsyncClient, changes: _Changes, left: Set[str]) -> bool:
    """Whether something that was left could go back now."""
    async for item in client.rewinds.plan(**changes.scope):
        if (item.object_key or "").upper() in left and not item.problem:
            return True
    return False


async def _ended(client: AsyncClient, session: str, changes: _Changes, known: Rewind | None) -> Rewind:
    """The session's rewind once it has ended, started if there is none."""
    for _ in range(_ATTEMPTS):
        try:
            if known is None:
                known = await client.rewinds.start(**changes.scope)
        except ConflictError as error:
            if error.code != REWIND_RUNNING.code:
                raise
            # Another rewind of the account, or ours, whose answer was lost.
            running = next((one for one in await client.rewinds.list() if one.state in _RUNNING), None)
            if running is not None:
                await client.rewinds.wait(running.rewind_key or "")
                known = running if running.session_id == session else None
            continue
        ended = await client.rewinds.wait(known.rewind_key or "")
        if ended.state == "refused":
            missing = format_size(ended.missing_in_bytes or 0)
            raise ToolRefusal(CANNOT_UNDO, f"the undo needs {missing} more space: free some, then run it again")
        if ended.state == "done" and (ended.created_date or 0) >= (changes.newest_date or 0):
            return ended
        # Somebody cancelled it, or the session went on after it: the next one does the rest.
        known = None
    raise ToolRefusal(CANNOT_UNDO, "other rewinds are in the way: see `skyshelf rewind --list`, then run it again")


def _earlier(rewinds: list[Rewind], session: str, changes: _Changes) -> Rewind | None:
    """A rewind of the session that runs, or has undone its newest change; not one that was itself undone."""
    undone = {one.undo_of for one in rewinds}
    for one in rewinds:
        is_done = one.state == "done" and changes.newest_date is not None
        is_whole = one.state in _RUNNING or (is_done and (one.created_date or 0) >= (changes.newest_date or 0))
        if one.session_id == session and is_whole and one.rewind_key not in undone:
            return one
    return None

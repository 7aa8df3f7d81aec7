"""Undoes a change, or a whole session: by a rewind on the server, otherwise with the calls recorded in the journal.

Every step can be repeated. A kill leaves entries open, and what an undo could not undo is `left` in the journal
with the reason; the next undo goes on with both.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Final

from skyshelf.agent.bridge import Bridge
from skyshelf.agent.changeset import is_session
from skyshelf.agent.dispatcher import Envelope, failure
from skyshelf.agent.errors import CANNOT_UNDO
from skyshelf.agent.journal import Entry, Journal
from skyshelf.client.errors import SkyshelfError

_REFUSALS: Final = frozenset(
    {"InvalidRequestError", "ForbiddenError", "ObjectNotFoundError", "ConflictError", "QuotaExceededError"}
)
"""Errors that another attempt would get again. All others end an undo, which can be run again."""
_NOT_IN_HISTORY: Final = frozenset({"share_link", "create_album"})
_UNKNOWN: Final = "the outcome of the change is unknown: check the account first"


def undo(bridge: Bridge, journal: Journal, identifier: str) -> Envelope:
    """Undo one change, or all of a session; returns an envelope that lists what was undone and what is left."""
    try:
        # A client shows its own changes for a while, where listings are late, and not what others changed after them.
        bridge.disconnect()
        if is_session(identifier):
            return _undo_session(bridge, journal, identifier)
        entry = next((entry for entry in journal.entries() if entry.id == identifier), None)
        obstacle = _obstacle(entry, bridge)
        if entry is None or obstacle:
            return failure(CANNOT_UNDO, obstacle)
        return _undo_by_calls(bridge, journal, [entry]) or _report(journal, {}, [entry])
    except SkyshelfError as error:
        return failure(type(error).__name__, error.message)


def _undo_session(bridge: Bridge, journal: Journal, session: str) -> Envelope:
    """Undo all changes of a session: by a rewind of the session on the server, then links by their calls.

    A server without history gets the recorded calls, newest first. If the rewind fails, or its answer is lost, nothing
    else is tried: it may still be running, and the next undo waits for it.
    """
    mine = [entry for entry in journal.entries() if entry.session == session]
    open_ = [entry for entry in reversed(mine) if entry.is_open]
    if any(entry.account != bridge.account() for entry in open_):
        return failure(CANNOT_UNDO, "the session was in another account: log in to it")
    whole = None
    if open_ or not mine:
        links = [_milliseconds(entry) for entry in open_ if entry.tool == "share_link"]
        left = {key for entry in open_ for key in entry.left}
        whole = bridge.rewind_session(session, left=left, linked=min(links, default=None))
    if whole is None and not mine:
        return failure(
            CANNOT_UNDO,
            "neither the journal nor the server's history has such a session; `skyshelf agent journal` lists them",
        )
    if whole is not None and whole["ok"] is not True:
        return whole
    rewound = [entry for entry in open_ if _is_rewound(entry, whole)]
    problems = _problems(whole)
    for entry in rewound:
        _end(journal, entry, {key: reason for key, reason in problems.items() if key in _keys_still_open(entry)})
    stopped = _undo_by_calls(bridge, journal, [entry for entry in open_ if entry not in rewound])
    return stopped or _report(journal, {"session": session}, open_, whole)


def _is_rewound(entry: Entry, whole: Envelope | None) -> bool:
    """Whether a rewind was enough. Links and albums end by their calls, as does what history no longer has."""
    result = None if whole is None else whole["result"]
    if not isinstance(result, dict):
        return False
    return not entry.undo or (entry.tool not in _NOT_IN_HISTORY and _milliseconds(entry) >= result["since"])


def _undo_by_calls(bridge: Bridge, journal: Journal, entries: Sequence[Entry]) -> Envelope | None:
    """Make the recorded calls of some changes; returns the envelope of a call that may succeed later."""
    for entry in entries:
        left: dict[str, str] = {"": _UNKNOWN} if _is_unknown(entry) else {}
        for call in entry.undo or ():
            envelope = bridge.run_undo(call)
            result, error = envelope.get("result"), envelope.get("error")
            if isinstance(error, dict):
                if error["type"] not in _REFUSALS:
                    return envelope
                left[""] = str(error["message"])
            elif isinstance(result, dict) and isinstance(result.get("left"), dict):
                left |= result["left"]
        _end(journal, entry, left)
    return None


def _is_unknown(entry: Entry) -> bool:
    """Whether nobody knows what a change did. All tools but one record how to undo a change before they make it.

    Journals of earlier versions, which have no costs, do not.
    """
    return not entry.undo and (entry.tool == "share_link" or entry.cost is None)


def _end(journal: Journal, entry: Entry, left: dict[str, str]) -> None:
    journal.end(entry.id, "left" if left else "undone", left=left)


def _report(
    journal: Journal, result: dict[str, object], tried: Sequence[Entry], whole: Envelope | None = None
) -> Envelope:
    """The envelope of an undo, from what the journal has of it now."""
    now = {entry.id: entry for entry in journal.entries()}
    undone = [entry.id for entry in tried if now[entry.id].state == "undone"]
    left = [
        {"id": entry.id, "tool": entry.tool, "objects": now[entry.id].left}
        for entry in tried
        if now[entry.id].state == "left"
    ]
    result |= {"undone": undone, "left": left}
    if whole is not None and isinstance(whole["result"], dict):
        # With how many objects it left as they are, because others have changed them since.
        result["rewind"] = {"rewind_key": whole["result"]["rewind_key"], "left": len(_problems(whole))}
    return {"ok": True, "result": result, "count": len(undone)}


def _problems(whole: Envelope | None) -> dict[str, str]:
    result = {} if whole is None else whole["result"]
    problems = result.get("problems") if isinstance(result, dict) else None
    return problems if isinstance(problems, dict) else {}


def _keys_still_open(entry: Entry) -> set[str]:
    """The objects of a change; after an undo that left some, only those."""
    return set(entry.left) - {""} or {key.upper() for key in _keys(entry)}


def _keys(entry: Entry) -> Iterator[str]:
    for arguments in (entry.arguments, *(call.arguments for call in entry.undo or ())):
        yield from _texts(arguments.get("object_key"))
        yield from _texts(arguments.get("object_keys"))
        yield from _texts(arguments.get("places"))


def _texts(value: object) -> Iterator[str]:
    """The texts in an argument that names one object or several."""
    yield from (one for one in ([value] if isinstance(value, str) else _several(value)) if isinstance(one, str))


def _several(value: object) -> Iterator[object]:
    yield from value if isinstance(value, list | Mapping) else ()


def _milliseconds(entry: Entry) -> int:
    return int(datetime.fromisoformat(entry.time).timestamp() * 1000)


def _obstacle(entry: Entry | None, bridge: Bridge) -> str:
    """Why the change cannot be undone; empty if it can."""
    if entry is None:
        return "the journal has no such entry; `skyshelf agent journal` lists them"
    if entry.state == "planned":
        reason = "it was planned in a dry run, and nothing was changed"
    elif entry.state in {"begun", "left"} and _is_unknown(entry):
        reason = _UNKNOWN
    elif entry.state == "undone":
        reason = "the change has already been undone"
    elif entry.undo is None and entry.state != "begun":
        reason = "nothing was changed"
    elif not entry.undo and entry.state != "begun":
        reason = f"{entry.tool} cannot be undone"
    else:
        reason = "" if entry.account == bridge.account() else "the change was made in another account: log in to it"
    return reason

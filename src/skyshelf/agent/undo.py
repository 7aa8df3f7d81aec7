"""Undoes a change with the calls recorded in its journal entry."""

from typing import Final

from skyshelf.agent.bridge import Bridge
from skyshelf.agent.changeset import is_session
from skyshelf.agent.dispatcher import Envelope, failure
from skyshelf.agent.errors import CANNOT_UNDO
from skyshelf.agent.journal import Entry, Journal
from skyshelf.client.errors import SkyshelfError

_NOT_IN_HISTORY: Final = frozenset({"share_link"})


def undo(bridge: Bridge, journal: Journal, identifier: str) -> Envelope:
    """Undo one change, or all of a session; returns the envelope of the last call made, or of the whole."""
    if is_session(identifier):
        return _undo_session(bridge, journal, identifier)
    try:
        entry = next((entry for entry in journal.entries() if entry.id == identifier), None)
        obstacle = _obstacle(entry, bridge)
        if entry is None or obstacle:
            return failure(CANNOT_UNDO, obstacle)
        envelope: Envelope = failure(CANNOT_UNDO, obstacle)
        for call in entry.undo or ():
            envelope = bridge.run_undo(call)
            if envelope["ok"] is not True:
                return envelope
        journal.end(identifier, "undone")
    except SkyshelfError as error:
        return failure(type(error).__name__, error.message)
    return envelope


def _undo_session(bridge: Bridge, journal: Journal, session: str) -> Envelope:
    """Undo all changes of a session: links by their calls, everything else by a rewind of the session on the server.

    A server without history gets the recorded calls instead, newest first, up to the first that fails. If the rewind
    fails otherwise, or its answer is lost, nothing else is tried: it may still be running, and the next call waits for
    it.
    """
    try:
        mine = [entry for entry in journal.entries() if entry.session == session]
        if not mine:
            return failure(CANNOT_UNDO, "the journal has no such session; `skyshelf agent journal` lists them")
        open_ = [entry for entry in reversed(mine) if entry.state == "begun" or (entry.state == "done" and entry.undo)]
        rewound = [entry for entry in open_ if entry.tool not in _NOT_IN_HISTORY]
        undone: list[str] = []
        for entry in open_:
            if entry not in rewound:
                envelope = undo(bridge, journal, entry.id)
                if envelope["ok"] is not True:
                    return envelope
                undone.append(entry.id)
        left: list[str] = []
        is_mine = bool(rewound) and bridge.account() == rewound[0].account
        whole = bridge.rewind_session(session) if is_mine else None
        if whole is not None:
            if whole["ok"] is not True:
                return whole
            for entry in rewound:
                journal.end(entry.id, "undone")
                undone.append(entry.id)
            rewound = []
        for entry in rewound:
            if entry.state == "begun":
                left.append(entry.id)
                continue
            envelope = undo(bridge, journal, entry.id)
            if envelope["ok"] is not True:
                return envelope
            undone.append(entry.id)
    except SkyshelfError as error:
        return failure(type(error).__name__, error.message)
    result: dict[str, object] = {"session": session, "undone": undone, "left": left}
    if whole is not None:
        # With how many objects it left as they are, because others have changed them since.
        result["rewind"] = whole["result"]
    return {"ok": True, "result": result, "count": len(undone)}


def _obstacle(entry: Entry | None, bridge: Bridge) -> str:
    """Why the change cannot be undone; empty if it can."""
    if entry is None:
        return "the journal has no such entry; `skyshelf agent journal` lists them"
    if entry.state == "planned":
        reason = "it was planned in a dry run, and nothing was changed"
    elif entry.state == "begun":
        reason = "the outcome of the change is unknown: check the account first"
    elif entry.state == "undone":
        reason = "the change has already been undone"
    elif entry.undo is None:
        reason = "nothing was changed"
    elif not entry.undo:
        reason = f"{entry.tool} cannot be undone"
    else:
        reason = "" if entry.account == bridge.account() else "the change was made in another account: log in to it"
    return reason

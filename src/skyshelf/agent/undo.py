"""Undoes a change with the calls recorded in its journal entry."""

from skyshelf.agent.bridge import Bridge
from skyshelf.agent.dispatcher import Envelope, failure
from skyshelf.agent.errors import CANNOT_UNDO
from skyshelf.agent.journal import Entry, Journal
from skyshelf.client.errors import SkyshelfError


def undo(bridge: Bridge, journal: Journal, identifier: str) -> Envelope:
    """Undo one change; returns the envelope of the last call made."""
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


def _obstacle(entry: Entry | None, bridge: Bridge) -> str:
    """Why the change cannot be undone; empty if it can."""
    if entry is None:
        return "the journal has no such entry; `skyshelf agent journal` lists them"
    if entry.state == "begun":
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

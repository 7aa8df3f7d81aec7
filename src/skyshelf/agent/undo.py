"""Taking back what a tool changed, by the calls that its journal entry names."""

from skyshelf.agent.bridge import Bridge
from skyshelf.agent.dispatcher import Envelope, failure
from skyshelf.agent.errors import CANNOT_UNDO
from skyshelf.agent.journal import Entry, Journal
from skyshelf.client.errors import SkyshelfError


def undo(bridge: Bridge, journal: Journal, identifier: str) -> Envelope:
    """Undo one change; the envelope of the last call that was made for it."""
    try:
        entry = next((each for each in journal.entries() if each.id == identifier), None)
        reason = _reason_against(entry, bridge)
        if entry is None or reason:
            return failure(CANNOT_UNDO, reason)
        envelope: Envelope = failure(CANNOT_UNDO, reason)
        for call in entry.undo or ():
            envelope = bridge.take_back(call)
            if envelope["ok"] is not True:
                return envelope
        journal.end(identifier, "undone")
    except SkyshelfError as wrong:
        return failure(type(wrong).__name__, wrong.message)
    return envelope


def _reason_against(entry: Entry | None, bridge: Bridge) -> str:
    if entry is None:
        return "the journal has no such entry"
    if entry.state == "begun":
        reason = "nobody knows whether it was done: look at the account first"
    elif entry.state == "undone":
        reason = "it is undone already"
    elif entry.undo is None:
        reason = "nothing was changed"
    elif not entry.undo:
        reason = f"there is no call that takes {entry.tool} back"
    else:
        reason = "" if entry.account == bridge.account() else "it was done in another account"
    return reason

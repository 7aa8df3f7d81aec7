"""Whether a change that the history lists is the one that the log has."""

from skyshelf.client.proofs.keys import MismatchError, decoded
from skyshelf.wire.proofs.leaves import (
    Body,
    State,
    decode_before,
    decode_body,
    decode_state,
    hash_of_body,
    hash_of_leaf,
)
from skyshelf.wire.resources.history import HistoryEntry, HistoryLeaf, PastState

_PURGING = "P"
_LINK, _REWIND = "link", "rewind"
_OTHERS = {"", _LINK, _REWIND, "command"}
"""Who makes changes besides devices: the server, visitors of links, rewinds and commands of the operator."""


def body_of(leaf: HistoryLeaf) -> Body | None:
    """What a change was about, as its leaf has it; None when that is no longer kept. MismatchError if it differs."""
    if leaf.record is None:
        return None
    record = decoded(leaf.record)
    if hash_of_leaf(leaf.number or 0, leaf.date or 0, hash_of_body(record)) != decoded(leaf.hash):
        raise MismatchError(f"The record of change {leaf.number} was altered: it is not the one that was logged.")
    try:
        return decode_body(record)
    except ValueError:
        raise MismatchError(
            f"The record of change {leaf.number} cannot be read: a newer client may be needed."
        ) from None


def compare(leaf: HistoryLeaf, body: Body, entry: HistoryEntry) -> None:
    """MismatchError where the history shows something else than the log."""
    device, _, session = body.actor.partition("/")
    shown: dict[str, tuple[object, object]] = {
        "date": (entry.date, leaf.date),
        "kind": (entry.kind, body.kind),
        "object": (entry.object_key, None if body.kind == "emptied" else body.object_key.hex().upper()),
        "device": (entry.device_key, None if device in _OTHERS else device),
        "session": (entry.session_id, None if device in _OTHERS or not session else session),
        "link": (entry.share_key, session if device == _LINK else None),
        "rewind": (entry.rewind_key, session if device == _REWIND else None),
    }
    before = None if body.before is None else decode_before(body.before)
    after = None if body.after is None else decode_state(body.after)
    if before is not None or entry.before is not None:
        shown |= _differences("before", entry.before, before)
    # What came of it is shown as it is now: it may have gone since, or be going with a folder.
    if after is not None and entry.after is not None:
        shown |= _differences("after", entry.after, after)
    wrong = sorted(name for name, (listed, logged) in shown.items() if listed != logged)
    if wrong:
        raise MismatchError(f"The history shows change {leaf.number} otherwise than it was logged: {', '.join(wrong)}.")


def _differences(side: str, shown: PastState | None, logged: State | None) -> dict[str, tuple[object, object]]:
    if shown is None or logged is None:
        return {side: (shown, logged)}
    found: dict[str, tuple[object, object]] = {
        f"name {side}": (shown.object_name, logged.name),
        f"favourite {side}": (shown.is_favorite, logged.is_favorite),
        f"hash {side}": (shown.hash, None if logged.md5 is None else logged.md5.hex()),
    }
    if not logged.is_folder:
        found[f"version {side}"] = (shown.version, logged.version)
        found[f"size {side}"] = (shown.size_in_bytes, logged.size)
    if shown.status != _PURGING:
        found[f"status {side}"] = (shown.status, logged.status)
        found[f"folder {side}"] = (shown.parent_object_key, logged.parent_key)
    return found

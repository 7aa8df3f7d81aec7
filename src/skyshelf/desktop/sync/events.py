"""What a sync reports while it runs."""

from typing import Literal

from msgspec import Struct

EventKind = Literal[
    "conflict",
    "create local folder",
    "create remote folder",
    "download",
    "failed",
    "left",
    "move local",
    "move remote",
    "progress",
    "trash local",
    "trash remote",
    "upload",
]


class SyncEvent(Struct, frozen=True, kw_only=True):
    """A step that was done, or failed; `to` is where the item is now, `reason` why it was not synced or kept twice."""

    kind: EventKind
    path: str
    to: str = ""
    reason: str = ""
    size: int = 0
    transferred: int = 0

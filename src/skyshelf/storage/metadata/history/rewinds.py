"""Rewinds: bringing objects back to what they were at a moment.

A rewind is a row with the place where its job stands. The job first collects what is to be done, object by object and
with each object as it is to be, and then does it in order, so neither later changes nor the end of history disturb it.
Every step is one transaction that moves the place: a step that is run again finds its work done.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

import msgspec

from skyshelf.storage.metadata.contracts.tree import StoredObject

PLANNING: Final = "planning"
RUNNING: Final = "running"
DONE: Final = "done"
CANCELLED: Final = "cancelled"
REFUSED: Final = "refused"
ACTIVE_STATES: Final = (PLANNING, RUNNING)

# What is done to an object.
BRING: Final = "bring"
"""Restore the object to what it was, where it was visible."""
HIDE: Final = "hide"
"""Restore the object to what it was, in the trash or below a trashed folder."""
TRASH: Final = "trash"
"""Move the object to the trash."""
STAY: Final = "stay"
"""Do nothing; only report the object, with the reason."""

LATER: Final = 1000
"""What has to wait for its folder is tried again after everything else: its rank rises by this much."""
LAST: Final = 2 * LATER
"""What has this rank has waited often enough."""
EMPTIED_FIRST: Final = 3 * LATER
"""Added to the rank of folders that are to be empty before they go."""

# Why something cannot be undone.
CONTENT_GONE: Final = "contentGone"
CHANGED_BY_OTHERS: Final = "changedByOthers"
CHANGED_MEANWHILE: Final = "changedMeanwhile"
NO_SPACE: Final = "noSpace"
IN_USE: Final = "inUse"
GONE: Final = "gone"

COMMAND: Final = "command"
"""The device part of an actor that is an operator's command."""
ACTOR: Final = "rewind"
"""Changes of a rewind are made by this, a slash and its key."""


class Scope(msgspec.Struct, frozen=True, kw_only=True):
    """What is to be undone."""

    seq: int
    """The moment: the last change that stays."""
    at: int
    """The time of the moment, for tags, boards and links, whose changes have no numbers."""
    upto: int
    """The newest change; later ones are nobody's business."""
    folder_key: str | None = None
    actor: str = ""
    """`device/session`, `device/` for all its sessions, or `/session`; empty for everybody."""


class PlannedItem(msgspec.Struct, frozen=True, kw_only=True):
    """The planned action for one object."""

    object_key: str
    what: str
    rank: int
    """What has a lower rank comes first: to the trash from the innermost out, and back from the outermost in."""
    actions: Sequence[str]
    path: str
    current: StoredObject | None
    target: StoredObject | None
    size: int = 0
    """Bytes that the quota must have room for."""
    problem: str = ""


class Place(msgspec.Struct, frozen=True, array_like=True):
    """Where the next page of a plan begins, or the job of a rewind stands: in which source, and after what in it."""

    source: str = ""
    value: int = 0
    key: str = ""


class Counts(msgspec.Struct, kw_only=True):
    """What a rewind has done so far."""

    restored: int = 0
    moved: int = 0
    renamed: int = 0
    content: int = 0
    favorite: int = 0
    tags: int = 0
    boards: int = 0
    links: int = 0
    others: int = 0
    trashed: int = 0
    left: int = 0
    total: int = 0
    done: int = 0
    size: int = 0
    missing: int = 0


class StoredRewind(msgspec.Struct, frozen=True, kw_only=True):
    rewind_key: str
    account_id: int
    state: str
    scope: Scope
    asked_by: str
    undo_of: str | None
    created_at: int
    updated_at: int
    place: Place
    counts: Counts

    @property
    def is_by_command(self) -> bool:
        """Whether an operator started it, who may go back to what a hold alone keeps."""
        return self.asked_by.startswith(f"{COMMAND}/")

    @property
    def actor(self) -> str:
        """Who makes its changes."""
        return f"{ACTOR}/{self.rewind_key}"


class Problem(NamedTuple):
    object_key: str
    problem: str
    target: StoredObject | None
    current: StoredObject | None

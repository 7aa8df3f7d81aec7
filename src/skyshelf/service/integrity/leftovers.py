"""Whether bytes may have been left behind that no row knows: the sweep lists the whole store only then.

Bytes stay behind where a process ends between a put and its commit, or where a store fails. So a process notes in the
database when it starts, because the one before it may have been killed, and when a call to a store has failed. Nothing
is written per upload. What is noted is swept when it is old enough to be judged. An unnoticed crash, such as that of
an instance which is never started again, costs space until the store is listed anyway, once a month.
"""

from typing import Final

import msgspec

from skyshelf.storage.blobs.protocols import SWEEP_GRACE_MS
from skyshelf.storage.metadata.store import MetadataStore, Unit
from skyshelf.storage.watching import store_calls

_NOTED: Final = "sweep.noted"
_SWEPT: Final = "sweep.swept"
_HOUR: Final = 60 * 60 * 1000
LISTED_ANYWAY: Final = 30 * 24 * _HOUR


class Doubt(msgspec.Struct, frozen=True):
    """When something may have been left behind that was not swept yet: the first and the last time."""

    first: int
    last: int


class Sweep(msgspec.Struct, frozen=True):
    """When the last complete sweep began, and up to which time it judged."""

    at: int
    up_to: int


def note(unit: Unit, now: int) -> None:
    """Note that something may have been left behind."""
    unit.settings.store(_NOTED, Doubt(_open(unit) or now, now))


def note_swept(unit: Unit, began: int) -> None:
    """Note that a sweep was complete."""
    unit.settings.store(_SWEPT, Sweep(began, began - SWEEP_GRACE_MS))


def is_due(unit: Unit, now: int) -> bool:
    """Return whether what may have been left behind is old enough to be judged, or the last sweep long ago."""
    swept, since = unit.settings.load(_SWEPT, Sweep), _open(unit)
    return swept is None or now - swept.at >= LISTED_ANYWAY or 0 < since <= now - SWEEP_GRACE_MS


def _open(unit: Unit) -> int:
    """Return the first time that no sweep has covered; 0 if there is none."""
    noted, swept = unit.settings.load(_NOTED, Doubt), unit.settings.load(_SWEPT, Sweep)
    up_to = 0 if swept is None else swept.up_to
    if noted is None or noted.last <= up_to:
        return 0
    return noted.first if noted.first > up_to else noted.last


class LeftoverWatch:
    """Notes, at most once an hour, that calls of this process have failed; one per process or command."""

    def __init__(self) -> None:
        self._seen = store_calls.leftovers
        self._noted_at = 0

    def look(self, metadata: MetadataStore, now: int, *, at_work: bool = False) -> None:
        """Note what has failed since the last look; with at_work, that a command would leave something if killed."""
        seen = store_calls.leftovers
        if (seen == self._seen and not at_work) or 0 <= now - self._noted_at < _HOUR:
            return
        metadata.write(lambda unit: note(unit, now))
        self._seen, self._noted_at = seen, now

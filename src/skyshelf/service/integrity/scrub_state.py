"""How far the scrub has come, in the settings, so that it survives restarts and all instances share it.

Contents are read in the order of their hashes, which are spread evenly. The place in that order is all that has to be
kept: no upload or deletion pays for it.
"""

from typing import Final

import msgspec

from skyshelf.storage.metadata.store import Unit

_SETTING: Final = "scrub"
_HOUR: Final = 60 * 60 * 1000
RECENT_MS: Final = 24 * _HOUR
_MARK_EVERY_MS: Final = _HOUR
END: Final = "f" * 64


class ScrubRound(msgspec.Struct, kw_only=True):
    """One pass over all contents."""

    began: int
    ended: int = 0
    """When the last content was read; 0 while some are left."""
    contents: int = 0
    size: int = 0
    damaged: int = 0


class Mark(msgspec.Struct, frozen=True, array_like=True):
    """Where the scrub was at some time."""

    at: int
    position: str


class ScrubState(msgspec.Struct, kw_only=True):
    """The round that is going on, and the one before it."""

    now: ScrubRound
    position: str = ""
    """The hash of the content that was read last; empty at the beginning."""
    previous: ScrubRound | None = None
    marks: list[Mark] = []
    """Where it was during the last day, about every hour."""

    @property
    def share(self) -> float:
        """How much of the round is done, from 0 to 1."""
        return 1.0 if self.now.ended else share_of(self.position)

    def mark(self, at: int) -> None:
        """Remember where it is, and forget what is older than a day, except for the last one of those."""
        if not self.marks or at - self.marks[-1].at >= _MARK_EVERY_MS:
            self.marks.append(Mark(at, self.position))
        while len(self.marks) > 1 and self.marks[1].at <= at - RECENT_MS:
            self.marks.pop(0)

    def has_read_lately(self, sha256: str, at: int) -> bool:
        """Whether content of that hash was read during the last day, if it was stored then."""
        first = next((mark for mark in self.marks if mark.at >= at - RECENT_MS), None)
        return first is not None and first.position < sha256 <= self.position

    def next_round(self, at: int) -> "ScrubState":
        return ScrubState(now=ScrubRound(began=at), previous=self.now)

    def oldest(self, at: int) -> int:
        """For how many milliseconds the content that comes next has not been read, at most."""
        if self.now.ended:
            return at - self.now.began
        if self.previous is None:
            return at - self.now.began
        return at - self.previous.began - int(self.share * max(0, self.previous.ended - self.previous.began))


def share_of(sha256: str) -> float:
    """Which share of all hashes comes up to this one."""
    return int(sha256[:12], 16) / 16**12 if sha256 else 0.0


def load_state(unit: Unit) -> ScrubState | None:
    kept = unit.settings.get(_SETTING)
    return msgspec.json.decode(kept, type=ScrubState) if kept else None


def save_state(unit: Unit, state: ScrubState) -> None:
    unit.settings.set(_SETTING, msgspec.json.encode(state))

"""Limits by the time of day: hours in which a sync runs, and rates that change."""

import asyncio
import re
from collections.abc import Callable
from datetime import datetime, time
from typing import Final, NamedTuple, Self

from skyshelf.client.engine.pacer import RateLimit
from skyshelf.wire.sizes import parse_rate

_CLOCK: Final = r"([01]?[0-9]|2[0-3]):([0-5][0-9])"
_HOURS: Final = re.compile(rf"{_CLOCK}\s*-\s*{_CLOCK}")
_CHANGE: Final = re.compile(rf"{_CLOCK},(\S+)")
_OFF: Final = "off"
_UNLIMITED: Final = 1 << 62
_WAIT_SECONDS: Final = 0.5


class Hours(NamedTuple):
    """A part of the day, such as 22:00-06:00."""

    begin: time
    end: time

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read `22:00-06:00`; ValueError for anything else."""
        found = _HOURS.fullmatch(text.strip())
        if found is None or found.group(1, 2) == found.group(3, 4):
            raise ValueError(f"'{text}' is not a part of the day: use 22:00-06:00")
        return cls(time(int(found[1]), int(found[2])), time(int(found[3]), int(found[4])))

    def __str__(self) -> str:
        return f"{self.begin:%H:%M} to {self.end:%H:%M}"

    def __contains__(self, moment: object) -> bool:
        assert isinstance(moment, time)
        if self.begin <= self.end:
            return self.begin <= moment < self.end
        return moment >= self.begin or moment < self.end


class Timetable(NamedTuple):
    """Rates in bytes per second by the time of day, None for no limit; the last one of a day holds until the first."""

    changes: tuple[tuple[time, int | None], ...]

    @classmethod
    def steady(cls, rate: int) -> Self:
        """Return one rate for the whole day."""
        return cls(((time(), rate),))

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read `2M`, or `08:00,500k 18:00,off`; ValueError for anything else."""
        words = text.split()
        if len(words) == 1 and "," not in text:
            return cls(((time(), _rate(words[0])),))
        changes = []
        for word in words:
            found = _CHANGE.fullmatch(word)
            if found is None:
                raise ValueError(f"'{text}' is not a rate: use 2M, or '08:00,500k 18:00,off'")
            changes.append((time(int(found[1]), int(found[2])), _rate(found[3])))
        if not changes:
            raise ValueError("a rate is missing: use 2M, or '08:00,500k 18:00,off'")
        return cls(tuple(sorted(changes, key=lambda one: one[0])))

    def rate(self, moment: time) -> int | None:
        """Return the limit at a time of day."""
        return ([rate for begin, rate in self.changes if begin <= moment] or [self.changes[-1][1]])[-1]


class TimedRateLimit(RateLimit):
    """A limit that follows a timetable, and lets transfers wait while the sync may not run."""

    def __init__(
        self,
        timetable: Timetable | None = None,
        *,
        may_run: Callable[[], bool] = lambda: True,
        now: Callable[[], datetime] = lambda: datetime.now().astimezone(),
    ) -> None:
        super().__init__(_UNLIMITED)
        self._timetable = timetable
        self._may_run = may_run
        self._time = now
        self._is_limited()

    def piece(self, size: int) -> int:
        return super().piece(size) if self._is_limited() else size

    async def spend(self, count: int) -> None:
        while not self._may_run():
            await asyncio.sleep(_WAIT_SECONDS)
        if self._is_limited():
            await super().spend(count)

    def _is_limited(self) -> bool:
        """Whether there is a limit now; it is then the current one."""
        rate = None if self._timetable is None else self._timetable.rate(self._time().time())
        self.bytes_per_second = _UNLIMITED if rate is None else rate
        return rate is not None


def _rate(text: str) -> int | None:
    return None if text.lower() == _OFF else parse_rate(text)

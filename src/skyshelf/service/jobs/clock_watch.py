"""Whether the clock can be trusted by jobs that delete by age.

A clock that jumps 40 days ahead would empty the trash at once. The last time that any instance has seen is stored; when
the next look is more than a day away from it, in either direction, jobs that delete by age wait. They go on when the
clock has advanced without a jump for a day, or when an operator confirms the time. A service that was switched off for
days waits as well: nothing is lost by deleting a day later.
"""

from contextlib import suppress

import msgspec

from skyshelf.service.context import ServiceContext
from skyshelf.service.jobs import brakes
from skyshelf.storage.metadata.store import Unit

TASK = "clock"
_SETTING = "jobs.clock"
DAY = 24 * 60 * 60 * 1000
_ADVICE = "Jobs that delete by age wait until the clock has been steady for a day. If the time is right"
_LOOK_EVERY = 60 * 1000


class Seen(msgspec.Struct, frozen=True):
    """The newest time seen, and since when it has advanced without a jump; 0 if it always has."""

    at: int
    steady_since: int = 0


class ClockWatch:
    """One per process; `look` is cheap between two minutes."""

    def __init__(self, ctx: ServiceContext) -> None:
        self._ctx = ctx
        self._looked = 0

    def look(self) -> None:
        """Note the time, and pull or clear the brake of the clock."""
        now = self._ctx.clock.now()
        if 0 <= now - self._looked < _LOOK_EVERY:
            return
        self._looked = now
        seen, jumped_by = self._ctx.metadata.write(lambda unit: _noted(unit, now))
        if jumped_by:
            hours = abs(jumped_by) / 3_600_000
            direction = "forward" if jumped_by > 0 else "back"
            reason = f"the clock moved {direction} by {hours:,.0f} hours since the service last looked"
            with suppress(brakes.BrakePulled):
                brakes.pull(self._ctx, TASK, reason, _ADVICE)
        elif seen.steady_since and now - seen.steady_since >= DAY:
            self._ctx.metadata.write(lambda unit: unit.settings.set(_SETTING, msgspec.json.encode(Seen(now))))
            brakes.clear(self._ctx, TASK)

    def is_trusted(self) -> bool:
        """Whether jobs that delete by age may run."""
        self.look()
        return all(brake.task != TASK for brake in brakes.brakes(self._ctx))


def _noted(unit: Unit, now: int) -> tuple[Seen, int]:
    """What is known now, and by how much the clock has jumped: 0 for no jump."""
    kept = unit.settings.get(_SETTING)
    seen = msgspec.json.decode(kept, type=Seen) if kept else Seen(now)
    jumped_by = now - seen.at if abs(now - seen.at) > DAY else 0
    new = Seen(now, now if jumped_by else seen.steady_since)
    unit.settings.set(_SETTING, msgspec.json.encode(new))
    return new, jumped_by

"""Options that say when and how fast a sync transfers."""

from typing import Final

import click

from skyshelf.cli.base.params import TextParam
from skyshelf.desktop.sync.pausing import Gate
from skyshelf.desktop.sync.schedule import Hours, TimedRateLimit, Timetable

TIMED_RATE: Final = TextParam("rate", Timetable, Timetable.parse)
"""Bytes per second, the same all day or by the time of day: `2M`, `08:00,500k 18:00,off`."""
BETWEEN: Final = TextParam("hours", Hours, Hours.parse)
"""A part of the day: `22:00-06:00`."""


def transfer_limits(
    gate: Gate, both: int | None, up: Timetable | None, down: Timetable | None
) -> tuple[TimedRateLimit, TimedRateLimit]:
    """Return the limits for uploads and for downloads: one for both, or one for each."""
    if both is not None and (up or down):
        raise click.UsageError("use either --limit-rate for both directions, or --limit-up and --limit-down")

    def limit(timetable: Timetable | None) -> TimedRateLimit:
        return TimedRateLimit(timetable, may_run=lambda: gate.reason() is None)

    if both is None:
        return limit(up), limit(down)
    shared = limit(Timetable.steady(both))
    return shared, shared

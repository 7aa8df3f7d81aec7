"""Options that say when and how fast a sync transfers."""

import click

from skyshelf.desktop.sync.pausing import Gate
from skyshelf.desktop.sync.schedule import Hours, TimedRateLimit, Timetable


class TimedRate(click.ParamType[Timetable]):
    """Bytes per second, the same all day or by the time of day: `2M`, `08:00,500k 18:00,off`."""

    name = "rate"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> Timetable:
        if isinstance(value, Timetable):
            return value
        try:
            return Timetable.parse(str(value))
        except ValueError as wrong:
            self.fail(str(wrong), param, ctx)


class Between(click.ParamType[Hours]):
    """A part of the day: `22:00-06:00`."""

    name = "hours"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> Hours:
        if isinstance(value, Hours):
            return value
        try:
            return Hours.parse(str(value))
        except ValueError as wrong:
            self.fail(str(wrong), param, ctx)


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

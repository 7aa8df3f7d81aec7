"""Start and end of promotions and banners."""

import time
from collections.abc import Callable
from typing import Any, TypeVar

import click

from skyshelf.cli.base.params import FutureTime

Command = TypeVar("Command", bound=Callable[..., Any])
_NEVER = 0


def period_options(command: Command) -> Command:
    """--from and --until of something new."""
    for option in (
        click.option("--until", "end", type=FutureTime(), required=True, help="End: 30d, 2027-05-01, or never."),
        click.option("--from", "start", type=FutureTime(), help="Start: 7d, 2027-05-01.  [default: now]"),
    ):
        command = option(command)
    return command


def start_ms(start: int | None) -> int:
    """The start in epoch milliseconds; now by default."""
    return start or time.time_ns() // 1_000_000


def end_ms(end: int) -> int:
    """The end in epoch milliseconds; `never` is the last time that the interface can express."""
    from skyshelf.wire.limits import TIME_MS_MAX

    return TIME_MS_MAX if end == _NEVER else end


def format_period(start_at: int, end_at: int) -> str:
    """`from 2027-05-01 08:00 until 2027-05-02 09:00 UTC`."""
    from skyshelf.wire.limits import TIME_MS_MAX
    from skyshelf.wire.times import from_epoch_ms

    start = f"from {from_epoch_ms(start_at):%Y-%m-%d %H:%M}"
    return (
        f"{start} UTC, no end" if end_at == TIME_MS_MAX else f"{start} until {from_epoch_ms(end_at):%Y-%m-%d %H:%M} UTC"
    )

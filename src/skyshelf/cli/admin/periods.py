"""When something begins and ends, for whatever an operator sets up for a while."""

import time
from collections.abc import Callable
from typing import Any, TypeVar

import click

from skyshelf.cli.base.params import Until

Command = TypeVar("Command", bound=Callable[..., Any])
_FOR_EVER = 0


def span_options(command: Command) -> Command:
    """--from and --until of something new."""
    for option in (
        click.option("--until", "end", type=Until(), required=True, help="When it ends: 30d, 2027-05-01, or never."),
        click.option("--from", "start", type=Until(), help="When it begins.  [default: now]"),
    ):
        command = option(command)
    return command


def begins(start: int | None) -> int:
    return start or time.time_ns() // 1_000_000


def ends(end: int) -> int:
    """Never is the last time that the interface can say."""
    from skyshelf.wire.limits import TIME_MS_MAX

    return TIME_MS_MAX if end == _FOR_EVER else end


def span(start_at: int, end_at: int) -> str:
    """From when until when, for people."""
    from skyshelf.wire.limits import TIME_MS_MAX
    from skyshelf.wire.times import from_epoch_ms

    end = "for ever" if end_at == TIME_MS_MAX else f"until {from_epoch_ms(end_at):%Y-%m-%d %H:%M}"
    return f"{from_epoch_ms(start_at):%Y-%m-%d %H:%M} {end}"

"""Types of options: sizes, times and rates as people write them, and options shared by several commands."""

import os
import re
import time
from datetime import datetime
from typing import TYPE_CHECKING, Final

import click

from skyshelf.cli.base.moments import parse_moment
from skyshelf.wire.sizes import parse_size

if TYPE_CHECKING:
    from skyshelf.client.engine.rate_limit import RateLimit


class Size(click.ParamType[int]):
    """A number of bytes, with or without a unit."""

    name = "size"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> int:
        if isinstance(value, int):
            return value
        try:
            return parse_size(str(value))
        except ValueError as wrong:
            self.fail(str(wrong), param, ctx)


def format_count(number: int, noun: str) -> str:
    """`1 file`, `2,000 files`."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


_DURATION: Final = re.compile(r"([0-9]{1,6})\s*([smhdw])", re.ASCII)
_SECONDS: Final = {"s": 1, "m": 60, "h": 3600, "d": 86400, "w": 7 * 86400}


WORKERS_MAX: Final = 64


class Workers(click.ParamType[int]):
    """A number of processes, or `auto` for one per processor that this process may use."""

    name = "workers"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> int:
        text = str(value).strip().lower()
        if text == "auto":
            affinity = getattr(os, "sched_getaffinity", None)
            return max(1, min(WORKERS_MAX, len(affinity(0)) if affinity else os.cpu_count() or 1))
        if not (text.isascii() and text.isdigit() and 1 <= int(text[:4]) <= WORKERS_MAX):
            self.fail(f"'{value}' is neither auto nor a number from 1 to {WORKERS_MAX}", param, ctx)
        return int(text)


class FutureTime(click.ParamType[int]):
    """A future time in epoch milliseconds: `2027-05-01`, `2027-05-01T12:30`, `7d` from now; 0 for `never`."""

    name = "time"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> int:
        if isinstance(value, int):
            return value
        text = str(value).strip()
        if text == "never":
            return 0
        ahead = _DURATION.fullmatch(text)
        if ahead is not None:
            return round((time.time() + int(ahead[1]) * _SECONDS[ahead[2]]) * 1000)
        try:
            future = round(datetime.fromisoformat(text).astimezone().timestamp() * 1000)
        except (ValueError, OverflowError, OSError):
            self.fail(f"'{value}' is not a time: use 7d, 2027-05-01, 2027-05-01T12:30 or never", param, ctx)
        if future <= time.time() * 1000:
            self.fail(f"'{value}' is in the past", param, ctx)
        return future


class Time(click.ParamType[int]):
    """A past time in epoch milliseconds, as people write it (moments.py)."""

    name = "time"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> int:
        if isinstance(value, int):
            return value
        found = parse_moment(str(value), datetime.now().astimezone())
        if found is None:
            self.fail(
                f"'{value}' is not a time: use 2024-05-01, 2024-05-01T12:30, 7d, '2 hours ago' or yesterday", param, ctx
            )
        return found


class Rate(Size):
    """Bytes per second: 2M, 500k, 1.5MiB/s."""

    name = "rate"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> int:
        rate = super().convert(re.sub(r"/s\s*$", "", value) if isinstance(value, str) else value, param, ctx)
        if rate < 1:
            self.fail(f"'{value}' is too slow: use 2M or 500k", param, ctx)
        return rate


limit_rate_option = click.option(
    "--limit-rate",
    type=Rate(),
    help="Limit the total transfer rate in bytes per second, such as 2M or 500k.",
)


def shared_rate_limit(rate: int | None) -> "RateLimit | None":
    """The rate limit that all transfers of a command share."""
    if rate is None:
        return None
    from skyshelf.client.engine.rate_limit import RateLimit

    return RateLimit(rate)

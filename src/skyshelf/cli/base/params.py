"""Types of options: sizes, times and rates as people write them, and options shared by several commands."""

import os
import re
from collections.abc import Callable
from datetime import datetime, time, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click

from skyshelf.wire.sizes import parse_rate, parse_size

if TYPE_CHECKING:
    from skyshelf.client.engine.pacer import RateLimit

Command = TypeVar("Command", bound=Callable[..., Any])
Value = TypeVar("Value")


class TextParam(click.ParamType[Value]):
    """A value that people write as text; `parse` raises ValueError with a sentence."""

    def __init__(self, name: str, kind: type[Value], parse: Callable[[str], Value]) -> None:
        self.name = name
        self._kind = kind
        self._parse = parse

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> Value:
        if isinstance(value, self._kind) and not isinstance(value, bool):
            return value
        try:
            return self._parse(str(value).strip())
        except ValueError as wrong:
            self.fail(str(wrong), param, ctx)


_UNITS: Final = {
    "s": timedelta(seconds=1),
    "m": timedelta(minutes=1),
    "h": timedelta(hours=1),
    "d": timedelta(days=1),
    "w": timedelta(weeks=1),
}
_WORDS: Final = {"second": "s", "sec": "s", "minute": "m", "min": "m", "hour": "h", "day": "d", "week": "w"}
_SHORT: Final = re.compile(r"([0-9]{1,6})\s*([smhdw])")
_AGO: Final = re.compile(rf"([0-9]{{1,6}}|an?|one)\s*({'|'.join(_WORDS)}|[smhdw])s?\s+ago")
_CLOCK: Final = re.compile(r"([0-9]{1,2}):([0-9]{2})(?::([0-9]{2}))?")
_DAYS: Final = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
WORKERS_MAX: Final = 64


def _workers(text: str) -> int:
    if text.lower() == "auto":
        affinity = getattr(os, "sched_getaffinity", None)
        return max(1, min(WORKERS_MAX, len(affinity(0)) if affinity else os.cpu_count() or 1))
    if not (text.isascii() and text.isdigit() and 1 <= int(text[:4]) <= WORKERS_MAX):
        raise ValueError(f"'{text}' is neither auto nor a number from 1 to {WORKERS_MAX}")
    return int(text)


def _future_time(text: str) -> int:
    now = datetime.now().astimezone()
    if text == "never":
        return 0
    ahead = _SHORT.fullmatch(text)
    if ahead is not None:
        return round((now.timestamp() + (int(ahead[1]) * _UNITS[ahead[2]]).total_seconds()) * 1000)
    try:
        future = round(datetime.fromisoformat(text).astimezone().timestamp() * 1000)
    except (ValueError, OverflowError, OSError):
        raise ValueError(f"'{text}' is not a time: use 7d, 2027-05-01, 2027-05-01T12:30 or never") from None
    if future <= now.timestamp() * 1000:
        raise ValueError(f"'{text}' is in the past")
    return future


def _past_time(text: str) -> int:
    found = parse_moment(text, datetime.now().astimezone())
    if found is None:
        raise ValueError(f"'{text}' is not a time: use 2024-05-01, 2024-05-01T12:30, 7d, '2 hours ago' or yesterday")
    return found


def _period(text: str) -> timedelta:
    if text.lower() == "forever":
        return timedelta.max
    found = _SHORT.fullmatch(text.lower())
    if found is None:
        raise ValueError(f"'{text}' is not a period: use 90d, 12w, 24h or forever")
    return int(found[1]) * _UNITS[found[2]]


def milliseconds(period: timedelta) -> int | None:
    """Return a period in milliseconds; None for `forever`."""
    return None if period == timedelta.max else int(period.total_seconds() * 1000)


def parse_moment(text: str, now: datetime) -> int | None:
    """The moment in epoch milliseconds; None if the text does not name one.

    Without an offset it is local time, like every time in text output. `yesterday` alone is the same time of day
    yesterday; a weekday or a date alone is its beginning.
    """
    words = " ".join(text.lower().split())
    found = _elapsed(words, now) or _named(words, now)
    try:
        found = found or datetime.fromisoformat(text.strip()).astimezone()
        return round(found.timestamp() * 1000)
    except (ValueError, OverflowError, OSError):
        return None


def _elapsed(words: str, now: datetime) -> datetime | None:
    if words == "now":
        return now
    short = _SHORT.fullmatch(words)
    ago = _AGO.fullmatch(words)
    if short is not None:
        number, unit = int(short[1]), short[2]
    elif ago is not None:
        number, unit = int(ago[1]) if ago[1].isdigit() else 1, _WORDS.get(ago[2], ago[2])
    else:
        return None
    try:
        return now - number * _UNITS[unit]
    except OverflowError:
        return None


def _named(words: str, now: datetime) -> datetime | None:
    """A day by its name, with or without a time; or a time today, or yesterday if it is still to come today."""
    if words in {"yesterday", "last week"}:
        return now - timedelta(days=1 if words == "yesterday" else 7)
    if (own := _clock(words)) is not None:
        found = _on(now, 0, own)
        return found if found <= now else _on(now, 1, own)
    name, _, rest = words.removeprefix("last ").partition(" ")
    clock = _clock(rest.removeprefix("at ")) if rest else time()
    back = _days_back(name, now)
    if clock is None or back is None:
        return None
    found = _on(now, back, clock)
    is_week_ago = name in _DAYS and (found > now or (back == 0 and words.startswith("last ")))
    return _on(now, back + 7, clock) if is_week_ago else found


def _days_back(name: str, now: datetime) -> int | None:
    if name in _DAYS:
        return (now.weekday() - _DAYS.index(name)) % 7
    return {"today": 0, "yesterday": 1}.get(name)


def _on(now: datetime, days: int, clock: time) -> datetime:
    """A time on an earlier day, with the UTC offset of that day."""
    return datetime.combine((now - timedelta(days=days)).date(), clock).astimezone()


def _clock(text: str) -> time | None:
    found = _CLOCK.fullmatch(text)
    if found is None:
        return None
    hour, minute, second = int(found[1]), int(found[2]), int(found[3] or 0)
    return time(hour, minute, second) if hour < 24 and minute < 60 and second < 60 else None


SIZE: Final = TextParam("size", int, parse_size)
"""A number of bytes, with or without a unit."""
RATE: Final = TextParam("rate", int, parse_rate)
"""Bytes per second: 2M, 500k, 1.5MiB/s."""
WORKERS: Final = TextParam("workers", int, _workers)
"""A number of processes, or `auto` for one per processor that this process may use."""
FUTURE_TIME: Final = TextParam("time", int, _future_time)
"""A future time in epoch milliseconds: `2027-05-01`, `2027-05-01T12:30`, `7d` from now; 0 for `never`."""
PAST_TIME: Final = TextParam("time", int, _past_time)
"""A past time in epoch milliseconds: `yesterday 14:00`, `2 hours ago`, `tuesday`, `2024-05-01T12:30`, `7d`."""
PERIOD: Final = TextParam("period", timedelta, _period)
"""How long: `90d`, `12w`, `24h`, or `forever`."""
FILE: Final = click.Path(path_type=Path, dir_okay=False)
FOLDER: Final = click.Path(path_type=Path, file_okay=False)
EXISTING_FILE: Final = click.Path(path_type=Path, dir_okay=False, exists=True)
EXISTING_FOLDER: Final = click.Path(path_type=Path, file_okay=False, exists=True)


def shown_option(*names: str, **options: Any) -> Callable[[Command], Command]:
    """An option whose default is shown in the help."""
    return click.option(*names, show_default=True, **options)


def number_option(
    name: str, minimum: int, maximum: int | None = None, *, default: int, short: str | None = None, **options: Any
) -> Callable[[Command], Command]:
    """An option with a whole number between two bounds; its default is shown in the help."""
    names = (name,) if short is None else (short, name)
    return shown_option(*names, type=click.IntRange(minimum, maximum), default=default, **options)


def seconds_option(
    name: str, minimum: float, maximum: float, *, default: float, **options: Any
) -> Callable[[Command], Command]:
    """An option with a number of seconds between two bounds; its default is shown in the help."""
    return shown_option(name, type=click.FloatRange(minimum, maximum), default=default, metavar="SECONDS", **options)


limit_rate_option = click.option(
    "--limit-rate", type=RATE, help="Limit the total transfer rate in bytes per second, such as 2M or 500k."
)


def add_options(*options: Callable[[Any], Any]) -> Callable[[Command], Command]:
    """A decorator that adds several options, which the help lists in this order."""

    def decorate(command: Command) -> Command:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


def shared_rate_limit(rate: int | None) -> "RateLimit | None":
    """The rate limit that all transfers of a command share."""
    if rate is None:
        return None
    from skyshelf.client.engine.pacer import RateLimit

    return RateLimit(rate)

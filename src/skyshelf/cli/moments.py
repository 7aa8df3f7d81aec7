"""Moments as people write them: a day, a time, or how long ago."""

import re
import time
from datetime import datetime
from typing import Final

import click

_AGO: Final = re.compile(r"([0-9]{1,6})\s*([smhdw])", re.ASCII)
_SECONDS: Final = {"s": 1, "m": 60, "h": 3600, "d": 86400, "w": 7 * 86400}


class Until(click.ParamType[int]):
    """A moment that is still to come, in epoch milliseconds: 2027-05-01, 2027-05-01T12:30, 7d; 0 for `never`."""

    name = "time"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> int:
        if isinstance(value, int):
            return value
        text = str(value).strip()
        if text == "never":
            return 0
        ahead = _AGO.fullmatch(text)
        if ahead is not None:
            return round((time.time() + int(ahead[1]) * _SECONDS[ahead[2]]) * 1000)
        try:
            moment = round(datetime.fromisoformat(text).astimezone().timestamp() * 1000)
        except (ValueError, OverflowError, OSError):
            self.fail(f"'{value}' is no time: write it like 7d, 2027-05-01, 2027-05-01T12:30 or never", param, ctx)
        if moment <= time.time() * 1000:
            self.fail(f"'{value}' is over already", param, ctx)
        return moment


class Moment(click.ParamType[int]):
    """A moment in epoch milliseconds: 2024-05-01, 2024-05-01T12:30, 7d."""

    name = "time"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> int:
        if isinstance(value, int):
            return value
        text = str(value).strip()
        ago = _AGO.fullmatch(text)
        if ago is not None:
            return round((time.time() - int(ago[1]) * _SECONDS[ago[2]]) * 1000)
        try:
            # Without an offset it is a time of this machine, as everything that is shown to people.
            return round(datetime.fromisoformat(text).astimezone().timestamp() * 1000)
        except (ValueError, OverflowError, OSError):
            self.fail(f"'{value}' is no time: write it like 2024-05-01, 2024-05-01T12:30 or 7d", param, ctx)

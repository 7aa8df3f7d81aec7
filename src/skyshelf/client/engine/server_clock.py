"""The time of the server, as its responses show it: a second opinion for what is deleted by its age."""

import time
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from email.utils import parsedate_to_datetime


class ServerClock:
    """What the last response with a date said, and how long that was ago."""

    def __init__(self, elapsed: Callable[[], float] = time.monotonic) -> None:
        self._elapsed = elapsed
        self._noted: tuple[str, float] | None = None

    def note(self, headers: Mapping[str, str]) -> None:
        """Note the date of a response; header names are in lower case."""
        date = headers.get("date")
        if date is not None:
            self._noted = date, self._elapsed()

    def now(self) -> datetime | None:
        """Return the time of the server; None if it has not shown any."""
        if self._noted is None:
            return None
        date, noted = self._noted
        try:
            return (parsedate_to_datetime(date) + timedelta(seconds=self._elapsed() - noted)).astimezone()
        except (ValueError, OverflowError, OSError):
            return None


def both_clocks(here: datetime, there: datetime | None) -> tuple[datetime, datetime]:
    """Return the earlier and the later of two clocks, of which one may be wrong.

    What is kept for some days is filed by the later one and expires by the earlier one: so one wrong clock, or one that
    is right again, makes nothing expire early.
    """
    there = here if there is None else there.astimezone(here.tzinfo)
    return min(here, there), max(here, there)

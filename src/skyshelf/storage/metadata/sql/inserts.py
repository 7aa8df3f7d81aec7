"""The parts of an INSERT that is written for one row, for whoever makes one for many rows of it."""

import re
from typing import Final

PARAMETER: Final = re.compile(r"(?<!:):([a-z_]\w*)")
"""`:name`, and not a `::cast`."""
_INSERT: Final = re.compile(
    r"(?P<into>(?:INSERT|REPLACE) INTO .+?) VALUES \((?P<values>.+?)\)(?P<rest> ON CONFLICT .+)?"
)


def parts_of(text: str) -> tuple[str, str, str]:
    """Where it goes to, the values of the row, and what follows them."""
    matched = _INSERT.fullmatch(text)
    assert matched is not None, "only an INSERT of VALUES can have many rows"
    return matched["into"], matched["values"], matched["rest"] or ""

"""The tools, one file per family; the catalogue puts them in order."""

from collections.abc import Sequence
from typing import Final

# How a question to the user names things: a few names in quotes, short enough to be read before the answer.

_NAMED_MAX: Final = 10
_NAME_CHARS_MAX: Final = 80


def quoted(name: str) -> str:
    """A name, marked as one: what others called their file must not read like words of ours."""
    short = name if len(name) <= _NAME_CHARS_MAX else f"{name[:_NAME_CHARS_MAX]}…"
    return "«" + short.replace("«", "‹").replace("»", "›") + "»"


def listed(names: Sequence[str]) -> str:
    """Some names, and how many more there are."""
    shown = ", ".join(quoted(name) for name in names[:_NAMED_MAX])
    more = len(names) - _NAMED_MAX
    return f"{shown} and {more} more" if more > 0 else shown

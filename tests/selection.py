"""Which tests a run takes.

| run | takes |
|---|---|
| `./dev test` | what needs nothing but Python, on SQLite and disk; on PostgreSQL and S3 what is marked `backend` |
| `./dev test --all` | everything; a missing program fails its tests |
| `./dev test --changed` | of the first, what the changes since the main branch can reach |
| `./dev test tests/web` | everything in the folders or files that are named |

A test that `./dev test` leaves out, or whose program is missing, is counted in the run's summary.
"""

from collections import Counter
from collections.abc import Iterable
from enum import StrEnum
from pathlib import Path
from typing import Final

import pytest
from tests.real_parts.programs import ROOT, how_to_get, name_in

_TESTS: Final = Path(__file__).parent

LEFT_FOLDERS: Final = {
    "attacks": "attacks on a running server",
    "crash": "crashes, failing disks and power cuts",
    "end_to_end": "flows through running servers",
    "web": "flows in a browser",
}
"""Folders that are left for a whole run, but for tests marked `plain`."""
ON_OTHER_STORES: Final = "tests on PostgreSQL or S3 that also run on SQLite or disk"
LONG: Final = "tests that take long"
_OTHER_STORES: Final = {"postgres", "s3", "postgres+s3"}

MARKERS: Final = (
    "whole: left for `./dev test --all`, because it takes long",
    "plain: runs in `./dev test`, although its folder is left for `--all`",
    "backend: runs on PostgreSQL and S3 in `./dev test`, too, because the stores differ in what it tests",
    "program(*names): runs programs of others, which are listed in tests/real_parts/programs.py",
)


class Selection(StrEnum):
    """What a run takes of the tests that it finds."""

    PLAIN = "plain"
    WHOLE = "whole"
    NAMED = "named"


def reason_to_leave(item: pytest.Item) -> str | None:
    """Return why a plain run leaves a test out, in words that follow a number; None if it runs."""
    if item.get_closest_marker("whole"):
        return _with_programs(item) or LONG
    folder = item.path.relative_to(_TESTS).parts[0]
    if folder in LEFT_FOLDERS and not any(map(item.get_closest_marker, ("plain", "every_stack"))):
        return _with_programs(item) or LEFT_FOLDERS[folder]
    if _is_on_other_stores(item) and not item.get_closest_marker("backend"):
        return ON_OTHER_STORES
    return None


def _with_programs(item: pytest.Item) -> str | None:
    names = programs_of(item)
    return need(names[0]) if names else None


def programs_of(item: pytest.Item) -> list[str]:
    """Return the programs that a test is marked with."""
    return [name for mark in item.iter_markers("program") for name in mark.args]


def _is_on_other_stores(item: pytest.Item) -> bool:
    parameters = item.callspec.params if isinstance(item, pytest.Function) and hasattr(item, "callspec") else {}
    return any(
        value in _OTHER_STORES
        for name, value in parameters.items()
        if isinstance(value, str) and name.endswith(("backend", "stack"))
    )


def need(name: str) -> str:
    """Return the line of a program's tests, in words that follow a number."""
    again = "" if name == ROOT else ", or ./dev test --all"
    return f"tests need {name}: {how_to_get(name)}{again}"


def lines_of_left(left: Counter[str], skipped: Iterable[str]) -> list[str]:
    """Return the lines of a run's summary about what it did not run, given the reasons of its skipped tests."""
    counted = Counter(left)
    for reason in skipped:
        name = name_in(reason)
        counted[need(name) if name else reason.lower()] += 1
    if not counted:
        return []
    ordered = sorted(counted.items(), key=lambda one: (one[0].startswith("tests need"), -one[1]))
    lines = [f"  {number:,} {_one(words) if number == 1 else words}" for words, number in ordered]
    return [f"not run: {sum(counted.values()):,}, and ./dev test --all runs everything" if left else "not run:", *lines]


def _one(words: str) -> str:
    return words.replace("tests need", "test needs", 1).replace("tests that take", "test that takes", 1)

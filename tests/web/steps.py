"""A person's hands: what they do in the browser is counted in steps.

A step is a click, a tap, a drag, a key or shortcut, a field that is filled in, or a choice in the system's file dialog.
Looking and waiting are none. docs/web.md has the table.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from playwright.sync_api import FilePayload, Locator, Page

_TABLE = re.compile(r"^\| (\d+) \| ([^|]+) \| (\d+) \| ([^|]+) \| ([^|]+) \|$", re.MULTILINE)
_WEB = Path(__file__).parents[2] / "docs" / "web.md"


@dataclass(frozen=True)
class Counted:
    """A row of the table: the steps here, and in other products; None if they cannot do it."""

    name: str
    here: int
    google: int | None
    immich: int | None


@cache
def table() -> dict[int, Counted]:
    def number(cell: str) -> int | None:
        found = re.match(r"\d+", cell)
        return int(found[0]) if found else None

    text = _WEB.read_text()
    return {
        int(task): Counted(name, int(here), number(google), number(immich))
        for task, name, here, google, immich in _TABLE.findall(text)
    }


class Hands:
    def __init__(self, page: Page) -> None:
        self.page = page
        self.steps = 0

    def click(self, wanted: Locator) -> None:
        self.steps += 1
        wanted.click()

    def open(self, wanted: Locator) -> None:
        """A double click opens; people count it as one."""
        self.steps += 1
        wanted.dblclick()

    def tap(self, wanted: Locator) -> None:
        self.steps += 1
        wanted.tap()

    def menu(self, wanted: Locator) -> None:
        self.steps += 1
        wanted.click(button="right")

    def fill(self, field: Locator, text: str) -> None:
        self.steps += 1
        field.fill(text)

    def type(self, text: str) -> None:
        """Into what has the focus."""
        self.steps += 1
        self.page.keyboard.type(text)

    def press(self, key: str) -> None:
        self.steps += 1
        self.page.keyboard.press(key)

    def choose(self, opener: Locator, files: Path | Sequence[Path] | FilePayload, *, tapped: bool = False) -> None:
        """Two steps: what opens the system's dialog, and the choice there."""
        self.steps += 2
        with self.page.expect_file_chooser() as choosing:
            if tapped:
                opener.tap()
            else:
                opener.click()
        choosing.value.set_files(files)

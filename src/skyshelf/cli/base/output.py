"""Where commands print: data alone on stdout, everything else on stderr; one place for tables, JSON and colour."""

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final, Literal, TypeVar

import click

from skyshelf.cli.base.text import visible, width

Form = Literal["text", "json", "jsonl"]
Colors = Literal["auto", "always", "never"]
Thing = TypeVar("Thing")

BAR_COLUMNS: Final = 24
_STYLES: Final = {
    "folder": {"fg": "blue", "bold": True},
    "faint": {"dim": True},
    "good": {"fg": "green"},
    "bad": {"fg": "red", "bold": True},
}
Style = Literal["folder", "faint", "good", "bad"]


class Output:
    """What one command says, in the form that it was asked for."""

    def __init__(self, *, form: Form = "text", quiet: bool = False, colors: Colors = "auto") -> None:
        self.form = form
        self.quiet = quiet
        self._colors = colors
        self.is_terminal = sys.stdout.isatty()

    def many(
        self,
        found: Iterable[Thing],
        record: Callable[[Thing], object],
        lines: Callable[[Iterable[Thing]], Iterable[str]],
        *,
        none: str | None = None,
    ) -> None:
        """Any number of things: an array, a stream of lines with one document each, or lines for people.

        Whoever sits at a terminal is told `none` where there are none: an empty answer looks as if something broke.
        """
        if self.form == "jsonl":
            for each in found:
                self._document(record(each), indent=0)
        elif self.form == "json":
            self._document([record(each) for each in found], indent=2)
        elif not self.lines(lines(found)) and none is not None and self.is_terminal:
            self.note(none)

    def one(self, record: object, lines: Iterable[str] = ()) -> None:
        """One thing: one document, or lines for people."""
        if self.form == "text":
            self.lines(lines)
        else:
            self._document(record, indent=2 if self.form == "json" else 0)

    def lines(self, lines: Iterable[str]) -> int:
        """Lines for people, or for the next program of a pipe; how many there were."""
        count = 0
        for count, line in enumerate(lines, 1):  # noqa: B007 - the last number is the answer
            click.echo(line, color=self._color_of(self.is_terminal))
        return count

    def note(self, sentence: str) -> None:
        """Something good to know, which is no data."""
        if not self.quiet:
            click.echo(visible(sentence), err=True)

    def problem(self, sentence: str) -> None:
        """Something that went wrong; said also when it should be quiet."""
        click.echo(f"skyshelf: {visible(sentence)}", err=True)

    def styled(self, text: str, style: Style) -> str:
        """The text in colour; the colour is taken away again where nobody can see it."""
        return click.style(text, **_STYLES[style])  # type: ignore[arg-type]

    def name(self, name: str, *, is_folder: bool) -> str:
        """The name of an object for people: visible, and a folder looks like one."""
        shown = visible(name)
        return self.styled(shown + "/", "folder") if is_folder else shown

    def _color_of(self, is_terminal: bool) -> bool:
        if self._colors != "auto":
            return self._colors == "always"
        return is_terminal and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"

    def _document(self, record: object, *, indent: int) -> None:
        import msgspec

        encoded = msgspec.json.encode(record)
        click.echo((msgspec.json.format(encoded, indent=indent) if indent else encoded).decode())


def table(rows: Iterable[Sequence[str]], *, right: frozenset[int] = frozenset()) -> Iterator[str]:
    """Rows with their columns aligned; colours take no room."""
    cells = [list(row) for row in rows]
    if not cells:
        return
    widths = [max(width(click.unstyle(row[column])) for row in cells) for column in range(len(cells[0]))]
    for row in cells:
        padded = [
            " " * room + cell if column in right else cell + " " * room
            for column, (cell, room) in enumerate(
                (cell, widths[column] - width(click.unstyle(cell))) for column, cell in enumerate(row)
            )
        ]
        yield "  ".join(padded).rstrip()


def bar(part: float, *, columns: int = BAR_COLUMNS) -> str:
    """How much of something, as a bar; something is never shown as nothing."""
    part = min(max(part, 0.0), 1.0)
    filled = max(1, round(part * columns)) if part > 0 else 0
    return "█" * filled + "░" * (columns - filled)

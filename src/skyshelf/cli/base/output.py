"""Output of commands: data on stdout, everything else on stderr; tables, JSON and colour in one place."""

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final, Literal, TypeVar

import click

from skyshelf.cli.base.errors import CommandFailed
from skyshelf.cli.base.text import safe_json, safe_line, visible, width
from skyshelf.wire.client_errors import SERVER_ERROR
from skyshelf.wire.limits import CLIENT_LISTED_OBJECTS_MAX

Form = Literal["text", "json", "jsonl"]
Colors = Literal["auto", "always", "never"]
Item = TypeVar("Item")
Row = tuple[str, ...]

BAR_COLUMNS: Final = 24
_KEPT_SHARE: Final = 10
_PRINT_HINT: Final = "print them with --jsonl, which shows each one as it arrives"


class Output:
    """Prints the output of one command as text, JSON or JSON lines."""

    def __init__(self, *, form: Form = "text", quiet: bool = False, colors: Colors = "auto") -> None:
        self.form = form
        self.quiet = quiet
        self._colors = colors
        self.is_terminal = sys.stdout.isatty()

    def records(
        self,
        found: Iterable[Item],
        record: Callable[[Item], object],
        lines: Callable[[Iterable[Item]], Iterable[str]],
        *,
        empty: str | None = None,
    ) -> None:
        """Print any number of items: a JSON array, one JSON document per line, or lines of text.

        On a terminal, `empty` is printed if there are none: no output at all would look like a failure.
        """
        if self.form == "jsonl":
            for item in found:
                self._document(record(item), indent=0)
        elif self.form == "json":
            self._document([record(item) for item in kept(found)], indent=2)
        elif not self.lines(lines(found)) and empty is not None and self.is_terminal:
            self.note(empty)

    def rows(
        self,
        found: Iterable[Item],
        record: Callable[[Item], object],
        row: Callable[[Item], Row],
        *,
        right: Iterable[int] = (),
        empty: str | None = None,
    ) -> None:
        """Print any number of items, as text in a table; the numbers in `right` name columns aligned to the right."""
        self.records(found, record, lambda items: table(map(row, items), right=right), empty=empty)

    def record(self, record: object, lines: Iterable[str] = ()) -> None:
        """Print one item: one JSON document, or lines of text."""
        if self.form == "text":
            self.lines(lines)
        else:
            self._document(record, indent=2 if self.form == "json" else 0)

    def lines(self, lines: Iterable[str]) -> int:
        """Print lines of text, and return how many there were."""
        count = 0
        for count, line in enumerate(lines, 1):  # noqa: B007 - the last number is the result
            click.echo(safe_line(line), color=self._color_of(self.is_terminal))
        return count

    def note(self, sentence: str) -> None:
        """Print a message that is not data, unless --quiet."""
        if not self.quiet:
            click.echo(safe_line(visible(sentence)), err=True)

    def problem(self, sentence: str) -> None:
        """Print an error, even with --quiet."""
        click.echo(safe_line(f"skyshelf: {visible(sentence)}"), err=True)

    def name(self, name: str, *, is_folder: bool) -> str:
        """An item's name for display; a folder ends with a slash and is coloured, if the output supports it."""
        text = visible(name)
        return click.style(f"{text}/", fg="blue", bold=True) if is_folder else text

    def _color_of(self, is_terminal: bool) -> bool:
        if self._colors != "auto":
            return self._colors == "always"
        return is_terminal and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"

    def _document(self, record: object, *, indent: int) -> None:
        import msgspec

        encoded = safe_json(record)
        click.echo((msgspec.json.format(encoded, indent=indent) if indent else encoded).decode())


def table(rows: Iterable[Sequence[str]], *, right: Iterable[int] = ()) -> Iterator[str]:
    """Rows with aligned columns; colour codes have no width."""
    cells = [list(row) for row in kept(rows)]
    if not cells:
        return
    widths = [max(width(click.unstyle(row[column])) for row in cells) for column in range(len(cells[0]))]
    for row in cells:
        padded = [
            " " * padding + cell if column in right else cell + " " * padding
            for column, (cell, padding) in enumerate(
                (cell, widths[column] - width(click.unstyle(cell))) for column, cell in enumerate(row)
            )
        ]
        yield "  ".join(padded).rstrip()


def bar(part: float, *, columns: int = BAR_COLUMNS) -> str:
    """A bar for a fraction; any non-zero fraction fills at least one column."""
    part = min(max(part, 0.0), 1.0)
    filled = max(1, round(part * columns)) if part > 0 else 0
    return "█" * filled + "░" * (columns - filled)


def listed_max() -> int:
    """How many items a listing may have."""
    given = os.environ.get("SKYSHELF_MAX_OBJECTS", "")
    return int(given) if given.isascii() and given.isdigit() else CLIENT_LISTED_OBJECTS_MAX


def kept(found: Iterable[Item], hint: str = _PRINT_HINT) -> Iterator[Item]:
    """The items; more of them than fit into memory are an error that says what to do instead."""
    most = max(1, listed_max() // _KEPT_SHARE)
    for number, item in enumerate(found, 1):
        if number > most:
            raise CommandFailed(
                f"the server lists more than {most:,} items, too many to keep in memory: {hint}, or raise the limit"
                " with SKYSHELF_MAX_OBJECTS",
                SERVER_ERROR.exit_code,
            )
        yield item

"""The help of commands as data, so that showing it does not import what the command itself needs.

`help.json` is generated from the commands by `python -m docs.generate`. It has what click would ask a command for, and
lines are wrapped to the width of the terminal when they are shown.
"""

from pathlib import Path
from typing import Any, Final

import click

HELP_FILE: Final = Path(__file__).with_name("help.json")


class PreparedHelp(click.Command):
    """A command that only shows its help."""

    def __init__(self, title: str, entry: dict[str, Any]) -> None:
        super().__init__(title, help=entry["help"], epilog=entry["epilog"])
        self._usage: list[str] = entry["usage"]
        self._options: list[tuple[str, str]] = [(option, meaning) for option, meaning in entry["options"]]

    def collect_usage_pieces(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """What follows the name of the command."""
        return self._usage

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """The list of options."""
        with formatter.section("Options"):
            formatter.write_dl(self._options)


def prepared_help(words: list[str]) -> PreparedHelp | None:
    """The help of the command that these words name; None where the command has to be asked."""
    import json

    title = " ".join(words)
    try:
        entry = json.loads(HELP_FILE.read_text(encoding="utf-8")).get(title)
    except (OSError, ValueError):
        # A checkout may lack the file; the commands know the same.
        return None
    return None if entry is None else PreparedHelp(title, entry)


def help_entry(command: click.Command, context: click.Context) -> dict[str, Any]:
    """What the file says about a command."""
    options = [one for one in command.get_params(context) if isinstance(one, click.Option)]
    records = [option.get_help_record(context) for option in options]
    return {
        "usage": command.collect_usage_pieces(context),
        "help": command.help,
        "options": [record for record in records if record is not None],
        "epilog": command.epilog,
    }

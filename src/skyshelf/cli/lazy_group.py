"""A group of commands that imports each of them only when it is called."""

from collections.abc import Mapping
from importlib import import_module
from typing import Any, NamedTuple

import click


class SubCommand(NamedTuple):
    """Where a command is, and its line in the list of commands."""

    module: str
    name: str
    summary: str


class LazyGroup(click.Group):
    def __init__(self, *args: Any, commands_by_name: Mapping[str, SubCommand], **options: Any) -> None:
        super().__init__(*args, **options)
        self._lazy = commands_by_name

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*super().list_commands(ctx), *self._lazy]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        found = self._lazy.get(cmd_name)
        if found is None:
            return super().get_command(ctx, cmd_name)
        command: click.Command = getattr(import_module(found.module), found.name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """The list, from what is known without importing anything."""
        rows = [(name, command.summary) for name, command in self._lazy.items()]
        rows += [(name, command.get_short_help_str()) for name, command in self.commands.items()]
        with formatter.section("Commands"):
            formatter.write_dl(rows)

"""All commands, down to the leaves of every group."""

from collections.abc import Iterator

import click

from skyshelf.cli.main import COMMANDS, main


def all_commands() -> dict[str, click.Command]:
    """Every command that does something, by the words that one types."""
    context = click.Context(main)
    return {title: leaf for name in COMMANDS for title, leaf in _leaves(name, main.get_command(context, name))}


def _leaves(title: str, command: click.Command | None) -> Iterator[tuple[str, click.Command]]:
    assert command is not None, title
    if not isinstance(command, click.Group):
        yield title, command
        return
    context = click.Context(command)
    for name in command.list_commands(context):
        yield from _leaves(f"{title} {name}", command.get_command(context, name))

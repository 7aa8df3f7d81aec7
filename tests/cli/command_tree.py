"""All commands, down to the leaves of every group."""

from collections.abc import Iterator

import click

from skyshelf.cli.main import COMMANDS, main


def all_commands() -> dict[str, click.Command]:
    """Every command that does something, by the words that one types."""
    context = click.Context(main, help_option_names=["-h", "--help"])
    return {title: leaf for name in COMMANDS for title, leaf in _leaves(name, main.get_command(context, name))}


def all_groups() -> dict[str, click.Group]:
    """Every group below the command itself, by the words that one types."""
    context = click.Context(main, help_option_names=["-h", "--help"])
    return {title: one for name in COMMANDS for title, one in _groups(name, main.get_command(context, name))}


def _groups(title: str, command: click.Command | None) -> Iterator[tuple[str, click.Group]]:
    if isinstance(command, click.Group):
        yield title, command
        context = click.Context(command, help_option_names=["-h", "--help"])
        for name in command.list_commands(context):
            yield from _groups(f"{title} {name}", command.get_command(context, name))


def _leaves(title: str, command: click.Command | None) -> Iterator[tuple[str, click.Command]]:
    assert command is not None, title
    if not isinstance(command, click.Group):
        yield title, command
        return
    context = click.Context(command, help_option_names=["-h", "--help"])
    for name in command.list_commands(context):
        yield from _leaves(f"{title} {name}", command.get_command(context, name))

"""The command `skyshelf`. A subcommand is imported when it is used, so that help is quick."""

import click

from skyshelf.cli.lazy_group import LazyGroup, SubCommand

COMMANDS = {
    "serve": SubCommand("skyshelf.cli.serve", "serve", "Run the service on this machine."),
    "admin": SubCommand("skyshelf.cli.admin", "admin", "Look after the accounts and the store of a service."),
    "version": SubCommand("skyshelf.cli.version", "version", "Say which version this is."),
}


@click.command(cls=LazyGroup, commands_by_name=COMMANDS, context_settings={"help_option_names": ["-h", "--help"]})
def main() -> None:
    """Skyshelf: a cloud drive that people run themselves."""

"""Questions before what cannot be undone."""

import sys

import click

from skyshelf.cli.failures import CommandFailed
from skyshelf.wire.client_errors import EXIT_USAGE

yes_option = click.option("--yes", is_flag=True, help="Do not ask.")


def confirmed(question: str) -> None:
    """Ask before what cannot be undone; without a terminal, --yes has to say so."""
    if not sys.stdin.isatty():
        raise CommandFailed("this cannot be undone, and there is no terminal to ask: say --yes", EXIT_USAGE)
    if not click.confirm(question, err=True):
        raise CommandFailed("nothing was done")

"""Questions before what cannot be undone."""

import sys

import click

from skyshelf.cli.base.errors import CommandFailed
from skyshelf.wire.client_errors import EXIT_USAGE

yes_option = click.option("--yes", is_flag=True, help="Do not ask.")


def asked_password(what: str, *, from_stdin: bool, new: bool = False) -> str:
    """A password, from a terminal or as one line of standard input; the end of the line is not part of it."""
    if from_stdin:
        return sys.stdin.readline().rstrip("\r\n")
    if not sys.stdin.isatty():
        raise CommandFailed("there is no terminal to ask for the password: give it with --password-stdin", EXIT_USAGE)
    password: str = click.prompt(what, hide_input=True, confirmation_prompt=new, err=True)
    return password


def asked_code(what: str = "Code of the second factor", *, from_stdin: bool) -> str:
    """A code of the second factor, from a terminal or as one line of standard input."""
    if from_stdin:
        return sys.stdin.readline().strip()
    code: str = click.prompt(what, err=True)
    return code.strip()


def confirmed(question: str) -> None:
    """Ask before what cannot be undone; without a terminal, --yes has to say so."""
    if not sys.stdin.isatty():
        raise CommandFailed("this cannot be undone, and there is no terminal to ask: say --yes", EXIT_USAGE)
    if not click.confirm(question, err=True):
        raise CommandFailed("nothing was done")

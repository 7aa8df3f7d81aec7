"""Prompts for passwords, codes and confirmation."""

import sys
from typing import TYPE_CHECKING

import click

from skyshelf.cli.base.errors import CommandFailed, UsageProblem
from skyshelf.cli.base.text import safe_line, visible
from skyshelf.client.secrets import HELD
from skyshelf.wire.client_errors import EXIT_USAGE

if TYPE_CHECKING:
    from skyshelf.cli.base.session import CommandSession

password_stdin_option = click.option(
    "--password-stdin",
    is_flag=True,
    help="Read the password and, if the second factor is on, a code from standard input, one per line.",
)
yes_option = click.option("--yes", is_flag=True, help="Do not ask for confirmation.")


def read_password(prompt: str, *, from_stdin: bool, new: bool = False, exit_code: int = EXIT_USAGE) -> str:
    """A password, from a terminal or as one line of standard input without its line ending."""
    if from_stdin:
        return _held(sys.stdin.readline().rstrip("\r\n"))
    if not sys.stdin.isatty():
        raise CommandFailed("no terminal to ask for the password: pass it with --password-stdin", exit_code)
    password: str = click.prompt(prompt, hide_input=True, confirmation_prompt=new, err=True)
    return _held(password)


def read_code(prompt: str = "Second-factor code", *, from_stdin: bool) -> str:
    """A second-factor code, from a terminal or as one line of standard input."""
    if from_stdin:
        return _held(sys.stdin.readline().strip())
    code: str = click.prompt(prompt, err=True)
    return _held(code.strip())


def read_confirmation(session: "CommandSession", *, from_stdin: bool) -> tuple[str, str | None]:
    """The password and, if the second factor is on, a code, for calls that need more than a session."""
    password = read_password("Your password", from_stdin=from_stdin)
    return password, read_code(from_stdin=from_stdin) if session.client.second_factor.status().is_on else None


def _held(secret: str) -> str:
    """Hide the secret in all later output of this process, and return it."""
    HELD.add((secret,))
    return secret


def confirm(question: str, *, yes: bool = False, is_required: bool = True) -> None:
    """Ask before an action, unless --yes was given.

    Without a terminal, --yes is required for an action that cannot be undone; others go on.
    """
    if yes:
        return
    if not sys.stdin.isatty():
        if not is_required:
            return
        raise UsageProblem("this cannot be undone, and there is no terminal to ask: confirm with --yes")
    if not click.confirm(safe_line(visible(question)), err=True):
        raise CommandFailed("cancelled; nothing was changed")

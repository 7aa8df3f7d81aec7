"""How commands end that look for damage: monitoring must tell health, damage and no check apart."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import click

from skyshelf.cli.admin.stores import print_result
from skyshelf.cli.base.errors import CommandFailed, show_traceback

DAMAGE: Final = 1
NOT_CHECKED: Final = 2


@contextmanager
def not_checked_on_errors(*, as_json: bool, debug: bool) -> Iterator[None]:
    """Whatever prevents a check is no finding: it ends the command with NOT_CHECKED."""
    try:
        yield
    except (click.Abort, click.UsageError, BrokenPipeError):
        raise
    except Exception as problem:
        if debug:
            show_traceback(problem)
        sentence = _sentence(problem)
        if as_json:
            print_result(True, {"outcome": "not checked", "passed": False, "error": sentence}, "")
        raise CommandFailed(f"not checked: {sentence}", NOT_CHECKED) from problem


def _sentence(problem: Exception) -> str:
    from skyshelf.storage.errors import StorageError

    if isinstance(problem, CommandFailed | StorageError):
        return str(getattr(problem, "message", None) or problem)
    return f"unexpected error ({type(problem).__name__}: {problem}): run the command again with --debug"

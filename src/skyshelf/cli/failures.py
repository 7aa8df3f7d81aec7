"""How a command that cannot go on ends: one sentence and an exit code, no traceback unless it is asked for."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Any

import click


class CommandFailed(click.ClickException):
    """The command ends here; the message is a sentence for whoever typed it."""

    def show(self, file: IO[Any] | None = None) -> None:
        click.echo(f"skyshelf: {self.message}", file=file, err=True)


@contextmanager
def one_sentence(*kinds: type[Exception], debug: bool) -> Iterator[None]:
    """Turn these errors into one sentence on stderr; with debug they come as they are."""
    try:
        yield
    except kinds as problem:
        if debug:
            raise
        raise CommandFailed(getattr(problem, "message", None) or str(problem)) from problem

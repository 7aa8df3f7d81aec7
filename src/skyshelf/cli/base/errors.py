"""How a command that cannot go on ends: one sentence and an exit code, no traceback unless it is asked for."""

from collections.abc import Iterator
from contextlib import contextmanager
from math import ceil
from typing import IO, TYPE_CHECKING, Any, Final

import click

if TYPE_CHECKING:
    from skyshelf.client.errors import SkyshelfError

_A_MINUTE: Final = 60


class CommandFailed(click.ClickException):
    """The command ends here; the message is a sentence for whoever typed it."""

    def __init__(self, message: str, exit_code: int = 1) -> None:
        super().__init__(message)
        # The library reads it from the instance, although it declares it for the class.
        self.exit_code = exit_code  # type: ignore[misc]

    def show(self, file: IO[Any] | None = None) -> None:
        from skyshelf.cli.base.text import visible

        # Names from a server may be part of it.
        shown = "\n".join(map(visible, self.message.split("\n")))
        click.echo(f"skyshelf: {shown}", file=file, err=True)


@contextmanager
def one_sentence(*kinds: type[Exception], debug: bool) -> Iterator[None]:
    """Turn these errors into one sentence on stderr; with debug they come as they are."""
    try:
        yield
    except kinds as problem:
        if debug:
            raise
        raise CommandFailed(getattr(problem, "message", None) or str(problem)) from problem


@contextmanager
def errors_of_the_client(*, debug: bool) -> Iterator[None]:
    """Turn what the client raises into a sentence with what to do next, and the exit code of the one error table."""
    from skyshelf.client.errors import SkyshelfError

    try:
        yield
    except (click.ClickException, click.exceptions.Exit, click.Abort, BrokenPipeError):
        raise
    except SkyshelfError as problem:
        if debug:
            raise
        raise CommandFailed(sentence_for(problem), problem.exit_code) from problem
    except Exception as problem:
        if debug:
            raise
        what = f"{type(problem).__name__}: {problem}" if str(problem) else type(problem).__name__
        raise CommandFailed(
            f"something happened that should not ({what}): the same command with --debug shows where"
        ) from problem


def sentence_for(problem: "SkyshelfError") -> str:
    """What is the matter, and what to do next."""
    next_step = _next_step(problem)
    told = _told(problem).rstrip(".")
    return f"{told}. {next_step[0].upper()}{next_step[1:].rstrip('.')}." if next_step else told


def _spoken(seconds: float) -> str:
    """A wait, rounded up, in the largest unit of which there are two."""
    for unit, length in (("days", 86_400), ("hours", 3600)):
        if seconds > length:
            return f"{ceil(seconds / length):,} {unit}"
    return f"{ceil(seconds / _A_MINUTE)} minutes"


def _told(problem: "SkyshelfError") -> str:
    from skyshelf.client.objects.outcomes import UnprocessedError

    if isinstance(problem, UnprocessedError) and len(problem.outcomes) == 1:
        # Whoever named one object knows which it is; its key would tell them nothing.
        return problem.outcomes[0].reason
    return problem.message


def _next_step(problem: "SkyshelfError") -> str | None:
    from skyshelf.client import errors

    by_kind: tuple[tuple[type[Exception], str], ...] = (
        (errors.AuthenticationError, "log in with `skyshelf login`"),
        (errors.NotOfferedError, "this server cannot do it; another one may"),
        (errors.ObjectNotFoundError, "`skyshelf ls` shows what is there"),
        (errors.DestinationExistsError, "name another place, or allow it with --overwrite"),
        (errors.QuotaExceededError, "`skyshelf du` shows what takes the room, and what is in the trash counts too"),
        (errors.ForbiddenError, "ask whoever runs the server"),
        (errors.RateLimitError, "wait a minute and try again"),
        (errors.NetworkError, "check the connection and the address of the server, and try again"),
        (errors.ServerError, "try again later, or ask whoever runs the server"),
        (errors.IntegrityError, "try again; if it stays so, the file is damaged on the server"),
    )
    found = next((step for kind, step in by_kind if isinstance(problem, kind)), None)
    if isinstance(problem, errors.RateLimitError) and problem.retry_after and problem.retry_after > _A_MINUTE:
        return f"wait {_spoken(problem.retry_after)} and try again"
    if found is None and isinstance(problem, errors.RequestFailedError):
        return problem.advice
    if (
        isinstance(problem, errors.RequestFailedError)
        and problem.request_id
        and isinstance(problem, errors.ServerError)
    ):
        return f"{found} (request {problem.request_id})"
    return found

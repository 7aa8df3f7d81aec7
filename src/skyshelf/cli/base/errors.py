"""How a failing command ends: one sentence and an exit code, and a traceback only with --debug."""

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from math import ceil
from typing import IO, TYPE_CHECKING, Any, Final

import click

from skyshelf.wire.client_errors import CONFLICT_ERROR, EXIT_USAGE, INVALID_REQUEST_ERROR, OBJECT_NOT_FOUND_ERROR

if TYPE_CHECKING:
    from skyshelf.client.errors import SkyshelfError

_MINUTE_SECONDS: Final = 60
_NO_ROOM: Final = {errno.ENOSPC, errno.EDQUOT}
_IF_FULL: Final = (
    ": free some space there, or choose another disk; on that of a server, `skyshelf admin quarantine empty` frees some"
)


class CommandFailed(click.ClickException):
    """Ends the command; the message is a sentence that says what to do next."""

    default_exit_code = 1

    def __init__(self, message: str, exit_code: int | None = None) -> None:
        super().__init__(message)
        # The library reads it from the instance, although it declares it for the class.
        self.exit_code = self.default_exit_code if exit_code is None else exit_code  # type: ignore[misc]

    def show(self, file: IO[Any] | None = None) -> None:
        from skyshelf.cli.base.text import safe_line, visible

        # The message may contain names from a server, which must not be able to add a line.
        click.echo(safe_line(f"skyshelf: {visible(self.message)}"), file=file, err=True)


class UsageProblem(CommandFailed):
    """The arguments cannot be used as they are."""

    default_exit_code = EXIT_USAGE


class NotFound(CommandFailed):
    """Something that an argument names does not exist."""

    default_exit_code = OBJECT_NOT_FOUND_ERROR.exit_code


class Conflict(CommandFailed):
    """Something else has the name, or several things have it."""

    default_exit_code = CONFLICT_ERROR.exit_code


class InvalidRequest(CommandFailed):
    """The request makes no sense for what it names, such as a file instead of a folder."""

    default_exit_code = INVALID_REQUEST_ERROR.exit_code


def sentence_of(error: BaseException) -> str:
    """Return what an error says; its type if it says nothing."""
    return getattr(error, "message", None) or str(error) or type(error).__name__


@contextmanager
def report_errors(*kinds: type[Exception], debug: bool) -> Iterator[None]:
    """Turn these errors into one sentence on stderr; with `debug` they are raised unchanged."""
    try:
        yield
    except kinds as error:
        if debug:
            raise
        text = sentence_of(error)
        if getattr(error, "errno", None) in _NO_ROOM:
            if isinstance(error, OSError):
                text = f"no space left for {error.filename}" if error.filename else "a disk of this machine is full"
            text += _IF_FULL
        elif isinstance(error, OSError) and error.filename and error.strerror:
            text = f"{error.filename} cannot be used: {error.strerror}. Look at the path, its disk and its permissions"
        raise CommandFailed(text) from error


@contextmanager
def report_client_errors(*, debug: bool) -> Iterator[None]:
    """Turn the client's errors into a sentence with the next step, and the exit code of the error table."""
    from skyshelf.client.errors import SkyshelfError

    try:
        yield
    except (click.ClickException, click.exceptions.Exit, click.Abort, BrokenPipeError):
        raise
    except SkyshelfError as error:
        if debug:
            show_traceback(error)
        raise CommandFailed(describe_error(error), error.exit_code) from error
    except Exception as error:
        if debug:
            show_traceback(error)
        details = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        raise CommandFailed(f"unexpected error ({details}): run the command again with --debug for details") from error


def show_traceback(error: BaseException) -> None:
    """Print the traceback on stderr; like all output, without secrets and terminal control characters."""
    import traceback

    from skyshelf.cli.base.text import safe_line, visible

    for line in "".join(traceback.format_exception(error)).splitlines():
        click.echo(safe_line(visible(line)), err=True)


def describe_error(error: "SkyshelfError") -> str:
    """What went wrong, and what to do next."""
    next_step = _next_step(error)
    description = _description(error).removesuffix(".")
    if not next_step:
        return description
    end = "" if next_step.endswith(".") else "."
    return f"{description}. {next_step[0].upper()}{next_step[1:]}{end}"


def _format_wait(seconds: float) -> str:
    """A duration, rounded up, in the largest unit of which there is more than one."""
    for unit, length in (("days", 86_400), ("hours", 3600)):
        if seconds > length:
            return f"{ceil(seconds / length):,} {unit}"
    return f"{ceil(seconds / _MINUTE_SECONDS)} minutes"


def _description(error: "SkyshelfError") -> str:
    from skyshelf.client.objects.outcomes import UnprocessedError

    if isinstance(error, UnprocessedError) and len(error.outcomes) == 1:
        # The user named that one item; its key would add nothing.
        return error.outcomes[0].reason
    return error.message


def _next_step(error: "SkyshelfError") -> str | None:
    from skyshelf.client import errors
    from skyshelf.wire.error_codes import OBJECT_NOT_FOUND

    by_kind: tuple[tuple[type[Exception], str], ...] = (
        (errors.AuthenticationError, "log in with `skyshelf login`"),
        (errors.NotOfferedError, "this server does not support it; another one may"),
        (errors.ObjectNotFoundError, "list existing items with `skyshelf ls`"),
        (errors.DestinationExistsError, "choose another destination, or replace it with --overwrite"),
        (errors.QuotaExceededError, "`skyshelf du` shows disk usage by folder; the trash counts too"),
        (errors.SessionPausedError, "see what it did with `skyshelf alarms list`, then allow it or end its session"),
        (errors.ForbiddenError, "ask the server's operator"),
        (errors.RateLimitError, "wait a minute and try again"),
        (errors.NetworkError, "check the connection and the server's address, and try again"),
        (errors.ReadOnlyError, "reading and downloading work; try again later"),
        (errors.ServerError, "try again later, or ask the server's operator"),
        (errors.UnverifiedFileError, "`skyshelf get --allow-unverified` downloads it all the same"),
        (errors.IntegrityError, "try again; if it keeps failing, the file is damaged on the server"),
    )
    found = next((step for kind, step in by_kind if isinstance(error, kind)), None)
    if type(error) is errors.ObjectNotFoundError and error.code not in {None, OBJECT_NOT_FOUND.code}:
        # A link, an invitation or a thumbnail: `ls` would not help.
        return error.advice
    if isinstance(error, errors.RateLimitError) and error.retry_after and error.retry_after > _MINUTE_SECONDS:
        return f"wait {_format_wait(error.retry_after)} and try again"
    if found is None and isinstance(error, errors.RequestFailedError):
        return error.advice
    if isinstance(error, errors.RequestFailedError) and error.request_id and isinstance(error, errors.ServerError):
        return f"{found} (request {error.request_id})"
    return found

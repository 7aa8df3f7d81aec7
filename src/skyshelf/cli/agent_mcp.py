"""`skyshelf agent mcp`: what a person types, turned into a server; the library is an extra, and may not be there."""

import os
import secrets
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Final

import click

from skyshelf.cli.failures import CommandFailed
from skyshelf.wire.client_errors import EXIT_USAGE

if TYPE_CHECKING:
    from skyshelf.agent.dispatcher import Dispatcher
    from skyshelf.agent.mcp.confirmation import Consent

TOKEN_VARIABLE: Final = "SKYSHELF_MCP_TOKEN"  # noqa: S105 - the name of a variable
TOKEN_CHARS_MIN: Final = 16
_MISSING: Final = "`skyshelf agent mcp` needs a library that is not installed: pip install 'skyshelf[mcp]'"
_LIBRARY: Final = frozenset({"mcp", "mcp_types", "uvicorn", "anyio", "pydantic", "starlette"})


@contextmanager
def _library() -> Iterator[None]:
    try:
        yield
    except ModuleNotFoundError as missing:
        if (missing.name or "").partition(".")[0] not in _LIBRARY:
            raise
        raise CommandFailed(_MISSING, EXIT_USAGE) from None


def serve_over_stdio(dispatcher: "Dispatcher", open_answers: Callable[[], BinaryIO], consent: "Consent") -> int:
    """Serve the host that started us; the exit code."""
    with _library():
        from skyshelf.agent.mcp.stdio import serve
    # A reader of our own: at its end, Python waits in vain for a standard input that a thread still reads.
    lines = os.fdopen(os.dup(sys.stdin.fileno()), "rb")
    return serve(dispatcher, lines, open_answers(), consent=consent)


def serve_over_http(
    dispatcher: "Dispatcher",
    address: str,
    *,
    token_file: Path | None,
    hosts: tuple[str, ...],
    origins: tuple[str, ...],
    consent: "Consent",
) -> None:
    """Serve hosts that have the token, until the process is told to end."""
    from skyshelf.agent.mcp.http_auth import is_loopback

    host, port = _split(address)
    if not is_loopback(host) and not hosts:
        raise CommandFailed(
            f"other machines can reach {host}: name the hosts by which they do with --allow-host, "
            "and put a server with TLS in front",
            EXIT_USAGE,
        )
    token, is_new = _token(token_file)
    with _library():
        from skyshelf.agent.mcp.http import PATH, listening, serve
    try:
        opened = listening(host, port)
    except OSError as wrong:
        raise CommandFailed(f"cannot listen on {address}: {wrong.strerror}; choose another port") from None

    def ready() -> None:
        where = f"[{host}]" if ":" in host and not host.startswith("[") else host
        click.echo(f"Serving MCP at http://{where}:{opened.getsockname()[1]}{PATH}", err=True)
        if is_new:
            click.echo(f"Token, shown this once: {token}", err=True)

    serve(dispatcher, opened, token=token, hosts=hosts, origins=origins, consent=consent, ready=ready)


def _split(address: str) -> tuple[str, int]:
    host, _, port = address.rpartition(":")
    if not port.isascii() or not port.isdigit() or int(port) > 65535:
        raise click.BadParameter("it ends in a port, such as 8700 or 127.0.0.1:8700", param_hint="--http")
    return host.strip("[]") or "127.0.0.1", int(port)


def _token(file: Path | None) -> tuple[str, bool]:
    """The token, and whether it is new."""
    if file is not None:
        try:
            given = file.read_text("utf-8").strip()
        except (OSError, UnicodeError):
            raise CommandFailed(f"cannot read a token from {file}", EXIT_USAGE) from None
    else:
        given = os.environ.get(TOKEN_VARIABLE, "").strip()
        if not given:
            return secrets.token_urlsafe(32), True
    if len(given) < TOKEN_CHARS_MIN or not given.isascii() or not given.isprintable() or " " in given:
        raise CommandFailed(
            f"the token is too weak: use at least {TOKEN_CHARS_MIN} letters and digits, "
            "or give none and let one be made",
            EXIT_USAGE,
        )
    return given, False

"""The options of `skyshelf serve` that say where traces are sent."""

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click

from skyshelf.cli.base.errors import CommandFailed

if TYPE_CHECKING:
    from skyshelf.server.observability.tracing.settings import TracingSettings

Command = TypeVar("Command", bound=Callable[..., Any])

_FILE_BYTES_MAX: Final = 64 * 1024
_INSTALL: Final = "run pip install 'skyshelf[tracing]'"
_OPTIONS = (
    click.option(
        "--tracing",
        metavar="URL",
        help="Send traces to a collector that speaks OTLP over HTTP: http://localhost:4318  [default: as OTEL_… say]",
    ),
    click.option(
        "--tracing-sample",
        type=click.FloatRange(0, 1),
        metavar="SHARE",
        help="The share of traces that are sent.  [default: 1, or as OTEL_TRACES_SAMPLER says]",
    ),
    click.option(
        "--tracing-headers-file",
        type=click.Path(path_type=Path, dir_okay=False),
        help="File with headers for the collector, such as Authorization: Bearer TOKEN, one per line.",
    ),
    click.option(
        "--tracing-service",
        metavar="NAME",
        help="Name of this service in traces.  [default: skyshelf, or as OTEL_SERVICE_NAME says]",
    ),
)


def tracing_options(command: Command) -> Command:
    """The options that say where traces are sent."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def tracing_settings_of(given: Mapping[str, Any]) -> "TracingSettings | None":
    """Where the options send traces; CommandFailed for what cannot be used."""
    from skyshelf.server.observability.tracing.settings import is_installed, tracing_settings

    file: Path | None = given["tracing_headers_file"]
    try:
        settings = tracing_settings(
            given["tracing"],
            os.environ,
            sample=given["tracing_sample"],
            headers=None if file is None else _text(file),
            service=given["tracing_service"],
        )
    except ValueError as wrong:
        where = f"{file} cannot be used for --tracing-headers-file: " if file and "--tracing" not in str(wrong) else ""
        raise CommandFailed(f"{where}{wrong}") from wrong
    if settings is None or is_installed():
        return settings
    if given["tracing"] is not None:
        raise CommandFailed(f"--tracing needs packages that are not installed: {_INSTALL}")
    # The variables may be there for other programs.
    click.echo(f"skyshelf: OTEL_… variables ask for traces, whose packages are not installed: {_INSTALL}", err=True)
    return None


def _text(file: Path) -> str:
    try:
        with file.open("rb") as opened:
            data = opened.read(_FILE_BYTES_MAX + 1)
        if len(data) > _FILE_BYTES_MAX:
            raise CommandFailed(f"the headers for --tracing in {file} are longer than 64 KiB")
        return data.decode("utf-8")
    except (OSError, UnicodeDecodeError) as wrong:
        raise CommandFailed(f"the headers for --tracing cannot be read from {file}: {wrong}") from wrong

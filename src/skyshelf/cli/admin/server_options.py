"""The effective options of the server, and where each comes from."""

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from urllib.parse import urlsplit

import click
from click.core import ParameterSource

from skyshelf.cli.admin import config_file
from skyshelf.cli.base.errors import CommandFailed

if TYPE_CHECKING:
    from skyshelf.service.context import ServiceContext

_SECRET: Final = {"accept_app"}
_HIDDEN: Final = "(not shown)"


class ServerOption(NamedTuple):
    """An option of `skyshelf serve` with its effective value."""

    name: str
    value: str
    source: str
    help: str


def server_options(config: Path | None) -> list[ServerOption]:
    """The options that `skyshelf serve` would start with now; CommandFailed if it would refuse them."""
    from skyshelf.cli.admin.serve import serve

    with _context(config) as ctx:
        file = ctx.params["config"]
        return [
            ServerOption(
                name.replace("_", "-"), _shown(name, ctx.params[name]), _source(ctx, name, file), option.help or ""
            )
            for name, option in config_file.allowed(serve).items()
        ]


def parsed_options(config: Path | None) -> dict[str, Any]:
    """The effective options by parameter name, as `skyshelf serve` gets them."""
    with _context(config) as ctx:
        return dict(ctx.params)


def with_rules_of_server(ctx: "ServiceContext") -> "ServiceContext":
    """The context with the rules, such as quotas, of the server that has the same configuration."""
    from msgspec.structs import replace

    from skyshelf.cli.admin.serving.options import rules_in

    return replace(ctx, rules=rules_in(parsed_options(None)))


def _context(config: Path | None) -> click.Context:
    from skyshelf.cli.admin.serve import serve

    arguments = [] if config is None else ["--config", str(config)]
    try:
        # A child of the running command, because click caches the --help names of the first context.
        return serve.make_context("serve", arguments, parent=click.get_current_context().find_root())
    except click.UsageError as wrong:
        raise CommandFailed(wrong.format_message()) from wrong


def _source(ctx: click.Context, name: str, file: Path | None) -> str:
    source = ctx.get_parameter_source(name)
    if source is ParameterSource.ENVIRONMENT:
        return f"environment, SKYSHELF_SERVE_{name.upper()}"
    return str(file) if source is ParameterSource.DEFAULT_MAP else "default"


def _shown(name: str, value: Any) -> str:
    if value is None or value == ():
        return "–"
    if name in _SECRET:
        return _HIDDEN
    if isinstance(value, tuple):
        return ", ".join(str(one) for one in value)
    text = str(value)
    if "://" in text:
        parts = urlsplit(text)
        # A URL may hold a password, or the keys of a bucket in its parameters.
        if parts.password or parts.query:
            host = parts.hostname or ""
            text = f"{parts.scheme}://{host}{parts.path} {_HIDDEN}"
    return text

"""Variables of the environment that look like options of the server and are none."""

import os
import re
from collections.abc import Collection, Mapping
from typing import Any, Final

import click

from skyshelf.cli.base.errors import CommandFailed

PREFIX: Final = "SKYSHELF_"
SERVER_PREFIX: Final = "SKYSHELF_SERVE_"
_NEAR: Final = 0.8
# Kubernetes and older links of containers describe a service named skyshelf so; nobody typed them.
_LINK: Final = re.compile(r"\w+_(SERVICE_HOST|SERVICE_PORT(_\w+)?|PORT_\d+_(TCP|UDP|SCTP)(_\w+)?)")
_LINK_URL: Final = re.compile(r"(tcp|udp|sctp)://")


def refuse_unknown(ctx: click.Context, _: click.Parameter, value: Any) -> Any:
    """Raise CommandFailed for a variable that is meant for the server, which would ignore it: a callback of --data."""
    found = sorted(name for name in os.environ if name.startswith(PREFIX))
    root = ctx.find_root()
    serve = root.command.get_command(root, "serve") if isinstance(root.command, click.Group) else root.command
    if found and serve is not None and not ctx.resilient_parsing:
        known = {f"{SERVER_PREFIX}{option.name}".upper() for option in serve.params}
        for name in found:
            if (sentence := _problem(name, known, os.environ)) is not None:
                raise CommandFailed(sentence)
    return value


def _problem(name: str, known: Collection[str], environment: Mapping[str, str]) -> str | None:
    """Why the variable is a mistake; None for one that exists, or that belongs to another program."""
    if name in known or _LINK.fullmatch(name) or _LINK_URL.match(environment[name]):
        return None
    from difflib import get_close_matches  # most starts do not need it

    if (meant := f"{SERVER_PREFIX}{name.removeprefix(PREFIX)}") in known:
        near = [meant]
    else:
        # Without the prefix that all have in common, which would make all of them similar.
        bare = {one.removeprefix(PREFIX): one for one in known}
        near = [bare[one] for one in get_close_matches(name.removeprefix(PREFIX), bare, n=1, cutoff=_NEAR)]
    if not near and not name.startswith(SERVER_PREFIX):
        return None
    hint = f": did you mean {near[0]}?" if near else ": `skyshelf admin settings example` lists the options"
    return f"the environment has the variable {name}, which the server does not know{hint}"

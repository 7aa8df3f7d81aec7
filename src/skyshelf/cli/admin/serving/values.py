"""Values of the options of `skyshelf serve`: from what is written to what is meant."""

import ipaddress
import re
from pathlib import Path
from typing import Final

import click

_UNIX: Final = "unix:"
# As the system has it, less what the name of a new socket has in addition.
_PATH_BYTES_MAX: Final = 90


def parse_public_url(_: click.Context, __: click.Parameter, value: str | None) -> str | None:
    from skyshelf.wire.public_url import check_public_url

    if value is None:
        return None
    try:
        return check_public_url(value)
    except ValueError as wrong:
        raise click.BadParameter(str(wrong)) from wrong


def parse_listen(_: click.Context, __: click.Parameter, value: str | None) -> str | None:
    if value is None:
        return None
    path = Path(value.removeprefix(_UNIX))
    if not value.startswith(_UNIX) or not path.is_absolute():
        raise click.BadParameter("use unix: and the whole path of a socket, such as unix:/run/skyshelf/skyshelf.sock")
    if len(bytes(path)) > _PATH_BYTES_MAX:
        raise click.BadParameter(f"the path of a socket has at most {_PATH_BYTES_MAX} bytes")
    return value


def socket_path(listen: str | None) -> Path | None:
    """The path that --listen names."""
    return None if listen is None else Path(listen.removeprefix(_UNIX))


def parse_mode(_: click.Context, __: click.Parameter, value: str) -> str:
    if not re.fullmatch(r"0?[0-7]{3}", value):
        raise click.BadParameter("use three octal digits, such as 660")
    return value


def parse_prefix(_: click.Context, __: click.Parameter, value: str) -> str:
    if not re.fullmatch(r"/([A-Za-z0-9._~-]+/)+", value):
        raise click.BadParameter("use a path that begins and ends with a slash, such as /blobs/")
    return value


def parse_apps(_: click.Context, __: click.Parameter, value: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    pairs = [one.partition(":") for one in value]
    if not all(key and secret for key, _, secret in pairs):
        raise click.BadParameter("use KEY:SECRET")
    return tuple((key, secret) for key, _, secret in pairs)


def parse_networks(_: click.Context, __: click.Parameter, value: tuple[str, ...]) -> tuple[str, ...]:
    try:
        return tuple(str(ipaddress.ip_network(one, strict=False)) for one in value)
    except ValueError as error:
        raise click.BadParameter(f"{error}: use a network such as 10.0.0.0/8") from error

"""Options of `skyshelf serve` that limit what clients and the server use, and how long data is kept."""

import ipaddress
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import click

from skyshelf.cli.base.params import SIZE, Command, add_options, number_option, seconds_option

if TYPE_CHECKING:
    from skyshelf.service.context import Rules


class StoreLimit(NamedTuple):
    """A setting of the store that limits what it keeps, with the bounds of its value."""

    name: str
    minimum: int
    maximum: int
    help: str


STORE_LIMITS: Final = (
    StoreLimit("trash_days", 1, 3650, "Days after which items in the trash are deleted."),
    StoreLimit("versions_kept", 1, 1000, "Number of versions kept per file."),
    StoreLimit("changes_days", 7, 3650, "Days for which clients can ask for changes."),
    StoreLimit("history_days", 0, 3650, "Days for which accounts can look back; 0 keeps no history."),
    StoreLimit("alarm_limit", 0, 1_000_000, "Deletions, overwrites and moves in ten minutes that pause a device."),
    StoreLimit("upload_days", 1, 90, "Days after which an unfinished upload is discarded."),
    StoreLimit("quarantine_days", 1, 365, "Days for which contents without a file stay in quarantine."),
    StoreLimit("quarantine_gib", 1, 1024 * 1024, "Size of the quarantine, in GiB."),
    StoreLimit("audit_days", 1, 3650, "Days for which the audit trail is kept."),
    StoreLimit("scrub_days", 1, 365, "Days in which every stored content is read and compared."),
)

limit_options = add_options(
    number_option(
        "--connections",
        16,
        100_000,
        default=4096,
        metavar="N",
        help="Maximum connections of all clients, per worker; each takes up to four open files.",
    ),
    seconds_option(
        "--keep-alive",
        5,
        3600,
        default=75,
        help="How long a connection may be idle; longer than a proxy keeps its own open.",
    ),
    number_option("--threads", 4, 256, default=16, metavar="N", help="Threads for calls, per worker."),
    number_option("--media-workers", 1, 64, default=2, metavar="N", help="Processes that make thumbnails, per worker."),
    click.option("--max-file-size", type=SIZE, help="The largest file that is accepted.  [default: 1TiB]"),
    number_option(
        "--session-days", 1, 3650, default=365, metavar="N", help="Days without a request after which a session ends."
    ),
    number_option(
        "--account-grace-days",
        0,
        3650,
        default=14,
        metavar="N",
        help="Days between the request to delete an account and its deletion.",
    ),
    *(
        click.option(
            f"--{kept.name.replace('_', '-')}",
            type=click.IntRange(kept.minimum, kept.maximum),
            metavar="N",
            help=f"{kept.help}  [default: as stored, see skyshelf admin settings]",
        )
        for kept in STORE_LIMITS
    ),
)


def kept_in(given: Mapping[str, Any]) -> dict[str, int]:
    """The settings of the store that the options set."""
    return {kept.name: given[kept.name] for kept in STORE_LIMITS if given[kept.name] is not None}


def rules_in(given: Mapping[str, Any]) -> "Rules":
    """The rules that the operator sets by options."""
    from skyshelf.cli.base.params import milliseconds
    from skyshelf.service.context import Rules
    from skyshelf.wire.limits import FILE_BYTES_MAX, QUOTA_BYTES_DEFAULT

    return Rules(
        default_quota=QUOTA_BYTES_DEFAULT if given["quota"] is None else given["quota"],
        max_file_size=min(FILE_BYTES_MAX, given["max_file_size"] or FILE_BYTES_MAX),
        session_days=given["session_days"],
        account_grace_days=given["account_grace_days"],
        backup_max_age=milliseconds(given["backup_max_age"]),
        refuse_clutter=given["refuse_clutter"],
    )


_UNIX: Final = "unix:"
# The system's limit, less what is appended to the name of a new socket.
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


def networks_option(name: str, help_text: str) -> Callable[[Command], Command]:
    """An option that names networks, and may be repeated."""
    return click.option(name, multiple=True, callback=_parse_networks, metavar="CIDR", help=help_text)


def _parse_networks(_: click.Context, __: click.Parameter, value: tuple[str, ...]) -> tuple[str, ...]:
    try:
        return tuple(str(ipaddress.ip_network(one, strict=False)) for one in value)
    except ValueError as error:
        raise click.BadParameter(f"{error}: use a network such as 10.0.0.0/8") from error

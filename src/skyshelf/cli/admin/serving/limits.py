"""Options of `skyshelf serve` that limit what clients and the server use, and how long data is kept."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

import click

from skyshelf.cli.base.params import Size

if TYPE_CHECKING:
    from skyshelf.service.context import Rules

Command = TypeVar("Command", bound=Callable[..., Any])


class Kept(NamedTuple):
    """A choice of how long, or how much, is kept: a setting of the store, with its bounds."""

    name: str
    minimum: int
    maximum: int
    help: str


KEPT: Final = (
    Kept("trash_days", 1, 3650, "Days after which what is in the trash is deleted."),
    Kept("versions_kept", 1, 1000, "Versions that are kept of a file."),
    Kept("changes_days", 7, 3650, "Days for which clients can ask what has changed."),
    Kept("history_days", 0, 3650, "Days for which accounts can look back; 0 keeps no history."),
    Kept("alarm_limit", 0, 1_000_000, "Deletions, overwrites and moves in ten minutes that pause a device."),
    Kept("upload_days", 1, 90, "Days after which an unfinished upload is discarded."),
    Kept("quarantine_days", 1, 365, "Days for which contents without a file stay in quarantine."),
    Kept("quarantine_gib", 1, 1024 * 1024, "Size of the quarantine, in GiB."),
    Kept("audit_days", 1, 3650, "Days for which the record of events is kept."),
    Kept("scrub_days", 1, 365, "Days in which every stored content is read and compared."),
)

_LIMITS: Final = (
    click.option(
        "--connections",
        type=click.IntRange(16, 100_000),
        default=4096,
        show_default=True,
        metavar="N",
        help="Connections of all clients at a time, per worker; each takes up to four open files.",
    ),
    click.option(
        "--keep-alive",
        type=click.FloatRange(5, 3600),
        default=75,
        show_default=True,
        metavar="SECONDS",
        help="How long a connection may be idle; longer than a proxy keeps its own open.",
    ),
    click.option(
        "--threads",
        type=click.IntRange(4, 256),
        default=16,
        show_default=True,
        metavar="N",
        help="Threads for calls, per worker.",
    ),
    click.option(
        "--media-workers",
        type=click.IntRange(1, 64),
        default=2,
        show_default=True,
        metavar="N",
        help="Processes that make thumbnails, per worker.",
    ),
    click.option("--max-file-size", type=Size(), help="The largest file that is accepted.  [default: 1TiB]"),
    click.option(
        "--session-days",
        type=click.IntRange(1, 3650),
        default=365,
        show_default=True,
        metavar="N",
        help="Days without a request after which a session ends.",
    ),
    click.option(
        "--account-grace-days",
        type=click.IntRange(0, 3650),
        default=14,
        show_default=True,
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
        for kept in KEPT
    ),
)


def limit_options(command: Command) -> Command:
    """Add them to a command."""
    for option in reversed(_LIMITS):
        command = option(command)
    return command


def kept_in(given: Mapping[str, Any]) -> dict[str, int]:
    """The settings of the store that were chosen."""
    return {kept.name: given[kept.name] for kept in KEPT if given[kept.name] is not None}


def rules_in(given: Mapping[str, Any]) -> "Rules":
    """The operator's choices among the options."""
    from skyshelf.service.context import Rules
    from skyshelf.wire.limits import FILE_BYTES_MAX, QUOTA_BYTES_DEFAULT

    return Rules(
        default_quota=QUOTA_BYTES_DEFAULT if given["quota"] is None else given["quota"],
        max_file_size=min(FILE_BYTES_MAX, given["max_file_size"] or FILE_BYTES_MAX),
        session_days=given["session_days"],
        account_grace_days=given["account_grace_days"],
        refuse_clutter=given["refuse_clutter"],
    )

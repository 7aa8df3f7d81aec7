"""`skyshelf delegate` and `skyshelf delegations`: tokens that may do less than their owner."""

import sys
from collections.abc import Callable
from operator import attrgetter
from typing import Annotated, Any, Final

import click

from skyshelf.cli.base.errors import InvalidRequest
from skyshelf.cli.base.output import Row
from skyshelf.cli.base.params import FUTURE_TIME, SIZE, add_options
from skyshelf.cli.base.session import ClientGroup, CommandSession, client_command
from skyshelf.cli.base.targets import by_name_or_key
from skyshelf.cli.base.text import local_time, visible
from skyshelf.cli.commands.credentials import folder_key_at
from skyshelf.client.api.delegations import narrow
from skyshelf.wire.leave import CallKind
from skyshelf.wire.projection import From, Projection, Time
from skyshelf.wire.resources.delegations import Delegation, DelegationUse
from skyshelf.wire.sizes import format_size

_KINDS: Final = ", ".join(CallKind)
_COUNT: Final = click.IntRange(min=0)
_WORDS: Final = {
    "reads": "reads",
    "read_bytes": "read",
    "writes": "writes",
    "written_bytes": "written",
    "deletions": "deletions",
}


class Kinds(click.ParamType[tuple[CallKind, ...]]):
    """Kinds of calls, separated by commas."""

    name = "kinds"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> tuple[CallKind, ...]:
        if isinstance(value, tuple):
            return value
        words = [word.strip().lower() for word in str(value).split(",") if word.strip()]
        unknown = [word for word in words if word not in set(CallKind)]
        if unknown or not words:
            self.fail(f"'{visible(str(value))}' has other words than {_KINDS}", param, ctx)
        return tuple(dict.fromkeys(map(CallKind, words)))


_numbers = add_options(
    click.option("--reads", type=_COUNT, metavar="N", help="How many files it may read."),
    click.option("--read-bytes", type=SIZE, metavar="SIZE", help="How much it may read: 500M, 2GiB."),
    click.option("--writes", type=_COUNT, metavar="N", help="How many changes it may make."),
    click.option("--written-bytes", type=SIZE, metavar="SIZE", help="How much it may upload."),
    click.option(
        "--deletions", type=_COUNT, metavar="N", help="How many items it may delete; a folder counts as its contents."
    ),
    click.option(
        "--per-minute", type=click.IntRange(min=1), metavar="N", help="How many calls it may make in a minute."
    ),
)


class MadeRecord(Projection, frozen=True, kw_only=True):
    """A new delegation; its token is not shown again."""

    device_key: str
    token: str


@client_command(
    "delegate",
    "skyshelf delegate 'Find duplicates in the photos' --folder /Photos --can list,read --for 2h",
    "skyshelf delegate 'Sort the scans' --folder /Scans --can list,write,delete --deletions 20 --for 1d",
    "SKYSHELF_AUTH_TOKEN=$(skyshelf delegate Backup --can list,read --for 30d) skyshelf backup ~/drive",
    record=MadeRecord,
)
@click.argument("purpose")
@click.option(
    "--can",
    type=Kinds(),
    default="list,read",
    help=f"Kinds of calls, separated by commas: {_KINDS}.  [default: list,read]",
)
@click.option("--folder", metavar="FOLDER", help="The only folder that it sees.")
@click.option("--for", "until", type=FUTURE_TIME, default="1h", help="When it ends: 2h, 7d, 2027-05-01.  [default: 1h]")
@_numbers
def delegate(
    *, session: CommandSession, purpose: str, can: tuple[CallKind, ...], folder: str | None, until: int, **numbers: Any
) -> None:
    """Make a token that may do less than you, for an agent or a script.

    The server refuses everything that it does not allow, whichever program uses it, and it ends at the latest after 90
    days. Prints only the token, which is not shown again. Use it as SKYSHELF_AUTH_TOKEN, or with your email address as
    the password of a WebDAV program. `skyshelf delegations` shows what was used, and ends it at once.

    \b
    list    names, folders, searches
    read    contents
    write   uploads, new folders, renaming, moving
    delete  to the trash
    purge   out of the trash, for good
    share   public links
    """
    if until == 0:
        raise InvalidRequest("a delegation ends: use a time within 90 days, such as --for 90d")
    made = session.client.delegations.add(
        purpose,
        can,
        expires_date=until,
        folder_key=None if folder is None else folder_key_at(session, folder),
        **_given(numbers),
    )
    record = MadeRecord.of(made)
    session.out.note(f"It may {_listed(can)} until {local_time(until)}.")
    session.out.note(f"End it with: skyshelf delegations end {record.device_key}")
    session.out.record(record, [record.token])


def _given(numbers: dict[str, Any]) -> dict[str, Any]:
    return {"calls_per_minute" if name == "per_minute" else name: value for name, value in numbers.items()}


def _listed(kinds: tuple[CallKind, ...]) -> str:
    *first, last = kinds
    return f"{', '.join(first)} and {last}" if first else last


@click.group("delegations", cls=ClientGroup)
def delegations() -> None:
    """List, narrow and end delegations: tokens that may do less than you. `skyshelf delegate` makes one."""


class DelegationRecord(Projection, frozen=True, kw_only=True):
    """A delegation. A number that is null is not limited; `used` is what is used up."""

    device_key: str
    purpose: str | None
    kinds: list[CallKind] | None
    folder_key: str | None
    folder_name: str | None
    reads: int | None
    read_bytes: int | None
    writes: int | None
    written_bytes: int | None
    deletions: int | None
    calls_per_minute: int | None
    used: DelegationUse | None
    narrowed: int | None
    created: Time
    last_used: Time
    expires: Annotated[Time, From("expires_date")]


@delegations.command("list", "skyshelf delegations list", "skyshelf delegations list --json", records=DelegationRecord)
def list_delegations(*, session: CommandSession) -> None:
    """List the delegations that have not ended, with what they have used.

    The newest is first.
    """
    session.out.rows(session.client.delegations.list(), DelegationRecord.of, _row)


def _row(one: Delegation) -> Row:
    folder = "the whole drive"
    if one.folder_key is not None:
        folder = visible(one.folder_name) if one.folder_name else "a folder that is gone"
    return (
        visible(one.purpose or "?"),
        ", ".join(one.kinds or ()),
        folder,
        "; ".join(_uses(one)) or "nothing used",
        f"until {local_time(one.expires_date)}",
        one.device_key,
    )


def _uses(one: Delegation) -> list[str]:
    """Return what was used, and of how much."""
    lines = []
    for name, word in _WORDS.items():
        show: Callable[[int], str] = format_size if name.endswith("_bytes") else "{:,}".format
        used, most = getattr(one.used, name, None) or 0, getattr(one, name)
        if used or most is not None:
            lines.append(f"{show(used)}{'' if most is None else f' of {show(most)}'} {word}")
    return lines


class OwnRecord(Projection, frozen=True, kw_only=True):
    """What the token in use allows; `left` is what is left of each number that is limited."""

    device_key: str
    purpose: str | None
    kinds: list[CallKind] | None
    folder_key: str | None
    left: DelegationUse | None
    expires: Annotated[Time, From("expires_date")]


@delegations.command("show", "SKYSHELF_AUTH_TOKEN=skyd1.… skyshelf delegations show", record=OwnRecord)
def show_own(*, session: CommandSession) -> None:
    """Show what the delegation in use allows, and what is left of it."""
    own = session.client.delegations.own()
    lines = [visible(own.purpose or "?"), f"may {', '.join(own.kinds or ())} until {local_time(own.expires_date)}"]
    for name, word in _WORDS.items():
        left = getattr(own.left, name, None)
        if left is not None:
            lines.append(f"{format_size(left) if name.endswith('_bytes') else f'{left:,}'} {word} left")
    session.out.record(OwnRecord.of(own), lines)


class NarrowedRecord(Projection, frozen=True, kw_only=True):
    """A narrower token."""

    token: str


@delegations.command(
    "narrow",
    "skyshelf delegations narrow --can list,read --for 10m < token.txt",
    "skyshelf delegations narrow --deletions 0 --read-bytes 1GiB < token.txt > narrower.txt",
    record=NarrowedRecord,
)
@click.option("--can", type=Kinds(), help=f"The kinds of calls that are left: {_KINDS}.")
@click.option("--folder-key", metavar="KEY", help="The only folder that is left, by its key (`skyshelf stat`).")
@click.option("--for", "until", type=FUTURE_TIME, help="When it ends at the latest: 10m, 2027-05-01.")
@_numbers
def narrow_token(
    *,
    session: CommandSession,
    can: tuple[CallKind, ...] | None,
    folder_key: str | None,
    until: int | None,
    **numbers: Any,
) -> None:
    """Make a narrower token of the one on standard input.

    The server is not asked. What you name is allowed at the most; what the token does not allow stays refused. Ending
    the delegation ends the narrower token too. What it uses counts for both.
    """
    token = sys.stdin.readline()
    narrower = narrow(token, kinds=can, folder_key=folder_key, expires_date=until or None, **_given(numbers))
    session.out.record(NarrowedRecord(token=narrower), [narrower])


@delegations.command("end", "skyshelf delegations end 'Sort the scans'")
@click.argument("names", nargs=-1, required=True, metavar="NAME...")
def end_delegations(*, session: CommandSession, names: tuple[str, ...]) -> None:
    """End delegations, with all tokens that were made from them.

    A delegation is named by its purpose or its key.
    """
    known = session.client.delegations.list()
    label, key = attrgetter("purpose"), attrgetter("device_key")
    chosen = [
        by_name_or_key(known, name, "delegation", listing="delegations list", name=label, key=key) for name in names
    ]
    for one in chosen:
        session.client.delegations.end(one.device_key)
        session.out.note(f"Ended {visible(one.purpose or one.device_key)}.")

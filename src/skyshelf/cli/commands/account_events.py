"""`skyshelf account events`: what happened in your account."""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TYPE_CHECKING

import click

from skyshelf.cli.base.account_records import EventRecord
from skyshelf.cli.base.session import ClientCommand, CommandSession
from skyshelf.cli.base.text import local_time, utc_time, visible

if TYPE_CHECKING:
    from skyshelf.wire.resources.account_events import AccountEvent


@click.command(
    "events",
    cls=ClientCommand,
    record=EventRecord,
    many=True,
    example=(
        "skyshelf account events",
        "skyshelf account events --kind login.failed",
        "skyshelf account events --jsonl",
    ),
)
@click.option("--kind", metavar="KIND", help="Only one kind, such as login.failed, or a group: login, share, delete.")
@click.option("--limit", type=click.IntRange(1), default=100, show_default=True, help="Number of events to list.")
def account_events(*, session: CommandSession, kind: str | None, limit: int) -> None:
    """Show what happened in your account, newest first.

    Logins and failed ones with the address and the device they came from, links and what was done with them, deletions,
    and changes by operators. Repeated events are counted.
    """
    found = islice(session.client.account.events(kind, page_size=min(limit, 100)), limit)
    session.out.records(found, _record, _lines, empty="Nothing has happened yet.")


def _record(one: "AccountEvent") -> EventRecord:
    return EventRecord(
        date=utc_time(one.date),
        kind=one.kind,
        text=one.text,
        by=one.by,
        address=one.address,
        device_key=one.device_key,
        device_name=one.device_name,
        object_key=one.object_key,
        share_key=one.share_key,
        subject=one.subject,
        times=one.times or 1,
    )


def _lines(found: "Iterable[AccountEvent]") -> Iterator[str]:
    for one in found:
        yield "  ".join(part for part in (local_time(one.date), _sentence(one), _where(one)) if part)


def _sentence(one: "AccountEvent") -> str:
    times = f", {one.times:,} times" if (one.times or 1) > 1 else ""
    subject = f": {visible(one.subject)}" if one.subject else ""
    return f"{visible(one.text or one.kind)}{times}{subject}"


def _where(one: "AccountEvent") -> str:
    parts = [visible(part) for part in (one.device_name, one.address) if part]
    if one.by in {"operator", "visitor"}:
        parts.append(f"by {'an operator' if one.by == 'operator' else 'a visitor'}")
    return f"({', '.join(parts)})" if parts else ""

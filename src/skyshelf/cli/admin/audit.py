"""`skyshelf admin audit`: what happened on the server."""

import sys
import time
from collections.abc import Iterable
from typing import Any

import click

from skyshelf.cli.admin.stores import data_option, debug_option, fields_of, metadata_option, open_metadata_only
from skyshelf.cli.admin.which_store import StoreCommand
from skyshelf.cli.base.errors import CommandFailed
from skyshelf.cli.base.groups import examples
from skyshelf.cli.base.params import PAST_TIME, number_option
from skyshelf.cli.base.text import visible
from skyshelf.service.accounts.accounts import find_account
from skyshelf.service.audit.kinds import UnknownKind
from skyshelf.service.audit.search import BadAddress, EventFollower, EventQuery, all_events, newest_events
from skyshelf.service.context import ServiceContext
from skyshelf.storage.errors import AccountMissing, StorageError
from skyshelf.storage.metadata.audit_events import RecordedEvent
from skyshelf.wire.keys import is_key
from skyshelf.wire.times import from_epoch_ms

_FOLLOW_SECONDS = 1.0


@click.command(
    cls=StoreCommand,
    looking=True,
    epilog=examples(
        "skyshelf admin audit --data /srv/skyshelf",
        "skyshelf admin audit --kind login.failed --since 7d --address 192.0.2.0/24",
        "skyshelf admin audit --account ada@example.org --follow",
        "skyshelf admin audit --all --jsonl > audit.jsonl",
    ),
)
@click.option("--account", "email", metavar="EMAIL", help="Only events of this account; a user id also works.")
@click.option(
    "--kind", "kinds", multiple=True, metavar="KIND", help="Only this kind, such as login.failed, or group: login."
)
@click.option("--address", default="", metavar="ADDRESS", help="Only from this address or network.")
@click.option("--since", type=PAST_TIME, metavar="TIME", help="Only from this time on: 2026-05-01, 7d, 12h.")
@click.option("--until", type=PAST_TIME, metavar="TIME", help="Only before this time.")
@number_option("--limit", 1, default=100, help="Number of events to list.")
@click.option("--all", "everything", is_flag=True, help="Every event, the oldest first.")
@click.option("--follow", is_flag=True, help="Keep printing events as they happen, until Ctrl-C.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option("--jsonl", "as_lines", is_flag=True, help="Print one JSON document per line.")
@debug_option
@metadata_option
@data_option
def audit(
    *,
    email: str | None,
    kinds: tuple[str, ...],
    address: str,
    since: int | None,
    until: int | None,
    limit: int,
    everything: bool,
    follow: bool,
    as_json: bool,
    as_lines: bool,
    **store: Any,
) -> None:
    """Show the audit trail: who did what, when and from where.

    It records logins and failures, links and their use, deletions, and actions of operators. It never contains a
    password, a token or a file's content. The newest events are at the end, as in a log.
    """
    if as_json and (as_lines or follow):
        raise click.UsageError("--json prints one document: use --jsonl for a document per line")
    if follow and everything:
        raise click.UsageError("--follow prints new events: use it without --all")
    with open_metadata_only(**store, looking=True) as ctx:
        wanted = EventQuery(
            account_key="" if email is None else _account_key(ctx, email),
            kinds=kinds,
            address=address,
            since=since or 0,
            until=until or 0,
        )
        try:
            if follow:
                _follow(ctx, wanted, limit, as_lines=as_lines)
            elif everything:
                _print(all_events(ctx, wanted), as_json=as_json, as_lines=as_lines)
            else:
                _print(reversed(newest_events(ctx, wanted, limit)), as_json=as_json, as_lines=as_lines)
        except (UnknownKind, BadAddress) as wrong:
            raise click.UsageError(str(wrong)) from wrong


def _account_key(ctx: ServiceContext, name: str) -> str:
    """The key of an account, even of a removed one, whose events are still kept."""
    if is_key(name):
        return name.upper()
    try:
        return find_account(ctx, name).account_key
    except AccountMissing as missing:
        raise CommandFailed(
            f"no account {visible(name)}: `skyshelf admin user ls` lists them; use the user id of one that was removed"
        ) from missing


def pause() -> None:
    """Wait until the next look for new events."""
    time.sleep(_FOLLOW_SECONDS)


def _follow(ctx: ServiceContext, wanted: EventQuery, limit: int, *, as_lines: bool) -> None:
    following = EventFollower(ctx, wanted)
    _print(reversed(newest_events(ctx, wanted, min(limit, 10))), as_json=False, as_lines=as_lines)
    while True:
        pause()
        try:
            found = following.new()
        except StorageError as problem:
            click.echo(f"the store does not respond, trying again: {problem}", err=True)
            continue
        _print(found, as_json=False, as_lines=as_lines)


def _print(events: Iterable[RecordedEvent], *, as_json: bool, as_lines: bool) -> None:
    import msgspec

    if as_json:
        click.echo(msgspec.json.format(msgspec.json.encode([_as_json(one) for one in events])).decode())
        return
    for one in events:
        click.echo(msgspec.json.encode(_as_json(one)).decode() if as_lines else _line(one))
    sys.stdout.flush()


def _as_json(one: RecordedEvent) -> dict[str, Any]:
    at = from_epoch_ms(one.at).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    who = fields_of(one, "account=account_key", "email", "actor", "address", "device=device_key", "device_name")
    what = fields_of(one, "object=object_key", "link=link_key")
    known = {name: value or None for name, value in (who | what).items()}
    return {"id": one.event_id, "time": at, "kind": one.kind} | known | fields_of(one, "times", "details")


def _line(one: RecordedEvent) -> str:
    times = f"{one.times:,} times" if one.times > 1 else ""
    actor = f"by {one.actor}" if one.actor else ""
    details = ", ".join(f"{name} {_value(value)}" for name, value in one.details.items() if name != "keys")
    what = [
        one.email or one.account_key or "-",
        times,
        one.address,
        one.device_name or one.device_key,
        actor,
        f"link {one.link_key}" if one.link_key else "",
        f"object {one.object_key}" if one.object_key else "",
        details,
    ]
    said = "  ".join(visible(part) for part in what if part)
    return f"{from_epoch_ms(one.at):%Y-%m-%d %H:%M:%S} UTC  {one.kind:26}  {said}"


def _value(value: str | int | list[str]) -> str:
    return ", ".join(value) if isinstance(value, list) else str(value)

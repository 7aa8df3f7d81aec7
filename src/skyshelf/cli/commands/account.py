"""`skyshelf account`: your own account, its devices, events and storage."""

from collections.abc import Iterable, Iterator
from itertools import islice
from operator import attrgetter
from typing import TYPE_CHECKING, Annotated, Final

import click

from skyshelf.cli.base.kept import kept_row
from skyshelf.cli.base.output import Row, table
from skyshelf.cli.base.params import number_option
from skyshelf.cli.base.prompts import confirm, read_password, yes_option
from skyshelf.cli.base.records import ObjectRecord, object_record
from skyshelf.cli.base.session import ClientGroup, CommandSession
from skyshelf.cli.base.targets import KEY, by_name_or_key
from skyshelf.cli.base.text import format_count, local_time, visible
from skyshelf.cli.commands.credentials import app_password, passkeys, second_factor
from skyshelf.cli.commands.history import account_history
from skyshelf.wire.limits import OPERATOR_CONSENT_HOURS, OPERATOR_CONSENT_HOURS_MAX
from skyshelf.wire.projection import From, Projection, Time, utc_time
from skyshelf.wire.sizes import format_size

if TYPE_CHECKING:
    from skyshelf.client.api.account import StorageReport
    from skyshelf.wire.resources.account import AccountEvent, OwnDevice


@click.group("account", cls=ClientGroup)
def account() -> None:
    """Manage password, name, devices, passkeys, second factor and app passwords."""


for _command in (second_factor, passkeys, app_password, account_history):
    account.add_command(_command)


@account.command("password", "skyshelf account password")
@click.option(
    "--password-stdin", is_flag=True, help="Read the old and the new password from standard input, one per line."
)
def account_password(*, session: CommandSession, password_stdin: bool) -> None:
    """Change your password. All other sessions are logged out."""
    old = read_password("Old password", from_stdin=password_stdin)
    new = read_password("New password", from_stdin=password_stdin, new=True)
    ended = session.client.account.change_password(old, new)
    session.out.note(f"Password changed. {format_count(ended, 'other session')} logged out.")


@account.command("edit", "skyshelf account edit --first-name Augusta --last-name 'King Noel'")
@click.option("--first-name", help="The first name shown to others.")
@click.option("--last-name", help="The last name shown to others.")
def account_edit(*, session: CommandSession, first_name: str | None, last_name: str | None) -> None:
    """Change the name shown to others."""
    if first_name is None and last_name is None:
        raise click.UsageError("nothing to change: use --first-name or --last-name")
    who = session.client.account.edit_profile(first_name=first_name, last_name=last_name)
    session.out.note(f"Your name is now {visible(who.display_name)}.")


_LOGGED_IN: Final = {True: "logged in", False: "logged out", None: ""}


class OwnDeviceRecord(Projection, frozen=True, kw_only=True):
    """A device of the account, and whether it is logged in."""

    device_key: str
    name: Annotated[str | None, From("device_name")]
    platform: Annotated[str | None, From("platform_type")]
    is_logged_in: bool | None
    is_this_one: Annotated[bool, From("is_current")]
    added: Annotated[Time, From("created_date")]
    last_seen: Time


@account.command("devices", "skyshelf account devices", records=OwnDeviceRecord)
def account_devices(*, session: CommandSession) -> None:
    """List your devices, most recently used first.

    This device is marked with *.
    """
    session.out.rows(_own_devices(session), OwnDeviceRecord.of, _device_row)


def _own_devices(session: CommandSession) -> "list[OwnDevice]":
    """The devices with their sessions, or as the profile has them where the server does not list sessions."""
    from skyshelf.client.errors import NotOfferedError
    from skyshelf.wire.resources.account import OwnDevice

    account = session.client.account
    try:
        return account.sessions()
    except NotOfferedError:
        credentials = session.client.credentials
        own_key = "" if credentials is None else credentials.device_key
        return [
            OwnDevice(
                device_key=one.device_key or "",
                device_name=one.device_name,
                device_type=one.device_type,
                platform_type=one.platform_type,
                is_current=(one.device_key or "").lower() == own_key.lower(),
            )
            for one in account.devices()
        ]


def _device_row(one: "OwnDevice") -> Row:
    return (
        "*" if one.is_current else " ",
        visible(one.device_name or "?"),
        visible(one.platform_type or ""),
        _LOGGED_IN[one.is_logged_in],
        local_time(one.last_seen_date),
        one.device_key,
    )


@account.command("revoke", "skyshelf account revoke Phone", "skyshelf account revoke --others")
@click.argument("devices", nargs=-1, metavar="DEVICE...")
@click.option("--others", is_flag=True, help="Log out every device except this one.")
@click.option("--forget", is_flag=True, help="Also remove the devices from the list.")
def account_revoke(*, session: CommandSession, devices: tuple[str, ...], others: bool, forget: bool) -> None:
    """Log out devices, by name or key."""
    if bool(devices) == others:
        raise click.UsageError("name the devices, or use --others")
    if others and not forget:
        ended = session.client.account.end_other_sessions()
        session.out.note(f"{format_count(ended, 'other session')} logged out.")
        return
    known = session.client.account.sessions()
    chosen = [one for one in known if not one.is_current] if others else [_find_device(known, name) for name in devices]
    for one in chosen:
        if forget:
            session.client.account.remove_device(one.device_key)
        elif one.is_logged_in:
            session.client.account.end_session(one.device_key)
        session.out.note(f"{'Removed' if forget else 'Logged out'} {visible(one.device_name or one.device_key)}.")


def _find_device(known: "list[OwnDevice]", name: str) -> "OwnDevice":
    label, key = attrgetter("device_name"), attrgetter("device_key")
    return by_name_or_key(known, name, "device", listing="account devices", name=label, key=key)


class DeletionRecord(Projection, frozen=True, kw_only=True):
    """When the account will be deleted permanently."""

    deletes: str | None


@account.command("delete", "skyshelf account delete", record=DeletionRecord)
@click.option("--password-stdin", is_flag=True, help="Read the password from standard input instead of prompting.")
@yes_option
def account_delete(*, session: CommandSession, password_stdin: bool, yes: bool) -> None:
    """Delete your account after a grace period.

    Everything in it is deleted too. Your public links and your files in albums are hidden immediately. Until the grace
    period ends, `skyshelf account cancel-deletion` restores everything.
    """
    confirm("Delete your account and everything in it?", yes=yes)
    date = session.client.account.delete(read_password("Password", from_stdin=password_stdin))
    session.out.record(DeletionRecord(deletes=utc_time(date)))
    session.out.note(
        f"The account will be deleted on {local_time(date)}. `skyshelf account cancel-deletion` cancels the deletion."
    )


@account.command("cancel-deletion", "skyshelf account cancel-deletion")
def account_cancel_deletion(*, session: CommandSession) -> None:
    """Cancel the pending deletion of the account."""
    session.client.account.cancel_deletion()
    session.out.note("Deletion cancelled.")


class ConsentRecord(Projection, frozen=True, kw_only=True):
    """Whether an operator may rewind the account once, and until when."""

    is_given: bool
    expires: Annotated[Time, From("expires_date")]


@account.command(
    "allow-rewind",
    "skyshelf account allow-rewind",
    "skyshelf account allow-rewind --hours 48",
    "skyshelf account allow-rewind --withdraw",
    record=ConsentRecord,
)
@number_option(
    "--hours", 1, OPERATOR_CONSENT_HOURS_MAX, default=OPERATOR_CONSENT_HOURS, help="For how long your consent is valid."
)
@click.option("--withdraw", is_flag=True, help="Withdraw your consent.")
def account_allow_rewind(*, session: CommandSession, hours: int, withdraw: bool) -> None:
    """Let an operator bring your account back to a moment, once.

    For when you cannot do it yourself, such as after ransomware. `skyshelf account events` shows when an operator did
    so, and `skyshelf rewind --undo` undoes it.
    """
    given = session.client.rewinds.allow_operator(0 if withdraw else hours)
    sentence = "No operator may rewind your account."
    if given.is_given:
        sentence = f"An operator may rewind your account once until {local_time(given.expires_date)}."
    session.out.record(ConsentRecord.of(given), [sentence])


class EventRecord(Projection, frozen=True, kw_only=True):
    """Something that happened in the account; null where it is not known, or not yours to know."""

    date: Annotated[Time, From("date")]
    kind: str
    text: str | None
    by: str | None
    address: str | None
    device_key: str | None
    device_name: str | None
    object_key: str | None
    share_key: str | None
    subject: str | None
    times: Annotated[int, From(lambda event: event.times or 1)]


@account.command(
    "events",
    "skyshelf account events",
    "skyshelf account events --kind login.failed",
    "skyshelf account events --jsonl",
    records=EventRecord,
)
@click.option("--kind", metavar="KIND", help="Only one kind, such as login.failed, or a group: login, share, delete.")
@number_option("--limit", 1, default=100, help="Number of events to list.")
def account_events(*, session: CommandSession, kind: str | None, limit: int) -> None:
    """Show what happened in your account, newest first.

    Logins and failed ones with the address and the device they came from, links and what was done with them, deletions,
    and changes by operators. Repeated events are counted.
    """
    found = islice(session.client.account.events(kind, page_size=min(limit, 100)), limit)
    session.out.records(found, EventRecord.of, _event_lines, empty="Nothing has happened yet.")


def _event_lines(found: "Iterable[AccountEvent]") -> Iterator[str]:
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


class CopiesRecord(Projection, frozen=True, kw_only=True):
    """Files with the same content, oldest first, and the size of each."""

    size_bytes: Annotated[int, From("size_in_bytes")]
    files: Annotated[list[ObjectRecord], From(lambda group: list(map(object_record, group.objects or ())))]


class OldVersionsRecord(Projection, frozen=True, kw_only=True):
    """A file, and the number and size of its earlier versions."""

    file: Annotated[ObjectRecord, From(lambda one: object_record(one.object))]
    versions: int
    size_bytes: Annotated[int, From("size_in_bytes")]


def _old_versions(report: "StorageReport") -> list[OldVersionsRecord]:
    return [OldVersionsRecord.of(one) for one in report.old_versions if one.object is not None]


class KeptRecord(Projection, frozen=True, kw_only=True):
    """How much of a kind the account keeps beside its files, and at most how much."""

    kind: str
    used: int
    limit: int
    is_bytes: bool


class StorageRecord(Projection, frozen=True, kw_only=True):
    """What takes up space: sums by kind, and the first of each list, the largest first."""

    used_bytes: Annotated[int, From("use.used_space")]
    quota_bytes: Annotated[int, From("use.allocated_space")]
    photos_bytes: Annotated[int, From("use.photos")]
    videos_bytes: Annotated[int, From("use.videos")]
    audio_bytes: Annotated[int, From("use.audio")]
    documents_bytes: Annotated[int, From("use.documents")]
    old_versions_bytes: Annotated[int, From("use.old_versions")]
    trash_bytes: Annotated[int, From("use.trash")]
    is_estimate: Annotated[bool, From("use.is_estimate")]
    kept: Annotated[list[KeptRecord], From("use.kept")]
    largest: Annotated[list[ObjectRecord], From(lambda report: list(map(object_record, report.largest)))]
    duplicates: list[CopiesRecord]
    old_versions: Annotated[list[OldVersionsRecord], From(_old_versions)]


@account.command(
    "storage", "skyshelf account storage", "skyshelf account storage --top 50 --json", record=StorageRecord
)
@number_option("--top", 1, 100, default=10, help="Number of entries per list.")
def account_storage(*, session: CommandSession, top: int) -> None:
    """Show what takes up space.

    Lists the largest files, files with the same content, files with earlier versions, and what else is kept, with its
    limits. To free space: `skyshelf rm`, `skyshelf trash empty`, or the storage page of the web client.
    """
    record = StorageRecord.of(session.client.account.storage(limit=top))
    session.out.record(record, _storage_lines(record))


def _storage_lines(record: StorageRecord) -> Iterator[str]:
    about = "about " if record.is_estimate else ""
    yield f"{about}{format_size(record.used_bytes)} of {format_size(record.quota_bytes)} used"
    parts = {
        "photos": record.photos_bytes,
        "videos": record.videos_bytes,
        "audio": record.audio_bytes,
        "documents": record.documents_bytes,
        "earlier versions": record.old_versions_bytes,
        "trash": record.trash_bytes,
    }
    yield from table([(f"  {name}", format_size(size)) for name, size in parts.items()])
    if record.largest:
        yield from ("", "Largest files")
        yield from table([(f"  {format_size(one.size_bytes or 0)}", *_named(one)) for one in record.largest])
    if record.duplicates:
        yield from ("", "Same content")
        for group in record.duplicates:
            spare = format_size(group.size_bytes * (len(group.files) - 1))
            copies, each = format_count(len(group.files), "file"), format_size(group.size_bytes)
            yield f"  {copies} of {each}; {spare} could be freed"
            yield from table([(f"    {name}", key) for name, key in map(_named, group.files)])
    if record.old_versions:
        yield from ("", "Earlier versions")
        yield from table(
            (f"  {format_size(one.size_bytes)}", format_count(one.versions, "version"), *_named(one.file))
            for one in record.old_versions
        )
    if record.kept:
        yield from ("", "Limits")
        rows = (kept_row(visible(one.kind), one.used, one.limit, one.is_bytes) for one in record.kept)
        yield from table([(f"  {words}", amount) for words, amount in rows])


def _named(one: ObjectRecord) -> tuple[str, str]:
    return visible(one.name), f"{KEY}{one.object_key}"

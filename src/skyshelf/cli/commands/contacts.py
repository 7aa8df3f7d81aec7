"""`skyshelf contacts`: the address book."""

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import click

from skyshelf.cli.base.account_records import ContactRecord, EmailRecord, ImportRecord, UnreadCardRecord
from skyshelf.cli.base.errors import CommandFailed
from skyshelf.cli.base.groups import ListingGroup
from skyshelf.cli.base.output import table
from skyshelf.cli.base.params import format_count
from skyshelf.cli.base.prompts import confirm, yes_option
from skyshelf.cli.base.session import ClientCommand, CommandSession
from skyshelf.cli.base.targets import KEY, target
from skyshelf.cli.base.text import visible
from skyshelf.wire.client_errors import CONFLICT_ERROR, INVALID_REQUEST_ERROR, OBJECT_NOT_FOUND_ERROR
from skyshelf.wire.resources.contacts import Contact, ContactMailbox, ContactPhone


@click.group("contacts", cls=ListingGroup)
def contacts() -> None:
    """Manage the address book."""


def _record(one: Contact) -> ContactRecord:
    return ContactRecord(
        contact_id=one.contact_id,
        name=one.display_name,
        emails=[mail.email_id for mail in one.emails or () if mail.email_id],
        phones=[phone.number for phone in one.phones or () if phone.number],
    )


@contacts.command("ls", cls=ClientCommand, record=ContactRecord, many=True, example="skyshelf contacts ls")
@click.option("--all", "include_inactive", is_flag=True, help="Include inactive contacts.")
def contacts_ls(*, session: CommandSession, include_inactive: bool) -> None:
    """List contacts."""

    def lines(found: Iterable[Contact]) -> Iterator[str]:
        records = map(_record, found)
        yield from table(
            (visible(one.name or ""), visible(", ".join(one.emails)), visible(", ".join(one.phones))) for one in records
        )

    session.out.records(
        session.client.contacts.list(only_active=not include_inactive),
        _record,
        lines,
        empty="The address book is empty.",
    )


@contacts.command("emails", cls=ClientCommand, record=EmailRecord, many=True, example="skyshelf contacts emails")
def contacts_emails(*, session: CommandSession) -> None:
    """List all contacts' email addresses."""
    session.out.records(
        session.client.contacts.emails(),
        lambda one: EmailRecord(email=one.email_id, name=one.display_name),
        lambda found: table((visible(one.email_id or ""), visible(one.display_name or "")) for one in found),
    )


def _contact_id(session: CommandSession, text: str) -> str:
    """The key of the contact with that name or key."""
    if text.startswith(KEY):
        return target(text)
    found = [one.contact_id for one in session.client.contacts.list() if one.display_name == text and one.contact_id]
    if not found:
        raise CommandFailed(
            f"no contact named {text!r}: `skyshelf contacts ls` lists them", OBJECT_NOT_FOUND_ERROR.exit_code
        )
    if len(found) > 1:
        keys = ", ".join(KEY + one for one in found)
        raise CommandFailed(f"{len(found)} contacts are named {text!r}; use a key: {keys}", CONFLICT_ERROR.exit_code)
    return found[0]


_email_option = click.option("--email", "emails", multiple=True, help="An email address; may be repeated.")
_phone_option = click.option("--phone", "phones", multiple=True, help="A phone number; may be repeated.")


def _contact(name: str | None, emails: tuple[str, ...], phones: tuple[str, ...]) -> Contact:
    return Contact(
        display_name=name,
        emails=[ContactMailbox(email_id=one) for one in emails] or None,
        phones=[ContactPhone(number=one) for one in phones] or None,
    )


@contacts.command(
    "add", cls=ClientCommand, record=ContactRecord, example="skyshelf contacts add Grace --email grace@example.org"
)
@click.argument("name")
@_email_option
@_phone_option
def contacts_add(*, session: CommandSession, name: str, emails: tuple[str, ...], phones: tuple[str, ...]) -> None:
    """Add a contact."""
    added = session.client.contacts.add(_contact(name, emails, phones))
    session.out.record(_record(added), [f"{KEY}{added.contact_id}"])


@contacts.command(
    "edit", cls=ClientCommand, record=ContactRecord, example="skyshelf contacts edit Grace --phone '+1 555 0100'"
)
@click.argument("contact")
@click.option("--name", help="New name.")
@_email_option
@_phone_option
def contacts_edit(
    *, session: CommandSession, contact: str, name: str | None, emails: tuple[str, ...], phones: tuple[str, ...]
) -> None:
    """Edit a contact. New addresses or numbers replace the old ones; everything else stays unchanged."""
    if name is None and not emails and not phones:
        raise click.UsageError("nothing to change: use --name, --email or --phone")
    key = _contact_id(session, contact)
    known = next((one for one in session.client.contacts.list() if one.contact_id == key), None)
    if known is None:
        raise CommandFailed(
            f"no contact {contact}: `skyshelf contacts ls` lists them", OBJECT_NOT_FOUND_ERROR.exit_code
        )
    new = _contact(name, emails, phones)
    edited = session.client.contacts.edit(
        key,
        Contact(
            display_name=new.display_name or known.display_name,
            first_name=known.first_name,
            last_name=known.last_name,
            emails=new.emails or known.emails,
            phones=new.phones or known.phones,
        ),
    )
    session.out.record(_record(edited), [visible(edited.display_name or "")])


@contacts.command("delete", cls=ClientCommand, example="skyshelf contacts delete Grace")
@click.argument("names", nargs=-1, required=True, metavar="CONTACT...")
@yes_option
def contacts_delete(*, session: CommandSession, names: tuple[str, ...], yes: bool) -> None:
    """Delete contacts."""
    keys = [_contact_id(session, name) for name in names]
    if not yes:
        confirm(f"Delete {format_count(len(keys), 'contact')}?")
    deleted = session.client.contacts.remove(keys)
    if len(deleted) < len(keys):
        raise CommandFailed(
            f"{len(keys) - len(deleted):,} of {len(keys):,} no longer existed; the rest were deleted",
            OBJECT_NOT_FOUND_ERROR.exit_code,
        )
    session.out.note(f"Deleted {format_count(len(deleted), 'contact')}.")


@contacts.command("import", cls=ClientCommand, record=ImportRecord, example="skyshelf contacts import address-book.vcf")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, allow_dash=True, path_type=Path))
def contacts_import(*, session: CommandSession, file: Path) -> None:
    """Import contacts from a vCard file; - reads standard input."""
    data = sys.stdin.buffer.read() if str(file) == "-" else file.read_bytes()
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("latin-1")  # the encoding of older address books
    imported = session.client.contacts.import_vcards(text)
    unread = imported.unprocessed or []
    count = len(imported.contacts or ())
    session.out.record(
        ImportRecord(
            imported=count,
            unread=[UnreadCardRecord(card=one.card, message=one.error_message) for one in unread],
        )
    )
    session.out.note(f"Imported {format_count(count, 'contact')}.")
    for one in unread:
        session.out.problem(f"card {one.card}: {one.error_message}")
    if unread:
        raise CommandFailed(
            f"{format_count(len(unread), 'card')} could not be read; see above", INVALID_REQUEST_ERROR.exit_code
        )


@contacts.command("export", cls=ClientCommand, example="skyshelf contacts export address-book.vcf")
@click.argument("file", type=click.Path(dir_okay=False, writable=True, path_type=Path), required=False)
@click.option("--overwrite", is_flag=True, help="Replace an existing file.")
def contacts_export(*, session: CommandSession, file: Path | None, overwrite: bool) -> None:
    """Export all contacts as vCards to a file, or to standard output."""
    if file is None:
        for page in session.client.contacts.export_vcards():
            # A file or a pipe gets the cards as they are; a terminal must not act on them.
            sys.stdout.write("\n".join(map(visible, page.splitlines())) + "\n" if session.out.is_terminal else page)
        return
    if file.exists() and not overwrite:
        raise CommandFailed(
            f"{file} already exists: choose another file, or replace it with --overwrite", CONFLICT_ERROR.exit_code
        )
    text = "".join(session.client.contacts.export_vcards())
    file.write_text(text, encoding="utf-8", newline="")
    session.out.note(f"Exported {format_count(text.count('BEGIN:VCARD'), 'contact')} to {file}.")

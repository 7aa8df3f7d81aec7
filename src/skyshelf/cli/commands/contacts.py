"""`skyshelf contacts`: the address book."""

import sys
from pathlib import Path
from typing import Annotated

import click

from skyshelf.cli.base.errors import Conflict, InvalidRequest, NotFound
from skyshelf.cli.base.output import Row
from skyshelf.cli.base.prompts import confirm, yes_option
from skyshelf.cli.base.session import ClientListing, CommandSession
from skyshelf.cli.base.targets import KEY, by_name, target
from skyshelf.cli.base.text import format_count, visible
from skyshelf.wire.projection import From, Projection
from skyshelf.wire.resources.contacts import Contact, ContactMailbox, ContactPhone


@click.group("contacts", cls=ClientListing)
def contacts() -> None:
    """Manage the address book."""


class ContactRecord(Projection, frozen=True, kw_only=True):
    """A person in the address book."""

    contact_id: str | None
    name: Annotated[str | None, From("display_name")]
    emails: Annotated[list[str], From("addresses")]
    phones: Annotated[list[str], From("numbers")]


@contacts.command("ls", "skyshelf contacts ls", records=ContactRecord)
@click.option("--all", "include_inactive", is_flag=True, help="Include inactive contacts.")
def contacts_ls(*, session: CommandSession, include_inactive: bool) -> None:
    """List contacts."""

    def row(one: Contact) -> Row:
        return visible(one.display_name or ""), visible(", ".join(one.addresses)), visible(", ".join(one.numbers))

    found = session.client.contacts.list(only_active=not include_inactive)
    session.out.rows(found, ContactRecord.of, row, empty="The address book is empty.")


class EmailRecord(Projection, frozen=True, kw_only=True):
    """An email address in the address book."""

    email: Annotated[str | None, From("email_id")]
    name: Annotated[str | None, From("display_name")]


@contacts.command("emails", "skyshelf contacts emails", records=EmailRecord)
def contacts_emails(*, session: CommandSession) -> None:
    """List all contacts' email addresses."""
    session.out.rows(
        session.client.contacts.emails(),
        EmailRecord.of,
        lambda one: (visible(one.email_id or ""), visible(one.display_name or "")),
    )


def _contact_id(session: CommandSession, text: str) -> str:
    """The key of the contact with that name or key."""
    if text.startswith(KEY):
        return target(text)
    found = [one.contact_id for one in session.client.contacts.list() if one.display_name == text and one.contact_id]
    return by_name(found, text, "contact", listing="contacts ls", key=str)


_email_option = click.option("--email", "emails", multiple=True, help="An email address; may be repeated.")
_phone_option = click.option("--phone", "phones", multiple=True, help="A phone number; may be repeated.")


def _contact(name: str | None, emails: tuple[str, ...], phones: tuple[str, ...]) -> Contact:
    return Contact(
        display_name=name,
        emails=[ContactMailbox(email_id=one) for one in emails] or None,
        phones=[ContactPhone(number=one) for one in phones] or None,
    )


@contacts.command("add", "skyshelf contacts add Grace --email grace@example.org", record=ContactRecord)
@click.argument("name")
@_email_option
@_phone_option
def contacts_add(*, session: CommandSession, name: str, emails: tuple[str, ...], phones: tuple[str, ...]) -> None:
    """Add a contact."""
    added = session.client.contacts.add(_contact(name, emails, phones))
    session.out.record(ContactRecord.of(added), [f"{KEY}{added.contact_id}"])


@contacts.command("edit", "skyshelf contacts edit Grace --phone '+1 555 0100'", record=ContactRecord)
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
        raise NotFound(f"no contact {contact}: `skyshelf contacts ls` lists them")
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
    session.out.record(ContactRecord.of(edited), [visible(edited.display_name or "")])


@contacts.command("delete", "skyshelf contacts delete Grace")
@click.argument("names", nargs=-1, required=True, metavar="CONTACT...")
@yes_option
def contacts_delete(*, session: CommandSession, names: tuple[str, ...], yes: bool) -> None:
    """Delete contacts."""
    keys = [_contact_id(session, name) for name in names]
    confirm(f"Delete {format_count(len(keys), 'contact')}?", yes=yes)
    deleted = session.client.contacts.remove(keys)
    if len(deleted) < len(keys):
        raise NotFound(f"{len(keys) - len(deleted):,} of {len(keys):,} no longer existed; the rest were deleted")
    session.out.note(f"Deleted {format_count(len(deleted), 'contact')}.")


class UnreadCardRecord(Projection, frozen=True, kw_only=True):
    """A card that could not be read, and why."""

    card: int | None
    message: Annotated[str | None, From("error_message")]


class ImportRecord(Projection, frozen=True, kw_only=True):
    """The result of importing a vCard file; cards are numbered from 1."""

    imported: Annotated[int, From(lambda result: len(result.contacts or ()))]
    unread: Annotated[list[UnreadCardRecord], From("unprocessed")]


@contacts.command("import", "skyshelf contacts import address-book.vcf", record=ImportRecord)
@click.argument("file", type=click.Path(exists=True, dir_okay=False, allow_dash=True, path_type=Path))
def contacts_import(*, session: CommandSession, file: Path) -> None:
    """Import contacts from a vCard file; - reads standard input."""
    data = sys.stdin.buffer.read() if str(file) == "-" else file.read_bytes()
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("latin-1")  # the encoding of older address books
    imported = session.client.contacts.import_vcards(text)
    record = ImportRecord.of(imported)
    session.out.record(record)
    session.out.note(f"Imported {format_count(record.imported, 'contact')}.")
    for one in record.unread:
        session.out.problem(f"card {one.card}: {one.message}")
    if record.unread:
        raise InvalidRequest(f"{format_count(len(record.unread), 'card')} could not be read; see above")


@contacts.command("export", "skyshelf contacts export address-book.vcf")
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
        raise Conflict(f"{file} already exists: choose another file, or replace it with --overwrite")
    text = "".join(session.client.contacts.export_vcards())
    file.write_text(text, encoding="utf-8", newline="")
    session.out.note(f"Exported {format_count(text.count('BEGIN:VCARD'), 'contact')} to {file}.")

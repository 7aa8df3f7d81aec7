"""`skyshelf contacts`: the address book."""

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import click

from skyshelf.cli.base.errors import CommandFailed
from skyshelf.cli.base.groups import ListingGroup
from skyshelf.cli.base.output import table
from skyshelf.cli.base.params import counted
from skyshelf.cli.base.prompts import confirmed, yes_option
from skyshelf.cli.base.records import ContactRecord, EmailRecord, ImportRecord, UnreadCardRecord
from skyshelf.cli.base.session import ClientCommand, Session
from skyshelf.cli.base.targets import KEY, target
from skyshelf.cli.base.text import visible
from skyshelf.wire.client_errors import CONFLICT_ERROR, INVALID_REQUEST_ERROR, OBJECT_NOT_FOUND_ERROR
from skyshelf.wire.resources.contacts import Contact, ContactMailbox, ContactPhone


@click.group("contacts", cls=ListingGroup)
def contacts() -> None:
    """The address book: who is in it."""


def _record(one: Contact) -> ContactRecord:
    return ContactRecord(
        contact_id=one.contact_id,
        name=one.display_name,
        emails=[mail.email_id for mail in one.emails or () if mail.email_id],
        phones=[phone.number for phone in one.phones or () if phone.number],
    )


@contacts.command("ls", cls=ClientCommand, record=ContactRecord, many=True, example="skyshelf contacts ls")
@click.option("--all", "everybody", is_flag=True, help="Those who are not active any more too.")
def contacts_ls(*, session: Session, everybody: bool) -> None:
    """List the contacts."""

    def lines(found: Iterable[Contact]) -> Iterator[str]:
        shown = map(_record, found)
        yield from table(
            (visible(one.name or ""), visible(", ".join(one.emails)), visible(", ".join(one.phones))) for one in shown
        )

    session.out.many(
        session.client.contacts.list(only_active=not everybody), _record, lines, none="The address book is empty."
    )


@contacts.command("emails", cls=ClientCommand, record=EmailRecord, many=True, example="skyshelf contacts emails")
def contacts_emails(*, session: Session) -> None:
    """List the e-mail addresses of the contacts."""
    session.out.many(
        session.client.contacts.emails(),
        lambda one: EmailRecord(email=one.email_id, name=one.display_name),
        lambda found: table((visible(one.email_id or ""), visible(one.display_name or "")) for one in found),
    )


def _contact_id(session: Session, text: str) -> str:
    """The key of a contact that is named by its name or its key."""
    if text.startswith(KEY):
        return target(text)
    found = [one.contact_id for one in session.client.contacts.list() if one.display_name == text and one.contact_id]
    if not found:
        raise CommandFailed(
            f"nobody is called {text!r}: `skyshelf contacts` lists them", OBJECT_NOT_FOUND_ERROR.exit_code
        )
    if len(found) > 1:
        keys = ", ".join(KEY + one for one in found)
        raise CommandFailed(f"{len(found)} contacts are called {text!r}: {keys}", CONFLICT_ERROR.exit_code)
    return found[0]


_email_option = click.option("--email", "emails", multiple=True, help="An e-mail address; may be given again.")
_phone_option = click.option("--phone", "phones", multiple=True, help="A telephone number; may be given again.")


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
def contacts_add(*, session: Session, name: str, emails: tuple[str, ...], phones: tuple[str, ...]) -> None:
    """Put somebody into the address book."""
    added = session.client.contacts.add(_contact(name, emails, phones))
    session.out.one(_record(added), [f"{KEY}{added.contact_id}"])


@contacts.command(
    "edit", cls=ClientCommand, record=ContactRecord, example="skyshelf contacts edit Grace --phone '+1 555 0100'"
)
@click.argument("contact")
@click.option("--name", help="What they are called from now on.")
@_email_option
@_phone_option
def contacts_edit(
    *, session: Session, contact: str, name: str | None, emails: tuple[str, ...], phones: tuple[str, ...]
) -> None:
    """Change a contact; what is not named stays, and addresses or numbers that are named replace the old ones."""
    if name is None and not emails and not phones:
        raise click.UsageError("say what to change: --name, --email or --phone")
    key = _contact_id(session, contact)
    known = next((one for one in session.client.contacts.list() if one.contact_id == key), None)
    if known is None:
        raise CommandFailed(f"there is no contact {contact}", OBJECT_NOT_FOUND_ERROR.exit_code)
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
    session.out.one(_record(edited), [visible(edited.display_name or "")])


@contacts.command("rm", cls=ClientCommand, example="skyshelf contacts rm Grace")
@click.argument("names", nargs=-1, required=True, metavar="CONTACT...")
@yes_option
def contacts_rm(*, session: Session, names: tuple[str, ...], yes: bool) -> None:
    """Remove contacts."""
    keys = [_contact_id(session, name) for name in names]
    if not yes:
        confirmed(f"Remove {counted(len(keys), 'contact')}?")
    gone = session.client.contacts.remove(keys)
    if len(gone) < len(keys):
        raise CommandFailed(
            f"{len(keys) - len(gone)} of {len(keys)} were not there any more", OBJECT_NOT_FOUND_ERROR.exit_code
        )
    session.out.note(f"{counted(len(gone), 'contact')} removed.")


@contacts.command("import", cls=ClientCommand, record=ImportRecord, example="skyshelf contacts import address-book.vcf")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, allow_dash=True, path_type=Path))
def contacts_import(*, session: Session, file: Path) -> None:
    """Add a contact for every card of a vCard file; - reads standard input."""
    data = sys.stdin.buffer.read() if str(file) == "-" else file.read_bytes()
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("latin-1")  # what address books wrote before
    imported = session.client.contacts.import_vcards(text)
    unread = imported.unprocessed or []
    count = len(imported.contacts or ())
    session.out.one(
        ImportRecord(
            imported=count,
            unread=[UnreadCardRecord(card=one.card, message=one.error_message) for one in unread],
        )
    )
    session.out.note(f"{counted(count, 'contact')} imported.")
    for one in unread:
        session.out.problem(f"card {one.card}: {one.error_message}")
    if unread:
        raise CommandFailed(f"{counted(len(unread), 'card')} could not be read", INVALID_REQUEST_ERROR.exit_code)


@contacts.command("export", cls=ClientCommand, example="skyshelf contacts export address-book.vcf")
@click.argument("file", type=click.Path(dir_okay=False, writable=True, path_type=Path), required=False)
@click.option("--overwrite", is_flag=True, help="Write over a file that is there.")
def contacts_export(*, session: Session, file: Path | None, overwrite: bool) -> None:
    """Write all contacts as vCards to a file, or to standard output."""
    if file is None:
        for page in session.client.contacts.export_vcards():
            sys.stdout.write(page)
        return
    if file.exists() and not overwrite:
        raise CommandFailed(f"{file} is there already: say --overwrite, or another name", CONFLICT_ERROR.exit_code)
    text = "".join(session.client.contacts.export_vcards())
    file.write_text(text, encoding="utf-8", newline="")
    session.out.note(f"{counted(text.count('BEGIN:VCARD'), 'contact')} written to {file}.")

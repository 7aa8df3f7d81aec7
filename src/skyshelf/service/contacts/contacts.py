"""Contacts: listing, editing, importing and exporting an account's address book."""

from typing import Final

import msgspec

from skyshelf.service.audit import kinds, new_event
from skyshelf.service.contacts.vcards import CardError, card_of, cards_in, contact_of
from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.errors import ServiceError, canonical_key, codes, missing_as, valid_keys
from skyshelf.service.pages import after_bytes, cursor_after, raw_objects
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire.limits import CONTACT_BYTES_MAX, VCARD_CARDS_MAX
from skyshelf.wire.resources import contacts as wire
from skyshelf.wire.sizes import format_size

_TOO_LARGE: Final = f"A contact can have at most {format_size(CONTACT_BYTES_MAX)}; its name counts for each address"


def contacts_page(
    ctx: ServiceContext, caller: Caller, query: wire.ContactsQuery, paging: wire.ContactsHeaders
) -> wire.ContactList:
    """Return a page of contacts; for an account without contacts the list is absent."""
    with ctx.metadata.read() as unit:
        page = unit.contacts.page(
            caller.account_id,
            only_active=query.only_active,
            changed_after=query.changed_after_ms,
            limit=paging.chunk_size,
            offset=paging.offset,
        )
        if not page and not unit.contacts.page(caller.account_id, limit=1):
            return wire.ContactList()
    return wire.ContactList(contacts=raw_objects(page))


def contact_emails(ctx: ServiceContext, caller: Caller, paging: wire.ContactsHeaders) -> wire.ContactEmailList:
    """Return a page of email addresses, ordered by the name of the contact."""
    with ctx.metadata.read() as unit:
        emails = unit.contacts.emails(caller.account_id, limit=paging.chunk_size, offset=paging.offset)
    return wire.ContactEmailList(contact_email=emails)


def add_contact(ctx: ServiceContext, caller: Caller, request: wire.ContactRequest) -> wire.Contact:
    now, key, contact = ctx.clock.now(), ctx.new_key(), _contact(request)
    (added,) = ctx.metadata.write(lambda unit: unit.contacts.add(caller.account_id, {key: contact}, now))
    return added


def edit_contact(ctx: ServiceContext, caller: Caller, contact_key: str, request: wire.ContactRequest) -> wire.Contact:
    """Replace all of a contact."""
    now, contact = ctx.clock.now(), _contact(request)
    with missing_as(codes.CONTACT_NOT_FOUND):
        return ctx.write_as(caller, lambda unit: unit.contacts.edit(caller.account_id, contact_key, contact, now))


def remove_contacts(ctx: ServiceContext, caller: Caller, request: wire.ContactRemoval) -> wire.ContactRemovals:
    """Remove contacts; unknown ones are returned as unprocessed."""
    now, keys = ctx.clock.now(), valid_keys(request.contact_ids)
    event = new_event(ctx, kinds.CONTACTS_DELETED, caller)

    def work(unit: Unit) -> list[str]:
        gone = unit.contacts.remove(caller.account_id, keys, now)
        if gone:
            unit.audit.add([msgspec.structs.replace(event, times=len(gone))])
        return gone

    gone = ctx.write_as(caller, work)
    row, done = codes.CONTACT_NOT_FOUND, set(gone)
    return wire.ContactRemovals(
        contact_ids=gone,
        unprocessed=[
            wire.UnprocessedContact(contact_id=canonical_key(key), error_message=row.message, error_code=row.code)
            for key in request.contact_ids
            if key.upper() not in done
        ],
    )


def import_contacts(ctx: ServiceContext, caller: Caller, request: wire.VcardImport) -> wire.ImportedContacts:
    """Add a contact for every readable card in one transaction, and report the others."""
    now = ctx.clock.now()
    read: dict[str, wire.Contact] = {}
    unread: list[wire.UnreadCard] = []
    for card in cards_in(request.vcards):
        if card.number > VCARD_CARDS_MAX:
            raise ServiceError(
                codes.BODY_TOO_LARGE, f"An import can have at most {VCARD_CARDS_MAX} cards: split the file"
            )
        try:
            contact = contact_of(card)
            if _bytes_of(contact) > CONTACT_BYTES_MAX:
                raise CardError(_TOO_LARGE)  # noqa: TRY301 - reported like every other card that cannot be imported
        except CardError as error:
            unread.append(
                wire.UnreadCard(card=card.number, error_message=str(error), error_code=codes.CARD_UNREADABLE.code)
            )
        else:
            read[ctx.new_key()] = contact
    if not read and not unread:
        raise ServiceError(codes.INVALID_REQUEST, "No card found: a card begins with BEGIN:VCARD")
    added = ctx.metadata.write(lambda unit: unit.contacts.add(caller.account_id, read, now))
    return wire.ImportedContacts(contacts=added, unprocessed=unread)


def export_contacts(ctx: ServiceContext, caller: Caller, query: wire.VcardQuery) -> wire.VcardExport:
    """Return a page of contacts as cards, ordered by name."""
    after = after_bytes(query.cursor)
    with ctx.metadata.read() as unit:
        found = unit.contacts.following(caller.account_id, limit=query.limit, after=after)
    return wire.VcardExport(
        vcards="".join(card_of(contact) for contact, _ in found),
        count=len(found),
        next_cursor=cursor_after([place for _, place in found], query.limit),
    )


def _bytes_of(contact: wire.Contact) -> int:
    """Return a contact's size in the database, where every address has a row with the name and its sort key."""
    name = len((contact.display_name or "").encode())
    return len(msgspec.json.encode(contact)) + sum(
        2 * name + len((one.email_id or "").encode()) for one in contact.emails or ()
    )


def _contact(request: wire.ContactRequest) -> wire.Contact:
    mails, phones = request.emails or [], request.phones or []
    names = " ".join(name for name in (request.first_name, request.last_name) if name)
    shown = [request.display_name, names, *(one.email_id for one in mails), *(one.number for one in phones)]
    contact = wire.Contact(
        display_name=next(name for name in shown if name),
        first_name=request.first_name,
        last_name=request.last_name,
        emails=[wire.ContactMailbox(email_id=one.email_id, type=one.type) for one in mails] or None,
        phones=[wire.ContactPhone(number=one.number, type=one.type) for one in phones] or None,
    )
    if _bytes_of(contact) > CONTACT_BYTES_MAX:
        raise ServiceError(codes.INVALID_REQUEST, _TOO_LARGE)
    return contact

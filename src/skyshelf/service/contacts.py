"""Contacts: pages of an account's address book."""

from skyshelf.service.encoded_answers import as_stored
from skyshelf.service.house import Caller, House
from skyshelf.wire.resources.contacts import ContactEmailList, ContactList, ContactsHeaders, ContactsQuery


def contacts_page(house: House, caller: Caller, query: ContactsQuery, paging: ContactsHeaders) -> ContactList:
    """A page of contacts; an account that has none at all does not even have a list of them."""
    with house.metadata.read() as unit:
        page = unit.contacts.page(
            caller.account_id,
            only_active=query.only_active,
            changed_after=query.changed_after_ms,
            limit=paging.chunk_size,
            offset=paging.offset,
        )
        if not page and not unit.contacts.page(caller.account_id, limit=1):
            return ContactList()
    return ContactList(contacts=as_stored(page))


def contact_emails(house: House, caller: Caller, paging: ContactsHeaders) -> ContactEmailList:
    """A page of addresses, by the name of the contact."""
    with house.metadata.read() as unit:
        emails = unit.contacts.emails(caller.account_id, limit=paging.chunk_size, offset=paging.offset)
    return ContactEmailList(contact_email=emails)

"""The address book."""

from collections.abc import AsyncIterator, Iterable
from functools import partial

from skyshelf.client import contacts
from skyshelf.client.beyond import beyond
from skyshelf.client.calls.base import Calls
from skyshelf.client.contacts import CHUNK as CONTACTS_AT_ONCE
from skyshelf.client.requests import built
from skyshelf.wire.endpoints.contacts import ADD_CONTACT, EDIT_CONTACT, IMPORT_CONTACTS
from skyshelf.wire.resources.contacts import Contact, ContactEmail, ImportedContacts, VcardImport
from skyshelf.wire.times import PAGE_DATE_DEFAULT


class ContactCalls(Calls):
    """The address book."""

    async def add_contact(self, contact: Contact) -> Contact:
        """Put somebody into the address book: names, addresses and numbers; the rest is the server's to say."""
        with beyond(contacts.WHAT):
            return await self._engine.call(ADD_CONTACT, Contact, body=contacts.request_of(contact))

    async def edit_contact(self, contact_id: str, contact: Contact) -> Contact:
        """Replace all of a contact."""
        keys = {"contact_key": contact_id}
        with beyond(contacts.WHAT):
            return await self._engine.call(EDIT_CONTACT, Contact, body=contacts.request_of(contact), keys=keys)

    async def remove_contacts(self, contact_ids: Iterable[str]) -> list[str]:
        """Remove contacts; the keys of those that were there."""
        return await contacts.remove(self._engine, list(contact_ids))

    async def import_contacts(self, vcards: str) -> ImportedContacts:
        """Add a contact for every card of a vCard file; what became of each."""
        with beyond(contacts.WHAT):
            return await self._engine.call(
                IMPORT_CONTACTS, ImportedContacts, body=built(partial(VcardImport, vcards=vcards))
            )

    async def export_contacts(self) -> AsyncIterator[str]:
        """All contacts as vCards, page by page; together they are one file."""
        async for found in contacts.export(self._engine):
            yield found

    async def contacts(
        self, *, only_active: bool = True, changed_after: str = PAGE_DATE_DEFAULT, chunk_size: int = CONTACTS_AT_ONCE
    ) -> AsyncIterator[Contact]:
        """Every contact; `changed_after` has the form yyyy-MM-dd HH:mm:ss.SSSSSS."""
        async for found in contacts.contacts(
            self._engine, only_active=only_active, changed_after=changed_after, chunk_size=chunk_size
        ):
            yield found

    async def contact_emails(self, *, chunk_size: int = CONTACTS_AT_ONCE) -> AsyncIterator[ContactEmail]:
        """Every e-mail address of the contacts."""
        async for found in contacts.emails(self._engine, chunk_size=chunk_size):
            yield found

"""The address book."""

from collections.abc import AsyncIterator

from skyshelf.client import (
    contacts,
)
from skyshelf.client.calls.base import Calls
from skyshelf.client.contacts import CHUNK as CONTACTS_AT_ONCE
from skyshelf.wire.contacts import Contact, ContactEmail
from skyshelf.wire.times import PAGE_DATE_DEFAULT


class ContactCalls(Calls):
    """The address book."""

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

"""The address book."""

from collections.abc import AsyncIterator, Awaitable, Callable, Hashable, Iterable
from functools import partial
from typing import Final, TypeVar

from skyshelf.client.api import Calls
from skyshelf.client.engine.capabilities import beyond
from skyshelf.client.engine.engine import Engine
from skyshelf.client.engine.pagination import walk
from skyshelf.client.engine.requests import build_request_model
from skyshelf.client.errors import BrokenListingError
from skyshelf.wire.endpoints.contacts import (
    ADD_CONTACT,
    CONTACT_EMAILS,
    CONTACTS,
    EDIT_CONTACT,
    EXPORT_CONTACTS,
    IMPORT_CONTACTS,
    REMOVE_CONTACTS,
)
from skyshelf.wire.limits import BATCH_ENTRIES_MAX
from skyshelf.wire.resources.contacts import (
    Contact,
    ContactEmail,
    ContactEmailList,
    ContactList,
    ContactRemoval,
    ContactRemovals,
    ContactRequest,
    ContactsHeaders,
    ContactsQuery,
    ImportedContacts,
    MailboxEntry,
    PhoneEntry,
    VcardExport,
    VcardImport,
    VcardQuery,
)
from skyshelf.wire.times import PAGE_DATE_DEFAULT

# The address book, paged by headers to its end.

WHAT: Final = "contacts that can be changed: it only shows them"

CHUNK: Final = 500
"""Contacts that are asked for at once."""

_Item = TypeVar("_Item")


async def contacts(
    engine: Engine, *, only_active: bool = True, changed_after: str = PAGE_DATE_DEFAULT, chunk_size: int = CHUNK
) -> AsyncIterator[Contact]:
    """Every contact."""
    query = ContactsQuery(only_active=only_active, next_page_date=changed_after)

    async def fetch(offset: int) -> list[Contact]:
        headers = ContactsHeaders(offset=offset, chunk_size=chunk_size)
        return (await engine.call(CONTACTS, ContactList, query=query, headers=headers)).contacts or []

    async for each in _to_the_end(fetch, _contact_mark, chunk_size):
        yield each


def request_of(contact: Contact) -> ContactRequest:
    """What is sent of a contact: what a person can say of another."""
    return build_request_model(
        lambda: ContactRequest(
            display_name=contact.display_name,
            first_name=contact.first_name,
            last_name=contact.last_name,
            emails=[MailboxEntry(email_id=one.email_id or "", type=one.type) for one in contact.emails or ()] or None,
            phones=[PhoneEntry(number=one.number or "", type=one.type) for one in contact.phones or ()] or None,
        )
    )


async def remove(engine: Engine, contact_ids: list[str]) -> list[str]:
    """Remove contacts; the keys of those that were there."""
    gone: list[str] = []
    for start in range(0, len(contact_ids), BATCH_ENTRIES_MAX):
        body = ContactRemoval(contact_ids=contact_ids[start : start + BATCH_ENTRIES_MAX])
        with beyond(WHAT):
            gone += (await engine.call(REMOVE_CONTACTS, ContactRemovals, body=body)).contact_ids or []
    return gone


async def export(engine: Engine) -> AsyncIterator[str]:
    """All contacts as vCards."""

    async def fetch(cursor: str | None) -> tuple[list[str], str | None]:
        with beyond(WHAT):
            page = await engine.call(EXPORT_CONTACTS, VcardExport, query=VcardQuery(cursor=cursor))
        return [page.vcards] if page.vcards else [], page.next_cursor

    async for found in walk(fetch):
        yield found


async def emails(engine: Engine, *, chunk_size: int = CHUNK) -> AsyncIterator[ContactEmail]:
    """Every e-mail address of the contacts."""

    async def fetch(offset: int) -> list[ContactEmail]:
        headers = ContactsHeaders(offset=offset, chunk_size=chunk_size)
        return (await engine.call(CONTACT_EMAILS, ContactEmailList, headers=headers)).contact_email or []

    async for each in _to_the_end(fetch, lambda each: (each.email_id, each.display_name), chunk_size):
        yield each


def _contact_mark(contact: Contact) -> Hashable:
    if contact.contact_id:
        return contact.contact_id
    return contact.display_name, contact.first_name, contact.last_name, contact.last_updated_date


async def _to_the_end(
    fetch: Callable[[int], Awaitable[list[_Item]]], mark: Callable[[_Item], Hashable], chunk_size: int
) -> AsyncIterator[_Item]:
    """The offset counts what has arrived, so that a server with smaller pages than asked for loses nothing."""
    offset = 0
    before: tuple[Hashable, ...] = ()
    while found := await fetch(offset):
        marks = tuple(map(mark, found))
        if marks == before:
            # A server that ignores the offset: the list is whole where the page could have been longer.
            if len(found) != chunk_size:
                return
            raise BrokenListingError("the server sends the same contacts again and again: the list cannot be completed")
        for each in found:
            yield each
        offset, before = offset + len(found), marks


# The address book.


class ContactCalls(Calls):
    """The address book."""

    async def add_contact(self, contact: Contact) -> Contact:
        """Put somebody into the address book: names, addresses and numbers; the rest is the server's to say."""
        with beyond(WHAT):
            return await self._engine.call(ADD_CONTACT, Contact, body=request_of(contact))

    async def edit_contact(self, contact_id: str, contact: Contact) -> Contact:
        """Replace all of a contact."""
        keys = {"contact_key": contact_id}
        with beyond(WHAT):
            return await self._engine.call(EDIT_CONTACT, Contact, body=request_of(contact), keys=keys)

    async def remove_contacts(self, contact_ids: Iterable[str]) -> list[str]:
        """Remove contacts; the keys of those that were there."""
        return await remove(self._engine, list(contact_ids))

    async def import_contacts(self, vcards: str) -> ImportedContacts:
        """Add a contact for every card of a vCard file; what became of each."""
        with beyond(WHAT):
            return await self._engine.call(
                IMPORT_CONTACTS, ImportedContacts, body=build_request_model(partial(VcardImport, vcards=vcards))
            )

    async def export_contacts(self) -> AsyncIterator[str]:
        """All contacts as vCards, page by page; together they are one file."""
        async for found in export(self._engine):
            yield found

    async def contacts(
        self, *, only_active: bool = True, changed_after: str = PAGE_DATE_DEFAULT, chunk_size: int = CHUNK
    ) -> AsyncIterator[Contact]:
        """Every contact; `changed_after` has the form yyyy-MM-dd HH:mm:ss.SSSSSS."""
        async for found in contacts(
            self._engine, only_active=only_active, changed_after=changed_after, chunk_size=chunk_size
        ):
            yield found

    async def contact_emails(self, *, chunk_size: int = CHUNK) -> AsyncIterator[ContactEmail]:
        """Every e-mail address of the contacts."""
        async for found in emails(self._engine, chunk_size=chunk_size):
            yield found

"""The address book."""

from collections.abc import AsyncIterator, Awaitable, Callable, Hashable, Iterable
from functools import partial
from typing import Final, TypeVar

from skyshelf.client.api.calls import Calls
from skyshelf.client.engine.requests import build_request_model
from skyshelf.client.errors import BrokenListingError, InvalidRequestError
from skyshelf.wire.endpoints.contacts import (
    ADD_CONTACT,
    CONTACT_EMAILS,
    CONTACTS,
    EDIT_CONTACT,
    EXPORT_CONTACTS,
    IMPORT_CONTACTS,
    REMOVE_CONTACTS,
)
from skyshelf.wire.limits import BATCH_ENTRIES_MAX, CONTACTS_CHUNK_DEFAULT
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

CHUNK: Final = CONTACTS_CHUNK_DEFAULT
"""How many contacts one request asks for, as the interface's own client does."""

_FEATURE: Final = "change contacts; it only shows them"
_Item = TypeVar("_Item")


class AsyncContacts(Calls):
    """Your contacts. Changes, import and export are an extension: see `NotOfferedError`.

    Example:
        ```python
        client.contacts.add(Contact(display_name="Grace", emails=[MailboxEntry(email_id="grace@example.org")]))
        print([contact.display_name for contact in client.contacts.list()])
        ```
    """

    async def add(self, contact: Contact) -> Contact:
        """Add a contact.

        Args:
            contact: Names, email addresses and phone numbers; the server sets the other fields.

        Returns:
            The contact with its id.
        """
        unknown = "look for the contact in your list before you add it again"
        return await self._call(ADD_CONTACT, Contact, feature=_FEATURE, body=_request(contact), unknown=unknown)

    async def edit(self, contact_id: str, contact: Contact) -> Contact:
        """Replace a contact.

        Args:
            contact_id: The contact to replace.
            contact: All its names, email addresses and phone numbers.
        """
        keys = {"contact_key": contact_id}
        return await self._call(EDIT_CONTACT, Contact, feature=_FEATURE, body=_request(contact), keys=keys)

    async def remove(self, contact_ids: Iterable[str]) -> list[str]:
        """Remove contacts.

        Args:
            contact_ids: The contacts to remove.

        Returns:
            The ids of those that existed; after a lost response all of them.
        """
        ids, removed = list(contact_ids), []
        for start in range(0, len(ids), BATCH_ENTRIES_MAX):
            removed += await self._remove_part(ids[start : start + BATCH_ENTRIES_MAX])
        return removed

    async def _remove_part(self, ids: list[str]) -> list[str]:
        body = ContactRemoval(contact_ids=ids)

        async def attempt(is_repeated: bool) -> list[str]:
            removals = await self._call(REMOVE_CONTACTS, ContactRemovals, feature=_FEATURE, body=body)
            # After a lost response, those that no longer exist were removed by the first request.
            return ids if is_repeated else removals.contact_ids or []

        return await self._repeating(attempt)

    async def import_vcards(self, vcards: str) -> ImportedContacts:
        """Add a contact for every card of a vCard file.

        Args:
            vcards: The text of the file.

        Returns:
            What happened to each card.
        """
        body = build_request_model(partial(VcardImport, vcards=vcards))
        unknown = "look at your contacts before you import the cards again; all of them were added, or none"
        return await self._call(IMPORT_CONTACTS, ImportedContacts, feature=_FEATURE, body=body, unknown=unknown)

    def export_vcards(self) -> AsyncIterator[str]:
        """Export all contacts as vCards, in parts that form one file when joined."""
        return self._by_cursor(
            EXPORT_CONTACTS,
            VcardExport,
            lambda page: [page.vcards] if page.vcards else None,
            lambda cursor: VcardQuery(cursor=cursor),
            feature=_FEATURE,
        )

    def emails(self, *, chunk_size: int = CHUNK) -> AsyncIterator[ContactEmail]:
        """List the email addresses of all contacts.

        Args:
            chunk_size: How many addresses one request asks for.
        """

        async def fetch(offset: int) -> list[ContactEmail]:
            headers = ContactsHeaders(offset=offset, chunk_size=chunk_size)
            return (await self._call(CONTACT_EMAILS, ContactEmailList, headers=headers)).contact_email or []

        return _by_offset(fetch, lambda entry: (entry.email_id, entry.display_name), chunk_size)

    def list(
        self, *, only_active: bool = True, changed_after: str = PAGE_DATE_DEFAULT, chunk_size: int = CHUNK
    ) -> AsyncIterator[Contact]:
        """List the contacts.

        Args:
            only_active: Leave deleted contacts out.
            changed_after: Only contacts that changed later, as `yyyy-MM-dd HH:mm:ss.SSSSSS`.
            chunk_size: How many contacts one request asks for.
        """
        query = build_request_model(partial(ContactsQuery, only_active=only_active, next_page_date=changed_after))

        async def fetch(offset: int) -> _Contacts:
            headers = ContactsHeaders(offset=offset, chunk_size=chunk_size)
            return (await self._call(CONTACTS, ContactList, query=query, headers=headers)).contacts or []

        return _by_offset(fetch, _identity, chunk_size)


_Contacts = list[Contact]


def _request(contact: Contact) -> ContactRequest:
    """The fields that a person can set."""
    return build_request_model(
        lambda: ContactRequest(
            display_name=contact.display_name,
            first_name=contact.first_name,
            last_name=contact.last_name,
            emails=[MailboxEntry(email_id=one.email_id or "", type=one.type) for one in contact.emails or ()] or None,
            phones=[PhoneEntry(number=one.number or "", type=one.type) for one in contact.phones or ()] or None,
        )
    )


def _identity(contact: Contact) -> Hashable:
    if contact.contact_id:
        return contact.contact_id
    return contact.display_name, contact.first_name, contact.last_name, contact.last_updated_date


async def _by_offset(
    fetch: Callable[[int], Awaitable[list[_Item]]], identify: Callable[[_Item], Hashable], chunk_size: int
) -> AsyncIterator[_Item]:
    """Every item. The offset counts what has arrived: a server may send smaller pages than requested."""
    if chunk_size < 1:
        raise InvalidRequestError(f"chunk_size must be at least 1, not {chunk_size}")
    offset = 0
    previous: tuple[Hashable, ...] = ()
    while found := await fetch(offset):
        identities = tuple(map(identify, found))
        if identities == previous:
            # A server that ignores the offset: the list is complete if the page had space for more.
            if len(found) != chunk_size:
                return
            raise BrokenListingError("the server keeps sending the same contacts: the list cannot be completed")
        for item in found:
            yield item
        offset, previous = offset + len(found), identities

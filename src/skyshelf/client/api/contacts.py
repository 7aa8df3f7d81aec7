"""The address book."""

from collections.abc import AsyncIterator, Awaitable, Callable, Hashable, Iterable
from typing import Final, TypeVar

from skyshelf.client.api.calls import Calls
from skyshelf.client.engine.requests import checked
from skyshelf.client.errors import BrokenListingError, InvalidRequestError
from skyshelf.wire.batches import batched
from skyshelf.wire.endpoints import contacts as endpoints
from skyshelf.wire.limits import BATCH_ENTRIES_MAX, CONTACTS_CHUNK_DEFAULT
from skyshelf.wire.resources import contacts as models
from skyshelf.wire.resources.contacts import Contact, ContactEmail, ImportedContacts
from skyshelf.wire.times import PAGE_DATE_DEFAULT

CHUNK: Final = CONTACTS_CHUNK_DEFAULT
"""How many contacts one request asks for, as the interface's own client does."""

_Item = TypeVar("_Item")


class AsyncContacts(Calls):
    """Your contacts. Changes, import and export are an extension: see `NotOfferedError`.

    Example:
        ```python
        client.contacts.add(Contact(display_name="Grace", emails=[MailboxEntry(email_id="grace@example.org")]))
        print([contact.display_name for contact in client.contacts.list()])
        ```
    """

    _feature = "change contacts; it only shows them"

    async def add(self, contact: Contact) -> Contact:
        """Add a contact.

        Args:
            contact: Names, email addresses and phone numbers; the server sets the other fields.

        Returns:
            The contact with its id.
        """
        unknown = "look for the contact in your list before you add it again"
        return await self._call(endpoints.ADD_CONTACT, body=_request(contact), unknown=unknown)

    async def edit(self, contact_id: str, contact: Contact) -> Contact:
        """Replace a contact.

        Args:
            contact_id: The contact to replace.
            contact: All its names, email addresses and phone numbers.
        """
        keys = {"contact_key": contact_id}
        return await self._call(endpoints.EDIT_CONTACT, body=_request(contact), keys=keys)

    async def remove(self, contact_ids: Iterable[str]) -> list[str]:
        """Remove contacts.

        Args:
            contact_ids: The contacts to remove.

        Returns:
            The ids of those that existed; after a lost response all of them.
        """
        removed: list[str] = []
        for part in batched(contact_ids, BATCH_ENTRIES_MAX):
            removed += await self._remove_part(part)
        return removed

    async def _remove_part(self, ids: list[str]) -> list[str]:
        body = models.ContactRemoval(contact_ids=ids)

        async def attempt(is_repeated: bool) -> list[str]:
            removals = await self._call(endpoints.REMOVE_CONTACTS, body=body)
            # After a lost response, contacts that no longer exist were removed by the first request.
            return ids if is_repeated else removals.contact_ids or []

        return await self._repeating(attempt)

    async def import_vcards(self, vcards: str) -> ImportedContacts:
        """Add a contact for every card of a vCard file.

        Args:
            vcards: The text of the file.

        Returns:
            What happened to each card.
        """
        body = checked(models.VcardImport, vcards=vcards)
        unknown = "look at your contacts before you import the cards again; all of them were added, or none"
        return await self._call(endpoints.IMPORT_CONTACTS, body=body, unknown=unknown)

    def export_vcards(self) -> AsyncIterator[str]:
        """Export all contacts as vCards, in parts that form one file when joined."""
        return self._by_cursor(
            endpoints.EXPORT_CONTACTS, lambda page: [page.vcards] if page.vcards else None, models.VcardQuery
        )

    def emails(self, *, chunk_size: int = CHUNK) -> AsyncIterator[ContactEmail]:
        """List the email addresses of all contacts.

        Args:
            chunk_size: How many addresses one request asks for.
        """

        async def fetch(offset: int) -> list[ContactEmail]:
            headers = models.ContactsHeaders(offset=offset, chunk_size=chunk_size)
            return (await self._call(endpoints.CONTACT_EMAILS, headers=headers)).contact_email or []

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
        query = checked(models.ContactsQuery, only_active=only_active, next_page_date=changed_after)

        async def fetch(offset: int) -> _Contacts:
            headers = models.ContactsHeaders(offset=offset, chunk_size=chunk_size)
            return (await self._call(endpoints.CONTACTS, query=query, headers=headers)).contacts or []

        return _by_offset(fetch, _identity, chunk_size)


_Contacts = list[Contact]


def _request(contact: Contact) -> models.ContactRequest:
    """Copy the fields that a person can set."""
    emails = [checked(models.MailboxEntry, email_id=one.email_id or "", type=one.type) for one in contact.emails or ()]
    phones = [checked(models.PhoneEntry, number=one.number or "", type=one.type) for one in contact.phones or ()]
    return checked(
        models.ContactRequest,
        display_name=contact.display_name,
        first_name=contact.first_name,
        last_name=contact.last_name,
        emails=emails or None,
        phones=phones or None,
    )


def _identity(contact: Contact) -> Hashable:
    if contact.contact_id:
        return contact.contact_id
    return contact.display_name, contact.first_name, contact.last_name, contact.last_updated_date


async def _by_offset(
    fetch: Callable[[int], Awaitable[list[_Item]]], identify: Callable[[_Item], Hashable], chunk_size: int
) -> AsyncIterator[_Item]:
    """List every item. The offset counts what has arrived: a server may send smaller pages than requested."""
    if chunk_size < 1:
        raise InvalidRequestError(f"chunk_size must be at least 1, not {chunk_size}")
    offset = 0
    previous: tuple[Hashable, ...] = ()
    while found := await fetch(offset):
        identities = tuple(map(identify, found))
        if identities == previous:
            # The server ignores the offset: the list is complete if the page had space for more.
            if len(found) != chunk_size:
                return
            raise BrokenListingError("the server keeps sending the same contacts: the list cannot be completed")
        for item in found:
            yield item
        offset, previous = offset + len(found), identities

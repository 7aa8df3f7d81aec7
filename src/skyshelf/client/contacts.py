"""The address book, paged by headers to its end."""

from collections.abc import AsyncIterator, Awaitable, Callable, Hashable
from typing import Final, TypeVar

from skyshelf.client.beyond import beyond
from skyshelf.client.cursors import walk
from skyshelf.client.engine import Engine
from skyshelf.client.errors import BrokenListingError
from skyshelf.client.requests import built
from skyshelf.wire.endpoints.contacts import CONTACT_EMAILS, CONTACTS, EXPORT_CONTACTS, REMOVE_CONTACTS
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
    MailboxEntry,
    PhoneEntry,
    VcardExport,
    VcardQuery,
)
from skyshelf.wire.times import PAGE_DATE_DEFAULT

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
    return built(
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

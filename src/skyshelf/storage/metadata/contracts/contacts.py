"""Contacts: an account's address book."""

from collections.abc import Mapping, Sequence
from typing import Protocol

from skyshelf.storage.metadata.contracts.tree import PageCursor
from skyshelf.wire.resources.contacts import Contact, ContactEmail


class Contacts(Protocol):
    """Contacts as on the wire. Storage sets what it alone knows: contact_id, is_active and
    last_updated_date; whatever these say in what is handed in does not count.

    A removed contact is gone for get, edit and remove. In a page it stays for a while as an inactive contact
    that has its name and nothing else, so a device that asks for changes learns of it.
    Keys of other accounts are, for every call, keys that do not exist.
    """

    def add(self, account_id: int, contacts: Mapping[str, Contact], now: int) -> list[Contact]:
        """Add contacts under new keys, all or nothing; as they are stored, in the given order."""

    def get(self, account_id: int, contact_key: str) -> Contact:
        """Missing when there is none."""

    def edit(self, account_id: int, contact_key: str, contact: Contact, now: int) -> Contact:
        """Replace all of a contact; as it is stored. Missing when there is none."""

    def remove(self, account_id: int, contact_keys: Sequence[str], now: int) -> list[str]:
        """Remove contacts; returns those that existed."""

    def page(
        self, account_id: int, *, only_active: bool = True, changed_after: int = 0, limit: int, offset: int = 0
    ) -> list[bytes]:
        """Contacts that changed after a time, by display name without regard to case, each encoded as JSON."""

    def following(
        self, account_id: int, *, limit: int, after: PageCursor | None = None
    ) -> list[tuple[Contact, PageCursor]]:
        """Contacts that are not removed, in the same order; a place is the order_key of the name, and the key."""

    def emails(self, account_id: int, *, limit: int, offset: int = 0) -> list[ContactEmail]:
        """Every address of every contact, by the contact's display name, then in the contact's own order."""

    def forget_removed(self, removed_before: int, limit: int) -> int:
        """Drop up to limit contacts that were removed before that time for good; how many went."""

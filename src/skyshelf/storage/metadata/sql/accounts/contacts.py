"""Contacts in SQL."""

from collections.abc import Iterable, Mapping, Sequence

import msgspec
from msgspec.structs import replace

from skyshelf.storage.errors import Missing
from skyshelf.storage.metadata.alarms import OVERWRITTEN
from skyshelf.storage.metadata.contracts.tree import PageCursor
from skyshelf.storage.metadata.sql import bounds
from skyshelf.storage.metadata.sql.account_lock import lock_account
from skyshelf.storage.metadata.sql.former import CONTACT, keep
from skyshelf.storage.metadata.sql.held import NOT_HELD
from skyshelf.storage.metadata.sql.statements import Params, SqlNoun, key_text, page_after, raw, required, sweep
from skyshelf.wire.names import order_key
from skyshelf.wire.resources.contacts import Contact, ContactEmail

_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(Contact)

_REPLACE = (
    "UPDATE contacts SET display_name = :display_name, name_order = :name_order, is_active = :is_active,"
    " updated_at = :updated_at, details = :details"
    " WHERE contact_key = :contact_key AND account_id = :account_id AND is_active = 1"
)


class SqlContacts(SqlNoun):
    """Contacts as on the wire. Storage sets what it alone knows: contact_id, is_active and
    last_updated_date; whatever these say in what is handed in does not count.

    A removed contact is gone for get, edit and remove. In a page it stays for a while as an inactive contact
    that has its name and nothing else, so a device that asks for changes learns of it.
    Keys of other accounts are, for every call, keys that do not exist.
    """

    def add(self, account_id: int, contacts: Mapping[str, Contact], now: int) -> list[Contact]:
        """Add contacts under new keys, all or nothing; as they are stored, in the given order."""
        lock_account(self._sql, account_id)
        stored = [_as_stored(key, contact, now) for key, contact in contacts.items()]
        self._refuse_too_many(account_id, stored)
        rows = [_row(account_id, key, contact, now) for key, contact in zip(contacts, stored, strict=True)]
        self._sql.insert_rows("contacts", rows)
        self._add_emails(account_id, zip(contacts, stored, strict=True))
        return stored

    def _refuse_too_many(self, account_id: int, contacts: Sequence[Contact], *, is_new: bool = True) -> None:
        bounds.refuse(self._sql, account_id, "contacts", more=len(contacts) if is_new else 0)
        size = sum(len(_encoder.encode(contact)) for contact in contacts)
        bounds.refuse(self._sql, account_id, "contactBytes", more=size)

    def get(self, account_id: int, contact_key: str) -> Contact:
        """Raise Missing when there is none."""
        row = self._sql.one(
            "SELECT details FROM contacts WHERE contact_key = :contact AND account_id = :account AND is_active = 1",
            {"contact": raw(contact_key), "account": account_id},
        )
        return _decoder.decode(required(row, Missing("no such contact"))[0])

    def edit(self, account_id: int, contact_key: str, contact: Contact, now: int) -> Contact:
        """Replace all of a contact; as it is stored. Missing when there is none."""
        lock_account(self._sql, account_id)
        before = self.get(account_id, contact_key)
        stored = _as_stored(contact_key, contact, now)
        if replace(stored, last_updated_date=before.last_updated_date) == before:
            return before
        self._refuse_too_many(account_id, [stored], is_new=False)
        keep(self._sql, account_id, CONTACT, [raw(contact_key)], now, sign=OVERWRITTEN)
        self._sql.run(_REPLACE, _row(account_id, contact_key, stored, now))
        self._sql.delete("contact_emails", contact_key=raw(contact_key))
        self._add_emails(account_id, [(contact_key, stored)])
        return stored

    def remove(self, account_id: int, contact_keys: Sequence[str], now: int) -> list[str]:
        """Remove contacts; returns those that existed."""
        lock_account(self._sql, account_id)
        keys = [raw(key) for key in dict.fromkeys(contact_keys)]
        found = self._sql.all(
            "SELECT contact_key, details FROM contacts WHERE account_id = :account AND is_active = 1"
            " AND contact_key = ANY_KEY(:keys)",
            {"account": account_id, "keys": keys},
        )
        rows: list[Params] = []
        for key, details in found:
            contact = _decoder.decode(details)
            # Only the key that other devices need to remove the contact is kept.
            left = Contact(
                contact_id=contact.contact_id, display_name=contact.display_name, is_active=False, last_updated_date=now
            )
            rows.append(_row(account_id, key_text(key), left, now))
        gone = {key for key, _ in found}
        keep(self._sql, account_id, CONTACT, sorted(gone), now)
        self._sql.run_many(_REPLACE, rows)
        self._sql.run("DELETE FROM contact_emails WHERE contact_key = ANY_KEY(:keys)", {"keys": sorted(gone)})
        return [key_text(key) for key in keys if key in gone]

    def page(
        self, account_id: int, *, only_active: bool = True, changed_after: int = 0, limit: int, offset: int = 0
    ) -> list[bytes]:
        """Contacts that changed after a time, by display name without regard to case, each encoded as JSON."""
        return self._sql.column(
            "SELECT details FROM contacts WHERE account_id = :account AND updated_at > :after"
            f"{' AND is_active = 1' if only_active else ''}"
            " ORDER BY name_order, contact_key LIMIT :limit OFFSET :offset",
            {"account": account_id, "after": changed_after, "limit": limit, "offset": offset},
        )

    def following(
        self, account_id: int, *, limit: int, after: PageCursor | None = None
    ) -> list[tuple[Contact, PageCursor]]:
        """Contacts that are not removed, in the same order; a place is the order_key of the name, and the key."""
        page, place = page_after("name_order", "contact_key", after, limit, ascending=True)
        active = "SELECT details, name_order, contact_key FROM contacts WHERE account_id = :account AND is_active = 1"
        rows = self._sql.all(f"{active}{page}", {"account": account_id, **place})
        return [(_decoder.decode(details), PageCursor(order, key_text(key))) for details, order, key in rows]

    def emails(self, account_id: int, *, limit: int, offset: int = 0) -> list[ContactEmail]:
        """Return every address of every contact, by the contact's display name, then in the contact's own order."""
        rows = self._sql.all(
            "SELECT email, display_name FROM contact_emails WHERE account_id = :account"
            " ORDER BY name_order, contact_key, position LIMIT :limit OFFSET :offset",
            {"account": account_id, "limit": limit, "offset": offset},
        )
        return [ContactEmail(email_id=email, display_name=name) for email, name in rows]

    def forget_removed(self, removed_before: int, limit: int) -> int:
        """Drop up to limit contacts that were removed before that time for good; return how many."""
        old = f"is_active = 0 AND updated_at < :before AND {NOT_HELD.format('contacts')}"
        before, by = removed_before, "updated_at"
        return sweep(self._sql, "contacts", "contact_key", old=old, oldest_by=by, before=before, limit=limit)

    def _add_emails(self, account_id: int, contacts: Iterable[tuple[str, Contact]]) -> None:
        rows: list[Params] = [
            {
                "contact_key": raw(key),
                "position": position,
                "account_id": account_id,
                "email": mailbox.email_id,
                "display_name": contact.display_name or "",
                "name_order": order_key(contact.display_name or ""),
            }
            for key, contact in contacts
            for position, mailbox in enumerate(contact.emails or ())
            if mailbox.email_id
        ]
        self._sql.insert_rows("contact_emails", rows)


def _as_stored(contact_key: str, contact: Contact, now: int) -> Contact:
    return replace(contact, contact_id=contact_key, is_active=True, last_updated_date=now)


def _row(account_id: int, contact_key: str, contact: Contact, now: int) -> Params:
    """Return every column of a contact: the encoded form, and what queries need beside it."""
    return {
        "contact_key": raw(contact_key),
        "account_id": account_id,
        "display_name": contact.display_name or "",
        "name_order": order_key(contact.display_name or ""),
        "is_active": int(bool(contact.is_active)),
        "updated_at": now,
        "details": _encoder.encode(contact),
    }

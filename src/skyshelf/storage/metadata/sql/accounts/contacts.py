"""Contacts in SQL."""

from collections.abc import Iterable, Mapping, Sequence

import msgspec
from msgspec.structs import replace

from skyshelf.storage.errors import LimitReached, Missing
from skyshelf.storage.metadata.contracts.tree import PageCursor
from skyshelf.storage.metadata.sql.account_lock import lock_account
from skyshelf.storage.metadata.sql.alarms.counting import refuse_paused
from skyshelf.storage.metadata.sql.statements import Params, Sql, Value, key_text, raw, sweep
from skyshelf.wire.limits import CONTACTS_BYTES_MAX, CONTACTS_MAX
from skyshelf.wire.names import order_key
from skyshelf.wire.resources.contacts import Contact, ContactEmail
from skyshelf.wire.sizes import format_size

_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(Contact)

_REPLACE = (
    "UPDATE contacts SET display_name = :name, name_order = :order, is_active = :active, updated_at = :now,"
    " details = :details WHERE contact_key = :contact AND account_id = :account AND is_active = 1"
)


class SqlContacts:
    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    def add(self, account_id: int, contacts: Mapping[str, Contact], now: int) -> list[Contact]:
        lock_account(self._sql, account_id)
        stored = [_as_stored(key, contact, now) for key, contact in contacts.items()]
        self._refuse_too_many(account_id, stored)
        self._sql.run_many(
            "INSERT INTO contacts (contact_key, account_id, display_name, name_order, is_active, updated_at, details)"
            " VALUES (:contact, :account, :name, :order, :active, :now, :details)",
            [_row(account_id, key, contact, now) for key, contact in zip(contacts, stored, strict=True)],
        )
        self._add_emails(account_id, zip(contacts, stored, strict=True))
        return stored

    def _refuse_too_many(self, account_id: int, contacts: Sequence[Contact], *, is_new: bool = True) -> None:
        row = self._sql.one(
            "SELECT count(*), CAST(coalesce(sum(length(details)), 0) AS BIGINT) FROM contacts"
            " WHERE account_id = :account",
            {"account": account_id},
        )
        assert row is not None
        if is_new and row[0] + len(contacts) > CONTACTS_MAX:
            raise LimitReached(f"There can be at most {CONTACTS_MAX:,} contacts, removed ones of late included")
        if row[1] + sum(len(_encoder.encode(contact)) for contact in contacts) > CONTACTS_BYTES_MAX:
            raise LimitReached(f"All contacts together can have at most {format_size(CONTACTS_BYTES_MAX)}")

    def get(self, account_id: int, contact_key: str) -> Contact:
        row = self._sql.one(
            "SELECT details FROM contacts WHERE contact_key = :contact AND account_id = :account AND is_active = 1",
            {"contact": raw(contact_key), "account": account_id},
        )
        if row is None:
            raise Missing("no such contact")
        return _decoder.decode(row[0])

    def edit(self, account_id: int, contact_key: str, contact: Contact, now: int) -> Contact:
        lock_account(self._sql, account_id)
        stored = _as_stored(contact_key, contact, now)
        self._refuse_too_many(account_id, [stored], is_new=False)
        if not self._replace(account_id, contact_key, stored, now):
            raise Missing("no such contact")
        self._add_emails(account_id, [(contact_key, stored)])
        return stored

    def remove(self, account_id: int, contact_keys: Sequence[str], now: int) -> list[str]:
        refuse_paused(self._sql, lock_account(self._sql, account_id).watch)
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
                contact_id=contact.contact_id,
                display_name=contact.display_name,
                is_active=False,
                last_updated_date=now,
            )
            rows.append(_row(account_id, key_text(key), left, now))
        self._sql.run_many(_REPLACE, rows)
        gone = {key for key, _ in found}
        self._sql.run("DELETE FROM contact_emails WHERE contact_key = ANY_KEY(:keys)", {"keys": sorted(gone)})
        return [key_text(key) for key in keys if key in gone]

    def page(
        self, account_id: int, *, only_active: bool = True, changed_after: int = 0, limit: int, offset: int = 0
    ) -> list[bytes]:
        rows = self._sql.all(
            "SELECT details FROM contacts WHERE account_id = :account AND updated_at > :after"
            f"{' AND is_active = 1' if only_active else ''}"
            " ORDER BY name_order, contact_key LIMIT :limit OFFSET :offset",
            {"account": account_id, "after": changed_after, "limit": limit, "offset": offset},
        )
        return [details for (details,) in rows]

    def following(
        self, account_id: int, *, limit: int, after: PageCursor | None = None
    ) -> list[tuple[Contact, PageCursor]]:
        params: dict[str, Value] = {"account": account_id, "limit": limit}
        further = ""
        if after is not None:
            further = " AND (name_order, contact_key) > (:after_value, :after_key)"
            params |= {"after_value": after.value, "after_key": raw(after.key)}
        rows = self._sql.all(
            f"SELECT details, name_order, contact_key FROM contacts WHERE account_id = :account{further}"
            " AND is_active = 1 ORDER BY name_order, contact_key LIMIT :limit",
            params,
        )
        return [(_decoder.decode(details), PageCursor(order, key_text(key))) for details, order, key in rows]

    def emails(self, account_id: int, *, limit: int, offset: int = 0) -> list[ContactEmail]:
        rows = self._sql.all(
            "SELECT email, display_name FROM contact_emails WHERE account_id = :account"
            " ORDER BY name_order, contact_key, position LIMIT :limit OFFSET :offset",
            {"account": account_id, "limit": limit, "offset": offset},
        )
        return [ContactEmail(email_id=email, display_name=name) for email, name in rows]

    def forget_removed(self, removed_before: int, limit: int) -> int:
        old = "is_active = 0 AND updated_at < :before"
        params = {"before": removed_before, "limit": limit}
        return sweep(self._sql, "contacts", "contact_key", old=old, oldest_by="updated_at", params=params)

    def _replace(self, account_id: int, contact_key: str, contact: Contact, now: int) -> bool:
        """Rewrite an active contact, and drop its former addresses."""
        changed = self._sql.run(_REPLACE, _row(account_id, contact_key, contact, now))
        if changed:
            self._sql.run("DELETE FROM contact_emails WHERE contact_key = :contact", {"contact": raw(contact_key)})
        return bool(changed)

    def _add_emails(self, account_id: int, contacts: Iterable[tuple[str, Contact]]) -> None:
        rows: list[Params] = [
            {
                "contact": raw(key),
                "position": position,
                "account": account_id,
                "email": mailbox.email_id,
                "name": contact.display_name or "",
                "order": order_key(contact.display_name or ""),
            }
            for key, contact in contacts
            for position, mailbox in enumerate(contact.emails or ())
            if mailbox.email_id
        ]
        self._sql.run_many(
            "INSERT INTO contact_emails (contact_key, position, account_id, email, display_name, name_order)"
            " VALUES (:contact, :position, :account, :email, :name, :order)",
            rows,
        )


def _as_stored(contact_key: str, contact: Contact, now: int) -> Contact:
    return replace(contact, contact_id=contact_key, is_active=True, last_updated_date=now)


def _row(account_id: int, contact_key: str, contact: Contact, now: int) -> Params:
    """Every column of a contact: the encoded form, and what queries need beside it."""
    return {
        "contact": raw(contact_key),
        "account": account_id,
        "name": contact.display_name or "",
        "order": order_key(contact.display_name or ""),
        "active": int(bool(contact.is_active)),
        "now": now,
        "details": _encoder.encode(contact),
    }

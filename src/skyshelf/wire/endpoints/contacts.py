"""The address book."""

from typing import Final

from skyshelf.wire import error_codes as errors
from skyshelf.wire.endpoint import Group, Host, Origin
from skyshelf.wire.resources import contacts

_INTERFACE: Final = Group(host=Host.CONTACTS, path="/amiko/cab", errors=(errors.CONTACTS_PAGING,))
_CONTACTS: Final = Group(host=Host.CONTACTS, path="/x/v1/contacts", origin=Origin.COMPLETIONS)

CONTACTS: Final = _INTERFACE.call(
    "GET /contacts",
    "The contacts, paged by headers.",
    query=contacts.ContactsQuery,
    headers=contacts.ContactsHeaders,
    answer=contacts.ContactList,
    must_have="contacts",
    may_be_bare=True,
)
CONTACT_EMAILS: Final = _INTERFACE.call(
    "GET /emails",
    "The contacts' email addresses, paged by headers.",
    headers=contacts.ContactsHeaders,
    answer=contacts.ContactEmailList,
    must_have="contactEmail",
)
ADD_CONTACT: Final = _CONTACTS.call(
    "POST", "Adds a contact.", body=contacts.ContactRequest, created=contacts.Contact, must_have="contactId"
)
EDIT_CONTACT: Final = _CONTACTS.call(
    "PUT /{contact_key}",
    "Replaces a contact.",
    body=contacts.ContactRequest,
    answer=contacts.Contact,
    must_have="contactId",
)
REMOVE_CONTACTS: Final = _CONTACTS.call(
    "POST /remove",
    "Removes contacts; each is removed or refused separately.",
    body=contacts.ContactRemoval,
    answer=contacts.ContactRemovals,
    must_have="contactIds unprocessed",
    errors=(errors.CONTACT_NOT_FOUND,),
    while_full=True,
)
IMPORT_CONTACTS: Final = _CONTACTS.call(
    "POST /import",
    "Imports every card of a vCard file; each is imported or refused separately.",
    body=contacts.VcardImport,
    answer=contacts.ImportedContacts,
    must_have="contacts unprocessed",
    errors=(errors.CARD_UNREADABLE,),
)
EXPORT_CONTACTS: Final = _CONTACTS.call(
    "GET /export",
    "Exports contacts as vCards, ordered by name.",
    query=contacts.VcardQuery,
    answer=contacts.VcardExport,
    must_have="vcards count",
)

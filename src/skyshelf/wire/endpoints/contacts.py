"""The address book."""

from typing import Final

from skyshelf.wire import error_codes as errors
from skyshelf.wire.endpoint import BodyKind, Endpoint, Host, Origin, json_answer
from skyshelf.wire.resources.contacts import (
    Contact,
    ContactEmailList,
    ContactList,
    ContactRemoval,
    ContactRemovals,
    ContactRequest,
    ContactsHeaders,
    ContactsQuery,
    ImportedContacts,
    VcardExport,
    VcardImport,
    VcardQuery,
)

CONTACTS: Final = Endpoint(
    name="contacts",
    host=Host.CONTACTS,
    method="GET",
    path="/amiko/cab/contacts",
    summary="The contacts, paged by headers.",
    query=ContactsQuery,
    headers=ContactsHeaders,
    answers={200: json_answer(ContactList)},
    errors=(errors.CONTACTS_PAGING,),
)
CONTACT_EMAILS: Final = Endpoint(
    name="contact_emails",
    host=Host.CONTACTS,
    method="GET",
    path="/amiko/cab/emails",
    summary="The contacts' email addresses, paged by headers.",
    headers=ContactsHeaders,
    answers={200: json_answer(ContactEmailList)},
    errors=(errors.CONTACTS_PAGING,),
)
ADD_CONTACT: Final = Endpoint(
    name="add_contact",
    needs_space=True,
    host=Host.CONTACTS,
    method="POST",
    path="/x/v1/contacts",
    summary="Adds a contact.",
    body=ContactRequest,
    body_kind=BodyKind.JSON,
    answers={201: json_answer(Contact)},
    origin=Origin.COMPLETIONS,
)
EDIT_CONTACT: Final = Endpoint(
    name="edit_contact",
    needs_space=True,
    host=Host.CONTACTS,
    method="PUT",
    path="/x/v1/contacts/{contact_key}",
    summary="Replaces a contact.",
    body=ContactRequest,
    body_kind=BodyKind.JSON,
    answers={200: json_answer(Contact)},
    errors=(errors.CONTACT_NOT_FOUND,),
    repeats_safely=True,
    origin=Origin.COMPLETIONS,
)
REMOVE_CONTACTS: Final = Endpoint(
    name="remove_contacts",
    host=Host.CONTACTS,
    method="POST",
    path="/x/v1/contacts/remove",
    summary="Removes contacts; each is removed or refused separately.",
    body=ContactRemoval,
    body_kind=BodyKind.JSON,
    answers={200: json_answer(ContactRemovals)},
    errors=(errors.CONTACT_NOT_FOUND, errors.SESSION_PAUSED),
    origin=Origin.COMPLETIONS,
)
IMPORT_CONTACTS: Final = Endpoint(
    name="import_contacts",
    needs_space=True,
    host=Host.CONTACTS,
    method="POST",
    path="/x/v1/contacts/import",
    summary="Imports every card of a vCard file; each is imported or refused separately.",
    body=VcardImport,
    body_kind=BodyKind.JSON,
    answers={200: json_answer(ImportedContacts)},
    errors=(errors.CARD_UNREADABLE,),
    origin=Origin.COMPLETIONS,
)
EXPORT_CONTACTS: Final = Endpoint(
    name="export_contacts",
    host=Host.CONTACTS,
    method="GET",
    path="/x/v1/contacts/export",
    summary="Exports contacts as vCards, ordered by name.",
    query=VcardQuery,
    answers={200: json_answer(VcardExport)},
    errors=(errors.BAD_CURSOR,),
    origin=Origin.COMPLETIONS,
)

"""The address book."""

from typing import Final

from skyshelf.wire import error_codes as errors
from skyshelf.wire.contacts import ContactEmailList, ContactList, ContactsHeaders, ContactsQuery
from skyshelf.wire.endpoint import Endpoint, Host, json_answer

CONTACTS: Final = Endpoint(
    name="contacts",
    host=Host.CONTACTS,
    method="GET",
    path="/amiko/cab/contacts",
    summary="Contacts, paged by headers.",
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
    summary="E-mail addresses of contacts, paged by headers.",
    headers=ContactsHeaders,
    answers={200: json_answer(ContactEmailList)},
    errors=(errors.CONTACTS_PAGING,),
)

ENDPOINTS: Final = (
    CONTACTS,
    CONTACT_EMAILS,
)

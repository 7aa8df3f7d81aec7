"""The address book."""

from skyshelf.server.call import Call, Handler
from skyshelf.service import contacts


def list_contacts(call: Call) -> object:
    return contacts.contacts_page(call.house, call.caller, call.query, call.headers)


def contact_emails(call: Call) -> object:
    return contacts.contact_emails(call.house, call.caller, call.headers)


HANDLERS: dict[str, Handler] = {"contacts": list_contacts, "contact_emails": contact_emails}

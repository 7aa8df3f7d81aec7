"""The address book."""

from skyshelf.server.http.call import Call, Handler, Slow
from skyshelf.service.contacts import contacts


def list_contacts(call: Call) -> object:
    return contacts.contacts_page(call.ctx, call.caller, call.query, call.headers)


def contact_emails(call: Call) -> object:
    return contacts.contact_emails(call.ctx, call.caller, call.headers)


def add_contact(call: Call) -> object:
    return contacts.add_contact(call.ctx, call.caller, call.body)


def edit_contact(call: Call) -> object:
    return contacts.edit_contact(call.ctx, call.caller, call.keys["contact_key"], call.body)


def remove_contacts(call: Call) -> object:
    return contacts.remove_contacts(call.ctx, call.caller, call.body)


def import_contacts(call: Call) -> object:
    return contacts.import_contacts(call.ctx, call.caller, call.body)


def export_contacts(call: Call) -> object:
    return contacts.export_contacts(call.ctx, call.caller, call.query)


HANDLERS: dict[str, Handler] = {
    "contacts": list_contacts,
    "contact_emails": contact_emails,
    "add_contact": add_contact,
    "edit_contact": edit_contact,
    "remove_contacts": remove_contacts,
    "import_contacts": Slow(import_contacts),
    "export_contacts": Slow(export_contacts),
}

"""Files and folders: listings, batches, trash and what leaves it for good, versions, new folders."""

from skyshelf.server.call import Call, Encoded, Handler
from skyshelf.service.files import batches, listings, trash, versions


def list_folder(call: Call) -> object:
    return Encoded(listings.folder_listing(call.house, call.caller, call.query, call.origin))


def list_trash(call: Call) -> object:
    return Encoded(trash.trash_listing(call.house, call.caller, call.query, call.origin))


def batch(call: Call) -> object:
    return batches.apply_batch(call.house, call.caller, call.body, call.origin)


def restore(call: Call) -> object:
    return trash.restore(call.house, call.caller, call.body, call.origin)


def legacy_delete(call: Call) -> object:
    return trash.refuse_legacy_delete(call.body)


def list_versions(call: Call) -> object:
    return versions.file_versions(call.house, call.caller, call.keys["object_key"])


def purge(call: Call) -> object:
    return trash.purge(call.house, call.caller, call.body)


def empty_trash(call: Call) -> object:
    return trash.empty_trash(call.house, call.caller)


def restore_version(call: Call) -> object:
    return versions.restore_version(call.house, call.caller, call.body, call.origin)


def create_folder(call: Call) -> object:
    return batches.create_folder(call.house, call.caller, call.body, call.origin)


def object_place(call: Call) -> object:
    return listings.object_place(call.house, call.caller, call.keys["object_key"], call.origin)


HANDLERS: dict[str, Handler] = {
    "default_view": list_folder,
    "listing": list_folder,
    "batch": batch,
    "restore": restore,
    "trash": list_trash,
    "legacy_delete": legacy_delete,
    "versions": list_versions,
    "purge": purge,
    "empty_trash": empty_trash,
    "restore_version": restore_version,
    "create_folder": create_folder,
    "object_place": object_place,
}

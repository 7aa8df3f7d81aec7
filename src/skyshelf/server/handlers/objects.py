"""Files and folders: listings, batches, trash and what leaves it for good, versions, new folders."""

from skyshelf.server.http.call import Call, Encoded, Handler, Reply
from skyshelf.service.files import batches, listings, memories, search, tags, timeline, trash, versions, viewable_types


def list_folder(call: Call) -> object:
    return Encoded(listings.folder_listing(call.ctx, call.caller, call.query, call.origin))


def list_trash(call: Call) -> object:
    return Encoded(trash.trash_listing(call.ctx, call.caller, call.query, call.origin))


def batch(call: Call) -> object:
    return batches.apply_batch(call.ctx, call.caller, call.body, call.origin)


def restore(call: Call) -> object:
    return trash.restore(call.ctx, call.caller, call.body, call.origin)


def legacy_delete(call: Call) -> object:
    return trash.refuse_legacy_delete(call.body)


def list_versions(call: Call) -> object:
    return versions.file_versions(call.ctx, call.caller, call.keys["object_key"])


def purge(call: Call) -> object:
    return trash.purge(call.ctx, call.caller, call.body)


def empty_trash(call: Call) -> object:
    return trash.empty_trash(call.ctx, call.caller)


def restore_version(call: Call) -> object:
    return versions.restore_version(call.ctx, call.caller, call.body, call.origin)


def create_folder(call: Call) -> object:
    return batches.create_folder(call.ctx, call.caller, call.body, call.origin)


def object_place(call: Call) -> object:
    return listings.object_place(call.ctx, call.caller, call.keys["object_key"], call.origin)


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


# Searching.


def _search(call: Call) -> object:
    return Encoded(search.search(call.ctx, call.caller, call.query, call.origin))


HANDLERS |= {"search": _search}


# Feeds and discovery.


def recent(call: Call) -> object:
    return Encoded(listings.recent(call.ctx, call.caller, call.origin))


def spotlights(call: Call) -> object:
    return memories.spotlights(call.ctx, call.caller, call.query, call.origin)


def shared_by_me(call: Call) -> object:
    return Encoded(listings.shared_by_me(call.ctx, call.caller, call.query, call.origin))


def linked_app(call: Call) -> object:
    return Encoded(listings.of_linked_app(call.ctx, call.caller, call.query, call.origin))


def recent_tags(call: Call) -> object:
    return tags.recent_tags(call.ctx, call.caller)


def object_tags(call: Call) -> object:
    return tags.object_tags(call.ctx, call.caller, call.keys["object_key"])


def supported_documents(_: Call) -> object:
    return viewable_types.supported_documents()


HANDLERS |= {
    "recent": recent,
    "spotlights": spotlights,
    "shared_by_me": shared_by_me,
    "linked_app": linked_app,
    "recent_tags": recent_tags,
    "object_tags": object_tags,
    "supported_documents": supported_documents,
}


# Tags that people give and take, the timeline and the favourites.


def add_tag(call: Call) -> object:
    return tags.add_tag(call.ctx, call.caller, call.body)


def remove_tag(call: Call) -> object:
    return tags.remove_tag(call.ctx, call.caller, call.body)


def tag_list(call: Call) -> object:
    return tags.tag_list(call.ctx, call.caller, call.query)


def tagged_objects(call: Call) -> object:
    return Encoded(tags.tagged_objects(call.ctx, call.caller, call.keys["tag_key"], call.query, call.origin))


def rename_tag(call: Call) -> object:
    return tags.rename_tag(call.ctx, call.caller, call.keys["tag_key"], call.body)


def delete_tag(call: Call) -> object:
    tags.delete_tag(call.ctx, call.caller, call.keys["tag_key"])
    return Reply()


def timeline_months(call: Call) -> object:
    return timeline.timeline_months(call.ctx, call.caller)


def timeline_objects(call: Call) -> object:
    return Encoded(timeline.timeline_objects(call.ctx, call.caller, call.query, call.origin))


def favorites(call: Call) -> object:
    return Encoded(timeline.favorites(call.ctx, call.caller, call.query, call.origin))


HANDLERS |= {
    "add_tag": add_tag,
    "remove_tag": remove_tag,
    "tag_list": tag_list,
    "tagged_objects": tagged_objects,
    "rename_tag": rename_tag,
    "delete_tag": delete_tag,
    "timeline": timeline_months,
    "timeline_objects": timeline_objects,
    "favorites": favorites,
}

"""Tags that people give and take, the timeline and the favourites."""

from skyshelf.server.call import Call, Encoded, Handler, Reply
from skyshelf.service.files import tags, timeline


def add_tag(call: Call) -> object:
    return tags.add_tag(call.house, call.caller, call.body)


def remove_tag(call: Call) -> object:
    return tags.remove_tag(call.house, call.caller, call.body)


def tag_list(call: Call) -> object:
    return tags.tag_list(call.house, call.caller, call.query)


def tagged_objects(call: Call) -> object:
    return Encoded(tags.tagged_objects(call.house, call.caller, call.keys["tag_key"], call.query, call.origin))


def rename_tag(call: Call) -> object:
    return tags.rename_tag(call.house, call.caller, call.keys["tag_key"], call.body)


def delete_tag(call: Call) -> object:
    tags.delete_tag(call.house, call.caller, call.keys["tag_key"])
    return Reply()


def timeline_months(call: Call) -> object:
    return timeline.timeline_months(call.house, call.caller)


def timeline_objects(call: Call) -> object:
    return Encoded(timeline.timeline_objects(call.house, call.caller, call.query, call.origin))


def favorites(call: Call) -> object:
    return Encoded(timeline.favorites(call.house, call.caller, call.query, call.origin))


HANDLERS: dict[str, Handler] = {
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

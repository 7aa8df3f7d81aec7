"""Where an object is."""

from skyshelf.service.house import Caller, House
from skyshelf.storage.metadata.wire_cache import wire_object
from skyshelf.wire.resources.objects import ObjectPlace, PlaceStep


def object_place(house: House, caller: Caller, object_key: str, origin: str) -> ObjectPlace:
    """An object that can be seen, and the folders from the root down to it."""
    with house.metadata.read() as unit:
        found = unit.tree.visible(caller.account_id, object_key)
        folders = unit.tree.ancestors(caller.account_id, object_key)
    path = [PlaceStep(object_key=folder.object_key, object_name=folder.name) for folder in folders]
    return ObjectPlace(object=wire_object(found, origin), path=path)

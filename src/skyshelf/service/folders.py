"""Folders: creating them."""

from skyshelf.service.house import Caller, House
from skyshelf.storage.metadata.contracts.tree import NewFolder
from skyshelf.storage.metadata.wire_cache import wire_object
from skyshelf.wire.resources.objects import CloudObject, FolderCreation


def create_folder(house: House, caller: Caller, request: FolderCreation, origin: str) -> CloudObject:
    """A new folder in another one."""
    now = house.clock.now()
    folder = NewFolder(
        object_key=house.new_key(),
        parent_key=request.parent_object_key,
        name=request.object_name,
        source_name=request.source_name,
    )
    stored = house.metadata.write(lambda unit: unit.tree.add_folder(caller.account_id, folder, now))
    return wire_object(stored, origin)

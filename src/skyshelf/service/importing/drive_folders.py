"""What the drive has already, folder by folder."""

import msgspec

from skyshelf.service.house import House
from skyshelf.storage.errors import NotAFolder
from skyshelf.storage.metadata.contracts.accounts import Account
from skyshelf.storage.metadata.contracts.tree import NewFolder, StoredObject
from skyshelf.wire.names import clean_name

_PAGE = 1000


class DriveFolder(msgspec.Struct, frozen=True):
    """A folder of the drive; is_new when the import makes it, so that nothing can be in it yet."""

    object_key: str
    is_new: bool


class There(msgspec.Struct, frozen=True):
    """What has a name in a folder of the drive."""

    object_key: str
    is_folder: bool
    size: int
    modified_at: int
    md5: str | None
    version: int


def names_in(house: House, account: Account, folder: DriveFolder) -> dict[str, There]:
    """Everything active in a folder, by name."""
    found: dict[str, There] = {}
    if folder.is_new:
        return found
    after: StoredObject | None = None
    with house.metadata.read() as unit:
        while page := unit.tree.children(account.account_id, folder.object_key, after=after, limit=_PAGE):
            for one in page:
                found[one.name] = There(
                    one.object_key, one.is_folder, one.size, one.last_modified_at, one.md5, one.version
                )
            after = page[-1]
    return found


def way_to(house: House, account: Account, path: str) -> tuple[DriveFolder, list[NewFolder]]:
    """The folder at a path of the drive, and the folders that have to be made for it.

    BadName for what cannot be a path, NotAFolder where a file is in the way.
    """
    folder, new = DriveFolder(account.root_key, is_new=False), list[NewFolder]()
    with house.metadata.read() as unit:
        for part in filter(None, path.split("/")):
            name = clean_name(part)
            there = None if folder.is_new else unit.tree.child_named(account.account_id, folder.object_key, name)
            if there is not None and not there.is_folder:
                raise NotAFolder(f"“{name}” in {path} is a file: name a folder with --into")
            if there is not None:
                folder = DriveFolder(there.object_key, is_new=False)
            else:
                new.append(NewFolder(object_key=house.new_key(), parent_key=folder.object_key, name=name))
                folder = DriveFolder(new[-1].object_key, is_new=True)
    return folder, new

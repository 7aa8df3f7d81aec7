"""What the drive has already, folder by folder."""

import hashlib
import os
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator

import msgspec

from skyshelf.service.context import ServiceContext
from skyshelf.storage.errors import NotAFolder
from skyshelf.storage.metadata.contracts.accounts import Account
from skyshelf.storage.metadata.contracts.tree import NewFolder, StoredObject
from skyshelf.wire.limits import NAME_BYTES_MAX
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


def names_in(ctx: ServiceContext, account: Account, folder: DriveFolder) -> dict[str, There]:
    """Everything active in a folder, by name."""
    found: dict[str, There] = {}
    if folder.is_new:
        return found
    after: StoredObject | None = None
    with ctx.metadata.read() as unit:
        while page := unit.tree.children(account.account_id, folder.object_key, after=after, limit=_PAGE):
            for one in page:
                found[one.name] = There(
                    one.object_key, one.is_folder, one.size, one.last_modified_at, one.md5, one.version
                )
            after = page[-1]
    return found


def way_to(ctx: ServiceContext, account: Account, path: str) -> tuple[DriveFolder, list[NewFolder]]:
    """The folder at a path of the drive, and the folders that have to be made for it.

    BadName for what cannot be a path, NotAFolder where a file is in the way.
    """
    folder, new = DriveFolder(account.root_key, is_new=False), list[NewFolder]()
    with ctx.metadata.read() as unit:
        for part in filter(None, path.split("/")):
            name = clean_name(part)
            there = None if folder.is_new else unit.tree.child_named(account.account_id, folder.object_key, name)
            if there is not None and not there.is_folder:
                raise NotAFolder(f"“{name}” in {path} is a file: name a folder with --into")
            if there is not None:
                folder = DriveFolder(there.object_key, is_new=False)
            else:
                new.append(NewFolder(object_key=ctx.new_key(), parent_key=folder.object_key, name=name))
                folder = DriveFolder(new[-1].object_key, is_new=True)
    return folder, new


# Names of files on this machine, as names of the drive.

_DIGITS = 8
_FORBIDDEN = re.compile("[\x00-\x1f\x7f-\x9f\udc80-\udcff]")


def drive_names(names: Iterable[str]) -> dict[str, str]:
    """The name in the drive for each name of one folder of this machine, as os.fsdecode gives them.

    Of several that would be called the same, one that has exactly that name keeps it; the others are told apart by
    some digits of their own bytes, and by more of them where somebody has made up even those.
    """
    wanted = {name: _allowed(name) for name in names}
    takers = Counter(wanted.values())
    given = {name: drive for name, drive in wanted.items() if drive == name or takers[drive] == 1}
    taken = set(given.values())
    for name in sorted(wanted.keys() - given.keys()):
        given[name] = next(free for free in _told_apart(wanted[name], name) if free not in taken)
        taken.add(given[name])
    return given


def is_renamed(name: str, drive: str) -> bool:
    """Whether people would see the difference: another form of the same characters is none."""
    return unicodedata.normalize("NFC", name) != drive


def _allowed(name: str) -> str:
    """Nearest to the name: what the drive forbids is written as %NN, and what is too long is cut, and told apart."""
    spelled = unicodedata.normalize("NFC", _FORBIDDEN.sub(lambda match: f"%{ord(match[0]) & 0xFF:02X}", name))
    return spelled if len(spelled.encode()) <= NAME_BYTES_MAX else next(_told_apart(spelled, name))


def _told_apart(drive: str, name: str) -> Iterator[str]:
    """The name with digits of the original's bytes in it, before its extension; then with more digits."""
    digits = hashlib.sha256(os.fsencode(name)).hexdigest()
    for count in range(_DIGITS, len(digits) + 1):
        yield _within(drive, f"~{digits[:count]}")


def _within(name: str, mark: str) -> str:
    """Stem, mark and extension, in no more bytes than a name may have."""
    stem, dot, suffix = name.rpartition(".")
    if not stem or len(suffix.encode()) > NAME_BYTES_MAX // 4:
        stem, dot, suffix = name, "", ""
    room = NAME_BYTES_MAX - len(f"{mark}{dot}{suffix}".encode())
    cut = unicodedata.normalize("NFC", stem.encode()[:room].decode("utf-8", "ignore"))
    return f"{cut}{mark}{dot}{suffix}"

"""The target tree: what the drive already contains, and the names that source files get there."""

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
_DIGITS = 8
_FORBIDDEN = re.compile("[\x00-\x1f\x7f-\x9f\udc80-\udcff]")


class DriveFolder(msgspec.Struct, frozen=True):
    """A folder of the drive; is_new when the import creates it, so nothing can be in it yet."""

    object_key: str
    is_new: bool


class DriveEntry(msgspec.Struct, frozen=True):
    """A file or folder of the drive, as far as an import compares it."""

    object_key: str
    is_folder: bool
    size: int
    modified_at: int


# Contents of the drive


def entries_by_name(ctx: ServiceContext, account: Account, folder: DriveFolder) -> dict[str, DriveEntry]:
    """The active entries of a folder."""
    found: dict[str, DriveEntry] = {}
    if folder.is_new:
        return found
    after: StoredObject | None = None
    with ctx.metadata.read() as unit:
        while page := unit.tree.children(account.account_id, folder.object_key, after=after, limit=_PAGE):
            for child in page:
                found[child.name] = DriveEntry(child.object_key, child.is_folder, child.size, child.last_modified_at)
            after = page[-1]
    return found


def resolve_target(ctx: ServiceContext, account: Account, path: str) -> tuple[DriveFolder, list[NewFolder]]:
    """The folder at a path of the drive, and the folders that have to be created for it.

    BadName for an invalid path, NotAFolder where a file is in the way.
    """
    folder, new = DriveFolder(account.root_key, is_new=False), list[NewFolder]()
    with ctx.metadata.read() as unit:
        for part in filter(None, path.split("/")):
            name = clean_name(part)
            existing = None if folder.is_new else unit.tree.child_named(account.account_id, folder.object_key, name)
            if existing is not None and not existing.is_folder:
                raise NotAFolder(f"“{name}” in {path} is a file: choose a folder with --into")
            if existing is not None:
                folder = DriveFolder(existing.object_key, is_new=False)
            else:
                new.append(NewFolder(object_key=ctx.new_key(), parent_key=folder.object_key, name=name))
                folder = DriveFolder(new[-1].object_key, is_new=True)
    return folder, new


# Names


def drive_names(names: Iterable[str]) -> dict[str, str]:
    """The name in the drive for each name of one source folder, as os.fsdecode gives them.

    If several names would become the same, the one that is exactly that name keeps it. The others get some digits of
    a hash of their bytes, and more digits where even those clash.
    """
    wanted = {name: _allowed(name) for name in names}
    counts = Counter(wanted.values())
    given = {name: drive for name, drive in wanted.items() if drive == name or counts[drive] == 1}
    taken = set(given.values())
    for name in sorted(wanted.keys() - given.keys()):
        given[name] = next(free for free in _distinguished(wanted[name], name) if free not in taken)
        taken.add(given[name])
    return given


def is_renamed(name: str, drive: str) -> bool:
    """Whether people would see a difference: another Unicode form of the same characters is none."""
    return unicodedata.normalize("NFC", name) != drive


def _allowed(name: str) -> str:
    """The closest allowed name: forbidden characters become %NN, and a name that is too long is cut."""
    spelled = unicodedata.normalize("NFC", _FORBIDDEN.sub(lambda match: f"%{ord(match[0]) & 0xFF:02X}", name))
    return spelled if len(spelled.encode()) <= NAME_BYTES_MAX else next(_distinguished(spelled, name))


def _distinguished(drive: str, name: str) -> Iterator[str]:
    """The name with digits of a hash of the original's bytes before its extension, then with more digits."""
    digits = hashlib.sha256(os.fsencode(name)).hexdigest()
    for count in range(_DIGITS, len(digits) + 1):
        yield _within_limit(drive, f"~{digits[:count]}")


def _within_limit(name: str, mark: str) -> str:
    """Stem, mark and extension, cut to the longest allowed name."""
    stem, dot, suffix = name.rpartition(".")
    if not stem or len(suffix.encode()) > NAME_BYTES_MAX // 4:
        stem, dot, suffix = name, "", ""
    left = NAME_BYTES_MAX - len(f"{mark}{dot}{suffix}".encode())
    cut = unicodedata.normalize("NFC", stem.encode()[:left].decode("utf-8", "ignore"))
    return f"{cut}{mark}{dot}{suffix}"

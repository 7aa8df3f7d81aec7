"""The folders that are kept in sync on this computer: one small file for each, beside the profiles.

They serve lists and questions alone. What a sync needs to know is inside its folder, and moves with it.
"""

import hashlib
from contextlib import suppress
from pathlib import Path
from typing import Final

from msgspec import DecodeError, Struct, json

from skyshelf.client.errors import LocalFileError
from skyshelf.client.local.files import lock_file, translate_os_errors, write_private
from skyshelf.client.settings import config_path
from skyshelf.desktop.sync.local_side import LOCK
from skyshelf.desktop.sync.local_tree import STATE_FOLDER

_KNOWN: Final = "synced"


class SyncedFolder(Struct, frozen=True, kw_only=True):
    """A local folder, the one on the server, and how the last sync of them was started."""

    local: str
    path: str
    exclude: list[str] = []

    @property
    def top(self) -> Path:
        return Path(self.local)

    @property
    def state(self) -> Path:
        """The folder with everything that the sync remembers."""
        return self.top / STATE_FOLDER

    def remember(self) -> None:
        """Store it instead of what was known of this local folder; one whose path is not UTF-8 is not listed."""
        with suppress(UnicodeEncodeError), translate_os_errors("cannot write", _file(self.top)):
            write_private(_file(self.top), json.encode(self))

    def forget(self) -> None:
        """Leave it out of lists; both sides, and what the folder remembers, stay as they are."""
        with suppress(FileNotFoundError), translate_os_errors("cannot delete", _file(self.top)):
            _file(self.top).unlink()

    def is_running(self) -> bool:
        """Whether a sync of the folder is running, such as a watch."""
        try:
            with (self.state / LOCK).open("rb") as opened:
                return not lock_file(opened.fileno())
        except OSError:
            return False


def synced_folders() -> list[SyncedFolder]:
    """Return all folders that this user has kept in sync on this computer, by path."""
    found = [_read(path) for path in _folder().glob("*.json")]
    return sorted((one for one in found if one is not None), key=lambda one: one.local)


def synced_folder(place: Path) -> SyncedFolder:
    """Return the synced folder that a local path is in, or is; the innermost one."""
    place = place.absolute()
    for top in (place, *place.parents):
        if (top / STATE_FOLDER).is_dir():
            real = top.resolve()
            return _read(_file(real)) or SyncedFolder(local=str(real), path="")
    raise LocalFileError(f"{place} is not in a folder that is kept in sync: `skyshelf sync status` lists these folders")


def below(folder: SyncedFolder, place: Path) -> str:
    """Return where a local path is below the synced folder, with slashes; empty for the folder itself."""
    if place.resolve() == folder.top:
        return ""
    real = place.absolute().parent.resolve() / place.name
    return real.relative_to(folder.top).as_posix()


def _read(path: Path) -> SyncedFolder | None:
    try:
        return json.decode(path.read_bytes(), type=SyncedFolder)
    except (OSError, DecodeError):
        return None


def _file(top: Path) -> Path:
    return _folder() / f"{hashlib.sha256(str(top).encode(errors='surrogateescape')).hexdigest()[:32]}.json"


def _folder() -> Path:
    return config_path().parent / _KNOWN

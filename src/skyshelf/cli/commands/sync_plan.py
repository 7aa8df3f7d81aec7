"""What a sync would do, found out before anything is done: the same plan is shown, capped and carried out."""

import hashlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final
from unicodedata import normalize

from msgspec import Struct

from skyshelf.client.errors import LocalFileError, ObjectNotFoundError
from skyshelf.client.objects.remote_object import FoundObject, RemoteObject

if TYPE_CHECKING:
    from skyshelf.client.sync_client import Client

_READ_BYTES: Final = 1024 * 1024


class PlannedUpload(Struct, frozen=True):
    """A file that the server does not have, or has otherwise."""

    path: str
    size: int


class PlannedTrash(Struct, frozen=True):
    """An object that is not here; a folder stands for everything in it."""

    path: str
    object: RemoteObject


class SyncPlan(Struct, frozen=True, kw_only=True):
    """Everything that a sync does. `folder` is None where it has to be made."""

    folder: RemoteObject | None
    uploads: list[PlannedUpload]
    trash: list[PlannedTrash]
    files_to_trash: int
    unchanged: set[Path]
    folders_missing: bool


def plan_sync(
    client: "Client", local: Path, path: str, *, delete: bool, compared: Callable[[Path, int], None] | None = None
) -> SyncPlan:
    """Compare a local folder with one of the server; `compared` hears of every file that was read for that."""
    files, folders, unseen = _local_tree(local)
    try:
        folder = client.get(path)
    except ObjectNotFoundError:
        folder = None
    remote: dict[tuple[str, ...], FoundObject] = {}
    if folder is not None:
        if not folder.is_folder:
            raise LocalFileError(f"{path} is a file on the server: name a folder")
        remote = {composed(one.parts): one for one in client.walk(folder)}
    top = path.rstrip("/")
    uploads, unchanged = [], set()
    for parts, size in files.items():
        there, here = remote.get(parts), local.joinpath(*files.original[parts])
        if there is not None and there.object.is_file and _is_same(here, size, there.object):
            unchanged.add(here)
            if compared is not None:
                compared(here, size)
        else:
            uploads.append(PlannedUpload("/".join((top, *parts)), size))
    gone = {
        parts: one
        for parts, one in remote.items()
        if delete and parts not in files and parts not in folders and not _is_below(parts, unseen)
    }
    topmost = [one for parts, one in gone.items() if not any(parts[:depth] in gone for depth in range(1, len(parts)))]
    return SyncPlan(
        folder=folder,
        uploads=uploads,
        trash=[PlannedTrash(top + one.path, one.object.detached_copy()) for one in topmost],
        files_to_trash=sum(one.object.is_file for one in gone.values()),
        unchanged=unchanged,
        folders_missing=any(parts not in remote for parts in folders),
    )


class _LocalFiles(dict[tuple[str, ...], int]):
    """Sizes by composed names, and the names as the file system spells them."""

    def __init__(self) -> None:
        super().__init__()
        self.original: dict[tuple[str, ...], tuple[str, ...]] = {}


def _local_tree(local: Path) -> tuple[_LocalFiles, set[tuple[str, ...]], set[tuple[str, ...]]]:
    """All files, all folders, and what is neither or is a link, which is not followed.

    One that cannot be read is an error: what is not seen would look as if it were gone.
    """
    files = _LocalFiles()
    folders: set[tuple[str, ...]] = set()
    unseen: set[tuple[str, ...]] = set()

    def refuse(problem: OSError) -> None:
        raise LocalFileError(f"{problem.filename} cannot be read: {problem.strerror}")

    for folder, names_of_folders, names in os.walk(local, onerror=refuse):
        above = Path(folder).relative_to(local).parts
        for name in names_of_folders:
            known = unseen if Path(folder, name).is_symlink() else folders
            known.add(composed((*above, name)))
        for name in names:
            found = Path(folder, name)
            if found.is_symlink() or not found.is_file():
                unseen.add(composed((*above, name)))
                continue
            parts = composed((*above, name))
            files[parts] = found.stat().st_size
            files.original[parts] = (*above, name)
    return files, folders, unseen


def _is_below(parts: tuple[str, ...], unseen: set[tuple[str, ...]]) -> bool:
    """Whether it is, or lies below, the namesake of something that was not looked at here: that is left alone."""
    return any(parts[:depth] in unseen for depth in range(1, len(parts) + 1))


def composed(parts: tuple[str, ...]) -> tuple[str, ...]:
    """Names in the one form that the server keeps; a Mac may spell them in another."""
    return tuple(normalize("NFC", part) for part in parts)


def _is_same(path: Path, size: int, there: RemoteObject) -> bool:
    if there.md5 is None or there.size != size:
        return False
    digest = hashlib.md5(usedforsecurity=False)
    with path.open("rb") as content:
        while piece := content.read(_READ_BYTES):
            digest.update(piece)
    return digest.hexdigest() == there.md5

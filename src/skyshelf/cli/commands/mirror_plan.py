"""The plan of a mirror, made before anything changes: the same plan is previewed, limited and carried out."""

import hashlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final
from unicodedata import normalize

from msgspec import Struct

from skyshelf.cli.base.output import kept
from skyshelf.client.errors import LocalFileError, ObjectNotFoundError
from skyshelf.client.local.names import RESERVED
from skyshelf.client.objects.remote_object import FoundObject, RemoteObject

if TYPE_CHECKING:
    from skyshelf.client.sync_client import Client

_SPLIT_HINT: Final = "mirror its subfolders one by one"


class PlannedUpload(Struct, frozen=True):
    """A file that is missing on the server, or differs there."""

    path: str
    size: int


class PlannedTrash(Struct, frozen=True):
    """An object that does not exist locally; a folder stands for everything in it."""

    path: str
    object: RemoteObject


class MirrorPlan(Struct, frozen=True, kw_only=True):
    """Everything that a mirror does. `folder` is None if it does not exist yet."""

    folder: RemoteObject | None
    uploads: list[PlannedUpload]
    trash: list[PlannedTrash]
    files_to_trash: int
    unchanged: set[Path]
    folders_missing: bool


def plan_mirror(
    client: "Client", local: Path, path: str, *, delete: bool, compared: Callable[[Path, int], None] | None = None
) -> MirrorPlan:
    """Compare a local folder with one on the server; `compared` is called for every file that is unchanged."""
    files, folders, ignored = _local_tree(local)
    try:
        folder = client.get(path)
    except ObjectNotFoundError:
        folder = None
    remote: dict[tuple[str, ...], FoundObject] = {}
    if folder is not None:
        if not folder.is_folder:
            raise LocalFileError(f"{path} is a file on the server: use a folder")
        remote = {normalize_names(one.parts): one for one in kept(client.walk(folder), _SPLIT_HINT)}
    top = path.rstrip("/")
    uploads, unchanged = [], set()
    for parts, size in files.items():
        existing, local_path = remote.get(parts), local.joinpath(*files.original[parts])
        if existing is not None and existing.object.is_file and _is_same(local_path, size, existing.object):
            unchanged.add(local_path)
            if compared is not None:
                compared(local_path, size)
        else:
            uploads.append(PlannedUpload("/".join((top, *parts)), size))
    missing_here = {
        parts: one
        for parts, one in remote.items()
        if delete and parts not in files and parts not in folders and not _is_below(parts, ignored)
    }
    topmost = [
        one
        for parts, one in missing_here.items()
        if not any(parts[:depth] in missing_here for depth in range(1, len(parts)))
    ]
    return MirrorPlan(
        folder=folder,
        uploads=uploads,
        trash=[PlannedTrash(top + one.path, one.object.detached_copy()) for one in topmost],
        files_to_trash=sum(one.object.is_file for one in missing_here.values()),
        unchanged=unchanged,
        folders_missing=any(parts not in remote for parts in folders),
    )


class _LocalFiles(dict[tuple[str, ...], int]):
    """Sizes by normalised path, and the paths as the file system spells them."""

    def __init__(self) -> None:
        super().__init__()
        self.original: dict[tuple[str, ...], tuple[str, ...]] = {}


def _local_tree(local: Path) -> tuple[_LocalFiles, set[tuple[str, ...]], set[tuple[str, ...]]]:
    """All files, all folders, and everything that is ignored: links, which are not followed, and special files.

    An unreadable folder is an error: its files would look deleted.
    """
    files = _LocalFiles()
    folders: set[tuple[str, ...]] = set()
    ignored: set[tuple[str, ...]] = set()

    def fail(error: OSError) -> None:
        raise LocalFileError(f"cannot read {error.filename}: {error.strerror}")

    for folder, folder_names, names in os.walk(local, onerror=fail):
        above = Path(folder).relative_to(local).parts
        if not above:
            # What a backup or a sync keeps beside its files belongs to this computer.
            ignored |= {(name,) for name in RESERVED}
            folder_names[:] = [name for name in folder_names if name not in RESERVED]
        folder_names.sort()
        for name in folder_names:
            known = ignored if Path(folder, name).is_symlink() else folders
            known.add(normalize_names((*above, name)))
        for name in sorted(names):
            found = Path(folder, name)
            if found.is_symlink() or not found.is_file():
                ignored.add(normalize_names((*above, name)))
                continue
            parts = normalize_names((*above, name))
            files[parts] = found.stat().st_size
            files.original[parts] = (*above, name)
    return files, folders, ignored


def _is_below(parts: tuple[str, ...], ignored: set[tuple[str, ...]]) -> bool:
    """Whether it has the name of something ignored locally, or lies below it; such objects are left alone."""
    return any(parts[:depth] in ignored for depth in range(1, len(parts) + 1))


def normalize_names(parts: tuple[str, ...]) -> tuple[str, ...]:
    """Names in NFC, as the server stores them; macOS may use another form."""
    return tuple(normalize("NFC", part) for part in parts)


def _is_same(path: Path, size: int, existing: RemoteObject) -> bool:
    return existing.md5 is not None and existing.size == size and file_md5(path) == existing.md5


def file_md5(path: Path) -> str:
    with path.open("rb") as content:
        return hashlib.file_digest(content, lambda: hashlib.md5(usedforsecurity=False)).hexdigest()

"""Folders that stay on the server: the user has chosen not to have them on this computer.

One that is here is put away after a sync that left no difference, and only if every file in it is on the server with
the content that it has here. It goes to the local trash. To the plan such a folder is one that is left alone.
"""

from pathlib import Path
from typing import Final

from msgspec import DecodeError, json

from skyshelf.client.errors import LocalFileError
from skyshelf.client.local.files import translate_os_errors, write_private
from skyshelf.client.sync_client import Client
from skyshelf.desktop.sync.index import ROOT_ID, Entry, SyncIndex
from skyshelf.desktop.sync.local_side import ChangedSinceScan, LocalSide
from skyshelf.desktop.sync.local_tree import LocalNode, LocalScan, Select, composed
from skyshelf.desktop.sync.matching import Hashes
from skyshelf.desktop.sync.remote_tree import keys_in

SELECTION: Final = "stays-on-server.json"
STAYS: Final = "it stays on the server alone"


class Selection:
    """The folders of one sync that stay on the server, by path, with whether they are put away already."""

    def __init__(self, state: Path) -> None:
        self._file = state / SELECTION
        self._away: dict[str, bool] = {}
        self.read()

    def read(self) -> None:
        """Read the file again. One that cannot be read is an error: its folders would be downloaded again."""
        try:
            self._away = json.decode(self._file.read_bytes(), type=dict[str, bool])
        except FileNotFoundError:
            self._away = {}
        except (OSError, DecodeError) as error:
            raise LocalFileError(
                f"cannot read {self._file} ({error}): delete it, and use `skyshelf sync omit` again; until then,"
                " the folders that stay on the server are downloaded"
            ) from error

    @property
    def paths(self) -> dict[str, bool]:
        return dict(self._away)

    def add(self, path: str) -> None:
        """Let a folder stay on the server; the next sync removes it here."""
        self._write(self._away | {composed(path): self._away.get(composed(path), False)})

    def remove(self, path: str) -> None:
        """Let the next sync download a folder again."""
        if composed(path) not in self._away:
            raise LocalFileError(f"{path} does not stay on the server: `skyshelf sync omit` lists what does")
        self._write({known: is_away for known, is_away in self._away.items() if known != composed(path)})

    def _write(self, away: dict[str, bool]) -> None:
        with translate_os_errors("cannot write", self._file):
            write_private(self._file, json.encode(away))
        self._away = away

    def narrowed(self, select: Select | None) -> Select:
        """Return what is synced: all that `select` says, but no folder that is put away."""
        return lambda path, is_folder: (
            not self._away.get(composed(path), False) and (select is None or select(path, is_folder))
        )

    def put_away(
        self, client: Client, index: SyncIndex, side: LocalSide, select: Select
    ) -> list[tuple[str, str | None]]:
        """Remove folders here; return each, with the reason where it cannot be removed yet."""
        waiting = [path for path, is_away in self._away.items() if not is_away]
        return [(path, self._put_away(path, client, index, side, select)) for path in waiting]

    def _put_away(self, path: str, client: Client, index: SyncIndex, side: LocalSide, select: Select) -> str | None:
        scan = LocalScan(side.top, select)
        entries = {(entry.parent, scan.fold(entry.name)): entry for entry in index.entries()}
        folder: LocalNode | None = scan.read()
        entry: Entry | None = None
        parent_key = key = index.get("root") or ""
        for name in path.split("/"):
            folder = None if folder is None else folder.children.get(scan.fold(name))
            entry = entries.get((ROOT_ID if entry is None else entry.id, scan.fold(name)))
            parent_key, key = key, "" if entry is None else entry.key
        if folder is None:
            self._write(self._away | {path: True})
            return None
        if entry is None:
            return "it is not on the server yet"
        reason = _doubt(folder, entry, entries, Hashes(side.top)) or _missing_there(client, folder, entry, parent_key)
        if reason is not None:
            return reason
        # In this order: after a kill, a folder that is missing here would else look deleted.
        self._write(self._away | {path: True})
        index.forget([one.entry.id for one in (folder, *folder.below()) if one.entry is not None])
        try:
            side.trash(folder.parts, folder)
        except ChangedSinceScan:
            self._write(self._away | {path: False})
            return "it changed while it was removed"
        return None


def _doubt(node: LocalNode, entry: Entry, entries: dict[tuple[int, str], Entry], hashes: Hashes) -> str | None:
    """Say what in a local folder is not as it was synced; bind everything else to its entry."""
    node.entry = entry
    if not node.is_folder:
        return None if hashes.of(node) == entry.md5 else f"{node.path} changed since it was synced"
    if node.left:
        return f"{node.path}/{next(iter(node.left))} is not synced, so it is here alone"
    for folded, child in node.children.items():
        known = entries.get((entry.id, folded))
        if known is None or known.is_folder != child.is_folder:
            return f"{child.path} is not on the server yet"
        if (reason := _doubt(child, known, entries, hashes)) is not None:
            return reason
    return None


def _missing_there(client: Client, folder: LocalNode, entry: Entry, parent_key: str) -> str | None:
    """Ask the server again, and say what it does not have as it is here."""
    if entry.key.upper() not in keys_in(client, [parent_key]):
        return "it was deleted or moved on the server"
    there = {found.object.key.upper(): found.object.md5 for found in client.walk(entry.key)}
    for node in folder.below():
        assert node.entry is not None
        key = node.entry.key.upper()
        if key not in there or (not node.is_folder and there[key] != node.entry.md5):
            return f"{node.path} was changed or deleted on the server"
    return None

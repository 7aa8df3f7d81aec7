"""Whether the server's data are still those of the last sync.

After a restore, a move or a rollback the server may be older than the local folder. What it lacks or has in an older
version then looks deleted or edited, and a sync would repeat that here. So the sync stops and asks; once the user has
accepted the server as it is, nothing local is deleted or replaced because of it.
"""

from collections.abc import Sequence
from contextlib import suppress
from typing import Final

from skyshelf.client.epochs import KnownEpoch, are_many, explain_difference, known_epoch, read_epoch
from skyshelf.client.errors import RequestFailedError, ServerStateError
from skyshelf.client.sync_client import Client
from skyshelf.desktop.sync.index import Entry, SyncIndex
from skyshelf.desktop.sync.remote_tree import RemoteTree

_ADVICE: Final = (
    "Nothing was changed, because local files may be newer than the server's. --accept-server-state goes on without"
    " losing any: files that the server lacks or has in an older version are uploaded, and of other files that differ,"
    " both versions are kept. --dry-run --accept-server-state lists the steps"
)


class EpochGuard:
    """Stops a sync with a server that went back. With `accept`, the first such sync goes on; later ones stop again."""

    def __init__(self, client: Client, index: SyncIndex, *, accept: bool, dry_run: bool) -> None:
        self._client = client
        self._index = index
        self._accept = accept
        self._dry_run = dry_run
        self._known: KnownEpoch | None = None
        self.has_modes = False
        """Whether the server keeps which files are executable; known after a review."""
        self._versions: dict[str, int] = {}

    def review(self, entries: list[Entry], remote: RemoteTree) -> list[Entry]:
        """Return the entries that still say what both sides had: all of them, unless the user accepts other data.

        Raises ServerStateError where the server's data are others than at the last sync. The epoch is read after the
        tree: data that were replaced in between are noticed.
        """
        epoch, cursor = self._index.get("epoch"), self._index.get("cursor")
        before = KnownEpoch(epoch, cursor) if epoch and cursor else None
        now = read_epoch(self._client, before)
        problem = None if before is None or now is None else explain_difference(before, now)
        self._known = known_epoch(now)
        self.has_modes = now is not None and now.keeps_executable is True
        reverted = self._reverted(entries, remote)
        files = sum(not entry.is_folder for entry in entries)
        # Where versions only grow, one file that went back is proof; other servers may put an old version back.
        went_back = bool(reverted) if now is not None else are_many(len(reverted), files)
        if problem is None and went_back:
            have = "has" if len(reverted) == 1 else "have"
            problem = f"{len(reverted):,} of {files:,} files {have} gone back to older contents on the server"
        if problem is not None and not self._accept:
            raise ServerStateError(f"{problem[0].upper()}{problem[1:]}. {_ADVICE}")
        # With the newest change that the last sync has seen, the server has all that this index knows, unless that sync
        # was cut off: it may have made changes after that one.
        is_complete = now is not None and now.is_cursor_known and not self._index.get("cut_off")
        if problem is not None and not is_complete:
            entries = self._reconciled(entries, remote, reverted)
        self._versions = {
            node.key: node.object.version
            for node in remote.nodes.values()
            if node.object is not None and node.object.version is not None
        }
        if not self._dry_run:
            if problem is not None:
                # Files go on from these versions: lower ones than before must not look as if they had gone back again.
                self._index.note_versions(self._versions, are_all=True)
            self._accept = self._accept and problem is None
            self._remember(is_cut_off=True)
        return entries

    def finish(self, *, has_changed: bool) -> None:
        """Remember what the server has after a sync, its own changes too."""
        self._index.note_versions(self._versions)
        if self._known is None:
            return
        # The sync is done, whether or not this is remembered.
        with suppress(RequestFailedError):
            now = known_epoch(read_epoch(self._client, self._known)) if has_changed else self._known
            if now is not None and now.epoch == self._known.epoch:
                self._known = now
                self._remember(is_cut_off=False)

    def _remember(self, *, is_cut_off: bool) -> None:
        if self._known is not None:
            self._index.put(
                epoch=self._known.epoch, cursor=self._known.cursor, cut_off="since then" if is_cut_off else ""
            )

    def _reverted(self, entries: Sequence[Entry], remote: RemoteTree) -> set[int]:
        """Return the files with other contents and an earlier version than at the last sync."""
        changed = {
            entry.key.upper(): (entry.id, node.object.version)
            for entry in entries
            if (node := remote.get(entry.key)) is not None
            and node.md5 != entry.md5
            and node.object is not None
            and node.object.version is not None
        }
        versions = self._index.versions(changed)
        return {entry_id for key, (entry_id, version) in changed.items() if version < versions.get(key, 0)}

    def _reconciled(self, entries: Sequence[Entry], remote: RemoteTree, reverted: set[int]) -> list[Entry]:
        """Forget what the server contradicts: it is merged again, which deletes nothing and replaces nothing.

        For a file that went back, the server's content becomes the common one, so the local file counts as edited; the
        same holds for the executable bit. The next rounds of this sync read that from the index.
        """
        kept: list[Entry] = []
        changed: list[Entry] = []
        forgotten: list[int] = []
        for entry in entries:
            node = remote.get(entry.key)
            if node is None and entry.key.upper() not in remote.held:
                forgotten.append(entry.id)
            elif node is None or entry.is_folder:
                kept.append(entry)
            elif node.md5 == entry.md5 or entry.id in reverted:
                kept.append(entry)
                if entry.id in reverted:
                    entry.md5, entry.size, entry.modified_ns = node.md5, -1, 0
                if entry.id in reverted or bool(entry.is_executable) != node.is_executable:
                    entry.is_executable = node.is_executable
                    changed.append(entry)
            else:
                forgotten.append(entry.id)
        if not self._dry_run:
            self._index.forget(forgotten)
            for entry in changed:
                self._index.record(entry)
        return kept

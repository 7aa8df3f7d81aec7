"""Merges two edits of a text file by the version that both began with, which the server still has.

What both sides changed in the same place, or in lines beside each other, is not merged: then both files are kept.
"""

from collections import Counter
from collections.abc import Sequence
from difflib import SequenceMatcher
from pathlib import Path
from typing import Final, NamedTuple

from skyshelf.client.errors import SkyshelfError
from skyshelf.client.local.files import translate_os_errors
from skyshelf.client.objects.remote_object import md5_in
from skyshelf.client.sync_client import Client
from skyshelf.desktop.sync.actions import Action
from skyshelf.desktop.sync.index import SyncIndex
from skyshelf.desktop.sync.local_side import ChangedSinceScan, LocalSide
from skyshelf.desktop.sync.local_tree import signed_inode
from skyshelf.desktop.sync.steps import STOPPING

BYTES_MAX: Final = 1024 * 1024
_PAIRS_MAX: Final = 200_000
"""How many pairs of equal lines are compared at most; a file of many equal lines would take very long."""


class _Hunk(NamedTuple):
    """Lines that one side has instead of those from `begin` to `end`."""

    begin: int
    end: int
    lines: tuple[bytes, ...]


def merge_text(base: bytes, mine: bytes, theirs: bytes) -> bytes | None:
    """Return a text with the changes of both sides; None where they are not text, or their changes overlap."""
    if not all(map(_is_text, (base, mine, theirs))):
        return None
    lines = base.splitlines(keepends=True)
    here, there = _hunks(lines, mine.splitlines(keepends=True)), _hunks(lines, theirs.splitlines(keepends=True))
    if here is None or there is None:
        return None
    merged: list[_Hunk] = []
    for hunk in sorted({*here, *there}):
        if merged and hunk.begin <= merged[-1].end:
            return None
        merged.append(hunk)
    result: list[bytes] = []
    at = 0
    for hunk in merged:
        result += [*lines[at : hunk.begin], *hunk.lines]
        at = hunk.end
    return b"".join([*result, *lines[at:]])


def _is_text(content: bytes) -> bool:
    try:
        content.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return b"\0" not in content and len(content) <= BYTES_MAX


def _hunks(base: Sequence[bytes], other: Sequence[bytes]) -> list[_Hunk] | None:
    begin = next((at for at, (one, two) in enumerate(zip(base, other, strict=False)) if one != two), None)
    begin = min(len(base), len(other)) if begin is None else begin
    rest, rest_of_other = base[begin:], other[begin:]
    counts, counts_of_other = Counter(rest), Counter(rest_of_other)
    if sum(count * counts_of_other[line] for line, count in counts.items()) > _PAIRS_MAX:
        return None
    matcher = SequenceMatcher(None, rest, rest_of_other, autojunk=False)
    return [
        _Hunk(begin + first, begin + last, tuple(rest_of_other[first_of_other:last_of_other]))
        for kind, first, last, first_of_other, last_of_other in matcher.get_opcodes()
        if kind != "equal"
    ]


class TextMerge:
    """Merges conflicts of one run. The local edit goes to the local trash, the server's stays as a version."""

    def __init__(self, client: Client, index: SyncIndex, side: LocalSide) -> None:
        self._client = client
        self._index = index
        self._side = side

    def attempt(self, action: Action) -> bool:
        """Replace the local file with the merged text, if it can be merged; the next round uploads it."""
        entry, local, remote = action.entry, action.local, action.remote
        if entry is None or local is None or remote is None or remote.object is None or local.is_folder:
            return False
        if max(local.size, remote.size, entry.size) > BYTES_MAX:
            return False
        try:
            base = self._ancestor(action)
            theirs = None if base is None else self._content(action, None)
        except STOPPING:
            raise
        except SkyshelfError:
            return False
        if base is None or theirs is None:
            return False
        with translate_os_errors("cannot read", self._side.path(local.parts)):
            mine = self._side.path(local.parts).read_bytes()
        if not self._side.is_as_scanned(local.parts, local):
            raise ChangedSinceScan(f"{action.path} changed since then")
        merged = merge_text(base, mine, theirs)
        if merged is None:
            return False
        made = self._side.incoming / "merged"
        with translate_os_errors("cannot write", made):
            made.write_bytes(merged)
        found = self._side.place(made, local.parts, local)
        # Both sides now have the server's content in common, and the local file counts as edited.
        entry.md5, entry.inode, entry.size, entry.modified_ns = remote.md5, signed_inode(found), -1, 0
        self._index.record(entry)
        return True

    def _ancestor(self, action: Action) -> bytes | None:
        """Download the version that both sides had."""
        assert action.entry is not None
        listed = self._client.versions.list(action.there.key).obj_versions or []
        for one in listed:
            if md5_in(one.hash) == action.entry.md5 and (one.size_in_bytes or 0) <= BYTES_MAX:
                return self._content(action, one.version)
        return None

    def _content(self, action: Action, version: int | None) -> bytes | None:
        remote = action.there
        assert remote.object is not None
        waiting: Path = self._side.incoming / "merging"
        got = self._client.download(remote.object, waiting, version=version, overwrite=True, within=self._side.top)
        with translate_os_errors("cannot read", waiting):
            content = waiting.read_bytes()
            waiting.unlink()
        assert action.entry is not None
        return content if got.md5 == (remote.md5 if version is None else action.entry.md5) else None

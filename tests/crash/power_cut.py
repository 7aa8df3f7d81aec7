"""What a loss of power does to a folder: changes that no sync made durable are lost, in part, and out of order.

The shim logged the former content of every sector and every change of a name, in one sequence. From the log follows
which versions of a sector, of a file's length and of a folder's entry may be on the disk; chance chooses one of them.
"""

import os
import shutil
import struct
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import NamedTuple

SECTOR = 512
_HEADER = struct.Struct("=QQQQII")
DROP, KEEP, PREFIX, MIX = "drop", "keep", "prefix", "mix"
_HOW = (DROP, KEEP, PREFIX, MIX), (3, 1, 3, 3)
"""What becomes of the changes of a file, with weights: none is left, all are, the first ones, or any."""


class Record(NamedTuple):
    """A line of the log; `struct record` of shim.c."""

    sequence: int
    inode: int
    offset: int
    size: int
    kind: str
    data: bytes


class Change(NamedTuple):
    """One version of something that is not durable: what was there before it, and since when."""

    sequence: int
    before: bytes | int


@dataclass
class FileHistory:
    """What the disk may hold of one file instead of what the file holds now."""

    sectors: defaultdict[int, list[Change]] = field(default_factory=lambda: defaultdict(list))
    sizes: list[Change] = field(default_factory=list)
    lost: set[int] = field(default_factory=set)
    """Changes whose sync failed: no later sync writes them, unless they are written again."""

    def write(self, record: Record) -> None:
        end = int.from_bytes(record.data[:8], "little")
        former = record.data[8:]
        for at in range(record.offset, end, SECTOR):
            before = former[at - record.offset :][:SECTOR]
            self.sectors[at].append(Change(record.sequence, before.ljust(SECTOR, b"\0")))
        self.sizes.append(Change(record.sequence, record.size))

    def sync(self, start: int) -> None:
        for at in list(self.sectors):
            if left := self._left(self.sectors[at], start):
                self.sectors[at] = left
            else:
                del self.sectors[at]
        self.sizes = self._left(self.sizes, start)

    def _left(self, changes: list[Change], start: int) -> list[Change]:
        """Return the changes that are not durable: none before the last one that is."""
        durable = [n for n, one in enumerate(changes) if one.sequence < start and one.sequence not in self.lost]
        return changes[durable[-1] + 1 :] if durable else changes

    def fail(self, start: int) -> None:
        for changes in (*self.sectors.values(), self.sizes):
            self.lost.update(one.sequence for one in changes if one.sequence < start)


class Entry(NamedTuple):
    """A change of one name: the inode that had it before (0 for none)."""

    sequence: int
    before: int
    is_folder: bool
    renamed_from: Path | None


@dataclass
class DiskHistory:
    files: defaultdict[int, FileHistory] = field(default_factory=lambda: defaultdict(FileHistory))
    entries: defaultdict[Path, list[Entry]] = field(default_factory=lambda: defaultdict(list))

    def read(self, records: list[Record], *, journaled: bool) -> None:
        """Journaled: any sync makes all earlier names durable, as on ext4, XFS and btrfs; POSIX promises less."""
        for record in records:
            names = [Path(os.fsdecode(name)) for name in record.data.split(b"\0")] if record.kind in "DNUR" else []
            match record.kind:
                case "W":
                    self.files[record.inode].write(record)
                case "B":
                    self.files.pop(record.inode, None)
                case "S":
                    self.files[record.inode].sync(record.sequence)
                case "F":
                    self.files[record.inode].fail(record.sequence)
                case "A":
                    for history in self.files.values():
                        history.sync(record.sequence)
                    self.entries.clear()
                case "N":
                    self.entries[names[0]].append(Entry(record.sequence, record.offset, bool(record.size), None))
                case "U":
                    self.entries[names[0]].append(
                        Entry(record.sequence, record.inode, is_folder=False, renamed_from=None)
                    )
                case "R":
                    source, target = names
                    is_folder = bool(record.size)
                    self.entries[source].append(Entry(record.sequence, record.inode, is_folder, None))
                    self.entries[target].append(Entry(record.sequence, record.offset, is_folder, source))
            if record.kind == "D" or (journaled and record.kind == "S"):
                for name in [one for one in self.entries if journaled or one.parent == names[0]]:
                    left = [entry for entry in self.entries[name] if entry.sequence > record.sequence]
                    if left:
                        self.entries[name] = left
                    else:
                        del self.entries[name]


def read_logs(folder: Path) -> list[Record]:
    return sorted(record for place in folder.iterdir() if place.name.isdigit() for record in _records(place))


def _records(place: Path) -> Iterator[Record]:
    data = place.read_bytes()
    at = 0
    while at + _HEADER.size <= len(data):
        sequence, inode, offset, size, kind, length = _HEADER.unpack_from(data, at)
        at += _HEADER.size
        if at + length > len(data):
            return  # cut off by the kill, before the change that it announces
        yield Record(sequence, inode, offset, size, chr(kind), data[at : at + length])
        at += length


def cut_power(root: Path, logs: Path, rng: Random, *, journaled: bool = False, everything: bool = False) -> int:
    """Take back what chance chooses of all that no sync made durable, or everything; how many changes that were."""
    history = DiskHistory()
    history.read(read_logs(logs), journaled=journaled)
    places = _places(root, logs)
    undone = 0
    for inode, file in history.files.items():
        if inode in places:
            undone += _restore_file(places[inode], file, rng, DROP if everything else rng.choices(*_HOW)[0])
    undone += _restore_names(history.entries, places, rng, everything=everything)
    for place in root.rglob("*-shm"):
        # The index of SQLite's log is mapped memory, and never synced.
        if rng.random() < 0.5:
            place.unlink()
    return undone


def _places(root: Path, logs: Path) -> dict[int, Path]:
    """A path for every inode, those that lost their names included."""
    found: dict[int, Path] = {}
    for folder in (logs, root):
        for parent, _, names in os.walk(folder):
            for name in names:
                place = Path(parent, name)
                found[place.lstat().st_ino] = place
    return found


def _restore_file(place: Path, file: FileHistory, rng: Random, how: str) -> int:
    sequences = sorted({one.sequence for changes in (*file.sectors.values(), file.sizes) for one in changes})
    if not sequences or how == KEEP:
        return 0
    cut = sequences[0] if how == DROP else rng.choice(sequences)
    undone = 0
    with place.open("r+b") as opened:
        size: bytes | int = os.fstat(opened.fileno()).st_size
        for at, changes in file.sectors.items():
            since = rng.choice((*(one.sequence for one in changes), changes[-1].sequence + 1)) if how == MIX else cut
            first = next((one for one in changes if one.sequence >= since), None)
            if first is not None and isinstance(first.before, bytes):
                os.pwrite(opened.fileno(), first.before, at)
                undone += 1
        # Sectors past the end made it longer meanwhile. A length may be there before the bytes are.
        since = rng.choice((cut, sequences[-1] + 1)) if how == MIX else cut
        size = next((one.before for one in file.sizes if one.sequence >= since), size)
        assert isinstance(size, int)
        os.ftruncate(opened.fileno(), size)
    return undone


def _restore_names(entries: dict[Path, list[Entry]], places: dict[int, Path], rng: Random, *, everything: bool) -> int:
    chosen: dict[Path, Entry] = {}
    for path, changes in entries.items():
        since = 0 if everything else rng.randint(0, len(changes))
        if since < len(changes):
            chosen[path] = changes[since]
    for path in list(chosen):
        # A rename happens at both ends or at none; a source alone may come back.
        source = chosen[path].renamed_from
        if source is not None and source in entries and source not in chosen:
            chosen[source] = entries[source][0]
    # First everything goes aside: it may be the only name of what another entry gets back.
    folders = [path for path in chosen if path.is_dir() and not path.is_symlink()]
    aside: dict[int, Path] = {}
    for number, path in enumerate(path for path in chosen if path.is_file()):
        moved = path.rename(path.with_name(f"{path.name}.cut-{number}"))
        aside[moved.stat().st_ino] = moved
    for path, entry in chosen.items():
        file = aside.get(entry.before) or places.get(entry.before)
        if entry.before and not entry.is_folder and file is not None and path.parent.is_dir():
            path.hardlink_to(file)
    for moved in aside.values():
        moved.unlink()
    for path in folders:
        shutil.rmtree(path, ignore_errors=True)
    return len(chosen)

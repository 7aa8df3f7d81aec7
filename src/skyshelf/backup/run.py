"""Taking a cut: the rows of one moment, then the contents that are not there yet, then the manifest."""

import hashlib
import secrets
import shutil
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from skyshelf.backup import inventory
from skyshelf.backup.chunks import RowsWriter
from skyshelf.backup.contents import Copier, Journal
from skyshelf.backup.cut import (
    CUTS,
    FORMAT,
    WITH_SEGMENTS,
    Cut,
    Database,
    ObjectRef,
    check_key,
    encode,
    manifests,
    new_id,
)
from skyshelf.backup.packs import pack_name, put_list
from skyshelf.backup.places import BackupRefused, Batch, CutDamaged, Place, Progress
from skyshelf.backup.sealing import AgeSealer, Names, Plain, Sealer
from skyshelf.backup.segments import FormerSegments, SegmentsWriter
from skyshelf.backup.sources import Copy, Rows, Source
from skyshelf.storage.identity import Identity
from skyshelf.storage.space import naming_full
from skyshelf.wire.version import VERSION

_ATTEMPTS: Final = 3
_ROWS: Final = "rows.db"
_FEW: Final = 2000
_LITTLE: Final = 512 * 1024 * 1024
"""What is copied while the rows are held in place; with more, the log of the database would grow for too long."""


class Options(msgspec.Struct, frozen=True, kw_only=True):
    work: Path
    """A folder of this machine with space for a copy of the rows."""
    recipients: Sequence[str] = ()
    recheck: bool = False
    """Read what earlier cuts have stored, instead of trusting their lists."""
    now: Callable[[], int] = lambda: time.time_ns() // 1_000_000


class BackupResult(msgspec.Struct, frozen=True):
    """A new cut; `damaged` has a sentence for each content that the store itself has lost."""

    cut: Cut
    damaged: list[str]
    unreadable: list[str]
    """Cuts whose manifests are damaged."""


class _Moment(NamedTuple):
    """The rows, when they were as they are, and what they say about themselves."""

    rows: Rows
    at: int
    identity: Identity
    schema: int


class _Part(NamedTuple):
    """Contents of a cut whose names have the same beginning: names and sizes, or the list that has them already."""

    wanted: bytes
    same: ObjectRef | None


def take_cut(source: Source, place: Place, options: Options, progress: Progress | None = None) -> BackupResult:
    """Add a cut. The caller holds the lock of the place."""
    with naming_full(options.work):
        return _Run(source, place, options, progress or Progress()).run()


class _Run:
    def __init__(self, source: Source, place: Place, options: Options, progress: Progress) -> None:
        self._source = source
        self._place = place
        self._options = options
        self._progress = progress
        self._sealer: Sealer = AgeSealer(options.recipients) if options.recipients else Plain()
        found = list(manifests(place))
        self._cuts = [one.cut for one in found if one.cut is not None]
        self._unreadable = [f"{one.id}: {one.problem}" for one in found if one.cut is None]
        self._check_recipients()
        self._names = Names(source.name_key() if options.recipients else None)
        self._encrypted = bool(options.recipients)
        self._before = self._cuts[-1] if self._cuts else None
        self._before_data = next((one.data for one in reversed(found) if one.cut is not None), b"")
        self._usable = {pack.name for pack in self._before.database.packs} if self._before is not None else set[str]()
        self._present: dict[str, int] | None = None
        """The contents of the destination that were read; None when its lists are trusted."""

    def run(self) -> BackupResult:
        journal = Journal(self._place, encrypted=self._encrypted)
        unfinished = journal.entries()
        if self._options.recheck:
            self._recheck(unfinished.values())
        known = inventory.KnownContents(self._place, self._before, unfinished, self._present)
        copier = Copier(self._source, self._place, self._sealer, self._names, journal=journal, progress=self._progress)
        work = self._options.work
        shutil.rmtree(work, ignore_errors=True)
        work.mkdir(mode=0o700, parents=True)
        try:
            # After an earlier cut there is little to copy, as a rule.
            cut = self._attempt(known, copier, hold=True) if self._before is not None else None
            for _ in range(_ATTEMPTS):
                # What was deleted after the rows were copied is not in the next copy of the rows.
                cut = cut or self._attempt(known, copier, hold=False)
                if cut is not None:
                    journal.clear()
                    return BackupResult(cut, sorted(copier.lacking.values()), self._unreadable)
        finally:
            shutil.rmtree(work, ignore_errors=True)
        raise BackupRefused("contents were deleted faster than they could be copied: run the backup again")

    def _recheck(self, unfinished: Iterable[inventory.Entry]) -> None:
        """Read what the last cut and an interrupted run have stored; what is not sound is stored again."""
        self._progress.step("reading what is stored")
        present = {kept.name: kept.size for kept in self._place.list("blobs/")}
        lists, packs, encrypted = [], [], False
        if self._before is not None:
            lists, packs, encrypted = self._before.contents, self._before.database.packs, self._before.encrypted
        stored = (inventory.stored_entries(self._place, one, encrypted=encrypted) for one in lists)
        self._present = {}
        with inventory.Inspection(self._place, self._progress) as inspection:
            for entries in chain(stored, [unfinished]):
                whole = [one for one in entries if present.get(one.object_name) == one.size]
                for entry in whole:
                    self._progress.queued(entry.size)
                for entry, digest in inspection.contents(whole):
                    if digest == entry.digest.hex():
                        self._present[entry.object_name] = entry.size
            digests = inspection.objects((pack_name(one.name), one.size) for one in packs)
            self._usable = {one.name for one, digest in zip(packs, digests, strict=True) if digest == one.name}

    def _attempt(self, known: inventory.KnownContents, copier: Copier, *, hold: bool) -> Cut | None:
        """Return a cut of this moment; None when it cannot be had like this."""
        copier.gone.clear()
        copier.lacking.clear()
        at = self._options.now()
        rows = self._rows(hold=hold)
        if rows is None:
            return None
        try:
            of = _Moment(rows, at, self._check_identity(rows), rows.schema())
            self._progress.step("looking for new contents")
            parts, new = self._compare(rows, known)
            new = [one for one in new if self._names.of(one[0]) not in copier.copied]
            if hold and (len(new) > _FEW or sum(size for _, size in new) > _LITTLE):
                return None
            self._progress.step("copying contents")
            copier.copy(rows, new)
            return None if copier.gone else self._finish(of, parts, known, copier)
        finally:
            rows.close()

    def _rows(self, *, hold: bool) -> Rows | None:
        if hold:
            held = self._source.hold_rows()
            return None if held is None else Rows(held)
        self._progress.step("copying the rows")
        path = self._options.work / _ROWS
        path.unlink(missing_ok=True)
        former = FormerSegments(self._place, self._names, self._former_database(), self._usable)
        copied = self._source.copy_rows(path, former)
        return Rows(Copy(path), copied, former)

    def _finish(self, of: _Moment, parts: list[_Part], known: inventory.KnownContents, copier: Copier) -> Cut:
        self._progress.step("writing the rows")
        with self._place.batch() as batch:
            database, written = self._write_rows(of.rows, batch)
            lists = _Lists(self._place, batch, self._names, self._cuts, copier, present=self._present)
            contents = [lists.put(part, number, len(parts), known) for number, part in enumerate(parts)]
            batch.seal()
        lacking = sorted(sentence for name, sentence in copier.lacking.items() if name not in lists.found_earlier)
        for name in lists.found_earlier:
            copier.lacking[name] += "; the backup keeps the copy of an earlier cut"
        accounts, objects = of.rows.accounts_and_objects()
        cut = Cut(
            format=WITH_SEGMENTS if database.schema else FORMAT,
            id=new_id(of.at, secrets.token_hex(4)),
            at=of.at,
            store=of.identity.store,
            generation=of.identity.generation,
            schema=of.schema,
            program=VERSION,
            encrypted=self._encrypted,
            recipients=list(self._options.recipients),
            key=b"".join(self._sealer.seal((self._names.key or b"",))) if self._encrypted else b"",
            database=database,
            contents=contents,
            files=lists.files,
            stored=lists.bytes,
            new_files=len(copier.copied),
            new_bytes=sum(entry.size for entry in copier.copied.values()) + written + lists.written,
            lacking=len(lacking),
            notes=b"".join(self._sealer.seal((msgspec.json.encode(lacking),))) if lacking else b"",
            accounts=accounts,
            objects=objects,
        )
        self._place.put(f"{CUTS}{cut.id}.json", encode(cut, self._names.key))
        return cut

    def _former_database(self) -> Database | None:
        """Return the rows of the previous cut, unless somebody without the key has written its manifest: what is taken
        over unread must be what this store had."""
        if self._before is None:
            return None
        if self._names.key is not None:
            try:
                check_key(self._before_data, self._names.key)
            except CutDamaged:
                return None
        return self._before.database

    def _write_rows(self, rows: Rows, batch: Batch) -> tuple[Database, int]:
        """Write the rows, and return how many bytes that took."""
        if rows.copied is not None and rows.former is not None:
            segments = SegmentsWriter(self._sealer, self._names, rows.former)
            spool = self._options.work / "segments"
            return segments.write(rows.copied, rows.file.connection, spool, batch), segments.written
        writer = self._rows_writer()
        return writer.write(rows.file, batch), writer.written

    def _rows_writer(self) -> RowsWriter:
        usable = self._usable
        if self._before is not None:
            with suppress(CutDamaged):
                return RowsWriter(self._place, self._sealer, self._names, self._before.database, usable)
        return RowsWriter(self._place, self._sealer, self._names, None, usable)

    def _check_recipients(self) -> None:
        if not self._cuts:
            return
        before, wanted = self._cuts[-1], set(self._options.recipients)
        if before.encrypted != bool(wanted):
            how = "encrypted" if before.encrypted else "not encrypted"
            raise BackupRefused(
                f"the backup at this destination is {how}: "
                + (
                    "name its recipients"
                    if before.encrypted
                    else "name a new destination for an encrypted one, or pass --unencrypted"
                )
            )
        if added := wanted - set(before.recipients):
            raise BackupRefused(
                f"what is stored at this destination cannot be opened by {', '.join(sorted(added))}:"
                " name a new destination for other recipients"
            )

    def _check_identity(self, rows: Rows) -> Identity:
        """The halves belong together, and the destination has no other store's cuts."""
        identity, blobs = rows.identity(), self._source.blobs.identity()
        if identity is None:
            raise BackupRefused("the store has no id yet: start the service once with this version, then back it up")
        if blobs is None or msgspec.json.decode(blobs, type=Identity).store != identity.store:
            raise BackupRefused(
                "the database and the file contents do not belong together: start the service with them, or name the"
                " halves that do"
            )
        others = {cut.store for cut in self._cuts} - {identity.store, *rows.former_stores()}
        if others:
            raise BackupRefused(
                f"this destination has cuts of another store ({', '.join(sorted(others))}): name a destination of its"
                " own for each store"
            )
        return identity

    def _compare(self, rows: Rows, known: inventory.KnownContents) -> tuple[list[_Part], list[tuple[bytes, int]]]:
        """Return what the cut needs, part by part, and which of it is not stored yet."""
        count = inventory.parts_for(rows.count())
        parts: list[_Part] = []
        new: list[tuple[bytes, int]] = []
        for wanted, contents in self._by_part(rows, count):
            stored = known.stored(len(parts), count)
            if stored is not None and hashlib.sha256(wanted).hexdigest() == stored.name:
                # Without encryption this is the list itself.
                parts.append(_Part(wanted, stored))
                continue
            have = known.names(len(parts), count)
            before = len(new)
            new += [
                one for one, (name, _) in zip(contents, inventory.wanted_in(wanted), strict=True) if name not in have
            ]
            is_same = stored is not None and len(new) == before and len(have) == len(contents)
            parts.append(_Part(wanted, stored if is_same else None))
        return parts, new

    def _by_part(self, rows: Rows, count: int) -> Iterator[tuple[bytes, list[tuple[bytes, int]]]]:
        """Names and sizes of a part, sorted, and its contents."""
        if self._names.key is None:
            step = 256 // count
            for first in range(0, 256, step):
                after = bytes((first + step,)) if first + step < 256 else None
                contents = rows.contents_from(bytes((first,)), after)
                yield inventory.wanted_list(contents), contents
            return
        gathered: list[list[tuple[bytes, bytes, int]]] = [[] for _ in range(count)]
        for sha256, size in rows.contents():
            name = self._names.of(sha256)
            gathered[inventory.part_of(name, count)].append((name, sha256, size))
        for some_names in gathered:
            some_names.sort()
            wanted = inventory.wanted_list((name, size) for name, _, size in some_names)
            yield wanted, [(sha256, size) for _, sha256, size in some_names]


@dataclass
class _Lists:
    """Writes the lists of a cut, and adds up what is in them."""

    place: Place
    batch: Batch
    names: Names
    cuts: Sequence[Cut]
    copier: Copier
    present: dict[str, int] | None

    def __post_init__(self) -> None:
        self._lacking = {self.names.of(sha256): sha256 for sha256 in self.copier.lacking}
        self.found_earlier: set[bytes] = set()
        self.files = self.bytes = self.written = 0

    def put(self, part: _Part, number: int, parts: int, known: inventory.KnownContents) -> ObjectRef:
        if self.names.key is None and not any(inventory.part_of(name, parts) == number for name in self._lacking):
            return self._put_wanted(part)
        if part.same is not None:
            files, size = known.totals(part.same)
            self.files += files
            self.bytes += size
            return part.same
        entries = known.entries(number, parts)
        chosen = []
        for name, _ in inventory.wanted_in(part.wanted):
            entry = self.copier.copied.get(name) or entries.get(name) or self._earlier(name)
            if entry is not None:
                chosen.append(entry)
        self.files += len(chosen)
        self.bytes += sum(entry.size for entry in chosen)
        data = inventory.encoded(chosen, encrypted=self.names.key is not None)
        return self._put(data)

    def _put_wanted(self, part: _Part) -> ObjectRef:
        """Without encryption, contents that are all there are stored as they are wanted."""
        self.files += len(part.wanted) // inventory.WANTED_BYTES
        self.bytes += sum(size for _, size in inventory.wanted_in(part.wanted))
        return part.same or self._put(part.wanted)

    def _put(self, data: bytes) -> ObjectRef:
        stored, written = put_list(self.batch, data)
        self.written += written
        return stored

    def _earlier(self, name: bytes) -> inventory.Entry | None:
        """What the store has lost may be in an earlier cut: then nothing is lacking."""
        entry = inventory.find_earlier(self.place, self.cuts, name)
        if entry is not None and self.present is not None and entry.object_name not in self.present:
            return None
        if entry is not None:
            self.found_earlier.add(self._lacking[name])
        return entry

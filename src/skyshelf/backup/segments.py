"""The rows of a database that knows what has changed, in segments that cuts share.

A segment is a run of rows of one table, in the order of its key, and of one account where a table has many rows per
account. Where it ends depends on keys alone, so a new row changes one segment. A group, the rows of one account in one
table, is taken over from the former cut unread if the database shows that it has not changed
(storage/metadata/transfer/changed_rows.py). All other rows are read, and a segment whose bytes the former cut has is
not stored again.

In a pack, a segment is compressed MessagePack: the table, its columns, and the rows. The list of a cut has a record for
each segment: the label of its group (zeros if it belongs to none), the name of its bytes, and where they are. With
encryption, labels and names are keyed digests.
"""

import hashlib
import struct
import zlib
from collections import Counter
from collections.abc import Container, Iterable, Iterator
from contextlib import closing
from itertools import chain, groupby, starmap
from pathlib import Path
from typing import Any, Final, NamedTuple

import apsw
import msgspec

from skyshelf.backup.cut import Database, ObjectRef
from skyshelf.backup.packs import PACK_BYTES, get_list, get_pack, put_list, put_pack, unpacked
from skyshelf.backup.places import Batch, CutDamaged, Place
from skyshelf.backup.sealing import Names, Opener, Sealer
from skyshelf.storage.metadata.sql.statements import Row
from skyshelf.storage.metadata.transfer.moments import GROUP_COLUMN, CopiedRows, Group, in_groups
from skyshelf.storage.metadata.transfer.sqlite_rows import SqliteRows, new_file
from skyshelf.storage.metadata.transfer.tables import Rows, Table, Tables

_RECORD: Final = struct.Struct(">32s32sIIII")
_NO_GROUP: Final = bytes(32)
_BOUNDARY: Final = 0x7F
"""A segment ends after a key whose checksum has none of these bits: after 128 rows, on average."""
_ROWS_MAX: Final = 1024
_BYTES_MAX: Final = 4 * 1024 * 1024
_SIZE_MAX: Final = 2**31
_LEVEL: Final = 1
_DECODER: Final = msgspec.msgpack.Decoder(tuple[str, list[str], list[tuple[Any, ...]]])


class Segment(NamedTuple):
    """Where a segment is: in which pack of the cut, from where, how long, and how long it is unpacked."""

    label: bytes
    digest: bytes
    pack: int
    start: int
    length: int
    size: int


def segments_in(data: bytes) -> list[Segment]:
    return list(starmap(Segment, _RECORD.iter_unpack(data)))


class FormerSegments:
    """The segments of the previous cut, as far as their packs can be used."""

    def __init__(self, place: Place, names: Names, before: Database | None, usable: Container[str]) -> None:
        self._names = names
        self.database = before if before is not None and before.schema else None
        self.groups: dict[bytes, list[Segment]] = {}
        self.known: dict[bytes, Segment] = {}
        if self.database is None:
            return
        try:
            found = segments_in(get_list(place, self.database.chunks))
        except (CutDamaged, struct.error):
            # Everything is stored again; verification reports it.
            self.database = None
            return
        packs = self.database.packs
        lost = {one.label for one in found if one.pack >= len(packs) or packs[one.pack].name not in usable}
        for one in found:
            if one.pack < len(packs) and packs[one.pack].name in usable:
                self.known[one.digest] = one
                if one.label not in lost and one.label != _NO_GROUP:
                    self.groups.setdefault(one.label, []).append(one)

    def pack(self, one: Segment) -> ObjectRef:
        assert self.database is not None
        return self.database.packs[one.pack]

    def choose(self, schema: int, tables: Tables, unchanged: Iterable[Group]) -> set[Group]:
        """Return the groups that the former cut has, other than those in packs of which little would be left."""
        found = {group: self.label(schema, tables[group.table], group) for group in unchanged}
        have = {group: label for group, label in found.items() if label in self.groups}
        used: Counter[int] = Counter()
        for label in have.values():
            for one in self.groups[label]:
                used[one.pack] += one.length
        sparse = {
            pack for pack, length in used.items() if self.database and 2 * length < self.database.packs[pack].size
        }
        return {group for group, label in have.items() if not any(one.pack in sparse for one in self.groups[label])}

    def label(self, schema: int, table: Table, group: Group) -> bytes:
        """Return the name of a group whose rows are as many, in the same columns."""
        columns = sorted((column.name, column.kind) for column in table.columns)
        told = msgspec.msgpack.encode((schema, table.name, columns, group.account, group.rows))
        return self._names.of(hashlib.sha256(told).digest())


class SegmentsWriter:
    """Writes the rows of a cut, of which the former cut may have some."""

    def __init__(self, sealer: Sealer, names: Names, former: FormerSegments) -> None:
        self._sealer = sealer
        self._names = names
        self._former = former
        self._packs: list[ObjectRef] = []
        self._numbers: dict[str, int] = {}
        self._listed = {former.database.chunks.name} if former.database is not None else set[str]()
        self.written = 0

    def write(self, copied: CopiedRows, connection: apsw.Connection, spool: Path, batch: Batch) -> Database:
        """Add the segments to a batch, which the caller seals; `spool` is a file for those that have to be compared."""
        tables = SqliteRows(connection).tables()
        listed = self._taken(copied, tables)
        grouped = [table for name, table in tables.items() if name in copied.groups]
        others = [table for name, table in tables.items() if name not in copied.groups]
        # Apart, because they change at another pace: a pack is kept for what is left of it.
        for some in (grouped, others):
            listed += self._write_new(
                chain.from_iterable(self._fresh(one, connection, copied) for one in some), spool, batch
            )
        data = b"".join(starmap(_RECORD.pack, listed))
        stored, written = put_list(batch, data, self._listed)
        self.written += written
        return Database(
            size=sum(one.size for one in listed),
            chunk_size=0,
            chunks=stored,
            packs=self._packs,
            schema=copied.schema,
            moment=copied.moment,
        )

    def _taken(self, copied: CopiedRows, tables: Tables) -> list[Segment]:
        return [
            one._replace(pack=self._number(self._former.pack(one)))
            for group in sorted(copied.taken)
            for one in self._former.groups[self._former.label(copied.schema, tables[group.table], group)]
        ]

    def _number(self, pack: ObjectRef) -> int:
        if pack.name not in self._numbers:
            self._numbers[pack.name] = len(self._packs)
            self._packs.append(pack)
        return self._numbers[pack.name]

    def _fresh(self, table: Table, connection: apsw.Connection, copied: CopiedRows) -> Iterator[tuple[bytes, bytes]]:
        """Yield the label and the bytes of each segment that was read."""
        rows = SqliteRows(connection)
        key = [table.position(name) for name in table.key]
        if table.name not in copied.groups:
            for data in _encoded(table, key, chain.from_iterable(rows.batches(table.in_order))):
                yield _NO_GROUP, data
            return
        counts = {group.account: group for group in copied.groups[table.name]}
        account = table.position(GROUP_COLUMN)
        of_accounts = groupby(chain.from_iterable(rows.batches(in_groups(table))), lambda row: row[account])
        for number, some in of_accounts:
            label = self._former.label(copied.schema, table, counts[number])
            for data in _encoded(table, key, some):
                yield label, data

    def _write_new(self, fresh: Iterable[tuple[bytes, bytes]], spool: Path, batch: Batch) -> list[Segment]:
        """Store segments that the former cut does not have, or that would keep a pack for little."""
        with closing(spool.open("w+b")) as file:
            found: list[Segment] = []
            at = 0
            for label, data in fresh:
                digest = self._names.of(hashlib.sha256(data).digest())
                file.write(data)
                found.append(Segment(label, digest, 0, at, 0, len(data)))
                at += len(data)
            places = self._kept({one.digest for one in found})
            pack = _Pack()
            for one in found:
                if one.digest not in places:
                    file.seek(one.start)
                    places[one.digest] = pack.add(one, file.read(one.size), len(self._packs))
                    if len(pack.data) >= PACK_BYTES:
                        pack = self._put(batch, pack)
            if pack.data:
                self._put(batch, pack)
        spool.unlink()
        return [places[one.digest]._replace(label=one.label) for one in found]

    def _kept(self, wanted: set[bytes]) -> dict[bytes, Segment]:
        known = {digest: self._former.known[digest] for digest in wanted if digest in self._former.known}
        used: Counter[str] = Counter()
        for one in known.values():
            used[self._former.pack(one).name] += one.length
        kept = {}
        for digest, one in known.items():
            pack = self._former.pack(one)
            if pack.name in self._numbers or 2 * used[pack.name] >= pack.size:
                kept[digest] = one
        return {digest: one._replace(pack=self._number(self._former.pack(one))) for digest, one in kept.items()}

    def _put(self, batch: Batch, pack: "_Pack") -> "_Pack":
        stored = put_pack(batch, self._sealer, bytes(pack.data))
        self.written += stored.size
        self._packs.append(stored)
        return _Pack()


class _Pack:
    def __init__(self) -> None:
        self.data = bytearray()

    def add(self, one: Segment, data: bytes, number: int) -> Segment:
        packed = zlib.compress(data, _LEVEL)
        start = len(self.data)
        self.data += packed
        return one._replace(pack=number, start=start, length=len(packed))


def _encoded(table: Table, key: list[int], rows: Iterable[Row]) -> Iterator[bytes]:
    encoder = msgspec.msgpack.Encoder()
    # An array of three; the last one is an array of rows, whose number is known at its end.
    head = b"\x93" + encoder.encode(table.name) + encoder.encode([column.name for column in table.columns]) + b"\xdd"
    body, count = bytearray(), 0
    for row in rows:
        encoder.encode_into(row, body, -1)
        count += 1
        checksum = zlib.crc32(repr([row[at] for at in key]).encode())
        if not checksum & _BOUNDARY or count >= _ROWS_MAX or len(body) >= _BYTES_MAX:
            yield head + struct.pack(">I", count) + body
            body, count = bytearray(), 0
    if count:
        yield head + struct.pack(">I", count) + body


def read_segments(place: Place, opener: Opener, names: Names, database: Database, path: Path) -> None:
    """Write the rows of a cut into a new file; CutDamaged when something is not as it was."""
    by_pack: dict[int, list[Segment]] = {}
    for one in segments_in(get_list(place, database.chunks)):
        by_pack.setdefault(one.pack, []).append(one)
    with new_file(path, database.schema) as target:
        tables = target.tables()
        for number, found in sorted(by_pack.items()):
            if number >= len(database.packs):
                raise CutDamaged("a list of segments names a pack that the cut does not have")
            pack = get_pack(place, opener, database.packs[number])
            for one in found:
                table, rows = _decoded(
                    unpacked(pack[one.start : one.start + one.length], one.digest, names, min(one.size, _SIZE_MAX)),
                    tables,
                )
                try:
                    target.insert(table, iter((rows,)))
                except (TypeError, OverflowError, apsw.ConstraintError, apsw.MismatchError) as error:
                    raise CutDamaged("a segment has a value that its table cannot have") from error
        target.complete_without_indexes()
    path.chmod(0o600)


def _decoded(data: bytes, tables: Tables) -> tuple[Table, Rows]:
    try:
        name, columns, rows = _DECODER.decode(data)
    except msgspec.MsgspecError as error:
        raise CutDamaged("a segment of the rows cannot be understood") from error
    # Names become part of statements: only those of this schema.
    known = {column.name: column for column in tables[name].columns} if name in tables else {}
    if not known or len(columns) != len(known) or set(columns) != set(known):
        raise CutDamaged("a segment has rows of a table that its schema does not have")
    if any(len(row) != len(columns) for row in rows):
        raise CutDamaged("a segment has rows of another length")
    table = tables[name]
    return Table(table.name, tuple(known[column] for column in columns), table.key), rows

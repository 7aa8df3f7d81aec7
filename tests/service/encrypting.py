"""What ransomware does to a drive, and what people do that resembles it: generated files, and the rows of the table
that the alarm is measured by. The same seed gives the same bytes.
"""

import base64
import io
import random
import zipfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple, Protocol

from PIL import Image
from tests.conformance.metadata.making import new_file
from tests.service.callers import caller_of

from skyshelf.service.context import ServiceContext
from skyshelf.service.errors import ServiceError
from skyshelf.service.files.trash import empty_trash
from skyshelf.service.uploads.commit import Content, commit_file
from skyshelf.storage.errors import SessionPaused
from skyshelf.storage.metadata.alarms import Device, decode_watch
from skyshelf.storage.metadata.contracts.accounts import Account
from skyshelf.storage.metadata.contracts.tree import Move, NewFolder, Rename, StoredObject, Trash, TreeChange
from skyshelf.wire.limits import ALARM_LIMIT_DEFAULT
from skyshelf.wire.resources.uploads import UploadMetadata

KINDS = ("docx", "xlsx", "pdf", "jpg", "png", "txt", "zip")
_DEVICE = "6b1f1f0e-0000-4000-8000-000000000001"
_WORDS = (
    "the",
    "of",
    "and",
    "to",
    "in",
    "is",
    "you",
    "that",
    "it",
    "he",
    "was",
    "for",
    "on",
    "are",
    "as",
    "with",
    "his",
)
_HOUR = 3_600_000

# Files.


def content(kind: str, number: int, edition: int = 0) -> bytes:
    """A file of 8 to 40 KiB; another edition is what its owner's program saves after a change."""
    return _MAKERS[kind](random.Random(f"{kind} {number}"), edition)


def _text(chance: random.Random, edition: int, size: int = 0) -> bytes:
    wanted = size or chance.randrange(9_000, 40_000)
    words = " ".join(chance.choices(_WORDS, k=wanted // 3))[:wanted]
    return f"{words}\n{'One more line.' * edition}\n".encode()


def _zipped(names: Sequence[str]) -> Callable[[random.Random, int], bytes]:
    def make(chance: random.Random, edition: int) -> bytes:
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            for name in names:
                archive.writestr(zipfile.ZipInfo(name), _text(chance, edition, chance.randrange(20_000, 50_000)))
        return packed.getvalue()

    return make


def _pdf(chance: random.Random, edition: int) -> bytes:
    packed = zlib.compress(_text(chance, edition, chance.randrange(30_000, 90_000)))
    body = b"%%PDF-1.7\n1 0 obj\n<< /Length %d /Filter /FlateDecode >>\nstream\n" % len(packed)
    changed = b"2 0 obj\n<< >>\nendobj\nstartxref\n9\n%%EOF\n" * edition
    return body + packed + b"\nendstream\nendobj\ntrailer\n<< /Root 1 0 R >>\nstartxref\n9\n%%EOF\n" + changed


@cache
def _noise() -> Image.Image:
    return Image.frombytes("RGB", (128, 128), random.Random(1).randbytes(128 * 128 * 3))


def _picture(kind: str) -> Callable[[random.Random, int], bytes]:
    def make(chance: random.Random, edition: int) -> bytes:
        corner = chance.randrange(40), chance.randrange(40)
        size = chance.randrange(56, 88)
        saved = io.BytesIO()
        cut = _noise().crop((*corner, corner[0] + size, corner[1] + size)).rotate(90 * edition)
        cut.save(saved, kind, quality=97)
        return saved.getvalue()

    return make


_MAKERS: dict[str, Callable[[random.Random, int], bytes]] = {
    "docx": _zipped(("[Content_Types].xml", "word/document.xml", "word/styles.xml", "docProps/core.xml")),
    "xlsx": _zipped(("[Content_Types].xml", "xl/workbook.xml", "xl/worksheets/sheet1.xml")),
    "zip": _zipped(("one.txt", "two.txt")),
    "pdf": _pdf,
    "jpg": _picture("JPEG"),
    "png": _picture("PNG"),
    "txt": _text,
}


# Disguises: what an encrypted file looks like, for each way to hide that it is one.


def _random(data: bytes) -> bytes:
    return random.Random(zlib.crc32(data)).randbytes(len(data))


def _intermittent(data: bytes, block: int = 4096) -> bytes:
    covered = bytearray(data)
    for start in range(block, len(data), 2 * block):
        covered[start : start + block] = _random(data)[start : start + block]
    return bytes(covered)


DISGUISES: dict[str, Callable[[bytes], bytes]] = {
    "whole": _random,
    "PK header": lambda data: b"PK\x03\x04" + _random(data)[4:],
    "first KiB kept": lambda data: data[:1024] + _random(data)[1024:],
    "every second 4 KiB": _intermittent,
    "Base64": lambda data: base64.b64encode(_random(data)),
}
_HEX = "hex"
WIPES: dict[str, Callable[[bytes], bytes]] = {
    "zero bytes": lambda data: bytes(len(data)),
    "a pattern": lambda data: b"\xde\xad\xbe\xef" * (len(data) // 4),
    _HEX: lambda data: _random(data).hex().encode(),
}
"""What else makes contents useless; text in hex may be meant, so texts are left out."""


# The drive that it happens in.


class Clock(Protocol):
    """The service's clock, which the rows move."""

    def now(self) -> int: ...

    def advance(self, ms: int = 0) -> None: ...


class StoredFile(NamedTuple):
    """A file in the drive."""

    key: str
    name: str
    number: int

    def data(self, edition: int = 0) -> bytes:
        return content(self.name.rpartition(".")[2], self.number, edition)


class Drive:
    """An account, and a device of it that changes things by the service's own calls."""

    def __init__(self, ctx: ServiceContext, clock: Clock, account: Account) -> None:
        self.ctx, self.clock, self.account = ctx, clock, account
        self.caller = caller_of(account, device_key=_DEVICE)

    def filled(self, count: int, *kinds: str, folder_key: str | None = None) -> list[StoredFile]:
        """Files that were there before, kinds in turn."""
        kinds = kinds or KINDS
        made = [(f"report {number:05}.{kinds[number % len(kinds)]}", number) for number in range(count)]
        parent = folder_key or self.account.root_key
        files = [new_file(parent, name, f"{name} {parent}".encode()) for name, _ in made]
        self.ctx.metadata.write(
            lambda unit: unit.files.put_many(self.account.account_id, files, self.clock.now(), keep_versions=5)
        )
        return [StoredFile(file.object_key, name, number) for file, (name, number) in zip(files, made, strict=True)]

    def folder(self, name: str) -> str:
        new = NewFolder(object_key=self.ctx.new_key(), parent_key=self.account.root_key, name=name)
        now = self.clock.now()
        self.ctx.metadata.write(lambda unit: unit.tree.add_folder(self.account.account_id, new, now))
        return new.object_key

    def put(self, name: str, data: bytes) -> None:
        """Upload a file, or the next version of the one that has the name."""
        blob = self.ctx.blobs.put([data])
        described = UploadMetadata(name=name, size=blob.size, hash=blob.md5, folder_key=self.account.root_key)
        commit_file(self.ctx, self.caller, described, Content(blob=blob, stored_at=self.clock.now()))

    def apply(self, *changes: TreeChange) -> int:
        """One batch; how many of its changes were made."""
        work = lambda unit: unit.tree.apply(self.account.account_id, changes, self.clock.now())  # noqa: E731
        return sum(isinstance(one, StoredObject) for one in self.ctx.write_as(self.caller, work))

    def empty(self) -> None:
        empty_trash(self.ctx, self.caller)

    @property
    def is_paused(self) -> bool:
        with self.ctx.metadata.read() as unit:
            return unit.alarms.is_paused(self.account.account_id, _DEVICE)

    @property
    def points(self) -> float:
        """What counts now, of the limit of ten minutes or of a day, whichever is nearer to it."""
        with self.ctx.metadata.read() as unit:
            query = "SELECT alarm_watch FROM account_counters WHERE account_id = :account"
            watch = decode_watch(unit.sql.value(query, {"account": self.account.account_id}))
        device = watch.device(_DEVICE) or Device(_DEVICE, 0, [])
        lately, day = device.standing(self.clock.now())
        return max(lately.points, day.points / 5) / 4


# The rows.

Steps = Iterator[int]
"""How many files each step of a row has changed."""


@dataclass(frozen=True)
class Row:
    """Something that happens in a drive, and what the alarm has to say about it."""

    name: str
    steps: Callable[[Drive, int], Steps]
    files: int
    """How many files are there."""
    batch: int = 1
    pause_ms: int = 50
    """How long a step takes."""
    is_attack: bool = True
    limit: int = ALARM_LIMIT_DEFAULT
    files_max: int | None = 200
    """After how many files it must be caught; None where a day is the limit."""


class Outcome(NamedTuple):
    """How a row went."""

    files: int
    hours: float
    points: float
    is_caught: bool


def play(row: Row, drive: Drive) -> Outcome:
    """Let a row happen, until the device is paused."""
    began, files, points = drive.clock.now(), 0, 0.0
    try:
        for changed in row.steps(drive, row.batch):
            files += changed
            points = max(points, drive.points)
            if drive.is_paused:
                break
            drive.clock.advance(row.pause_ms)
    except (SessionPaused, ServiceError):
        assert drive.is_paused
    return Outcome(files, (drive.clock.now() - began) / _HOUR, points, drive.is_paused)


def _in_batches(drive: Drive, changes: Sequence[TreeChange], batch: int) -> Steps:
    for start in range(0, len(changes), batch):
        yield drive.apply(*changes[start : start + batch])


def _overwrite(files: int, disguise: str, *kinds: str) -> Callable[[Drive, int], Steps]:
    def steps(drive: Drive, _batch: int) -> Steps:
        for one in drive.filled(files, *kinds):
            drive.put(one.name, (DISGUISES | WIPES)[disguise](one.data()))
            yield 1

    return steps


def _rename(files: int, new_name: Callable[[str, int], str]) -> Callable[[Drive, int], Steps]:
    def steps(drive: Drive, batch: int) -> Steps:
        kept = drive.filled(files)
        yield from _in_batches(drive, [Rename(one.key, new_name(one.name, n)) for n, one in enumerate(kept)], batch)

    return steps


def _copy_and_trash(files: int, new_name: Callable[[str, int], str]) -> Callable[[Drive, int], Steps]:
    """Encrypted copies first, then the originals into the trash. What counts is what is lost."""

    def steps(drive: Drive, batch: int) -> Steps:
        kept = drive.filled(files)
        for number, one in enumerate(kept):
            drive.put(new_name(one.name, number), _random(one.data()))
            yield 0
        yield from _in_batches(drive, [Trash(one.key) for one in kept], batch)

    return steps


def _copy_and_empty(files: int, wipe: Callable[[bytes], bytes]) -> Callable[[Drive, int], Steps]:
    """Encrypted copies first, then nothing in place of the originals."""

    def steps(drive: Drive, _batch: int) -> Steps:
        kept = drive.filled(files)
        for number, one in enumerate(kept):
            drive.put(_random_name(one.name, number), _random(one.data()))
            yield 0
        for one in kept:
            drive.put(one.name, wipe(one.data()))
            yield 1

    return steps


def _mixed(files: int) -> Callable[[Drive, int], Steps]:
    def steps(drive: Drive, _batch: int) -> Steps:
        for number, one in enumerate(drive.filled(files)):
            if number % 3 == 0:
                drive.put(one.name, _random(one.data()))
            elif number % 3 == 1:
                drive.apply(Rename(one.key, f"{one.name}.locked"))
            else:
                drive.put(f"{one.name}.locked", _random(one.data()))
                drive.apply(Trash(one.key))
            yield 1

    return steps


def _trash(files: int) -> Callable[[Drive, int], Steps]:
    return lambda drive, batch: _in_batches(drive, [Trash(one.key) for one in drive.filled(files)], batch)


def _folder_and_empty(files: int) -> Callable[[Drive, int], Steps]:
    def steps(drive: Drive, _batch: int) -> Steps:
        folder = drive.folder("photos")
        drive.filled(files, "jpg", folder_key=folder)
        drive.apply(Trash(folder))
        yield 0
        drive.empty()
        yield files

    return steps


def _move(files: int, *kinds: str) -> Callable[[Drive, int], Steps]:
    def steps(drive: Drive, batch: int) -> Steps:
        target = drive.folder("elsewhere")
        kept = drive.filled(files, *kinds)
        yield from _in_batches(drive, [Move(one.key, target) for one in kept], batch)

    return steps


def _checkout(files: int) -> Callable[[Drive, int], Steps]:
    def steps(drive: Drive, _batch: int) -> Steps:
        for number, one in enumerate(drive.filled(files, "py", "md", "json", "txt")):
            drive.put(one.name, _text(random.Random(number), 1, 1500))
            yield 1

    return steps


def _empty_all(files: int) -> Callable[[Drive, int], Steps]:
    def steps(drive: Drive, _batch: int) -> Steps:
        for one in drive.filled(files):
            drive.put(one.name, b"")
            yield 1

    return steps


def _edit(files: int) -> Callable[[Drive, int], Steps]:
    def steps(drive: Drive, _batch: int) -> Steps:
        for one in drive.filled(files):
            drive.put(one.name, one.data(1))
            yield 1

    return steps


def _rotate(files: int) -> Callable[[Drive, int], Steps]:
    """Encrypted backups come, and the oldest ones go."""

    def steps(drive: Drive, _batch: int) -> Steps:
        old = drive.filled(files, "gpg")
        for number, one in enumerate(old):
            drive.put(f"backup {number}.sql.gz.gpg", random.Random(number).randbytes(4000))
            drive.apply(Trash(one.key))
            yield 1

    return steps


def _random_name(name: str, number: int) -> str:
    letters = "abcdefghijklmnopqrstuvwxyz0123456789"
    return f"{''.join(random.Random(number).choices(letters, k=12))}.{name.rpartition('.')[2]}"


def _locked(name: str, _number: int) -> str:
    return f"{name}.locked"


def _series(_name: str, number: int) -> str:
    return f"Sommer am See {number:04}.jpg"


def rows(scale: int = 1) -> list[Row]:
    """Every row. The scale divides what is many, and the limit of what would otherwise be far from it."""
    big, limit = 2000 // scale, ALARM_LIMIT_DEFAULT // scale
    photos, synced, texts, below = (count // scale for count in (1300, 1100, 1300, 5000))
    rest = 80 // scale * 110
    return [
        Row("overwritten, .docx alone", _overwrite(220, "whole", "docx"), 220),
        *(Row(f"overwritten, {disguise}", _overwrite(220, disguise), 220) for disguise in DISGUISES),
        *(
            Row(
                f"overwritten, {wipe}",
                _overwrite(220, wipe, *(kind for kind in KINDS if (wipe, kind) != (_HEX, "txt"))),
                220,
            )
            for wipe in WIPES
        ),
        Row("new random names, originals zeroed", _copy_and_empty(220, WIPES["zero bytes"]), 220),
        Row("new random names, originals emptied", _copy_and_empty(220, lambda _: b""), 220),
        Row("all files emptied", _empty_all(big // 2), big // 2, limit=limit, files_max=big // 2),
        Row("renamed to .locked, one by one", _rename(220, _locked), 220),
        Row("renamed to .locked, in batches", _rename(big, _locked), big, big),
        Row("mixed, by sync", _mixed(220), 220),
        Row("new .locked, originals trashed in batches", _copy_and_trash(300, _locked), 300, 300),
        Row("new random names, originals trashed in batches", _copy_and_trash(300, _random_name), 300, 300),
        Row("renamed to random names, types kept, one by one", _rename(220, _random_name), 220),
        Row("renamed to random names, types kept, in batches", _rename(big, _random_name), big, big),
        Row("a folder trashed, then the trash emptied", _folder_and_empty(below), below, files_max=below),
        Row("slow: 594 encryptions an hour", _overwrite(700, "whole", "txt"), 700, 1, _HOUR // 594 + 1, files_max=None),
        Row("slow: 54 trashed batches an hour", _trash(4 * big), 4 * big, big, _HOUR // 54, files_max=None),
        Row("slow: 12 trashed batches an hour", _trash(rest), rest, 110, _HOUR // 12, limit=limit, files_max=None),
        Row("photos moved one by one", _move(photos, "jpg"), photos, is_attack=False, limit=limit),
        Row("files moved in a synced folder", _move(synced), synced, 50, is_attack=False, limit=limit),
        Row("a checkout of text files", _checkout(texts), texts, is_attack=False, limit=limit),
        Row("files of 7 types edited", _edit(280), 280, is_attack=False),
        Row("a selection trashed in one call", _trash(big), big, big, is_attack=False),
        Row("photos renamed to a series", _rename(photos, _series), photos, is_attack=False, limit=limit),
        Row("encrypted backups, and old ones trashed", _rotate(150), 150, is_attack=False),
    ]

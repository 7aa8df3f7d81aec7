"""Backups in tests: taking, verifying and restoring them in this process."""

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pyrage
from tests.operating.shelves import Shelf
from tests.operating.stacks import Stack

from skyshelf.backup import open_place
from skyshelf.backup.cut import choose
from skyshelf.backup.places import Place
from skyshelf.backup.restore import RestoreResult, Target, restore
from skyshelf.backup.run import BackupResult, Options, take_cut
from skyshelf.backup.sealing import AgeOpener
from skyshelf.backup.sources import Source, open_source
from skyshelf.backup.verify import VerifyResult, verify
from skyshelf.service.context import ServiceContext
from skyshelf.storage.identity import check_identity
from skyshelf.storage.open import embedded_urls, open_stores


@dataclass
class Backup:
    """A destination for the cuts of a stack."""

    stack: Stack
    destination: str
    work: Path
    encrypted: bool = False
    identity: "pyrage.x25519.Identity" = field(default_factory=pyrage.x25519.Identity.generate)

    @property
    def folder(self) -> Path:
        return Path(self.destination)

    @property
    def recipients(self) -> list[str]:
        return [str(self.identity.to_public())] if self.encrypted else []

    @property
    def opener(self) -> AgeOpener | None:
        return AgeOpener([self.identity]) if self.encrypted else None

    @contextmanager
    def place(self) -> Iterator[Place]:
        place = open_place(self.destination, create=True)
        try:
            yield place
        finally:
            place.close()

    @contextmanager
    def source(self) -> Iterator[Source]:
        check_identity(self.stack.ctx.metadata, self.stack.ctx.blobs)
        source = open_source(*self.stack.urls)
        try:
            yield source
        finally:
            source.close()

    def take(self, *, recheck: bool = False, at: int | None = None) -> BackupResult:
        options = Options(work=self.work / "taking", recipients=self.recipients, recheck=recheck)
        if at is not None:
            options = Options(work=self.work / "taking", recipients=self.recipients, now=lambda: at)
        with self.place() as place, self.source() as source, place.lock():
            return take_cut(source, place, options)

    def verify(self, *, deep: bool = True) -> VerifyResult:
        with self.place() as place:
            return verify(place, deep=deep, opener=self.opener)

    def restore(self, metadata: str, blobs: str, *, cut: str | None = None) -> RestoreResult:
        with self.place() as place:
            target = Target(metadata, blobs, self.work / "restoring")
            return restore(place, choose(place, cut), target, opener=self.opener)

    def restore_to(self, data: Path, *, cut: str | None = None) -> RestoreResult:
        return self.restore(*embedded_urls(data), cut=cut)


@contextmanager
def opened(shelf: Shelf, metadata: str, blobs: str) -> Iterator[Shelf]:
    """Somebody's things in a restored store."""
    rows, contents = open_stores(metadata, blobs)
    ctx = ServiceContext(metadata=rows, blobs=contents, clock=shelf.stack.clock)
    stack = shelf.stack
    try:
        yield Shelf(
            Stack("restored", ctx, stack.clock, (metadata, blobs), (), stack.damage, stack.replace_bytes), shelf.account
        )
    finally:
        ctx.media.close()
        rows.close()
        contents.close()


def fingerprint(folder: Path) -> dict[str, tuple[str, int, int]]:
    """The bytes, the time and the mode of every file, and the names of all folders."""
    found = {}
    for path in folder.rglob("*"):
        state = path.stat()
        content = hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""
        found[str(path.relative_to(folder))] = content, state.st_mtime_ns, state.st_mode
    return found

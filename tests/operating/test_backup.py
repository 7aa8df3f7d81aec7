"""A backup made by the steps of docs/operating.md can be restored."""

import shutil
from pathlib import Path

import apsw
from tests.operating.folders import bring_in, drive, plant
from tests.operating.shelves import Shelf, one_of_everything
from tests.operating.stacks import Stack
from tests.operating.test_doctor import problems

from skyshelf.service.context import ServiceContext
from skyshelf.storage.open import METADATA_FILE, embedded_urls, open_blobs, open_metadata


def _copy_blobs(data: Path, backup: Path) -> None:
    """As rsync --ignore-existing --exclude '/uploads/*'."""
    for blob in (data / "blobs" / "blobs").rglob("*-*"):
        target = backup / blob.relative_to(data)
        target.parent.mkdir(parents=True, exist_ok=True)
        if not target.exists():
            shutil.copy2(blob, target)


def _copy_metadata(data: Path, backup: Path) -> None:
    source, target = apsw.Connection(str(data / METADATA_FILE)), apsw.Connection(str(backup / METADATA_FILE))
    with target.backup("main", source, "main") as copying:
        while not copying.done:
            copying.step(100)
    source.close()
    target.close()


def test_blobs_metadata_and_blobs_again_make_a_backup_of_one_moment(embedded: Stack, tmp_path: Path) -> None:
    data, backup = tmp_path / "data", tmp_path / "backup"
    shelf = one_of_everything(embedded).shelf
    _copy_blobs(data, backup)
    bring_in(shelf, plant(tmp_path / "source", {"new.txt": b"first", "pictures/another.txt": b"second"}))
    expected = drive(shelf)
    _copy_metadata(data, backup)
    shelf.file("too late.txt", b"after the moment of the backup")
    _copy_blobs(data, backup)

    metadata, blobs = embedded_urls(backup)
    ctx = ServiceContext(metadata=open_metadata(metadata), blobs=open_blobs(blobs), clock=embedded.clock)
    try:
        repaired = problems(ctx, repair=True)
        assert repaired.keys() == {"uploads"}
        assert repaired["uploads"].passed
        assert problems(ctx) == {}
        restored = Stack("backup", ctx, embedded.clock, (metadata, blobs), (), embedded.damage, embedded.replace_bytes)
        assert drive(Shelf(restored, shelf.account)) == expected
    finally:
        ctx.media.close()
        ctx.metadata.close()
        ctx.blobs.close()

"""A move that is killed at a chosen moment: a separate process with no chance to clean up.

Its arguments are METADATA BLOBS TO_METADATA TO_BLOBS MOMENT
"""

import sys

from tests.operating.dying import die_after

from skyshelf.storage.blobs.disk.store import DiskBlobs
from skyshelf.storage.blobs.object_store.store import ObjectBlobs
from skyshelf.storage.moving import copies, move
from skyshelf.storage.moving.plan import Plan

MOMENTS = ("claimed", "some copies", "read-only", "uploads", "compared", "rows", "new identity", "old contents marked")


class Silent:
    """Hears and shows nothing."""

    def phase(self, sentence: str) -> None: ...
    def expect(self, size: int) -> None: ...
    def copied(self, contents: int, size: int) -> None: ...
    def rows(self, done: int, total: int) -> None: ...


def main() -> None:
    metadata, blobs, to_metadata, to_blobs, moment = sys.argv[1:]
    copies._GROUP = 4  # type: ignore[misc]
    if moment == "claimed":
        die_after(move._Move, "_claim", times=1)
    elif moment == "some copies":
        die_after(copies.Copies, "_copy_group", times=3)
    elif moment == "read-only":
        die_after(move._Move, "_fence", times=1)
    elif moment == "uploads":
        die_after(copies.StoreCopies, "_appended", times=1)
    elif moment == "compared":
        die_after(copies.Locations, "unused", times=1)
    elif moment == "rows":
        die_after(move._Move, "_copy_rows", times=1)
    elif moment == "new identity":
        die_after(ObjectBlobs if to_blobs.startswith("s3:") else DiskBlobs, "write_identity", times=1)
    elif moment == "old contents marked":
        die_after(ObjectBlobs if blobs.startswith("s3:") else DiskBlobs, "write_identity", times=1)
    plan = Plan(metadata=metadata, blobs=blobs, to_metadata=to_metadata, to_blobs=to_blobs, reason="we move", threads=2)
    move.move(plan, Silent())

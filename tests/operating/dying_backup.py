"""A backup or a restore that is killed at a chosen moment: a separate process with no chance to clean up.

Its arguments are (take|restore) DESTINATION METADATA BLOBS WORK MOMENT
"""

import sys
from pathlib import Path

from tests.operating.dying import die_after

from skyshelf.backup import chunks, contents, open_place, restore, run
from skyshelf.backup.cut import choose
from skyshelf.backup.folder import _FolderBatch
from skyshelf.backup.run import Options, take_cut
from skyshelf.backup.sources import SqliteSource, open_source
from skyshelf.storage.blobs.disk import DiskBlobs
from skyshelf.storage.moving import copies

TAKING = ("copied rows", "writing", "sealed", "noted", "packed", "before the manifest")
RESTORING = ("read rows", "some contents", "all contents", "identity")


def main() -> None:
    what, destination, metadata, blobs, work, moment = sys.argv[1:]
    contents._AT_ONCE = copies._GROUP = 4  # type: ignore[misc]
    if moment == "copied rows":
        die_after(SqliteSource, "copy_rows", times=1)
    elif moment == "writing":
        die_after(_FolderBatch, "add", times=6)
    elif moment == "sealed":
        die_after(_FolderBatch, "seal", times=3)
    elif moment == "noted":
        die_after(contents.Journal, "note", times=2)
    elif moment == "packed":
        die_after(chunks.RowsWriter, "write", times=1)
    elif moment == "before the manifest":
        die_after(run._Lists, "put", times=1)
    elif moment == "read rows":
        die_after(restore, "read_rows", times=1)
    elif moment == "some contents":
        die_after(copies.Copies, "_copy_group", times=2)
    elif moment == "all contents":
        die_after(restore.RestoreRun, "contents", times=1)
    elif moment == "identity":
        die_after(DiskBlobs, "write_identity", times=1)
    place = open_place(destination, create=True)
    if what == "take":
        with place.lock():
            take_cut(open_source(metadata, blobs), place, Options(work=Path(work)))
    else:
        restore.restore(place, choose(place, None), restore.Target(metadata, blobs, Path(work)))

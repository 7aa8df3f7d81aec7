"""An import that is killed at a chosen moment: a separate process with no chance to clean up.

Its arguments are METADATA BLOBS SOURCE MOMENT
"""

import sys
from itertools import count
from pathlib import Path

from tests.operating.dying import die, die_after

from skyshelf.service.accounts.accounts import find_account
from skyshelf.service.context import ServiceContext
from skyshelf.service.importing import Event, ImportOptions
from skyshelf.service.importing.run import TreeImport
from skyshelf.storage.blobs.disk.batch import DiskBatch
from skyshelf.storage.blobs.object_store.store import ObjectBatch
from skyshelf.storage.metadata.sql import files_bulk
from skyshelf.storage.open import open_blobs, open_metadata

MOMENTS = {
    "sqlite+disk": ("taking", "naming", "sealed", "committing", "committed", "reported"),
    "postgres+s3": ("taking", "committing", "reported"),
}
"""By stack. Committing is in the middle of a transaction, and reported is between two commits of one group."""
_AT = 3
"""The moment comes so many times before it is the last one."""


def main() -> None:
    metadata, blobs, source, moment = sys.argv[1:]
    reported = count(1)

    def listen(event: Event) -> None:
        if moment == "reported" and event.kind == "imported" and next(reported) == _AT * 10:
            die()

    if moment == "taking":
        die_after(ObjectBatch if blobs.startswith("s3:") else DiskBatch, "take", times=_AT * 10)
    elif moment == "naming":
        die_after(DiskBatch, "_name", times=_AT * 10 - 5)
    elif moment == "sealed":
        die_after(DiskBatch, "seal", times=_AT)
    elif moment == "committing":
        die_after(files_bulk, "refer_many", times=_AT)
    ctx = ServiceContext(metadata=open_metadata(metadata), blobs=open_blobs(blobs))
    if moment == "committed":
        die_after(type(ctx.metadata), "write", times=_AT)
    options = ImportOptions(group_files=10, commit_files=4 if moment == "reported" else 10, threads=2)
    TreeImport(ctx, find_account(ctx, "ada@example.org"), options, listen).run(Path(source))
    raise SystemExit("it did not die")

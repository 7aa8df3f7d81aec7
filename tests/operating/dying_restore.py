"""A part of a restore that is killed at a chosen moment: a separate process with no chance to clean up.

Its arguments are MOMENT COMMAND…
"""

import sys
from functools import partial
from types import ModuleType
from typing import Any

from tests.operating.dying import die_after

from skyshelf.backup import opened, restore, rows_only
from skyshelf.cli.admin.cuts import files, into_store
from skyshelf.cli.main import main as skyshelf
from skyshelf.client.local.files import LocalFolder
from skyshelf.service.accounts import accounts
from skyshelf.service.importing import ImportOptions, commit
from skyshelf.service.importing.from_store import _Preparer
from skyshelf.storage.blobs.disk import DiskBlobs
from skyshelf.storage.blobs.object_store.store import ObjectBlobs
from skyshelf.storage.moving import copies

TO_FOLDER = ("rows", "first part", "part", "named")
INTO_STORE = ("rows", "account", "preparing", "sealed", "committed")
ROWS_ONLY = ("noted", "rows", "compared", "fetching", "fetched", "identity")
HEALING = ("put", "settled")


def arrange(moment: str) -> None:
    """Have the process die at that moment."""
    copies._GROUP = 2  # type: ignore[misc]
    small = partial(ImportOptions, group_files=4, commit_files=2, threads=1)
    setattr(into_store, "ImportOptions", small)  # noqa: B010 - a name that it imports
    moments: dict[str, tuple[type[Any] | ModuleType, str, int]] = {
        "rows": (opened, "read_rows", 1) if "--rows-only" not in sys.argv else (restore, "read_rows", 1),
        "first part": (LocalFolder, "open_file", 1),
        "part": (files._Writing, "_write_part", 3),
        "named": (LocalFolder, "rename_part", 4),
        "account": (accounts, "_added", 1),
        "preparing": (_Preparer, "_prepare", 3),
        "sealed": (commit.GroupCommitter, "seal", 2),
        "committed": (commit.GroupCommitter, "_commit", 3),
        "noted": (rows_only, "begin", 1),
        "compared": (rows_only, "_compare", 1),
        "fetching": (copies.Copies, "_copy_group", 1),
        "fetched": (restore.RestoreRun, "contents", 1),
        "put": (ObjectBlobs if any("s3:" in one for one in sys.argv) else DiskBlobs, "put", 2),
    }
    if moment == "identity":
        for store in (DiskBlobs, ObjectBlobs):
            die_after(store, "write_identity", times=1)
    elif moment == "settled":
        from skyshelf.service.doctor import healing

        die_after(healing, "settle", times=1)
    else:
        kind, method, times = moments[moment]
        die_after(kind, method, times=times)


def main() -> None:
    moment, *command = sys.argv[1:]
    arrange(moment)
    skyshelf(command)

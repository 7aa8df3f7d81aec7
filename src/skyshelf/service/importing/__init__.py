"""Import: brings a folder tree of this machine into an account at the speed of the disk.

The drive itself is the journal. A file whose name, size and time are already in the drive is skipped, so running a
killed import again continues it, and nothing is imported twice.

run.py walks the tree, prepare.py turns files into blobs in threads, commit.py commits them in groups, and pipeline.py
keeps these steps busy at the same time.
"""

import threading

import msgspec

from skyshelf.service.context import ServiceContext
from skyshelf.service.importing.local_tree import Identity
from skyshelf.service.importing.report import Reporter
from skyshelf.storage.blobs.records import LinkMode
from skyshelf.storage.metadata.contracts.accounts import Account


class ImportOptions(msgspec.Struct, frozen=True, kw_only=True):
    into: str = "/"
    way: LinkMode = "copy"
    follow_links: bool = False
    by_content: bool = False
    """Compare with the drive by content instead of size and time."""
    dry_run: bool = False
    threads: int = 4
    without: frozenset[Identity] = frozenset()
    """Folders to leave out: the service's own."""
    group_files: int = 2048
    """How many files share the disk syncs."""
    group_bytes: int = 256 * 1024 * 1024
    commit_files: int = 512
    """How many files one commit holds; other writers wait for one commit at most."""


class StoppedError(Exception):
    """The import was asked to stop."""


class ImportRun(msgspec.Struct, frozen=True):
    """What the steps of one import share."""

    ctx: ServiceContext
    account: Account
    options: ImportOptions
    reporter: Reporter
    stop: threading.Event

    def check_stopped(self) -> None:
        if self.stop.is_set():
            raise StoppedError

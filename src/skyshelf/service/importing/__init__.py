"""Importing: a folder tree of this machine comes into an account at the speed of the disk.

The drive itself is the journal. A file whose name, size and time are in the drive is passed over, so that an import
that was killed at any moment is continued by running it again, and nothing comes twice.
"""

import msgspec

from skyshelf.service.importing.local_tree import Identity
from skyshelf.storage.blobs.records import Way

# What an import is asked to do.


class ImportOptions(msgspec.Struct, frozen=True, kw_only=True):
    into: str = "/"
    way: Way = "copy"
    follow_links: bool = False
    by_content: bool = False
    """Compare what the drive has by content, and not by size and time."""
    dry_run: bool = False
    threads: int = 4
    without: frozenset[Identity] = frozenset()
    """Folders that are not looked into: the service's own."""
    group_files: int = 2048
    """So many files wait for the disk together."""
    group_bytes: int = 256 * 1024 * 1024
    commit_files: int = 512
    """So many of them are one commit: whoever else writes meanwhile waits for one."""

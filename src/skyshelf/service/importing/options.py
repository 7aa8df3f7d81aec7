"""What an import is asked to do."""

import msgspec

from skyshelf.service.importing.local_tree import Identity
from skyshelf.storage.blobs.records import Way


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

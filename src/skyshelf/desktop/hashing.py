"""Hashes of local files."""

import hashlib
from pathlib import Path


def md5_of(path: Path) -> str:
    """The MD5 of a file, which servers of the interface compare contents by."""
    with path.open("rb") as content:
        return hashlib.file_digest(content, lambda: hashlib.md5(usedforsecurity=False)).hexdigest()

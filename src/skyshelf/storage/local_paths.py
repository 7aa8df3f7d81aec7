"""Paths on this machine: what the URL of a store names, and folders whose names are made durable."""

import os
from pathlib import Path
from urllib.parse import unquote, urlsplit

from skyshelf.storage.errors import StoreUnavailable


def local_path(url: str, forms: str = "file:///path/metadata.db or postgresql://…") -> Path:
    """`file:///…`, or a plain path."""
    parts = urlsplit(url)
    if parts.scheme == "":
        return Path(url)
    if parts.scheme != "file" or parts.netloc not in {"", "localhost"}:
        raise StoreUnavailable(f"a store cannot be opened from a URL of the kind '{parts.scheme}': write {forms}")
    return Path(unquote(parts.path))


def is_postgres(url: str) -> bool:
    """Return whether the URL names a PostgreSQL database."""
    return urlsplit(url).scheme in {"postgresql", "postgres"}


def local_path_or_none(url: str) -> Path | None:
    """Return the file or folder that a URL names; None for a database server and a bucket."""
    parts = urlsplit(url)
    return Path(unquote(parts.path)) if parts.scheme in {"", "file"} else None


def sync_folder(folder: Path) -> None:
    """The names in the folder are on the disk when this returns."""
    opened = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)

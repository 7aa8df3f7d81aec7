"""The path that a URL of a store on this machine names."""

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


def local_path_or_none(url: str) -> Path | None:
    """The file or folder that a URL names; None for a database server and a bucket."""
    parts = urlsplit(url)
    return Path(unquote(parts.path)) if parts.scheme in {"", "file"} else None

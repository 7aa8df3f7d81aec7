"""Where the parts of the embedded store are in a data folder."""

from pathlib import Path


def metadata_in(folder: Path) -> Path:
    return folder / "metadata.sqlite3"


def blobs_in(folder: Path) -> Path:
    return folder / "blobs"

"""Blobs as files in a folder."""

from skyshelf.storage.blobs.disk.store import DiskBlobs

__all__ = ["DiskBlobs"]

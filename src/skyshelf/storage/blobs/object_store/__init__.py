"""Blobs as objects in a bucket of S3 or a compatible store."""

from skyshelf.storage.blobs.object_store.s3 import open_s3
from skyshelf.storage.blobs.object_store.store import ObjectBlobs

__all__ = ["ObjectBlobs", "open_s3"]

"""Blobs as objects in a bucket, S3 and its kin."""

from skyshelf.storage.blobs.object_store.s3 import open_s3
from skyshelf.storage.blobs.object_store.store import ObjectBlobs

__all__ = ["ObjectBlobs", "open_s3"]

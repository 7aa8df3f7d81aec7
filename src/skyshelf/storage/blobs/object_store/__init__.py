"""Blobs as objects in a bucket of S3 or a compatible store."""

from skyshelf.storage.blobs.object_store.objects import s3_store
from skyshelf.storage.blobs.object_store.store import ObjectBlobs

__all__ = ["ObjectBlobs", "s3_store"]

"""From a URL to a store."""

import time
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from skyshelf.storage.access import Access
from skyshelf.storage.blobs.protocols import BlobStore
from skyshelf.storage.errors import StoreUnavailable
from skyshelf.storage.file_systems import refuse_network
from skyshelf.storage.host_lease import refuse_other_machine
from skyshelf.storage.identity import adopt, check_identity, compare_identities
from skyshelf.storage.local_paths import is_postgres, local_path
from skyshelf.storage.metadata.read_only import end_of_move
from skyshelf.storage.metadata.store import MetadataStore

if TYPE_CHECKING:
    from obstore.store import S3Store

METADATA_FILE = "metadata.db"
BLOBS_FOLDER = "blobs"


def embedded_urls(data: Path) -> tuple[str, str]:
    """Return the URLs of both stores of a data folder."""
    folder = data.absolute()
    return (folder / METADATA_FILE).as_uri(), (folder / BLOBS_FOLDER).as_uri()


_FORMS = "file:///path/blobs or s3://bucket/prefix"
CONNECTIONS = 16
"""To a database, from one process."""


def open_stores(
    metadata_url: str,
    blobs_url: str,
    *,
    adopt_reason: str | None = None,
    access: Access = Access.SERVE,
    connections: int = CONNECTIONS,
) -> tuple[MetadataStore, BlobStore]:
    """Both halves of a store, which belong together; StoresDoNotMatch when they do not and no reason is given."""
    metadata = open_metadata(metadata_url, access, connections=connections)
    try:
        blobs = open_blobs(blobs_url, access)
        try:
            if adopt_reason is not None:
                adopt(metadata, blobs, adopt_reason, time.time_ns() // 1_000_000)
            if access.is_read_only:
                compare_identities(metadata, blobs)
            else:
                check_identity(metadata, blobs)
                if access is Access.SERVE:
                    end_of_move(metadata)
        except BaseException:
            blobs.close()
            raise
    except BaseException:
        metadata.close()
        raise
    return metadata, blobs


def check_urls(metadata_url: str, blobs_url: str) -> None:
    """Raise StoreUnavailable for URLs that name no stores, without connecting to any."""
    if is_postgres(metadata_url):
        from skyshelf.storage.metadata.postgres.dialect import refuse_malformed

        refuse_malformed(metadata_url)
    else:
        local_path(metadata_url)
    if urlsplit(blobs_url).scheme == "s3":
        _bucket(blobs_url)
    else:
        local_path(blobs_url, _FORMS)


def open_metadata(url: str, access: Access = Access.SERVE, *, connections: int = CONNECTIONS) -> MetadataStore:
    """`file:///…/metadata.db` or `postgresql://…`.

    The server migrates a file automatically; a database is migrated by `skyshelf admin upgrade` alone.
    """
    if is_postgres(url):
        from skyshelf.storage.metadata.postgres.store import PostgresStore

        store = PostgresStore(url, access=access, connections=connections)
        try:
            store.require_current()
        except BaseException:
            store.close()
            raise
        return store
    from skyshelf.storage.metadata.sqlite.store import SqliteStore

    path = local_path(url)
    if access is Access.SERVE:
        refuse_network(path)
    if not access.is_read_only:
        refuse_other_machine(path)
    return SqliteStore(path, access=access)


def open_blobs(url: str, access: Access = Access.SERVE) -> BlobStore:
    """`file:///…/blobs`, or `s3://bucket/prefix?endpoint=…&region=…`.

    Keys of a bucket come from the environment (AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY) or from the machine's role:
    a URL would show them in the list of processes.
    """
    if urlsplit(url).scheme == "s3":
        from skyshelf.storage.blobs.object_store.objects import Objects
        from skyshelf.storage.blobs.object_store.store import ObjectBlobs

        return ObjectBlobs(Objects(_bucket(url), access))
    from skyshelf.storage.blobs.disk.store import DiskBlobs

    return DiskBlobs(local_path(url, _FORMS), access=access)


def _bucket(url: str) -> "S3Store":
    from skyshelf.storage.blobs.object_store.objects import store_at

    return store_at(urlsplit(url), "blobs", StoreUnavailable, {"endpoint", "region", "bulk_delete"})

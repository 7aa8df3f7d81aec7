"""From a URL to a store."""

import time
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

from skyshelf.storage.access import Access
from skyshelf.storage.blobs.protocols import BlobStore
from skyshelf.storage.errors import StoreUnavailable
from skyshelf.storage.identity import adopt, check_identity, compare_identities
from skyshelf.storage.local_paths import local_path
from skyshelf.storage.metadata.read_only import end_of_move
from skyshelf.storage.metadata.store import MetadataStore

METADATA_FILE = "metadata.db"
BLOBS_FOLDER = "blobs"


def embedded_urls(data: Path) -> tuple[str, str]:
    """The URLs of both stores of a data folder."""
    folder = data.absolute()
    return (folder / METADATA_FILE).as_uri(), (folder / BLOBS_FOLDER).as_uri()


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


def open_metadata(url: str, access: Access = Access.SERVE, *, connections: int = CONNECTIONS) -> MetadataStore:
    """`file:///…/metadata.db` or `postgresql://…`.

    The server migrates a file automatically; a database is migrated by `skyshelf admin upgrade` alone.
    """
    if urlsplit(url).scheme in {"postgresql", "postgres"}:
        from skyshelf.storage.metadata.postgres.store import PostgresStore

        store = PostgresStore(url, access=access, connections=connections)
        try:
            store.require_current()
        except BaseException:
            store.close()
            raise
        return store
    from skyshelf.storage.metadata.sqlite.store import SqliteStore

    return SqliteStore(local_path(url), access=access)


def open_blobs(url: str, access: Access = Access.SERVE) -> BlobStore:
    """`file:///…/blobs`, or `s3://bucket/prefix?endpoint=…&region=…`.

    Keys of a bucket come from the environment (AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY) or from the machine's role:
    a URL would show them in the list of processes.
    """
    parts = urlsplit(url)
    if parts.scheme == "s3":
        from skyshelf.storage.blobs.object_store.s3 import open_s3

        options = {name: values[-1] for name, values in parse_qs(parts.query).items()}
        unknown = options.keys() - {"endpoint", "region", "bulk_delete"}
        if not parts.netloc or unknown:
            what = f"does not know {', '.join(sorted(unknown))}" if unknown else "names no bucket"
            raise StoreUnavailable(f"the URL of the blobs {what}: write s3://bucket/prefix?endpoint=…&region=…")
        return open_s3(
            parts.netloc,
            prefix=unquote(parts.path).strip("/") or None,
            endpoint=options.get("endpoint"),
            region=options.get("region", "us-east-1"),
            bulk_delete=options.get("bulk_delete", "true") != "false",
            access=access,
        )
    from skyshelf.storage.blobs.disk.store import DiskBlobs

    return DiskBlobs(local_path(url, "file:///path/blobs or s3://bucket/prefix"), access=access)

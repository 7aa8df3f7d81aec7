"""Backups: cuts of a running store in a folder or a bucket, their verification, and stores made of them.

A cut is the rows of one moment and every content that they name. Below the destination:

    cuts/<time>-<nonce>.json     the sealed manifest of a cut; it is written last, and without it there is no cut
    lists/<sha256>               what a cut needs: its contents in up to 256 lists by name, and the parts of its rows
    packs/<sha256>               parts of the rows, compressed, many in one pack: chunks of a file, or segments of rows
    blobs/ab/<name>              contents, each stored once for all cuts
    unfinished/…                 what an interrupted run has copied, so that the next one goes on
    dropped/…                    manifests of cuts that are being removed
    unexplained/seen.json        objects that no cut explains, and since when they are known
    history/…                    what was removed, and when

Without encryption a content's name is its SHA-256. With it, blobs and packs are age files, and names are keyed digests:
the key is in the store and, encrypted, in every manifest. Lists hold names and sizes alone. So a server that can only
encrypt knows what it has backed up, old cuts can be removed, and verification without the identity is possible.
"""

from pathlib import Path
from urllib.parse import unquote, urlsplit

from skyshelf.backup.folder import FolderPlace
from skyshelf.backup.places import BackupRefused, Place


def open_place(destination: str, *, create: bool = False) -> Place:
    """Open a folder, or `s3://bucket/prefix?endpoint=…&region=…` with keys from the environment as for a blob store."""
    parts = urlsplit(destination)
    if parts.scheme == "s3":
        # Loaded only where they are used.
        from skyshelf.backup.bucket import BucketPlace
        from skyshelf.storage.blobs.object_store.objects import Objects, store_at

        store = store_at(parts, "backup", BackupRefused)
        return BucketPlace(Objects(store), f"s3://{parts.netloc}/{store.prefix or ''}")
    if parts.scheme == "file":
        path = Path(unquote(parts.path))
    elif "://" in destination:
        raise BackupRefused(f"a backup cannot be kept at '{parts.scheme}://': name a folder, or s3://bucket/prefix")
    else:
        path = Path(destination)
    return FolderPlace(path.absolute(), create=create)

"""A cut opened for reading: its rows unpacked in a folder, and its contents where they are.

The rows become a store of this version's schema, so everything that reads a store reads a cut. What is about the
former store's own blobs is left out, as in a restore, and each location becomes the SHA-256 of its content.
"""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

import apsw
import msgspec

from skyshelf.backup import open_place
from skyshelf.backup.chunks import read_rows
from skyshelf.backup.cut import Cut, Manifest, choose
from skyshelf.backup.cut_blobs import NO_NONCE, CutBlobs
from skyshelf.backup.lookup import CutContents
from skyshelf.backup.places import Place, Progress
from skyshelf.backup.restore import LEFT_OUT, LEFT_OUT_SETTINGS
from skyshelf.backup.sealing import Opener, open_identities
from skyshelf.backup.sources import IDENTITY
from skyshelf.backup.verify import names_of
from skyshelf.storage.access import Access
from skyshelf.storage.metadata.sqlite.file import APPLICATION_ID, our_errors
from skyshelf.storage.metadata.store import MetadataStore
from skyshelf.storage.metadata.transfer.stores import import_sqlite
from skyshelf.storage.moving.switch import LEFT_BEHIND
from skyshelf.storage.open import METADATA_FILE, open_metadata

_COPIED: Final = "rows.db"
_RELOCATE: Final = (
    f"UPDATE blobs SET location = lower(hex(content)) || '{NO_NONCE}' || size"  # noqa: S608 - text of our own
    " WHERE substr(location, 1, 64) <> lower(hex(content))"
)
"""For contents in parts, whose locations in a bucket name an upload."""


class OpenedCut(msgspec.Struct, frozen=True):
    """The rows and contents of a cut."""

    cut: Cut
    metadata: MetadataStore
    blobs: CutBlobs


@contextmanager
def opened_cut(place: Place, found: Manifest, folder: Path, *, opener: Opener | None = None) -> Iterator[OpenedCut]:
    """Open a cut whose rows were unpacked into the folder."""
    assert found.cut is not None
    metadata = open_metadata((folder / METADATA_FILE).as_uri(), Access.LOOK)
    try:
        yield OpenedCut(found.cut, metadata, cut_blobs(place, found, metadata, opener))
    finally:
        metadata.close()


def cut_blobs(place: Place, found: Manifest, metadata: MetadataStore, opener: Opener | None) -> CutBlobs:
    """Return the contents of a cut whose rows are open; the place stays with the caller."""
    assert found.cut is not None
    with metadata.read() as unit:
        identity = unit.settings.get(IDENTITY)
    return CutBlobs(CutContents(place, found.cut, *names_of(found, opener)), identity)


def open_contents(destination: str, cut: str, identity: str | None, metadata: MetadataStore) -> CutBlobs:
    """Open the contents of a cut whose rows were unpacked; closing them closes the backup."""
    opener = None if identity is None else open_identities(Path(identity))
    place = open_place(destination)
    try:
        blobs = cut_blobs(place, choose(place, cut), metadata, opener)
    except BaseException:
        place.close()
        raise
    blobs.on_close(place.close)
    return blobs


def unpack_rows(place: Place, found: Manifest, folder: Path, *, opener: Opener | None, progress: Progress) -> None:
    """Make the rows of a cut a store in a folder; CutDamaged when they are not what was stored."""
    assert found.cut is not None
    names, opener = names_of(found, opener)
    progress.step("reading the rows")
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    copied, made = folder / _COPIED, folder / METADATA_FILE
    read_rows(place, opener, names, found.cut.database, copied)
    with our_errors(copied), closing(apsw.Connection(str(copied))) as connection:
        is_store = connection.pragma("application_id") == APPLICATION_ID
    if is_store:
        copied.replace(made)
        # Upgraded, if an earlier version has made the backup.
        open_metadata(made.as_uri(), Access.SERVE).close()
    else:
        # Rows out of PostgreSQL are without indexes.
        import_sqlite(copied, made.as_uri(), lambda _done, _total: None)
        copied.unlink()
    with our_errors(made), closing(apsw.Connection(str(made))) as connection, connection:
        for table in (*LEFT_BEHIND, *LEFT_OUT):
            connection.execute(f"DELETE FROM {table}").close()  # noqa: S608 - names of our own
        connection.executemany("DELETE FROM settings WHERE name = ?", [(name,) for name in LEFT_OUT_SETTINGS]).close()
        connection.execute(_RELOCATE).close()

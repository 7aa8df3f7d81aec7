"""Which contents are in the new blob store already, and where: read from the store itself, and kept on disk.

A location names its content's SHA-256 and its size, so a listing of the target is the journal of a move: one that was
killed goes on from there.
"""

import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import apsw

from skyshelf.storage.blobs.protocols import BlobStore
from skyshelf.storage.blobs.records import StoredBlob
from skyshelf.storage.metadata.sql.statements import Row

_STEP: Final = 500


class Locations:
    """Contents by their SHA-256, in a temporary file: memory stays flat whatever their number."""

    def __init__(self, path: Path) -> None:
        self._connection = apsw.Connection(str(path))
        for pragma in ("journal_mode = OFF", "synchronous = OFF", "cache_size = -32000"):
            self._connection.execute(f"PRAGMA {pragma}").close()
        self._connection.execute(
            "CREATE TABLE found (location TEXT PRIMARY KEY, sha256 BLOB NOT NULL, size INTEGER NOT NULL,"
            " used INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID"
        ).close()
        self._connection.execute("CREATE INDEX found_content ON found (sha256, location)").close()

    def add(self, blobs: Iterable[StoredBlob]) -> None:
        rows = [(blob.location, bytes.fromhex(blob.sha256), blob.size) for blob in blobs]
        self._connection.executemany(
            "INSERT OR IGNORE INTO found (location, sha256, size) VALUES (?, ?, ?)", rows
        ).close()

    def of(self, contents: Sequence[bytes]) -> dict[bytes, tuple[str, int]]:
        """The location and size of those that are there. Of several copies it is always the same one."""
        found: dict[bytes, tuple[str, int]] = {}
        for start in range(0, len(contents), _STEP):
            some = contents[start : start + _STEP]
            places = ", ".join("?" * len(some))
            rows: list[Row] = self._connection.execute(
                f"SELECT sha256, min(location), size FROM found WHERE sha256 IN ({places}) GROUP BY sha256",  # noqa: S608
                list(some),
            ).fetchall()
            found |= {sha256: (location, size) for sha256, location, size in rows}
        return found

    def use(self, contents: Sequence[bytes]) -> None:
        """Note that these are needed."""
        rows = [(location,) for location, _ in self.of(contents).values()]
        self._connection.executemany("UPDATE found SET used = 1 WHERE location = ?", rows).close()

    def unused(self) -> Iterator[str]:
        """Where there is what nobody needs."""
        for (location,) in self._connection.execute("SELECT location FROM found WHERE used = 0"):
            yield str(location)

    def close(self) -> None:
        self._connection.close()


@contextmanager
def listed(blobs: BlobStore) -> Iterator[Locations]:
    """What a store has right now."""
    with tempfile.TemporaryDirectory(prefix="skyshelf-move-") as folder:
        locations = Locations(Path(folder) / "locations.db")
        try:
            batch: list[StoredBlob] = []
            for one in blobs.list():
                batch.append(StoredBlob(one.location, one.size, "", blobs.recorded_sha256(one.location)))
                if len(batch) == _STEP:
                    locations.add(batch)
                    batch = []
            locations.add(batch)
            yield locations
        finally:
            locations.close()

"""Ways to damage a data folder, each with the sentence by which the check must give it away."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import apsw
from tests.crash.folder import blobs_in, metadata_in


@dataclass(frozen=True)
class Damage:
    name: str
    do: Callable[[Path], None]
    sentence: str
    """A regular expression for one finding."""

    def __str__(self) -> str:
        return self.name


def _sql(*statements: str) -> Callable[[Path], None]:
    """Statements that must change something, past every constraint that would refuse them."""

    def run(folder: Path) -> None:
        connection = apsw.Connection(str(metadata_in(folder)))
        connection.execute("PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON")
        for statement in statements:
            connection.execute(statement).close()
            assert connection.changes() == 1, statement
        connection.close()

    return run


def _a_large_blob(folder: Path) -> Path:
    blobs = [path for path in blobs_in(folder).glob("blobs/*/*") if path.stat().st_size > 1000]
    return min(blobs)


def _truncate_a_blob(folder: Path) -> None:
    blob = _a_large_blob(folder)
    blob.write_bytes(blob.read_bytes()[:-1])


def _flip_a_bit_of_a_blob(folder: Path) -> None:
    blob = _a_large_blob(folder)
    data = bytearray(blob.read_bytes())
    data[len(data) // 2] ^= 1
    blob.write_bytes(data)


def _remove_a_blob(folder: Path) -> None:
    _a_large_blob(folder).unlink()


def _flip_a_bit_of_the_database(folder: Path) -> None:
    """In the encoded form of a row, wherever copies of it are: SQLite itself would not see it."""
    path = metadata_in(folder)
    data = path.read_bytes()
    name = f'"objectName":"{FILE}"'.encode()
    assert name in data
    path.write_bytes(data.replace(name, name.replace(b"d", b"e")))


def _upload(folder: Path) -> Path:
    return max(blobs_in(folder).glob("uploads/*"), key=lambda path: path.stat().st_size)


def _shorten_an_upload(folder: Path) -> None:
    upload = _upload(folder)
    upload.write_bytes(upload.read_bytes()[:-1])


def _change_the_bytes_of_an_upload(folder: Path) -> None:
    upload = _upload(folder)
    upload.write_bytes(b"?" * upload.stat().st_size)


FILE = "damaged.jpg"
"""A file with two versions."""
OUTER, INNER = "outer", "inner"
"""Two folders, one in the other."""
UPLOAD = "damaged.mp4"
"""An upload that has received more bytes than any other."""

_THE_FILE = f"(SELECT object_key FROM objects WHERE name = '{FILE}')"
_THE_UPLOAD = f"(SELECT upload_key FROM uploads WHERE name = '{UPLOAD}')"

DAMAGES = (
    Damage("a blob is truncated", _truncate_a_blob, r"the blob of \w+ cannot be read"),
    Damage("a bit of a blob is flipped", _flip_a_bit_of_a_blob, r"the blob of \w+ has other bytes"),
    Damage("a blob is gone", _remove_a_blob, r"the blob of \w+ cannot be read"),
    Damage("a bit of the database is flipped", _flip_a_bit_of_the_database, r"the row of \w+ shows"),
    Damage(
        "an old version is gone",
        _sql(f"DELETE FROM versions WHERE object_key = {_THE_FILE} AND version = 1"),
        r"the file \w+ has the versions",
    ),
    Damage(
        "the current version is gone",
        _sql(f"DELETE FROM versions WHERE object_key = {_THE_FILE} AND version = 2"),
        r"the file \w+ has the versions",
    ),
    Damage(
        "a counter of used bytes is changed",
        _sql("UPDATE account_counters SET photo_used = photo_used + 1 WHERE account_id = 1"),
        "the quota of account 1",
    ),
    Damage(
        "a reservation is forgotten",
        _sql("UPDATE account_counters SET reserved = 0 WHERE account_id = 1"),
        "the quota of account 1",
    ),
    Damage(
        "a reference is not counted",
        _sql("UPDATE blobs SET refs = refs - 1 WHERE content = (SELECT content FROM versions LIMIT 1)"),
        r"the content \w+ has",
    ),
    Damage(
        "a change is removed",
        _sql(
            "DELETE FROM changes WHERE account_id = 1 AND seq = (SELECT max(seq) - 1 FROM changes WHERE account_id = 1)"
        ),
        "the changes of account 1 have a gap",
    ),
    Damage(
        "the newest change is removed without a trace",
        _sql(
            "DELETE FROM changes WHERE account_id = 1 AND seq = (SELECT max(seq) FROM changes WHERE account_id = 1)",
            "UPDATE account_counters SET change_seq = change_seq - 1 WHERE account_id = 1",
        ),
        r"worker \d: changes expected",
    ),
    Damage(
        "a row differs from its encoded form",
        _sql(f"UPDATE objects SET is_favorite = 1 - is_favorite WHERE object_key = {_THE_FILE}"),
        r"the row of \w+ shows",
    ),
    Damage(
        "an object is gone",
        _sql(f"DELETE FROM objects WHERE name = '{INNER}'"),
        r"worker \d: lost",
    ),
    Damage(
        "an object has moved",
        _sql(
            f"UPDATE objects SET parent_key = (SELECT root_key FROM accounts WHERE account_id = 1)"
            f" WHERE name = '{INNER}'"
        ),
        r"worker \d: expected",
    ),
    Damage(
        "folders lie within each other",
        _sql(
            f"UPDATE objects SET parent_key = (SELECT object_key FROM objects WHERE name = '{INNER}')"
            f" WHERE name = '{OUTER}'"
        ),
        r"\w+ hangs below \w+, which is no folder above it",
    ),
    Damage(
        "an upload forgot a chunk",
        _sql(f"DELETE FROM upload_parts WHERE upload_key = {_THE_UPLOAD}"),
        r"the parts of the upload \w+ end at",
    ),
    Damage(
        "an upload stands elsewhere",
        _sql(
            f"DELETE FROM upload_parts WHERE upload_key = {_THE_UPLOAD}",
            f"UPDATE uploads SET received = 0 WHERE upload_key = {_THE_UPLOAD}",
        ),
        r"worker \d: upload \w+ expected",
    ),
    Damage("an upload lost a byte", _shorten_an_upload, r"the upload \w+ cannot go on"),
    Damage("an upload has other bytes", _change_the_bytes_of_an_upload, r"the upload \w+ has other bytes"),
)

"""A database file read in place: one moment of it, whatever others write and checkpoint meanwhile."""

import threading
from contextlib import closing
from pathlib import Path
from random import Random

import apsw
import pytest

from skyshelf.storage.metadata.sqlite.image import Image, NoImage

_IMAGES = 25
_MAKE = (
    "PRAGMA journal_mode = WAL",
    "CREATE TABLE things (number INTEGER PRIMARY KEY, thing BLOB)",
    "CREATE TABLE sums (things INTEGER, bytes INTEGER)",
    "INSERT INTO sums VALUES (0, 0)",
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "rows.db"
    with closing(apsw.Connection(str(path))) as connection:
        for statement in _MAKE:
            connection.execute(statement).fetchall()
    return path


class _Writer(threading.Thread):
    """Commits without a pause; each commit notes what the whole table sums up to."""

    def __init__(self, path: Path, checkpoint_every: int) -> None:
        super().__init__()
        self._path = path
        self._every = checkpoint_every
        self._random = Random(checkpoint_every)
        self.ended = threading.Event()
        self.error: BaseException | None = None

    def run(self) -> None:
        try:
            with closing(apsw.Connection(str(self._path))) as connection:
                connection.set_busy_timeout(60_000)
                connection.wal_autocheckpoint(self._every)
                connection.execute("PRAGMA synchronous = OFF").fetchall()
                while not self.ended.is_set():
                    with connection:
                        self._change(connection)
        except BaseException as error:  # noqa: BLE001 - the test raises it
            self.error = error

    def _change(self, connection: apsw.Connection) -> None:
        connection.execute("UPDATE sums SET things = things").fetchall()
        for _ in range(self._random.randrange(1, 20)):
            thing = self._random.randrange(500), self._random.randbytes(self._random.randrange(1, 5000))
            connection.execute("INSERT OR REPLACE INTO things VALUES (?, ?)", thing).fetchall()
        connection.execute(
            "UPDATE sums SET things = (SELECT count(*) FROM things), bytes = (SELECT sum(length(thing)) FROM things)"
        ).fetchall()


def _bytes(image: Image, step: int) -> bytes:
    return b"".join(image.read(at, step) for at in range(0, image.size, step))


@pytest.mark.whole
def test_an_image_is_one_moment_while_others_write(path: Path, tmp_path: Path) -> None:
    writers = [_Writer(path, checkpoint_every=10), _Writer(path, checkpoint_every=1000)]
    for writer in writers:
        writer.start()
    random, taken = Random(1), 0
    try:
        while taken < _IMAGES:
            try:
                image = Image(path)
            except NoImage:
                continue
            with closing(image):
                step = random.choice((1000, 4096, 32_768, 1 << 20))
                data = _bytes(image, step)
                seen = image.connection.execute("SELECT things, bytes FROM sums").get
            taken += 1
            copy = tmp_path / "copy.db"
            copy.write_bytes(data)
            flags = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
            with closing(apsw.Connection(f"{copy.as_uri()}?immutable=1", flags=flags)) as connection:
                assert connection.pragma("integrity_check") == "ok"
                assert connection.execute("SELECT things, bytes FROM sums").get == seen
                counted = connection.execute("SELECT count(*), coalesce(sum(length(thing)), 0) FROM things").get
                assert counted == seen
    finally:
        for writer in writers:
            writer.ended.set()
            writer.join(60)
    assert [writer.error for writer in writers] == [None, None]


def test_the_moment_stays_when_others_commit_and_checkpoint(path: Path) -> None:
    with closing(apsw.Connection(str(path))) as writer:
        writer.execute("INSERT INTO things VALUES (1, zeroblob(20000))").fetchall()
        with closing(Image(path)) as image:
            before = _bytes(image, 4096)
            writer.execute("UPDATE things SET thing = randomblob(90000)").fetchall()
            writer.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_PASSIVE)
            writer.execute("DELETE FROM things").fetchall()
            assert _bytes(image, 1 << 20) == before
        writer.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
        with closing(Image(path)) as image:
            assert _bytes(image, 4096) == path.read_bytes() != before

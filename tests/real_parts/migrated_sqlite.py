"""Fresh embedded stores without the making of their tables, which takes longer than most tests that use one."""

import functools
import tempfile
from pathlib import Path

from skyshelf.storage.metadata.sqlite.store import SqliteStore
from skyshelf.storage.open import METADATA_FILE


def put_migrated(folder: Path) -> None:
    """Put an empty, migrated metadata file into the folder of a store that nobody has opened yet."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / METADATA_FILE
    assert not file.exists(), "there is a store already"
    file.touch(mode=0o600)
    file.write_bytes(_fresh())


@functools.cache
def _fresh() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / METADATA_FILE
        SqliteStore(file).close()
        assert [one.name for one in Path(folder).iterdir()] == [METADATA_FILE], "a closed store is one file"
        return file.read_bytes()

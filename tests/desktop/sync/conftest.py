"""Two sides that are in sync."""

from pathlib import Path

import pytest
from tests.desktop.sync.both_sides import Put, put, sync

from skyshelf.client.sync_client import Client


@pytest.fixture
def there(client: Client, tmp_path: Path) -> Put:
    """Another device of the account writes a file."""
    return lambda path, content: put(client, tmp_path, path, content)


@pytest.fixture
def synced(client: Client, here: Path) -> Path:
    """Both sides with the same few files."""
    (here / "deep").mkdir()
    (here / "a.txt").write_text("one")
    (here / "deep/b.txt").write_text("two")
    sync(client, here)
    return here

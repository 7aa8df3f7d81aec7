"""Files that root makes in somebody's store belong to that somebody."""

import os
from pathlib import Path

import pytest
from tests.real_parts.programs import root_alone

from skyshelf.storage.blobs.disk import DiskBlobs
from skyshelf.storage.blobs.durable_files import DurableFiles
from skyshelf.storage.metadata.sqlite.store import SqliteStore

OWNER = (12345, 23456)


class Chowning:
    """Stands in for the system's own calls, which only root may use."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, user: int) -> None:
        self.given: list[tuple[int, int]] = []
        monkeypatch.setattr(os, "geteuid", lambda: user)
        monkeypatch.setattr(os, "fchown", lambda _file, *owner: self.given.append(owner))
        monkeypatch.setattr(os, "chown", lambda _name, *owner, **_how: self.given.append(owner))


class OwnedFiles(DurableFiles):
    """Files in a folder that belongs to somebody else."""

    def give_to_owner_of(self, root: Path) -> None:
        super().give_to_owner_of(root)
        if os.geteuid() == 0:
            self._owner = OWNER


def use(root: Path) -> None:
    store = DiskBlobs(root, OwnedFiles())
    try:
        store.put([b"bytes"])
        with store.uploading("0" * 32) as upload:
            upload.append([b"bytes"], after=None)
        with store.batch() as batch:
            batch.put([b"more"])
            batch.seal()
        store.write_identity(b"{}")
    finally:
        store.close()


def test_everything_that_root_makes_is_given_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    chowning = Chowning(monkeypatch, 0)
    use(tmp_path / "blobs")
    made = sum(1 for _ in (tmp_path / "blobs").rglob("*"))
    assert set(chowning.given) == {OWNER}
    assert len(chowning.given) >= made


def test_the_owner_gives_nothing_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    chowning = Chowning(monkeypatch, 1000)
    use(tmp_path / "blobs")
    assert chowning.given == []


def owners_in(folder: Path) -> set[tuple[int, int]]:
    return {(path.stat().st_uid, path.stat().st_gid) for path in folder.rglob("*")}


def test_root_works_in_a_real_store_of_another_user(tmp_path: Path) -> None:
    root_alone()
    os.chown(tmp_path, *OWNER)
    store = DiskBlobs(tmp_path / "blobs")
    store.put([b"bytes"])
    store.close()
    assert owners_in(tmp_path) == {OWNER}


def test_metadata_that_root_makes_in_another_users_folder_belongs_to_that_user(tmp_path: Path) -> None:
    root_alone()
    os.chown(tmp_path, *OWNER)
    store = SqliteStore(tmp_path / "new" / "metadata.db")
    store.write(lambda unit: unit.settings.set("anything", b"1"))
    store.ballast().fill()
    found = owners_in(tmp_path)
    store.close()
    assert found == {OWNER}

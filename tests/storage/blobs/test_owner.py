"""Files that root makes in somebody's store belong to that somebody."""

import os
from pathlib import Path

import pytest

from skyshelf.storage.blobs.disk import DiskBlobs
from skyshelf.storage.blobs.durable_files import DurableFiles

OWNER = (12345, 23456)


class Chowning:
    """Stands in for the system's own calls, which only root may use."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, user: int) -> None:
        self.given: list[tuple[int, int]] = []
        monkeypatch.setattr(os, "geteuid", lambda: user)
        monkeypatch.setattr(os, "fchown", lambda _file, *owner: self.given.append(owner))
        monkeypatch.setattr(os, "chown", lambda _name, *owner, **_how: self.given.append(owner))


class OwnedFiles(DurableFiles):
    """Of a folder that belongs to somebody."""

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


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can make files of another user")
def test_root_works_in_a_real_store_of_another_user(tmp_path: Path) -> None:
    os.chown(tmp_path, *OWNER)
    store = DiskBlobs(tmp_path / "blobs")
    store.put([b"bytes"])
    store.close()
    owners = {(path.stat().st_uid, path.stat().st_gid) for path in tmp_path.rglob("*")}
    assert owners == {OWNER}
